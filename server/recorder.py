"""The file of records: every game that has ended stands in it, once.

The record of a usual game is there before anybody is told of its end. That of a game in which very
much was said takes time and memory for hundreds of others: a process of its own makes it, while
games go on. What cannot be written, as on a full disk, is tried again. Until its record is there
the store has a game as one that is not over, so that the next server writes it.
"""

import asyncio
import json
from asyncio.subprocess import PIPE
from contextlib import suppress

import structlog
from attrs import frozen

from cli import children
from rules.errors import BadInputError
from rules.outcome import Ending
from server.pace import TurnToWork
from server.record import record_in_steps, record_to_json
from server.record_lines import append_once
from server.store import IN_MEMORY, GameId, Store

LARGEST = 200_000
"""Bytes of what was kept of a game whose record is made here: three times those of a long one."""
MOST_BATCHES = 5_000
FIRST_WAIT, LONGEST_WAIT = 1.0, 600.0
"""Seconds until it is tried again."""
BUSY = 0.05
"""Seconds until a file is looked at again that another process adds to."""
WRITER = "server.record_writer"

log = structlog.get_logger(__name__)


@frozen
class Ended:
    """A game that has ended."""

    number: GameId
    name: str
    ending: Ending


class Recorder:
    """Sees to it that every game gets its record, and is over in the store after that."""

    def __init__(self, path: str | None, store: Store) -> None:
        self._path = path
        """The file, None if nobody asks for records."""
        self._store = store
        self._waiting: list[Ended] = []
        """Those that were found before anything could be done in the background."""
        self._tasks: dict[GameId, asyncio.Task[None]] = {}
        self._tried: dict[GameId, asyncio.Event] = {}
        """By game of which it was not tried yet to write the record."""
        self._one_at_a_time = asyncio.Lock()

    async def keep(self, game: Ended, turn: TurnToWork) -> None:
        """Write the record of a game, or see to it in the background if it is large."""
        if self._path is None:
            self._finish(game)
        elif self._is_large(game.number):
            self._tried[game.number] = asyncio.Event()
            self._begin(game)
        elif why := await self._write(game.number, self._path, turn):
            _tell_failure(game, why, FIRST_WAIT)
            self._begin(game, FIRST_WAIT)
        else:
            self._finish(game)

    def keep_found(self, game: Ended) -> None:
        """Do the same for a game that ended under another server, before this one plays."""
        if self._path is None:
            self._finish(game)
        elif self._is_large(game.number):
            self._waiting.append(game)
        else:
            line = json.dumps(record_to_json(self._store.load(game.number)))
            try:
                append_once(self._path, line)
            except OSError as error:
                _tell_failure(game, str(error), FIRST_WAIT)
                self._waiting.append(game)
            else:
                self._finish(game)

    def start(self) -> None:
        """Begin with those that wait."""
        waiting, self._waiting = self._waiting, []
        for game in waiting:
            self._begin(game)

    async def tried(self) -> None:
        """Wait until every record is written, or was tried to be."""
        for tried in tuple(self._tried.values()):
            await tried.wait()

    def stop(self) -> None:
        """Leave what is not written to the next server."""
        for tried in self._tried.values():
            tried.set()
        for task in self._tasks.values():
            task.cancel()

    async def ended(self) -> None:
        """Wait until nothing is done any more."""
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    # --- inside -----------------------------------------------------------------------------------

    def _is_large(self, number: GameId) -> bool:
        if self._store.path == IN_MEMORY:
            return False  # nobody else can read it
        with suppress(BadInputError):  # which is told when it is read
            return self._store.is_larger(number, LARGEST, MOST_BATCHES)
        return False

    def _finish(self, game: Ended) -> None:
        self._store.finish(game.number, game.ending)

    def _begin(self, game: Ended, wait: float = 0.0) -> None:
        task = asyncio.create_task(self._see_to(game, wait), name=f"{game.name}.record")
        self._tasks[game.number] = task
        task.add_done_callback(lambda _: self._tasks.pop(game.number, None))

    async def _see_to(self, game: Ended, wait: float) -> None:
        await asyncio.sleep(wait)
        while why := await self._try(game.number):
            wait = min(LONGEST_WAIT, max(FIRST_WAIT, 2 * wait))
            _tell_failure(game, why, wait)
            self._note_try(game)
            await asyncio.sleep(wait)
        self._finish(game)
        self._note_try(game)

    def _note_try(self, game: Ended) -> None:
        if (tried := self._tried.pop(game.number, None)) is not None:
            tried.set()

    async def _try(self, number: GameId) -> str:
        """Write the record of a game; return why that cannot be, nothing if it is there."""
        assert self._path is not None
        if not self._is_large(number):
            return await self._write(number, self._path)
        async with self._one_at_a_time:
            return await self._write_apart(number, self._path)

    async def _write(self, number: GameId, path: str, turn: TurnToWork | None = None) -> str:
        try:
            line = await _line(self._store, number, turn)
            while True:
                try:
                    append_once(path, line)
                except BlockingIOError:
                    await asyncio.sleep(BUSY)
                else:
                    return ""
        except (OSError, BadInputError) as error:
            return str(error) or type(error).__name__

    async def _write_apart(self, number: GameId, path: str) -> str:
        command = (self._store.path, str(number), path)
        try:
            process = await children.start(command, module=WRITER, stdout=PIPE)
        except OSError as error:
            return str(error)
        try:
            said, _ = await process.communicate()
        finally:
            await children.end([process])
        if process.returncode == 0:
            return ""
        return said.decode(errors="replace").strip() or f"its process ended: {process.returncode}"


async def _line(store: Store, number: GameId, turn: TurnToWork | None) -> str:
    steps = record_in_steps(store.load(number))
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return json.dumps(done.value)
        if turn is not None and turn.is_up:
            await turn.begin()


def _tell_failure(game: Ended, why: str, wait: float) -> None:
    log.error("record not written", game=game.name, why=why, again_in=wait)
