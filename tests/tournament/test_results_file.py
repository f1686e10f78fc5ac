from pathlib import Path

import pytest
from attrs import evolve

from rules.errors import BadInputError
from tests.tournament.playing import lagoon_jobs
from tests.tournament.tiny import game
from tournament.game_result import GameResult
from tournament.play_job import aborted_result
from tournament.results_file import (
    ResultsFile,
    keep_record,
    line_of,
    read_results,
    record_path,
    remove_unfinished,
)

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


@pytest.mark.parametrize("cut", [2, 10, 200])
def test_a_torn_last_line_is_passed_over_by_who_only_reads(tmp_path: Path, cut: int) -> None:
    path = fill(tmp_path, 0, 1)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert read_results(tmp_path) == [line(0)]
    path.write_bytes(whole[: whole.index(b"\n") - cut] + whole[whole.index(b"\n") :])
    with pytest.raises(BadInputError, match=r"games\.jsonl:1: not JSON"):
        read_results(tmp_path)


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


def test_a_record_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    path = record_path(tmp_path, 3)
    path.parent.mkdir()
    torn = path.with_name(f"{path.name}.part")
    torn.write_bytes(b"half a rec")
    assert not path.exists()
    remove_unfinished(tmp_path)
    assert not torn.exists()
    kept = evolve(game(3, {"FRA": "a", "ENG": "b"}, {"FRA": 4, "ENG": 2}), record=b"whole")
    keep_record(tmp_path, kept)
    assert [(each.name, each.read_bytes()) for each in path.parent.iterdir()] == [
        (path.name, b"whole")
    ]


def test_a_game_whose_line_was_lost_is_played_again_and_its_record_replaced(tmp_path: Path) -> None:
    lost = evolve(game(0, {"FRA": "a", "ENG": "b"}, {"FRA": 4, "ENG": 2}), record=b"first")
    keep_record(tmp_path, lost)
    results = ResultsFile(tmp_path)
    assert results.played == set()
    results.append(evolve(lost, record=b"again"))
    results.close()
    assert record_path(tmp_path, 0).read_bytes() == b"again"


def test_a_record_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "records").write_text("in the way")
    results = ResultsFile(tmp_path)
    kept = evolve(game(0, {"FRA": "a", "ENG": "b"}, {"FRA": 4, "ENG": 2}), record=b"whole")
    with pytest.raises(BadInputError, match=r"game-000000\.json\.gz: cannot be written"):
        results.append(kept)
    results.close()
    with pytest.raises(BadInputError, match="holds no game"):
        read_results(tmp_path)
