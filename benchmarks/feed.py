"""What the feed costs a server: `python -m benchmarks.feed [--rounds N] [--games N] [--json]`.

Every load is played with and without a feed in turns, several times, and the processor time of the
server's process is compared: the ratio of the medians, and how far the single pairs lie apart. On a
busy machine processor time itself varies by a fifth and more. So the server with the feed also
times the calls into the feed, thread time against the process's, and tells their share: that hardly
depends on what else runs. The relay's own work is told as well; it is another process.

Loads: seven dumbbots; negotiators of several kinds, who talk in rounds; clients that hold at once,
so that the server does nothing but relay; and the same with a proposal of each power every turn.
Needs Mosquitto.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from benchmarks.serve import POWERS, HoldBot, Table, frame

MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"

DUMB = ("dumbbot",)
NEGOTIATORS = ("diplominator", "blabbot", "banker", "dumbbot")
ROOT = Path(__file__).resolve().parent.parent
Figures: TypeAlias = dict[str, float]
Play: TypeAlias = Callable[..., Awaitable[Figures]]


class TalkingBot(HoldBot):
    """Holds, and proposes peace to another power before it does."""

    def _on_now(self, body: bytes) -> None:
        me = POWERS[self._power & 0xFF]
        other = POWERS[((self._power & 0xFF) + 1) % len(POWERS)]
        self._transport.write(_frame(f"SND ( {other} ) ( PRP ( PCE ( {me} {other} ) ) )"))
        super()._on_now(body)


_frames: dict[str, bytes] = {}


def _frame(text: str) -> bytes:
    if text not in _frames:
        _frames[text] = frame(text)
    return _frames[text]


@contextmanager
def broker() -> Iterator[str]:
    """Start a broker and give its address."""
    with socket.socket() as probe, tempfile.TemporaryDirectory() as folder:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        path = Path(folder) / "mosquitto.conf"
        path.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\n")
        running = subprocess.Popen([MOSQUITTO, "-c", str(path)], stderr=subprocess.DEVNULL)
        time.sleep(0.5)
        try:
            yield f"mqtt://127.0.0.1:{port}"
        finally:
            running.terminate()
            running.wait()


def _keep_off() -> int | None:
    """Leave one processor to the server, if there are several, and return its number.

    Noise remains: on a busy machine the same work, in as many batches, takes a fifth more or less.
    """
    first, *others = sorted(os.sched_getaffinity(0))
    if not others:
        return None
    os.sched_setaffinity(0, others)
    return first


PROCESSOR = _keep_off()


@asynccontextmanager
async def measured(figures: Figures, *arguments: str) -> AsyncIterator[int]:
    """Start a server that times its feed, give its port, and note what it took until its end."""
    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-m",
            "benchmarks.timed_serve",
            "--port",
            "0",
            "--log-level",
            "error",
            *arguments,
        ),
        stdout=PIPE,
        # Beside this file stands another `feed`.
        cwd=ROOT,
    )
    assert process.stdout
    try:
        line = (await process.stdout.readline()).decode()
        # The start of the relay is no part of the measurement.
        await asyncio.sleep(1.0)
        if PROCESSOR is not None:
            # The relay has its own life already and stays with the others.
            os.sched_setaffinity(process.pid, [PROCESSOR])
        process.send_signal(signal.SIGUSR1)
        yield int(line.rpartition(":")[2])
        await asyncio.sleep(0.1)
        process.send_signal(signal.SIGUSR1)
        await asyncio.sleep(0.1)
    finally:
        process.terminate()
        told = (await process.stdout.read()).decode().splitlines()
        await process.wait()
    figures.update(json.loads(told[-1]))


async def play(games: int, kind: type[HoldBot], *arguments: str) -> Figures:
    """Play so many games at once and return what they took."""
    loop = asyncio.get_running_loop()
    figures: Figures = {}
    async with measured(
        figures,
        *("--store", ":memory:", "--last-year", "1905", "--games", str(games + 1)),
        *("--press-level", "10", *arguments),
    ) as port:
        bots: list[HoldBot] = []
        for _ in range(games):
            table = Table()
            for _ in range(7):
                _, bot = await loop.create_connection(partial(kind, table, 0.0), "127.0.0.1", port)
                bots.append(bot)
        assert all(await asyncio.gather(*(bot.done for bot in bots)))
    return figures


async def play_with_bots(kinds: tuple[str, ...], *arguments: str) -> Figures:
    """Let our own bots play a game, as processes."""
    figures: Figures = {}
    async with measured(
        figures,
        *("--store", ":memory:", "--last-year", "1910", "--press-level", "10", "--seed", "1"),
        *("--press-rounds", "6", "--power-in-name", "--linger", "1", *arguments),
    ) as port:
        bots = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "cli", "bot", kinds[number % len(kinds)], "--quiet"),
                *("--port", str(port), "--seed", str(number), "--name", f"{power}:bot"),
            )
            for number, power in enumerate(POWERS)
        ]
        for bot in bots:
            await bot.wait()
    return figures


async def compare(play_once: Play, rounds: int) -> Figures:
    """Play with and without a feed in turns, and compare."""
    plain: list[Figures] = []
    fed: list[Figures] = []
    with broker() as url:
        for _ in range(rounds):
            plain.append(await play_once())
            fed.append(await play_once("--mqtt", url))
    without, with_feed = ([each["cpu"] for each in played] for played in (plain, fed))
    pairs = [two / one for one, two in zip(without, with_feed, strict=True)]
    shares = [each["feed"] / each["cpu"] for each in fed]
    return {
        "cpu_seconds": statistics.median(without),
        "cpu_seconds_with_feed": statistics.median(with_feed),
        "ratio": statistics.median(with_feed) / statistics.median(without),
        "lowest_ratio": min(pairs),
        "highest_ratio": max(pairs),
        "share_of_feed": statistics.median(shares),
        "lowest_share": min(shares),
        "highest_share": max(shares),
        "relay_cpu_seconds": statistics.median(each["relay"] for each in fed),
    }


LOADS: dict[str, Callable[[int], Play]] = {
    "dumbbots": lambda _: partial(play_with_bots, DUMB),
    "negotiators": lambda _: partial(play_with_bots, NEGOTIATORS),
    "holders": lambda games: partial(play, games, HoldBot),
    "holders_with_press": lambda games: partial(play, games, TalkingBot),
}


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=30, help="games of holders at once")
    parser.add_argument("--rounds", type=int, default=5, help="pairs of runs for each load")
    parser.add_argument("--load", choices=list(LOADS), action="append", help="only this one")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    for name in options.load or LOADS:
        figures[name] = told = asyncio.run(compare(LOADS[name](options.games), options.rounds))
        if not options.json:
            _show(name, told)
    if options.json:
        print(json.dumps(figures))


def _show(name: str, told: Figures) -> None:
    print(
        f"{name:<20} ratio {told['ratio']:.3f} ({told['lowest_ratio']:.3f} to"
        f" {told['highest_ratio']:.3f}), share of the feed {told['share_of_feed']:.1%}"
        f" ({told['lowest_share']:.1%} to {told['highest_share']:.1%}),"
        f" server {told['cpu_seconds']:.2f} s, relay {told['relay_cpu_seconds']:.2f} s",
        flush=True,
    )


if __name__ == "__main__":
    main()
