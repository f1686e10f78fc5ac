"""`daide tables`: a tournament as tidy tables for the tools of a researcher."""

import argparse
import json
from pathlib import Path

from cli.parsing import command_parser
from tournament.results_file import read_results
from tournament.tidy_tables import FROM_RECORDS, write_csv, write_parquet, write_tables

EXAMPLE = """example:
  daide tournament run quick --out results/quick --records
  daide tables results/quick --out results/quick/tables

Tables: games, seats, promises, offers, stabs; with the games that --records keeps also turns,
orders and press. docs/tables.md says what every column means."""
WRITERS = {"csv": write_csv, "parquet": write_parquet}


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    results = read_results(options.folder)
    rows = write_tables(options.folder, results, options.out, WRITERS[options.format])
    if options.json:
        print(json.dumps({"out": str(options.out), "rows": rows}))
        return 0
    for name, count in rows.items():
        print(f"{name}.{options.format}: {count} rows")
    if FROM_RECORDS[0] not in rows:
        missing = ", ".join(FROM_RECORDS)
        print(f"no {missing}: the games were not kept whole; see `daide tournament run --records`")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("tables", "Write a tournament as tidy tables.", EXAMPLE)
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder of a tournament")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR2", help="for the tables")
    parser.add_argument("--format", choices=WRITERS, default="csv", help="default: csv")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser
