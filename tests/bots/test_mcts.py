from collections.abc import Sequence

import pytest

from bots.registry import make_bot
from bots.search.budget import Budget, Patience
from bots.search.mcts import mcts
from bots.search.searcher import Searcher
from bots.search.tree import VERSIONS
from bots.view import Beliefs
from rules.errors import BadInputError
from rules.legality import judge_order
from rules.maps import load_map
from rules.notation import parse_order
from rules.orders import Move, MoveByConvoy, Order, OrderNote, SupportMove, Unit
from rules.turns import Season
from tests.bots.positions import BOARD, placed, view

VARIANTS = ["best", *VERSIONS]


def destinations(orders: Sequence[Order]) -> set[str]:
    return {order.destination.province.name for order in orders if isinstance(order, Move)}


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_unit_gets_one_legal_order(variant: str) -> None:
    for power in BOARD.powers:
        seen = view(power.name)
        orders = mcts(variant, iterations=20).choose_orders(seen)
        units: list[Unit] = [order.unit for order in orders if hasattr(order, "unit")]
        assert sorted(map(str, units)) == sorted(map(str, seen.units))
        for order in orders:
            assert judge_order(BOARD, BOARD.start, order, power) is OrderNote.MIGHT_BE_VALID


@pytest.mark.parametrize("variant", VARIANTS)
def test_with_iterations_and_a_seed_it_plays_alike(variant: str) -> None:
    tactic = mcts(variant, iterations=40)
    first = list(tactic.choose_orders(view("RUS", seed=4)))
    assert list(tactic.choose_orders(view("RUS", seed=4))) == first
    assert list(mcts(variant, iterations=40).choose_orders(view("RUS", seed=4))) == first


def test_two_threads_play_alike_too() -> None:
    runs = [
        list(mcts(iterations=600, threads=2).choose_orders(view("RUS", seed=4))) for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert len(runs[0]) == 4


def test_an_attack_is_supported_where_another_goes_too() -> None:
    position = placed(
        {"FRA": ["A BUR", "A PIC"], "GER": ["A HOL", "A KIE", "A BER"]},
        {"FRA": ["PAR", "MAR", "BRE", "MUN"], "GER": ["HOL", "KIE", "BER"]},
    )
    germany = BOARD.power("GER")
    expected = [
        parse_order(BOARD, position, germany, text)
        for text in ("A HOL - BEL", "A KIE H", "A BER H")
    ]
    beliefs = Beliefs(expected=tuple(expected))
    orders = mcts(iterations=1500).choose_orders(view("FRA", position, beliefs=beliefs))
    assert destinations(orders) == {"BEL"}
    assert any(isinstance(order, SupportMove) for order in orders)


def test_an_army_is_convoyed_where_nothing_else_gains() -> None:
    position = placed(
        {"ENG": ["A LON", "F NTH"], "TUR": ["A SMY"]},
        {"ENG": ["LON", "EDI", "LVP"], "TUR": ["SMY"]},
    )
    orders = mcts(iterations=4000).choose_orders(view("ENG", position))
    gains = destinations(orders) | {
        order.destination.name for order in orders if isinstance(order, MoveByConvoy)
    }
    assert gains & {"BEL", "HOL", "DEN", "NWY"}


def test_what_others_are_expected_to_do_is_counted_on() -> None:
    position = placed(
        {"FRA": ["A PIC"], "GER": ["A HOL"], "ENG": ["F ECH"]},
        {"FRA": ["PAR"], "GER": ["HOL"], "ENG": ["LON"]},
    )
    support = parse_order(BOARD, position, BOARD.power("ENG"), "F ECH S A PIC - BEL")
    move = parse_order(BOARD, position, BOARD.power("GER"), "A HOL - BEL")
    beliefs = Beliefs(expected=(support, move))
    orders = mcts(iterations=600).choose_orders(view("FRA", position, beliefs=beliefs))
    assert destinations(orders) == {"BEL"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_open_center_next_door_is_taken_in_fall(variant: str) -> None:
    position = placed({"FRA": ["A PIC"], "TUR": ["A SMY"]}, {"FRA": ["PAR"], "TUR": ["SMY"]})
    orders = mcts(variant, iterations=60).choose_orders(view("FRA", position))
    assert destinations(orders) <= {"BEL", "BRE"}
    assert destinations(orders)


@pytest.mark.parametrize("variant", VARIANTS)
def test_promised_orders_are_given(variant: str) -> None:
    promised = parse_order(BOARD, BOARD.start, BOARD.power("FRA"), "A PAR H")
    beliefs = Beliefs(promised=(promised,))
    for seed in range(5):
        seen = view("FRA", seed=seed, beliefs=beliefs)
        assert promised in mcts(variant, iterations=20).choose_orders(seen)


@pytest.mark.parametrize("variant", VARIANTS)
def test_closed_provinces_are_not_entered(variant: str) -> None:
    closed = frozenset({BOARD.province("BUR"), BOARD.province("SPA"), BOARD.province("MAO")})
    for seed in range(5):
        seen = view("FRA", seed=seed, beliefs=Beliefs(closed=closed))
        orders = mcts(variant, iterations=20).choose_orders(seen)
        assert not destinations(orders) & {"BUR", "SPA", "MAO"}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["lagoon", "fourwinds"])
def test_other_maps_are_played_too(variant: str, name: str) -> None:
    board = load_map(name)
    for power in board.powers:
        seen = view(power.name, board.start, board=board)
        orders = mcts(variant, iterations=10).choose_orders(seen)
        assert len(orders) == len(seen.units)
        for order in orders:
            assert judge_order(board, board.start, order, power) is OrderNote.MIGHT_BE_VALID


@pytest.mark.parametrize("variant", VARIANTS)
def test_builds_and_removals_are_ordered(variant: str) -> None:
    owners = {"FRA": ["PAR", "MAR", "BRE", "SPA"], "GER": ["MUN"]}
    units = {"FRA": ["A GAS"], "GER": ["A RUH", "A BUR"]}
    position = placed(units, owners, Season.WINTER)
    tactic = mcts(variant, iterations=10)
    assert len(tactic.choose_orders(view("FRA", position))) == 3
    assert len(tactic.choose_orders(view("GER", position))) == 1


def steps_of(budget: Budget) -> int:
    steps = 0
    while budget.has_more():
        steps += 1
    return steps


def test_the_clock_ends_a_search() -> None:
    moments = iter(range(10_000))
    budget = Patience(seconds=100).start(None, clock=lambda: float(next(moments)))
    assert 90 <= steps_of(budget) <= 100
    assert budget.part() == 1.0


def test_the_game_may_allow_less_than_the_user() -> None:
    moments = iter(range(10_000))
    budget = Patience(seconds=1000).start(50, clock=lambda: float(next(moments)))
    assert 45 <= steps_of(budget) <= 50


def test_iterations_do_not_look_at_the_default_second() -> None:
    moments = iter(range(10_000))
    budget = Patience(iterations=70).start(None, clock=lambda: float(next(moments)))
    assert steps_of(budget) == 70


def test_without_a_clock_a_budget_is_without_end() -> None:
    budget = Patience(iterations=70).start(None)
    assert (budget.seconds, budget.passed()) == (float("inf"), 0.0)


def test_only_the_clock_decides_by_the_clock() -> None:
    assert Patience(seconds=1.0).start(None).has_seconds(0.9)
    assert not Patience(seconds=1.0).start(0.5).has_seconds(0.5)
    assert not Patience(iterations=70).start(1000.0).has_seconds(0.1)


def test_a_search_that_ends_by_itself_is_left_to_where_nobody_waits() -> None:
    assert Patience(ends_by_itself=True).start(None).seconds == float("inf")
    assert Patience(ends_by_itself=True).start(5.0).seconds < 5.0
    assert Patience(ends_by_itself=True, seconds=2.0).start(None).seconds < 2.0
    assert Patience(ends_by_itself=True).start(None).part() == 0.0


@pytest.mark.parametrize(
    ("text", "is_repeatable"),
    [
        ("mcts", False),
        ("mcts/best/iterations=50", True),
        ("montecarlo", False),
        ("montecarlo/pruning/playouts=50", True),
        ("montecarlo/pruning/playouts=50/seconds=2", False),
        ("montecarlo/knowledge", True),
        ("montecarlo/paper-pruning", True),
        ("searchbot", False),
        ("searchbot/iterations=50", True),
    ],
)
def test_a_search_is_repeatable_unless_the_clock_ends_it(text: str, is_repeatable: bool) -> None:
    tactic = make_bot(text).tactic
    assert isinstance(tactic, Searcher)
    assert tactic.is_repeatable is is_repeatable


def test_iterations_end_with_the_deadline_of_the_game() -> None:
    moments = iter(range(10_000))
    budget = Patience(iterations=5000).start(100, clock=lambda: float(next(moments)))
    assert 95 <= steps_of(budget) <= 100


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("mcts/v9", "no such variant of mcts: 'v9'"),
        ("mcts/v5/depth=99", "depth: must be from 1 to 20, not 99"),
        ("mcts/v5/seconds=0", "seconds: must be more than 0 and a time, not 0.0"),
        ("mcts/v5/iterations=0", "iterations: must be at least 1, not 0"),
        ("mcts/v5/threads=2", "threads: v5 searches with 1"),
        ("mcts/threads=0", "threads: 0 must be between 1 and 64"),
        ("mcts/v5/thinking=0.5", "thinking: v5 does not ask what pays for others"),
        ("mcts/fitted=yes", "fitted: best has order sets of its own"),
        ("mcts/thinking=2", "thinking: must be from 0 to 1, not 2.0"),
    ],
)
def test_bad_parameters_are_named(text: str, fault: str) -> None:
    with pytest.raises(BadInputError, match=fault):
        make_bot(text)
