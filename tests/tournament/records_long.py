"""A long check of its own: the same seed gives the same records, wherever games are played.

    python -m tests.tournament.records_long [GAMES]

Games of negotiators, who talk at level 20, on the local pool in one process each, with every bot in
a process of its own over TCP, and on a dask cluster of two workers.
"""

import hashlib
import sys
import time
from collections.abc import Callable

from attrs import evolve

from tests.tournament.playing import in_mode, jobs
from tournament.game_result import GameResult
from tournament.pool import Engine, LocalPool
from tournament.schedule import GameJob

SPEC = """games = {games}
seed = 5
last_year = 1906
balance = false
[[fields]]
players = {{ banker = 2, diplominator = 2, blabbot = 1, tactician = 1, randombot = 1 }}
"""


def main(games: int = 14) -> int:
    made = [evolve(job, keeps_record=True) for job in jobs(SPEC.format(games=games))]
    here = played("on the local pool", LocalPool(2), made)
    apart = played("over TCP", LocalPool(2), [in_mode(job, "processes") for job in made])
    from distributed import LocalCluster  # noqa: PLC0415 - an extra

    from tournament.dask_engine import DaskEngine  # noqa: PLC0415 - an extra

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        away = played("on dask with two workers", DaskEngine(cluster.scheduler_address), made)
    same = here == apart == away
    told(f"{len(here)} games, {len(set(here.values()))} different records: all same is {same}")
    return 0 if same and all(here.values()) else 1


def played(where: str, engine: Engine, made: list[GameJob]) -> dict[int, str]:
    """Play all games, and return a digest of each record."""
    results: list[GameResult] = []
    keep: Callable[[GameResult], None] = results.append
    started = time.monotonic()
    try:
        engine.play(made, keep)
    finally:
        engine.close()
    size = sum(len(each.record) for each in results) // len(results)
    press = sum(sum(each.press.values()) for each in results)
    seconds = time.monotonic() - started
    told(f"{where}: {len(results)} games, {press} messages, {size} bytes a record, {seconds:.0f} s")
    return {each.number: hashlib.sha256(each.record).hexdigest() for each in results}


def told(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
