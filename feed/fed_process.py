"""A process of ours that a server tells facts: the relay to a broker, or the server of the page.

`send` never waits: lines gather for a moment and go out together. The process is started again if
it dies; then `retell` has to tell it of the games anew. The same is done for one that was too far
behind: what it did not take is dropped and counted, until it has caught up.
"""

import asyncio
import json
from abc import ABC, abstractmethod
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import structlog

from cli import children
from feed.facts import Fact
from feed.outbox import Letter
from feed.wire import to_line

MOST_UNREAD = 32_000_000
"""So many bytes may wait for a process that does not read."""
GATHER = 0.2
"""Seconds in which facts gather: to wake up and to write is what costs the server most of all."""
FAREWELL = 5.0
RESTART = 1.0

log = structlog.get_logger(__name__)


class FedProcess(ABC):
    """Starts the process, writes to it, and hears what it says: JSON objects, a line each."""

    def __init__(self, module: str, what: str, *, most_unread: int = MOST_UNREAD) -> None:
        self.what = what
        """What the log calls it."""
        self.retell: Callable[[], None] = lambda: None
        """Tells a process that knows nothing of the games."""
        self.on_stop: list[Callable[[], None]] = []
        self._module = module
        self._most_unread = most_unread
        self._lines: deque[bytes] = deque()
        """What is to be written next."""
        self._size = 0
        """How many bytes that is."""
        self._is_behind = False
        self._process: Process | None = None
        self._dropped_here = 0
        self._is_stopping = False
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    def _greeting(self) -> bytes:
        """Return the first line, which says what the process is to do."""

    @abstractmethod
    def _hear(self, told: dict[str, Any]) -> None:
        """Take note of what the process says."""

    @abstractmethod
    def _on_end(self) -> None:
        """Take note of its end, before it is started again."""

    @property
    def pid(self) -> int | None:
        """The number of the process, None while there is none."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Start the process; facts may be sent at once."""
        self._task = asyncio.create_task(self._run(), name=f"{self.what}.run")

    def send(self, sent: Letter | Fact) -> None:
        """Tell something, now or later."""
        if self._is_behind:
            self._dropped_here += 1
            return
        if isinstance(sent, Letter):
            # Bot hosts wait for it.
            asyncio.get_running_loop().call_soon(self._write)
        elif not self._lines:
            asyncio.get_running_loop().call_later(GATHER, self._write)
        line = to_line(sent)
        self._lines.append(line)
        self._size += len(line)
        if self._size > self._most_unread:
            self._fall_behind()

    def _write(self) -> None:
        pipe = self._pipe
        if pipe is None or not self._lines:
            return
        pipe.write(b"".join(self._lines))
        self._clear()
        if pipe.transport.get_write_buffer_size() > self._most_unread:
            self._fall_behind()

    @property
    def _pipe(self) -> asyncio.StreamWriter | None:
        pipe = self._process.stdin if self._process is not None else None
        return None if pipe is None or pipe.is_closing() else pipe

    def _clear(self) -> None:
        self._lines.clear()
        self._size = 0

    def _fall_behind(self) -> None:
        """Tell no more until the process has read what it has."""
        log.warning("%s is behind, events are dropped", self.what)
        self._is_behind = True
        self._dropped_here += len(self._lines)
        self._clear()
        asyncio.get_running_loop().call_later(RESTART, self._catch_up)

    def _catch_up(self) -> None:
        if not self._is_behind or self._is_stopping:
            return
        pipe = self._pipe
        if pipe is None or pipe.transport.get_write_buffer_size():
            asyncio.get_running_loop().call_later(RESTART, self._catch_up)
            return
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._is_behind = False
        self._clear()
        self.retell()

    async def stop(self) -> None:
        """Let the process do what is left, for a few seconds, and end it."""
        self._is_stopping = True
        for stop in self.on_stop:
            stop()
        if self._task is None:
            return
        self._write()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(FAREWELL):
                await asyncio.wait([self._task])
        except TimeoutError:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            process = await children.start((), module=self._module, stdin=PIPE, stdout=PIPE)
            try:
                await self._serve(process)
            except ValueError as error:
                log.error("%s cannot be heard", self.what, why=str(error))  # noqa: TRY400 - the text says it all
            finally:
                self._process = None
                if process.returncode is None:
                    with suppress(ProcessLookupError):
                        process.kill()
                    await process.wait()
            if self._is_stopping:
                return
            log.error("%s ended, starting it again", self.what, code=process.returncode)
            self._on_end()
            # At once, so that what happens from now on comes after it.
            self._begin_anew()
            await asyncio.sleep(RESTART)

    async def _serve(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(self._greeting())
        self._process = process
        self._write()
        if self._is_stopping:
            process.stdin.close()
        while line := await process.stdout.readline():
            self._take(line)
        await process.wait()

    def _take(self, line: bytes) -> None:
        """Hear what the process says; what cannot be heard must not end all that follows."""
        try:
            self._hear(json.loads(line))
        except Exception as error:  # noqa: BLE001 - whatever somebody at a broker has thought of
            why = f"{type(error).__name__}: {error}"
            log.error("%s says what cannot be heard", self.what, why=why, line=line[:200])  # noqa: TRY400 - the text says it all
