"""The environment is PettingZoo's, its numbers are the kernel's orders, its rewards add up."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from attrs import evolve

np = pytest.importorskip("numpy", reason="the extra `learning` is not installed")
test_of_theirs = pytest.importorskip("pettingzoo.test", reason="`learning` is not installed")

from learning import DiplomacyEnvironment, GameBatch  # noqa: E402 - after the extra is there
from learning.array_game import ArrayGame  # noqa: E402 - behind the extra
from learning.words import ACCEPT, ALLIANCE, PEACE  # noqa: E402 - behind the extra
from rules.adjudicate import adjudicate  # noqa: E402 - behind the extra
from rules.errors import BadInputError  # noqa: E402 - behind the extra
from rules.kernel.encode import codec_of  # noqa: E402 - behind the extra
from rules.maps import load_map  # noqa: E402 - behind the extra
from rules.orders import Hold, Move, Unit, UnitKind  # noqa: E402 - behind the extra
from rules.places import Location  # noqa: E402 - behind the extra


@pytest.mark.parametrize("press", [False, True])
def test_pettingzoo_finds_nothing_to_complain_of(*, press: bool) -> None:
    test_of_theirs.parallel_api_test(
        DiplomacyEnvironment(last_year=1903, press=press), num_cycles=40
    )


def test_pettingzoo_finds_the_same_games_for_the_same_seeds() -> None:
    test_of_theirs.parallel_seed_test(lambda: DiplomacyEnvironment(last_year=1902), num_cycles=30)


def started(env: DiplomacyEnvironment, seed: int) -> dict[str, Any]:
    """Begin a game whose players choose by a seed as well; return what they see."""
    seen, _ = env.reset(seed=seed)
    for number, agent in enumerate(env.agents):
        env.action_space(agent).seed(seed + number)
    return seen


def sampled(env: DiplomacyEnvironment, seen: dict[str, Any]) -> dict[str, Any]:
    return {
        agent: env.action_space(agent).sample(mask=seen[agent]["action_mask"])
        for agent in env.agents
    }


@pytest.mark.parametrize("press", [False, True])
@pytest.mark.parametrize("variant", ["standard", "lagoon"])
def test_what_is_seen_lies_in_the_spaces(variant: str, *, press: bool) -> None:
    env = DiplomacyEnvironment(variant, last_year=1906, press=press)
    seen = started(env, 1)
    phases = 0
    while env.agents:
        for agent in env.agents:
            assert env.observation_space(agent).contains(seen[agent])
        seen, rewards, over, late, _ = env.step(sampled(env, seen))
        phases += 1
    # Six years have twelve movement turns, and with this seed nobody wins in the first five.
    assert phases > 10
    assert sum(rewards.values()) == pytest.approx(1)
    assert all(over[agent] or late[agent] for agent in rewards)


def test_numbers_are_the_orders_that_they_say_and_play_as_they_do() -> None:
    env = DiplomacyEnvironment(last_year=1905)
    seen, _ = env.reset()
    codec = codec_of(env.game.board)
    random = np.random.default_rng(4)
    while env.agents:
        actions, given = {}, []
        for agent in env.agents:
            action = np.zeros(env.game.slots, dtype=np.int64)
            for slot, orders in enumerate(env.orders(agent)):
                assert sum(seen[agent]["action_mask"][slot]) == len(orders)
                action[slot] = random.integers(len(orders))
                given.append(orders[action[slot]])
            actions[agent] = action
        before = codec.position(env.game.state)
        seen, *_ = env.step(actions)
        if before.dislodged or any(isinstance(order, Hold | Move) for order in given):
            wanted = adjudicate(env.game.board, before, given).position
            assert codec.position(env.game.state).units == wanted.units


def test_numbers_of_no_order_do_nothing() -> None:
    env = DiplomacyEnvironment(last_year=1901)
    env.reset()
    start = codec_of(env.game.board).position(env.game.state).units
    wild = np.full(env.game.slots, 255, dtype=np.int64)
    env.step(dict.fromkeys(env.agents, wild) | {"AUS": -wild})
    assert codec_of(env.game.board).position(env.game.state).units == start


@pytest.mark.parametrize(
    ("scores", "wanted"), [("squares", [9, 9, 9, 9, 9, 16, 9]), ("draw", [1] * 7)]
)
def test_the_end_is_worth_what_was_asked_for(scores: str, wanted: list[int]) -> None:
    env = DiplomacyEnvironment(last_year=1901, scores=scores)
    env.reset()
    still = np.zeros(env.game.slots, dtype=np.int64)
    while env.agents:
        _, rewards, over, late, _ = env.step(dict.fromkeys(env.agents, still))
    assert list(rewards.values()) == pytest.approx([each / sum(wanted) for each in wanted])
    assert all(late.values())
    assert not any(over.values())


def test_a_solo_takes_all_and_a_beaten_power_leaves() -> None:
    board = load_map()
    game = ArrayGame(board)
    germany = board.powers[2]
    own = tuple(unit for unit in board.start.units if unit.power == germany)
    game.reset(evolve(board.start, units=own, owners=dict.fromkeys(board.centers, germany)))
    for _ in range(2):
        assert not game.is_won()
        game.step(np.zeros_like(game.counts))
    assert game.is_won()
    assert game.scores("draw").tolist() == [0, 0, 1, 0, 0, 0, 0]
    env = DiplomacyEnvironment(last_year=1940)
    seen = started(env, 1)
    gone = set()
    for _ in range(400):
        if not env.agents:
            break
        seen, rewards, over, _, _ = env.step(sampled(env, seen))
        gone |= {agent for agent in over if over[agent]}
        assert gone.isdisjoint(env.agents)
        assert env.agents or sum(rewards.values()) == pytest.approx(1)


def test_proposals_are_heard_and_answered() -> None:
    env = DiplomacyEnvironment(last_year=1902, press=True)
    env.reset()
    still = np.zeros(env.game.slots, dtype=np.int64)
    aus, fra = env.possible_agents.index("AUS"), env.possible_agents.index("FRA")
    eng = env.possible_agents.index("ENG")

    def says(who: str, to: int, word: int) -> dict[str, Any]:
        words = np.zeros(len(env.possible_agents), dtype=np.int64)
        actions = {agent: {"orders": still, "words": words.copy()} for agent in env.agents}
        actions[who]["words"][to] = word
        return actions

    seen, *_ = env.step(says("FRA", aus, ACCEPT))
    assert env.press == []  # nothing was proposed
    seen, *_ = env.step(says("FRA", aus, ALLIANCE + eng))
    assert seen["AUS"]["heard"][fra] == ALLIANCE + eng
    assert "ENG" in str(env.press[0][2])
    seen, *_ = env.step(says("AUS", fra, ACCEPT))
    assert seen["FRA"]["heard"][aus] == ACCEPT
    assert [(who, to) for who, to, _ in env.press] == [("AUS", "FRA")]
    seen, *_ = env.step(says("AUS", aus, PEACE))
    assert env.press == []


def test_a_batch_plays_what_single_games_play() -> None:
    batch = GameBatch(3, last_year=1904)
    alone = ArrayGame(load_map(), last_year=1904)
    random = np.random.default_rng(7)
    ends = 0
    for _ in range(120):
        actions = batch.sample(random)
        alone.step(actions[1])
        rewards, is_over = batch.step(actions)
        if is_over[1]:
            assert rewards[1].tolist() == alone.scores("squares").tolist()
            alone.reset()
            ends += 1
        assert (batch.boards[1] == alone.observe()).all()
        assert (batch.counts[1] == alone.counts).all()
        assert tuple(batch.turns[1]) == alone.turn()
    assert ends >= 2
    assert (rewards[~is_over] == 0).all()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"scores": "centers"}, "scores: 'centers' is not one of squares, draw"),
        ({"last_year": 1890}, "last_year: 1890 is before the map's first year"),
        ({"width": 0}, "width: 0 orders are too few"),
        ({"variant": "atlantis"}, "no such variant: 'atlantis'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadInputError, match=complaint):
        DiplomacyEnvironment(**options)


@pytest.mark.parametrize("word", [-1, -5, 99])
def test_words_that_do_not_exist_are_silence(word: int) -> None:
    env = DiplomacyEnvironment("lagoon", last_year=1902, press=True)
    env.reset()
    orders, words = np.zeros(env.game.slots, dtype=np.int64), np.full(env.game.powers, word)
    env.step({agent: {"orders": orders, "words": words} for agent in env.agents})
    assert env.press == []


def test_a_position_or_an_agent_that_does_not_exist_is_named() -> None:
    env = DiplomacyEnvironment("lagoon", last_year=1902)
    with pytest.raises(BadInputError, match="position: 'S1901M' is no"):
        env.reset(options={"position": "S1901M"})
    env.reset()
    with pytest.raises(BadInputError, match="no such agent: 'FRA'; the agents are AMB, COR, PEA"):
        env.step({"FRA": np.zeros(env.game.slots, dtype=np.int64)})


def test_a_position_with_more_units_than_slots_is_refused() -> None:
    board = load_map("lagoon")
    power = board.powers[0]
    units = tuple(Unit(power, UnitKind.ARMY, Location(at)) for at in board.army_borders)
    crowded = evolve(board.start, units=units)
    game = ArrayGame(board)
    assert len(units) > game.slots
    with pytest.raises(BadInputError, match=f"position: {power} has {len(units)} units"):
        game.reset(crowded)


def test_actions_of_another_shape_are_refused() -> None:
    batch = GameBatch(2, "lagoon", last_year=1902)
    too_many: Any = np.zeros((3, *batch.counts.shape[1:]), dtype=np.int64)
    halves: Any = batch.counts * 0.5
    for wrong in (too_many, halves):
        with pytest.raises(BadInputError, match="actions: whole numbers of the shape"):
            batch.step(wrong)
    with pytest.raises(BadInputError, match="last_year: 1800 is before"):
        GameBatch(2, "lagoon", last_year=1800)


def test_nothing_else_imports_the_extra() -> None:
    code = "import sys, cli.main, matches, cli.adjudicate, bots.cli; print('numpy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "False\n"


@pytest.mark.parametrize("action", [None, [1, 2, 3], "hold", {"words": []}])
@pytest.mark.parametrize("press", [False, True])
def test_an_action_of_another_shape_is_told_in_a_sentence(action: object, *, press: bool) -> None:
    env = DiplomacyEnvironment("lagoon", press=press)
    env.reset()
    agent = env.agents[0]
    with pytest.raises(BadInputError, match=rf"^actions: {agent}: .* is not \d+ whole numbers"):
        env.step({agent: action})


@pytest.mark.parametrize("words", [None, 3, [3], "abc", [0.5, 0.5, 0.5], [0, 0, 0, 3]])
def test_words_of_another_shape_are_told_in_a_sentence(words: object) -> None:
    env = DiplomacyEnvironment("lagoon", press=True)
    env.reset()
    orders = np.zeros(env.game.slots, dtype=np.int64)
    for action in ({"orders": orders}, {"orders": orders, "words": words}):
        with pytest.raises(BadInputError, match=r"^actions: AMB: .* is not 3 whole numbers under"):
            env.step({"AMB": action})


@pytest.mark.parametrize("action", [3, [3], np.full(99, 1), 0.5])
def test_one_number_is_not_taken_for_that_of_every_slot(action: object) -> None:
    env = DiplomacyEnvironment("lagoon")
    env.reset()
    with pytest.raises(BadInputError, match=r"^actions: AMB: .* whole numbers"):
        env.step({"AMB": action})


def alike(one: object, other: object) -> bool:
    """Whether two observations show the same."""
    match one, other:
        case dict(), dict():
            return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
        case tuple(), tuple():
            return len(one) == len(other) and all(map(alike, one, other))
    return bool(np.array_equal(one, other))


def pickled(env: DiplomacyEnvironment) -> DiplomacyEnvironment:
    copy: DiplomacyEnvironment = pickle.loads(pickle.dumps(env))
    return copy


@pytest.mark.parametrize("made", [deepcopy, pickled])
@pytest.mark.parametrize("press", [False, True])
def test_a_copy_plays_on_like_the_original_and_alone(
    made: Callable[[DiplomacyEnvironment], DiplomacyEnvironment], *, press: bool
) -> None:
    env = DiplomacyEnvironment("lagoon", last_year=1903, press=press)
    seen, seasons = started(env, 1), set()
    while env.agents:
        copy = made(env)
        seasons.add(env.game.turn()[0])
        actions = sampled(env, seen)
        before = [str(copy.orders(agent)) for agent in copy.agents]
        seen, *told = env.step(actions)
        assert before == [str(copy.orders(agent)) for agent in copy.agents]
        also, *copied = copy.step(actions)
        assert alike(seen, also)
        assert told == copied
        assert env.press == copy.press
    assert len(seasons) > 2
