"""Many games, in a tenth of which a bot is killed, and in some of which one hangs or sends garbage.

    python -m tests.tournament.faults_long [--games 300] [--seed 1]

The runner is killed twice at random. Then the same on a dask cluster of two workers, of which one
is killed as well. All games must be there once, the healthy ones as if nothing had happened, and no
process or temporary file may be left.
"""

import argparse
import os
import signal
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.tournament.faults import Scenario, check, run_with_kills
from tests.tournament.running import wait_until


def main() -> int:
    """Run both and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    killed, hanging = options.games // 10, options.games // 20
    scenario = Scenario(
        healthy=options.games - killed - 2 * hanging,
        killed=killed,
        hanging=hanging,
        garbage=hanging,
        variant="standard",
        talkers=3,
        game_limit=15.0,
        seed=options.seed,
    )
    with TemporaryDirectory() as folder:
        check(scenario, run_with_kills(scenario, Path(folder)), Path(folder))
    sys.stdout.write(
        f"{scenario.games} games, the runner killed twice: each there once, nothing left\n"
    )
    try:
        from distributed import LocalCluster  # noqa: PLC0415 - an extra
    except ImportError:
        sys.stdout.write("the extra `dask` is not installed: no cluster tried\n")
        return 0
    with (
        TemporaryDirectory() as folder,
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
    ):
        games = Path(folder) / "out" / "games.jsonl"
        killer = threading.Thread(target=_kill_one, args=(games, cluster.workers[0].pid))
        killer.start()
        lines = run_with_kills(scenario, Path(folder), 2, "--dask", cluster.scheduler_address)
        killer.join()
        check(scenario, lines, Path(folder))
    sys.stdout.write(f"{scenario.games} games on a cluster, a worker killed as well: the same\n")
    return 0


def _kill_one(games: Path, worker: int) -> None:
    """Kill a worker of the cluster once a few games are there."""
    wait_until(lambda: games.exists() and games.read_bytes().count(b"\n") > 5, patience=600)
    os.kill(worker, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
