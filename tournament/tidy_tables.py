"""A tournament as tidy tables: one row an observation, one column a variable, keys to join them.

`games`, `seats`, `promises`, `offers` and `stabs` come from `games.jsonl`; `turns`, `orders` and
`press` need the whole games that `daide tournament run --records` keeps. `docs/tables.md` says what
every column means.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from matches.whole_record import unpacked_record
from rules.errors import BadInputError
from tournament.game_result import GameResult
from tournament.results_file import record_path

Row: TypeAlias = dict[str, Any]

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "games": (
        *("game", "field", "seed", "outcome", "ending", "winners", "year", "season", "phases"),
        *("press", "seconds", "mode", "error"),
    ),
    "seats": (
        *("game", "power", "bot", "centers", "eliminated", "press", "solo", "draw_size"),
        *("sum_of_squares", "rank", "win", "survived"),
    ),
    "turns": ("game", "turn", "season", "year", "power", "units", "centers"),
    "orders": ("game", "turn", "season", "year", "power", "order", "result", "note", "dislodged"),
    "press": ("game", "number", "season", "year", "sender", "recipients", "text"),
    "promises": (
        *("game", "number", "kind", "maker", "to", "text", "made_season", "made_year"),
        *("ended_season", "ended_year", "verdict", "breach"),
    ),
    "offers": ("game", "season", "year", "sender", "to", "kind", "answer"),
    "stabs": (
        *("game", "season", "year", "by", "victim", "order", "centers_then", "centers_later"),
    ),
}
FROM_RECORDS = ("turns", "orders", "press")


def rows_of(result: GameResult, record: Mapping[str, Any] | None) -> Iterator[tuple[str, Row]]:
    """Return the rows of one game, each with the name of its table."""
    yield "games", _game_row(result)
    for table, rows in (
        ("seats", _seat_rows(result)),
        ("promises", _promise_rows(result)),
        ("offers", _offer_rows(result)),
        ("stabs", _stab_rows(result)),
    ):
        yield from ((table, row) for row in rows)
    if record is not None:
        yield from _recorded_rows(result.number, record)


def _game_row(result: GameResult) -> Row:
    ending = result.ending
    return {
        "game": result.number,
        "field": result.field_name,
        "seed": result.seed,
        "outcome": result.outcome,
        "ending": ending["kind"] if ending else result.outcome,
        "winners": " ".join(result.winners),
        "year": result.year,
        "season": ending["turn"][0] if ending else None,
        "phases": result.phases,
        "press": sum(result.press.values()),
        "seconds": result.seconds,
        "mode": result.mode,
        "error": result.error,
    }


def _seat_rows(result: GameResult) -> Iterator[Row]:
    for power, bot in result.players.items():
        scores: Mapping[str, Any] = {**result.scores[power]} if result.scores else {}
        scored = {name: scores.get(name) for name in COLUMNS["seats"][6:]}
        yield {
            "game": result.number,
            "power": power,
            "bot": bot,
            "centers": scores.get("centers"),
            "eliminated": result.eliminated.get(power),
            "press": result.press.get(power, 0),
            **scored,
        }


def _promise_rows(result: GameResult) -> Iterator[Row]:
    for number, each in enumerate(result.promises):
        ended = each.get("ended") or (None, None)
        yield {
            "game": result.number,
            "number": number,
            "kind": each["kind"],
            "maker": each["maker"],
            "to": " ".join(each["to"]),
            "text": each.get("text"),
            "made_season": each["made"][0],
            "made_year": each["made"][1],
            "ended_season": ended[0],
            "ended_year": ended[1],
            "verdict": each["verdict"],
            "breach": each.get("breach"),
        }


def _offer_rows(result: GameResult) -> Iterator[Row]:
    for each in result.offers:
        season, year = each["turn"]
        told = {name: each[name] for name in ("sender", "to", "kind", "answer")}
        yield {"game": result.number, "season": season, "year": year, **told}


def _stab_rows(result: GameResult) -> Iterator[Row]:
    for each in result.stabs:
        season, year = each["turn"]
        then, later = each.get("centers") or (None, None)
        yield {
            "game": result.number,
            "season": season,
            "year": year,
            "by": each["by"],
            "victim": each["victim"],
            "order": each.get("order"),
            "centers_then": then,
            "centers_later": later,
        }


def _recorded_rows(game: int, record: Mapping[str, Any]) -> Iterator[tuple[str, Row]]:
    """Return what only a whole game knows: positions, orders and press."""
    yield from (("turns", row) for row in _standing(game, 0, record["start"]))
    for number, played in enumerate(record["turns"], start=1):
        season, year = played["turn"]
        when = {"game": game, "turn": number, "season": season, "year": year}
        for order in played["orders"]:
            told = {name: order.get(name) for name in COLUMNS["orders"][4:]}
            yield "orders", {**when, **told}
        yield from (("turns", row) for row in _standing(game, number, played["position"]))
    for number, said in enumerate(record["press"]):
        season, year = said["turn"]
        yield (
            "press",
            {
                "game": game,
                "number": number,
                "season": season,
                "year": year,
                "sender": said["sender"],
                "recipients": " ".join(said["recipients"]),
                "text": said["text"],
            },
        )


def _standing(game: int, number: int, position: Mapping[str, Any]) -> Iterator[Row]:
    season, year = position["turn"]
    powers = sorted({*position["units"], *position["centers"]})
    for power in powers:
        yield {
            "game": game,
            "turn": number,
            "season": season,
            "year": year,
            "power": power,
            "units": len(position["units"].get(power, ())),
            "centers": len(position["centers"].get(power, ())),
        }


# --- writing --------------------------------------------------------------------------------------


def read_record(folder: Path, number: int) -> dict[str, Any] | None:
    """Read the whole game of that number, None if it was not kept."""
    path = record_path(folder, number)
    try:
        return unpacked_record(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, EOFError, ValueError) as error:
        raise BadInputError(f"{path}: cannot be read: {error}") from None


def write_tables(
    folder: Path,
    results: Iterable[GameResult],
    out: Path,
    write: Callable[[Path, str, Iterable[Row]], None],
) -> dict[str, int]:
    """Write the tables of a tournament, and return how many rows each of them has."""
    rows: dict[str, list[Row]] = {name: [] for name in COLUMNS}
    has_records = False
    for result in results:
        record = read_record(folder, result.number)
        has_records = has_records or record is not None
        for table, row in rows_of(result, record):
            rows[table].append(row)
    made = [name for name in COLUMNS if has_records or name not in FROM_RECORDS]
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name in made:
            write(out, name, rows[name])
    except OSError as error:
        raise BadInputError(f"--out: {out}: cannot be written: {error.strerror}") from None
    return {name: len(rows[name]) for name in made}


def write_csv(out: Path, name: str, rows: Iterable[Row]) -> None:
    """Write a table as CSV; what is not known is empty."""
    with (out / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS[name])
        writer.writeheader()
        writer.writerows(rows)


def write_parquet(out: Path, name: str, rows: Iterable[Row]) -> None:
    """Write a table as Parquet."""
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise BadInputError(
            "--format: parquet needs the package pyarrow; install it, or take csv"
        ) from None
    told = list(rows)
    columns = {column: [row.get(column) for row in told] for column in COLUMNS[name]}
    parquet.write_table(arrow.table(columns), out / f"{name}.parquet")
