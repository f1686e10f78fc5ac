"""A tournament as tidy tables: one row an observation, one column a variable, keys to join them.

`games`, `seats`, `promises`, `offers` and `stabs` come from `games.jsonl`; `turns`, `orders` and
`press` need the whole games that `daide tournament run --records` keeps. `docs/tables.md` says what
every column means.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from rules.board import Board
from rules.errors import unwritable
from rules.judged_again import judged_again
from rules.position_json import position_from_json
from rules.variants import load_board
from server.record_file import naming
from server.record_file import read_record as record_of_file
from tournament.game_result import GameResult
from tournament.results_file import record_path
from tournament.table_columns import FROM_RECORDS, TABLES
from tournament.table_files import Row, TableFolder

_NO_CHARACTER = re.compile("[\ud800-\udfff]")
"""A byte that was no UTF-8, in a name or a text of an old client; no table can hold it."""


def rows_of(result: GameResult, record: Mapping[str, Any] | None) -> Iterator[tuple[str, Row]]:
    """Return the rows of one game, each with the name of its table."""
    for name, row in _all_rows(result, record):
        yield name, {column: _written(value) for column, value in row.items()}


def _written(value: object) -> object:
    """Return a value as a file can hold it."""
    if not isinstance(value, str) or value.isascii():
        return value
    return _NO_CHARACTER.sub("\ufffd", value)


def _all_rows(result: GameResult, record: Mapping[str, Any] | None) -> Iterator[tuple[str, Row]]:
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
        "year": result.year or None,  # nought where nothing is known of an aborted game
        "season": ending["turn"][0] if ending else None,
        "phases": result.phases,
        "press": sum(result.press.values()),
        "seconds": result.seconds,
        "mode": result.mode,
        "error": result.error,
    }


SCORES = ("solo", "draw_size", "sum_of_squares", "rank", "win", "survived")


def _seat_rows(result: GameResult) -> Iterator[Row]:
    for power, bot in result.players.items():
        scores: Mapping[str, Any] = {**result.scores[power]} if result.scores else {}
        scored = {name: scores.get(name) for name in SCORES}
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
    for number, each in enumerate(result.offers):
        season, year = each["turn"]
        told = {name: each[name] for name in ("sender", "to", "kind", "answer")}
        yield {"game": result.number, "number": number, "season": season, "year": year, **told}


def _stab_rows(result: GameResult) -> Iterator[Row]:
    for number, each in enumerate(result.stabs):
        season, year = each["turn"]
        then, later = each.get("centers") or (None, None)
        yield {
            "game": result.number,
            "number": number,
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
    powers = [power.name for power in _board(record["setup"]["variant"]).powers]
    positions = (record["start"], *(played["position"] for played in record["turns"]))
    for number, position in enumerate(positions):
        yield from (("turns", row) for row in _standing(game, number, powers, position))
    yield from (("orders", row) for row in _order_rows(game, record))
    yield from (("press", row) for row in _press_rows(game, record))


def _order_rows(game: int, record: Mapping[str, Any]) -> Iterator[Row]:
    """Give every order with its result, and the sentence that explains it.

    The sentence is not in the record: it follows from what is, and the result must as well.
    """
    board = _board(record["setup"]["variant"])
    before = position_from_json(board, record["start"])
    orders = count()
    for number, played in enumerate(record["turns"], start=1):
        season, year = played["turn"]
        when = {"turn": number, "season": season, "year": year}
        reasons = judged_again(board, before, played["orders"]).reasons
        for order, reason in zip(played["orders"], reasons, strict=True):
            yield {
                "game": game,
                "number": next(orders),
                **when,
                "power": order["power"],
                "order": order["order"],
                "result": order.get("result"),
                "note": order.get("note"),
                "dislodged": order["dislodged"],
                "automatic": order.get("automatic", False),
                "reason": reason,
            }
        before = position_from_json(board, played["position"])


def _press_rows(game: int, record: Mapping[str, Any]) -> Iterator[Row]:
    for number, said in enumerate(record["press"]):
        season, year = said["turn"]
        yield {
            "game": game,
            "number": number,
            "season": season,
            "year": year,
            "sender": said["sender"],
            "recipients": " ".join(said["recipients"]),
            "text": said["text"],
        }


def _standing(
    game: int, number: int, powers: Iterable[str], position: Mapping[str, Any]
) -> Iterator[Row]:
    """Give a row to every power, the eliminated too: a mean over turns must not lose them."""
    season, year = position["turn"]
    for power in powers:
        units, centers = position["units"].get(power, ()), position["centers"].get(power, ())
        dislodged = [each["unit"] for each in position["dislodged"] if each["power"] == power]
        yield {
            "game": game,
            "turn": number,
            "season": season,
            "year": year,
            "power": power,
            "units": len(units),
            "centers": len(centers),
            "standing": ", ".join(units),
            "dislodged": ", ".join(dislodged),
            "owning": " ".join(centers),
        }


@cache
def _board(variant: str) -> Board:
    return load_board(variant)


# --- writing --------------------------------------------------------------------------------------


def read_record(folder: Path, number: int) -> dict[str, Any] | None:
    """Read the whole game of that number, None if it was not kept."""
    path = record_path(folder, number)
    return record_of_file(path) if path.exists() else None


def write_tables(
    folder: Path,
    results: Iterable[GameResult],
    tables: TableFolder,
    on_game: Callable[[], None] = lambda: None,
) -> dict[str, int]:
    """Write the tables of a tournament, and return how many rows each of them has."""
    try:
        with tables:
            for name in TABLES:
                if name not in FROM_RECORDS:
                    tables.begin(name)
            for result in results:
                _write_game(folder, result, tables)
                on_game()
    except OSError as error:
        raise unwritable(f"--out: {tables.out}", error) from None
    return {name: tables.rows[name] for name in TABLES if name in tables.rows}


def _write_game(folder: Path, result: GameResult, tables: TableFolder) -> None:
    record = read_record(folder, result.number)
    if record is not None:
        for name in FROM_RECORDS:
            tables.begin(name)
    with naming(str(record_path(folder, result.number))):
        rows = list(rows_of(result, record))
    for name, row in rows:
        tables.add(name, row)
