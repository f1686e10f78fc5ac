"""The file of records: a line for every game that has ended, each exactly once.

A server may be killed while it writes a line, or before it has noted that it did. Whoever writes
the line again finds it there, or finds the piece of it that was written and takes that away. Only
the end of the file is looked at: what was written last before a death cannot stand further up, and
all games wait meanwhile. Several processes may add to one file.
"""

import os
from contextlib import suppress
from pathlib import Path

from rules.errors import BadInputError
from server.file_lock import lock_file

LOOKED_AT = 16_000_000
"""Bytes: dozens of games, of which a server ends a few at once."""


def append_once(path: str, line: str) -> None:
    """Add a line unless it is there; raises OSError, BlockingIOError while another process adds."""
    whole = line.encode() + b"\n"
    with Path(path).open("a+b") as file:
        _lock(file.fileno())
        end = max(0, file.seek(0, os.SEEK_END) - max(LOOKED_AT, 2 * len(whole)))
        file.seek(end)
        for known in file:
            if known == whole:
                return
            if not known.endswith(b"\n") and whole.startswith(known):
                file.truncate(end)
                break
            end += len(known)
            if not known.endswith(b"\n"):
                whole = b"\n" + whole  # the piece of a line of somebody else
        file.seek(0, os.SEEK_END)
        file.write(whole)
        file.flush()


def _lock(descriptor: int) -> None:
    """Keep other processes away until the file is closed, where the system can do that."""
    try:
        with suppress(OSError):
            lock_file(descriptor, "another process adds to it")
    except BadInputError as error:
        raise BlockingIOError(str(error)) from None
