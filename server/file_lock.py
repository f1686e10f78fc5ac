"""Locks on files, so that two processes do not write one; the system lets go of them at death."""

import os
import sys
from contextlib import suppress
from pathlib import Path

from rules.errors import BadInputError

if sys.platform != "win32":
    import fcntl


def lock_file(descriptor: int, busy: str) -> None:
    """Lock an open file until it is closed; if another process has it, say that it is `busy`."""
    if sys.platform == "win32":
        return  # nothing stops a second process there
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BadInputError(busy) from None


class FileLock:
    """Holds the lock of a store; raises BadInputError if another process has it."""

    def __init__(self, path: str) -> None:
        self._file: int | None = None
        if sys.platform == "win32":
            return  # nothing stops a second server there
        lock = Path(f"{path}.lock")
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            lock_file(self._file, f"store {path}: another server uses it; choose another")
        except BadInputError:
            self.release()
            raise
        except OSError as error:
            self.release()
            raise BadInputError(f"store {path}: cannot be locked: {error.strerror}") from None

    def release(self) -> None:
        """Let go of the lock."""
        if self._file is not None:
            with suppress(OSError):
                os.close(self._file)
            self._file = None
