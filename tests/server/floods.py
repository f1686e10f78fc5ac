"""Bursts of one client against the turns of a bystander: `python -m tests.server.floods`.

Seven clients play a quiet game on a real server and time each turn, from the last SUB to the last
NOW. Then the same while a burst runs, one kind after the other. The summary has the 99th percentile
of both, the aim (twice the quiet value plus 50 ms), and memory and descriptors of the server before
and after. Only this machine is attacked. Exit code 1 if an aim is missed.
"""

import argparse
import asyncio
import json
import socket
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter
from typing import Protocol

from attrs import define, frozen

from grammar.text import from_text
from tests.peers.awkward import IM
from tests.server.hosting import BOARD, RawPeer, hold_all, submit_text
from tests.server.processes import files_of, memory_of
from tests.server.serving import Server

Flood = Callable[["Target"], Awaitable[None]]
SLACK = 0.050
MEMORY = 1.10


class Target(Protocol):
    """What is attacked."""

    @property
    def port(self) -> int:
        """Where it listens on this machine."""


@frozen
class Port:
    """A port of this machine."""

    port: int


class Bystanders:
    """Seven clients whose game nobody attacks."""

    def __init__(self) -> None:
        self._peers: list[RawPeer] = []
        self._powers: list[str] = []

    async def join(self, port: int) -> None:
        self._peers = [await RawPeer.connect(port) for _ in range(7)]
        for number, peer in enumerate(self._peers):
            await peer.join(f"B{number}")
        for peer in self._peers:
            self._powers.append((await peer.until("HLO")).split()[2])
            await peer.until("NOW")

    async def turn(self) -> float:
        """Hold with everything, and return the seconds that it took."""
        turn = await self._turn_text()
        for peer, power in zip(self._peers, self._powers, strict=True):
            orders = hold_all(BOARD.start, BOARD.power(power))
            peer.say(submit_text(turn, orders))
        began = perf_counter()
        for peer in self._peers:
            await peer.until("NOW")
        return perf_counter() - began

    async def _turn_text(self) -> str:
        text = next(text for text in reversed(self._peers[0].heard) if text.startswith("NOW"))
        return " ".join(text.split()[2:4])

    async def turns(self, seconds: float, least: int = 20) -> list[float]:
        """Play for some time."""
        times: list[float] = []
        until = monotonic() + seconds
        while monotonic() < until or len(times) < least:
            times.append(await self.turn())
            await asyncio.sleep(0.005)
        return times


def p99(times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.99))]


# --- what is thrown at the server -----------------------------------------------------------------


async def repeat(server: Target, first: str, text: str, times: int) -> None:
    """Say something very often, and listen to the answers."""
    while True:
        peer = await RawPeer.connect(server.port, first)
        listening = asyncio.create_task(_listen(peer))
        data = peer.connection.send_tokens(from_text(text))
        with suppress(ConnectionError):
            for _ in range(times):
                peer.writer.write(data)
                await peer.writer.drain()
            await asyncio.sleep(0.5)
        listening.cancel()
        peer.vanish()


async def _listen(peer: RawPeer) -> None:
    with suppress(ConnectionError):
        while await peer.reader.read(1 << 16):
            pass


async def hst(server: Target) -> None:
    """Ask for a turn again and again."""
    await repeat(server, "OBS", "HST ( SPR 1901 )", 5000)


async def sub(server: Target) -> None:
    """Submit hundreds of orders at once, as a player of a game of its own."""
    await with_game(server, "SUB " + "( ( ENG FLT LON ) HLD ) " * 400, 200)


async def long_sub(server: Target) -> None:
    """Submit as many orders as are read at all."""
    await with_game(server, "SUB " + "( ( ENG FLT LON ) HLD ) " * 180, 200)


async def snd(server: Target) -> None:
    """Flood others with press."""
    await with_game(server, "SND ( FRA ) ( PRP ( PCE ( ENG FRA ) ) )", 10_000)


async def junk(server: Target) -> None:
    """Send the longest frames there are."""
    body = b"\x48\x00" * 32_000
    frame = b"\x02\x00" + len(body).to_bytes(2, "big") + body
    while True:
        peer = await RawPeer.connect(server.port, "OBS")
        listening = asyncio.create_task(_listen(peer))
        with suppress(ConnectionError):
            for _ in range(150):
                peer.writer.write(frame)
                await peer.writer.drain()
        listening.cancel()
        peer.vanish()


async def lst(server: Target) -> None:
    """Ask for the list of games, of which there are many."""
    await repeat(server, "", "LST", 1000)


async def with_game(server: Target, text: str, times: int) -> None:
    """Fill a game of one's own, and let one of its players flood it."""
    while True:
        peers = [await RawPeer.connect(server.port) for _ in range(7)]
        listeners: list[asyncio.Task[None]] = []
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(20):
                for number, peer in enumerate(peers):
                    # A name that was never there: nobody is asked to come back to an old game.
                    await peer.join(f"F{number}-{monotonic()}")
                for peer in peers:
                    await peer.until("NOW")
            listeners = [asyncio.create_task(_listen(peer)) for peer in peers]
            data = peers[0].connection.send_tokens(from_text(text))
            for _ in range(times):
                peers[0].writer.write(data)
                await peers[0].writer.drain()
            await asyncio.sleep(0.5)
        for task in listeners:
            task.cancel()
        for peer in peers:
            peer.vanish()


async def silent(server: Target) -> None:
    """Open thousands of sockets, and send an IM on half of them."""
    opened: list[socket.socket] = []
    loop = asyncio.get_running_loop()
    try:
        for number in range(5000):
            each = socket.socket()
            each.setblocking(False)  # noqa: FBT003 - a name of the library
            opened.append(each)
            with suppress(OSError):
                await loop.sock_connect(each, ("127.0.0.1", server.port))
                if number % 2:
                    each.send(IM)
        await asyncio.sleep(3600)
    finally:
        for each in opened:
            each.close()


FLOODS: dict[str, Flood] = {
    "HST": hst, "SUB 400": sub, "SUB 180": long_sub, "SND": snd, "junk 64 kB": junk, "LST": lst,
    "silent": silent,
}  # fmt: skip


async def throw(name: str, target: Target) -> None:
    """Attack a server again and again, in a process of its own."""
    while True:
        with suppress(OSError):
            await FLOODS[name](target)
        await asyncio.sleep(0.2)


# --- measuring ------------------------------------------------------------------------------------


@define
class Figures:
    """What was measured about one burst."""

    quiet: list[float]
    loud: list[float]
    memory: float
    files: int

    @property
    def is_good(self) -> bool:
        is_quick = p99(self.loud) <= 2 * p99(self.quiet) + SLACK
        return is_quick and self.memory <= MEMORY and self.files <= 10

    def told(self) -> dict[str, object]:
        return {
            "ok": self.is_good,
            "quiet median, p99 ms": [_ms(median(self.quiet)), _ms(p99(self.quiet))],
            "loud median, p99 ms": [_ms(median(self.loud)), _ms(p99(self.loud))],
            "aim ms": _ms(2 * p99(self.quiet) + SLACK),
            "turns": len(self.loud),
            "memory after / before": round(self.memory, 3),
            "files more": self.files,
        }


async def measure(name: str, seconds: float, games: int, folder: Path) -> Figures:
    """Time the bystanders without and with a burst, in one run of one server."""
    server = await Server.start(
        "--games", str(games + 40), "--store", str(folder / f"{name.replace(' ', '-')}.db"),
        "--movement-limit", "0", "--retreat-limit", "0", "--build-limit", "0",
        "--log-level", "error", "--press-level", "20", "--deserted", "0",
    )  # fmt: skip
    pid = server.process.pid
    forming = (
        [await RawPeer.connect(server.port) for _ in range(games * 7)] if name == "LST" else []
    )
    for number, peer in enumerate(forming):
        await peer.join(f"L{number}")
    bystanders = Bystanders()
    await bystanders.join(server.port)
    await bystanders.turns(1.0)
    before, files = memory_of(pid), files_of(pid)
    quiet = await bystanders.turns(seconds)
    throwing = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.server.floods", "--throw-at", str(server.port), name
    )
    await asyncio.sleep(1.5)
    loud = await bystanders.turns(seconds)
    throwing.kill()
    await throwing.wait()
    await asyncio.sleep(10)
    after = memory_of(pid), files_of(pid)
    await server.stop()
    return Figures(quiet, loud, after[0] / before, after[1] - files)


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)


async def suite(names: list[str], seconds: float, games: int) -> dict[str, dict[str, object]]:
    """Run the bursts one after the other."""
    told = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            figures = await measure(name, seconds, games, Path(folder))
            told[name] = figures.told()
            sys.stderr.write(f"{name}: {told[name]}\n")
    return told


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="tests.server.floods", description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each, quiet and loud")
    parser.add_argument("--games", type=int, default=30, help="in the list, for LST")
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(FLOODS)}")
    parser.add_argument("--throw-at", type=int, metavar="PORT", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.throw_at is not None:
        asyncio.run(throw(options.names[0], Port(options.throw_at)))
        return 0
    told = asyncio.run(suite(options.names or list(FLOODS), options.seconds, options.games))
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return 0 if all(each["ok"] for each in told.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
