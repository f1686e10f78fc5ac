"""One TCP connection of a client: a socket, and the `Connection` that makes sense of its bytes.

`Link.open` raises OSError when the server cannot be reached; `send` raises ConnectionError when it
has gone. Everything else that can happen to a connection is an event.
"""

import asyncio
from collections import deque
from contextlib import suppress

from daide.connection import Connection, Event, ProtocolFault
from daide.socket_options import prepare
from grammar.dialects import Dialect
from grammar.tokens import Tokens

_CHUNK = 1 << 16
# How long a server that does not read may keep us from leaving.
_FAREWELL = 1.0


class Link:
    """An open connection to a server; `close` it in the end."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, connection: Connection
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._connection = connection
        self._events: deque[Event] = deque()

    @classmethod
    async def open(cls, host: str, port: int, dialect: Dialect) -> "Link":
        """Connect and send the IM."""
        reader, writer = await asyncio.open_connection(host, port)
        prepare(writer.get_extra_info("socket"))
        link = cls(reader, writer, Connection.client(dialect=dialect))
        writer.write(link._connection.initiate())
        return link

    async def next_event(self) -> Event:
        """Return what comes next; not to be called after the connection has ended."""
        while not self._events:
            # A fault of the server is answered here, before anybody hears of it.
            self._events.extend(await self._read())
            if self._events and isinstance(fault := self._events[-1], ProtocolFault):
                self._writer.write(fault.reply)
        return self._events.popleft()

    async def send(self, tokens: Tokens) -> None:
        """Write one message in one piece."""
        self._writer.write(self._connection.send_tokens(tokens))
        await self._writer.drain()

    @property
    def is_closed(self) -> bool:
        """Whether either side has ended the connection."""
        return self._connection.is_closed

    async def close(self) -> None:
        """Say farewell if the server is still there, and let go of the socket."""
        self._writer.write(self._connection.close())
        self._writer.close()
        try:
            async with asyncio.timeout(_FAREWELL):
                await self._writer.wait_closed()
        except (OSError, TimeoutError):
            self._writer.transport.abort()

    async def _read(self) -> list[Event]:
        data = b""
        # A reset is as good as an end of file: killed Windows clients and servers leave so.
        with suppress(OSError):
            data = await self._reader.read(_CHUNK)
        return self._connection.receive(data) if data else self._connection.receive_eof()
