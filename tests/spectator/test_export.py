"""`daide export`: pictures of a recorded game."""

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from cli.main import main
from rules.maps import load_map
from rules.position_json import position_to_json
from spectator.stills import THEMES, stylesheet

pytest.importorskip("quickjs", reason="the extra `pictures` is not installed")
pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")
pytest.importorskip("PIL", reason="the extra `pictures` is not installed")

SAMPLE = Path(__file__).parents[1] / "data/page/record.json"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def record() -> dict[str, Any]:
    """Three turns of a real game, among them one with a stab."""
    whole: dict[str, Any] = json.loads(SAMPLE.read_text().partition("\n")[0])
    whole["setup"]["name"] = "<duel> & co"
    return whole | {"turns": whole["turns"][:2]}


@pytest.fixture
def path(tmp_path: Path, record: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    target = tmp_path / "game.json"
    target.write_text(json.dumps(record) + "\n")
    return target


def test_a_turn_as_svg(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(path), "--format", "svg", "--turn", "s1901m", "--out", "a.svg"]) == 0
    assert capsys.readouterr().out == "a.svg\n"
    root = ET.parse(path.with_name("a.svg")).getroot()
    assert root.findtext(f"{SVG}title") == "<duel> & co: Spring 1901"
    found = {each.get("class", "") for each in root.iter()}
    assert "dagger" in found
    signs = [each for each in root.iter() if "sign" in each.get("class", "").split()]
    assert len(signs) == 22
    assert "var(" not in (root.findtext(f"{SVG}style") or "")
    assert not [each for each in root.iter() if each.get("style")]


AGREED = (
    "XDO ( ( FRA FLT BRE ) MTO MAO )",
    "XDO ( ( GER AMY MUN ) HLD )",
    "DMZ ( GER FRA ) ( TYR )",
)


def test_promised_orders_and_zones_are_marked_as_on_the_page(
    path: Path, record: dict[str, Any]
) -> None:
    said = [
        {"time": 5.0, "turn": ["SPR", 1901], "sender": one, "recipients": [other], "text": text}
        for what in AGREED
        for one, other, text in (
            ("FRA", "GER", f"PRP ( {what} )"),
            ("GER", "FRA", f"YES ( PRP ( {what} ) )"),
        )
    ]
    path.write_text(json.dumps(record | {"press": said}))
    assert main(["export", str(path), "--format", "svg", "--out", "x"]) == 0

    def found(turn: str) -> list[str]:
        return [each.get("class", "") for each in ET.parse(f"x/{turn}.svg").getroot().iter()]

    # France kept its word and Germany did not; the zone holds on, the orders were for one turn.
    assert {"seal seal-kept", "seal seal-broken", "zone"} <= set(found("S1901M"))
    assert "zone" in found("F1901M")
    assert not [each for each in found("F1901M") if "seal" in each]
    picture = Path("x/S1901M.svg").read_text()
    assert main(["export", str(path), "--format", "png", "--turn", "S1901M", "--out", "s.png"]) == 0
    path.write_text(json.dumps(record | {"press": []}))
    assert main(["export", str(path), "--format", "png", "--turn", "S1901M", "--out", "n.png"]) == 0
    assert Path("s.png").read_bytes() != Path("n.png").read_bytes()
    # The arcs between powers are a layer that the page leaves out, too.
    assert "relation" not in picture.partition("</style>")[2]


def test_a_whole_game_as_png(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(path), "--format", "png", "--width", "300", "--out", "deep/er"]) == 0
    assert capsys.readouterr().out == "3 files in deep/er\n"
    files = sorted(each.name for each in (path.parent / "deep/er").iterdir())
    assert files == ["F1901M.png", "S1901M.png", "end.png"]
    for name in files:
        data = (path.parent / "deep/er" / name).read_bytes()
        assert data.startswith(b"\x89PNG")
        assert int.from_bytes(data[16:20]) == 300


def test_a_film(path: Path) -> None:
    from PIL import Image  # noqa: PLC0415 - an extra

    assert main(["export", str(path), "--format", "gif", "--width", "300", "--out", "a.gif"]) == 0
    with Image.open(path.with_name("a.gif")) as film:
        assert (film.n_frames, film.width) == (3, 300)  # type: ignore[attr-defined]  # a film has frames


def test_the_same_record_gives_the_same_film(path: Path) -> None:
    for name in ("one.gif", "two.gif"):
        assert main(["export", str(path), "--format", "gif", "--width", "250", "--out", name]) == 0
    assert path.with_name("one.gif").read_bytes() == path.with_name("two.gif").read_bytes()


@pytest.mark.parametrize("theme", THEMES)
def test_a_picture_has_the_colours_of_its_theme(path: Path, theme: str) -> None:
    arguments = ["--format", "svg", "--turn", "F1901M", "--theme", theme, "--out", "x.svg"]
    assert main(["export", str(path), *arguments]) == 0
    text = path.with_name("x.svg").read_text()
    assert ("#071522" in text) == (theme == "dark")
    assert "@media" not in stylesheet(theme)


@pytest.mark.parametrize("variant", ["lagoon", "fourwinds"])
def test_other_boards_have_pictures_too(path: Path, record: dict[str, Any], variant: str) -> None:
    record["setup"]["variant"] = variant
    record["start"] = position_to_json(load_map(variant).start)
    record |= {"turns": [], "press": [], "players": {}, "stage": "running"}
    path.write_text(json.dumps(record))
    assert main(["export", str(path), "--format", "svg", "--out", "x"]) == 0
    root = ET.parse(path.parent / "x/end.svg").getroot()
    signs = [each for each in root.iter() if "sign" in each.get("class", "").split()]
    assert len(signs) == len(load_map(variant).start.units)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--out", "x", "--turn", "S1950M"], "has no turn S1950M; it goes from S1901M to W1901A"),
        (["--out", "x", "--turn", "sometime"], "no such turn: 'sometime'"),
        (["--game", "other"], "has no game 'other', only <duel> & co"),
        (["--width", "9"], "--width: 9 is not between"),
        ([], "--out: say where to write the pictures, such as --out game.svg"),
        (["--out", "game.json/x"], "cannot be written: Not a directory"),
    ],
)
def test_bad_options_are_one_sentence(
    path: Path, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(path), "--format", "svg", *arguments]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": "daide-record-9"}, "is a record of format 'daide-record-9'"),
        ({"turns": [{"turn": ["SPR", 1901]}]}, "the record is damaged"),
        ({"turns": [{"turn": "soon"}]}, "the record is damaged"),
        ({"setup": {"name": "x"}}, "the record is damaged"),
        ({"start": {"turn": ["SPR", 1901], "units": [1]}}, "the record is damaged"),
    ],
)
def test_a_bad_record_is_one_sentence(
    path: Path,
    record: dict[str, Any],
    change: dict[str, Any],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path.write_text(json.dumps(record | change))
    assert main(["export", str(path), "--format", "svg", "--out", "x"]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert str(path) in error
    assert error.count("\n") == 1


def test_a_game_on_an_unknown_board_is_one_sentence(
    path: Path, record: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    record["setup"]["variant"] = "mars"
    path.write_text(json.dumps(record))
    assert main(["export", str(path), "--format", "svg", "--out", "x"]) == 2
    assert f"{path}: no such variant: 'mars'; give" in capsys.readouterr().err


def test_a_missing_extra_is_one_sentence(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "quickjs", None)
    assert main(["export", str(path), "--format", "svg", "--out", "x"]) == 2
    assert "-m pip install pillow quickjs-ng resvg-py`" in capsys.readouterr().err
