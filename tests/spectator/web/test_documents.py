"""The documents of a game, from its record: what each reader gets, and what nobody gets.

`python tests/spectator/web/test_documents.py` writes the samples anew.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rules.errors import BadInputError
from server.record_file import read_record
from spectator.web.chronicle import Chronicle
from spectator.web.facts_from_record import chronicle_of
from spectator.web.views import fold

DATA = Path(__file__).resolve().parents[2] / "data" / "page"
READERS = ("public", "all", "FRA")


def sample() -> Chronicle:
    return chronicle_of(read_record(DATA / "record.json"), "record.json")


def texts_in(value: object) -> list[str]:
    """Return every text anywhere in a JSON value."""
    if isinstance(value, dict):
        return [text for each in value.values() for text in texts_in(each)]
    if isinstance(value, list):
        return [text for each in value for text in texts_in(each)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("reader", READERS)
def test_the_samples_are_what_is_made_of_the_record(reader: str) -> None:
    kept = json.loads((DATA / f"game-{reader}.json").read_text())
    assert kept == sample().document(reader)


@pytest.mark.parametrize("reader", READERS)
def test_a_document_is_what_its_messages_amount_to(reader: str) -> None:
    view = sample().views[reader]
    document: dict[str, Any] = {"turns": [], "promises": [], "stabs": []}
    for message in json.loads(json.dumps(view.messages)):
        fold(document, message)
    assert document | {"press": view.document["press"]} == view.document


def test_the_public_gets_no_press_no_promise_and_no_name_before_the_end() -> None:
    view = sample().views["public"]
    before_the_end = [each for each in view.messages if each["event"] != "result"]
    assert {each["event"] for each in before_the_end} == {"lobby", "start", "phase", "turn"}
    texts = texts_in(before_the_end)
    assert not [text for text in texts if "PRP" in text or "banker" in text or "propose" in text]


def test_a_seat_gets_the_press_that_it_sent_or_heard_and_no_other() -> None:
    chronicle = sample()
    everything = chronicle.views["all"].messages
    said = [each["press"] for each in everything if each["event"] == "press"]
    france = chronicle.views["FRA"].messages
    heard = [each["press"] for each in france if each["event"] == "press"]
    wanted = [each["text"] for each in said if "FRA" in (each["from"], *each["to"])]
    assert [each["text"] for each in heard] == wanted
    assert 0 < len(wanted) < len(said)
    for each in chronicle.document("FRA")["promises"]:
        assert "FRA" in (each["maker"], *each["to"])


@pytest.mark.parametrize("reader", ["all", "FRA"])
def test_numbers_of_press_and_promises_have_no_gaps_for_any_reader(reader: str) -> None:
    document = sample().document(reader)
    press = [each for turn in document["turns"] for each in turn["press"]]
    assert [each["id"] for each in press] == list(range(1, len(press) + 1))
    promises = [each["id"] for each in document["promises"]]
    assert sorted(promises) == list(range(1, len(promises) + 1))
    assert all(each.get("re", 0) < each["id"] for each in press)


def test_an_answer_names_what_it_answers_and_a_promise_what_made_it() -> None:
    document = sample().document("all")
    press = {each["id"]: each for turn in document["turns"] for each in turn["press"]}
    answers = [each for each in press.values() if each["kind"] in ("YES", "REJ")]
    assert answers
    for each in answers:
        quoted = press[each["re"]]
        assert each["text"] == f"{each['kind']} ( {quoted['text']} )"
        assert quoted["from"] in each["to"]
    assert document["promises"]
    for promise in document["promises"]:
        assert press[promise["sealed"]]["kind"] == "YES"


def test_every_order_has_a_reason_and_a_move_that_arrives_its_strength() -> None:
    orders = [each for turn in sample().document("public")["turns"] for each in turn["orders"]]
    assert [each for each in orders if not each[4]] == []
    supported = [each for each in orders if each[3] is not None and each[3] >= 2]
    assert supported
    assert all(" - " in each[1] for each in supported)


def test_a_dislodged_unit_says_from_where_it_was_attacked() -> None:
    turns = sample().document("public")["turns"]
    out = [each for turn in turns for each in turn["after"]["dislodged"]]
    assert {name: out[1][name] for name in ("power", "unit", "from", "convoyed")} == {
        "power": "AUS",
        "unit": "F TRI",
        "from": "VEN",
        "convoyed": False,
    }


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"format": "daide-record-9"}', "daide-record-9"),
        ('{"format": "daide-record-1"}', "damaged"),
        ("{}", "no record"),
        ("[]", "no record"),
        ("\x7fELF", "not JSON"),
        ("", "is empty"),
    ],
)
def test_what_is_no_record_is_refused_with_the_file(
    tmp_path: Path, text: str, complaint: str
) -> None:
    path = tmp_path / "game.json"
    path.write_text(text)
    with pytest.raises(BadInputError, match=complaint) as refused:
        chronicle_of(read_record(path), str(path))
    assert "game.json" in str(refused.value)


def test_a_record_that_is_not_there_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match=r"none\.json"):
        read_record(tmp_path / "none.json")


if __name__ == "__main__":
    for each in READERS:
        text = json.dumps(sample().document(each), separators=(",", ":"))
        (DATA / f"game-{each}.json").write_text(text + "\n")
    (DATA / "card.json").write_text(json.dumps(sample().card(), separators=(",", ":")) + "\n")
