"""Workers on this machine: processes that play one game after the other, and are replaced if lost.

The watch is on progress: a worker whose game has not completed a turn for too long is ended, like
one that has died, and its game is tried once more. A game whose second worker is lost as well is
recorded as aborted.
"""

import json
import os
import selectors
import subprocess
import time
from base64 import b64decode
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Protocol, Self, TypeAlias, cast

from attrs import Factory, define, evolve

from cli import children
from matches.in_process import IN_PROCESS
from tournament.game_result import GameResult, result_from_json
from tournament.jobs_json import job_to_json
from tournament.play_job import aborted_result, mode_of, second_try
from tournament.schedule import GameJob

OnResult: TypeAlias = Callable[[GameResult], None]

LOOK = 0.5
CHUNK = 1 << 16
# A server in another process watches its bots itself, and needs time to give some of them up.
PATIENCE_APART = 3
STARTING = 60.0
ATTEMPTS = 2
FAREWELL = 2.0
MOST_STILLBORN = 3


class WorkersFailedError(Exception):
    """No games can be played on this machine; the text says why."""


def _told(told: dict[str, Any]) -> GameResult:
    """Return the result that a worker has told, with the whole game if that was asked for."""
    return evolve(result_from_json(told["result"]), record=b64decode(told["record"]))


class Engine(Protocol):
    """Plays many games at once."""

    def play(self, jobs: Iterable[GameJob], on_result: OnResult) -> None:
        """Play all jobs and hand over each line as it comes, in any order."""

    def close(self) -> None:
        """End whatever still runs."""


@define
class Task:
    """A job, and how often it has been begun."""

    job: GameJob
    attempts: int = 0
    began: float = Factory(time.monotonic)


class Worker:
    """A process that plays games for us."""

    def __init__(self) -> None:
        self.task: Task | None = None
        self._buffer = b""
        self._has_left = False
        self._seen = time.monotonic()
        self.is_ready = False
        """Whether it has said that it can begin."""
        self.process = children.spawn(
            (), module="tournament.worker", stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def fileno(self) -> int:
        """Return what a selector waits for."""
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def begin(self, task: Task) -> None:
        """Let it play; one that has died meanwhile is found out when it is read from."""
        assert self.process.stdin is not None
        self.task = task
        task.attempts += 1
        task.began = self._seen = time.monotonic()
        with suppress(BrokenPipeError):
            self.process.stdin.write(json.dumps(job_to_json(task.job)).encode() + b"\n")
            self.process.stdin.flush()

    def read(self) -> list[dict[str, Any]] | None:
        """Return what it has told, None if it is gone; to be called when there is something."""
        data = os.read(self.fileno(), CHUNK)
        if not data:
            self._has_left = True
            return None
        self._seen = time.monotonic()
        self.is_ready = True
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        return [json.loads(line) for line in lines]

    @property
    def is_hung(self) -> bool:
        """Whether its game has made no progress for too long."""
        return self.task is not None and time.monotonic() - self._seen > self._patience(self.task)

    def _patience(self, task: Task) -> float:
        limit = task.job.match.patience
        if mode_of(task.job) != IN_PROCESS:
            limit = PATIENCE_APART * limit + STARTING
        return limit if self.is_ready else max(limit, STARTING)

    def end(self) -> int:
        """End the process and whatever it has started; return its exit code."""
        if self._has_left:
            # Nothing comes from it any more: it is about to end by itself.
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(FAREWELL)
        self.process.kill()
        code = self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()
        return code


def cores() -> int:
    """Return how many games are played at once where nobody says."""
    return os.cpu_count() or 1


class LocalPool:
    """Plays as many games at once as there are workers; they stay until it is closed."""

    def __init__(self, size: int | None = None) -> None:
        self._size = size or cores()
        self._workers: list[Worker] = []
        self._selector = selectors.DefaultSelector()
        self._waiting: deque[Task] = deque()
        self._stillborn = 0
        """How many workers in a row were lost before they had begun."""

    def play(self, jobs: Iterable[GameJob], on_result: OnResult) -> None:
        """Play all jobs and hand over each line as it comes."""
        self._waiting.extend(Task(job) for job in jobs)
        self._assign()
        while any(worker.task for worker in self._workers):
            for key, _ in self._selector.select(LOOK):
                self._hear(cast("Worker", key.fileobj), on_result)
            for worker in [each for each in self._workers if each.is_hung]:
                limit = worker.task.job.match.patience if worker.task else 0.0
                self._lose(worker, f"no turn was completed within {limit:g} s", on_result)
            self._assign()

    def close(self) -> None:
        """End all workers."""
        for worker in self._workers:
            worker.end()
        self._workers.clear()
        self._selector.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _assign(self) -> None:
        """Give work to those who have none, and hire others while there is more."""
        idle = [worker for worker in self._workers if worker.task is None]
        while self._waiting and (idle or len(self._workers) < self._size):
            worker = idle.pop() if idle else self._hire()
            worker.begin(self._waiting.popleft())

    def _hire(self) -> Worker:
        worker = Worker()
        self._workers.append(worker)
        self._selector.register(worker, selectors.EVENT_READ)
        return worker

    def _hear(self, worker: Worker, on_result: OnResult) -> None:
        told = worker.read()
        if told is None:
            self._lose(worker, None, on_result)
            return
        for each in told:
            if "result" in each:
                worker.task = None
                on_result(_told(each))

    def _lose(self, worker: Worker, why: str | None, on_result: OnResult) -> None:
        """Part with a worker; its game is begun again, or recorded as one that cannot be played."""
        self._workers.remove(worker)
        self._selector.unregister(worker)
        code = worker.end()
        task = worker.task
        self._stillborn = 0 if worker.is_ready else self._stillborn + 1
        if self._stillborn == MOST_STILLBORN:
            raise WorkersFailedError(f"the workers end as soon as they start, with code {code}")
        if task is None:
            return
        if not worker.is_ready:
            task.attempts -= 1
        if task.attempts < ATTEMPTS:
            task.job = second_try(task.job)
            self._waiting.appendleft(task)
            return
        error = why or f"the worker ended twice, the last time with code {code}"
        if mode_of(task.job) == IN_PROCESS:
            error += '; mode = "processes" would name the bot'
        seconds = time.monotonic() - task.began
        on_result(aborted_result(task.job, error, seconds=seconds))
