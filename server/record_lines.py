"""The file of records: a line for every game that has ended, each exactly once.

A server may be killed while it writes a line, or before it has noted that it did. Whoever writes
the line again finds it there, or finds the piece of it that was written and takes that away.
"""

import os
from pathlib import Path


def append_once(path: str, line: str) -> None:
    """Add a line unless it is there; raises OSError."""
    whole = line.encode() + b"\n"
    with Path(path).open("a+b") as file:
        file.seek(0)
        end = 0
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
