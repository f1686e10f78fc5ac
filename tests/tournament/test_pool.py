import json
import os
import re
import signal
import subprocess
import sys

import pytest

from tests.tournament.playing import in_mode, lagoon_jobs, table
from tournament.game_result import GameResult
from tournament.jobs_json import job_to_json
from tournament.play_job import play_game
from tournament.pool import LocalPool, WorkersFailedError
from tournament.schedule import GameJob

LINEUP = "{ dumbbot = 1, blabbot = 2 }"


def play(jobs: list[GameJob], size: int = 2) -> list[GameResult]:
    lines: list[GameResult] = []
    with LocalPool(size) as pool:
        pool.play(jobs, lines.append)
    return lines


@pytest.mark.parametrize("size", [1, 3])
def test_every_game_is_played_once_whatever_the_number_of_workers(size: int) -> None:
    jobs = lagoon_jobs(LINEUP, games=5)
    assert table(play(jobs, size)) == table([play_game(job) for job in jobs])


def test_a_pool_may_be_used_again() -> None:
    jobs = lagoon_jobs(LINEUP, games=2)
    lines: list[GameResult] = []
    with LocalPool(1) as pool:
        pool.play(jobs[:1], lines.append)
        pool.play(jobs[1:], lines.append)
    assert [line.number for line in lines] == [0, 1]


def test_a_worker_that_is_killed_is_replaced_and_its_game_played() -> None:
    jobs = lagoon_jobs(LINEUP, games=6)
    lines: list[GameResult] = []
    with LocalPool(2) as pool:

        def kill_one(line: GameResult) -> None:
            lines.append(line)
            if len(lines) in (1, 3):
                # Both may have told at once: then it is one between two games that is killed.
                busy = (worker for worker in pool._workers if worker.task)
                os.kill(next(busy, pool._workers[0]).process.pid, signal.SIGKILL)

        pool.play(jobs, kill_one)
    assert table(lines) == table([play_game(job) for job in jobs])


@pytest.mark.parametrize(
    ("bot", "error"), [("Crasher", "ended twice.* code 3"), ("Hanger", "no turn was completed")]
)
def test_a_game_that_takes_its_worker_down_is_aborted_and_the_others_go_on(
    bot: str, error: str
) -> None:
    bad = lagoon_jobs(
        f'{{ dumbbot = 2, "tests.tournament.bad_bots:{bot}" = 1 }}', more="game_limit = 2"
    )[0]
    good = lagoon_jobs(LINEUP, games=3)[1:]
    lines = play([in_mode(bad, "in-process"), *good])
    assert [line.number for line in sorted(lines, key=lambda line: line.number)] == [0, 1, 2]
    (aborted,) = [line for line in lines if line.outcome == "aborted"]
    assert aborted.number == 0
    assert re.search(error, aborted.error)


def test_workers_that_do_not_start_are_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(WorkersFailedError, match="as soon as they start, with code 1"):
        play(lagoon_jobs(LINEUP))


def test_a_worker_whose_runner_has_gone_leaves_without_a_word() -> None:
    (job,) = lagoon_jobs(LINEUP)
    with subprocess.Popen(
        [sys.executable, "-m", "tournament.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stderr is not None
        assert "ready" in worker.stdout.readline()
        worker.stdout.close()
        worker.stdin.write(json.dumps(job_to_json(job)) + "\n")
        worker.stdin.close()
        assert worker.stderr.read() == ""
