"""`daide import`: saved games of the package `diplomacy` as records."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cli.parsing import command_parser
from exchange.from_diplomacy import Imported, imported
from rules.errors import BadInputError

EXAMPLE = """example:
  daide import saved.json --out game.json
  daide watch game.json --browser

Reads a saved game of the package `diplomacy`, or one a line, and writes a record for each. Every
turn is judged again; where that leads elsewhere, a line on standard error says how and why, and the
record follows the saved game."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    found = [_read(options.file, number, data) for number, data in _games(Path(options.file))]
    if not found:
        raise BadInputError(f"{options.file}: there is no game in it")
    text = "".join(json.dumps(each.record) + "\n" for each in found)
    if options.out is None:
        sys.stdout.write(text)
    else:
        _write(Path(options.out), text)
    for each in found:
        for difference in each.differences:
            print(f"{each.record['setup']['name']}: {difference}", file=sys.stderr)
    different = sum(len(each.differences) for each in found)
    turns = sum(len(each.record["turns"]) for each in found)
    print(f"{len(found)} games, {turns} turns, {different} judged differently", file=sys.stderr)
    return 0


def _parser() -> argparse.ArgumentParser:
    purpose = "Make records of saved games of the package `diplomacy`."
    parser = command_parser("import", purpose, EXAMPLE)
    parser.add_argument("file", help="a saved game, or one on each line")
    parser.add_argument("--out", metavar="RECORD", help="where to write (standard output)")
    return parser


def _games(path: Path) -> Iterator[tuple[int, Any]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not a text file"
        raise BadInputError(f"cannot read {str(path)!r}: {why}") from None
    try:
        yield 1, json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield number, _parsed(path, number, line)


def _parsed(path: Path, number: int, line: str) -> Any:  # noqa: ANN401 - whatever the line holds
    try:
        return json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise BadInputError(f"{path}: line {number}: not JSON") from None


def _read(name: str, number: int, data: object) -> Imported:
    if not isinstance(data, dict):
        raise BadInputError(f"{name}: line {number}: not a saved game, but {type(data).__name__}")
    try:
        return imported(data)
    except BadInputError as error:
        raise BadInputError(f"{name}: line {number}: {error}") from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInputError(f"--out: cannot write {str(path)!r}: {error.strerror}") from None
