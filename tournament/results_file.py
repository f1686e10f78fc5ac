"""`games.jsonl`: a line for every finished game, written once and safely.

One runner at a time holds the file, by a lock that the system lets go of when it dies. A line is
on the disk before its game counts; what a crash may leave is a line without its end, and that is
cut off when the file is opened again.
"""

import json
import os
from pathlib import Path

from cli.whole_files import write_whole
from rules.errors import BadInputError, unreadable, unwritable
from server.file_lock import lock_file
from tournament.game_result import GameResult, result_from_line, result_to_json

FILE_NAME = "games.jsonl"
SPEC = "spec.toml"
RECORDS = "records"
MAKE_ROOM = "the games before are kept, make room and go on with --resume"


class ResultsFile:
    """The games of one folder; to be closed."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self.results: list[GameResult] = []
        self.played: set[int] = set()
        """The numbers of the games that are there."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
            self._file = os.open(self.path, flags, 0o644)
        except OSError as error:
            raise unwritable(self.path, error) from None
        try:
            busy = f"{self.path}: another tournament is writing it; wait, or choose another --out"
            lock_file(self._file, busy)
            self._load()
        except BaseException:
            self.close()
            raise

    def append(self, result: GameResult) -> None:
        """Add a game; when this returns, it is kept."""
        assert result.number not in self.played
        if result.record:
            # First: a game that counts has its record.
            keep_record(self.path.parent, result)
        data = line_of(result).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)
        except OSError as error:
            raise unwritable(self.path, error, MAKE_ROOM) from None
        self._note(result)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def _load(self) -> None:
        data = self.path.read_bytes()
        length = data.rfind(b"\n") + 1
        if length < len(data):
            os.ftruncate(self._file, length)
        for result in _results_in(data[:length], self.path):
            self._note(result)

    def _note(self, result: GameResult) -> None:
        self.results.append(result)
        self.played.add(result.number)


def record_path(folder: Path, number: int) -> Path:
    """Return where the whole game of that number is kept."""
    return folder / RECORDS / f"game-{number:06}.json.gz"


def keep_record(folder: Path, result: GameResult) -> None:
    """Write the whole game, so that its file is there complete or not at all."""
    path = record_path(folder, result.number)
    try:
        path.parent.mkdir(exist_ok=True)
        write_whole(path, result.record, survives_power_loss=True)
    except OSError as error:
        raise unwritable(path, error, MAKE_ROOM) from None


def keeps_records(folder: Path) -> bool:
    """Whether the games of a folder are kept whole."""
    return (folder / RECORDS).is_dir()


def remove_unfinished(folder: Path) -> None:
    """Remove what a runner that was killed has left of a record."""
    for path in (folder / RECORDS).glob("*.part"):
        path.unlink()


def line_of(result: GameResult) -> str:
    """Return the line of a result."""
    return json.dumps(result_to_json(result), separators=(",", ":"))


def read_results(folder: Path) -> list[GameResult]:
    """Read all games of a tournament, in the order of their numbers; there must be one."""
    path = folder / FILE_NAME
    if not path.is_file():
        raise BadInputError(
            f"{path}: no such file; name the directory that a tournament was written to"
        )
    games = results_so_far(folder)
    if not games:
        raise BadInputError(f"{path}: holds no game; run the tournament first")
    return games


def results_so_far(folder: Path) -> list[GameResult]:
    """Read the games that a tournament has by now, none if it has not begun; nothing is changed.

    A last line without its end is left out: it is being written, or its runner was killed.
    """
    path = folder / FILE_NAME
    try:
        data = path.read_bytes()
        end = data.rfind(b"\n") + 1
    except FileNotFoundError:
        return []
    except OSError as error:
        raise unreadable(path, error) from None
    lines = data[:end] if _is_cut_off(data[end:]) else data
    return sorted(_results_in(lines, path), key=lambda result: result.number)


def _is_cut_off(line: bytes) -> bool:
    """Whether a line that has no end is the beginning of a result."""
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return line.startswith(b"{")
    return False


def _results_in(lines: bytes, path: Path) -> list[GameResult]:
    """Read lines, each of another game."""
    try:
        text = lines.decode()
    except UnicodeDecodeError as error:
        raise unreadable(path, error) from None
    games: dict[int, GameResult] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        game = result_from_line(line, f"{path}:{number}")
        if game.number in games:
            raise _told_twice(game, f"{path}:{number}")
        games[game.number] = game
    return list(games.values())


def _told_twice(game: GameResult, place: str) -> BadInputError:
    return BadInputError(
        f"{place}: game {game.number} is already told; remove one of the two lines"
    )
