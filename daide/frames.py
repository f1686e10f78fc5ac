"""The five frames of the DAIDE wire: IM, RM, DM, FM and EM, as bytes and as values.

Every frame is a header of four bytes (type, pad, length of the body, big-endian) and a body. The
pad is garbage with every program of the reference family, so it is ignored when read; zero is sent.

Raises `LocalProtocolError` when asked to encode what may not stand on the wire. Decoding expects a
body whose length has been checked; whether a frame may come at all is judged in `connection`.
"""

import enum
import re
import struct
import sys
from array import array
from collections.abc import Sequence
from typing import TypeAlias

from attrs import frozen

from grammar.tokens import tokens_from_bytes

Entries: TypeAlias = tuple[tuple[int, str], ...]

HEADER_LENGTH = 4
MAX_BODY_LENGTH = 0xFFFF
# A diplomacy message is made of 16-bit tokens, so its length is even.
MAX_TOKENS = MAX_BODY_LENGTH // 2
ENTRY_LENGTH = 6

VERSION = 1
MAGIC = 0xDA10
SWAPPED_MAGIC = 0x10DA
SWAPPED_INITIAL_LENGTH = 0x0400

_HEADER = struct.Struct(">BxH")
_ENTRY = struct.Struct(">H3sx")
_TWO_WORDS = struct.Struct(">HH")
_WORD = struct.Struct(">H")
# High bytes of the categories that are private to a program and never on the wire.
_RESERVED = re.compile(rb"[\x58-\x5f]")


class LocalProtocolError(Exception):
    """We misused our own API; the peer has seen nothing of it."""


class FrameKind(enum.IntEnum):
    """The type byte of a frame."""

    INITIAL = 0
    REPRESENTATION = 1
    DIPLOMACY = 2
    FINAL = 3
    ERROR = 4


class ErrorCode(enum.IntEnum):
    """Why a side gives up a connection: the body of an EM."""

    IM_TIMER_EXPIRED = 0x01
    IM_NOT_FIRST = 0x02
    WRONG_ENDIAN = 0x03
    WRONG_MAGIC = 0x04
    WRONG_VERSION = 0x05
    SECOND_IM = 0x06
    IM_FROM_SERVER = 0x07
    UNKNOWN_KIND = 0x08
    WRONG_LENGTH = 0x09
    DM_BEFORE_RM = 0x0A
    RM_NOT_FIRST = 0x0B
    SECOND_RM = 0x0C
    RM_FROM_CLIENT = 0x0D
    INVALID_TOKEN = 0x0E

    @property
    def meaning(self) -> str:
        """What the peer did wrong, for logs and people."""
        return _MEANINGS[self]


_MEANINGS = {
    ErrorCode.IM_TIMER_EXPIRED: "no initial message in time",
    ErrorCode.IM_NOT_FIRST: "the first message was not an initial message",
    ErrorCode.WRONG_ENDIAN: "the initial message has its bytes in the wrong order",
    ErrorCode.WRONG_MAGIC: "the initial message has a wrong magic number",
    ErrorCode.WRONG_VERSION: "the protocol versions differ",
    ErrorCode.SECOND_IM: "more than one initial message",
    ErrorCode.IM_FROM_SERVER: "the server sent an initial message",
    ErrorCode.UNKNOWN_KIND: "unknown message type",
    ErrorCode.WRONG_LENGTH: "a message is too short, or has a length that does not fit its type",
    ErrorCode.DM_BEFORE_RM: "a diplomacy message came before the representation message",
    ErrorCode.RM_NOT_FIRST: "the server's first message was not a representation message",
    ErrorCode.SECOND_RM: "more than one representation message",
    ErrorCode.RM_FROM_CLIENT: "the client sent a representation message",
    ErrorCode.INVALID_TOKEN: "a diplomacy message holds a reserved token",
}


@frozen
class InitialMessage:
    """IM: the first frame of a client."""

    version: int = VERSION
    magic: int = MAGIC

    def to_bytes(self) -> bytes:
        """Return the whole frame."""
        return _frame(FrameKind.INITIAL, _TWO_WORDS.pack(self.version, self.magic))


@frozen
class RepresentationMessage:
    """RM: token and name of every power and province; no entries stand for the standard map.

    Whether the entries make sense is for `grammar.representation` to judge.
    """

    entries: Entries = ()

    def to_bytes(self) -> bytes:
        """Return the whole frame."""
        return _frame(FrameKind.REPRESENTATION, b"".join(map(_entry_to_bytes, self.entries)))


@frozen
class DiplomacyMessage:
    """DM: one message of the language."""

    tokens: tuple[int, ...]

    def to_bytes(self) -> bytes:
        """Return the whole frame; the tokens are checked, so that the peer has no cause for EM."""
        return message_frame(self.tokens)


@frozen
class FinalMessage:
    """FM: the sender closes the connection in good order."""

    def to_bytes(self) -> bytes:
        """Return the whole frame."""
        return _frame(FrameKind.FINAL, b"")


@frozen
class ErrorMessage:
    """EM: the sender closes because the receiver broke the protocol.

    The code is a plain number, for peers send numbers that no document knows.
    """

    code: int

    def to_bytes(self) -> bytes:
        """Return the whole frame."""
        return _frame(FrameKind.ERROR, _WORD.pack(self.code))


Frame = InitialMessage | RepresentationMessage | DiplomacyMessage | FinalMessage | ErrorMessage


def decode_header(data: bytes | bytearray) -> tuple[int, int]:
    """Return the type byte and the length of the body; the type may be an unknown one."""
    kind, length = _HEADER.unpack_from(data)
    return kind, length


def decode_frame(kind: FrameKind, body: bytes) -> Frame:
    """Return the frame with this body, whose length fits its kind."""
    match kind:
        case FrameKind.INITIAL:
            return InitialMessage(*_TWO_WORDS.unpack(body))
        case FrameKind.REPRESENTATION:
            return RepresentationMessage(tuple(map(_decode_entry, _ENTRY.iter_unpack(body))))
        case FrameKind.DIPLOMACY:
            return DiplomacyMessage(tokens_from_bytes(body))
        case FrameKind.FINAL:
            return FinalMessage()
        case FrameKind.ERROR:
            return ErrorMessage(*_WORD.unpack(body))


def fits(kind: FrameKind, length: int) -> bool:
    """Tell whether a body of this length may belong to a frame of this kind."""
    match kind:
        case FrameKind.INITIAL:
            return length == _TWO_WORDS.size
        case FrameKind.REPRESENTATION:
            return length % ENTRY_LENGTH == 0
        case FrameKind.DIPLOMACY:
            return length > 0 and length % 2 == 0
        case FrameKind.FINAL:
            return length == 0
        case FrameKind.ERROR:
            return length == _WORD.size


def has_reserved_token(body: bytes) -> bool:
    """Tell whether the body of a DM holds a token of the private categories 0x58 to 0x5F."""
    return _RESERVED.search(body[::2]) is not None


def tokens_to_bytes(tokens: Sequence[int]) -> bytes:
    """Return the body of a DM; refuse what would make the peer end the connection."""
    if not 0 < len(tokens) <= MAX_TOKENS:
        raise LocalProtocolError(f"a message has 1 to {MAX_TOKENS} tokens, not {len(tokens)}")
    try:
        packed = array("H", tokens)
    except (OverflowError, TypeError) as error:
        raise LocalProtocolError(f"tokens are numbers from 0 to 65535: {error}") from None
    if sys.byteorder == "little":
        packed.byteswap()
    body = packed.tobytes()
    if has_reserved_token(body):
        reserved = next(token for token in tokens if 0x58 <= token >> 8 <= 0x5F)
        raise LocalProtocolError(f"token {reserved:#06x} is private and never on the wire")
    return body


def message_frame(tokens: Sequence[int]) -> bytes:
    """Return the frame of a DM, whose tokens are checked."""
    return _frame(FrameKind.DIPLOMACY, tokens_to_bytes(tokens))


def _frame(kind: FrameKind, body: bytes) -> bytes:
    """Put the header before the body: one piece of bytes, for one write."""
    if len(body) > MAX_BODY_LENGTH:
        raise LocalProtocolError(f"a body has at most {MAX_BODY_LENGTH} bytes, not {len(body)}")
    return _HEADER.pack(kind, len(body)) + body


def _entry_to_bytes(entry: tuple[int, str]) -> bytes:
    token, name = entry
    if not (len(name) == 3 and name.isascii() and 0 <= token <= 0xFFFF):
        raise LocalProtocolError(f"an entry of an RM is a token and three letters, not {entry!r}")
    return _ENTRY.pack(token, name.encode("ascii"))


def _decode_entry(fields: tuple[int, bytes]) -> tuple[int, str]:
    token, name = fields
    # The documents know capitals only, but names are not case-sensitive anywhere else.
    return token, name.rstrip(b"\0").decode("latin-1").upper()
