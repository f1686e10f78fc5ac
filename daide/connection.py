"""One DAIDE connection as a state machine without I/O, for either side of it.

Bytes go in with `receive`, events come out; the methods that send return bytes for the owner of the
socket to write. The peer's faults are `ProtocolFault` events that hold the EM to be sent, never
exceptions. The machine reads no clock: the owner calls `im_timed_out` and `body_timed_out`.

Tolerated because real programs do it: a pad byte of any value, IM and first DM in one segment, end
of file at any place, an FM of one byte (Java clients), an EM whose body is one byte (DiploBot).

Choices where the documents leave one:

- A frame is judged as soon as its header is complete: first whether it may come now, then its
  length. So a second IM is code 06 whatever its length, and nobody waits for a body in vain.
- Whatever a client sends first that is no IM is code 02, a DM or an unknown type too. FM and EM
  are excepted: before IM and RM are exchanged they end the connection whatever their length.
- The server's RM travels with `Opened`, so a client that began with an IM never meets code 0A,
  however early its DM.

Raises `LocalProtocolError` when the owner misuses it, and nothing else.
"""

import enum
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from attrs import frozen

from daide.frames import (
    HEADER_LENGTH,
    MAGIC,
    SWAPPED_INITIAL_LENGTH,
    SWAPPED_MAGIC,
    VERSION,
    DiplomacyMessage,
    Entries,
    ErrorCode,
    ErrorMessage,
    FinalMessage,
    FrameKind,
    InitialMessage,
    LocalProtocolError,
    RepresentationMessage,
    decode_frame,
    decode_header,
    fits,
    has_reserved_token,
    message_frame,
)
from grammar.dialects import Dialect

_OURS = Dialect.REFERENCE


class CloseReason(enum.Enum):
    """How the peer ended the connection."""

    FINAL_MESSAGE = "final message"
    ERROR_MESSAGE = "error message"
    END_OF_FILE = "end of file"
    TRUNCATED = "end of file inside a message"


@frozen
class Opened:
    """At a server: the IM was good. `reply` is the RM, to be sent at once."""

    reply: bytes


@frozen
class RepresentationReceived:
    """At a client: the server's RM; no entries stand for the standard map."""

    entries: Entries


@frozen
class TokensReceived:
    """One message of the language, in our own dialect."""

    tokens: tuple[int, ...]


@frozen
class ProtocolFault:
    """The peer broke the protocol: send `reply`, then close."""

    code: ErrorCode
    reply: bytes


@frozen
class PeerClosed:
    """The peer is gone: close and send nothing. `code` is what its EM said, known or not."""

    reason: CloseReason
    code: int | None = None


class WrittenMessage:
    """A message of the language that may go to many peers: one frame for each dialect of theirs."""

    __slots__ = ("_frames", "plain", "tokens")

    def __init__(self, tokens: Sequence[int]) -> None:
        self.tokens = tokens
        self.plain: bytes | None = None
        """The frame in our own dialect, once somebody has asked for it."""
        self._frames: dict[Dialect, bytes] | None = None

    def frame(self, dialect: Dialect = _OURS) -> bytes:
        """Return the frame for a peer that speaks this dialect."""
        if dialect is _OURS:
            # Nearly always, and an enum is slow to look up.
            if self.plain is None:
                self.plain = message_frame(self.tokens)
            return self.plain
        if self._frames is None:
            self._frames = {}
        frame = self._frames.get(dialect)
        if frame is None:
            frame = message_frame(dialect.to_wire(self.tokens))
            self._frames[dialect] = frame
        return frame

    @property
    def body(self) -> bytes:
        """The tokens in our own dialect, as they stand in the frame."""
        return self.frame()[HEADER_LENGTH:]


Event: TypeAlias = Opened | RepresentationReceived | TokensReceived | ProtocolFault | PeerClosed


class ConnectionState(enum.Enum):
    """How far the connection has come, seen from our side."""

    NEW = "client that has not sent its IM"
    AWAITING_IM = "server"
    AWAITING_RM = "client that has sent its IM"
    SERVING = "server after the exchange of IM and RM"
    JOINED = "client after the exchange of IM and RM"
    CLOSED = "after an FM or EM of either side, or end of file"


@frozen
class _Expectation:
    """What may come in a state, besides FM and EM, and which code answers anything else."""

    welcome: FrameKind
    otherwise: ErrorCode
    special: dict[int, ErrorCode]

    def judge(self, number: int) -> ErrorCode | None:
        """Return the code that answers this type byte, None if it may come."""
        if number in (self.welcome, FrameKind.FINAL, FrameKind.ERROR):
            return None
        return self.special.get(number, self.otherwise)


_NOT_FROM_CLIENT: dict[int, ErrorCode] = {
    FrameKind.INITIAL: ErrorCode.SECOND_IM,
    FrameKind.REPRESENTATION: ErrorCode.RM_FROM_CLIENT,
}
_NOT_FROM_SERVER: dict[int, ErrorCode] = {
    FrameKind.INITIAL: ErrorCode.IM_FROM_SERVER,
    FrameKind.REPRESENTATION: ErrorCode.SECOND_RM,
}
_EXPECTATIONS = {
    ConnectionState.AWAITING_IM: _Expectation(FrameKind.INITIAL, ErrorCode.IM_NOT_FIRST, {}),
    ConnectionState.SERVING: _Expectation(
        FrameKind.DIPLOMACY, ErrorCode.UNKNOWN_KIND, _NOT_FROM_CLIENT
    ),
    ConnectionState.AWAITING_RM: _Expectation(
        FrameKind.REPRESENTATION, ErrorCode.RM_NOT_FIRST, _NOT_FROM_SERVER
    ),
    ConnectionState.JOINED: _Expectation(
        FrameKind.DIPLOMACY, ErrorCode.UNKNOWN_KIND, _NOT_FROM_SERVER
    ),
}


@lru_cache(8)
def _representation(entries: Entries) -> bytes:
    """Return a server's RM: it is the same for all its connections."""
    return RepresentationMessage(entries).to_bytes()


class Connection:
    """One connection; make it with `Connection.server` or `Connection.client`."""

    def __init__(
        self, state: ConnectionState, dialect: Dialect, representation: bytes = b""
    ) -> None:
        # Whose numbers the peer uses for a few words; may be changed when more is known of it.
        self.dialect = dialect
        self._state = state
        self._representation = representation
        """A server's RM."""
        self._buffer = bytearray()
        # The frame whose header has been judged good and whose body is not complete.
        self._kind: FrameKind | None = None
        self._length = 0
        self._frames_read = 0

    @classmethod
    def server(cls, entries: Entries = (), *, dialect: Dialect = Dialect.REFERENCE) -> "Connection":
        """Make the server's side; `entries` go into the RM."""
        # Written now, so that entries which cannot be written are not found out by a peer.
        return cls(ConnectionState.AWAITING_IM, dialect, _representation(entries))

    @classmethod
    def client(cls, *, dialect: Dialect = Dialect.REFERENCE) -> "Connection":
        """Make the client's side; `initiate` comes first."""
        return cls(ConnectionState.NEW, dialect)

    # --- what the owner may ask -------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        """Whether IM and RM have been exchanged and neither side has ended the connection."""
        return self._state in (ConnectionState.SERVING, ConnectionState.JOINED)

    @property
    def is_closed(self) -> bool:
        """Whether either side has ended the connection; nothing comes in or goes out any more."""
        return self._state is ConnectionState.CLOSED

    @property
    def unfinished_frame(self) -> int | None:
        """The number of the frame that has begun to arrive and is not complete.

        A time limit belongs to a number: bytes that trickle in do not make it a new frame.
        """
        begun = bool(self._buffer) or self._kind is not None
        return self._frames_read if begun else None

    # --- what the peer sends ----------------------------------------------------------------------

    def receive(self, data: bytes | bytearray | memoryview) -> list[Event]:
        """Take bytes from the peer and return what they amount to.

        The buffer holds no more than one unfinished frame when this returns.
        """
        if self._state is ConnectionState.NEW:
            raise LocalProtocolError("a client sends its IM before it listens")
        events: list[Event] = []
        if self._state is not ConnectionState.CLOSED:
            self._buffer += data
        # A fault or a farewell empties the buffer, so nothing behind it is looked at.
        while (event := self._next_event()) is not None:
            events.append(event)
        return events

    def receive_eof(self) -> list[Event]:
        """Take the end of the peer's stream, by end of file or by reset."""
        if self._state is ConnectionState.CLOSED:
            return []
        return [self._closed(*self._last_words())]

    def im_timed_out(self) -> list[Event]:
        """Take the end of the time a client has for its IM; too late if the IM is there."""
        return (
            [self._fault(ErrorCode.IM_TIMER_EXPIRED)]
            if self._state is ConnectionState.AWAITING_IM
            else []
        )

    def body_timed_out(self) -> list[Event]:
        """Take the end of the time for one frame; too late if the frame is complete."""
        if self._state is ConnectionState.CLOSED or self.unfinished_frame is None:
            return []
        if self._is_short_final():
            return [self._closed(CloseReason.FINAL_MESSAGE)]
        return [self._fault(ErrorCode.WRONG_LENGTH)]

    # --- what we send -----------------------------------------------------------------------------

    def initiate(self) -> bytes:
        """Return the client's IM; a message of the language may follow at once."""
        if self._state is not ConnectionState.NEW:
            raise LocalProtocolError(f"no IM now: {self._state.value}")
        self._state = ConnectionState.AWAITING_RM
        return InitialMessage().to_bytes()

    def send_tokens(self, tokens: Sequence[int]) -> bytes:
        """Return a message of the language as one frame, to be written in one piece."""
        return self.send_messages((WrittenMessage(tokens),))

    def send_messages(self, messages: Iterable[WrittenMessage]) -> bytes:
        """Return messages of the language as frames, to be written in one piece.

        A client may send before the RM has come. Programs of the C++ framework and pydip read a
        length as a signed number, so bodies of more than 32,766 bytes are not for them.
        """
        if self._state not in (
            ConnectionState.SERVING,
            ConnectionState.JOINED,
            ConnectionState.AWAITING_RM,
        ):
            raise LocalProtocolError(f"no message now: {self._state.value}")
        if self.dialect is _OURS:
            # A turn is twenty messages to each of seven clients: calls count here.
            return b"".join([message.plain or message.frame() for message in messages])
        return b"".join([message.frame(self.dialect) for message in messages])

    def close(self) -> bytes:
        """Return the FM with which we leave; nothing if the connection has ended already."""
        if self._state is ConnectionState.CLOSED:
            return b""
        self._end()
        return FinalMessage().to_bytes()

    # --- inside -----------------------------------------------------------------------------------

    def _next_event(self) -> Event | None:
        """Return the next thing in the buffer that concerns the owner, None if more must come."""
        if self._kind is None:
            if len(self._buffer) < HEADER_LENGTH:
                return None
            event = self._on_header(*decode_header(self._buffer))
            if event is not None:
                return event
        if self._kind is None or len(self._buffer) < self._length:
            return None
        kind, body = self._kind, bytes(self._buffer[: self._length])
        del self._buffer[: self._length]
        self._kind = None
        self._frames_read += 1
        return self._on_frame(kind, body)

    def _on_header(self, number: int, length: int) -> Event | None:
        """Judge a header; None means that its body is welcome."""
        if (code := _EXPECTATIONS[self._state].judge(number)) is not None:
            return self._fault(code)
        kind = FrameKind(number)
        if not fits(kind, length):
            return self._on_wrong_length(kind, length)
        del self._buffer[:HEADER_LENGTH]
        self._kind, self._length = kind, length
        return None

    def _on_wrong_length(self, kind: FrameKind, length: int) -> Event:
        # A length of 0x0400 in an IM is 4 read backwards: a little-endian peer, which has an error
        # code of its own.
        if kind is FrameKind.INITIAL and length == SWAPPED_INITIAL_LENGTH:
            return self._fault(ErrorCode.WRONG_ENDIAN)
        if kind is FrameKind.FINAL and not self.is_open:
            return self._closed(CloseReason.FINAL_MESSAGE)
        if kind is FrameKind.ERROR and not self.is_open:
            return self._closed(CloseReason.ERROR_MESSAGE)
        return self._fault(ErrorCode.WRONG_LENGTH)

    def _on_frame(self, kind: FrameKind, body: bytes) -> Event:
        """Act on a frame that may come now and has a fitting length."""
        if kind is FrameKind.DIPLOMACY and has_reserved_token(body):
            return self._fault(ErrorCode.INVALID_TOKEN)
        match decode_frame(kind, body):
            case DiplomacyMessage(tokens):
                return TokensReceived(self.dialect.from_wire(tokens))
            case InitialMessage(version, magic):
                return self._on_initial(version, magic)
            case RepresentationMessage(entries):
                self._state = ConnectionState.JOINED
                return RepresentationReceived(entries)
            case FinalMessage():
                return self._closed(CloseReason.FINAL_MESSAGE)
            case ErrorMessage(code):
                return self._closed(CloseReason.ERROR_MESSAGE, code)

    def _on_initial(self, version: int, magic: int) -> Event:
        # The magic number first: a little-endian client has a wrong version as well, and should
        # learn about its byte order.
        if magic == SWAPPED_MAGIC:
            return self._fault(ErrorCode.WRONG_ENDIAN)
        if magic != MAGIC:
            return self._fault(ErrorCode.WRONG_MAGIC)
        if version != VERSION:
            return self._fault(ErrorCode.WRONG_VERSION)
        self._state = ConnectionState.SERVING
        return Opened(self._representation)

    def _last_words(self) -> tuple[CloseReason, int | None]:
        """Say what an unfinished frame at the end of the stream was meant to be."""
        if self._is_short_final():
            return CloseReason.FINAL_MESSAGE, None
        if self._kind is FrameKind.ERROR:
            # DiploBot announces two bytes and sends one, the code. A zero is half of a good code.
            return CloseReason.ERROR_MESSAGE, next((byte for byte in self._buffer if byte), None)
        if self._kind is not None:
            return CloseReason.TRUNCATED, None
        return CloseReason.END_OF_FILE, None

    def _is_short_final(self) -> bool:
        """Whether the buffer holds the one byte that Java clients send as their FM."""
        return self._kind is None and self._buffer == bytes([FrameKind.FINAL])

    def _fault(self, code: ErrorCode) -> ProtocolFault:
        self._end()
        return ProtocolFault(code, ErrorMessage(code).to_bytes())

    def _closed(self, reason: CloseReason, code: int | None = None) -> PeerClosed:
        self._end()
        return PeerClosed(reason, code)

    def _end(self) -> None:
        self._state = ConnectionState.CLOSED
        self._kind = None
        self._buffer.clear()
