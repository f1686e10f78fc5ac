"""The examples with pandas and polars, which have a lock of their own: half a gigabyte.

`scripts/test --research` installs them; without it the tests here are skipped.
"""

import runpy
import sys
from pathlib import Path

import pytest

from cli.main import main
from tests.tournament.simulated import write_tournament
from tournament.notebook import tournament
from tournament.results_file import read_results

SKIPPED = "for researchers: scripts/test --research installs pandas, polars and pyarrow"
EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
SPEC = {
    "games": 2,
    "last_year": 1903,
    "balance": False,
    "fields": [{"players": {"banker": 3, "diplominator": 4}}],
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a tournament that was kept whole."""
    folder = tmp_path_factory.mktemp("played")
    tournament(SPEC, out=folder, jobs=1)
    return folder


def run_example(
    name: str, tables: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    monkeypatch.setattr(sys, "argv", [name, str(tables)])
    capsys.readouterr()
    runpy.run_path(str(EXAMPLES / name), run_name="__main__")
    return capsys.readouterr().out


def test_promises_by_pair_with_pandas(
    played: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("pandas", reason=SKIPPED)
    assert main(["tables", str(played), "--out", str(tmp_path)]) == 0
    told = run_example("promises_pandas.py", tmp_path, monkeypatch, capsys)
    assert "banker" in told
    assert "honesty" in told
    results = read_results(played)
    kept = [each for game in results for each in game.promises if each["verdict"] == "kept"]
    assert kept


def test_orders_with_polars(
    played: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("polars", reason=SKIPPED)
    pytest.importorskip("pyarrow", reason=SKIPPED)
    assert main(["tables", str(played), "--out", str(tmp_path), "--format", "parquet"]) == 0
    told = run_example("orders_polars.py", tmp_path, monkeypatch, capsys)
    assert "diplominator" in told
    assert "succeeded" in told


def test_parquet_keeps_the_kinds_of_columns_and_what_is_not_known(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason=SKIPPED)
    write_tournament(tmp_path)
    out = tmp_path / "tables"
    assert main(["tables", str(tmp_path), "--out", str(out), "--format", "parquet"]) == 0
    seats = parquet.read_table(out / "seats.parquet")
    kinds = {name: str(seats.schema.field(name).type) for name in ("bot", "rank", "survived")}
    assert kinds == {"bot": "string", "rank": "double", "survived": "bool"}
    assert seats.column("eliminated").null_count > 0
