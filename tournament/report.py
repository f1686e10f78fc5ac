"""`daide tournament report DIR`: tables on the terminal, and one page with plots.

`BadInputError` leaves this module for games that cannot be read and pages that cannot be written.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from cli.parsing import command_parser
from cli.whole_files import write_whole
from rules.errors import BadInputError, unwritable
from tournament.analysis import MAIN_SCORE, Analysis, analyse, as_json
from tournament.page import page
from tournament.print_tables import print_tables
from tournament.replays import games_section, replays_of
from tournament.report_tables import ReportTable, all_tables, first_screen
from tournament.results_file import FILE_NAME, read_results
from tournament.scoring import SCORES

PAGE_NAME = "report.html"
PIPE_WIDTH = 10_000
EXAMPLE = """examples:
  daide tournament report results
  daide tournament report results --all
  daide tournament report results --table pairs --score centers
  daide tournament report results --json > numbers.json"""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    given = _parser().parse_args(arguments)
    analysis = write_report(given.directory, score=given.score)
    if given.json:
        print(json.dumps(as_json(analysis)))  # noqa: T201 - the command's output
        return 0
    print_report(analysis, given.directory, tables=_asked_for(analysis, given))
    return 0


def _asked_for(analysis: Analysis, given: argparse.Namespace) -> list[ReportTable]:
    """Return the tables that are to be shown."""
    if not (given.all or given.table):
        return first_screen(analysis)
    tables = all_tables(analysis)
    if given.all:
        return tables
    known = {table.key: table for table in (*first_screen(analysis), *tables)}
    for name in given.table:
        if name not in known:
            raise BadInputError(f"--table: no such table: {name!r}; there are {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(given.table)]


def write_report(directory: Path, *, score: str = MAIN_SCORE) -> Analysis:
    """Write the page beside the games, and return the numbers."""
    games = read_results(directory)
    analysis = analyse(games, name=directory.resolve().name, score=score)
    path = directory / PAGE_NAME
    section = games_section(games, replays_of(directory, games, PAGE_NAME))
    try:
        write_whole(path, page(analysis, section))
    except OSError as error:
        raise unwritable(path, error) from None
    return analysis


def print_report(
    analysis: Analysis,
    directory: Path,
    console: Console | None = None,
    *,
    tables: Sequence[ReportTable] | None = None,
) -> None:
    """Write tables, those of the first screen unless told otherwise, and say where the rest is."""
    console = console or _console()
    shown = first_screen(analysis) if tables is None else tables
    print_tables(shown, console)
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(analysis.outcomes.items()))
    console.print(f"{analysis.games} games counted ({outcomes}).", markup=False)
    more = [table.key for table in all_tables(analysis) if table not in shown]
    if more:
        console.print(f"More with --all, or --table NAME: {', '.join(more)}.", markup=False)
    console.print(f"The page with plots: {directory / PAGE_NAME}", markup=False, soft_wrap=True)


def _console() -> Console:
    """Return a terminal as wide as it is; a pipe has room for everything."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(file=sys.stdout, highlight=False, width=width)


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "tournament report",
        f"Read DIR/{FILE_NAME}, print tables, and write DIR/{PAGE_NAME}.",
        EXAMPLE,
    )
    parser.add_argument("directory", type=Path, metavar="DIR", help="where a tournament was run")
    parser.add_argument(
        "--score",
        default=MAIN_SCORE,
        choices=tuple(SCORES),
        metavar="NAME",
        help=f"what bots are compared by: {', '.join(SCORES)} (default: {MAIN_SCORE})",
    )
    parser.add_argument("--all", action="store_true", help="all tables, not only the first")
    parser.add_argument(
        "--table", action="append", metavar="NAME", help="this one; may be given several times"
    )
    parser.add_argument("--json", action="store_true", help="print all numbers as JSON")
    return parser
