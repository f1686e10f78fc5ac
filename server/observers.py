"""Those who look on while rooms play: the feed and the metrics. No game depends on them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from attrs import frozen

if TYPE_CHECKING:
    from grammar.messages import PressReceived
    from server.inputs import Input
    from server.room import Outgoing, Room


@frozen
class Handled:
    """What a room has just done: what came in, what went out, and the turns that were played."""

    time: float
    inputs: Sequence["Input"]
    effects: Sequence["Outgoing"]
    turns: Sequence[str]
    """As they stand in the record, as JSON."""
    said: Sequence[tuple["PressReceived", bytes]] = ()
    """The press that went out, with its frames."""


class Observer(Protocol):
    """Is told what happens in all rooms; it must not wait, and what it raises is only logged."""

    def opened(self, room: "Room") -> None:
        """Take note of a game that is new or was restored."""

    def handled(self, room: "Room", what: Handled) -> None:
        """Take note of what a room has done and sent."""

    def closed(self, room: "Room") -> None:
        """Take note of a game that is over and that everybody has left."""
