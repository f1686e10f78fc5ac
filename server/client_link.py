"""One connection, between the bytes of a peer and the host.

A link never waits for its peer. What the peer does not read gathers in a bounded queue, what it
does not finish in time ends the connection, and the RM leaves as soon as the IM is there. What it
sends is read in small pieces: whoever sends more than a few at once stands in line with the rest,
and whoever asks for too much is read from more slowly.
"""

import asyncio
import math
import socket
import ssl
import sys
from collections.abc import Sequence
from typing import Protocol, cast

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
from daide.socket_options import has_gone, prepare
from grammar.tokens import Word
from server.host import Host
from server.link import Leaving
from server.member import Member
from server.room import Room

# How long a peer that does not read may keep us from closing.
FAREWELL = 5.0
# Together they find a peer that has silently gone within a minute.
UNREAD_TIMEOUT = 50_000  # milliseconds
UNREAD_IN_SYSTEM = 131_072
"""Bytes that the system keeps for a peer that does not read, beside those that we keep."""
MUCH_UNREAD = 65_536
"""Bytes that may wait for a client, whatever waits for others; from here on asyncio tells us."""
PIECE = 256
"""Bytes that are read at once; some dozens of the shortest messages."""
HANDSHAKE = b"\x16"
"""The first byte of TLS."""
READ_AT_ONCE = 32_768
"""Bytes that are taken from the system at once: what is not handled waits there, and not here."""
FIRST_PIECES = 4
"""How many pieces are read as they come; the rest has to wait in line."""
LONGEST_REST = 5.0
LAST_GRACE = 1.0
"""How long a client may stay after OFF when the server itself ends."""

log = structlog.get_logger(__name__)

OFF = WrittenMessage((int(Word.OFF),))
_LEAVING = {
    CloseReason.FINAL_MESSAGE: Leaving.FINAL_MESSAGE,
    CloseReason.ERROR_MESSAGE: Leaving.ERROR_MESSAGE,
    CloseReason.END_OF_FILE: Leaving.LOST,
    CloseReason.TRUNCATED: Leaving.LOST,
}


class Door(Protocol):
    """What a link needs of those who let it in."""

    @property
    def host(self) -> Host:
        """Where its messages go."""

    @property
    def entries(self) -> Entries:
        """What the RM tells."""

    unread: int
    """How many bytes wait for those clients for whom much waits."""

    def wants_tls(self, link: "ClientLink") -> None:
        """Let a link begin the handshake of TLS when it is its turn."""

    def ends_tls(self, link: "ClientLink") -> None:
        """Note that the handshake is done."""

    def forget(self, link: "ClientLink") -> None:
        """Note that a connection has ended."""

    def line_up(self, link: "ClientLink") -> None:
        """Let a link go on reading when it is its turn."""


class ClientLink(asyncio.Protocol):
    """One connection: the protocol that asyncio calls, and the link that the host uses."""

    def __init__(self, door: Door, address: str, home: Room | None = None) -> None:
        self._door = door
        self._home = home
        self._limits = door.host.config.limits
        self._loop = asyncio.get_running_loop()
        self._connection = Connection.server(door.entries, dialect=door.host.config.dialect)
        self._transport: asyncio.Transport | None = None
        self._member: Member | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._farewell: asyncio.TimerHandle | None = None
        self._timed_frame: int | None = None
        self._unread = 0
        self._counted = 0
        """As how many bytes that wait for it this one counts."""
        self._why = Leaving.LOST
        self.address = address
        self._socket: socket.socket | None = None
        self._opening: asyncio.Task[None] | None = None
        self._unhandled = bytearray()
        self._has_ended = False
        self._is_held = False
        """Whether the game has enough of it for now."""
        self._rest: asyncio.TimerHandle | None = None
        self._is_in_line = False

    def open(self, connected: socket.socket, tls: ssl.SSLContext | None) -> None:
        """Begin with an accepted socket, and begin to wait for the IM.

        The machinery of TLS is large and its handshake is work: it begins when the peer has sent
        its first byte, and then in its turn.
        """
        self._socket = connected
        self._timer = self._loop.call_later(self._limits.handshake, self._on_handshake_timeout)
        if tls is None or sys.platform == "win32":  # whose loop watches no sockets
            self._make_transport(tls)
        else:
            self._loop.add_reader(connected, self._on_first_byte)

    def _on_first_byte(self) -> None:
        assert self._socket is not None
        self._loop.remove_reader(self._socket)
        if _begins_tls(self._socket):
            self._door.wants_tls(self)
        else:
            log.info("connection failed", address=self.address, error="no handshake of TLS")
            self.drop(Leaving.PROTOCOL_FAULT)

    def begin_tls(self, tls: ssl.SSLContext) -> bool:
        """Begin the handshake; False if the connection has ended meanwhile."""
        if self._socket is None:
            return False
        if has_gone(self._socket):
            self.drop(Leaving.LOST)
            return False
        self._make_transport(tls)
        return True

    def _make_transport(self, tls: ssl.SSLContext | None) -> None:
        assert self._socket is not None
        self._opening = self._loop.create_task(self._connect(self._socket, tls))

    async def _connect(self, connected: socket.socket, tls: ssl.SSLContext | None) -> None:
        timeout = None if tls is None else max(0.01, self._limits.handshake)
        try:
            await self._loop.connect_accepted_socket(
                lambda: self, connected, ssl=tls, ssl_handshake_timeout=timeout
            )
        except OSError as error:  # of TLS as well
            log.info("connection failed", address=self.address, error=str(error))
            self._forget()

    # --- called by asyncio ------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to read."""
        self._transport = cast("asyncio.Transport", transport)
        self._door.ends_tls(self)
        if hasattr(transport, "max_size"):
            setattr(transport, "max_size", READ_AT_ONCE)  # noqa: B010 - asyncio has no better way
        # With TLS it would tell us of eight times as much only.
        self._transport.set_write_buffer_limits(MUCH_UNREAD)
        if self._socket is not None:
            prepare(self._socket, unread_timeout=UNREAD_TIMEOUT, unread=UNREAD_IN_SYSTEM)

    def data_received(self, data: bytes) -> None:
        """Take bytes from the peer."""
        if not self._unhandled and len(data) <= PIECE and not self._must_wait():
            # Nearly always: a message or two, and nothing that waits.
            self._handle(self._connection.receive(data))
            self._watch_frame()
            if self._is_held:
                self._plan()
            return
        self._unhandled += data
        if not self._is_in_line:
            self.read_on(FIRST_PIECES)

    def eof_received(self) -> bool:
        """Take the end of the peer's stream; our side is closed when all has been read."""
        self._has_ended = True
        if not self._unhandled:
            self._end()
            return False
        assert self._transport is not None
        if _is_tls(self._transport):
            # With TLS our side ends as well, at once.
            self.read_on(len(self._unhandled))
            return False
        return True

    def connection_lost(self, error: Exception | None) -> None:
        """Forget the connection."""
        if error is not None:
            log.info("connection failed", address=self.address, error=str(error))
        self._forget()
        transport, self._transport = self._transport, None
        if hasattr(transport, "_read_ready_cb"):
            # With that it holds itself, and thousands that were sent away wait for the collector.
            setattr(transport, "_read_ready_cb", None)  # noqa: B010 - asyncio has no better way

    def resume_writing(self) -> None:
        """Take note that the peer has read nearly all again."""
        self._count_unread(0)

    def _count_unread(self, waiting: int) -> None:
        counted = waiting if waiting > MUCH_UNREAD else 0
        self._door.unread += counted - self._counted
        self._counted = counted

    def _forget(self) -> None:
        self._stop_timers()
        self._unhandled.clear()
        self._count_unread(0)
        self._socket = self._opening = None
        self._door.forget(self)
        if self._member is not None:
            self._door.host.leave(self._member, self._why)
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
        if waiting > MUCH_UNREAD or self._counted:
            self._count_unread(waiting)
        limits = self._limits
        is_one_too_many = self._counted and self._door.unread > limits.queues
        if waiting > limits.queue_bytes or self._unread > limits.queue_messages or is_one_too_many:
            self.drop(Leaving.DOES_NOT_READ)

    def leave(self, longest: float = math.inf) -> None:
        """Close after the grace that OFF leaves the client."""
        if self._farewell is not None and longest == math.inf:
            return
        if self._farewell is not None:
            self._farewell.cancel()
        wait = min(self._limits.grace, longest)
        self._farewell = self._loop.call_later(wait, self._say_farewell)

    def drop(self, why: Leaving) -> None:
        """Close now; the peer reads whatever is on its way already."""
        self._why = why
        self._unhandled.clear()
        if self._transport is not None:
            self._transport.abort()
        elif self._socket is not None:
            self._give_up(self._socket)

    def _give_up(self, connected: socket.socket) -> None:
        """Close a connection that has not even begun."""
        if self._opening is not None:
            # Not before asyncio has let go of it: the next connection may get its number.
            self._opening.add_done_callback(lambda _: connected.close())
            self._opening.cancel()
        else:
            self._loop.remove_reader(connected)
            connected.close()
        self._forget()

    @property
    def is_stranger(self) -> bool:
        """Whether nobody knows who it is: it makes room for others."""
        return self._member is None or self._door.host.is_stranger(self._member)

    @property
    def is_spectator(self) -> bool:
        """Whether it only looks on: it makes room for those who play."""
        return self._member is not None and self._door.host.is_spectator(self._member)

    @property
    def is_settled(self) -> bool:
        """Whether it is known who it is, and that it does more than look on."""
        if self._member is None or self._member.pending:
            return False
        return not (self.is_stranger or self.is_spectator)

    def pause(self) -> None:
        """Stop reading until `resume`."""
        self._is_held = True

    def resume(self) -> None:
        """Read again."""
        self._is_held = False
        self._go_on()

    def turn_off(self) -> None:
        """Send OFF, as at the end of the server; whoever has not sent an IM is just dropped."""
        if self._connection.is_open:
            self.send((OFF,))
            self.leave(LAST_GRACE)
        else:
            self.drop(Leaving.SERVER_ENDS)

    # --- reading ----------------------------------------------------------------------------------

    def read_on(self, pieces: int) -> None:
        """Handle some of what has come; what is left waits for the next turn."""
        self._is_in_line = False
        while self._unhandled and pieces and not self._must_wait():
            piece = bytes(self._unhandled[:PIECE])
            del self._unhandled[:PIECE]
            self._handle(self._connection.receive(piece))
            self._watch_frame()
            pieces -= 1
        self._plan()

    def _must_wait(self) -> bool:
        if self._transport is None or self._transport.is_closing():
            self._unhandled.clear()
            return True
        if self._rest is None and self._member is not None:
            wait = self._member.meter.wait(self._door.host.clock.now())
            if wait:
                self._rest = self._loop.call_later(min(wait, LONGEST_REST), self._end_rest)
        return self._is_held or self._rest is not None

    def _plan(self) -> None:
        """Decide how it goes on: read, wait in line, or take no more for now."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        is_waiting = self._is_held or self._rest is not None
        if self._unhandled or is_waiting:
            transport.pause_reading()
        else:
            transport.resume_reading()
        if self._unhandled and not is_waiting:
            self._is_in_line = True
            self._door.line_up(self)
        elif not self._unhandled and self._has_ended:
            self._end()

    def _go_on(self) -> None:
        if not self._is_in_line and self._rest is None and not self._is_held:
            self._plan()

    def _end_rest(self) -> None:
        self._rest = None
        self._go_on()

    def _end(self) -> None:
        self._handle(self._connection.receive_eof())
        if self._transport is not None:
            self._transport.close()

    # --- inside -----------------------------------------------------------------------------------

    def _handle(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case TokensReceived(tokens):
                    if self._member is not None:
                        self._door.host.receive(self._member, tokens)
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
        self._member = self._door.host.enter(self, self.address, self._home)

    def _close(self, last_words: bytes, why: Leaving) -> None:
        """Say the last words and close once the peer has read them, or does not."""
        self._why = why
        self._stop_timers()
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if last_words:
            transport.write(last_words)
        transport.close()
        if transport.get_write_buffer_size() or _is_tls(transport):
            self._farewell = self._loop.call_later(FAREWELL, transport.abort)

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
        if self._transport is None:
            self.drop(Leaving.PROTOCOL_FAULT)
        else:
            self._handle(self._connection.im_timed_out())

    def _on_frame_timeout(self) -> None:
        self._handle(self._connection.body_timed_out())

    def _stop_timers(self) -> None:
        self._stop_timer()
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        if self._farewell is not None:
            self._farewell.cancel()
            self._farewell = None

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _is_tls(transport: asyncio.Transport) -> bool:
    return transport.get_extra_info("sslcontext") is not None


def _begins_tls(connected: socket.socket) -> bool:
    """Tell whether what has come can be a handshake: anything else need not wait for its turn."""
    try:
        return connected.recv(1, socket.MSG_PEEK) == HANDSHAKE
    except OSError:
        return False
