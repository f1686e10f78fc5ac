"""What everybody who handles messages may do to a game: answer the client that has spoken.

Each handler module says with a `Protocol` of its own what more it may see and change of a game, and
knows no `Game`; `server.handlers` joins them, and there the type checker holds the game against
them. What is a property is only looked at.
"""

from collections.abc import Collection, Mapping
from typing import Protocol

from grammar.messages import ClientMessage, ServerMessage
from rules.board import Board
from rules.places import Power
from server.seat import Client, Seat
from server.settings import GameSettings
from server.stage import Stage


class Answering(Protocol):
    """Somebody who talks with a client."""

    def send(self, client: Client, *messages: ServerMessage) -> None:
        """Send messages to one client."""

    def answer(self, sender: Client, message: ClientMessage, *, accepted: bool) -> None:
        """Send YES or REJ with the message itself."""


class DescribedGame(Answering, Protocol):
    """What may be known about a game by all who let clients in, list games or command them."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def board(self) -> Board:
        """The map."""

    @property
    def settings(self) -> GameSettings:
        """How it is to be played."""

    @property
    def stage(self) -> Stage:
        """How far it has come."""

    @property
    def seats(self) -> Mapping[Power, Seat]:
        """The powers in their order, each with its client if any."""

    def candidates(self) -> Collection[Client]:
        """Return the clients that wait for the start."""
