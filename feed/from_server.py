"""What a process that a server feeds hears of it: the other end of `feed.fed_process`.

The first line of standard input says what the process is to do, every further line is a fact or a
letter; what it has to say goes to standard output (`feed.wire.say`). The end of the input is the
end of the server, wanted or not.
"""

import asyncio
import json
import signal
import sys
from collections.abc import Callable
from typing import Any, Self

from attrs import frozen

from cli.children import LINE_LIMIT
from feed.facts import Fact
from feed.outbox import Letter
from feed.wire import from_line, say


@frozen
class FromServer:
    """The order to do something, and the lines that follow."""

    setup: dict[str, Any]
    _lines: asyncio.StreamReader

    @classmethod
    async def opened(cls) -> Self | None:
        """Take over the standard input, and return what was said first: None if nobody is there."""
        # Ctrl-C goes to every process of a terminal; it is the server that says when to end.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        lines = asyncio.StreamReader(limit=LINE_LIMIT)
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(lines), sys.stdin.buffer
        )
        greeting = await lines.readline()
        return cls(json.loads(greeting), lines) if greeting else None

    async def take_all(self, take: Callable[[Letter | Fact], None], *, at_once: int = 1) -> None:
        """Take what comes until the end.

        A line that is there already is read without a pause: after so many of them we let everybody
        else of this process have a turn.
        """
        count = 0
        while line := await self._lines.readline():
            try:
                take(from_line(line))
            except Exception as error:  # noqa: BLE001 - one game that cannot be told is not the end of all
                say({"failed": f"{type(error).__name__}: {error}"})
            count += 1
            if count % at_once == 0:
                await asyncio.sleep(0)
