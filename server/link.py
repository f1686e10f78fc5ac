"""What a host and its rooms can do to a connection, whoever holds the socket."""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol

from daide.connection import WrittenMessage


class Leaving(Enum):
    """Why a connection has ended; the value is for the log."""

    FINAL_MESSAGE = "final message"
    ERROR_MESSAGE = "error message"
    LOST = "connection lost"
    PROTOCOL_FAULT = "protocol fault"
    FLOOD = "flood"
    DOES_NOT_READ = "does not read"
    MAKES_ROOM = "makes room for others"
    NEVER_INTRODUCED = "does not say who it is"
    DISMISSED = "sent away"
    GAME_OVER = "the game is over"
    GAME_FAILED = "the game failed"
    SERVER_ENDS = "server ends"

    @property
    def is_misconduct(self) -> bool:
        """Whether the server ended it for what the client did."""
        return self in (Leaving.PROTOCOL_FAULT, Leaving.FLOOD, Leaving.DOES_NOT_READ)


class Link(Protocol):
    """What the host can do to a connection; none of it waits."""

    def send(self, messages: Sequence[WrittenMessage]) -> None:
        """Queue messages; a client that leaves too many unread is dropped."""

    def leave(self) -> None:
        """Close after the grace that OFF leaves the client."""

    def drop(self, why: Leaving) -> None:
        """Close now."""

    def pause(self) -> None:
        """Stop reading until `resume`."""

    def resume(self) -> None:
        """Read again."""
