"""Adds the record of one game of a store to a file, as a process of its own: it may take long.

`python -m server.record_writer STORE NUMBER FILE`. Why it cannot be done stands on standard output,
and the exit code is 1 then.
"""

import json
import sqlite3
import sys
import time
from collections.abc import Sequence

import structlog

from cli.children import follow_parent
from rules.errors import BadInputError
from server.record_lines import append_once
from server.stored_games import StoredGames

BUSY = 0.05


def main(arguments: Sequence[str]) -> int:
    """Write the record."""
    store, number, path = arguments
    try:
        line = json.dumps(StoredGames(store).record(int(number)))
        _append(path, line)
    except (OSError, BadInputError, sqlite3.Error) as error:
        sys.stdout.write(f"{error}\n")
        return 1
    return 0


def _append(path: str, line: str) -> None:
    while True:
        try:
            append_once(path, line)
        except BlockingIOError:
            time.sleep(BUSY)
        else:
            return


if __name__ == "__main__":
    follow_parent()
    structlog.configure(logger_factory=structlog.WriteLoggerFactory(sys.stderr))
    sys.exit(main(sys.argv[1:]))
