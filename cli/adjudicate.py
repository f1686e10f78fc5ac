"""`daide adjudicate`: judge positions and orders, one JSON object a line.

It stands here because the rules import nothing of ours, and so know no commands.
"""

import argparse
import sys
from contextlib import nullcontext
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from cli.parsing import command_parser
from rules.errors import unreadable
from rules.json_lines import run
from rules.legality import Notes
from rules.variants import load_board

PURPOSE = """Read a position and its orders as one JSON object a line, write what the rules make of
each. A bad line yields an object with an error in its place."""
EXAMPLE = """example:
  echo '{"turn": ["SPR", 1901], "units": {"FRA": ["A PAR"], "GER": ["A MUN"]},
         "orders": [{"power": "FRA", "order": "A PAR - BUR"},
                    {"power": "GER", "order": "A MUN - BUR"}]}' | tr -d '\\n' | daide adjudicate

prints the orders with their notes and results, and the position that follows."""


def main(arguments: list[str]) -> int:
    """Run the command: exit code 1 when some line was bad."""
    options = _parser().parse_args(arguments)
    board = load_board(options.variant)
    with _source(options.file) as lines:
        notes = Notes(options.notes)
        return run(board, lines, sys.stdout, explain=options.explain, notes=notes)


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("adjudicate", PURPOSE, EXAMPLE)
    parser.add_argument("file", nargs="?", default="-", help="default: standard input")
    parser.add_argument(
        "--variant",
        default="standard",
        help="a map by name, or a folder of variant files (standard)",
    )
    parser.add_argument("--explain", action="store_true", help="add a sentence to every order")
    parser.add_argument(
        "--notes",
        choices=[notes.value for notes in Notes],
        default=Notes.CASES.value,
        help="whose note an illegal order gets where they differ: that of the adjudicator test "
        "cases, or that of the reference server and ours (cases)",
    )
    return parser


def _source(name: str) -> Any:  # noqa: ANN401 - a file, or standard input left open
    # A line that is no UTF-8 is answered in its place, as any other bad line is.
    if name == "-":
        if isinstance(sys.stdin, TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
        return nullcontext(sys.stdin)
    try:
        return Path(name).open(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise unreadable(repr(name), error) from None
