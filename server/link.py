"""What a host and its rooms can do to a connection, whoever holds the socket."""

from typing import Protocol


class Link(Protocol):
    """What the host can do to a connection; none of it waits."""

    def send(self, data: bytes, messages: int) -> None:
        """Queue frames; a client that leaves too many unread is dropped."""

    def leave(self) -> None:
        """Close after the grace that OFF leaves the client."""

    def drop(self, reason: str) -> None:
        """Close now."""

    def pause(self) -> None:
        """Stop reading until `resume`."""

    def resume(self) -> None:
        """Read again."""
