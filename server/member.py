"""One connection as the host sees it: where its messages go, and how to answer."""

from attrs import define

from server.limits import Meter
from server.link import Link
from server.room import Room
from server.seat import ClientId


@define(eq=False)
class Member:
    """A connection that has sent its IM."""

    number: ClientId
    link: Link
    meter: Meter
    address: str = ""
    room: Room | None = None
    home: Room | None = None
    """The only game that it may enter, None for any."""
    is_at_door: bool = False
    """Whether it came through the port of that game, and so cannot choose another."""
    heard: float = 0.0
    """When it said something last."""
    pending: int = 0
    """How much of what it has sent its game has not handled yet."""
    is_paused: bool = False
    wrong_guesses: int = 0
    """How many wrong passcodes and secrets it has tried."""
