"""Whatever a strategy wants, what goes to the server is legal and whole."""

from random import Random

import pytest

from bots.completing import complete, harmless_order, units_due
from bots.view import GameView
from rules.kernel.encode import codec_of
from rules.legal_orders import legal_adjustments, legal_orders
from rules.legality import Judge
from rules.maps import load_map, map_names
from rules.orders import Build, Disband, Hold, Order, OrderNote, Remove, Unit, UnitKind, Waive
from rules.places import Location
from rules.position import Position
from rules.turns import Phase
from server.order_book import OrderBook
from tests.bots.positions import BOARD, order, position, view


def positions(variant: str) -> list[Position]:
    """Return positions of a game by dice, of every phase."""
    board = load_map(variant)
    codec = codec_of(board)
    state = codec.load(board.start, codec.new_simulator())
    state.seed(11)
    found = [board.start]
    for _ in range(80):
        state.step_by_dice()
        found.append(codec.position(state))
    # Few meet on a large board with few units.
    assert {each.turn.phase for each in found} == set(Phase) or variant == "fourwinds"
    return found[::2]


def anything(seen: GameView, random: Random) -> list[Order]:
    """Return orders of all kinds, of everybody, some of them twice; few of them fit."""
    board, where = seen.board, seen.position
    known = [each for orders in legal_orders(board, where).values() for each in orders]
    for power in board.powers:
        known += legal_adjustments(board, where, power)
    for unit in where.units:
        known += [Hold(unit), Disband(unit), Build(unit), Remove(unit)]
    for center in board.centers:
        if center in board.army_borders:
            known.append(Build(Unit(seen.power, UnitKind.ARMY, Location(center))))
    return random.choices([*known, Waive(seen.power), Waive(board.powers[0])], k=25)


@pytest.mark.parametrize("variant", map_names())
def test_what_is_submitted_is_legal_and_whole_whatever_was_wanted(variant: str) -> None:
    board, random = load_map(variant), Random(3)
    for where in positions(variant):
        power = random.choice(board.powers)
        seen = view(power.name, where, board=board)
        wanted = anything(seen, random)
        done = complete(seen, wanted)
        book, judge = OrderBook(board, where), Judge(board, where)
        given: list[Order] = []
        for each in done.orders:
            assert judge.judge(each, power, given) is OrderNote.MIGHT_BE_VALID
            assert each in wanted or isinstance(each, Hold | Disband | Remove | Waive)
            given.append(each)
        notes = book.submit(power, done.orders)
        assert set(notes) <= {OrderNote.MIGHT_BE_VALID}
        assert book.is_complete(power)
        assert all(note is not OrderNote.MIGHT_BE_VALID for _, note in done.refused)
        again = complete(seen, done.orders)
        assert again.refused == ()
        assert sorted(map(str, again.orders)) == sorted(map(str, done.orders))


def test_a_later_order_for_a_unit_replaces_an_earlier_one() -> None:
    where, france = BOARD.start, BOARD.power("FRA")
    texts = ("A PAR - BUR", "A PAR - PIC", "A MAR H", "F BRE - MAO")
    first, second, stay, sail = (order(where, france, text) for text in texts)
    done = complete(view("FRA"), [first, stay, second, sail])
    assert set(done.orders) == {second, stay, sail}
    assert done.refused == ()


def test_units_without_an_idea_hold_or_disband() -> None:
    seen = view("FRA")
    assert complete(seen, ()).orders == tuple(map(Hold, seen.units))
    assert units_due(seen) == seen.units
    assert harmless_order(seen, seen.units[0]) == Hold(seen.units[0])


def test_what_is_not_ours_is_left_out_with_the_note() -> None:
    theirs = order(BOARD.start, BOARD.power("GER"), "A MUN - BUR")
    far = order(BOARD.start, BOARD.power("FRA"), "A PAR - MUN")
    done = complete(view("FRA"), [theirs, far])
    assert done.refused == (
        (theirs, OrderNote.NOT_YOUR_UNIT),
        (far, OrderNote.NOT_ADJACENT),
    )


def test_somebody_without_units_has_nothing_to_say() -> None:
    seen = view("FRA", position(GER="A MUN"))
    assert complete(seen, [order(BOARD.start, BOARD.power("FRA"), "A PAR H")]).orders == ()
