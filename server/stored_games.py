"""The finished games of a store, for those who only look: another process may write meanwhile.

Raises BadInputError for a game that is damaged or not there.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from attrs import frozen

from rules.errors import BadInputError
from server.record import record_to_json
from server.store import GameId, load_game

NEWEST = 200
"""So many games are listed."""


@frozen
class StoredGame:
    """What can be told of a game without playing it again."""

    number: GameId
    setup: dict[str, Any]
    ending: dict[str, Any] | None
    position: dict[str, Any] | None
    """The last one; None if no turn was played."""


@frozen
class StoredGames:
    """The finished games of one store."""

    path: str

    def games(self) -> Iterator[StoredGame]:
        """Give the newest games that began and are over."""
        with closing(self._open()) as database:
            rows = database.execute(
                "SELECT id, setup, ending, (SELECT data FROM turns WHERE game = id"
                " ORDER BY number DESC LIMIT 1) FROM games"
                " WHERE is_finished = 1 ORDER BY id DESC LIMIT ?",
                (NEWEST,),
            ).fetchall()
        for number, setup, ending, turn in rows:
            if turn is not None:
                position = json.loads(turn)["position"]
                told = json.loads(ending) if ending else None
                yield StoredGame(number, json.loads(setup), told, position)

    def record(self, number: GameId) -> dict[str, Any]:
        """Return the record of a game; it is played again for that."""
        with closing(self._open()) as database:
            return record_to_json(load_game(database, self.path, number))

    def _open(self) -> sqlite3.Connection:
        address = f"file:{quote(str(Path(self.path).absolute()))}?mode=ro"
        try:
            return sqlite3.connect(address, uri=True, timeout=1.0)
        except sqlite3.Error as error:
            raise BadInputError(f"store {self.path}: cannot be read: {error}") from None
