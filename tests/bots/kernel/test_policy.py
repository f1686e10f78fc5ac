"""A learned policy: sets that fit together, promises kept, and learning that makes likelier."""

from array import array

import pytest

from bots.kernel import (
    Examples,
    Habitual,
    Imitator,
    Lessons,
    Playouts,
    Policy,
    SelfPlay,
    Subgame,
)
from bots.kernel.examples import Examples as PlainExamples
from bots.kernel.habits import BY_NETWORK, DUMBBOT
from bots.kernel.imitation import Imitator as PlainImitator
from bots.kernel.lessons import Lessons as PlainLessons
from bots.kernel.network import Network as PlainNetwork
from bots.kernel.playouts import Playouts as PlainPlayouts
from bots.kernel.policy import Policy as PlainPolicy
from bots.kernel.selfplay import SelfPlay as PlainSelfPlay
from bots.kernel.subgame import Subgame as PlainSubgame
from bots.searchbot.candidates import is_coordinated
from bots.searchbot.policy_file import SHIPPED as SHIPPED_POLICY
from bots.searchbot.policy_file import policy_for
from bots.searchbot.value import SHIPPED, judge_for, read_weights
from rules.kernel import Variations
from rules.kernel.codes import (
    CONVOY,
    HOLD,
    MOVE,
    MOVE_BY_CONVOY,
    SPRING,
    kind_of,
    mover_of,
    other_of,
    pack,
    target_of,
)
from rules.kernel.encode import codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.kernel.variations import Variations as PlainVariations
from rules.maps import load_map
from rules.places import Location

BOARD = load_map()
CODEC = codec_of(BOARD)
TABLES = CODEC.tables


def a_game(movements: int = 0) -> Playouts:
    """Return playouts some turns after the opening, with values."""
    game = Playouts(CODEC.new_simulator())
    CODEC.load(BOARD.start, game.state)
    game.state.seed(5)
    game.run(movements)
    game.settle_turn()
    game.value(DUMBBOT)
    return game


def examples_of(game: Playouts, policy: Policy, games: int) -> Examples:
    _, network = judge_for(game, BOARD, BY_NETWORK, SHIPPED)
    examples = Examples(Subgame(game, network, Variations(CODEC.new_simulator()), 12), policy, 200)
    examples.set_up(4, 2, 4, 4, 10)
    for number in range(games):
        examples.play(number, 1905)
    return examples


def index(name: str) -> int:
    return CODEC.province_index[BOARD.province(name)]


def test_order_sets_are_legal_and_fit_together_whatever_the_weights() -> None:
    game = a_game(8)
    policy = Policy(game, 2)
    policy.load([(7 * number) % 301 - 150 for number in range(policy.weight_count)])
    legal = {place: set(game.state.legal(place)) for place in range(game.provinces)}
    seen = set()
    for power in range(game.powers):
        policy.enter(power)
        for _ in range(200):
            orders = policy.sample()
            assert is_coordinated(tuple(orders), TABLES)
            goals = [
                TABLES.province_of[target_of(code)]
                for code in orders
                if kind_of(code) in {MOVE, MOVE_BY_CONVOY}
            ]
            assert len(set(goals)) == len(goals)
            for code in orders:
                seen.add(kind_of(code))
                assert code in legal[TABLES.mover_province[mover_of(code)]]
    assert len(seen) >= 5


def test_an_army_is_carried_by_a_fleet_that_carries_it() -> None:
    game = a_game()
    england = CODEC.power_index[BOARD.power("ENG")]
    game.state.clear()
    game.state.set_turn(SPRING, 1901)
    game.state.place_unit(index("YOR"), england)
    at_sea = CODEC.location_index[Location(BOARD.province("NTH"))]
    game.state.place_unit(game.provinces + at_sea, england)
    game.value(DUMBBOT)
    policy = Policy(game, 0)
    policy.enter(england)
    landings = set()
    for _ in range(300):
        orders = policy.sample()
        armies = {mover_of(code) for code in orders if kind_of(code) == MOVE_BY_CONVOY}
        assert armies == {other_of(code) for code in orders if kind_of(code) == CONVOY}
        landings |= {target_of(code) for code in orders if kind_of(code) == MOVE_BY_CONVOY}
    assert {index("NWY"), index("BEL"), index("DEN"), index("HOL")} <= landings


def test_promised_orders_are_in_every_set() -> None:
    game = a_game()
    france = CODEC.power_index[BOARD.power("FRA")]
    hold = pack(HOLD, index("PAR"))
    game.fix(hold)
    game.close(index("BUR"), france)
    policy = Policy(game, 2)
    policy.enter(france)
    for _ in range(100):
        orders = policy.sample()
        assert hold in orders
        assert index("BUR") not in {target_of(code) for code in orders if kind_of(code) == MOVE}


def test_what_was_studied_becomes_likely() -> None:
    game = a_game()
    policy = Policy(game, 4)
    examples = examples_of(game, policy, 3)
    learner = Imitator(policy, 1)
    order = array("i", range(examples.count))
    found = []
    for _ in range(6):
        learner.forget_loss()
        learner.go_through(examples, order, 0, len(order), 1)
        found.append(learner.loss / learner.decisions)
    assert found[-1] < 0.7 * found[0]
    assert learner.hits > 0.6 * learner.decisions
    assert learner.strange < 0.02 * learner.decisions


def test_a_measurement_changes_nothing() -> None:
    game = a_game()
    policy = Policy(game, 4)
    examples = examples_of(game, policy, 1)
    learner = Imitator(policy, 1)
    before = learner.rounded()
    learner.go_through(examples, array("i", range(examples.count)), 0, examples.count, 0)
    assert learner.rounded() == before
    assert learner.decisions > 100


def test_lower_temperature_draws_what_is_likely_more_often() -> None:
    game = a_game()
    policy = Policy(game, 2)
    policy.load([(13 * number) % 2001 - 1000 for number in range(policy.weight_count)])
    kinds = []
    for heat in (0.2, 1.0, 5.0):
        policy.enter(1)
        policy.heat = heat
        kinds.append(len({tuple(policy.sample()) for _ in range(300)}))
    assert kinds[0] < kinds[1] < kinds[2]


def test_plain_and_compiled_draw_alike() -> None:
    found = []
    for make, playouts, simulator in (
        (Policy, Playouts, CODEC.new_simulator()),
        (PlainPolicy, PlainPlayouts, PlainSimulator(TABLES)),
    ):
        game = playouts(simulator)
        CODEC.load(BOARD.start, simulator)
        simulator.seed(5)
        game.run(6)
        game.settle_turn()
        game.value(DUMBBOT)
        policy = make(game, 3)
        policy.load([(7 * number) % 601 - 300 for number in range(policy.weight_count)])
        rows = []
        for power in range(7):
            policy.enter(power)
            rows.append([policy.sample() for _ in range(5)])
        found.append(rows)
    assert found[0] == found[1]


def test_plain_and_compiled_learn_alike() -> None:
    weights = read_weights(SHIPPED)
    plain_simulator = PlainSimulator(TABLES)
    CODEC.load(BOARD.start, plain_simulator)
    plain = PlainPlayouts(plain_simulator)
    network = PlainNetwork(plain, weights.hidden)
    network.load(weights.numbers)
    policy = PlainPolicy(plain, 2)
    examples = PlainExamples(
        PlainSubgame(plain, network, PlainVariations(PlainSimulator(TABLES)), 6), policy, 40
    )
    compiled_game = a_game()
    _, judge = judge_for(compiled_game, BOARD, BY_NETWORK, SHIPPED)
    twin = Policy(compiled_game, 2)
    others = Examples(Subgame(compiled_game, judge, Variations(CODEC.new_simulator()), 6), twin, 40)
    rows = []
    for each, makes, its in ((examples, PlainImitator, policy), (others, Imitator, twin)):
        learner = makes(its, 3)
        each.set_up(2, 1, 2, 2, 10)
        each.play(1, 1901)
        each.show(each.count - 1)
        rows.append([each.orders_of(each.count - 1, power) for power in range(7)])
        learner.go_through(each, array("i", range(each.count)), 0, each.count, 0)
        assert learner.decisions > 20
    assert rows[0] == rows[1]
    games = []
    for subgame, its, keeps, source_of in (
        (examples.subgame, policy, PlainLessons, PlainSelfPlay),
        (others.subgame, twin, Lessons, SelfPlay),
    ):
        CODEC.load(BOARD.start, subgame.state)
        lessons = keeps(subgame.game, 40, 0.85)
        source = source_of(subgame, lessons)
        source.set_up(2, 2, 20)
        source.ask(its, 2, 40, (0.5, 1.0))
        source.play(4, 1902)
        games.append(list(lessons.targets[: lessons.count * 7]))
    assert games[0] == games[1]


def test_games_by_a_policy_are_lessons_for_a_value() -> None:
    game = a_game()
    policy = policy_for(game, BOARD, SHIPPED_POLICY)
    assert policy is not None
    CODEC.load(BOARD.start, game.state)
    lessons = Lessons(game, 200, 0.85)
    habitual = Habitual(policy, lessons)
    habitual.set_up(20, (0.6, 1.0, 1.0, 1.5))
    habitual.play(1, 1904)
    assert lessons.count >= 8
    assert sum(lessons.targets[:7]) == pytest.approx(1)
    before = list(lessons.positions[: lessons.count * lessons.width])
    lessons.clear()
    habitual.play(1, 1904)
    assert list(lessons.positions[: lessons.count * lessons.width]) == before
    lessons.clear()
    habitual.set_up(20, (0.1,))
    habitual.play(1, 1904)
    assert list(lessons.positions[: lessons.count * lessons.width]) != before


@pytest.mark.parametrize(
    ("heats", "complaint"),
    [((), "0 temperatures"), ((1.0,) * 65, "65 temperatures"), ((1.0, 0.0), "a temperature of 0")],
)
def test_temperatures_at_which_nothing_can_be_drawn_are_refused(
    heats: tuple[float, ...], complaint: str
) -> None:
    game = a_game()
    policy, lessons = Policy(game, 0), Lessons(game, 10, 0.85)
    subgame = examples_of(game, policy, 0).subgame
    with pytest.raises(ValueError, match=complaint):
        Habitual(policy, lessons).set_up(20, heats)
    with pytest.raises(ValueError, match=complaint):
        SelfPlay(subgame, lessons).ask(policy, 2, 20, heats)


def test_a_policy_proposes_and_plays_in_games_with_search() -> None:
    game = a_game()
    policy = policy_for(game, BOARD, SHIPPED_POLICY)
    assert policy is not None
    subgame = examples_of(game, policy, 0).subgame
    found = []
    for proposed, drawing in ((0, 0), (4, 0), (0, 100), (4, 30), (4, 30)):
        CODEC.load(BOARD.start, game.state)
        lessons = Lessons(game, 200, 0.85)
        source = SelfPlay(subgame, lessons)
        source.set_up(3, 4, 20)
        source.ask(policy, proposed, drawing, (0.5, 1.0))
        source.play(7, 1903)
        assert sum(lessons.targets[:7]) == pytest.approx(1)
        found.append(tuple(lessons.targets[: lessons.count * 7]))
    assert len(set(found)) == 4
    assert found[3] == found[4]


def test_a_policy_that_cannot_be_asked_is_refused() -> None:
    game, other = a_game(), a_game()
    policy, lessons = Policy(game, 0), Lessons(game, 10, 0.85)
    source = SelfPlay(examples_of(game, policy, 0).subgame, lessons)
    source.set_up(5, 4, 20)
    with pytest.raises(ValueError, match="of another game"):
        source.ask(Policy(other, 0), 2, 20, (1.0,))
    with pytest.raises(ValueError, match="no room for 8 more"):
        source.ask(policy, 8, 20, (1.0,))
    source.ask(policy, 7, 20, (1.0,))


def test_wrong_numbers_are_refused() -> None:
    game = a_game()
    policy = Policy(game, 1)
    with pytest.raises(ValueError, match="weights, not"):
        policy.load([0])
    with pytest.raises(IndexError, match="power"):
        policy.enter(7)
    examples = examples_of(game, policy, 0)
    with pytest.raises(ValueError, match="room"):
        examples.set_up(10, 10, 10, 1, 0)
    with pytest.raises(ValueError, match="no example"):
        Imitator(policy, 1).go_through(examples, array("i", [0]), 0, 1, 0)
