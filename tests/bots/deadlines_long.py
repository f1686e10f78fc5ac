"""Let searchers play under real deadlines on a busy machine, and count the turns that came late.

    python -m tests.bots.deadlines_long --turns 1000 --limit 5 --think 0.15 --busy 2

A server and seven players, each a process of its own, talk over TCP; programs that only count keep
the processors busy meanwhile. A movement turn of a player is late when the server's log says that
it missed the deadline. Exit code 1 if one was.
"""

import argparse
import asyncio
import sys
from asyncio.subprocess import DEVNULL, Process

from attrs import define, field

from cli import children
from daide.client import connect
from grammar.messages import Now
from rules.orders import Unit
from rules.turns import Phase
from tests.long_run import call_off, conclude
from tests.server.serving import Server

PLAYERS = ("talleyrand", "searchbot", "brbot", "mcts", "montecarlo", "mcts/v8", "searchbot")
SPIN = "while True: pass"


@define
class Seen:
    """What was seen so far."""

    turns: int = 0
    """Movement turns of single players."""
    games: int = 0
    late: list[str] = field(factory=list)

    def told(self) -> dict[str, object]:
        """Return it as the summary says it."""
        is_good = self.turns > 0 and not self.late
        return {"ok": is_good, "turns": self.turns, "games": self.games, "late": self.late}


async def hear_log(server: Server, seen: Seen) -> None:
    """Note who is late, as the server's log tells it."""
    assert server.process.stderr is not None
    async for line in server.process.stderr:
        if b"deadline missed" in line:
            seen.late.append(line.decode().strip())
            sys.stderr.write(f"{seen.late[-1]}\n")


async def watch(port: int, seen: Seen, wanted: int) -> None:
    """Count the turns of one game."""
    async with connect("127.0.0.1", port) as client:
        await client.observe()
        async for message in client:
            if isinstance(message, Now) and message.turn.phase is Phase.MOVEMENT:
                seen.turns += len({unit.power for unit in message.units if isinstance(unit, Unit)})
                sys.stderr.write(f"{message.turn}: {seen.turns} turns, {len(seen.late)} late\n")
                if seen.turns >= wanted:
                    return


async def start_players(port: int, think: float) -> list[Process]:
    """Start a game's players."""
    return [
        await asyncio.create_subprocess_exec(
            *children.command(("bot", name, "--port", str(port), "--think", str(think))),
            stdout=DEVNULL,
            stderr=DEVNULL,
            env=children.environment(),
        )
        for name in PLAYERS
    ]


async def play(options: argparse.Namespace, seen: Seen) -> None:
    """Play games until enough turns were seen."""
    limits = (("movement", options.limit), ("retreat", options.limit), ("build", options.limit))
    server = await Server.start(
        *("--store", ":memory:", "--press-level", "20", "--last-year", "1925"),
        *(part for name, limit in limits for part in (f"--{name}-limit", str(limit))),
    )
    log = asyncio.create_task(hear_log(server, seen))
    running: list[Process] = []
    try:
        running += [
            await asyncio.create_subprocess_exec(sys.executable, "-c", SPIN)
            for _ in range(options.busy)
        ]
        while seen.turns < options.turns:
            players = await start_players(server.port, options.think)
            running += players
            await watch(server.port, seen, options.turns)
            seen.games += 1
            await children.end(players)
    finally:
        await children.end(running)
        server.process.terminate()
        await server.process.wait()
        await call_off(log)


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=1000, help="movement turns of single players")
    parser.add_argument("--limit", type=int, default=5, help="seconds that the game gives")
    parser.add_argument("--think", type=float, default=0.15, help="seconds that players may think")
    parser.add_argument("--busy", type=int, default=2, help="programs that only count")
    options = parser.parse_args(arguments)
    seen = Seen()

    def run() -> dict[str, object]:
        asyncio.run(play(options, seen))
        return seen.told()

    return conclude(run, seen.told)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
