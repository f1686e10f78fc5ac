"""A program that was started by `daide bot --exec`: lines go in, lines come out.

It may do anything: never read, never write, write without end, start others and leave. None of it
may hold us up, so nothing here waits for the program without a limit.
"""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process, SubprocessStreamProtocol
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Self

from rules.errors import BadInputError

FAREWELL = 2.0
LONGEST_LINE = 1 << 17
MOST_UNREAD = 1 << 20
"""So many bytes may wait for a program that does not read; a long game has about half of it."""


class ProgramEndedError(Exception):
    """The program has left before the end of the game, or had to; the text says how."""


class Child:
    """A running program. Use `Child.start`, and `end` it whatever happens."""

    def __init__(self, transport: asyncio.SubprocessTransport, process: Process) -> None:
        self._transport = transport
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output = process.stdin, process.stdout

    @classmethod
    async def start(cls, command: Sequence[str]) -> Self:
        """Start a program; raises BadInputError if that cannot be done."""
        loop = asyncio.get_running_loop()
        try:
            # As asyncio's own function does, which keeps the transport to itself. A session of its
            # own makes it and all that it starts one group, which can be ended together.
            transport, protocol = await loop.subprocess_exec(
                lambda: SubprocessStreamProtocol(limit=LONGEST_LINE, loop=loop),
                *command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=None,
                start_new_session=True,
            )
        except OSError as error:
            raise BadInputError(f"--exec: cannot start {command[0]!r}: {error.strerror}") from None
        return cls(transport, Process(transport, protocol, loop))

    def write(self, lines: Iterable[str]) -> None:
        """Hand over lines; one who has closed its input hears no more."""
        if self._input.is_closing():
            return
        for line in lines:
            self._input.write(line.encode("utf-8", "surrogateescape") + b"\n")
        unread = self._input.transport.get_write_buffer_size()
        if unread > MOST_UNREAD:
            raise ProgramEndedError(f"it left {unread} bytes of its input unread")

    async def read(self) -> str | None:
        """Return the next line, None if there is none to come."""
        try:
            line = await self._output.readline()
        except ValueError:
            raise ProgramEndedError(f"it wrote a line of more than {LONGEST_LINE} bytes") from None
        return line.decode("utf-8", "surrogateescape").strip() if line else None

    async def code(self) -> int:
        """Wait until it has left and return its exit code."""
        return await self._process.wait()

    async def end(self) -> None:
        """Close its input, wait a little for it to leave by itself, then end it."""
        self._input.close()
        reading = asyncio.create_task(self._read_away(), name="exec.rest")
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), FAREWELL)
        finally:
            self._kill()
            reading.cancel()
            # Whoever still holds the other end of a pipe must not keep us waiting for its end.
            self._transport.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), FAREWELL)

    async def _read_away(self) -> None:
        """Read on, so that a program which is in the middle of a line can see that it is over."""
        while await self._output.read(LONGEST_LINE):
            pass

    def _kill(self) -> None:
        """End it, and what it has started and left behind."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
