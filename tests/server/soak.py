"""Play many games at once for a long time: `python -m tests.server.soak --minutes 60 --games 10`.

Real connections to a real server with a store. Clients vanish in the middle of turns and come back,
whole games are abandoned. Memory and descriptors of the server, the games that ended and those that
are stuck are told on the way; the summary says whether memory stayed flat (the mean of the last
tenth against that of the second tenth, when everything has warmed up), whether any game was stuck,
and whether anything was left behind. Exit code 1 if not.
"""

import argparse
import asyncio
import sys
import tempfile
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from statistics import mean
from time import monotonic
from typing import cast

from attrs import Factory, define

from tests.long_run import call_off, conclude
from tests.server.hosting import Player, RawPeer, wander
from tests.server.processes import children_of, files_of, memory_of
from tests.server.serving import Server

STUCK_AFTER = 60.0
"""Seconds without a new turn at a table; the longest limit of a turn is 20."""
MISSED_AFTER = 8.0
FLAT = 1.10
LEFT_OVER = 6
"""So many places of a game that forms may wait for players when nobody else comes."""


@define
class Tally:
    """What has happened so far."""

    games: int = 0
    abandoned: int = 0
    vanished: int = 0
    returned: int = 0
    missed: int = 0
    """Players that were away when their game ended."""
    stuck: int = 0
    memory: list[int] = Factory(list)
    files: list[int] = Factory(list)


class RestlessPeer(RawPeer):
    """A connection that breaks off after some messages."""

    patience = 10**9

    async def hear(self) -> str:
        self.patience -= 1
        if self.patience < 0:
            self.vanish()
            raise ConnectionResetError
        return await super().hear()


class Table:
    """Seven players that play game after game."""

    def __init__(self, number: int, server: Server, tally: Tally, until: float) -> None:
        self._chance = Random(number)
        self._number = number
        self._server = server
        self._tally = tally
        self._until = until

    async def run(self) -> None:
        """Play until the time is up.

        Names are used once: who has the name of somebody that is missed in a game is taken for him.
        """
        begun = 0
        while monotonic() < self._until:
            begun += 1
            if self._chance.random() < 0.05:
                await self._abandon()
            players = [Player(f"P{self._number}-{begun}-{seat}", wander) for seat in range(7)]
            if await self._play_together(players):
                self._tally.games += 1
            else:
                self._tally.stuck += 1
                stand = "; ".join(f"{each.name} {each.power} {each.turn}" for each in players)
                sys.stderr.write(f"stuck: {stand}\n")

    async def _play_together(self, players: list[Player]) -> bool:
        """Let a table play to the end of its game; False if it does not go on."""
        playing = asyncio.gather(*map(self._play, players))
        known, since = "", monotonic()
        while not playing.done() and monotonic() - since < STUCK_AFTER:
            try:
                await asyncio.wait([playing], timeout=1)
            except asyncio.CancelledError:
                await call_off(playing)
                raise
            if known != (news := " ".join(each.turn + each.summary for each in players)):
                known, since = news, monotonic()
        is_over = playing.done()
        await call_off(playing)
        return is_over

    async def _play(self, player: Player) -> None:
        refused_since: float | None = None
        while not player.summary:
            peer = None
            try:
                peer = await RestlessPeer.connect(self._server.port)
                peer.patience = self._chance.randint(20, 400)
                if player.power is None:
                    peer.patience = 10**9 if self._chance.random() < 0.7 else peer.patience
                    await player.play(peer)
                else:
                    self._tally.returned += 1
                    await player.come_back(peer)
            except ConnectionError:
                refused_since = None
                self._tally.vanished += 1
                await asyncio.sleep(0.02)
            except AssertionError:  # IAM is refused: the old connection hangs, or the game is over
                refused_since = refused_since or monotonic()
                if monotonic() - refused_since > MISSED_AFTER:
                    self._tally.missed += 1
                    return
                await asyncio.sleep(0.5)
            finally:
                if peer is not None:
                    peer.vanish()

    async def _abandon(self) -> None:
        """Begin a game and go."""
        peers = []
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(10):
                for seat in range(7):
                    peers.append(await RawPeer.connect(self._server.port))
                    await peers[-1].join(f"A{self._number}-{self._tally.abandoned}-{seat}")
        for peer in peers:
            peer.vanish()
        self._tally.abandoned += 1


async def keep_company(number: int, port: int, since: float, games: Iterable[int]) -> None:
    """Play with those who are left over when no table begins a game any more.

    The games of abandoned tables take players of others, so that not all places come out even.
    """
    await asyncio.sleep(max(0.0, since - monotonic()))
    for game in games:
        peer = None
        try:
            peer = await RawPeer.connect(port)
            await Player(f"S{number}-{game}", wander).play(peer)
        except ConnectionError:
            await asyncio.sleep(0.5)
        finally:
            if peer is not None:
                peer.vanish()


async def soak(minutes: float, games: int, folder: Path, tally: Tally) -> dict[str, object]:
    """Run it, keep count of what happens, and return what was left."""
    server = await Server.start(
        "--games", str(games * 3), "--store", str(folder / "soak.db"), "--last-year", "1903",
        "--linger", "0.2", "--movement-limit", "20", "--retreat-limit", "10", "--build-limit", "10",
        "--log-level", "error", "--press-level", "20", "--record", str(folder / "games.jsonl"),
    )  # fmt: skip
    log = asyncio.create_task(_keep_log(server))
    begin = monotonic()
    tables = [Table(number, server, tally, begin + minutes * 60) for number in range(games)]
    playing = asyncio.gather(*(table.run() for table in tables))
    company = asyncio.gather(
        *(
            keep_company(number, server.port, begin + minutes * 60, count())
            for number in range(LEFT_OVER)
        )
    )
    try:
        await _watch(server.process.pid, playing, tally, begin)
        await call_off(company)
    except BaseException:
        await call_off(playing)
        await call_off(company)
        server.process.kill()
        await server.process.wait()
        await log
        raise
    await asyncio.sleep(10)
    left: dict[str, object] = {
        "memory": memory_of(server.process.pid),
        "files": files_of(server.process.pid),
    }
    began = monotonic()
    server.process.terminate()
    left["code"] = await server.process.wait()
    left["seconds to end"] = round(monotonic() - began, 2)
    left["tracebacks"] = sum("Traceback" in line for line in await log)
    left["orphans"] = len(children_of(server.process.pid))
    return left | _files_left(folder)


async def _watch(pid: int, playing: asyncio.Future[list[None]], tally: Tally, begin: float) -> None:
    while not playing.done():
        await asyncio.wait([playing], timeout=10)
        tally.memory.append(memory_of(pid))
        tally.files.append(files_of(pid))
        told = f"{(monotonic() - begin) / 60:.1f} min: {tally.games} games, {tally.vanished} lost"
        told += f" connections, {tally.stuck} stuck, {tally.memory[-1] // 1024} MB"
        sys.stderr.write(f"{told}, {tally.files[-1]} files\n")
    await playing


def _files_left(folder: Path) -> dict[str, int]:
    return {
        "recorded": len((folder / "games.jsonl").read_text().splitlines()),
        "store": sum(path.stat().st_size for path in folder.glob("soak.db*")),
    }


async def _keep_log(server: Server) -> deque[str]:
    lines: deque[str] = deque(maxlen=5000)
    assert server.process.stderr is not None
    async for line in server.process.stderr:
        lines.append(line.decode(errors="replace"))
    return lines


def counted(tally: Tally) -> dict[str, object]:
    """Tell what happened, also of a run that was cut short."""
    return {
        "games": tally.games,
        "abandoned": tally.abandoned,
        "connections lost": tally.vanished,
        "returned": tally.returned,
        "missed the end": tally.missed,
        "stuck": tally.stuck,
    }


def summary(tally: Tally, left: dict[str, object]) -> dict[str, object]:
    """Judge what happened."""
    tenth = max(1, len(tally.memory) // 10)
    early, late = mean(tally.memory[tenth : 2 * tenth] or tally.memory), mean(tally.memory[-tenth:])
    ratio = round(late / early, 3)
    wrong = [left[name] for name in ("code", "tracebacks", "orphans")]
    is_recorded = 0 < tally.games <= cast("int", left["recorded"])
    is_good = ratio <= FLAT and is_recorded and not tally.stuck and not any(wrong)
    return {
        "ok": is_good,
        **counted(tally),
        "memory MB first second tenth / last": [round(early / 1024, 1), round(late / 1024, 1)],
        "memory ratio": ratio,
        "most files": max(tally.files),
        "after": left,
    }


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="tests.server.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--games", type=int, default=10)
    options = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as name:
        running = soak(options.minutes, options.games, Path(name), tally)
        return conclude(lambda: summary(tally, asyncio.run(running)), lambda: counted(tally))


if __name__ == "__main__":
    sys.exit(main())
