from random import Random

import pytest

from rules.adjudicate import adjudicate
from rules.board import Board
from rules.errors import BadInputError
from rules.kernel.encode import Codec, codec_of
from rules.legal_orders import legal_orders
from rules.maps import load_map
from rules.notation import parse_order
from rules.orders import Hold, Order, OrderNote
from rules.places import Power
from rules.position import Position
from server.order_book import OrderBook
from tests.server.table import place

MBV = OrderNote.MIGHT_BE_VALID
WINTER = place(
    "WIN 1901", ENG="F LON, A YOR", centers={"ENG": "LON LVP EDI NWY", "GER": "MUN"}, GER="A MUN"
)


@pytest.fixture
def board() -> Board:
    return load_map()


def read(board: Board, position: Position, power: str, *texts: str) -> list[Order]:
    return [parse_order(board, position, board.power(power), text) for text in texts]


def test_every_unit_is_due_in_a_movement_turn(board: Board) -> None:
    book = OrderBook(board, board.start)
    england = board.power("ENG")
    assert book.is_due(england)
    assert not book.is_complete(england)
    missing = book.missing(england)
    assert missing is not None
    assert [str(unit) for unit in missing.units] == [
        str(unit) for unit in board.start.units if unit.power == england
    ]


def test_a_set_is_complete_when_every_unit_has_an_order(board: Board) -> None:
    book = OrderBook(board, board.start)
    england = board.power("ENG")
    units = [unit for unit in board.start.units if unit.power == england]
    assert book.submit(england, map(Hold, units)) == [MBV] * 3
    assert book.is_complete(england)
    assert book.missing(england) is None


def test_a_later_order_replaces_an_earlier_one_and_a_bad_one_does_not(board: Board) -> None:
    book = OrderBook(board, board.start)
    england = board.power("ENG")
    texts = ("A LVP - YOR", "A LVP - WAL", "A LVP - MOS")
    orders = read(board, board.start, "ENG", *texts)
    assert book.submit(england, orders) == [MBV, MBV, OrderNote.NOT_ADJACENT]
    assert list(book.orders()) == [orders[1]]


def test_an_order_is_cancelled_only_by_its_like(board: Board) -> None:
    book = OrderBook(board, board.start)
    england = board.power("ENG")
    orders = read(board, board.start, "ENG", "A LVP - YOR", "A LVP - WAL")
    book.submit(england, orders[:1])
    assert not book.cancel(england, orders[1])
    assert not book.cancel(board.power("FRA"), orders[0])
    assert book.cancel(england, orders[0])
    assert not book.cancel(england, orders[0])


def test_builds_and_waives_add_up_until_no_more_are_due(board: Board) -> None:
    book = OrderBook(board, WINTER)
    england = board.power("ENG")
    builds = read(board, WINTER, "ENG", "F EDI BLD", "A EDI BLD", "WVE", "A LVP BLD")
    assert book.submit(england, builds) == [
        MBV,
        OrderNote.NOT_EMPTY_CENTER,
        MBV,
        OrderNote.NO_MORE_BUILDS,
    ]
    assert book.is_complete(england)
    assert book.cancel(england, builds[2])
    missing = book.missing(england)
    assert missing is not None
    assert missing.adjustments == -1
    assert book.submit(england, builds[3:]) == [MBV]


def test_two_equal_waives_are_cancelled_one_at_a_time(board: Board) -> None:
    book = OrderBook(board, WINTER)
    england = board.power("ENG")
    waive = read(board, WINTER, "ENG", "WVE") * 2
    assert book.submit(england, waive) == [MBV, MBV]
    assert book.cancel(england, waive[0])
    assert not book.is_complete(england)
    assert book.cancel(england, waive[0])
    assert not book.cancel(england, waive[0])


def test_clearing_takes_back_everything_of_one_power(board: Board) -> None:
    book = OrderBook(board, board.start)
    england, france = board.power("ENG"), board.power("FRA")
    orders = read(board, board.start, "ENG", "A LVP H")
    others = read(board, board.start, "FRA", "A PAR H")
    book.submit(england, orders)
    book.submit(france, others)
    book.clear(england)
    assert list(book.orders()) == others


def test_a_power_with_nothing_due_is_complete(board: Board) -> None:
    book = OrderBook(board, WINTER)
    germany = board.power("GER")
    assert not book.is_due(germany)
    assert book.is_complete(germany)
    assert book.missing(germany) is None


@pytest.mark.parametrize("any_orders", [False, True])
def test_a_convoy_over_more_seas_than_the_kernel_can_number_is_too_far(
    board: Board, monkeypatch: pytest.MonkeyPatch, *, any_orders: bool
) -> None:
    def too_long(*_: object) -> int:
        raise BadInputError("a convoy over 40 seas is too long for this map")

    position = place("SPR 1901", ENG="A LON, F NTH")
    [order] = read(board, position, "ENG", "A LON - NWY VIA NTH")
    monkeypatch.setattr(Codec, "_number", too_long)
    monkeypatch.setattr(codec_of(board), "_codes", {})  # it has met this order in other tests
    book = OrderBook(board, position, any_orders=any_orders)
    assert book.submit(board.power("ENG"), [order]) == [OrderNote.NOT_ADJACENT]
    assert list(book.orders()) == []


def test_with_any_orders_an_impossible_path_is_stored_and_found_out_later(board: Board) -> None:
    position = place("SPR 1901", ENG="A LON, F NTH, F NWG")
    book = OrderBook(board, position, any_orders=True)
    texts = "A LON - NWY VIA " + "NTH NWG " * 30
    assert book.submit(board.power("ENG"), read(board, position, "ENG", texts)) == [MBV]
    reports = adjudicate(board, position, book.orders()).reports
    assert OrderNote.NOT_ADJACENT in [report.result for report in reports]


def test_the_orders_come_by_power_whoever_was_first(board: Board) -> None:
    chance = Random(7)
    given: dict[Power, list[Order]] = {power: [] for power in board.powers}
    for unit, orders in legal_orders(board, board.start).items():
        given[unit.power].append(chance.choice(orders))
    forward, backward = OrderBook(board, board.start), OrderBook(board, board.start)
    for power in board.powers:
        forward.submit(power, given[power])
    for power in reversed(board.powers):
        backward.submit(power, given[power])
    assert list(forward.orders()) == list(backward.orders())


def test_judging_in_another_game_of_the_board_does_not_disturb_a_book(board: Board) -> None:
    book = OrderBook(board, board.start)
    england = board.power("ENG")
    [first, second] = read(board, board.start, "ENG", "F LON - NTH", "F EDI - NWG")
    assert book.submit(england, [first]) == [MBV]
    other = place("FAL 1905", ENG="F MAO")
    adjudicate(board, other, ())
    assert book.submit(england, [second]) == [MBV]


@pytest.mark.parametrize("position", [load_map().start, WINTER], ids=["movement", "adjustment"])
def test_what_is_missing_is_right_after_any_sequence_of_orders(position: Position) -> None:
    board, chance = load_map(), Random(3)
    book, england = OrderBook(board, position), load_map().power("ENG")
    if position is WINTER:
        orders = read(board, position, "ENG", "F EDI BLD", "A EDI BLD", "WVE", "A LVP BLD")
    else:
        orders = [
            chance.choice(each)
            for unit, each in legal_orders(board, position).items()
            for _ in range(3)
            if unit.power.name in ("ENG", "FRA")
        ]
    due = 2 if position is WINTER else 3
    for _ in range(300):
        order = chance.choice(orders)
        if chance.random() < 0.5:
            book.submit(england, [order])
        else:
            book.cancel(england, order)
        if chance.random() < 0.02:
            book.clear(england)
        left = due - len(list(book.orders()))
        missing = book.missing(england)
        assert book.is_complete(england) == (left == 0) == (missing is None)
        if missing is not None:
            assert len(missing.units) == left or missing.adjustments == -left


def test_a_book_judges_rightly_after_another_position_was_judged(board: Board) -> None:
    book, other = OrderBook(board, board.start), OrderBook(board, WINTER)
    england = board.power("ENG")
    (order,) = read(board, board.start, "ENG", "F LON - NTH")
    (wrong,) = read(board, board.start, "ENG", "A LVP - YOR")
    assert book.submit(england, [order]) == [MBV]
    other.submit(england, read(board, WINTER, "ENG", "F EDI BLD"))
    adjudicate(board, place("SPR 1901", ENG="A WAL"), [])
    assert book.submit(england, [order, wrong]) == [MBV, MBV]
    assert book.left(england) == 1
    assert book.__getstate__()["_judge"] is None, "a snapshot cannot hold the kernel"
