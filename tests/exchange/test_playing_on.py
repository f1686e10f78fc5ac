"""Recorded and imported games are played on from any turn: moves, retreats and builds."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from cli.main import main
from exchange.to_diplomacy import saved_game
from matches import play
from rules.errors import BadInputError
from rules.position_json import position_to_json, turn_from_json
from rules.turns import Phase, turn_from_code
from server.config import read_config
from server.record import resume_from_file
from server.settings import GameSettings
from tests.exchange.games import random_record, without_extras
from tests.server.hosting import hosting


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("recorded") / "game.json"
    path.write_text(json.dumps(random_record(2)))
    return path


@pytest.fixture(scope="module")
def imported_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a game as the package would have saved it: without what only we know of it."""
    folder = tmp_path_factory.mktemp("imported")
    saved, path = folder / "saved.json", folder / "game.json"
    saved.write_text(json.dumps(without_extras(saved_game(random_record(2)))))
    assert main(["import", str(saved), "--out", str(path)]) == 0
    return path


def positions_of(path: Path) -> list[dict[str, Any]]:
    record = json.loads(path.read_text())
    return [record["start"], *(turn["position"] for turn in record["turns"])]


@pytest.mark.parametrize("kind", ["recorded", "imported_game"])
def test_every_turn_can_be_played_on(kind: str, request: pytest.FixtureRequest) -> None:
    path: Path = request.getfixturevalue(kind)
    phases = set()
    for position in positions_of(path):
        turn = turn_from_json(position["turn"])
        setup = resume_from_file(str(path), turn)
        assert setup.start is not None
        assert position_to_json(setup.start) == position
        game = play(["randombot"] * 7, start=setup.start, press_level=0, last_year=turn.year)
        assert game.positions[0] == setup.start
        assert not game.faults
        if game.turns:
            phases.add(game.turns[0].turn.phase)
            assert game.turns[0].turn == turn
    assert phases == set(Phase)


def test_the_command_plays_an_imported_game_on(
    imported_game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = positions_of(imported_game)[2]
    turn = turn_from_json(start["turn"])
    record = tmp_path / "on.json"
    code = main(
        [
            *("play", "--resume", str(imported_game), "--turn", turn.code.lower(), "--json"),
            *("--bots", "holdbot*7", "--press-level", "0", "--last-year", str(turn.year)),
            *("--record", str(record)),
        ]
    )
    assert code == 0
    assert json.loads(capsys.readouterr().out)["outcome"] == "year-limit"
    played = json.loads(record.read_text())
    assert played["start"] == start
    assert played["turns"][0]["turn"] == start["turn"]
    assert played["setup"]["name"].endswith(f"from {turn}")


def test_a_compressed_record_of_a_tournament_is_played_on(recorded: Path, tmp_path: Path) -> None:
    packed = tmp_path / "game-000000.json.gz"
    packed.write_bytes(gzip.compress(recorded.read_bytes()))
    turn = turn_from_code("S1902M")
    assert resume_from_file(str(packed), turn) == resume_from_file(str(recorded), turn)
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(BadInputError, match="cannot be read: it was cut off or damaged"):
        resume_from_file(str(packed), turn)


async def test_a_server_keeps_the_rules_of_a_record_but_for_what_it_is_told(recorded: Path) -> None:
    options = {"resume": str(recorded), "turn": "F1902M", "port": 0, "store": ":memory:"}
    plain = read_config(dict(options), None)
    async with hosting(plain) as hosted:
        [room] = hosted.host.rooms
        assert str(room.game.position.turn) == "FAL 1902"
        assert room.game.settings.last_year == 1907
        assert room.game.settings.level == 20
    told = read_config({**options, "last-year": 1910, "press-level": 10}, None)
    async with hosting(told) as hosted:
        [room] = hosted.host.rooms
        assert (room.game.settings.last_year, room.game.settings.level) == (1910, 10)
        assert room.game.settings.press_rounds == 6


def test_settings_that_nobody_chose_are_not_taken_for_chosen(recorded: Path) -> None:
    config = read_config({"resume": str(recorded), "turn": "FAL 1902"}, None)
    assert config.chosen == frozenset()
    assert config.settings == evolve(
        GameSettings(), movement_limit=300, retreat_limit=120, build_limit=120
    )
