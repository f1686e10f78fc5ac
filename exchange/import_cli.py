"""`daide import`: saved games of the package `diplomacy` as records."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Self, TextIO

from attrs import define

from cli.parsing import command_parser
from exchange.from_diplomacy import Imported, imported
from rules.errors import BadInputError, unreadable, unwritable

EXAMPLE = """example:
  daide import saved.json --out game.json
  daide watch game.json --browser

Reads a saved game of the package `diplomacy`, or one a line, and writes a record for each. Every
turn is judged again; where that leads elsewhere, a line on standard error says how and why, and the
record follows the saved game. Among many games one that cannot be read is left out with a sentence,
and the exit code is 1."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    with _Destination(options.out) as out:
        tally = _import_all(Path(options.file), out)
    told = f"{tally.games} games, {tally.turns} turns, {tally.different} judged differently"
    left = f", {tally.refused} refused" if tally.refused else ""
    if tally.unheard:
        left += (
            f"; {tally.unheard} messages of or to nobody at the table (SYSTEM, OBSERVER) left out"
        )
    print(told + left, file=sys.stderr)
    return 1 if tally.refused else 0


@define
class _Tally:
    games: int = 0
    turns: int = 0
    different: int = 0
    refused: int = 0
    unheard: int = 0


def _import_all(path: Path, out: "_Destination") -> _Tally:
    """Import game by game, as a file may hold any number of them; one that is bad is left out.

    If none is good, the first complaint is raised.
    """
    tally = _Tally()
    first: BadInputError | None = None
    for number, text in _games(path):
        try:
            found = _read(str(path), number, text)
        except BadInputError as error:
            tally.refused += 1
            first = first or error
            if tally.refused > 1 or tally.games:
                print(f"daide import: {error}", file=sys.stderr)
            continue
        if first is not None and not tally.games and tally.refused == 1:
            print(f"daide import: {first}", file=sys.stderr)
        out.write(json.dumps(found.record) + "\n")
        tally.games += 1
        tally.turns += len(found.record["turns"])
        tally.different += len(found.differences)
        tally.unheard += found.unheard
        for difference in found.differences:
            print(f"{found.record['setup']['name']}: {difference}", file=sys.stderr)
        if tally.games % 1000 == 0:
            print(f"{tally.games} games", file=sys.stderr, flush=True)
    if not tally.games:
        raise first or BadInputError(f"{path}: there is no game in it")
    return tally


def _parser() -> argparse.ArgumentParser:
    purpose = "Make records of saved games of the package `diplomacy`."
    parser = command_parser("import", purpose, EXAMPLE)
    parser.add_argument("file", help="a saved game, or one on each line")
    parser.add_argument("--out", metavar="RECORD", help="where to write (standard output)")
    return parser


def _games(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the text of each game, and the number of its line."""
    try:
        with path.open(encoding="utf-8") as file:
            lines = ((number, line) for number, line in enumerate(file, 1) if line.strip())
            number, line = next(lines, (1, ""))
            if _is_json(line):
                yield number, line
                yield from lines
            else:
                # One game on many lines, or what is no game at all.
                yield from _written_out(line, lines)
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error) from None


def _written_out(first: str, others: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    rest = list(others)
    whole = first + "".join(line for _, line in rest)
    if _is_json(whole):
        yield 1, whole
    elif first:
        yield 1, first
        yield from rest


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):  # also of a number with thousands of digits
        return False
    return True


def _read(name: str, number: int, text: str) -> Imported:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # also of a number with thousands of digits
        raise BadInputError(f"{name}: line {number}: not JSON") from None
    if not isinstance(data, dict):
        raise BadInputError(f"{name}: line {number}: not a saved game, but {type(data).__name__}")
    try:
        return imported(data)
    except BadInputError as error:
        raise BadInputError(f"{name}: line {number}: {error}") from None


class _Destination:
    """Where records go: standard output, or a file that is there when all are in it."""

    def __init__(self, name: str | None) -> None:
        self._path = None if name is None else Path(name)
        self._part = Path(f"{name}.part")
        self._file: TextIO = sys.stdout

    def write(self, text: str) -> None:
        """Write a record."""
        self._file.write(text)

    def __enter__(self) -> Self:
        if self._path is not None:
            try:
                self._file = self._part.open("w", encoding="utf-8")
            except OSError as error:
                raise self._complaint(error) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._path is None:
            return
        self._file.close()
        try:
            if kind is None:
                self._part.replace(self._path)
            else:
                self._part.unlink()
        except OSError as error:
            raise self._complaint(error) from None

    def _complaint(self, error: OSError) -> BadInputError:
        return unwritable(f"--out: {self._path}", error)
