"""Games on the workers of a dask cluster, when one machine is not enough.

`distributed` is an extra, `dask`. Every task is a pure function of its job, so
dask may begin it again on another worker when one is lost. On a cluster's worker the game itself is
played by a worker process of ours, under the same watch as at home.
"""

import threading
from collections.abc import Iterable
from time import sleep
from typing import Any

from attrs import evolve

from cli.extras import EXTRAS
from rules.errors import BadInputError
from tournament.game_result import GameResult, result_from_json, result_to_json
from tournament.jobs_json import job_from_json, job_to_json
from tournament.play_job import aborted_result
from tournament.pool import LocalPool, OnResult, WorkersFailedError
from tournament.schedule import GameJob

RETRIES = 3
REJOINS = 3
"""How often a cluster that had lost us is asked for the games that are left."""
PATIENCE = 10.0
LOOK_AGAIN = 0.1

_here = threading.local()


def play_job(data: dict[str, Any]) -> dict[str, Any]:
    """Play one job on a worker of the cluster; each of its threads keeps a process for that."""
    if not hasattr(_here, "pool"):
        _here.pool = LocalPool(1)
    results: list[GameResult] = []
    _here.pool.play([job_from_json(data)], results.append)
    return {"result": result_to_json(results[0]), "record": results[0].record}


class DaskEngine:
    """Plays games on a cluster; to be closed."""

    def __init__(self, address: str, *, patience: float = PATIENCE) -> None:
        try:
            from distributed import Client  # noqa: PLC0415 - an extra
        except ImportError:
            raise BadInputError(
                f"--dask: the package `distributed` is missing; {EXTRAS['dask'].cure}"
            ) from None
        self._address = address
        try:
            self._client = Client(address, timeout=patience)
        except (OSError, ValueError, TypeError) as error:
            raise BadInputError(f"--dask: {address}: cannot be reached: {error}") from None

    def play(self, jobs: Iterable[GameJob], on_result: OnResult) -> None:
        """Play all jobs and hand over each line as it comes.

        Raises WorkersFailedError if the cluster is lost again and again.
        """
        left = self._play_while_joined(list(jobs), on_result)
        for _ in range(REJOINS):
            if not left or not self._is_back():
                break
            left = self._play_while_joined(left, on_result)
        if left:
            raise WorkersFailedError(
                f"--dask: {self._address}: the connection was lost with {len(left)} games to play; "
                "they are played with --resume when the cluster is back"
            )

    def _play_while_joined(self, jobs: list[GameJob], on_result: OnResult) -> list[GameJob]:
        """Play jobs; return those that were called off because the scheduler and we lost touch."""
        from distributed import as_completed  # noqa: PLC0415 - an extra

        futures = {
            self._client.submit(play_job, job_to_json(job), retries=RETRIES, pure=True): job
            for job in jobs
        }
        lost: list[GameJob] = []
        for future in as_completed(list(futures)):
            job = futures.pop(future)
            if future.cancelled():
                lost.append(job)
            elif (error := future.exception()) is not None:
                why = f"{type(error).__name__}: {error}"
                on_result(aborted_result(job, why))
            else:
                told = future.result()
                on_result(evolve(result_from_json(told["result"]), record=told["record"]))
        return lost

    def _is_back(self) -> bool:
        """Wait for the client, which looks for its scheduler by itself for a while."""
        while self._client.status == "connecting":
            sleep(LOOK_AGAIN)
        return bool(self._client.status == "running")

    def close(self) -> None:
        """Leave the cluster; what still runs there is given up."""
        self._client.close()
