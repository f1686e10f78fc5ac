from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tournament.experiment_curves import PICTURES, Curves, Panel, Series, drawn, write_pictures
from tournament.experiment_page import kept
from tournament.published import Outcome, Row

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


def row(field: str, ours: float | None) -> Row:
    return Row(
        experiment="X1",
        field=field,
        bot="bot",
        player="dumbbot",
        metric="sum_of_squares",
        paper="open question",
        games=7,
        planned=7,
        seeds=(1, 7),
        ours=ours,
        interval=None if ours is None else (ours - 0.05, ours + 0.05),
    )


def outcome(*rows: Row) -> Outcome:
    return Outcome(id="X1", source="here", plan="0", seconds_a_game=1.0, aborted=0, rows=rows)


def curves(*fields: str) -> Curves:
    series = (Series("a <b>", "X1", fields),)
    return Curves("x.svg", "x", (Panel("p & q", "steps", tuple("123"[: len(fields)]), series),))


def test_a_curve_goes_through_its_figures_in_the_order_of_the_steps() -> None:
    found = {"X1": outcome(row("high", 0.6), row("low", 0.1))}
    picture = ET.fromstring(drawn(curves("low", "high"), found))
    (curve,) = picture.iter(f"{SVG}path")
    (x1, y1), (x2, y2) = (map(float, point.split()) for point in curve.attrib["d"][1:].split(" L"))
    assert (x1 < x2, y1 > y2) == (True, True)
    told = [each.text for each in picture.iter(f"{SVG}title")]
    assert told == ["low: 0.100 [0.050, 0.150], 7 games", "high: 0.600 [0.550, 0.650], 7 games"]


def test_names_are_text_and_a_step_without_games_is_a_gap() -> None:
    found = {"X1": outcome(row("one", 0.2), row("two", None), row("three", 0.3))}
    picture = ET.fromstring(drawn(curves("one", "two", "three"), found))
    assert {"a <b>", "p & q"} <= {each.text for each in picture.iter(f"{SVG}text")}
    assert len(list(picture.iter(f"{SVG}title"))) == 2


def test_a_picture_waits_for_all_its_results(tmp_path: Path) -> None:
    found = kept(ROOT / "experiments")
    write_pictures(tmp_path, {name: found[name] for name in ("D4", "D8")})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_the_pictures_say_what_the_results_say(picture: Curves) -> None:
    text = (ROOT / "docs" / "images" / picture.name).read_text(encoding="utf-8")
    again = drawn(picture, kept(ROOT / "experiments"))
    assert text == again, "write it with `daide tournament reproduce --size full --tables`"
