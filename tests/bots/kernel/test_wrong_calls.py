"""No public call of the compiled kernels may end the interpreter, whoever calls what and when."""

import subprocess
import sys
from array import array

import pytest

import bots.kernel
from bots.kernel import (
    Actions,
    Examples,
    Habitual,
    Imitator,
    Learner,
    Lessons,
    Network,
    Playouts,
    Policy,
    Prospects,
    Regrets,
    SelfPlay,
    Subgame,
)
from bots.kernel.habits import BY_NETWORK, CHAINED
from rules.kernel import Variations
from rules.kernel.encode import codec_of
from rules.maps import load_map
from tests.bots.kernel.wrong_calls import Caller

CALLS = 1500


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_call_is_answered_or_refused(seed: int) -> None:
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.bots.kernel.wrong_calls"]
    ended = subprocess.run(
        [*command, str(seed), str(CALLS)], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stderr[-2000:]


def test_every_class_of_the_kernels_is_called() -> None:
    called = {type(each).__name__ for each in Caller(1).targets}
    assert {*bots.kernel.__all__, "Simulator", "Variations"} <= called


def test_what_is_refused_is_said() -> None:
    codec = codec_of(load_map())
    game = Playouts(codec.new_simulator())
    codec.load(codec.board.start, game.state)
    saved = game.save()
    saved[0] = 500
    with pytest.raises(ValueError, match="these numbers are no position of this map"):
        game.restore(saved)
    with pytest.raises(IndexError, match="there is no power 7, only 7"):
        game.share(7)
    with pytest.raises(ValueError, match="call `aim` first"):
        game.weigh(array("q"), array("q"), array("i", [0]), 1, array("d"))
    with pytest.raises(ValueError, match="policy 7 is none that needs no values"):
        game.predict(0, 7)
    with pytest.raises(ValueError, match="0 order sets cannot be listed"):
        Actions(game).list_actions(0, 0, 0, CHAINED)


def test_a_search_refuses_what_is_not_there() -> None:
    codec = codec_of(load_map("lagoon"))
    game = Playouts(codec.new_simulator())
    codec.load(codec.board.start, game.state)
    subgame = Subgame(game, Network(game, 4), Variations(codec.new_simulator()), 3)
    with pytest.raises(ValueError, match="there is no position; call `enter` first"):
        subgame.run(1)
    subgame.enter(game.save(), BY_NETWORK, 0, 1)
    with pytest.raises(ValueError, match="is no movement order of this map"):
        subgame.add(0, [(1 << 40) - 1] * subgame.unit_counts[0], 1.0)
    with pytest.raises(IndexError, match="power 0 has no candidate 0"):
        subgame.candidate(0, 0)
    with pytest.raises(ValueError, match="power 1 has no candidate 2"):
        subgame.worth_of([0, 2, 0])
    with pytest.raises(ValueError, match="there is no room for 5 guesses in 7 numbers"):
        subgame.guess(0.5, array("i", [0] * 7), 5)
    with pytest.raises(ValueError, match="a movement turn is not settled"):
        subgame.settle(0, [])


def test_regrets_refuse_players_and_actions_that_are_not_there() -> None:
    regrets = Regrets(1, 2)
    with pytest.raises(ValueError, match="there is no room for 3 actions"):
        regrets.start([3])
    regrets.start([2])
    with pytest.raises(ValueError, match="there is room for 2 actions only"):
        regrets.add(0)
    with pytest.raises(IndexError, match="there is no player 1, only 1"):
        regrets.learn(1)
    with pytest.raises(ValueError, match="3 worths of 2 actions at most"):
        regrets.set_worths(0, [0.0] * 3)


def test_lessons_refuse_what_is_not_there() -> None:
    codec = codec_of(load_map("lagoon"))
    game, other = Playouts(codec.new_simulator()), Playouts(codec.new_simulator())
    codec.load(codec.board.start, game.state)
    codec.load(codec.board.start, other.state)
    network, lessons = Network(game, 4), Lessons(game, 5, 0.5)
    learner = Learner(network, 1)
    with pytest.raises(IndexError, match="there is no lesson 0, only 0"):
        lessons.show(0)
    with pytest.raises(IndexError, match="there is no lesson 3, only 0"):
        learner.go_through(lessons, array("i", [3]), 0, 1, 1)
    with pytest.raises(ValueError, match="an order of 1 has no part from 0 to 2"):
        learner.go_through(lessons, array("i", [0]), 0, 2, 1)
    with pytest.raises(ValueError, match="of another game"):
        learner.go_through(Lessons(other, 5, 0.5), array("i"), 0, 0, 1)
    with pytest.raises(ValueError, match="a game to 9999 has more than 200 years"):
        lessons.play(1, 9999)
    with pytest.raises(ValueError, match="0 and 0 weights, not"):
        learner.take(array("f"), array("f"))
    judged = Variations(codec.new_simulator())
    source = SelfPlay(Subgame(game, network, judged, 3), lessons)
    with pytest.raises(ValueError, match="call `set_up` first"):
        source.play(1, 1901)
    with pytest.raises(ValueError, match="there is room for 1 to 3, not for 4"):
        source.set_up(4, 1, 0)


def test_a_policy_is_learned_in_games_of_its_own_only() -> None:
    game, other = (started("lagoon") for _ in range(2))
    policy, theirs = Policy(game, 2), Policy(other, 2)
    subgame = subgame_of(game)
    with pytest.raises(ValueError, match="this policy is of another game"):
        Examples(subgame, theirs, 3)
    with pytest.raises(ValueError, match="these lessons are of another game"):
        Habitual(policy, Lessons(other, 3, 0.5))
    examples, learner = Examples(subgame, policy, 3), Imitator(policy, 1)
    with pytest.raises(ValueError, match="these examples are of another game"):
        Imitator(theirs, 1).go_through(examples, array("i"), 0, 0, 1)
    with pytest.raises(ValueError, match="these examples are of another game"):
        learner.go_through(None, array("i"), 0, 0, 1)  # type: ignore[arg-type]  # to be refused
    with pytest.raises(ValueError, match="0 and 1 weights, not"):
        learner.take(array("f"), array("f", [1]))
    with pytest.raises(ValueError, match="there cannot be 1025 hidden numbers, only 0 to 1024"):
        Policy(game, 1025)
    with pytest.raises(ValueError, match="a game to 9999 has more than 200 years"):
        Habitual(policy, Lessons(game, 3, 0.5)).play(1, 9999)


def test_examples_refuse_what_is_not_there() -> None:
    game = started("lagoon")
    examples = Examples(subgame_of(game), Policy(game, 1), 3)
    with pytest.raises(ValueError, match="there must be candidates"):
        examples.set_up(0, 1, 1, 1, 0)
    with pytest.raises(ValueError, match=f"there is room for 1 to 3, not for {3 * 2**30}"):
        examples.set_up(2**30, 2**30, 2**30, 1, 0)
    with pytest.raises(ValueError, match="2097152 iterations are none or too many"):
        examples.set_up(1, 1, 1, 1 << 21, 0)
    with pytest.raises(ValueError, match="call `set_up` first"):
        examples.play(1, 1901)
    with pytest.raises(IndexError, match="there is no example 5, only 0"):
        examples.orders_of(5, 0)
    with pytest.raises(IndexError, match="there is no power 9"):
        examples.orders_of(0, 9)


def test_candidates_are_judged_where_they_can_be() -> None:
    game, other = started("lagoon"), started("lagoon")
    elsewhere = Variations(codec_of(load_map()).new_simulator())
    for judged in (Variations(game.state), elsewhere):
        with pytest.raises(ValueError, match="on a simulator of their own, of the same map"):
            Prospects(game, judged)
        with pytest.raises(ValueError, match="on a simulator of their own, of the same map"):
            Subgame(game, Network(game, 2), judged, 3)
    own = Variations(codec_of(load_map("lagoon")).new_simulator())
    with pytest.raises(ValueError, match="this network is of another game"):
        Subgame(game, Network(other, 2), own, 3)
    with pytest.raises(AttributeError):
        Prospects(game, None)  # type: ignore[arg-type]  # to be refused
    with pytest.raises(AttributeError):
        Subgame(game, None, own, 3)  # type: ignore[arg-type]  # to be refused


def started(variant: str) -> Playouts:
    codec = codec_of(load_map(variant))
    game = Playouts(codec.new_simulator())
    codec.load(codec.board.start, game.state)
    return game


def subgame_of(game: Playouts) -> Subgame:
    judged = Variations(codec_of(load_map("lagoon")).new_simulator())
    return Subgame(game, Network(game, 2), judged, 3)
