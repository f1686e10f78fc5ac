"""Sockets: one `ClientLink` per connection, between the bytes of a peer and the host.

A link never waits for its peer. What the peer does not read gathers in a bounded queue, what it
does not finish in time ends the connection, and the RM leaves as soon as the IM is there.
"""

import asyncio
import socket
import ssl
from collections import Counter
from collections.abc import Sequence
from functools import partial
from ipaddress import ip_address
from typing import cast

import structlog

from daide.connection import (
    CloseReason,
    Connection,
    Event,
    Opened,
    PeerClosed,
    ProtocolFault,
    RepresentationReceived,
    TokensReceived,
    WrittenMessage,
)
from daide.frames import Entries
from daide.socket_options import prepare
from grammar.representation import Representation
from grammar.tokens import Word
from rules.errors import BadInputError
from server.game_ports import GamePorts
from server.host import Host
from server.link import Leaving
from server.member import Member
from server.room import Room

BACKLOG = 1024
# How long a peer that does not read may keep us from closing.
FAREWELL = 5.0
# Together they find a peer that has silently gone within a minute.
UNREAD_TIMEOUT = 50_000  # milliseconds

log = structlog.get_logger(__name__)


OFF = WrittenMessage((int(Word.OFF),))
_LEAVING = {
    CloseReason.FINAL_MESSAGE: Leaving.FINAL_MESSAGE,
    CloseReason.ERROR_MESSAGE: Leaving.ERROR_MESSAGE,
    CloseReason.END_OF_FILE: Leaving.LOST,
    CloseReason.TRUNCATED: Leaving.LOST,
}


class ClientLink(asyncio.Protocol):
    """One connection: the protocol that asyncio calls, and the link that the host uses."""

    def __init__(self, listener: "Listener", home: Room | None = None) -> None:
        self._listener = listener
        self._home = home
        self._limits = listener.host.config.limits
        self._loop = asyncio.get_running_loop()
        self._connection = Connection.server(listener.entries, dialect=listener.host.config.dialect)
        self._transport: asyncio.Transport | None = None
        self._member: Member | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._farewell: asyncio.TimerHandle | None = None
        self._timed_frame: int | None = None
        self._unread = 0
        self._why = Leaving.LOST
        self.address = ""

    # --- called by asyncio ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for the IM."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self.address = str(peer[0]) if peer else ""
        if (connected := transport.get_extra_info("socket")) is not None:
            prepare(connected, unread_timeout=UNREAD_TIMEOUT)
        if not self._listener.admit(self):
            log.warning("connection refused: too many", address=self.address)
            self._transport.abort()
            return
        self._timer = self._loop.call_later(self._limits.handshake, self._on_handshake_timeout)

    def data_received(self, data: bytes) -> None:
        """Take bytes from the peer."""
        self._handle(self._connection.receive(data))
        self._watch_frame()

    def eof_received(self) -> None:
        """Take the end of the peer's stream; asyncio closes our side as well."""
        self._handle(self._connection.receive_eof())

    def connection_lost(self, error: Exception | None) -> None:
        """Forget the connection."""
        self._stop_timers()
        if error is not None:
            log.info("connection failed", address=self.address, error=str(error))
        self._listener.forget(self)
        if self._member is not None:
            self._listener.host.leave(self._member, self._why)
            self._member = None

    # --- called by the host -----------------------------------------------------------------------

    def send(self, messages: Sequence[WrittenMessage]) -> None:
        """Queue messages; a client that leaves too many unread is dropped."""
        transport = self._transport
        if transport is None or transport.is_closing() or not self._connection.is_open:
            return
        transport.write(self._connection.send_messages(messages))
        waiting = transport.get_write_buffer_size()
        self._unread = self._unread + len(messages) if waiting else 0
        if waiting > self._limits.queue_bytes or self._unread > self._limits.queue_messages:
            self.drop(Leaving.DOES_NOT_READ)

    def leave(self) -> None:
        """Close after the grace that OFF leaves the client."""
        if self._farewell is None:
            self._farewell = self._loop.call_later(self._limits.grace, self._say_farewell)

    def drop(self, why: Leaving) -> None:
        """Close now; the peer reads whatever is on its way already."""
        log.info("client dropped", address=self.address, reason=why.value)
        self._why = why
        if self._transport is not None:
            self._transport.abort()

    def pause(self) -> None:
        """Stop reading until `resume`."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()

    def resume(self) -> None:
        """Read again."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def turn_off(self) -> None:
        """Send OFF, as at the end of the server; whoever has not sent an IM is just dropped."""
        if self._connection.is_open:
            self.send((OFF,))
            self.leave()
        else:
            self.drop(Leaving.SERVER_ENDS)

    # --- inside -----------------------------------------------------------------------------------

    def _handle(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case TokensReceived(tokens):
                    if self._member is not None:
                        self._listener.host.receive(self._member, tokens)
                case Opened(reply):
                    self._open(reply)
                case ProtocolFault(code, reply):
                    log.info("protocol fault", address=self.address, code=code, why=code.meaning)
                    self._close(reply, Leaving.PROTOCOL_FAULT)
                case PeerClosed(reason, _):
                    self._close(b"", _LEAVING[reason])
                case RepresentationReceived():
                    pass  # an RM from a client is a fault

    def _open(self, reply: bytes) -> None:
        assert self._transport is not None
        self._transport.write(reply)
        self._stop_timer()
        self._member = self._listener.host.enter(self, self.address, self._home)
        self._listener.introduced(self)

    def _close(self, last_words: bytes, why: Leaving) -> None:
        """Say the last words and close once the peer has read them, or does not."""
        self._why = why
        self._stop_timers()
        if self._transport is None or self._transport.is_closing():
            return
        if last_words:
            self._transport.write(last_words)
        self._transport.close()
        self._farewell = self._loop.call_later(FAREWELL, self._transport.abort)

    def _say_farewell(self) -> None:
        self._close(self._connection.close(), Leaving.DISMISSED)

    def _watch_frame(self) -> None:
        """Keep a timer for the frame that is arriving; more bytes do not wind it up again."""
        if not self._connection.is_open:
            return  # the timer of the IM runs
        frame = self._connection.unfinished_frame
        if frame == self._timed_frame:
            return
        self._timed_frame = frame
        self._stop_timer()
        if frame is not None:
            self._timer = self._loop.call_later(self._limits.frame, self._on_frame_timeout)

    def _on_handshake_timeout(self) -> None:
        self._handle(self._connection.im_timed_out())

    def _on_frame_timeout(self) -> None:
        self._handle(self._connection.body_timed_out())

    def _stop_timers(self) -> None:
        self._stop_timer()
        if self._farewell is not None:
            self._farewell.cancel()
            self._farewell = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Listener:
    """Listens on one address, and knows its connections and those of the games' own ports."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.entries: Entries = Representation.from_board(host.board).entries()
        self._links: dict[ClientLink, None] = {}
        self._silent: dict[ClientLink, None] = {}
        """Those that have not sent their IM, the oldest first."""
        self._addresses: Counter[str] = Counter()
        self._all_gone = asyncio.Event()
        self._all_gone.set()
        self._socket: socket.socket | None = None
        self._tls: ssl.SSLContext | None = None
        self._server: asyncio.Server | None = None

    def bind(self) -> tuple[str, int]:
        """Take the port; whoever connects from now on is answered once `start` is called."""
        config = self.host.config
        self._tls = tls_context(config.tls_cert, config.tls_key) if config.tls_cert else None
        family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
        try:
            self._socket = socket.create_server(
                (config.host, config.port), family=family, backlog=BACKLOG
            )
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise BadInputError(f"cannot listen on {config.host}:{config.port}: {why}") from None
        host, port = self._socket.getsockname()[:2]
        self.host.stand_ins.address = (host, port)
        if config.port_per_game:
            make_link = partial(ClientLink, self)
            self.host.use_game_ports(GamePorts(config.host, make_link, self._tls))
        return host, port

    async def start(self) -> None:
        """Accept connections."""
        assert self._socket is not None
        self._server = await asyncio.get_running_loop().create_server(
            lambda: ClientLink(self), sock=self._socket, backlog=BACKLOG, ssl=self._tls
        )

    async def stop(self) -> None:
        """Accept no more, send everybody away, and wait until all are gone."""
        if self._server is not None:
            self._server.close()
        for link in tuple(self._links):
            link.turn_off()
        longest = self.host.config.limits.grace + FAREWELL
        try:
            async with asyncio.timeout(longest):
                await self._all_gone.wait()
        except TimeoutError:
            log.warning("connections left behind", count=len(self._links))

    # --- called by links --------------------------------------------------------------------------

    def admit(self, link: ClientLink) -> bool:
        """Judge whether there is room for one more connection."""
        limits = self.host.config.limits
        address = link.address
        if len(self._links) >= limits.connections or self.host.is_closing:
            return False
        if self._addresses[address] >= limits.connections_per_address and not _is_local(address):
            return False
        if len(self._silent) >= limits.unidentified:
            next(iter(self._silent)).drop(Leaving.MAKES_ROOM)
        self._links[link] = self._silent[link] = None
        self._all_gone.clear()
        self._addresses[address] += 1
        return True

    def introduced(self, link: ClientLink) -> None:
        """Note that a connection has sent its IM."""
        self._silent.pop(link, None)

    def forget(self, link: ClientLink) -> None:
        """Note that a connection has ended."""
        self._silent.pop(link, None)
        if link in self._links:
            del self._links[link]
            self._addresses[link.address] -= 1
            if not self._addresses[link.address]:
                del self._addresses[link.address]
        if not self._links:
            self._all_gone.set()


def tls_context(certificate: str, key: str | None) -> ssl.SSLContext:
    """Return what a TLS listener needs; raises BadInputError if the files are not usable."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise BadInputError(f"tls-cert {certificate}: not usable: {error}") from None
    return context


def _is_local(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return True
