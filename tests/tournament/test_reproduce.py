import json
import re
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from attrs import evolve

from bots.registry import make_bot
from bots.search.searcher import Searcher
from bots.talleyrand.counsel import Counsel
from cli.main import main
from tests.tournament.playing import lagoon_jobs
from tests.tournament.tiny import game
from tournament.experiment_page import kept, places, table, with_tables
from tournament.published import METRICS, experiments, fingerprint, rows_of
from tournament.reproduce import Task
from tournament.results_file import read_results
from tournament.runner import SpecFile
from tournament.spec import check_bots

FOLDER = Path(__file__).resolve().parents[2] / "experiments"
SPECS = sorted(FOLDER.glob("*.toml"))

SPEC = """
variant = "lagoon"
last_year = 1903
press_level = 0
games = 300

[small]
games = 3

[[fields]]
name = "one"
players = { BOT = 1, holdbot = 2 }

[paper]
id = "X1"
source = "somewhere"

[[paper.rows]]
field = "one"
bot = "BOT"
metric = "centers"
value = 4.5
"""


PAGE = FOLDER.parent / "docs" / "experiments.md"
PAGE_TEXT = """Before.
<!-- table X1: made by a command -->
<!-- end of table X1 -->
Between.
<!-- table X2: made by a command -->
old
<!-- end of table X2 -->
"""


def reproduce(folder: Path, *arguments: str) -> int:
    places = ["--experiments", str(folder), "--out", str(folder / "out")]
    # One worker: a second one takes longer to start than these games take.
    return main(["tournament", "reproduce", *places, "--jobs", "1", *arguments])


def write(
    folder: Path, name: str, bot: str = "dumbbot", change: tuple[str, str] = ("", "")
) -> None:
    folder.mkdir(exist_ok=True)
    text = SPEC.replace("BOT", bot).replace("X1", name).replace(*change)
    (folder / f"{name}.toml").write_text(text)


def test_ours_stand_beside_the_papers_figures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "X1")
    assert reproduce(tmp_path, "--json") == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    (row,) = document["rows"]
    assert (row["experiment"], row["games"], row["paper"]) == ("X1", 3, 4.5)
    results = read_results(tmp_path / "out" / "small" / "X1")
    centers = [METRICS["centers"](each, "dumbbot", None) for each in results]
    assert row["ours"] == pytest.approx(sum(centers) / 3)
    # The games are there now, and are not played again.
    assert reproduce(tmp_path, "X1") == 0
    out, err = capsys.readouterr()
    assert "4.50" in out
    assert "0 games to play, 3 are there" in err


def test_an_experiment_without_its_bots_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "X1")
    write(tmp_path, "X2", bot="nobody")
    assert reproduce(tmp_path) == 0
    out = capsys.readouterr().out
    assert "X2 was left out: X2.toml: fields: nobody: no such bot" in out
    assert "X1" in out


def test_tables_are_made_of_the_games_that_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "plans", "X1", change=("games = 300", "games = 6"))
    page = tmp_path / "docs" / "experiments.md"
    page.parent.mkdir()
    page.write_text(PAGE_TEXT)
    assert reproduce(tmp_path / "plans", "--all", "--size", "full") == 0
    assert "6 games to play in 1 experiments\n" in capsys.readouterr().err
    (found,) = kept(tmp_path / "plans").values()
    assert (found.id, found.rows[0].games, found.rows[0].seeds) == ("X1", 6, (1000000, 1000005))
    whole = page.read_text()
    assert whole == with_tables(PAGE_TEXT, {"X1": found})
    assert whole.startswith("Before.\n<!-- table X1: ")
    assert "| one | `dumbbot` | centers | 6 | 1000000 to 1000005 | 4.50 |" in whole
    assert "Not run yet." in whole
    # Cut the run off: the table says how much of it there is.
    games = tmp_path / "plans" / "out" / "full" / "X1" / "games.jsonl"
    games.write_text("".join(f"{line}\n" for line in games.read_text().splitlines()[:4]))
    assert reproduce(tmp_path / "plans", "X1", "--size", "full", "--tables") == 0
    assert "| 4 of 6 |" in page.read_text()
    # Going on plays the two that are left, says how long that will take, and ends as before.
    assert reproduce(tmp_path / "plans", "--all", "--size", "full") == 0
    told = capsys.readouterr().err
    assert "2 games to play in 1 experiments, about 0:0" in told
    assert "2 games to play, 4 are there" in told
    assert page.read_text() == whole


LONGER = ("games = 300", "games = 6")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a plan whose six games have been played."""
    folder = tmp_path_factory.mktemp("played")
    write(folder, "X1", change=LONGER)
    assert reproduce(folder, "--size", "full") == 0
    return folder


@pytest.fixture
def begun(played: Path, tmp_path: Path) -> tuple[Path, list[str]]:
    """Return the file of those games, in a folder that a test may change, and its lines."""
    copytree(played, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "out" / "full" / "X1" / "games.jsonl"
    return path, path.read_text().splitlines(keepends=True)


@pytest.mark.parametrize("kept_lines", [0, 2, 3])
def test_a_run_that_was_killed_goes_on(
    tmp_path: Path,
    begun: tuple[Path, list[str]],
    kept_lines: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    games, lines = begun
    before = read_results(games.parent)
    # A kill may leave a file without a game, or half of a line.
    games.write_text("".join(lines[:kept_lines]) + lines[kept_lines][: 40 * kept_lines])
    capsys.readouterr()
    assert reproduce(tmp_path, "--size", "full", "--tables") == 0
    assert (f" {kept_lines} " in capsys.readouterr().out) == bool(kept_lines)
    assert reproduce(tmp_path, "--size", "full") == 0
    assert f"{6 - kept_lines} games to play in 1 experiments" in capsys.readouterr().err
    after = read_results(games.parent)
    assert [evolve(game, seconds=0) for game in after] == [
        evolve(game, seconds=0) for game in before
    ]


@pytest.mark.usefixtures("begun")
@pytest.mark.parametrize("arguments", [(), ("--tables",), ("--all", "--json")])
def test_games_of_a_plan_that_was_changed_are_not_its_results(
    tmp_path: Path, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    before = kept(tmp_path)
    write(tmp_path, "X1", change=("games = 300\n", "games = 6\nseed = 5\n"))
    capsys.readouterr()
    assert reproduce(tmp_path, "--size", "full", *arguments) == 2
    out, err = capsys.readouterr()
    assert "its games are of another tournament than X1.toml; see " in err
    assert "move the folder away to begin anew" in err
    assert out == ""
    assert kept(tmp_path) == before


@pytest.mark.usefixtures("begun")
def test_a_plan_that_was_changed_is_told_before_anything_is_played(tmp_path: Path) -> None:
    write(tmp_path, "X1", change=("last_year = 1903", "last_year = 1902"))
    write(tmp_path, "A1")
    assert reproduce(tmp_path, "--size", "full") == 2
    assert not (tmp_path / "out" / "full" / "A1").exists()


def test_a_plan_that_was_made_longer_keeps_its_games(
    tmp_path: Path, begun: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    games, lines = begun
    write(tmp_path, "X1", change=("games = 300", "games = 9"))
    capsys.readouterr()
    assert reproduce(tmp_path, "--size", "full", "--tables") == 0
    assert kept(tmp_path)["X1"].rows[0].planned == 9
    assert reproduce(tmp_path, "--size", "full") == 0
    assert "3 games to play in 1 experiments" in capsys.readouterr().err
    assert games.read_text().startswith("".join(lines))
    assert [game.number for game in read_results(games.parent)] == list(range(9))
    # The plan beside the games is the longer one now, and a shorter one has lost games.
    assert SpecFile.load(games.parent / "spec.toml").spec.fields[0].games == 9
    write(tmp_path, "X1", change=LONGER)
    assert reproduce(tmp_path, "--size", "full") == 2


def test_the_time_that_is_left_is_that_of_the_games_that_were_played_here(
    tmp_path: Path, begun: tuple[Path, list[str]]
) -> None:
    games, _ = begun
    plan = SpecFile.load(tmp_path / "X1.toml", size="full")
    (before,) = kept(tmp_path).values()
    known = experiments(tmp_path)["X1"]
    played = [evolve(result, seconds=2.0) for result in read_results(games.parent)]
    task = Task(known, plan, games.parent, played[:4])
    assert task.seconds_left(before) == task.seconds_left(None) == 4.0
    new = Task(known, plan, games.parent, ())
    assert new.seconds_left(evolve(before, seconds_a_game=0.5)) == 3.0
    assert new.seconds_left(None) is None


def test_the_small_size_leaves_results_and_page_alone(tmp_path: Path) -> None:
    write(tmp_path / "plans", "X1")
    page = tmp_path / "docs" / "experiments.md"
    page.parent.mkdir()
    page.write_text(PAGE_TEXT)
    assert reproduce(tmp_path / "plans") == 0
    assert kept(tmp_path / "plans") == {}
    assert page.read_text() == PAGE_TEXT


def test_a_figure_can_be_taken_off_another_game_by_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    than = 'value = 4.5\nthan_field = "one"\nthan_bot = "dumbbot"'
    write(tmp_path, "X1", change=("value = 4.5", than))
    assert reproduce(tmp_path, "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["games"], row["ours"], row["interval"]) == (3, 0, [0, 0])
    assert row["metric"] == "centers, less that of dumbbot in the same seats"


def test_results_that_are_none_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "X1")
    (tmp_path / "results").mkdir()
    for text in ("[]", "{", '{"id": "X1"}', '{"rows": [{}]}'):
        (tmp_path / "results" / "X1.json").write_text(text)
        assert reproduce(tmp_path, "--size", "full", "--tables") in {0, 2}
        assert reproduce(tmp_path) == 2
        told = capsys.readouterr().err
        assert "X1.json: these are no results of an experiment" in told
        assert "remove the file, and write it again with --tables" in told


def test_all_and_some_at_once_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "X1")
    assert reproduce(tmp_path, "--all", "X1") == 2
    assert "--all: name experiments or take all, not both: X1" in capsys.readouterr().err


# --- what we have measured ------------------------------------------------------------------------


def test_every_experiment_has_its_place_in_the_page() -> None:
    found = places(PAGE.read_text())
    assert sorted(found) == sorted(set(found)) == sorted(experiments(FOLDER))


def test_the_page_says_what_the_results_say() -> None:
    text = PAGE.read_text()
    assert text == with_tables(text, kept(FOLDER)), "write it with reproduce --tables"


@pytest.mark.parametrize("name", ["searchbot.md", "talleyrand.md"])
def test_figures_that_a_guide_repeats_are_those_of_the_results(name: str) -> None:
    guide = " ".join((PAGE.parent / name).read_text().split())
    repeated = re.findall(r"\d\.\d+ \[\d\.\d+, \d\.\d+\]", guide)
    known = "".join(map(table, kept(FOLDER).values()))
    assert len(repeated) > 2
    assert [each for each in repeated if each not in known] == []


@pytest.mark.parametrize("name", sorted(kept(FOLDER)))
def test_results_are_of_the_plan_as_it_is(name: str) -> None:
    """A plan that has changed needs its games played anew: `reproduce ID --size full`."""
    found, plan = kept(FOLDER)[name], SpecFile.load(FOLDER / f"{name}.toml", size="full")
    assert found.plan == fingerprint(plan)
    told = [(row.field, row.bot, row.paper) for row in found.rows]
    assert told == [(row["field"], row["bot"], row["value"]) for row in rows_of(plan)]
    assert found.aborted == 0


def test_experiments_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "X1")
    (tmp_path / "other.toml").write_text("games = 1\n[[fields]]\nplayers = { holdbot = 7 }")
    assert reproduce(tmp_path, "--list") == 0
    assert capsys.readouterr().out == "X1     somewhere\n"
    assert reproduce(tmp_path, "--list", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"X1": "somewhere"}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("value = 4.5", "result = 4.5"), "X1.toml: paper.rows: a row has field, bot, metric"),
        (('"centers"', '"height"'), "X1.toml: paper.rows: 'height' is not one of centers"),
        (('field = "one"', 'field = "two"'), "X1.toml: paper.rows: no such field: 'two'"),
        (("4.5", '4.5\nthan_bot = "holdbot"'), "X1.toml: paper.rows: than_field and than_bot go"),
        (
            ("4.5", '4.5\nthan_field = "one"\nthan_bot = "a"'),
            "X1.toml: paper.rows: 'a' does not play in 'one'",
        ),
    ],
)
def test_a_bad_row_is_told(
    tmp_path: Path, change: tuple[str, str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "X1", change=change)
    assert reproduce(tmp_path) == 2
    assert complaint in capsys.readouterr().err


def test_an_unknown_experiment_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "X1")
    assert reproduce(tmp_path, "X9") == 2
    assert "no such experiment: 'X9'; there are X1" in capsys.readouterr().err
    assert main(["tournament", "reproduce", "--experiments", str(tmp_path / "no")]) == 2


def test_metrics_look_at_the_seats_of_a_bot() -> None:
    job = lagoon_jobs("{ a = 1, b = 2 }")[0]
    (one,) = [power for power, bot in job.players.items() if bot == "a"]
    final = {power: 6 if power == one else 2 for power in job.players}
    line = game(0, job.players, final)
    assert METRICS["centers"](line, "b", None) == 2
    assert METRICS["difference"](line, "a", None) == 4
    assert METRICS["difference"](line, "a", "b") == 4
    assert (METRICS["won"](line, "a", None), METRICS["won"](line, "b", None)) == (1, 0)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
@pytest.mark.parametrize("size", ["small", "full"])
def test_the_experiments_that_we_ship_can_be_read(path: Path, size: str) -> None:
    plan = SpecFile.load(path, size=size)
    names = {field.name: field.players for field in plan.spec.fields}
    for row in rows_of(plan):
        assert row.get("against", row["bot"]) in names[row["field"]]
        assert "than_field" not in row or plan.spec.paired
    check_bots(plan.spec)


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_no_clock_has_a_part_in_an_experiment(path: Path) -> None:
    spec = SpecFile.load(path).spec
    for name in {name for field in spec.fields for name in field.players}:
        tactic = make_bot(spec.bot_text(name)).tactic
        if isinstance(tactic, Counsel):
            assert "iterations=" in spec.bot_text(name)
        assert not isinstance(tactic, Searcher) or tactic.is_repeatable, name


def test_every_experiment_has_its_own_id() -> None:
    assert len(experiments(FOLDER)) == len(SPECS) - 1


def test_a_plan_that_we_ship_is_found_by_its_name_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert SpecFile.load("quick").spec.name == "quick"
    (tmp_path / "quick").write_text(SPEC)
    assert SpecFile.load("quick").spec.variant == "lagoon"
