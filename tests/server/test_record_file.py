"""Records of games as files."""

import json
from pathlib import Path

import pytest

from rules.errors import BadInputError
from server.record_file import RECORD_FORMAT, read_record


def record(name: str, **changes: object) -> str:
    whole = {
        "format": RECORD_FORMAT,
        "setup": {"name": name},
        "start": {},
        "turns": [],
        "players": {},
    }
    return json.dumps({**whole, **changes})


def test_a_file_may_hold_many_games(tmp_path: Path) -> None:
    path = tmp_path / "games.json"
    path.write_text(record("one") + "\n\n" + record("two") + "\n")
    assert read_record(path)["setup"]["name"] == "one"
    assert read_record(path, "two")["setup"]["name"] == "two"
    with pytest.raises(BadInputError, match="has no game 'three', only one, two"):
        read_record(path, "three")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("{", "line 1: is no record of a game: it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "is no record of a game"),
        ("{}", "is no record of a game; `daide play --record` makes one"),
        ('{"phases": []}', "is no record of a game; `daide import` makes one of it"),
        (record("x", format="daide-record-0"), "format 'daide-record-0'; this version reads"),
        (record("x", turns={}), "damaged: 'turns' is missing"),
    ],
)
def test_what_is_no_record_is_refused_with_file_and_reason(
    tmp_path: Path, text: str, complaint: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(text)
    with pytest.raises(BadInputError, match=complaint) as caught:
        read_record(path)
    assert str(path) in str(caught.value)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInputError, match="it is not text"):
        read_record(path)
