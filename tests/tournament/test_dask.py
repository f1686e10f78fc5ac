"""A cluster of two workers on this machine, one of which is killed."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from cli.main import main
from rules.errors import BadInputError
from tests.tournament.playing import lagoon_jobs, table
from tournament.dask_engine import DaskEngine
from tournament.game_result import GameResult
from tournament.play_job import play_game

distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as made:
        yield made


def test_all_games_are_played_though_a_worker_is_killed(cluster: Any) -> None:
    made = lagoon_jobs("{ dumbbot = 1, blabbot = 2 }", games=8)
    jobs = [evolve(job, keeps_record=True) for job in made]
    lines: list[GameResult] = []

    def kill_one(line: GameResult) -> None:
        lines.append(line)
        if len(lines) == 2:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)

    engine = DaskEngine(cluster.scheduler_address)
    engine.play(jobs, kill_one)
    engine.close()
    here = {job.number: play_game(job) for job in jobs}
    assert table(lines) == table([*here.values()])
    # The games whole are the same as well.
    assert all(line.record == here[line.number].record != b"" for line in lines)


def test_games_go_on_when_the_line_to_the_scheduler_is_cut(cluster: Any) -> None:
    jobs = lagoon_jobs("{ dumbbot = 3 }", games=8)
    lines: list[GameResult] = []

    def cut_the_line(line: GameResult) -> None:
        lines.append(line)
        if len(lines) == 1:
            client = engine._client
            client.loop.add_callback(client.scheduler_comm.comm.abort)

    engine = DaskEngine(cluster.scheduler_address)
    engine.play(jobs, cut_the_line)
    engine.close()
    assert table(lines) == table([play_game(job) for job in jobs])


def test_a_cluster_that_is_not_there_is_a_bad_input() -> None:
    with pytest.raises(BadInputError, match=r"--dask: tcp://127\.0\.0\.1:1: cannot be reached"):
        DaskEngine("tcp://127.0.0.1:1", patience=0.5)


def test_jobs_and_dask_exclude_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text("games = 1\n[[fields]]\nplayers = { dumbbot = 7 }")
    arguments = ["--out", str(tmp_path / "out"), "--dask", "tcp://127.0.0.1:1", "--jobs", "2"]
    assert main(["tournament", "run", str(spec), *arguments]) == 2
    assert "the cluster decides" in capsys.readouterr().err
