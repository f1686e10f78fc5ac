"""What a game wants done: the values that `Game` returns and its owner carries out."""

from typing import TypeAlias

from attrs import frozen

from grammar.messages import ServerMessage
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
