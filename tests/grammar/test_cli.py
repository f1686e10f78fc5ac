import io
import json
from typing import Any

import pytest

from cli.main import main


def run(
    capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[int, list[dict[str, Any]], str]:
    code = main(["parse", *arguments])
    out, err = capsys.readouterr()
    return code, [json.loads(line) for line in out.splitlines()], err


def test_a_correct_message_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    code, (report,), _ = run(capsys, "snd (eng)(prp(pce(eng fra)))")
    assert code == 0
    assert report["ok"] is True
    assert report["level"] == 10
    assert report["kind"] == "SND"
    assert report["text"] == "SND ( ENG ) ( PRP ( PCE ( ENG FRA ) ) )"
    assert report["english"] == "The client proposes to England: peace between England and France."
    assert report["tree"] == {
        "class": "SendPress",
        "recipients": ["ENG"],
        "press": {
            "class": "Propose",
            "arrangement": {"class": "Peace", "powers": ["ENG", "FRA"]},
        },
        "turn": None,
        "number": None,
    }


def test_what_is_above_the_level_is_an_error_as_in_a_game(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = "SND ( GER ) ( PRP ( XDO ( ( ENG AMY LVP ) HLD ) ) )"
    code, (report,), _ = run(capsys, "--level", "10", text)
    assert code == 1
    assert report == {
        "ok": False,
        "error": "HUH",
        "at": 7,
        "reply": "HUH ( SND ( GER ) ( PRP ( ERR XDO ( ( ENG AMY LVP ) HLD ) ) ) )",
    }


def test_unbalanced_brackets_give_prn(capsys: pytest.CaptureFixture[str]) -> None:
    code, (report,), _ = run(capsys, "SUB ( ( ENG AMY LVP ) HLD")
    assert code == 1
    assert (report["error"], report["reply"]) == ("PRN", "PRN ( SUB ( ( ENG AMY LVP ) HLD )")


def test_messages_of_servers_are_read_too(capsys: pytest.CaptureFixture[str]) -> None:
    code, reports, _ = run(capsys, "MIS ( 1 )", "NOT ( CCD ( TUR ) )", "OFF")
    assert code == 0
    assert [report["kind"] for report in reports] == ["MIS", "NOT", "OFF"]


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("GOF", 0),
        ("DRW ( ENG GER )", 10),
        ("SND ( GER ) ( PRP ( AND ( DRW ) ( DRW ) ) )", 30),
        ("SND ( GER ) ( PRP ( NOT ( AND ( DRW ) ( DRW ) ) ) )", 50),
        ("SND ( GER ) ( IDK ( PRP ( DRW ) ) )", 130),
        ("SND ( GER ) ( 'hello' )", 8000),
    ],
)
def test_the_lowest_level_of_a_message_is_told(
    capsys: pytest.CaptureFixture[str], text: str, level: int
) -> None:
    _, (report,), _ = run(capsys, text)
    assert report["level"] == level


def test_every_line_of_standard_input_gives_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("GOF\n\nSND ( XYZ )\nDRW"))
    code, reports, err = run(capsys)
    assert code == 2
    good, empty, unknown, last = reports
    assert (good["kind"], last["kind"]) == ("GOF", "DRW")
    assert empty == {"ok": False, "error": "HUH", "at": 0, "reply": "HUH ( ERR )"}
    assert unknown == {
        "ok": False,
        "error": "TEXT",
        "at": 2,
        "reply": None,
        "word": "XYZ",
        "column": 7,
        "why": "no such word: 'XYZ' at column 7",
    }
    assert err == "daide parse: line 3: no such word: 'XYZ' at column 7\n"


@pytest.mark.parametrize(
    ("text", "word", "at", "column"),
    [
        ("NME ( 'it''s' ) ( 'open", "'", 8, 19),
        ("HST ( SPR 19010 )", "19010", 3, 11),
        ("FRA:", "FRA:", 0, 1),
    ],
)
def test_what_is_no_token_is_named_with_its_place(
    capsys: pytest.CaptureFixture[str], text: str, word: str, at: int, column: int
) -> None:
    code, (report,), _ = run(capsys, text)
    assert code == 2
    assert (report["error"], report["word"]) == ("TEXT", word)
    assert (report["at"], report["column"]) == (at, column)


def test_a_wrong_level_lists_the_levels(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "--level", "15", "GOF")
    assert code == 2
    assert err.startswith("daide parse: --level: no such press level: 15; choose one of 0, 10, 20")
    assert err.count("\n") == 1


def test_bytes_that_are_no_utf8_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, (report,), _ = run(capsys, "NME ( 0x4BFF ) ( 'x' )")
    assert code == 0
    assert report["tree"]["name"] == "\udcff"
