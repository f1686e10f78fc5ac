"""The store: one SQLite file that keeps every game, written by one connection.

Entries that come in while the loop is busy, of whatever games, are written in one transaction, one
that comes in a calm at once, and `append` is done when that is durable. What that means is set:

- `process`: handed to the operating system, which survives the death of this process. That takes
  some tens of microseconds, so it is done in the loop itself.
- `power`: on the disk. A thread waits for the disk, and entries gather meanwhile.

A store that cannot be written loses nothing and confirms nothing: it tries again until it can,
and tells with `on_stall` that it waits. So does one whose file has gone or was replaced. Every
batch has a check sum, so that a damaged game is known and the others go on. Raises BadInputError
when the file cannot be used at all.
"""

import asyncio
import json
import math
import os
import sqlite3
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Any, TypeAlias, cast
from zlib import crc32

import structlog

from rules.errors import BadInputError, unwritable
from rules.outcome import Ending, EndingJson, ending_to_json
from server.file_lock import FileLock
from server.game import Game
from server.inputs import Batch, batch_from_bytes, batch_to_bytes
from server.record import GameRecord, GameSetup, setup_from_json, setup_to_json
from server.snapshot import fingerprint, read_snapshot
from server.write_ahead_log import Committed, WriteAheadLog, keep_copy

GameId: TypeAlias = int
Statement: TypeAlias = tuple[str, tuple[Any, ...]]

IN_MEMORY = ":memory:"
RETRY = 1.0
CALM = 0.001
"""After so many seconds without a write nothing else comes with what comes."""
# The log of changes is merged into the file when it is larger than that.
CHECKPOINT_BYTES = 4_000_000
LARGE = 1_000_000
"""Bytes of a snapshot that is written in a thread."""
# More than any page: that new ones can be had is tried when a file is opened.
ROOM_TRIED = 200_000
LARGEST_CHECKED = 100_000_000
"""Bytes of a file that is looked through when it is opened: a second on a busy machine."""
FORMAT = 4
SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    id INTEGER PRIMARY KEY, setup TEXT NOT NULL, created TEXT NOT NULL,
    is_finished INTEGER NOT NULL, ending TEXT, checksum INTEGER
);
CREATE TABLE IF NOT EXISTS batches (
    game INTEGER NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL, checksum INTEGER,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS snapshots (
    game INTEGER PRIMARY KEY, batches INTEGER NOT NULL, version TEXT NOT NULL,
    checksum INTEGER NOT NULL, data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS turns (
    game INTEGER NOT NULL, number INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (game, number)
) WITHOUT ROWID;
"""
# One that was killed while it made them has some of them.
_TABLES = {"games", "batches", "snapshots", "turns"}
INSERT_GAME = "INSERT INTO games VALUES (?, ?, datetime('now'), 0, NULL, ?)"
INSERT_BATCH = "INSERT INTO batches VALUES (?, ?, ?, ?)"
INSERT_SNAPSHOT = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)"
DROP_SNAPSHOT = "DELETE FROM snapshots WHERE game = ?"
INSERT_TURN = "INSERT INTO turns VALUES (?, ?, ?)"
FINISH_GAME = "UPDATE games SET is_finished = 1, ending = ? WHERE id = ?"
FORGET_GAME = (
    "DELETE FROM batches WHERE game = ?",
    "DELETE FROM turns WHERE game = ?",
    DROP_SNAPSHOT,
    "DELETE FROM games WHERE id = ?",
)
UPGRADES = {
    1: "ALTER TABLE games ADD COLUMN ending TEXT",
    2: "ALTER TABLE batches ADD COLUMN checksum INTEGER",
    3: "ALTER TABLE games ADD COLUMN checksum INTEGER",
}
"""What makes a store of a format one of the next."""

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
        self._log = WriteAheadLog(path) if path != IN_MEMORY else None
        try:
            self._database = _open(path, durability, self._log)
            self.next_game = 1 + (self._value("SELECT max(id) FROM games") or 0)
        except sqlite3.Error as error:
            self._release()
            raise BadInputError(f"store {path}: not usable: {error}") from None
        except BadInputError:
            self._release()
            raise
        self._pending: list[Statement] = []
        self._waiting: list[asyncio.Future[None]] = []
        self._is_busy = False
        self._is_stalled = False
        self._is_log_stuck = False
        self._log_size = 0
        self._has_large = False
        """Whether something waits that takes long to write."""
        self._written_at = -math.inf
        self._thread = ThreadPoolExecutor(1, "store")

    @property
    def waiting(self) -> int:
        """How many entries have not been written."""
        return len(self._pending)

    @property
    def is_stalled(self) -> bool:
        """Whether it could not be written when it was tried last."""
        return self._is_stalled

    @property
    def _is_idle(self) -> bool:
        """Whether nothing is being written, nor is about to be."""
        return not self._pending and not self._is_busy

    # --- writing ----------------------------------------------------------------------------------

    def new_game(self, setup: GameSetup) -> GameId:
        """Begin the record of a game; it is durable no later than its first batch."""
        number = self.next_game
        self.next_game += 1
        told = json.dumps(setup_to_json(setup))
        self._add(INSERT_GAME, (number, told, _checksum(number, 0, told.encode())))
        return number

    async def append(
        self, game: GameId, number: int, batch: Batch, turns: list[tuple[int, str]]
    ) -> None:
        """Add the batch of that number to a game, and the JSON of turns that it completed."""
        data = batch_to_bytes(batch)
        statements: list[Statement] = [
            (INSERT_BATCH, (game, number, data, _checksum(game, number, data))),
            *((INSERT_TURN, (game, *each)) for each in turns),
        ]
        loop = asyncio.get_running_loop()
        kept = loop.create_future()
        self._waiting.append(kept)
        if self._is_idle and loop.time() - self._written_at > CALM:
            self._pending = statements
            self._flush()
        else:
            for each in statements:
                self._add(*each)
        await kept

    def finish(self, game: GameId, ending: Ending | None = None) -> None:
        """Note that a game is over and need not be carried on, and how it ended if it began."""
        self._add(FINISH_GAME, (json.dumps(ending_to_json(ending)) if ending else None, game))
        self._add(DROP_SNAPSHOT, (game,))

    def keep_snapshot(self, game: GameId, batches: int, data: bytes) -> None:
        """Keep a game as it stands after so many batches, in place of an earlier snapshot."""
        checksum = _checksum(game, batches, data)
        self._has_large = self._has_large or len(data) > LARGE
        self._add(INSERT_SNAPSHOT, (game, batches, fingerprint(), checksum, data))

    def forget(self, game: GameId) -> None:
        """Remove everything about a game."""
        for statement in FORGET_GAME:
            self._add(statement, (game,))

    def _add(self, statement: str, values: tuple[Any, ...]) -> None:
        if self._is_idle:
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
        has_large, self._has_large = self._has_large, False
        if self._waits_for_disk or has_large or self._log_size > CHECKPOINT_BYTES:
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
        self._written_at = loop.time()
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
        if not self._is_stalled:
            # Once: it may last all night.
            log.error("store cannot be written, games wait", path=self.path, error=str(error))
            self._is_stalled = True
            self.on_stall()

    def _go_on(self) -> None:
        if self._is_stalled:
            self._is_stalled = False
            log.warning("store can be written again", path=self.path)
            self.on_recovery()

    def check(self) -> None:
        """See whether the file is still there and ours; games wait while it is not."""
        if self._is_busy or self._pending:
            return  # it is seen when that is written
        try:
            self._check_file()
        except sqlite3.Error as error:
            self._stall(error)
        else:
            self._go_on()

    def give_up(self) -> None:
        """Let nobody wait any longer for a store that cannot be written: the server ends."""
        for kept in self._waiting:
            kept.cancel()

    def release_memory(self) -> None:
        """Give up what the database keeps in memory to be quicker; it reads it again."""
        if not self._is_busy:
            with suppress(sqlite3.Error):
                self._database.execute("PRAGMA shrink_memory")

    def _check_file(self) -> None:
        if self._lock is None or self._log is None:
            return
        try:
            self._log_size = self._log.size()
            is_ours = self._lock.still_leads_to_it()
        except OSError:
            is_ours = False
        if not is_ours:
            raise sqlite3.OperationalError(
                "the file has gone or was replaced: put it back, or start the server anew"
            )

    def _try_to_write(self, statements: list[Statement]) -> sqlite3.Error | None:
        try:
            self._write(statements)
        except sqlite3.Error as error:
            return error
        return None

    def _write_in_thread(self, statements: list[Statement]) -> None:
        self._write(statements)
        if self._log_size > CHECKPOINT_BYTES:
            self._merge_log()

    def _merge_log(self) -> None:
        """Merge the log into the file; where that cannot be, what was committed is in the log."""
        try:
            # Cut to nothing, so that its size tells how much is in it.
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error as error:
            if not self._is_log_stuck:
                why = str(error)
                log.error("store: the log of changes cannot be merged", path=self.path, error=why)  # noqa: TRY400 - the text says it all
            self._is_log_stuck = True
        else:
            self._is_log_stuck = False

    def _write(self, statements: list[Statement]) -> None:
        database = self._database
        self._check_file()
        try:
            database.execute("BEGIN IMMEDIATE")
            for statement, values in statements:
                database.execute(statement, values)
            database.execute("COMMIT")
        except sqlite3.Error:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise

    # --- reading ----------------------------------------------------------------------------------

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
        return load_game(self._database, self.path, game)

    def is_larger(self, game: GameId, size: int, batches: int) -> bool:
        """Tell whether more was kept of a game than so many bytes, or so many batches."""
        query = "SELECT length(data) FROM batches WHERE game = ? LIMIT ?"
        try:
            rows = self._database.execute(query, (game, batches + 1)).fetchall()
        except sqlite3.Error as error:
            raise BadInputError(f"store {self.path}: not usable: {error}") from None
        return len(rows) > batches or sum(length for (length,) in rows) > size

    def load_from_snapshot(self, game: GameId) -> tuple[Game, int, tuple[Batch, ...]] | None:
        """Return a game, after how many batches it stood so, and those that followed."""
        try:
            row = self._database.execute(
                "SELECT batches, version, checksum, data FROM snapshots WHERE game = ?", (game,)
            ).fetchone()
            if row is None or row[1] != fingerprint() or row[2] != _checksum(game, row[0], row[3]):
                return None
            setup = _setup_of(self._database, game)
            return read_snapshot(setup, row[3]), row[0], batches_of(self._database, game, row[0])
        except (sqlite3.Error, struct.error, KeyError, TypeError, ValueError) as error:
            log.warning("snapshot not usable", game=game, why=str(error))
            return None

    def turns_kept(self, game: GameId) -> int:
        """Return how many turns of a game have been kept."""
        newest: int | None = self._value("SELECT max(number) FROM turns WHERE game = ?", game)
        return 0 if newest is None else newest + 1

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


def batches_of(database: sqlite3.Connection, game: GameId, after: int = 0) -> tuple[Batch, ...]:
    """Return the batches after the one of that number; raises ValueError for a damaged one."""
    rows = database.execute(
        "SELECT number, data, checksum FROM batches WHERE game = ? AND number > ? ORDER BY number",
        (game, after),
    ).fetchall()
    for expected, (number, data, checksum) in enumerate(rows, start=after + 1):
        if number != expected:
            raise ValueError(f"batch {expected} is missing")
        # Stores of the first formats had no check sums.
        if checksum not in (None, _checksum(game, number, data)):
            raise ValueError(f"batch {number} does not fit its check sum")
    return tuple(batch_from_bytes(data) for _, data, _ in rows)


def load_game(database: sqlite3.Connection, path: str, game: GameId) -> GameRecord:
    """Return the record of a game that is in a store."""
    try:
        return GameRecord(_setup_of(database, game), batches_of(database, game))
    except (sqlite3.Error, struct.error, KeyError, TypeError, ValueError) as error:
        raise BadInputError(f"store {path}: game {game} is damaged: {error}") from None


def _setup_of(database: sqlite3.Connection, game: GameId) -> GameSetup:
    """Return how a game began; raises ValueError if that is damaged."""
    query = "SELECT setup, checksum FROM games WHERE id = ?"
    setup, checksum = database.execute(query, (game,)).fetchone()
    # Stores of the first formats had no check sums.
    if checksum not in (None, _checksum(game, 0, str(setup).encode())):
        raise ValueError("its setup does not fit its check sum")
    return setup_from_json(json.loads(setup))


def _open(path: str, durability: Durability, changes: WriteAheadLog | None) -> sqlite3.Connection:
    if path != IN_MEMORY:
        _make_file(path)
    before = _committed(path, changes) if changes else None
    # One connection, used in the loop or in its thread but never in both at once.
    database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=1.0)
    try:
        _check_is_ours(path, database)
        database.execute("PRAGMA journal_mode = WAL")
        # NORMAL waits for the disk only when the log is merged: commits survive this process, and
        # after a loss of power the last of them may be missing, but the file is whole.
        level = "FULL" if durability is Durability.POWER else "NORMAL"
        database.execute(f"PRAGMA synchronous = {level}")
        database.execute("PRAGMA wal_autocheckpoint = 0")
        if changes is not None and before is not None:
            _tell_losses(path, changes, before, database)
        number = database.execute("PRAGMA user_version").fetchone()[0]
        _check_format(path, number)
        if number in UPGRADES:
            _upgrade(database, number)
        database.executescript(SCHEMA)
        if not number:
            database.execute(f"PRAGMA user_version = {FORMAT}")
        _try_to_add(path, database)
        if changes is not None:
            _tell_damage(path, database)
    except BaseException:
        database.close()
        raise
    return database


def _committed(path: str, changes: WriteAheadLog) -> Committed:
    """Return what the log should hold; refuse an empty file: SQLite would delete the log."""
    found = changes.committed()
    if found.frames and not Path(path).stat().st_size:
        raise BadInputError(
            f"store {path}: is empty, but {changes.path} beside it holds changes: put the file"
            " back, or move that away to begin anew"
        )
    return found


def _tell_losses(
    path: str, changes: WriteAheadLog, before: Committed, database: sqlite3.Connection
) -> None:
    """Say so if the log held more than can be read of it."""
    lost = changes.lost(before, database)
    if lost:
        copy = keep_copy(str(changes.path))
        log.error(
            "store: the log of changes was damaged; the last changes are lost",
            path=path,
            lost=lost,
            copy=copy,
        )


def _tell_damage(path: str, database: sqlite3.Connection) -> None:
    """Say so if the file is damaged where no check sum stands, as in its lists of what it holds."""
    if Path(path).stat().st_size > LARGEST_CHECKED:
        return
    try:
        (found,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        found = str(error)
    if found != "ok":
        copy = keep_copy(path)
        log.error(
            "store: the file is damaged; some of what was kept may be missing",
            path=path,
            why=found.splitlines()[-1],
            copy=copy,
        )


def _upgrade(database: sqlite3.Connection, number: int) -> None:
    """Make a store of an earlier format one of ours, all at once: a kill leaves it as it was."""
    database.execute("BEGIN IMMEDIATE")
    for each in range(number, FORMAT):
        database.execute(UPGRADES[each])
    database.execute(f"PRAGMA user_version = {FORMAT}")
    database.execute("COMMIT")


def _check_is_ours(path: str, database: sqlite3.Connection) -> None:
    """Refuse the database of another program before anything is written to it."""
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if not database.execute("PRAGMA user_version").fetchone()[0] and tables - _TABLES:
        raise BadInputError(f"store {path}: is the database of another program; name another file")


def _check_format(path: str, number: int) -> None:
    if number not in (0, *UPGRADES, FORMAT):
        raise BadInputError(f"store {path}: has format {number}, this version reads {FORMAT}")


def _try_to_add(path: str, database: sqlite3.Connection) -> None:
    """Refuse a file so damaged that nothing can be added: its games would wait for ever."""
    try:
        database.execute("BEGIN IMMEDIATE")
        newest = database.execute("SELECT max(id) FROM games").fetchone()[0] or 0
        database.execute(INSERT_GAME, (newest + 1, "", 0))
        database.execute(INSERT_BATCH, (newest + 1, 1, bytes(ROOM_TRIED), 0))
    except sqlite3.DatabaseError as error:
        # Anything else, such as a full disk, may pass.
        if error.sqlite_errorcode == sqlite3.SQLITE_CORRUPT:
            raise BadInputError(
                f"store {path}: is damaged, and nothing can be added to it: put a backup in its"
                " place, or name another file"
            ) from None
    finally:
        if database.in_transaction:
            database.execute("ROLLBACK")


def _checksum(game: GameId, number: int, data: bytes) -> int:
    return crc32(data, crc32(f"{game} {number}".encode()))


def _make_file(path: str) -> None:
    """Make the file if it is new, for its owner only: it tells the passcodes of all powers."""
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise unwritable(f"store {path}", error) from None
