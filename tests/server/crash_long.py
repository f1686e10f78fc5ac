"""Kill the server at random moments in many games: `python -m tests.server.crash_long [GAMES]`.

Too long for the test suite, which has a short version of it (`test_serve.py`). Every game must end
as the one that nobody disturbed, move for move.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from random import Random

from server.history import PlayedTurn
from server.record import replay
from server.store import Store
from tests.server.hosting import Player, wander
from tests.server.serving import CrashDriver, seat_plan

LAST_YEAR = "1902"


async def played(folder: Path, name: str, kills: list[int]) -> list[PlayedTurn]:
    """Play a game, and return its turns from the store."""
    players = [Player(f"P{number}", wander) for number in range(7)]
    store = str(folder / name)
    arguments = ("--store", store, "--config", seat_plan(folder), "--seed", "5",
                 "--last-year", LAST_YEAR, "--log-level", "warning")  # fmt: skip
    async with asyncio.timeout(120):
        await CrashDriver(arguments, players, kills).run()
    opened = Store(store)
    turns = replay(opened.load(opened.games()[-1])).history.turns
    opened.close()
    return turns


async def main(games: int) -> None:
    """Compare disturbed games with an undisturbed one."""
    with tempfile.TemporaryDirectory() as folder:
        calm = await played(Path(folder), "calm.db", [])
        for number in range(games):
            chance = Random(number)
            kills = sorted(chance.sample(range(1, 90), chance.randint(1, 5)))
            turns = await played(Path(folder), f"{number}.db", kills)
            assert turns == calm, f"game {number}, killed after {kills}, went another way"
            sys.stdout.write(f"game {number}: killed after {kills} orders, same end\n")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
