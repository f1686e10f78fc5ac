import json
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from tests.tournament.playing import lagoon_jobs
from tests.tournament.tiny import game
from tournament.reproduce import METRICS, experiments
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


def reproduce(folder: Path, *arguments: str) -> int:
    places = ["--experiments", str(folder), "--out", str(folder / "out")]
    return main(["tournament", "reproduce", *places, *arguments])


def write(
    folder: Path, name: str, bot: str = "dumbbot", change: tuple[str, str] = ("", "")
) -> None:
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
    assert "4.500" in out
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


def test_experiments_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "X1")
    (tmp_path / "other.toml").write_text("games = 1\n[[fields]]\nplayers = { holdbot = 7 }")
    assert reproduce(tmp_path, "--list") == 0
    assert capsys.readouterr().out == "X1     somewhere\n"


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("value = 4.5", "result = 4.5"), "X1.toml: paper.rows: a row has field, bot, metric"),
        (('"centers"', '"height"'), "X1.toml: paper.rows: 'height' is not one of centers"),
        (('field = "one"', 'field = "two"'), "X1.toml: paper.rows: no such field: 'two'"),
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
    spec = SpecFile.load(path, size=size).spec
    names = {field.name: field.players for field in spec.fields}
    for row in spec.paper.get("rows", ()):
        assert row["bot"] in names[row["field"]]
        assert row.get("against", row["bot"]) in names[row["field"]]
        assert row["metric"] in METRICS
    check_bots(spec)


def test_every_experiment_has_its_own_id() -> None:
    assert len(experiments(FOLDER)) == len(SPECS) - 1


def test_a_plan_that_we_ship_is_found_by_its_name_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert SpecFile.load("quick").spec.name == "quick"
    (tmp_path / "quick").write_text(SPEC)
    assert SpecFile.load("quick").spec.variant == "lagoon"
