"""`daide tournament report DIR`: tables on the terminal, and one page with plots.

`BadInputError` leaves this module for games that cannot be read and pages that cannot be written.
"""

import argparse
import json
import sys
from pathlib import Path

from rich.console import Console

from cli.parsing import command_parser
from rules.errors import BadInputError
from tournament.analysis import MAIN_SCORE, Analysis, analyse, as_json
from tournament.page import page
from tournament.report_tables import all_tables, print_tables
from tournament.results_file import FILE_NAME, read_results
from tournament.scoring import SCORES

PAGE_NAME = "report.html"
EXAMPLE = """examples:
  daide tournament report results
  daide tournament report results --score centers
  daide tournament report results --json > numbers.json"""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    given = _parser().parse_args(arguments)
    analysis = write_report(given.directory, score=given.score)
    if given.json:
        print(json.dumps(as_json(analysis)))  # noqa: T201 - the command's output
    else:
        print_report(analysis, given.directory)
    return 0


def write_report(directory: Path, *, score: str = MAIN_SCORE) -> Analysis:
    """Write the page beside the games, and return the numbers."""
    games = read_results(directory)
    analysis = analyse(games, name=directory.resolve().name, score=score)
    path = directory / PAGE_NAME
    # Written beside and moved, so that a reader never sees half a page.
    unfinished = path.with_suffix(".html.part")
    try:
        unfinished.write_text(page(analysis), encoding="utf-8")
        unfinished.replace(path)
    except OSError as error:
        raise BadInputError(f"{path}: cannot be written: {error.strerror}") from None
    return analysis


def print_report(analysis: Analysis, directory: Path, console: Console | None = None) -> None:
    """Write the tables to the terminal, and say where the page is."""
    console = console or Console(file=sys.stdout, highlight=False)
    print_tables(all_tables(analysis), console)
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(analysis.outcomes.items()))
    console.print(f"{analysis.games} games counted ({outcomes}).", markup=False)
    console.print(f"The page with plots: {directory / PAGE_NAME}", markup=False, soft_wrap=True)


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
    parser.add_argument("--json", action="store_true", help="print all numbers as JSON")
    return parser
