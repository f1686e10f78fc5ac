"""How a client's talk with a server comes to its end, in words."""

import enum

from daide.connection import CloseReason
from daide.frames import ErrorCode


class ConnectionEnd(enum.Enum):
    """How the talk with the server came to its end."""

    TURNED_OFF = "the server sent OFF"
    CLOSED = "the server closed the connection in good order"
    BLAMED = "the server reported that we broke the protocol"
    SERVER_FAULT = "the server broke the protocol"
    LOST = "the connection was lost"
    LEFT = "we left"
    FAILED = "the client failed"


_ENDINGS = {
    CloseReason.FINAL_MESSAGE: ConnectionEnd.CLOSED,
    CloseReason.ERROR_MESSAGE: ConnectionEnd.BLAMED,
    CloseReason.END_OF_FILE: ConnectionEnd.LOST,
    CloseReason.TRUNCATED: ConnectionEnd.LOST,
}


def ending_for(reason: CloseReason) -> ConnectionEnd:
    """Return the ending that a server brings about by leaving in this way."""
    return _ENDINGS[reason]


def why_closed(reason: CloseReason, code: int | None) -> str:
    """Say in words how a server left."""
    if code is None:
        return reason.value
    known = {error.value: error.meaning for error in ErrorCode}
    return f"{reason.value} {code:#04x}: {known.get(code, 'a code that no document knows')}"
