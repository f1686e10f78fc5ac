import json
import re
import struct
from collections.abc import Sequence
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from rules.errors import BadInputError
from tests.tournament.browser import built_page, find_browser, picture
from tests.tournament.simulated import SMALL, Kind, Plan, write_tournament
from tournament.analysis import Analysis
from tournament.plots import COLOURS
from tournament.report import main, print_report, write_report
from tournament.report_tables import ReportTable, all_tables
from tournament.standalone_colours import SERIES

STATIC = Path(__file__).parents[2] / "tournament" / "static"
NASTY = "<script>alert('x')</script>&\"/[bold]deep]=1"
QUICK = Plan(SMALL.kinds, SMALL.fields, games=7)
FIGURES = {
    "centers",
    "scores",
    "ratings",
    "wins",
    "opponents",
    "differences",
    "powers",
    "graph",
    "periods",
    "promises",
    "stabbing",
    "stabs",
    "honesty",
}


def test_a_plot_in_a_notebook_has_the_colours_of_the_page_by_day() -> None:
    page = (STATIC / "report.css").read_text().partition("}")[0]
    of_the_page = dict(re.findall(r"--(c\d): (#[0-9a-f]{6})", page))
    assert of_the_page == {f"c{number}": colour for number, colour in enumerate(SERIES)}
    assert len(SERIES) == COLOURS


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return write_tournament(tmp_path / "spring", QUICK)


class Outline(HTMLParser):
    """The tags and attributes of a page, and whether all tags are closed."""

    VOID = ("meta", "input", "wbr")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_of(directory: Path) -> str:
    return (directory / "report.html").read_text()


def printed(
    analysis: Analysis,
    directory: Path,
    width: int,
    tables: Sequence[ReportTable] | None = None,
) -> str:
    out = StringIO()
    print_report(analysis, directory, Console(width=width, file=out), tables=tables)
    return out.getvalue()


def test_the_command_prints_tables_and_writes_the_page(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(directory), "--all"]) == 0
    out = capsys.readouterr().out
    for title in ("Scores by bot", "Ratings", "Wins against", "Paired differences", "Does lying"):
        assert title in out
    assert "banker/honesty=0.5" in out
    assert "21 games counted" in out
    assert str(directory / "report.html") in out
    assert sorted(path.name for path in directory.iterdir()) == ["games.jsonl", "report.html"]


def test_the_first_screen_is_one_table_that_fits(directory: Path) -> None:
    analysis = write_report(directory)
    for width in (80, 120):
        lines = printed(analysis, directory, width).splitlines()
        assert lines[0].strip() == "Standings by sum of squares"
        assert len(lines) < 24
        assert sum("banker/honesty=0.5" in line for line in lines) == 1
        assert max(map(len, lines[:-1])) <= width
    assert "More with --all, or --table NAME: bots, ratings, wins, pairs" in "\n".join(lines)


def test_a_pipe_gets_every_table_in_one_piece(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(directory), "--table", "bots", "--table", "cross-powers"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line for line in lines if "banker/honesty=0.5" in line]
    assert len(rows) == 2
    [heading] = [line for line in lines if "AUS" in line]
    assert "TUR" in heading
    assert any(len(line.rstrip()) > 120 for line in lines)


def test_a_table_that_does_not_exist_is_named_with_those_that_do(directory: Path) -> None:
    with pytest.raises(BadInputError, match=r"--table: no such table: 'luck'; there are standings"):
        main([str(directory), "--table", "luck"])


def test_the_first_screen_tells_faults(tmp_path: Path) -> None:
    extra = {"faults": [{"power": "ENG", "what": "crashed", "turn": ["SPR", 1902]}]}
    directory = write_tournament(tmp_path, Plan(SMALL.kinds, SMALL.fields, games=2, extra=extra))
    assert "crashed" in printed(write_report(directory), directory, 80)


def test_json_holds_all_numbers(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(directory), "--json", "--score", "centers"]) == 0
    numbers: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert numbers["games"] == 21
    assert numbers["score"]["key"] == "centers"
    assert {each["bot"] for each in numbers["standings"]} == set(SMALL.kinds)
    low, value, high = (
        numbers["standings"][0]["scores"]["centers"][key] for key in ("low", "value", "high")
    )
    assert low < value < high
    assert numbers["negotiation"]["lying"]["overall"]["value"] is not None


def test_a_score_that_does_not_exist_is_refused(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([str(directory), "--score", "luck"])
    assert "--score: invalid choice: 'luck'" in capsys.readouterr().err


def test_the_same_games_give_the_same_page(directory: Path) -> None:
    pages = []
    for _ in range(2):
        write_report(directory)
        pages.append(page_of(directory))
    assert pages[0] == pages[1]


def test_the_page_has_every_figure_and_is_well_formed(directory: Path) -> None:
    write_report(directory)
    page = page_of(directory)
    assert Outline(page).open == []
    assert set(re.findall(r'<figure id="figure-([a-z]+)"', page)) == FIGURES
    plots = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(plots) == len(FIGURES)
    for plot in plots:
        ET.fromstring(plot)
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", page, re.DOTALL)
    assert [caption for caption in captions if not re.search(r"\bn\b|interval", caption)] == []


def test_the_page_loads_nothing(directory: Path) -> None:
    write_report(directory)
    page = page_of(directory)
    assert set(re.findall(r"\w+://[^\s\"'<>]+", page)) == {"http://www.w3.org/2000/svg"}
    loading = ("src", "srcset", "data", "action", "background", "poster")
    attributes = Outline(page).attributes
    assert [each for each in attributes if each[1] in loading] == []
    assert all((value or "").startswith("#") for _, name, value in attributes if name == "href")
    assert "url(" not in page
    assert "@import" not in page


def test_names_cannot_break_out_of_the_page(tmp_path: Path) -> None:
    kinds = {NASTY: Kind(1.5, 0.5), "dumbbot": Kind()}
    plan = Plan(kinds, {NASTY: [NASTY] * 3 + ["dumbbot"] * 4}, games=7)
    directory = write_tournament(tmp_path, plan)
    analysis = write_report(directory)
    page = page_of(directory)
    assert page.count("<script>") == 1
    assert "alert('x')</script>" not in page
    assert Outline(page).open == []
    for plot in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ET.fromstring(plot)
    assert NASTY in printed(analysis, directory, 300)


def test_a_silent_tournament_has_no_section_about_negotiation(tmp_path: Path) -> None:
    kinds = {"dumbbot": Kind(talks=False), "randombot": Kind(0.3, talks=False)}
    plan = Plan(kinds, {"field": ["dumbbot"] * 6 + ["randombot"]}, games=7)
    analysis = write_report(write_tournament(tmp_path, plan))
    assert analysis.negotiation.is_silent
    assert "Negotiation" not in page_of(tmp_path)


@pytest.mark.parametrize("games", [1, 2])
def test_a_tournament_of_one_bot_and_few_games_has_a_report_too(games: int, tmp_path: Path) -> None:
    plan = Plan({"dumbbot": Kind(talks=True)}, {"all": ["dumbbot"] * 7}, games=games)
    analysis = write_report(write_tournament(tmp_path, plan))
    assert analysis.comparisons == []
    assert Outline(page_of(tmp_path)).open == []


def test_faults_and_aborted_games_are_told(tmp_path: Path) -> None:
    directory = write_tournament(
        tmp_path,
        Plan(
            SMALL.kinds,
            SMALL.fields,
            games=2,
            extra={"faults": [{"power": "ENG", "what": "crashed", "turn": ["SPR", 1902]}]},
        ),
    )
    path = directory / "games.jsonl"
    aborted = {"version": 2, "game": 99, "field": "x", "seed": 1, "players": {"AUS": "dumbbot"}}
    aborted |= {"outcome": "aborted", "error": "no server"}
    path.write_text(path.read_text() + json.dumps(aborted) + "\n")
    analysis = write_report(directory)
    assert sum(each["crashed"] for each in analysis.faults.values()) == 6
    assert analysis.outcomes["aborted"] == 1
    assert analysis.games == 6
    assert "aborted, not counted" in page_of(directory)


def test_narrow_terminals_get_wide_tables_in_parts(directory: Path) -> None:
    analysis = write_report(directory)
    for width in (60, 80, 200):
        lines = printed(analysis, directory, width, all_tables(analysis)).splitlines()
        assert max(map(len, lines[:-1])) <= width
        assert sum("banker/honesty=0.5" in line for line in lines) >= 8


def test_a_page_that_cannot_be_written_is_bad_input(directory: Path) -> None:
    (directory / "report.html.part").mkdir()
    with pytest.raises(BadInputError, match=r"report\.html: cannot be written"):
        write_report(directory)


@pytest.mark.skipif(find_browser() is None, reason="no chromium on PATH to show the page in")
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_real_browser_shows_the_page(theme: str, tmp_path: Path) -> None:
    directory = write_tournament(tmp_path / "Simulated tournament", SMALL)
    write_report(directory)
    url = f"{(directory / 'report.html').as_uri()}?theme={theme}"
    built = built_page(url, tmp_path / "profile")
    assert 'data-ready="yes"' in built
    assert "data-error" not in built
    assert f'data-theme="{theme}"' in built
    assert re.search(r"<output>1901–1912, 84 games</output>", built)  # noqa: RUF001 - a dash
    path = picture(url, f"report-{theme}.png", (1280, 2200), tmp_path / "profile")
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (1280, 2200)
    # A page that is empty or of one colour takes a few thousand bytes.
    assert len(data) > 100_000
