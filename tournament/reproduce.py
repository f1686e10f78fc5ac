"""`daide tournament reproduce`: published experiments played again, beside the paper's figures.

An experiment is a spec with a table `[paper]`: its `id`, its `source`, and `rows`, each with the
`field` and the `bot` it is about, the `metric`, and what was published: a number or a text.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, TypeAlias, cast

from attrs import asdict, frozen
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.parsing import command_parser, whole
from rules.errors import BadInputError
from tournament.game_result import GameResult
from tournament.pool import Engine, LocalPool
from tournament.progress import NoDisplay, shown_on_stderr
from tournament.resampling import wilson
from tournament.runner import SHIPPED, SpecFile, run
from tournament.spec import SIZES, check_bots

EXAMPLE = """examples:
  daide tournament reproduce                        all of them, in the small size
  daide tournament reproduce D1 D2 --size full      two of them, as large as they should be
  daide tournament reproduce --list

Games that are there already, in --out, are not played again."""
FOLDER = "results/reproduce"
WIDTH = 140
_NEEDED = ("field", "bot", "metric", "value")
_OPTIONAL = ("against",)


@frozen
class Experiment:
    """A published experiment."""

    id: str
    source: str
    path: Path


@frozen
class Row:
    """One figure: what was published, and what we found."""

    experiment: str
    field: str
    bot: str
    metric: str
    paper: float | str
    games: int
    ours: float | None
    interval: tuple[float, float] | None
    """The 95 % interval of ours, over games."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    given = _parser().parse_args(arguments)
    known = experiments(given.experiments)
    if given.list:
        for each in known.values():
            print(f"{each.id:<6} {each.source}")  # noqa: T201 - the command's output
        return 0
    for name in given.ids:
        if name not in known:
            raise BadInputError(f"no such experiment: {name!r}; there are {', '.join(known)}")
    if given.out.exists() and not given.out.is_dir():
        raise BadInputError(f"--out: {given.out} is no folder; name another")
    chosen = [known[name] for name in given.ids or known]
    rows: list[Row] = []
    skipped: dict[str, str] = {}
    engine = LocalPool(given.jobs)
    try:
        for each in chosen:
            try:
                rows += reproduce(each, given, engine)
            except MissingBotError as error:
                skipped[each.id] = str(error)
    finally:
        engine.close()
    _tell(rows, skipped, as_json=given.json)
    return 0


class MissingBotError(Exception):
    """An experiment needs a bot that is not there."""


def experiments(folder: Path) -> dict[str, Experiment]:
    """Return the experiments of a folder, by their id."""
    if not folder.is_dir():
        raise BadInputError(f"--experiments: {folder}: no such folder")
    found = []
    for path in sorted(folder.glob("*.toml")):
        paper = SpecFile.load(path).spec.paper
        if "id" in paper:
            found.append(Experiment(str(paper["id"]), str(paper.get("source", "")), path))
    return {each.id: each for each in sorted(found, key=lambda each: each.id)}


def reproduce(experiment: Experiment, given: argparse.Namespace, engine: Engine) -> list[Row]:
    """Play an experiment, as far as its games are not there, and return its figures."""
    plan = SpecFile.load(experiment.path, size=given.size)
    try:
        check_bots(plan.spec, plan.source)
    except BadInputError as error:
        raise MissingBotError(str(error)) from None
    if not given.json:
        sys.stderr.write(f"{experiment.id}: {experiment.source}\n")
    folder = given.out / given.size / experiment.id
    display = NoDisplay() if given.json else shown_on_stderr()
    lines = run(plan, folder, engine, display, resume=True)
    return [_row(experiment.id, row, plan, lines) for row in plan.spec.paper.get("rows", ())]


def _row(name: str, row: Mapping[str, Any], plan: SpecFile, lines: Sequence[GameResult]) -> Row:
    place = f"{plan.source}: paper.rows"
    if not set(_NEEDED) <= set(row) <= {*_NEEDED, *_OPTIONAL}:
        raise BadInputError(f"{place}: a row has {', '.join(_NEEDED)}, not {dict(row)}")
    metric = row["metric"]
    if metric not in METRICS:
        raise BadInputError(f"{place}: {metric!r} is not one of {', '.join(METRICS)}")
    if row["field"] not in {field.name for field in plan.spec.fields}:
        raise BadInputError(f"{place}: no such field: {row['field']!r}")
    against = row.get("against")
    measured = [
        METRICS[metric](result, row["bot"], against)
        for result in lines
        if result.field_name == row["field"] and result.outcome != "aborted"
    ]
    return Row(
        experiment=name,
        field=row["field"],
        bot=row["bot"],
        metric=f"{metric} to {against}" if against else metric,
        paper=row["value"],
        games=len(measured),
        ours=fmean(measured) if measured else None,
        interval=_interval(metric, measured) if len(measured) > 1 else None,
    )


def _interval(metric: str, measured: Sequence[float]) -> tuple[float, float]:
    """Return the interval of a mean; of a share Wilson's, which holds near 0 and 1 too."""
    mean = fmean(measured)
    if metric in _SHARES:
        return wilson(mean, len(measured))
    margin = 1.96 * stdev(measured) / sqrt(len(measured))
    return mean - margin, mean + margin


Metric: TypeAlias = Callable[[GameResult, str, str | None], float]

# --- metrics --------------------------------------------------------------------------------------


def _seats(result: GameResult, bot: str) -> list[Mapping[str, float]]:
    return [
        cast("Mapping[str, float]", result.scores[power])
        for power, name in result.players.items()
        if name == bot
    ]


def _mean(score: str) -> Metric:
    return lambda result, bot, _: fmean(float(seat[score]) for seat in _seats(result, bot))


def _won(result: GameResult, bot: str, _: str | None) -> float:
    """Return 1 if a copy of the bot has won; a year limit is won by those with most centers."""
    return float(sum(seat["win"] for seat in _seats(result, bot)))


def _difference(result: GameResult, bot: str, against: str | None) -> float:
    """Return the mean centers of the bot minus those of another, or of everybody else."""
    others = [name for name in result.players.values() if name != bot]
    rivals = {against} if against else set(others)
    theirs = [seat["centers"] for rival in rivals for seat in _seats(result, rival)]
    return fmean(seat["centers"] for seat in _seats(result, bot)) - fmean(theirs)


METRICS: Mapping[str, Metric] = {
    "centers": _mean("centers"),
    "difference": _difference,
    "rank": _mean("rank"),
    "solo": _mean("solo"),
    "sum_of_squares": _mean("sum_of_squares"),
    "survived": _mean("survived"),
    "won": _won,
}
_SHARES = ("solo", "survived", "won")


# --- output ---------------------------------------------------------------------------------------


def _tell(rows: Sequence[Row], skipped: Mapping[str, str], *, as_json: bool) -> None:
    if as_json:
        document = {"rows": [asdict(row) for row in rows], "skipped": dict(skipped)}
        sys.stdout.write(json.dumps(document) + "\n")
        return
    console = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    table = Table("experiment", "field", "bot", "metric", "games", "paper", "ours", box=None)
    for row in rows:
        cells = (row.experiment, row.field, row.bot, row.metric, str(row.games))
        table.add_row(
            *map(Text, (*cells, _figure(row.paper, None), _figure(row.ours, row.interval)))
        )
    console.print(table)
    for name, why in skipped.items():
        console.print(f"{name} was left out: {why}", markup=False)


def _figure(value: float | str | None, interval: tuple[float, float] | None) -> str:
    if value is None or isinstance(value, str):
        return value or "no game"
    return f"{value:.3f}" + (f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else "")


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "tournament reproduce",
        "Play published experiments again, and print ours beside the paper's figures.",
        EXAMPLE,
    )
    parser.add_argument("ids", nargs="*", metavar="ID", help="which ones (default: all)")
    parser.add_argument("--size", choices=SIZES, default="small", help="default: small")
    parser.add_argument("--out", type=Path, default=Path(FOLDER), metavar="DIR")
    parser.add_argument("--experiments", type=Path, default=SHIPPED, metavar="DIR")
    parser.add_argument("--jobs", type=whole(1), default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--list", action="store_true", help="say which there are")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser
