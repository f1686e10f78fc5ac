import json
from pathlib import Path
from typing import Any

import pytest

from rules.errors import BadInputError
from tests.tournament.simulated import SMALL, Plan, tournament, write_tournament
from tournament.game_result import VERSION, result_from_json, result_to_json, years_of
from tournament.report import main
from tournament.results_file import ResultsFile, read_results

ONE = tournament(Plan(SMALL.kinds, SMALL.fields, games=1))[2]

PROMISE = {"kind": "peace", "maker": "AUS", "to": ["ENG"], "made": ["SPR", 1901], "verdict": "kept"}
OFFER = {"turn": ["SPR", 1901], "sender": "AUS", "to": "ENG", "kind": "peace", "answer": "yes"}


def written(directory: Path, *lines: object) -> Path:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (directory / "games.jsonl").write_text("\n".join(texts) + "\n")
    return directory


def complaint(directory: Path) -> str:
    with pytest.raises(BadInputError) as caught:
        main([str(directory)])
    return str(caught.value)


def test_games_are_read_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    lines = tournament(SMALL)
    games = read_results(written(tmp_path, *reversed(lines)))
    assert [game.number for game in games] == [line["game"] for line in lines]
    assert games[0].centers[1900]["RUS"] == 4
    assert sum(map(len, games[0].seats.values())) == 7


def test_scores_are_worked_out_anew(tmp_path: Path) -> None:
    [game] = read_results(written(tmp_path, {**ONE, "scores": {"AUS": {"solo": 99}}}))
    assert set(game.scores) == set(game.players)
    assert game.scores["AUS"]["solo"] in (0, 1)


def test_a_stranger_name_cannot_command_a_terminal(tmp_path: Path) -> None:
    players = {**ONE["players"], "AUS": "\x9b31mred\x1b[2J"}
    [game] = read_results(written(tmp_path, {**ONE, "players": players}))
    assert game.players["AUS"] == r"\x9b31mred\x1b[2J"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert f"{tmp_path / 'games.jsonl'}: no such file" in complaint(tmp_path)


def test_an_empty_file_is_no_tournament(tmp_path: Path) -> None:
    assert "holds no game" in complaint(written(tmp_path, ""))


def test_a_torn_line_is_named_with_its_number(tmp_path: Path) -> None:
    write_tournament(tmp_path, Plan(SMALL.kinds, SMALL.fields, games=1))
    path = tmp_path / "games.jsonl"
    first, *others = path.read_text().splitlines(keepends=True)
    path.write_text("".join((first[:-200] + "\n", *others)))
    assert f"{path}:1: not JSON" in complaint(tmp_path)


def test_a_last_line_without_its_end_is_no_game_yet(tmp_path: Path) -> None:
    write_tournament(tmp_path, Plan(SMALL.kinds, SMALL.fields, games=1))
    whole = read_results(tmp_path)
    path = tmp_path / "games.jsonl"
    path.write_text(path.read_text()[:-200])
    assert read_results(tmp_path) == whole[:-1]


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl").write_bytes(b"\xff\xfe\x00")
    assert "cannot be read" in complaint(tmp_path)


def test_a_game_told_twice_is_not_counted_twice(tmp_path: Path) -> None:
    assert ":2: game 3 is already told" in complaint(written(tmp_path, ONE, ONE))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"outcome": "victory"}, "outcome: 'victory' is not one of solo, draw"),
        ({"players": None}, "players: must be an object, not null"),
        ({"players": {"AUS": 3}}, "players: AUS must be a text, not a whole number"),
        ({"players": {}}, "players: nobody plays"),
        ({"seed": "7"}, "seed: must be a whole number, not a text"),
        ({"seed": True}, "seed: must be a whole number"),
        ({"winners": ["XXX"], "outcome": "draw"}, "winners: 'XXX' does not play"),
        ({"winners": [], "outcome": "solo"}, "winners: a solo cannot have 0"),
        ({"centers": {}}, "centers: no year is told"),
        ({"centers": {"soon": {}}}, "centers: 'soon' is not a year"),
        ({"centers": {"1901": {"AUS": 3}}}, "centers of 1901: not the powers of players"),
        ({"centers": {"1901": [3]}}, "centers of 1901: must be an object, not a list"),
        ({"promises": [{"kind": "peace"}]}, "promises: entry 1 needs kind, made, maker"),
        ({"promises": {}}, "promises: must be a list, not an object"),
        (
            {"stabs": [{"turn": ["FAL", 1901], "by": "AUS", "victim": "XXX"}]},
            "stabs: entry 1: 'XXX' does not play",
        ),
        (
            {"promises": [{**PROMISE, "to": "ENG"}]},
            "promises: entry 1: to must be a list",
        ),
        ({"promises": [{**PROMISE, "ended": 3}]}, "promises: entry 1: ended must be a season"),
        ({"promises": [{**PROMISE, "verdict": []}]}, "promises: entry 1: verdict must be a text"),
        ({"offers": [{**OFFER, "to": ["ENG"]}]}, "offers: entry 1: to must be a power, not a list"),
        (
            {"stabs": [{"turn": 1901, "by": "AUS", "victim": "ENG"}]},
            "stabs: entry 1: turn must be a season and a year",
        ),
        (
            {"stabs": [{"turn": ["FAL", 1901], "by": "AUS", "victim": "ENG", "centers": [1]}]},
            "stabs: entry 1: centers must be two numbers",
        ),
    ],
)
def test_a_malformed_line_is_named_with_what_is_wrong(
    change: dict[str, Any], words: str, tmp_path: Path
) -> None:
    sentence = complaint(written(tmp_path, {**ONE, "game": 1}, {**ONE, **change}))
    assert f"{tmp_path / 'games.jsonl'}:2: {words}" in sentence


@pytest.mark.parametrize("key", ["game", "field", "seed", "players", "outcome", "year", "centers"])
def test_a_missing_key_is_named(key: str, tmp_path: Path) -> None:
    line = {name: value for name, value in ONE.items() if name != key}
    assert f":1: '{key}' is missing" in complaint(written(tmp_path, line))


@pytest.mark.parametrize(
    ("version", "told"),
    [(None, "has no version"), (1, "is of version 1"), ("3", "is of version '3'")],
)
def test_a_line_of_another_version_is_refused(version: object, told: str, tmp_path: Path) -> None:
    line = {**ONE, "game": 1, "version": version}
    sentence = complaint(written(tmp_path, ONE, line))
    assert (
        f"{tmp_path / 'games.jsonl'}:2: the line {told}, and this daide reads version 2" in sentence
    )
    with pytest.raises(BadInputError, match=":2: the line"):
        ResultsFile(tmp_path)


def test_a_result_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    [result] = read_results(written(tmp_path, ONE))
    assert result_from_json(json.loads(json.dumps(result_to_json(result)))) == result


def test_a_line_that_is_no_object_is_named(tmp_path: Path) -> None:
    assert ":2: each line must be an object" in complaint(written(tmp_path, ONE, [1]))


def test_aborted_games_need_no_result_and_have_none(tmp_path: Path) -> None:
    aborted = {"version": VERSION, "game": 9, "field": "x", "seed": 9, "players": ONE["players"]}
    aborted |= {"outcome": "aborted", "error": "the server stopped"}
    one, other = read_results(written(tmp_path, ONE, aborted))
    assert (one.is_counted, other.is_counted) == (True, False)
    assert "all 1 games were aborted" in complaint(written(tmp_path, aborted))


def test_what_older_files_lack_is_taken_for_empty(tmp_path: Path) -> None:
    bare = ("promises", "offers", "stabs", "faults", "press", "eliminated", "scores", "seconds")
    line = {name: value for name, value in ONE.items() if name not in bare}
    [game] = read_results(written(tmp_path, line))
    assert (game.promises, game.stabs, game.seconds) == ([], [], 0.0)


def test_a_turn_is_a_part_of_its_year() -> None:
    assert [years_of([season, 1901]) for season in ("SPR", "FAL", "WIN")] == [1901, 1901.5, 1902]
