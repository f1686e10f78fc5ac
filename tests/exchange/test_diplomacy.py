"""Saved games of the package `diplomacy`, both ways."""

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from exchange.diplomacy_names import our_place, our_unit, their_place, their_unit
from exchange.from_diplomacy import imported
from exchange.texts import daide_log
from exchange.to_diplomacy import saved_game
from grammar.parse import HIGHEST_LEVEL, Garbled, Unbalanced, reader_for
from grammar.representation import standard_representation
from grammar.text import from_text
from rules.errors import BadInputError
from rules.maps import load_map
from rules.places import Coast, Location
from tests.exchange.games import without_extras

DATA = Path(__file__).resolve().parents[1] / "data"
BOARD = load_map("standard")
Json = dict[str, Any]


@pytest.fixture
def record() -> Json:
    found: Json = json.loads((DATA / "page" / "record.json").read_text())
    return found


@pytest.fixture
def theirs() -> Json:
    found: Json = json.loads((DATA / "diplomacy_saved_game.json").read_text())
    return found


def test_every_place_has_a_name_there_and_back() -> None:
    places = [Location(province) for province in BOARD.provinces]
    places += [place for place in BOARD.fleet_borders if place.coast]
    assert [our_place(BOARD, their_place(place)) for place in places] == places
    assert their_place(our_place(BOARD, "ENG")) == "ENG"
    assert our_place(BOARD, "STP/SC") == Location(BOARD.province("STP"), Coast.SOUTH)


def test_units_are_read_with_and_without_the_mark_of_the_dislodged() -> None:
    unit = our_unit(BOARD, BOARD.power("RUS"), "*F STP/SC")
    assert their_unit(unit) == "F STP/SC"


def test_a_record_comes_back_as_it_was(record: Json) -> None:
    back = imported(saved_game(record))
    assert back.record == record
    assert back.differences == ()


def test_without_our_extras_the_same_turns_come_out_of_the_orders_alone(record: Json) -> None:
    back = imported(without_extras(saved_game(record)))
    assert back.differences == ()
    assert [each["position"] for each in back.record["turns"]] == [
        each["position"] for each in record["turns"]
    ]
    results = [
        [(each["order"], each.get("result"), each["dislodged"]) for each in turn["orders"]]
        for turn in back.record["turns"]
        if turn["turn"][0] in ("SPR", "FAL")
    ]
    assert results == [
        [(each["order"], each.get("result"), each["dislodged"]) for each in turn["orders"]]
        for turn in record["turns"]
        if turn["turn"][0] in ("SPR", "FAL")
    ]


def test_messages_go_to_each_recipient_and_what_all_others_hear_to_global(record: Json) -> None:
    said = [*record["press"], {**record["press"][-1], "sender": "FRA"}]
    said[-1]["recipients"] = ["AUS", "ENG", "GER", "ITA", "RUS", "TUR"]
    saved = saved_game({**record, "press": said})
    sent = [each for phase in saved["phases"] for each in phase["messages"]]
    assert len(sent) == sum(len(each["recipients"]) for each in record["press"]) + 1
    assert [each["sender"] for each in sent if each["recipient"] == "GLOBAL"] == ["FRANCE"]
    assert {each["sender"] for each in sent} <= set(saved["phases"][0]["state"]["units"])


def test_what_nobody_at_the_table_said_is_left_out_and_counted(theirs: Json) -> None:
    said = [("SYSTEM", "GLOBAL"), ("FRANCE", "OBSERVER"), ("FRANCE", "ENGLAND")]
    theirs["phases"][0]["messages"] = [
        {"sender": sender, "recipient": to, "message": "hello", "time_sent": number}
        for number, (sender, to) in enumerate(said)
    ]
    found = imported(theirs)
    assert found.unheard == 2
    first = theirs["phases"][0]["name"]
    assert first == "S1901M"
    heard = [each for each in found.record["press"] if each["turn"] == ["SPR", 1901]]
    assert [each["recipients"] for each in heard] == [["ENG"]]


def test_a_game_of_the_package_is_judged_alike(theirs: Json) -> None:
    found = imported(theirs)
    assert found.differences == ()
    turns = [each["turn"] for each in found.record["turns"]]
    assert turns[:3] == [["SPR", 1901], ["FAL", 1901], ["WIN", 1901]]
    assert found.record["press"][0]["text"].startswith("'it''s a deal")
    assert messages_of(saved_game(found.record)) == messages_of(theirs)
    assert any(
        " VIA " in each["order"] for turn in found.record["turns"] for each in turn["orders"]
    )


def messages_of(saved: Json) -> list[Json]:
    return [each for phase in saved["phases"] for each in phase["messages"]]


SAID = [
    "hello all",
    "PRP ( PCE ( ENG FRA ) )",
    "  PRP  (PCE(ENG FRA))",
    "two\nlines, 'quoted' \u20ac \u263a",
    "",
    "  ",
    "( ( (",
    "YES",
    "'",
]


@pytest.mark.parametrize("text", SAID)
@pytest.mark.parametrize("recipient", ["GLOBAL", "FRANCE"])
def test_every_message_of_the_package_goes_back_to_it_as_it_came(
    theirs: Json, text: str, recipient: str
) -> None:
    message = {"sender": "ENGLAND", "recipient": recipient, "phase": "S1901M", "message": text}
    theirs["phases"][0]["messages"] = [{**message, "time_sent": 1_600_000_000_123_457}]
    record = imported(theirs).record
    assert messages_of(saved_game(record))[0] == theirs["phases"][0]["messages"][0]
    read = reader_for(HIGHEST_LEVEL, standard_representation())
    for each in record["press"]:
        assert not isinstance(read.press(from_text(each["text"])), Garbled | Unbalanced)
    assert all(line.count("FRM") <= 1 for line in daide_log(record).splitlines())
    assert len(daide_log(record).splitlines()) == len(
        daide_log({**record, "press": []}).splitlines()
    ) + len(record["press"])


def test_a_message_in_the_words_of_daide_is_press(theirs: Json) -> None:
    message = {"sender": "ENGLAND", "recipient": "FRANCE", "phase": "S1901M", "time_sent": 1}
    theirs["phases"][0]["messages"] = [{**message, "message": each} for each in SAID[:3]]
    assert [each["text"] for each in imported(theirs).record["press"][:3]] == [
        "'hello all'",
        "PRP ( PCE ( ENG FRA ) )",
        "'  PRP  (PCE(ENG FRA))'",
    ]


def drawn(theirs: Json, note: str) -> Json:
    """Return a saved game that ended by a draw in its last phase, which nobody judged."""
    last = theirs["phases"][-1]
    last |= {"orders": {power: [] for power in last["state"]["units"]}, "results": {}}
    state = {**last["state"], "name": "COMPLETED", "note": note}
    end = {"name": "COMPLETED", "state": state, "orders": {}, "results": {}, "messages": []}
    return {**theirs, "phases": [*theirs["phases"], end]}


def test_a_draw_is_read_and_written_with_the_phase_that_nobody_judged(theirs: Json) -> None:
    turns = len(imported(theirs).record["turns"])
    saved = drawn(theirs, "Victory by: FRA, ENG")
    found = imported(saved)
    assert found.differences == ()
    assert len(found.record["turns"]) == turns
    told = found.record["ending"]
    assert (told["kind"], told["powers"]) == ("agreed-draw", ["ENG", "FRA"])
    assert (found.record["stage"], found.record["draw"]) == ("ended", ["ENG", "FRA"])
    back = saved_game(found.record)
    assert [each["name"] for each in back["phases"]] == [each["name"] for each in saved["phases"]]
    assert back["phases"][-1]["state"]["note"] == "Victory by: ENG, FRA"
    assert imported(back).record == found.record
    assert imported(without_extras(back)).record["ending"] == told


def test_positions_have_the_number_that_the_package_gives_them(theirs: Json) -> None:
    numbers = [each["state"]["zobrist_hash"] for each in theirs["phases"]]
    back = saved_game(imported(theirs).record)
    assert [each["state"]["zobrist_hash"] for each in back["phases"]] == numbers


def test_the_rule_that_lets_the_package_accept_an_end_by_agreement_stands_there(
    theirs: Json,
) -> None:
    rule = "DIFFERENT_ADJUDICATION"
    assert rule in saved_game(imported(drawn(theirs, "Victory by: FRA, ENG")).record)["rules"]
    assert rule not in saved_game(imported(theirs).record)["rules"]


def test_waived_builds_are_no_orders_there(record: Json) -> None:
    winter = {**record["start"], "turn": ["WIN", 1901], "units": {"FRA": ["A PAR"]}}
    order = {"power": "FRA", "order": "WVE", "result": "SUC", "dislodged": False}
    spring = {**winter, "turn": ["SPR", 1902]}
    turn = {"turn": ["WIN", 1901], "orders": [order], "position": spring}
    small = {**record, "start": winter, "turns": [turn], "press": []}
    saved = saved_game(small)
    assert saved["phases"][0]["orders"]["FRANCE"] == []
    assert imported(saved).record == small


@pytest.mark.parametrize(
    ("order", "there"),
    [
        ("F BLA S F CON - BUL", "F BLA S F CON - BUL"),
        ("A RUM S F CON - BUL", "A RUM S F CON - BUL/SC"),
        ("F BLA S F AEG - BUL", "F BLA S F AEG - BUL/SC"),
    ],
)
def test_supports_name_coasts_as_the_package_does(record: Json, order: str, there: str) -> None:
    units = {"TUR": ["F CON", "F BLA", "F AEG", "A RUM"]}
    position = {"turn": ["SPR", 1902], "units": units, "centers": {}, "dislodged": []}
    told = [("F CON - BUL/SCS", "SUC"), (order, "SUC")]
    orders = [
        {"power": "TUR", "order": each, "result": result, "dislodged": False}
        for each, result in told
    ]
    turn = {
        "turn": ["SPR", 1902],
        "orders": orders,
        "position": {**position, "turn": ["FAL", 1902]},
    }
    saved = saved_game({**record, "start": position, "turns": [turn], "press": []})
    assert there in saved["phases"][0]["orders"]["TURKEY"]


def test_a_solo_that_only_the_note_tells_is_believed(theirs: Json) -> None:
    found = imported(drawn(theirs, "Victory by: TUR")).record
    assert (found["winner"], found["draw"], found["ending"]["kind"]) == ("TUR", [], "solo")


def test_an_order_that_only_the_rules_gave_is_none_of_the_power_there(theirs: Json) -> None:
    given = {power: list(orders) for power, orders in theirs["phases"][0]["orders"].items()}
    given["FRANCE"] = []
    theirs["phases"] = theirs["phases"][:1]
    theirs["phases"][0] |= {"orders": given, "results": {}}
    found = imported({**theirs, "phases": [theirs["phases"][0], after_holds(theirs)]})
    assert saved_game(found.record)["phases"][0]["orders"]["FRANCE"] == []


def after_holds(theirs: Json) -> Json:
    state = {**theirs["phases"][0]["state"], "name": "F1901M"}
    return {"name": "F1901M", "state": state, "orders": {}, "results": {}, "messages": []}


def test_a_difference_is_told_and_the_saved_game_believed(theirs: Json) -> None:
    state = theirs["phases"][1]["state"]
    power, units = next((name, units) for name, units in state["units"].items() if units)
    state["units"][power] = units[1:]
    found = imported(theirs)
    assert [each.phase for each in found.differences][:1] == ["S1901M"]
    assert power[:3] in str(found.differences[0])
    assert len(found.record["turns"][0]["position"]["units"][power[:3]]) == len(units) - 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"map": "modern"}, "map: only standard can be imported, not 'modern'"),
        ({"phases": []}, "phases: there are none"),
        ({"phases": [{"name": "S1901M"}]}, "phases: S1901M: state is missing"),
        ({"phases": [{"name": "Q1", "state": {}}]}, "phases: Q1"),
    ],
)
def test_what_is_no_saved_game_is_refused_with_the_place(
    theirs: Json, change: Json, sentence: str
) -> None:
    with pytest.raises(BadInputError, match=sentence):
        imported({**theirs, **change})


def test_a_record_needs_no_import(record: Json) -> None:
    with pytest.raises(BadInputError, match=r"^this is a record of ours already"):
        imported(record)


def test_the_command_writes_a_record_a_line(
    theirs: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "games.jsonl", tmp_path / "records.jsonl"
    source.write_text(f"{json.dumps(theirs)}\n{json.dumps(theirs)}\n")
    assert main(["import", str(source), "--out", str(out)]) == 0
    assert [json.loads(line)["format"] for line in out.read_text().splitlines()] == [
        "daide-record-1"
    ] * 2
    assert capsys.readouterr().err.startswith("2 games, ")


def test_a_bad_game_among_many_is_left_out_with_a_sentence(
    theirs: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "games.jsonl", tmp_path / "records.jsonl"
    good = json.dumps(theirs)
    source.write_text("\n".join([json.dumps({"map": "modern"}), good, "{", "", good, "7", good]))
    assert main(["import", str(source), "--out", str(out)]) == 1
    assert len(out.read_text().splitlines()) == 3
    *told, last = capsys.readouterr().err.splitlines()
    assert [line.partition(f"{source}: ")[2] for line in told] == [
        "line 1: map: only standard can be imported, not 'modern'",
        "line 3: not JSON",
        "line 6: not a saved game, but int",
    ]
    assert last.startswith("3 games, ")
    assert last.endswith(", 3 refused")


def test_if_no_game_is_good_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "games.jsonl", tmp_path / "records.jsonl"
    source.write_text('{"map": "modern"}\n{"map": "pure"}\n')
    assert main(["import", str(source), "--out", str(out)]) == 2
    assert [line.partition("line ")[2][:8] for line in capsys.readouterr().err.splitlines()] == [
        "2: map: ",
        "1: map: ",
    ]
    assert [each.name for each in tmp_path.iterdir()] == ["games.jsonl"]


def test_a_game_on_many_lines_is_one_game(
    theirs: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "game.json"
    source.write_text(json.dumps(theirs, indent=2))
    assert main(["import", str(source)]) == 0
    assert capsys.readouterr().err.startswith("1 games, ")


@pytest.mark.parametrize("text", ["", "[1]", "{", "\x00"])
def test_bad_files_get_a_sentence(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "game.json"
    source.write_text(text)
    code = main(["import", str(source)])
    told = capsys.readouterr().err.splitlines()
    assert (code, len(told)) == (2, 1)


def test_a_file_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "no-such-file.json"]) == 2
    assert "no-such-file.json" in capsys.readouterr().err


def test_a_record_is_exported_by_the_command_and_read_back(
    record: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, saved = DATA / "page" / "record.json", tmp_path / "saved.json"
    assert main(["export", str(source), "--format", "diplomacy-json", "--out", str(saved)]) == 0
    assert main(["import", str(saved)]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == record


def test_the_log_holds_what_an_observer_hears_and_every_line_can_be_read(
    record: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(DATA / "page" / "record.json"), "--format", "daide-log"]) == 0
    lines = capsys.readouterr().out.splitlines()
    reader = reader_for(HIGHEST_LEVEL, standard_representation())
    kinds = Counter(type(reader.server(from_text(line))).__name__ for line in lines)
    assert kinds["PressReceived"] == len(record["press"])
    assert kinds["OrderOutcome"] == sum(len(turn["orders"]) for turn in record["turns"])
    assert kinds["Now"] == len(record["turns"]) + 1
    assert not {"Garbled", "Unbalanced"} & set(kinds)


def test_bytes_of_a_client_that_are_no_utf_8_come_out_as_they_came_in(
    record: Json, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    record["press"][0]["text"] = b"'caf\xe9'".decode("utf-8", "surrogateescape")
    source, out = tmp_path / "game.json", tmp_path / "game.log"
    source.write_text(json.dumps(record))
    assert main(["export", str(source), "--format", "daide-log"]) == 0
    assert main(["export", str(source), "--format", "daide-log", "--out", str(out)]) == 0
    assert b"( 'caf\xe9' )\n" in out.read_bytes()
    assert capsysbinary.readouterr().out.startswith(out.read_bytes())


def test_the_table_of_orders_has_a_row_each(
    record: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(DATA / "page" / "record.json"), "--format", "csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert len(rows) == sum(len(turn["orders"]) for turn in record["turns"])
    assert {row["note"] for row in rows} >= {"MBV"}


def test_a_turn_makes_no_sense_for_a_whole_game(capsys: pytest.CaptureFixture[str]) -> None:
    source = str(DATA / "page" / "record.json")
    assert main(["export", source, "--format", "csv", "--turn", "S1901M"]) == 2
    assert "--turn: csv holds the whole game" in capsys.readouterr().err


def test_every_message_has_a_time_of_its_own_for_the_package_keeps_one_for_each(
    record: Json,
) -> None:
    at_once = {**record, "press": [{**each, "time": 0.0} for each in record["press"]]}
    sent = [each for phase in saved_game(at_once)["phases"] for each in phase["messages"]]
    times = [each["time_sent"] for each in sent]
    assert len(set(times)) == len(times) > 1
    assert times == sorted(times)
    assert imported(saved_game(at_once)).record == at_once


def test_a_unit_that_cannot_retreat_is_off_the_board_there_and_has_no_order() -> None:
    out = {"power": "TUR", "unit": "F CON", "retreats": []}
    can = {"power": "RUS", "unit": "A SEV", "retreats": ["MOS"]}
    position = {"turn": ["SUM", 1902], "units": {}, "centers": {}, "dislodged": [out, can]}
    orders = [
        {"power": "TUR", "order": "F CON DSB", "result": "SUC", "dislodged": False},
        {"power": "RUS", "order": "A SEV RTO MOS", "result": "SUC", "dislodged": False},
    ]
    after = {"turn": ["FAL", 1902], "units": {"RUS": ["A MOS"]}, "centers": {}, "dislodged": []}
    base = json.loads((DATA / "page" / "record.json").read_text())
    turn = {"turn": ["SUM", 1902], "orders": orders, "position": after}
    record = {**base, "start": position, "turns": [turn], "press": []}
    saved = saved_game(record)
    assert saved["phases"][0]["orders"]["TURKEY"] == []
    assert saved["phases"][0]["results"] == {"A SEV": []}
    back = imported(without_extras(saved))
    assert back.differences == ()
    assert [each["order"] for each in back.record["turns"][0]["orders"]] == ["A SEV RTO MOS"]
    assert imported(saved).record == record


def test_a_fleet_that_would_carry_an_army_which_walks_holds_there(record: Json) -> None:
    position = {
        "turn": ["SPR", 1902],
        "units": {"ITA": ["A ROM", "A TUS", "F TYS"]},
        "centers": {},
        "dislodged": [],
    }
    told = [("A ROM - TUS", "BNC"), ("A TUS - ROM", "BNC"), ("F TYS C A ROM - TUS", "NSO")]
    orders = [
        {"power": "ITA", "order": order, "result": result, "dislodged": False}
        for order, result in told
    ]
    turn = {
        "turn": ["SPR", 1902],
        "orders": orders,
        "position": {**position, "turn": ["SUM", 1902]},
    }
    small = {**record, "start": position, "turns": [turn], "press": []}
    saved = saved_game(small)
    assert saved["phases"][0]["orders"]["ITALY"] == ["A ROM - TUS", "A TUS - ROM", "F TYS H"]
    assert saved["phases"][0]["results"] == {"A ROM": ["bounce"], "A TUS": ["bounce"], "F TYS": []}
    assert imported(saved).record == small


def test_what_is_ours_in_a_saved_game_may_be_damaged() -> None:
    record = json.loads((DATA / "page" / "record.json").read_text().partition("\n")[0])
    saved = saved_game(record)
    saved["phases"][0]["daide"]["press"] = True
    with pytest.raises(BadInputError, match=r"^daide: parts of it are missing or wrong"):
        imported(saved)


def odd(theirs: Json, key: str, value: object, *, of_state: bool = False) -> Json:
    phase = theirs["phases"][1]
    (phase["state"] if of_state else phase)[key] = value
    return theirs


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("name", None, "phases: number 2: name is missing, where a text is needed"),
        ("name", "S19O1M", "no such turn: 'S19O1M'; write it like S1901M"),
        ("name", "S99999999999M", "S99999999999M cannot be the next phase"),
        ("name", "S1899M", "S1899M cannot be the next phase"),
        ("state", 7, "state is 7, where an object is needed"),
        ("orders", [1], "orders is [1], where an object is needed"),
        ("orders", {"FRANCE": [3]}, "orders.FRANCE is 3, where a text is needed"),
        ("orders", {"FRANCE": ["A"]}, "not an order: 'A'"),
        ("results", {"A PAR": 4}, "results.A PAR is 4, where a list is needed"),
        ("messages", ["x"], "messages.0 is 'x', where an object is needed"),
        ("messages", [{}], "messages.0.sender is missing, where a text is needed"),
        (".units", None, "state.units is missing, where an object is needed"),
        (".units", {"FRANCE": ["A PAR", "F PAR"]}, "state.units: 2 units in PAR"),
        (".centers", {"FRANCE": ["BUR"]}, "state.centers.FRANCE: BUR is no center"),
        (".centers", {"FRANCE": ["PAR"], "ITALY": ["PAR"]}, "ITALY: PAR has two owners"),
    ],
)
def test_an_odd_phase_is_told_in_one_sentence_without_names_of_exceptions(
    theirs: Json, key: str, value: object, sentence: str
) -> None:
    saved = odd(theirs, key.lstrip("."), value, of_state=key.startswith("."))
    with pytest.raises(BadInputError) as told:
        imported(saved)
    assert sentence in str(told.value)
    assert "Error" not in str(told.value)


def test_a_saved_game_whose_part_of_ours_is_broken_is_refused(theirs: Json) -> None:
    with pytest.raises(BadInputError, match=r"^daide: parts of it are missing or wrong"):
        imported({**theirs, "daide": {}})


def test_messages_to_those_who_only_look_on_are_passed_over(theirs: Json) -> None:
    before = len(imported(theirs).record["press"])
    message = {"sender": "FRANCE", "phase": "S1901M", "message": "hello", "time_sent": None}
    theirs["phases"][0]["messages"] = [
        *(theirs["phases"][0]["messages"] or []),
        *({**message, "recipient": name} for name in ("OBSERVER", "OMNISCIENT", "ENGLAND")),
    ]
    assert len(imported(theirs).record["press"]) == before + 1
