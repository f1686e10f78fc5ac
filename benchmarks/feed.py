"""What the feed costs a server: `python benchmarks/feed.py [--games N] [--rounds N] [--json]`.

The same games are played with and without a feed, in turns, and the best of each is compared.
First real bots play as in `daide play`: they think, talk in rounds and attack, as on any server.
Then come clients that answer at once, and hold: they show what the feed costs when a server does
nothing but relay. They propose peace to another power every turn in the last part.

Needs Mosquitto, and a machine that does nothing else: processor time, too, varies by a fifth and
more on a busy one.
"""

import argparse
import asyncio
import json
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from serve import POWERS, HoldBot, Table, cpu_seconds, frame, server

MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"

BOTS = ("diplominator", "blabbot", "dumbbot")
Play: TypeAlias = Callable[..., Awaitable[dict[str, float]]]


class TalkingBot(HoldBot):
    """Holds, and proposes peace to another power before it does."""

    def _on_now(self, body: bytes) -> None:
        me = POWERS[self._power & 0xFF]
        other = POWERS[((self._power & 0xFF) + 1) % len(POWERS)]
        self._transport.write(_frame(f"SND ( {other} ) ( PRP ( PCE ( {me} {other} ) ) )"))
        HoldBot.sent += 1
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


async def play(games: int, kind: type[HoldBot], *arguments: str) -> dict[str, float]:
    """Play so many games at once and return what they took."""
    HoldBot.received = HoldBot.sent = 0
    loop = asyncio.get_running_loop()
    async with server(
        *("--store", ":memory:", "--last-year", "1905", "--games", str(games + 1)),
        *("--press-level", "10", *arguments),
    ) as (process, port):
        # The relay's own start is no part of the measurement.
        await asyncio.sleep(1.0)
        cpu, began = cpu_seconds(process.pid), time.perf_counter()
        bots: list[HoldBot] = []
        for _ in range(games):
            table = Table()
            for _ in range(7):
                _, bot = await loop.create_connection(
                    lambda table=table: kind(table, 0.0), "127.0.0.1", port
                )
                bots.append(bot)
        assert all(await asyncio.gather(*(bot.done for bot in bots)))
        seconds = time.perf_counter() - began
        used = cpu_seconds(process.pid) - cpu
    messages = HoldBot.received + HoldBot.sent
    return {"seconds": seconds, "server_cpu_seconds": used, "messages": messages}


async def play_with_bots(*arguments: str) -> dict[str, float]:
    """Let our own bots play a game, as processes."""
    async with server(
        *("--store", ":memory:", "--last-year", "1910", "--press-level", "10", "--seed", "1"),
        *("--press-rounds", "6", "--power-in-name", "--linger", "1", *arguments),
    ) as (process, port):
        await asyncio.sleep(1.0)
        cpu, began = cpu_seconds(process.pid), time.perf_counter()
        bots = [
            await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "cli", "bot", BOTS[number % len(BOTS)], "--quiet"),
                *("--port", str(port), "--seed", str(number), "--name", f"{power}:bot"),
            )
            for number, power in enumerate(POWERS)
        ]
        for bot in bots:
            await bot.wait()
        return {
            "seconds": time.perf_counter() - began,
            "server_cpu_seconds": cpu_seconds(process.pid) - cpu,
            "messages": 0,
        }


async def compare(play_once: Play, rounds: int) -> dict[str, float]:
    """Play with and without a feed in turns, and compare the best of each."""
    with broker() as url:
        plain, fed = [], []
        for _ in range(rounds):
            plain.append(await play_once())
            fed.append(await play_once("--mqtt", url))
    best = {
        name: [min(each[name] for each in played) for played in (plain, fed)]
        for name in ("seconds", "server_cpu_seconds")
    }
    return {
        "messages": plain[0]["messages"],
        "server_cpu_seconds": best["server_cpu_seconds"][0],
        "server_cpu_seconds_with_feed": best["server_cpu_seconds"][1],
        "cpu_ratio": best["server_cpu_seconds"][1] / best["server_cpu_seconds"][0],
        "wall_ratio": best["seconds"][1] / best["seconds"][0],
    }


async def measure(games: int, rounds: int) -> dict[str, Any]:
    """Return all figures."""
    return {
        "real_bots": await compare(play_with_bots, rounds),
        "instant_orders": await compare(partial(play, games, HoldBot), rounds),
        "instant_orders_and_press": await compare(partial(play, games, TalkingBot), rounds),
    }


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = asyncio.run(measure(options.games, options.rounds))
    if options.json:
        print(json.dumps(figures))
        return
    for part, values in figures.items():
        print(part)
        for name, value in values.items():
            print(f"  {name:<30} {round(value, 3)}")


if __name__ == "__main__":
    main()
