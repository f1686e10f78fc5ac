"""What every follower of a game learns from a server's messages: map, hello, turn and end."""

from grammar.messages import (
    DrawDeclared,
    Hello,
    MapDefinition,
    MapName,
    Now,
    ServerMessage,
    SoloDeclared,
    Summary,
)
from rules.places import Power
from rules.turns import Turn

_GAME_OVER = (SoloDeclared, DrawDeclared, Summary)


class FollowedGame:
    """One game as its messages tell it; whoever needs more of it learns that besides."""

    def __init__(self) -> None:
        self.hello: Hello | None = None
        self.map_name: str | None = None
        self.map_definition: MapDefinition | None = None
        self.turn: Turn | None = None
        """The turn that is being played."""
        self.is_over = False

    @property
    def power(self) -> Power | None:
        """Our power; None before the start, and for observers."""
        return self.hello.power if self.hello else None

    def learn(self, message: ServerMessage) -> None:
        """Remember what a message says."""
        match message:
            case Hello():
                self.hello = message
            case MapName(name):
                self.map_name = name
            case MapDefinition():
                self.map_definition = message
            # A NOW of the past is the answer to HST.
            case Now(turn) if self.turn is None or turn.is_after(self.turn):
                self.turn = turn
        self.is_over = self.is_over or isinstance(message, _GAME_OVER)
