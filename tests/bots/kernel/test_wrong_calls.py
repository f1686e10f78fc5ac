"""No public call of the compiled kernels may end the interpreter, whoever calls what and when."""

import subprocess
import sys
from array import array

import pytest

from bots.kernel import Actions, Learner, Lessons, Network, Playouts, Regrets, SelfPlay, Subgame
from bots.kernel.habits import BY_NETWORK, CHAINED
from rules.kernel import Variations
from rules.kernel.encode import codec_of
from rules.maps import load_map

CALLS = 1500


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_call_is_answered_or_refused(seed: int) -> None:
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.bots.kernel.wrong_calls"]
    ended = subprocess.run(
        [*command, str(seed), str(CALLS)], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stderr[-2000:]


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
