"""SQLite's log of changes beside a store: how large it is, and whether it is whole.

SQLite reads it up to the first frame that is damaged and says nothing of what follows. We count
what was committed after that, so that whoever has lost something is told.
"""

import os
import shutil
import struct
from contextlib import suppress
from pathlib import Path

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")


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

    def commits(self) -> list[int]:
        """Return the numbers of the frames with which something was committed, damaged or not."""
        with suppress(OSError), self.path.open("rb") as file:
            head = file.read(_HEADER.size)
            if len(head) < _HEADER.size:
                return []
            _, _, page_size, _, *salts, _, _ = _HEADER.unpack(head)
            return _commits(file.read(), page_size or 65536, salts)
        return []

    def keep_copy(self) -> str:
        """Put a copy aside for those who want to look; return its name."""
        copy = f"{self.path}.damaged"
        shutil.copyfile(self.path, copy)
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
