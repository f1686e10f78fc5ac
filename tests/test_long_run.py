"""How a command that runs for long ends."""

import asyncio
import json
import os
import signal

import pytest

from tests.long_run import INTERRUPTED, conclude
from tests.server.soak import Tally, summary


@pytest.mark.parametrize("is_good", [True, False])
def test_the_exit_code_tells_whether_all_was_well(
    capsys: pytest.CaptureFixture[str], is_good: bool
) -> None:
    assert conclude(lambda: {"ok": is_good}, dict) == (0 if is_good else 1)
    assert json.loads(capsys.readouterr().out) == {"ok": is_good}


def test_ctrl_c_tells_what_was_seen_so_far(capsys: pytest.CaptureFixture[str]) -> None:
    seen: dict[str, object] = {"games": 0}

    async def play() -> dict[str, object]:
        seen["games"] = 3
        asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGINT)
        await asyncio.sleep(60)
        return {"ok": True}

    assert conclude(lambda: asyncio.run(play()), lambda: seen) == INTERRUPTED
    told = json.loads(capsys.readouterr().out)
    assert told == {"ok": False, "interrupted": True, "games": 3}


GOOD: dict[str, object] = {"code": 0, "tracebacks": 0, "orphans": 0, "recorded": 3}


@pytest.mark.parametrize(
    ("games", "left", "is_good"),
    [
        (3, GOOD, True),
        (0, GOOD, False),
        (4, GOOD, False),
        (3, GOOD | {"code": 1}, False),
        (3, GOOD | {"tracebacks": 1}, False),
        (3, GOOD | {"orphans": 1}, False),
    ],
)
def test_a_soak_is_good_if_games_were_played_and_recorded_and_the_server_ended_well(
    games: int, left: dict[str, object], is_good: bool
) -> None:
    tally = Tally(games=games, memory=[1] * 20, files=[1])
    assert summary(tally, left)["ok"] is is_good
