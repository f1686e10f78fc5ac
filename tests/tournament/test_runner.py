import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from rules.errors import BadInputError
from tests.tournament.playing import table
from tests.tournament.running import Run, wait_until
from tournament.game_result import GameResult
from tournament.play_job import play_game
from tournament.results_file import ResultsFile, read_results
from tournament.runner import SpecFile, with_value
from tournament.schedule import jobs_of

SPEC = """
# a small one
name = "small"
seed = 3
games = 6
variant = "lagoon"
last_year = 1903
press_level = 10

[bots]
talker = "blabbot"

[[fields]]
players = { dumbbot = 1, talker = 2 }
"""

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(SPEC)
    return path


def run(*arguments: str | Path) -> int:
    """Run with one worker, unless more are asked for: a second one takes longer to start."""
    return main(["tournament", "run", "--jobs", "1", *map(str, arguments), "--no-report"])


def games(folder: Path) -> list[GameResult]:
    return read_results(folder)


def expected(spec: Path) -> list[GameResult]:
    return table([play_game(job) for job in jobs_of(SpecFile.load(spec).spec)])


def test_a_run_keeps_every_game_and_the_spec(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(spec, "--out", tmp_path / "out", "--jobs", "2") == 0
    assert table(games(tmp_path / "out")) == expected(spec)
    assert (tmp_path / "out" / "spec.toml").read_text() == SPEC
    out, err = capsys.readouterr()
    assert "6 games in" in out
    assert "6 of 6 games" in err


def test_json_is_one_document_and_nothing_else(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(spec, "--out", tmp_path / "out", "--json") == 0
    out, err = capsys.readouterr()
    document: dict[str, Any] = json.loads(out)
    assert (document["games"], document["aborted"], err) == (6, 0, "")
    assert sorted(document["bots"]) == ["dumbbot", "talker"]


def test_games_that_are_there_are_not_played_over(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    run(spec, "--out", out)
    kept = games(out)
    assert run(spec, "--out", out) == 2
    assert "has 6 games already; finish them with --resume" in capsys.readouterr().err
    assert games(out) == kept


def test_a_run_that_was_cut_off_is_finished(spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(spec, "--out", out)
    path = out / "games.jsonl"
    kept = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(kept[:2]) + kept[2][:50])
    assert run(spec, "--out", out, "--resume") == 0
    assert path.read_bytes().startswith(b"".join(kept[:2]))
    assert table(games(out)) == expected(spec)


def test_nothing_is_left_to_resume(spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(spec, "--out", out, "--resume") == 0
    kept = games(out)
    assert run(spec, "--out", out, "--resume") == 0
    assert games(out) == kept


def test_another_tournament_is_not_mixed_in(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    run(spec, "--out", out)
    assert run(spec, "--out", out, "--resume", "--seed", "4") == 2
    assert "its games are of another tournament than small.toml" in capsys.readouterr().err


def test_a_seed_of_the_command_line_is_kept_with_the_games(spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(spec, "--out", out, "--seed", "9") == 0
    assert {line.seed // 1_000_000 for line in games(out)} == {9}
    assert SpecFile.load(out / "spec.toml").spec.seed == 9
    assert run(spec, "--out", out, "--seed", "9", "--resume") == 0


def test_a_seed_is_put_in_where_there_was_none() -> None:
    tables = "[bots]\nseed = 'x'\n"
    assert with_value("games = 1\n" + tables, "seed", 5) == "seed = 5\ngames = 1\n" + tables
    assert with_value("games = 1\nseed=3\n", "seed", 5) == "seed = 5\ngames = 1\n"


def test_a_folder_in_use_is_left_alone(
    spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held = ResultsFile(tmp_path / "out")
    assert run(spec, "--out", tmp_path / "out") == 2
    held.close()
    assert "another tournament is writing it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("colour = 1\n" + SPEC, "small.toml: colour: there is no such key"),
        (SPEC + "games = 'x'\n", "small.toml: fields[0].games: 'x' is not a whole number"),
        (SPEC.replace("blabbot", "nobody"), "small.toml: bots.talker: no such bot: 'nobody'"),
    ],
)
def test_a_bad_spec_is_a_bad_input(
    spec: Path, tmp_path: Path, text: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spec.write_text(text)
    assert run(spec, "--out", tmp_path / "out") == 2
    assert capsys.readouterr().err.startswith(f"daide tournament: {complaint}")
    assert not (tmp_path / "out").exists()


def test_a_spec_that_is_not_there_is_a_bad_input() -> None:
    with pytest.raises(BadInputError, match=r"nowhere\.toml: there is no such file, nor a plan"):
        SpecFile.load("nowhere.toml")


def test_an_aborted_game_is_told_by_the_exit_code(spec: Path, tmp_path: Path) -> None:
    text = 'mode = "in-process"\n' + SPEC.replace("blabbot", "tests.tournament.bad_bots:Crasher")
    spec.write_text(text.replace("games = 6", "games = 3"))
    assert run(spec, "--out", tmp_path / "out") == 1
    assert [line.outcome for line in games(tmp_path / "out")] == ["aborted"] * 3


@linux
@pytest.mark.parametrize("mode", ["in-process", "processes"])
def test_ctrl_c_ends_a_run_that_can_be_resumed(spec: Path, tmp_path: Path, mode: str) -> None:
    spec.write_text(f'mode = "{mode}"\n' + SPEC.replace("games = 6", "games = 600"))
    first = Run(spec, tmp_path / "out")
    first.wait_for_games(1)
    code, said = first.send(signal.SIGINT)
    assert (code, "Traceback" in said) == (130, False)
    first.wait_for_silence()
    kept = games(tmp_path / "out")
    second = Run(spec, tmp_path / "out", "--resume")
    second.wait_for_games(len(kept) + 1)
    second.send(signal.SIGINT)
    after = {each.number: each for each in games(tmp_path / "out")}
    assert [after[each.number] for each in kept] == kept


@linux
def test_nothing_is_left_of_a_runner_that_is_killed(spec: Path, tmp_path: Path) -> None:
    spec.write_text('mode = "processes"\n' + SPEC.replace("games = 6", "games = 600"))
    running = Run(spec, tmp_path / "out")
    # The runner, two workers, and bots.
    wait_until(lambda: len(running.children) > 5 or running.process.poll() is not None)
    running.wait_for_games(1)
    code, _ = running.send(signal.SIGKILL)
    assert code == -signal.SIGKILL
    running.wait_for_silence()
