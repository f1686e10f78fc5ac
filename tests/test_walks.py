"""The walks of docs/architecture.md are walked: every step is called, and in the order told."""

import asyncio
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from bots.banker.banker import banker
from bots.runner import Seating, play
from cli.main import main
from server.reporter import Reporter
from tests.server.hosting import (
    BOARD,
    Hosted,
    RawPeer,
    becomes,
    hold_all,
    hosting,
    submit_text,
    with_settings,
)
from tests.test_architecture import WALKS
from tests.tournament.playing import jobs
from tournament.play_job import play_game

SPEC = """
name = "walk"
games = 1
last_year = 1901
balance = false

[[fields]]
players = { holdbot = 7 }
"""


class Walked:
    """Which functions of a walk were called, in their order, each as often as it was."""

    def __init__(self, steps: list[str]) -> None:
        self.calls: list[str] = []
        self._steps: dict[str, list[tuple[str, type | None]]] = {}
        for step in steps:
            owner = pkgutil.resolve_name(step.rpartition(".")[0])
            known = self._steps.setdefault(step.rpartition(".")[2], [])
            known.append((step, owner if isinstance(owner, type) else None))

    def notice(self, frame: FrameType, event: str, _: object) -> None:
        """Be told by the interpreter of a call; a method of a subclass counts as its parent's."""
        code = frame.f_code
        if event != "call" or code.co_name not in self._steps:
            return
        for step, owner in self._steps[code.co_name]:
            if _is_method_of(owner, frame) if owner else _is_function(step, code, frame):
                self.calls.append(step)

    def reached(self, steps: list[str]) -> list[str]:
        """Return how far the calls go through the steps in their order."""
        left = iter(self.calls)
        found = []
        for step in steps:
            if step not in left:
                break
            found.append(step)
        return found


def _is_method_of(owner: type, frame: FrameType) -> bool:
    first = next((frame.f_locals.get(name) for name in frame.f_code.co_varnames[:1]), None)
    return isinstance(first, owner) or (isinstance(first, type) and issubclass(first, owner))


def _is_function(step: str, code: CodeType, frame: FrameType) -> bool:
    return step == f"{frame.f_globals.get('__name__')}.{code.co_qualname}"


@contextmanager
def watching(steps: list[str]) -> Iterator[Walked]:
    walked = Walked(steps)
    before: Callable[..., Any] | None = sys.getprofile()
    sys.setprofile(walked.notice)
    try:
        yield walked
    finally:
        sys.setprofile(before)


async def joined(hosted: Hosted, count: int) -> list[RawPeer]:
    peers = [await hosted.peer() for _ in range(count)]
    for peer in peers:
        await peer.join()
    return peers


async def seated(hosted: Hosted) -> dict[str, RawPeer]:
    """Seat seven, and return them by the powers that they were given, each with its NOW."""
    peers = await joined(hosted, 7)
    found = {}
    for peer in peers:
        found[(await peer.until("HLO"))[6:9]] = peer
        await peer.until("NOW")
    return found


async def test_one_snd_takes_the_way_that_is_told() -> None:
    steps = WALKS["one SND from socket to socket"]
    async with hosting(with_settings(level=20)) as hosted:
        hosted.host.add_observer(Reporter("standard", lambda _: None))
        peers = await seated(hosted)
        with watching(steps) as walked:
            peers["FRA"].say("SND ( ENG ) ( PRP ( PCE ( FRA ENG ) ) )")
            await peers["ENG"].until("FRM")
            await asyncio.sleep(0)
    assert walked.reached(steps) == steps


async def test_one_sub_takes_the_way_that_is_told() -> None:
    steps = WALKS["one SUB from socket to socket"]
    async with hosting(with_settings(level=0)) as hosted:
        peers = await seated(hosted)
        *others, last = peers
        for name in others:
            orders = hold_all(BOARD.start, BOARD.power(name))
            peers[name].say(submit_text("SPR 1901", orders))
            for _ in orders:
                await peers[name].until("THX")
        with watching(steps) as walked:
            peers[last].say(submit_text("SPR 1901", hold_all(BOARD.start, BOARD.power(last))))
            await peers[others[0]].until("NOW")
    assert walked.reached(steps) == steps


async def test_a_bots_turn_takes_the_way_that_is_told() -> None:
    steps = WALKS["a bot's turn"]
    async with hosting(with_settings(level=20)) as hosted:
        others = await joined(hosted, 6)
        with watching(steps) as walked:
            # Nobody else orders anything, so that the first turn is the only one.
            bot = asyncio.create_task(play(banker(), Seating(port=hosted.port, name="Banker")))
            await others[0].until("NOW")
            book = hosted.host.rooms[0].game.book
            await becomes(lambda: any(map(book.is_complete, BOARD.powers)) or bot.done())
        bot.cancel()
        await asyncio.wait([bot])
    assert walked.reached(steps) == steps


def test_a_tournaments_job_takes_the_way_that_is_told(tmp_path: Path) -> None:
    steps = WALKS["a tournament's job"]
    # What a worker does, it does in a process of its own, and in this one for us.
    begin, end = steps.index("tournament.worker.main"), steps.index("tournament.play_job.result_of")
    ours, theirs = steps[:begin] + steps[end + 1 :], steps[begin + 1 : end + 1]
    spec = tmp_path / "walk.toml"
    spec.write_text(SPEC)
    with watching(ours) as walked:
        assert (
            main(["tournament", "run", str(spec), "--out", str(tmp_path / "out"), "--jobs", "1"])
            == 0
        )
    assert walked.reached(ours) == ours
    with watching(theirs) as walked:
        play_game(jobs(SPEC)[0])
    assert walked.reached(theirs) == theirs
