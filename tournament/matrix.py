"""`daide tournament matrix`: one against six of each other, as a table and a picture.

`BadInputError` leaves this module for bots that do not exist and for folders that cannot be used.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen
from rich.console import Console
from rich.table import Table

from cli.parsing import command_parser, jobs, new_file, seed, whole
from grammar.tables import LEVELS
from rules.errors import BadInputError, unwritable
from tournament.game_result import GameResult
from tournament.matrix_picture import picture
from tournament.pool import LocalPool, WorkersFailedError
from tournament.progress import NoDisplay, shown_on_stderr
from tournament.resampling import Estimate
from tournament.results_file import read_results
from tournament.runner import SpecFile, run
from tournament.spec import read_spec
from tournament.standings import mean_estimate, score_of

EXAMPLE = """examples:
  daide tournament matrix --players dumbbot,dbrane,probable --games 70 --out results/matrix
  daide tournament matrix --players probable --against dumbbot,dbrane --out results/row
  daide tournament matrix --players probable --against dumbbot --out results/row --resume \\
      --also results/matrix --picture matrix.svg

Each of the players plays alone against six of each of the others, or of those after --against, in
all seats equally often. What a player scores is its share of the squares of the centers; all being
equal it is 0.143. A run that was cut off is finished with --resume; --also adds the games of other
folders to table and picture, and a pair that is in both is counted from both."""
SCORE = "sum_of_squares"
FOLDER = "results/matrix"
TABLE, PICTURE = "matrix.md", "matrix.svg"


@frozen
class MatrixCell:
    """How one player fared against six of another."""

    one: str
    six: str
    games: int
    score: Estimate
    centers: float
    solos: int


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    plan = _plan(options)
    engine = LocalPool(options.jobs)
    display = NoDisplay() if options.json else shown_on_stderr()
    others = [game for folder in options.also for game in read_results(folder)]
    try:
        games = run(plan, options.out, engine, display, resume=options.resume)
    except WorkersFailedError as error:
        print(f"daide tournament: {error}", file=sys.stderr)  # noqa: T201 - the command's output
        return 1
    finally:
        engine.close()
    cells = cells_of([*games, *others])
    _write(options, cells)
    _tell(options, games, cells)
    return 1 if any(game.outcome == "aborted" or game.faults for game in games) else 0


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "tournament matrix", "Play one against six for many pairs of bots.", EXAMPLE
    )
    parser.add_argument(
        "--players", required=True, metavar="BOT,...", help="who plays alone, by turns"
    )
    parser.add_argument("--against", metavar="BOT,...", help="who is six (default: the players)")
    parser.add_argument(
        "--games", type=whole(1, 1_000_000), default=21, metavar="N", help="a pair (default: 21)"
    )
    parser.add_argument(
        "--last-year", type=whole(1901, 9999), default=1910, metavar="Y", help="default: 1910"
    )
    parser.add_argument(
        "--press-level", type=whole(0), default=0, metavar="N", help="default: 0, nobody talks"
    )
    parser.add_argument("--out", type=Path, default=Path(FOLDER), metavar="DIR")
    parser.add_argument("--jobs", type=jobs, metavar="N", help="games at once (default: cores)")
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="default: 1")
    parser.add_argument("--resume", action="store_true", help="finish what is left")
    parser.add_argument(
        "--also", type=Path, action="append", default=[], metavar="DIR", help="more games"
    )
    parser.add_argument("--picture", type=new_file, metavar="FILE", help="a copy of the picture")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def _plan(options: argparse.Namespace) -> SpecFile:
    """Return the spec of the matrix; a spec of its own could say the same."""
    if options.press_level not in LEVELS:
        known = ", ".join(map(str, LEVELS))
        raise BadInputError(
            f"--press-level: {options.press_level} is none of the levels; choose one of {known}"
        )
    ones = _names("--players", options.players)
    sixes = ones if options.against is None else _names("--against", options.against)
    if all(one == six for one in ones for six in sixes):
        raise BadInputError("--players: there is nobody to play against; name another bot")
    text = "\n".join(
        [
            'name = "matrix"',
            f"seed = {options.seed}",
            f"games = {options.games}",
            f"last_year = {options.last_year}",
            f"press_level = {options.press_level}",
            "[[fields]]",
            f"one_against_six = {{ one = {json.dumps(ones)}, six = {json.dumps(sixes)} }}",
            "",
        ]
    )
    return SpecFile(read_spec(text, "matrix"), text, "matrix")


def _names(option: str, text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise BadInputError(f"{option}: {text!r} has an empty name; write bots as a,b,c")
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise BadInputError(f"{option}: {doubled!r} is named twice")
    return names


def cells_of(games: Sequence[GameResult]) -> list[MatrixCell]:
    """Return how each player fared alone against six of another; other games do not count."""
    pairs: dict[tuple[str, str], list[tuple[GameResult, str]]] = defaultdict(list)
    for game in games:
        alone = [bot for bot, powers in game.seats.items() if len(powers) == 1]
        if game.is_counted and len(game.seats) == 2 and len(alone) == 1:
            (one,) = alone
            (six,) = set(game.seats) - {one}
            pairs[one, six].append((game, game.seats[one][0]))
    return [_cell(one, six, played) for (one, six), played in sorted(pairs.items())]


def _cell(one: str, six: str, played: Sequence[tuple[GameResult, str]]) -> MatrixCell:
    read = {key: score_of(key) for key in (SCORE, "centers", "solo")}
    estimate = mean_estimate([(read[SCORE](game, power), 1.0) for game, power in played])
    assert estimate is not None
    return MatrixCell(
        one,
        six,
        len(played),
        estimate,
        sum(read["centers"](game, power) for game, power in played) / len(played),
        round(sum(read["solo"](game, power) for game, power in played)),
    )


def by_strength(cells: Sequence[MatrixCell]) -> list[str]:
    """Return all players, first those who do best alone, then those who are only ever six."""
    scores: dict[str, list[float]] = {}
    for cell in cells:
        scores.setdefault(cell.one, []).append(cell.score.value)
    alone = sorted(scores, key=lambda bot: (-sum(scores[bot]) / len(scores[bot]), bot))
    return [*alone, *sorted({cell.six for cell in cells} - set(alone))]


def markdown(cells: Sequence[MatrixCell]) -> str:
    """Return the table for a document."""
    order = by_strength(cells)
    rows = [bot for bot in order if any(cell.one == bot for cell in cells)]
    columns = [bot for bot in order if any(cell.six == bot for cell in cells)]
    known = {(cell.one, cell.six): cell for cell in cells}
    lines = [
        "| one \\ six | " + " | ".join(columns) + " |",
        "| --- |" + " --- |" * len(columns),
    ]
    for one in rows:
        shown = [told(known[one, six]) if (one, six) in known else "" for six in columns]
        lines.append(f"| {one} | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def told(cell: MatrixCell) -> str:
    """Return a score with its interval."""
    score = cell.score
    if score.low is None or score.high is None:
        return f"{score.value:.3f}"
    return f"{score.value:.3f} [{max(0.0, score.low):.3f}, {min(1.0, score.high):.3f}]"


def _write(options: argparse.Namespace, cells: Sequence[MatrixCell]) -> None:
    drawn = picture(
        by_strength(cells),
        {
            (cell.one, cell.six): (cell.score.value, f"{told(cell)}, {cell.games} games")
            for cell in cells
        },
    )
    places = [options.out / PICTURE, *([] if options.picture is None else [options.picture])]
    try:
        for place in places:
            place.write_text(drawn, encoding="utf-8")
        (options.out / TABLE).write_text(markdown(cells), encoding="utf-8")
    except OSError as error:
        raise unwritable(error.filename, error) from None


def _tell(
    options: argparse.Namespace, games: Sequence[GameResult], cells: Sequence[MatrixCell]
) -> None:
    if options.json:
        print(json.dumps(_document(options.out, games, cells)))  # noqa: T201 - the command's output
        return
    table = Table("one", "six", "games", "score [95 %]", "centers", "solos")
    for cell in cells:
        table.add_row(
            *(cell.one, cell.six, str(cell.games), told(cell)),
            *(f"{cell.centers:.2f}", str(cell.solos)),
        )
    console = Console(file=sys.stdout, highlight=False)
    console.print(table)
    console.print(f"{len(games)} games in {options.out}; table {TABLE}, picture {PICTURE}")


def _document(
    folder: Path, games: Sequence[GameResult], cells: Sequence[MatrixCell]
) -> dict[str, object]:
    return {
        "out": str(folder),
        "games": len(games),
        "aborted": sum(game.outcome == "aborted" for game in games),
        "picture": str(folder / PICTURE),
        "cells": [
            {
                "one": cell.one,
                "six": cell.six,
                "games": cell.games,
                "score": cell.score.value,
                "low": cell.score.low,
                "high": cell.score.high,
                "centers": cell.centers,
                "solos": cell.solos,
            }
            for cell in cells
        ],
    }
