"""Games an hour of a tournament: `python -m benchmarks.tournament [--games N] [--jobs N] [--json]`.

Seven DumbBots play to 1915 at press level 0, first in one process a game, then with a server and
seven processes over TCP, as many games at once as there are cores. Both play the same seeds, and
their lines are compared.
"""

import argparse
import json
import os
import sys
import time

from attrs import evolve

from tournament.game_result import GameResult
from tournament.pool import LocalPool
from tournament.schedule import jobs_of
from tournament.spec import read_spec

SPEC = """
press_level = 0
last_year = 1915
[[fields]]
players = { dumbbot = 7 }
games = """
MODES = ("in-process", "processes")


def measure(mode: str, games: int, jobs: int) -> tuple[float, list[GameResult]]:
    """Return how many games an hour are played, workers' start included, and their lines."""
    planned = [evolve(job, mode=mode) for job in jobs_of(read_spec(f"{SPEC}{games}"))]
    lines: list[GameResult] = []
    began = time.perf_counter()
    with LocalPool(jobs) as pool:
        pool.play(planned, lines.append)
    seconds = time.perf_counter() - began
    return 3600 * games / seconds, sorted(lines, key=lambda line: int(line.number))


def cpu_seconds() -> float:
    """Return what all children have used that have ended, which does not depend on the load."""
    times = os.times()
    return times.children_user + times.children_system


def played(line: GameResult) -> GameResult:
    """Return what must be the same in every mode."""
    return evolve(line, seconds=0.0, mode=MODES[0])


def main() -> int:
    """Measure both modes, and compare what they played."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=42, metavar="N", help="in each mode")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures: dict[str, object] = {"games": options.games, "jobs": options.jobs}
    lines = {}
    for mode in MODES:
        before = cpu_seconds()
        figures[mode], lines[mode] = measure(mode, options.games, options.jobs)
        figures[f"{mode}, CPU seconds a game"] = (cpu_seconds() - before) / options.games
    here, apart = ([played(line) for line in lines[mode]] for mode in MODES)
    figures["identical"] = here == apart
    if options.json:
        print(json.dumps(figures))
    else:
        for mode in MODES:
            cpu = f"{figures[f'{mode}, CPU seconds a game']:.2f} s of CPU time a game"
            print(
                f"{mode:<12} {figures[mode]:>10,.0f} games an hour with {options.jobs} jobs, {cpu}"
            )
        print(f"the same games in both modes: {'yes' if here == apart else 'NO'}")
    return 0 if here == apart else 1


if __name__ == "__main__":
    sys.exit(main())
