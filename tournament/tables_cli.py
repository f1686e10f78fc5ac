"""`daide tables`: a tournament as tidy tables for the tools of a researcher."""

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

from cli.parsing import command_parser
from tournament.results_file import read_results, record_path
from tournament.table_columns import FROM_RECORDS
from tournament.table_files import FORMATS, TableFolder
from tournament.tidy_tables import write_tables

EXAMPLE = """example:
  daide tournament run quick --out results/quick --records
  daide tables results/quick --out results/quick/tables

Tables: games, seats, promises, offers, stabs; with the games that --records keeps also turns,
orders and press. docs/tables.md says what every column means."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    results = read_results(options.folder)
    tables = TableFolder(options.out, options.format)
    rows = write_tables(options.folder, results, tables, _progress(len(results)))
    if options.json:
        print(json.dumps({"out": str(options.out), "rows": rows}))
        return 0
    for name, count in rows.items():
        print(f"{name}.{options.format}: {count} rows")
    missing = sum(not record_path(options.folder, each.number).exists() for each in results)
    if missing:
        of = "" if missing == len(results) else f" of {missing} of {len(results)} games"
        print(
            f"no {', '.join(FROM_RECORDS)}{of}, which were not kept whole; "
            "see `daide tournament run --records`"
        )
    return 0


def _progress(games: int) -> Callable[[], None]:
    """Return what counts the games: on a terminal as it goes, elsewhere now and then."""
    done = 0

    def on_game() -> None:
        nonlocal done
        done += 1
        if sys.stderr.isatty():
            end = "\n" if done == games else ""
            print(f"\rgame {done} of {games}", end=end, file=sys.stderr, flush=True)
        elif done % 1000 == 0:
            print(f"game {done} of {games}", file=sys.stderr, flush=True)

    return on_game


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("tables", "Write a tournament as tidy tables.", EXAMPLE)
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder of a tournament")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR2", help="for the tables")
    parser.add_argument("--format", choices=FORMATS, default="csv", help="default: csv")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser
