from pathlib import Path

import pytest

from rules.errors import BadInputError
from tests.tournament.playing import lagoon_jobs
from tournament.game_result import GameResult
from tournament.play_job import aborted_result
from tournament.results_file import ResultsFile, line_of

JOBS = lagoon_jobs("{ dumbbot = 3 }", games=3)


def line(number: int) -> GameResult:
    return aborted_result(JOBS[number], "just a test")


def fill(folder: Path, *numbers: int) -> Path:
    results = ResultsFile(folder)
    for number in numbers:
        results.append(line(number))
    results.close()
    return results.path


def reopened(folder: Path) -> list[GameResult]:
    results = ResultsFile(folder)
    results.close()
    return results.results


def test_what_was_appended_is_there_again(tmp_path: Path) -> None:
    fill(tmp_path / "new" / "folder", 0, 2)
    assert reopened(tmp_path / "new" / "folder") == [line(0), line(2)]


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    path = fill(tmp_path, 0, 1)
    path.write_bytes(path.read_bytes()[:-cut])
    results = ResultsFile(tmp_path)
    assert results.played == {0}
    results.append(line(1))
    results.close()
    assert reopened(tmp_path) == [line(0), line(1)]


def test_one_runner_at_a_time_holds_the_folder(tmp_path: Path) -> None:
    first = ResultsFile(tmp_path)
    with pytest.raises(BadInputError, match="another tournament is writing it"):
        ResultsFile(tmp_path)
    first.close()
    ResultsFile(tmp_path).close()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{\n", "games.jsonl:1: not JSON"),
        ("3\n", "games.jsonl:1: each line must be an object"),
        (f"{line_of(line(1))}\n" * 2, "games.jsonl:2: game 1 is already told"),
    ],
)
def test_a_file_that_is_not_ours_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "games.jsonl").write_text(text)
    with pytest.raises(BadInputError, match=complaint):
        ResultsFile(tmp_path)


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInputError, match="cannot be written"):
        ResultsFile(tmp_path / "file")
