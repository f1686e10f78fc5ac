"""What everybody who handles messages may do to a game: answer the client that has spoken.

Each handler module says with a `Protocol` of its own what more it may see and change of a game, and
knows no `Game`; `server.handlers` joins them, and there the type checker holds the game against
them. What is a property is only looked at.
"""

from typing import Protocol

from grammar.messages import ClientMessage, ServerMessage
from server.seat import Client


class Answering(Protocol):
    """Somebody who talks with a client."""

    def send(self, client: Client, *messages: ServerMessage) -> None:
        """Send messages to one client."""

    def answer(self, sender: Client, message: ClientMessage, *, accepted: bool) -> None:
        """Send YES or REJ with the message itself."""
