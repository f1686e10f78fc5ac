"""Games that are kept whole, and the tables that are made of them."""

import csv
import gzip
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from cli.main import main
from matches import play
from matches.finished_game import FinishedGame
from matches.whole_record import packed_record, unpacked_record
from rules.adjudicate import adjudicate
from rules.errors import BadInputError
from rules.judged_again import judged_again
from rules.notation import format_order, format_unit
from rules.position_json import position_to_json
from tests.tournament.playing import in_mode, lagoon_jobs
from tests.tournament.simulated import write_tournament
from tournament.from_python import read_games
from tournament.game_result import GameResult
from tournament.play_job import play_game, result_of_play
from tournament.pool import LocalPool
from tournament.results_file import ResultsFile, read_results, record_path
from tournament.schedule import GameJob
from tournament.table_columns import TABLES
from tournament.table_files import TableFolder
from tournament.tidy_tables import read_record, rows_of, write_tables

SPEC = """variant = "lagoon"
games = 2
last_year = 1902
press_level = 10
balance = false
[[fields]]
players = { dumbbot = 1, blabbot = 2 }
"""
KEYS = {
    "games": ("game",),
    "seats": ("game", "power"),
    "turns": ("game", "turn", "power"),
    **dict.fromkeys(("orders", "press", "promises", "offers", "stabs"), ("game", "number")),
}
"""The columns that tell the rows of a table apart."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a tournament that was run with its records."""
    made = tmp_path_factory.mktemp("kept")
    (made / "spec.toml").write_text(SPEC)
    out = made / "out"
    arguments = ["run", str(made / "spec.toml"), "--out", str(out), "--jobs", "1", "--no-report"]
    assert main(["tournament", *arguments, "--records"]) == 0
    return out


def table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_game_is_kept_whole_and_can_be_read_back(folder: Path) -> None:
    assert sorted(path.name for path in (folder / "records").iterdir()) == [
        "game-000000.json.gz",
        "game-000001.json.gz",
    ]
    (result, _) = read_results(folder)
    record = read_record(folder, 0)
    assert record is not None
    assert record["ending"] == result.ending
    assert len(record["turns"]) == result.phases
    assert len(record["press"]) == sum(result.press.values())
    assert record["promises"] == result.promises


def test_tables_tell_every_seat_order_and_message(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tables", str(folder), "--out", str(tmp_path), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert set(rows) == set(TABLES)
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.csv" for name in TABLES}
    for name, columns in TABLES.items():
        told = table(tmp_path, name)
        assert len(told) == rows[name]
        assert all(tuple(row) == tuple(columns) for row in told)
    results = read_results(folder)
    assert rows["games"] == 2
    assert rows["seats"] == 6
    assert rows["press"] == sum(sum(each.press.values()) for each in results)
    assert rows["promises"] == sum(len(each.promises) for each in results)
    said = Counter(row["sender"] for row in table(tmp_path, "press") if row["game"] == "0")
    seats = [row for row in table(tmp_path, "seats") if row["game"] == "0"]
    assert {row["power"]: int(row["press"]) for row in seats} == {
        power: said[power] for power in results[0].players
    }
    last = max(int(row["turn"]) for row in table(tmp_path, "turns") if row["game"] == "0")
    final = {
        row["power"]: row["centers"]
        for row in table(tmp_path, "turns")
        if (row["game"], row["turn"]) == ("0", str(last))
    }
    assert final == {row["power"]: row["centers"] for row in seats}


@pytest.fixture(scope="module")
def whole_game() -> FinishedGame:
    """Return a game with bounces, cut supports, convoys, retreats, builds and removals."""
    return play(
        ["randombot", "dumbbot", "randombot", "blabbot"] + ["randombot"] * 3, last_year=1905
    )


def test_results_and_reasons_follow_exactly_from_what_is_recorded(whole_game: FinishedGame) -> None:
    record = unpacked_record(packed_record(whole_game))
    rows = [row for name, row in rows_of(result_of_play(whole_game, 0), record) if name == "orders"]
    expected = []
    for number, (before, played) in enumerate(
        zip(whole_game.positions, whole_game.turns, strict=False), start=1
    ):
        given = [each.order for each in played.outcomes if each.order not in played.automatic]
        reports = adjudicate(whole_game.board, before, given, explain=True).reports
        why = {report.order: report.explanation for report in reports}
        for each in played.outcomes:
            result = each.result.value if each.result else None
            expected.append((number, format_order(each.order), result, why[each.order]))
    told = [
        (row["turn"], row["order"], row["result"] or row["note"], row["reason"]) for row in rows
    ]
    assert told == expected
    assert all(reason for *_, reason in told)
    results = {result for _, _, result, _ in told}
    assert {"SUC", "BNC", "CUT", "NSO"} <= results


def test_the_rules_give_the_recorded_result_to_every_order(whole_game: FinishedGame) -> None:
    record = unpacked_record(packed_record(whole_game))
    for before, played in zip(whole_game.positions, record["turns"], strict=False):
        judged = judged_again(whole_game.board, before, played["orders"])
        reports = [report for report in judged.reports if report is not None]
        assert [(r.result.value if r.result else None, r.dislodged) for r in reports] == [
            (each.get("result") or each.get("note"), each["dislodged"]) for each in played["orders"]
        ]
        assert position_to_json(judged.resolution.position) == played["position"]


def test_the_data_dictionary_tells_every_column_its_kind_and_the_keys() -> None:
    document = Path("docs/tables.md").read_text("utf-8")
    told = {
        name: dict(re.findall(r"^\| `(\w+)` \| (\w+) \| .+ \|$", section, re.MULTILINE))
        for name, section in re.findall(
            r"^### (\w+)\n(.*?)(?=^##)", document, re.MULTILINE | re.DOTALL
        )
    }
    expected = {
        name: {column: kind.__name__ for column, kind in columns.items()}
        for name, columns in TABLES.items()
    }
    assert told == expected
    for name, columns in KEYS.items():
        (section,) = re.findall(rf"^### {name}\n(.*?)^\|", document, re.MULTILINE | re.DOTALL)
        key = ", ".join(f"`{column}`" for column in columns)
        assert re.search(rf"key is {key}[.;]", section.replace("\n", " ")), name


def test_no_two_rows_share_a_key(whole_game: FinishedGame, folder: Path) -> None:
    record = unpacked_record(packed_record(whole_game))
    rows = [*rows_of(result_of_play(whole_game, 7), record)]
    rows += [
        row
        for each in read_results(folder)
        for row in rows_of(each, read_record(folder, each.number))
    ]
    keys = Counter((name, *(row[column] for column in KEYS[name])) for name, row in rows)
    assert [key for key, times in keys.items() if times > 1] == []


def test_every_power_has_a_row_after_every_turn(whole_game: FinishedGame) -> None:
    record = unpacked_record(packed_record(whole_game))
    rows = [row for name, row in rows_of(result_of_play(whole_game, 0), record) if name == "turns"]
    assert len(rows) == len(whole_game.positions) * len(whole_game.board.powers)
    assert any(row["centers"] == row["units"] == 0 for row in rows)
    out = [
        f"{row['power']} {unit}" for row in rows for unit in row["dislodged"].split(", ") if unit
    ]
    expected = [
        f"{each.unit.power.name} {format_unit(each.unit)}"
        for position in whole_game.positions
        for each in position.dislodged
    ]
    assert expected
    assert sorted(out) == sorted(expected)


def test_every_value_is_of_the_kind_of_its_column(whole_game: FinishedGame, folder: Path) -> None:
    record = unpacked_record(packed_record(whole_game))
    results = read_results(folder)
    rows = [
        *rows_of(result_of_play(whole_game, 7), record),
        *(row for each in results for row in rows_of(each, read_record(folder, each.number))),
    ]
    assert {name for name, _ in rows} == set(TABLES)
    for name, row in rows:
        assert set(row) == set(TABLES[name])
        for column, value in row.items():
            kinds = (TABLES[name][column], *((int,) if TABLES[name][column] is float else ()))
            assert value is None or type(value) in kinds, (name, column, value)


def test_without_records_there_are_the_tables_of_the_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tournament(tmp_path)
    assert main(["tables", str(tmp_path), "--out", str(tmp_path / "tables")]) == 0
    out = capsys.readouterr().out
    assert "no turns, orders, press, which were not kept whole" in out
    assert not (tmp_path / "tables" / "orders.csv").exists()
    stabs = table(tmp_path / "tables", "stabs")
    assert len(stabs) == sum(len(each.stabs) for each in read_results(tmp_path))


def test_games_that_lack_their_record_are_counted(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    record_path(copy, 1).unlink()
    assert main(["tables", str(copy), "--out", str(tmp_path / "tables")]) == 0
    assert (
        "no turns, orders, press of 1 of 2 games, which were not kept whole"
        in capsys.readouterr().out
    )
    assert {row["game"] for row in table(tmp_path / "tables", "orders")} == {"0"}


def without_turns_of_press(data: bytes) -> bytes:
    record = unpacked_record(data)
    for said in record["press"]:
        del said["turn"]
    return gzip.compress(json.dumps(record).encode())


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda data: data[:-30], "cannot be read: it was cut off"),
        # Not at its end, where the check sum would tell: the unpacking itself goes astray.
        (lambda data: data[:400] + bytes(255 - byte for byte in data[400:]), "cannot be read"),
        (without_turns_of_press, "the record is damaged: 'turn' is missing"),
    ],
)
def test_a_damaged_record_is_named(
    folder: Path, tmp_path: Path, damage: Callable[[bytes], bytes], complaint: str
) -> None:
    results = read_results(folder)
    path = record_path(tmp_path, 0)
    path.parent.mkdir()
    path.write_bytes(damage(record_path(folder, 0).read_bytes()))
    with pytest.raises(BadInputError, match=rf"game-000000\.json\.gz.*{complaint}"):
        write_tables(tmp_path, results, TableFolder(tmp_path / "out", "csv"))
    assert list((tmp_path / "out").iterdir()) == []
    (tmp_path / "games.jsonl").write_bytes((folder / "games.jsonl").read_bytes())
    with pytest.raises(BadInputError, match=rf"game 0.*{complaint}"):
        _ = read_games(tmp_path).tables


@pytest.mark.parametrize("format_", ["csv", "parquet"])
def test_bytes_that_are_no_utf_8_cost_no_table(folder: Path, tmp_path: Path, format_: str) -> None:
    if format_ == "parquet":
        pytest.importorskip("pyarrow")
    (result, _) = read_results(folder)
    record = read_record(folder, 0)
    assert record is not None
    record["press"][0]["text"] = b"'caf\xe9'".decode("utf-8", "surrogateescape")
    path = record_path(tmp_path, 0)
    path.parent.mkdir()
    path.write_bytes(gzip.compress(json.dumps(record).encode()))
    rows = write_tables(tmp_path, [result], TableFolder(tmp_path / "out", format_))
    assert rows["press"] == len(record["press"])
    if format_ == "csv":
        assert table(tmp_path / "out", "press")[0]["text"] == "'caf\ufffd'"


def test_parquet_without_its_package_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_tournament(tmp_path)
    code = main(["tables", str(tmp_path), "--out", str(tmp_path / "t"), "--format", "parquet"])
    err = capsys.readouterr().err
    if code == 0:
        parquet = pytest.importorskip("pyarrow.parquet")
        assert parquet.read_table(tmp_path / "t" / "games.parquet").num_rows == len(
            read_results(tmp_path)
        )
    else:
        assert (code, "parquet needs the package pyarrow" in err) == (2, True)


def record_of(job: GameJob, mode: str) -> bytes:
    results: list[GameResult] = []
    with LocalPool(1) as pool:
        pool.play([in_mode(job, mode)], results.append)
    return results[0].record


def test_the_same_seed_gives_the_same_record_in_one_process_and_over_tcp(tmp_path: Path) -> None:
    (plain,) = lagoon_jobs("{ dumbbot = 1, blabbot = 2 }")
    (job,) = lagoon_jobs("{ dumbbot = 1, blabbot = 2 }")
    job = evolve(job, keeps_record=True)
    here = play_game(job).record
    assert here
    assert record_of(job, "in-process") == here
    assert record_of(job, "processes") == here
    assert play_game(plain).record == b""
    kept = ResultsFile(tmp_path)
    kept.append(play_game(job))
    kept.close()
    assert record_path(tmp_path, 0).read_bytes() == here


def test_an_aborted_game_has_rows_without_scores() -> None:
    (job,) = lagoon_jobs("{ dumbbot = 2, nobody = 1 }")
    rows = list(rows_of(play_game(in_mode(job, "in-process")), None))
    assert [name for name, _ in rows] == ["games", "seats", "seats", "seats"]
    assert rows[0][1]["outcome"] == rows[0][1]["ending"] == "aborted"
    assert rows[0][1]["year"] is None
    assert rows[1][1]["solo"] is None
