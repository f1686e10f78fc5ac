"""Locks on files, so that two processes do not write one; the system lets go of them at death.

The lock of a store is on the database itself: neither another name for it nor a removed file opens
a way around. It also tells whether the name still leads to that file.
"""

import os
import sys
from contextlib import suppress
from pathlib import Path

from rules.errors import BadInputError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# Windows forbids others to read what is locked: the byte is one that no file of ours reaches.
_BEHIND_THE_END = 2**40


def lock_file(descriptor: int, busy: str) -> None:
    """Lock an open file until it is closed; if another process has it, say that it is `busy`."""
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, _BEHIND_THE_END, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        raise BadInputError(busy) from None


class FileLock:
    """Holds the lock of a store; raises BadInputError if another process has it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: int | None = None
        # Only on Linux is this lock no business of SQLite's own, which are on the same file.
        locked = path if sys.platform == "linux" else f"{os.path.realpath(path)}.lock"
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(locked, os.O_RDWR | os.O_CREAT, 0o600)
            lock_file(self._file, f"store {path}: another server uses it; choose another")
        except BadInputError:
            self.release()
            raise
        except OSError as error:
            self.release()
            raise BadInputError(f"store {path}: cannot be used: {error.strerror}") from None
        self._identity = _identity(path)

    def still_leads_to_it(self) -> bool:
        """Tell whether the store's name leads to the file that was opened."""
        return self._identity is None or _identity(self._path) == self._identity

    def release(self) -> None:
        """Let go of the lock."""
        if self._file is not None:
            with suppress(OSError):
                os.close(self._file)
            self._file = None


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 - asked with every write, and a third of the time
    except OSError:
        return None
    return found.st_dev, found.st_ino
