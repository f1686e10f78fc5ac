"""`games.jsonl`: a line for every finished game, written once and safely.

One runner at a time holds the file, by a lock that the system lets go of when it dies. A line is
on the disk before its game counts; what a crash may leave is a line without its end, and that is
cut off when the file is opened again.
"""

import json
import os
from pathlib import Path
from typing import Any

from rules.errors import BadInputError
from server.file_lock import lock_file
from tournament.outcome import Line

GAMES = "games.jsonl"
SPEC = "spec.toml"


class Results:
    """The games of one folder; to be closed."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / GAMES
        self.lines: list[Line] = []
        self.played: set[int] = set()
        """The numbers of the games that are there."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
            self._file = os.open(self.path, flags, 0o644)
        except OSError as error:
            raise BadInputError(f"{self.path}: cannot be written: {error.strerror}") from None
        try:
            busy = f"{self.path}: another tournament is writing it; wait, or choose another --out"
            lock_file(self._file, busy)
            self._load()
        except BaseException:
            self.close()
            raise

    def append(self, line: Line) -> None:
        """Add a game; when this returns, it is kept."""
        assert line["game"] not in self.played
        data = json.dumps(line, separators=(",", ":")).encode() + b"\n"
        while data:
            data = data[os.write(self._file, data) :]
        os.fsync(self._file)
        self._note(line)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def _load(self) -> None:
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            os.ftruncate(self._file, len(whole))
        for number, text in enumerate(whole.splitlines(), start=1):
            line = _read(text, f"{self.path}:{number}")
            if line["game"] in self.played:
                raise BadInputError(f"{self.path}:{number}: game {line['game']} is there twice")
            self._note(line)

    def _note(self, line: Line) -> None:
        self.lines.append(line)
        self.played.add(line["game"])


def _read(text: bytes, place: str) -> Line:
    try:
        line: Any = json.loads(text)
    except ValueError as error:
        raise BadInputError(f"{place}: not JSON: {error}; remove the line") from None
    if not isinstance(line, dict) or not isinstance(line.get("game"), int):
        raise BadInputError(f"{place}: not the line of a game; remove it")
    return line
