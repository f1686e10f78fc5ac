"""The store: one SQLite file that keeps every game, written by one connection.

Entries that come in while the loop is busy, of whatever games, are written in one transaction, and
`append` is done when that is durable. What durable means is a setting:

- `process`: handed to the operating system, which survives the death of this process. That takes
  some tens of microseconds, so it is done in the loop itself.
- `power`: on the disk. A thread waits for the disk, and entries gather meanwhile.

A store that cannot be written loses nothing and confirms nothing: it tries again until it can,
and tells with `on_stall` that it waits. Raises BadInputError when the file cannot be used at all.
"""

import asyncio
import json
import os
import sqlite3
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, TypeAlias, cast

import structlog

from rules.errors import BadInputError
from rules.outcome import Ending, EndingJson, ending_to_json
from server.file_lock import FileLock
from server.inputs import Batch, batch_from_bytes, batch_to_bytes
from server.record import GameRecord, GameSetup, setup_from_json, setup_to_json

GameId: TypeAlias = int
Statement: TypeAlias = tuple[str, tuple[Any, ...]]

IN_MEMORY = ":memory:"
RETRY = 1.0
# So much may be written before the log of changes is merged into the file.
CHECKPOINT_BYTES = 8_000_000
FORMAT = 2
SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, setup TEXT NOT NULL, created TEXT NOT NULL,
    is_finished INTEGER NOT NULL, ending TEXT
);
CREATE TABLE IF NOT EXISTS batches (
    game INTEGER NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS turns (
    game INTEGER NOT NULL, number INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (game, number)
) WITHOUT ROWID;
"""
INSERT_GAME = "INSERT INTO games VALUES (?, ?, datetime('now'), 0, NULL)"
INSERT_BATCH = "INSERT INTO batches VALUES (?, ?, ?)"
INSERT_TURN = "INSERT INTO turns VALUES (?, ?, ?)"
FINISH_GAME = "UPDATE games SET is_finished = 1, ending = ? WHERE id = ?"
# Stores of format 1 did not say how a game ended.
UPGRADE = "ALTER TABLE games ADD COLUMN ending TEXT"

log = structlog.get_logger(__name__)


class Durability(Enum):
    """What a confirmed entry survives."""

    PROCESS = "process"
    POWER = "power"


def do_nothing() -> None:
    """Ignore that the store waits, or goes on."""


class Store:
    """Keeps games; to be opened once per file, and closed."""

    def __init__(self, path: str = IN_MEMORY, durability: Durability = Durability.PROCESS) -> None:
        self.path = path
        self.on_stall: Callable[[], None] = do_nothing
        self.on_recovery: Callable[[], None] = do_nothing
        self._waits_for_disk = durability is Durability.POWER
        self._lock = FileLock(path) if path != IN_MEMORY else None
        try:
            self._database = _open(path, durability)
            self.next_game = 1 + (self._value("SELECT max(id) FROM games") or 0)
        except sqlite3.Error as error:
            self._release()
            raise BadInputError(f"store {path}: not usable: {error}") from None
        self._pending: list[Statement] = []
        self._waiting: list[asyncio.Future[None]] = []
        self._is_busy = False
        self._is_stalled = False
        self._since_checkpoint = 0
        self._thread = ThreadPoolExecutor(1, "store")

    @property
    def waiting(self) -> int:
        """How many entries have not been written."""
        return len(self._pending)

    @property
    def is_stalled(self) -> bool:
        """Whether it could not be written when it was tried last."""
        return self._is_stalled

    # --- writing ----------------------------------------------------------------------------------

    def new_game(self, setup: GameSetup) -> GameId:
        """Begin the record of a game; it is durable no later than its first batch."""
        number = self.next_game
        self.next_game += 1
        self._add(INSERT_GAME, (number, json.dumps(setup_to_json(setup))))
        return number

    async def append(
        self, game: GameId, number: int, batch: Batch, turns: list[tuple[int, str]]
    ) -> None:
        """Add the batch of that number to a game, and the JSON of turns that it completed."""
        self._add(INSERT_BATCH, (game, number, batch_to_bytes(batch)))
        for turn_number, turn in turns:
            self._add(INSERT_TURN, (game, turn_number, turn))
        kept = asyncio.get_running_loop().create_future()
        self._waiting.append(kept)
        await kept

    def finish(self, game: GameId, ending: Ending | None = None) -> None:
        """Note that a game is over and need not be carried on, and how it ended if it began."""
        self._add(FINISH_GAME, (json.dumps(ending_to_json(ending)) if ending else None, game))

    def _add(self, statement: str, values: tuple[Any, ...]) -> None:
        if not self._pending and not self._is_busy:
            # Whatever else happens in this round of the loop goes into the same transaction.
            with suppress(RuntimeError):  # no loop: it is written by the next append, or by close
                asyncio.get_running_loop().call_soon(self._flush)
        self._pending.append((statement, values))

    def _flush(self) -> None:
        if self._is_busy or not self._pending:
            return
        statements, self._pending = self._pending, []
        waiting, self._waiting = self._waiting, []
        self._is_busy = True
        if self._waits_for_disk or self._since_checkpoint > CHECKPOINT_BYTES:
            written = asyncio.get_running_loop().run_in_executor(
                self._thread, self._write_in_thread, statements
            )
            written.add_done_callback(
                lambda done: self._on_written(statements, waiting, done.exception())
            )
        else:
            self._on_written(statements, waiting, self._try_to_write(statements))

    def _on_written(
        self,
        statements: list[Statement],
        waiting: list[asyncio.Future[None]],
        error: BaseException | None,
    ) -> None:
        self._is_busy = False
        loop = asyncio.get_running_loop()
        if error is not None:
            self._stall(error)
            self._pending[:0] = statements
            self._waiting[:0] = waiting
            loop.call_later(RETRY, self._flush)
            return
        self._go_on()
        for kept in waiting:
            if not kept.done():
                kept.set_result(None)
        if self._pending:
            loop.call_soon(self._flush)

    def _stall(self, error: BaseException) -> None:
        log.error("store cannot be written, games wait", path=self.path, error=str(error))
        if not self._is_stalled:
            self._is_stalled = True
            self.on_stall()

    def _go_on(self) -> None:
        if self._is_stalled:
            self._is_stalled = False
            log.warning("store can be written again", path=self.path)
            self.on_recovery()

    def _try_to_write(self, statements: list[Statement]) -> sqlite3.Error | None:
        try:
            self._write(statements)
        except sqlite3.Error as error:
            return error
        return None

    def _write_in_thread(self, statements: list[Statement]) -> None:
        self._write(statements)
        if self._since_checkpoint > CHECKPOINT_BYTES:
            self._database.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self._since_checkpoint = 0

    def _write(self, statements: list[Statement]) -> None:
        database = self._database
        try:
            database.execute("BEGIN IMMEDIATE")
            for statement, values in statements:
                database.execute(statement, values)
                self._since_checkpoint += len(values[-1]) if len(values) == 3 else 0
            database.execute("COMMIT")
        except sqlite3.Error:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise

    # --- reading ----------------------------------------------------------------------------------

    def unfinished(self) -> list[tuple[GameId, GameRecord]]:
        """Return the games that are not over."""
        return [(number, self.load(number)) for number in self.games(finished=False)]

    def games(self, *, finished: bool | None = None) -> list[GameId]:
        """Return the numbers of all games, or of those that are over or not."""
        query = "SELECT id FROM games WHERE ? IS NULL OR is_finished = ? ORDER BY id"
        try:
            rows = self._database.execute(query, (finished, finished)).fetchall()
        except sqlite3.Error as error:
            raise BadInputError(f"store {self.path}: not usable: {error}") from None
        return [row[0] for row in rows]

    def load(self, game: GameId) -> GameRecord:
        """Return the record of a game."""
        if game not in self.games():
            raise BadInputError(f"store {self.path}: there is no game {game}")
        try:
            setup = self._value("SELECT setup FROM games WHERE id = ?", game)
            rows = self._database.execute(
                "SELECT data FROM batches WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
            batches = tuple(batch_from_bytes(row[0]) for row in rows)
            return GameRecord(setup_from_json(json.loads(setup)), batches)
        except (sqlite3.Error, struct.error, KeyError, TypeError, ValueError) as error:
            raise BadInputError(f"store {self.path}: game {game} is damaged: {error}") from None

    def turns(self, game: GameId) -> list[dict[str, Any]]:
        """Return the turns of a game as they were kept when they were processed."""
        rows = self._database.execute(
            "SELECT data FROM turns WHERE game = ? ORDER BY number", (game,)
        ).fetchall()
        return [json.loads(row[0]) for row in rows]

    def ending(self, game: GameId) -> EndingJson | None:
        """Return how a game ended, None if it is not over or never began."""
        told = self._value("SELECT ending FROM games WHERE id = ?", game)
        return None if told is None else cast("EndingJson", json.loads(told))

    def _value(self, query: str, *values: object) -> Any:  # noqa: ANN401 - a cell of a table
        row = self._database.execute(query, values).fetchone()
        return None if row is None else row[0]

    # --- the end ----------------------------------------------------------------------------------

    def close(self) -> None:
        """Write what is left, and let go of the file."""
        self._thread.shutdown()
        if self._pending:
            error = self._try_to_write(self._pending)
            if error is not None:
                log.error("store cannot be written", path=self.path, error=str(error))
        self._database.close()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()


def _open(path: str, durability: Durability) -> sqlite3.Connection:
    if path != IN_MEMORY:
        _make_file(path)
    # One connection, used in the loop or in its thread but never in both at once.
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        # NORMAL waits for the disk only when the log is merged: commits survive this process, and
        # after a loss of power the last of them may be missing, but the file is whole.
        level = "FULL" if durability is Durability.POWER else "NORMAL"
        database.execute(f"PRAGMA synchronous = {level}")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        number = database.execute("PRAGMA user_version").fetchone()[0]
        _check_format(path, number)
        if number == 1:
            database.execute(UPGRADE)
        database.executescript(SCHEMA)
        database.execute(f"PRAGMA user_version = {FORMAT}")
    except BaseException:
        database.close()
        raise
    return database


def _check_format(path: str, number: int) -> None:
    if number not in (0, 1, FORMAT):
        raise BadInputError(f"store {path}: has format {number}, this version reads {FORMAT}")


def _make_file(path: str) -> None:
    """Make the file if it is new, for its owner only: it tells the passcodes of all powers."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError as error:
        raise BadInputError(f"store {path}: cannot be written: {error.strerror}") from None
