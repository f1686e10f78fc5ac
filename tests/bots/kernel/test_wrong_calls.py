"""No public call of the compiled kernels may end the interpreter, whoever calls what and when."""

import subprocess
import sys
from array import array

import pytest

from bots.kernel import Actions, Playouts
from bots.kernel.habits import CHAINED
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
