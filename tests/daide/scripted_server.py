"""A server that does what a test tells it to, over a real socket on port 0."""

import asyncio
from collections import deque
from types import TracebackType
from typing import Self

from daide.connection import Connection, Event, Opened, PeerClosed, TokensReceived
from daide.frames import Entries
from grammar.messages import ClientMessage, ServerMessage
from grammar.parse import Garbled, Unbalanced, reader_for
from grammar.representation import Representation
from grammar.write import write


class Peer:
    """One client, seen from the server."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, entries: Entries
    ) -> None:
        self.writer = writer
        self.connection = Connection.server(entries)
        self._names = Representation.from_entries(entries)
        self._reader = reader
        self._events: deque[Event] = deque()

    async def next_event(self) -> Event:
        while not self._events:
            data = await self._reader.read(1 << 16)
            received = self.connection.receive(data) if data else self.connection.receive_eof()
            self._events.extend(received)
        return self._events.popleft()

    async def open(self) -> None:
        event = await self.next_event()
        assert isinstance(event, Opened), event
        self.writer.write(event.reply)

    async def hear(self) -> ClientMessage:
        event = await self.next_event()
        assert isinstance(event, TokensReceived), event
        message = reader_for(8000, self._names).client(event.tokens)
        assert not isinstance(message, Garbled | Unbalanced), message
        return message

    async def expect(self, *messages: ClientMessage) -> None:
        for message in messages:
            assert await self.hear() == message

    async def farewell(self) -> PeerClosed:
        event = await self.next_event()
        assert isinstance(event, PeerClosed), event
        return event

    def say(self, *messages: ServerMessage) -> None:
        for message in messages:
            self.writer.write(self.connection.send_tokens(write(message, self._names)))

    def drop(self) -> None:
        """Leave without a farewell."""
        self.writer.transport.abort()


class ScriptedServer:
    """Listens, and hands each connection to the test."""

    def __init__(self, entries: Entries = ()) -> None:
        self.entries = entries
        self.port = 0
        self._arrivals: asyncio.Queue[Peer] = asyncio.Queue()
        self._peers: list[Peer] = []
        self._server: asyncio.Server | None = None

    async def accept(self) -> Peer:
        """Return the next client after the exchange of IM and RM."""
        return await self._arrivals.get()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._on_client, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for peer in self._peers:
            peer.drop()
        await self._server.wait_closed()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.stop()

    async def _on_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = Peer(reader, writer, self.entries)
        self._peers.append(peer)
        await peer.open()
        self._arrivals.put_nowait(peer)
