import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from cli.main import main
from tests.tournament.tiny import game
from tournament.matrix import by_strength, cells_of, markdown, told
from tournament.matrix_picture import picture
from tournament.results_file import read_results

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")


def one_against(one: str, six: str, number: int, centers: int) -> Any:
    players = {power: one if power == "FRA" else six for power in POWERS}
    rest = dict.fromkeys(POWERS, (34 - centers) // 6)
    return game(number, players, {**rest, "FRA": centers})


def matrix(folder: Path, *arguments: str) -> int:
    return main(["tournament", "matrix", "--out", str(folder), "--jobs", "1", *arguments])


def test_a_cell_is_the_mean_of_the_one_with_its_interval() -> None:
    games = [one_against("a", "b", number, centers) for number, centers in enumerate((10, 4))]
    (cell,) = cells_of(games)
    assert (cell.one, cell.six, cell.games, cell.centers) == ("a", "b", 2, 7.0)
    first, second = (100 / (100 + 6 * 16), 16 / (16 + 6 * 25))
    assert cell.score.value == pytest.approx((first + second) / 2)
    assert cell.score.low is not None
    assert cell.score.low < cell.score.value
    assert told(cell).startswith(f"{cell.score.value:.3f} [")


def test_games_of_other_lineups_do_not_count() -> None:
    players = {power: "a" if power < "GER" else "b" for power in POWERS}
    assert cells_of([game(1, players, dict.fromkeys(POWERS, 4))]) == []


def test_rows_come_by_strength_and_missing_pairs_are_empty() -> None:
    games = [one_against("a", "b", 1, 4), one_against("b", "a", 2, 16), one_against("b", "c", 3, 9)]
    cells = cells_of(games)
    assert by_strength(cells) == ["b", "a", "c"]
    head, _, first, second = markdown(cells).strip().splitlines()
    assert head == "| one \\ six | b | a | c |"
    assert first.startswith("| b |  | 0.")
    assert second.endswith("|  |  |")


def test_the_picture_is_an_image_that_says_each_score() -> None:
    scores = {("a", "b<"): (0.5, "0.500, 7 games"), ("b<", "a"): (0.1, "0.100, 7 games")}
    drawn = ET.fromstring(picture(["a", "b<"], scores))
    texts = [text for each in drawn.iter() if (text := each.text)]
    assert {"0.50", "0.10", "6 b<", "a"} <= set(texts)
    assert "one a, six b<: 0.500, 7 games" in texts


def test_a_matrix_is_played_told_and_finished_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("--players", "holdbot,dumbbot", "--games", "7", "--last-year", "1901")
    assert matrix(tmp_path, *asked, "--json") == 0
    told_once = json.loads(capsys.readouterr().out)
    assert told_once["games"] == 14
    cells = {(cell["one"], cell["six"]): cell for cell in told_once["cells"]}
    assert cells["dumbbot", "holdbot"]["centers"] > cells["holdbot", "dumbbot"]["centers"]
    seats = [
        next(p for p, bot in game.players.items() if bot == "dumbbot")
        for game in read_results(tmp_path)
        if len(game.seats["dumbbot"]) == 1
    ]
    assert sorted(seats) == sorted(POWERS), "every seat once"
    ET.parse(tmp_path / "matrix.svg")
    assert "| dumbbot |" in (tmp_path / "matrix.md").read_text()
    assert matrix(tmp_path, *asked, "--json") == 2
    capsys.readouterr()
    assert matrix(tmp_path, *asked, "--resume", "--json") == 0
    assert json.loads(capsys.readouterr().out) == told_once


def test_games_of_another_folder_make_further_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    short = ("--games", "7", "--last-year", "1901", "--json")
    assert matrix(one, "--players", "dumbbot", "--against", "holdbot", *short) == 0
    capsys.readouterr()
    copy = tmp_path / "copy.svg"
    more = ("--also", str(one), "--picture", str(copy))
    assert matrix(two, "--players", "dbrane", "--against", "holdbot", *short, *more) == 0
    cells = json.loads(capsys.readouterr().out)["cells"]
    assert [(cell["one"], cell["six"]) for cell in cells] == [
        ("dbrane", "holdbot"),
        ("dumbbot", "holdbot"),
    ]
    assert copy.read_text() == (two / "matrix.svg").read_text()
