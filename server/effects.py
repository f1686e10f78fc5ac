"""What is to be done after an input: the values that `Game` returns, and those of its host."""

from typing import TypeAlias

from attrs import frozen

from daide.connection import WrittenMessage
from grammar.messages import ServerMessage
from grammar.tokens import Tokens
from rules.places import Power
from server.seat import ClientId


@frozen
class Send:
    """Send a message to these clients; effects are carried out in their order."""

    to: tuple[ClientId, ...]
    message: ServerMessage


@frozen
class Drop:
    """Close a client's connection after the grace that OFF leaves it."""

    client: ClientId


@frozen
class StandInWanted:
    """Find a client that takes over a power which has been absent for too long."""

    power: Power
    passcode: int


Effect: TypeAlias = Send | Drop | StandInWanted


@frozen
class Refused:
    """A message that came too fast: refused by the host, and no part of the game."""

    client: ClientId
    tokens: Tokens


@frozen
class Aside:
    """An answer of the host, in its turn among those of the game, and no part of the game."""

    client: ClientId
    messages: tuple[WrittenMessage, ...]


Outgoing: TypeAlias = Effect | Refused | Aside
