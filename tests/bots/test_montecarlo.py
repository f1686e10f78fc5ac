from array import array

import pytest

from bots.kernel import Playouts
from bots.kernel.habits import DUMBBOT
from bots.registry import make_bot
from bots.search.any_orders import any_order_sets
from bots.search.flat_search import MonteCarlo
from bots.search.montecarlo import VARIANTS, montecarlo
from bots.search.pruning_tree import PruningTreeSearcher
from bots.search.scene import Scene
from bots.search.trials import Guesses, Trial, paired_t, t_quantile
from bots.view import Beliefs, GameView
from rules.errors import BadInputError
from rules.kernel.encode import codec_of
from rules.legality import judge_order
from rules.maps import load_map
from rules.notation import format_order, parse_order
from rules.orders import Move, Order, OrderNote
from tests.bots.positions import BOARD, view


def trial(*scores: float) -> Trial:
    made = Trial(())
    made.scores = array("d", scores)
    return made


SEARCHING = [variant for variant in VARIANTS if variant != "knowledge"]


@pytest.mark.parametrize("variant", SEARCHING)
def test_every_unit_gets_one_legal_order(variant: str) -> None:
    for power in BOARD.powers:
        seen = view(power.name)
        orders = montecarlo(variant, iterations=400).choose_orders(seen)
        assert len(orders) == len(seen.units)
        for order in orders:
            assert judge_order(BOARD, BOARD.start, order, power) is OrderNote.MIGHT_BE_VALID


@pytest.mark.parametrize("variant", SEARCHING)
@pytest.mark.parametrize("name", ["lagoon", "fourwinds"])
def test_other_maps_are_played_too(variant: str, name: str) -> None:
    board = load_map(name)
    for power in board.powers:
        seen = GameView(board=board, power=power, position=board.start)
        orders = montecarlo(variant, playouts=3).choose_orders(seen)
        assert len(orders) == len(seen.units)


@pytest.mark.parametrize("variant", SEARCHING)
def test_with_playouts_and_a_seed_it_plays_alike(variant: str) -> None:
    def orders(seed: int) -> list[Order]:
        return list(montecarlo(variant, playouts=10).choose_orders(view("RUS", seed=seed)))

    assert orders(4) == orders(4)


@pytest.mark.parametrize("variant", SEARCHING)
def test_beliefs_are_respected(variant: str) -> None:
    promised = parse_order(BOARD, BOARD.start, BOARD.power("FRA"), "A PAR H")
    beliefs = Beliefs(promised=(promised,), closed=frozenset({BOARD.province("SPA")}))
    for seed in range(5):
        orders = montecarlo(variant, playouts=4).choose_orders(view(seed=seed, beliefs=beliefs))
        assert promised in orders
        goals = [order.destination.province.name for order in orders if isinstance(order, Move)]
        assert "SPA" not in goals


def test_the_papers_player_knows_nothing() -> None:
    """Any legal order may come: with one candidate and no playout it is what is drawn."""
    seen = set()
    for seed in range(60):
        tactic = montecarlo("paper", playouts=0, candidates=1)
        seen |= {format_order(order) for order in tactic.choose_orders(view("TUR", seed=seed))}
    assert {"A CON S F ANK", "A SMY - SYR", "A CON - SMY", "F ANK H"} <= seen


def test_the_pruning_tree_goes_on_until_one_order_set_is_left() -> None:
    tactic = montecarlo("paper-pruning", candidates=3)
    assert isinstance(tactic, PruningTreeSearcher)
    tactic.choose_orders(view("TUR", seed=2))
    assert tactic.pruned >= 2


def test_a_promise_holds_for_the_first_turn_of_the_tree_only() -> None:
    promised = parse_order(BOARD, BOARD.start, BOARD.power("TUR"), "A CON H")
    seen = view("TUR", beliefs=Beliefs(promised=(promised,)))
    scene = Scene(seen, Playouts(codec_of(BOARD).new_simulator()))
    code = codec_of(BOARD).code(promised)
    assert all(code in orders for orders in any_order_sets(scene, 20, scene.promised))
    assert not all(code in orders for orders in any_order_sets(scene, 20))


def test_t_is_that_of_a_paired_test() -> None:
    # Differences 1, 2, 3: mean 2, variance 1, so t = 2 / sqrt(1 / 3).
    assert paired_t(trial(2, 4, 6), trial(1, 2, 3)) == pytest.approx(3.4641, abs=1e-4)
    assert paired_t(trial(1, 2, 3), trial(2, 4, 6)) == pytest.approx(-3.4641, abs=1e-4)
    assert paired_t(trial(1, 2), trial(1, 2, 9)) == 0
    assert paired_t(trial(2, 3), trial(1, 2)) == float("inf")


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(9, 1.833), (19, 1.729), (29, 1.699), (59, 1.671)]
)
def test_quantiles_are_those_of_the_tables(degrees: int, quantile: float) -> None:
    assert t_quantile(1.645, degrees) == pytest.approx(quantile, abs=0.005)


def test_every_order_set_meets_the_same_guesses() -> None:
    codec = codec_of(BOARD)
    game = Playouts(codec.new_simulator())
    codec.load(BOARD.start, game.state)
    root = game.save()
    game.value(DUMBBOT)
    game.aim(root, 2, 0)
    guesses = Guesses(lambda: [code for power in range(1, 7) for code in game.sample(power)], 5)
    orders = tuple(game.sample(0))
    guesses.draw(12)
    first, second = Trial(orders), Trial(orders)
    guesses.extend(first, 12, game)
    for count in (5, 6, 12):
        guesses.extend(second, count, game)
    assert list(first.scores) == list(second.scores)
    assert len(set(first.scores)) > 1


def test_pruning_drops_order_sets_and_saves_playouts() -> None:
    def phases(variant: str) -> tuple[int, int]:
        tactic = montecarlo(variant, playouts=64)
        assert isinstance(tactic, MonteCarlo)
        tactic.choose_orders(view("FRA"))
        return tactic.pruned, tactic._stage.playouts(BOARD).phases

    pruned, with_pruning = phases("pruning")
    assert pruned > 0
    none, without = phases("plain")
    assert none == 0
    assert with_pruning < without / 2


def test_knowledge_simulates_nothing() -> None:
    tactic = montecarlo("knowledge")
    assert isinstance(tactic, MonteCarlo)
    tactic.choose_orders(view())
    assert tactic._stage.playouts(BOARD).phases == 0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("montecarlo/fancy", "no such variant of montecarlo: 'fancy'"),
        ("montecarlo/candidates=0", "candidates: must be from 1 to 100,000, not 0"),
        ("montecarlo/playouts=-1", "playouts: must be at least 0, not -1"),
        ("montecarlo/knowledge/playouts=4", "playouts: knowledge plays nothing on"),
        ("montecarlo/knowledge/depth=3", "depth: knowledge plays nothing on"),
        ("montecarlo/knowledge/iterations=3", "iterations: knowledge plays nothing on"),
        ("montecarlo/paper/playouts=0/depth=3", "depth: with playouts=0 nothing is played on"),
        ("montecarlo/plain/playouts=0/iterations=9", "iterations: with playouts=0 nothing"),
        ("montecarlo/random=yes", "no such parameter: 'random'"),
        ("montecarlo/depth=50", "depth: must be from 0 to 20, not 50"),
    ],
)
def test_bad_parameters_are_named(text: str, fault: str) -> None:
    with pytest.raises(BadInputError, match=fault):
        make_bot(text)
