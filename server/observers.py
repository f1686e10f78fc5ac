"""Those who look on while rooms play: the feed and the metrics. No game depends on them."""

from collections.abc import Sequence
from typing import Protocol

from attrs import frozen

from daide.connection import WrittenMessage
from grammar.messages import PressReceived
from server.effects import Outgoing
from server.game import Game
from server.inputs import Input
from server.stage import Stage
from server.store import GameId


@frozen
class Handled:
    """What a room has just done: what came in, what went out, and the turns that were played."""

    time: float
    inputs: Sequence[Input]
    effects: Sequence[Outgoing]
    turns: Sequence[str]
    """As they stand in the record, as JSON."""
    said: Sequence[tuple[PressReceived, WrittenMessage]] = ()
    """The press that went out, as it was written."""


class ObservedRoom(Protocol):
    """What may be seen of a room."""

    @property
    def number(self) -> GameId:
        """The number of its game."""

    @property
    def game(self) -> Game:
        """The game, to be looked at only."""

    @property
    def stage(self) -> Stage:
        """How far the game has come."""

    def time(self) -> float:
        """Return the game's own time."""


class Observer(Protocol):
    """Is told what happens in all rooms; it must not wait, and what it raises is only logged."""

    def opened(self, room: ObservedRoom) -> None:
        """Take note of a game that is new or was restored."""

    def handled(self, room: ObservedRoom, what: Handled) -> None:
        """Take note of what a room has done and sent."""

    def closed(self, room: ObservedRoom) -> None:
        """Take note of a game that is over and that everybody has left."""
