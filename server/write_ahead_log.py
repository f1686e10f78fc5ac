"""SQLite's log of changes beside a store: how large it is, and whether it is whole.

SQLite reads it up to the first frame that is damaged or missing and says nothing of what follows.
We count what was committed after that, so that whoever has lost something is told. What the log
should hold stands in its index, a file that outlives a server that was killed.
"""

import os
import shutil
import sqlite3
import struct
from contextlib import suppress
from pathlib import Path

from attrs import frozen

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
# Of the index: its version and the last committed frame.
_INDEX = struct.Struct("=I12xI")
_INDEX_VERSION = 3_007_000


@frozen
class Committed:
    """What was in the log before anybody opened it."""

    frames: list[int]
    """The numbers of the frames with which something was committed, damaged or not."""
    last: int
    """The number of the last one as the index has it; 0 if it does not say."""


class WriteAheadLog:
    """The log of one store."""

    def __init__(self, path: str) -> None:
        self.path = Path(f"{os.path.realpath(path)}-wal")
        self._name = str(self.path)
        self._identity: tuple[int, int] | None = None

    def size(self) -> int:
        """Return its size in bytes; raises OSError if it is another file than before, or gone."""
        found = os.stat(self._name)  # noqa: PTH116 - asked with every write, and a third of the time
        identity = found.st_dev, found.st_ino
        if self._identity not in (None, identity):
            raise FileNotFoundError(self.path)
        self._identity = identity
        return found.st_size

    def committed(self) -> Committed:
        """Return what was committed to it; to be asked before SQLite opens it."""
        content = b""
        with suppress(OSError):
            content = self.path.read_bytes()
        frames: list[int] = []
        if len(content) >= _HEADER.size:
            _, _, page_size, _, *salts, _, _ = _HEADER.unpack_from(content)
            frames = _commits(content[_HEADER.size :], page_size or 65536, salts)
        return Committed(frames, self._last_in_index())

    def _last_in_index(self) -> int:
        """Return the number of the last frame that was committed, as the index has it."""
        with suppress(OSError), Path(f"{self._name[:-4]}-shm").open("rb") as file:
            head = file.read(_INDEX.size)
            if len(head) == _INDEX.size:
                version, last = _INDEX.unpack(head)
                return int(last) if version == _INDEX_VERSION else 0
        return 0

    def lost(self, before: Committed, database: sqlite3.Connection) -> int:
        """Return how many changes cannot be read any more; to be asked before any is added.

        Of those that are not even there only that there were some is known: they count as one.
        """
        if not before.frames and not before.last:
            return 0
        row: tuple[int, int, int] = database.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        readable = row[1]
        unread = sum(number > readable for number in before.frames)
        last_there = max(before.frames, default=0)
        return unread + (before.last > max(last_there, readable))


def keep_copy(path: str) -> str:
    """Put a copy of a damaged file aside for those who want to look; return its name."""
    copy = f"{path}.damaged"
    try:
        shutil.copyfile(path, copy)
    except OSError as error:
        return f"none: {error.strerror}"
    Path(copy).chmod(0o600)
    return copy


def _commits(frames: bytes, page_size: int, salts: list[int]) -> list[int]:
    found = []
    step = _FRAME.size + page_size
    for number, place in enumerate(range(0, len(frames) - step + 1, step), start=1):
        _, pages_after_commit, *salts_here, _, _ = _FRAME.unpack_from(frames, place)
        if salts_here == salts and pages_after_commit:
            found.append(number)
    return found
