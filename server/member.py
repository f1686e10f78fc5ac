"""One connection as the host sees it: where its messages go, and how to answer."""

from typing import TYPE_CHECKING, Protocol

from attrs import define

from server.limits import Meter
from server.seat import ClientId

if TYPE_CHECKING:
    from server.room import Room


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


@define(eq=False)
class Member:
    """A connection that has sent its IM."""

    number: ClientId
    link: Link
    meter: Meter
    address: str = ""
    room: "Room | None" = None
    home: "Room | None" = None
    """The only game that it may enter, None for any."""
    is_at_door: bool = False
    """Whether it came through the port of that game, and so cannot choose another."""
    pending: int = 0
    """How many of its messages its game has not handled yet."""
    is_paused: bool = False
