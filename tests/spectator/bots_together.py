"""Several bots in one process: `python -m tests.spectator.bots_together PORT POWER:BOT ...`.

They join over TCP like any other; a process for each would take most of the time of a test.
"""

import asyncio
import sys

from bots.registry import make_bot
from bots.runner import Seating, play


async def play_all(port: int, players: list[str]) -> None:
    """Let each play for the power that it names."""
    async with asyncio.TaskGroup() as tasks:
        for each in players:
            power, _, bot = each.partition(":")
            seating = Seating(port=port, name=f"{power}:{bot.partition(':')[0]}")
            tasks.create_task(play(make_bot(bot), seating, seed=1), name=each)


if __name__ == "__main__":
    asyncio.run(play_all(int(sys.argv[1]), sys.argv[2:]))
