"""What watchers cost a game: `python -m benchmarks.page [--watchers N] [--rounds N] [--json]`.

The same game of seven bots is played by a server with a page, with nobody but us and with many who
follow it, in turns. Told are the ratio of the medians of: how long a turn takes by the game's own
clock, and the processor time of the server's process. Then how many turns hit their deadline, and
how long it takes from the first watcher who hears of a turn to the last. The watchers run in one
process of their own, on the same machine: what they use up themselves counts against the game.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from itertools import pairwise
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 10
"""Seconds for a turn."""


async def main() -> None:
    """Play and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--watchers", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--last-year", type=int, default=1904)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--watch", metavar="PORT", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.watch:
        await watch(options.watch, options.watchers)
        return
    without: list[dict[str, float]] = []
    with_them: list[dict[str, float]] = []
    for number in range(options.rounds):
        for count, figures in ((0, without), (options.watchers, with_them)):
            figures.append(await play(count, options.last_year))
            print(f"round {number + 1}, {count} watchers: {figures[-1]}", file=sys.stderr)
    told = {
        "watchers": options.watchers,
        "turn_ratio": _ratio(without, with_them, "turn"),
        "server_cpu_ratio": _ratio(without, with_them, "server_cpu"),
        "missed_deadlines": sum(each["missed"] for each in with_them),
        "turns": sum(each["turns"] for each in with_them),
        "spread_median_ms": round(statistics.median(each["spread"] for each in with_them), 1),
        "spread_worst_ms": round(max(each["worst"] for each in with_them), 1),
        "lost_watchers": sum(each["lost"] for each in with_them),
    }
    if options.json:
        print(json.dumps(told))
    else:
        for name, value in told.items():
            print(f"{name:18} {value}")


def _ratio(one: list[dict[str, float]], other: list[dict[str, float]], name: str) -> float:
    medians = [statistics.median(each[name] for each in figures) for figures in (one, other)]
    return round(medians[1] / medians[0], 2)


async def play(watchers: int, last_year: int) -> dict[str, float]:
    """Play one game and return its figures."""
    server = await start(
        *("serve", "--port", "0", "--web", "0", "--store", ":memory:", "--press-level", "10"),
        *("--last-year", str(last_year), "--movement-limit", str(LIMIT), "--seed", "3"),
        *("--retreat-limit", str(LIMIT), "--build-limit", str(LIMIT), "--log-level", "error"),
        *("--fill", "blabbot", "--fill-after", "0.1", "--linger", "1"),
    )
    crowd = bot = None
    try:
        port = await line_of(server, r"listening on .*:(\d+)")
        page = await line_of(server, r"page at http://127\.0\.0\.1:(\d+)/")
        async with connect(f"ws://127.0.0.1:{page}/api/live", proxy=None) as socket:
            if watchers:
                crowd = await asyncio.create_subprocess_exec(
                    *(sys.executable, __file__, "--watch", page, "--watchers", str(watchers)),
                    stdout=PIPE,
                )
                await line_of(crowd, "(ready)")
            bot = await start("bot", "blabbot", "--port", port, "--quiet")
            times = await phases(socket)
        used = cpu_of(server.pid)
        durations = [after - before for before, after in pairwise(times)]
        heard = json.loads(await line_of(crowd, "({.*})")) if crowd else {}
        return {
            "turn": round(statistics.median(durations), 3),
            "server_cpu": round(used, 2),
            "missed": sum(each >= LIMIT for each in durations),
            "turns": len(durations),
            **{name: heard.get(name, 0.0) for name in ("spread", "worst", "lost")},
        }
    finally:
        for process in (bot, crowd, server):
            if process is not None and process.returncode is None:
                process.terminate()
                await process.wait()


async def phases(socket: ClientConnection) -> list[float]:
    """Return when the turns of the first game began, and its end, by its own clock."""
    await wait_for_game(socket)
    times = []
    async for text in socket:
        told = json.loads(text)
        if told.get("event") == "phase":
            times.append(told["now"]["at"])
        if told.get("event") == "result":
            return times
    raise ConnectionError("the page has ended")


async def wait_for_game(socket: ClientConnection) -> None:
    """Follow the first game as soon as there is one."""
    await socket.send(json.dumps({"follow": [], "lobby": True}))
    async for text in socket:
        if "lobby" in json.loads(text):
            await socket.send(json.dumps({"follow": [{"game": "game-1"}], "lobby": False}))
            return


async def watch(port: str, count: int) -> None:
    """Be the crowd: follow the game, and tell how far apart its news come in."""
    address = f"ws://127.0.0.1:{port}/api/live"
    sockets = [await connect(address, proxy=None, compression=None) for _ in range(count)]
    print("ready", flush=True)
    heard: dict[int, list[float]] = {}

    async def follow(socket: ClientConnection) -> None:
        await wait_for_game(socket)
        async for text in socket:
            told: dict[str, Any] = json.loads(text)
            if told.get("event") == "turn":
                heard.setdefault(told["n"], []).append(time.monotonic())
            if told.get("event") == "result":
                return

    done = await asyncio.gather(*map(follow, sockets), return_exceptions=True)
    spreads = [(max(each) - min(each)) * 1000 for each in heard.values() if len(each) > 1]
    told = {
        "spread": round(statistics.median(spreads), 1),
        "worst": round(max(spreads), 1),
        "lost": sum(each is not None for each in done),
    }
    print(json.dumps(told), flush=True)


async def start(*arguments: str) -> Process:
    """Start a command of ours."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli", *arguments, stdout=PIPE, stderr=DEVNULL, cwd=ROOT
    )


async def line_of(process: Process, pattern: str) -> str:
    """Return what a pattern finds in the first line of output that has it."""
    assert process.stdout is not None
    while line := await process.stdout.readline():
        if found := re.search(pattern, line.decode()):
            return found[1]
    raise RuntimeError(f"no line with {pattern!r}")


def cpu_of(pid: int) -> float:
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    asyncio.run(main())
