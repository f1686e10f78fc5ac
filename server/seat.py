"""Seats and clients: who plays which power, and what each has said in this turn."""

from enum import Enum, auto
from typing import TypeAlias

from attrs import Factory, define

from rules.places import Power

ClientId = int
Standing: TypeAlias = tuple[object, ...]
"""What a game knows of a client, to see later whether it has changed."""


class Role(Enum):
    """What a client is to the game."""

    UNIDENTIFIED = auto()
    CANDIDATE = auto()  # NME accepted, the game has not started
    PLAYER = auto()
    OBSERVER = auto()


@define
class Client:
    """One connection, as the game sees it."""

    number: ClientId
    role: Role = Role.UNIDENTIFIED
    name: str = ""
    version: str = ""
    address: str = ""
    """Where it comes from, as far as that is known."""
    map_due: float | None = None
    """When it must have accepted the map."""
    power: Power | None = None
    """The power it plays, or has been promised."""
    has_map: bool = False
    """Whether it takes part in broadcasts: it accepted the map, or rejoined."""
    time_requests: set[int] = Factory(set)
    cancelled_times: set[int] = Factory(set)
    """Notices that were cancelled in this turn, and are still told in it."""
    wrong_passcodes: int = 0
    wrong_secrets: int = 0
    is_omniscient: bool = False
    hears_ending: bool = False
    """Whether it wants to be told why the game ends, which no message of DAIDE says."""
    is_master: bool = False
    is_dismissed: bool = False
    """Whether it was told to leave: nothing that it still says counts."""

    @property
    def has_part(self) -> bool:
        """Whether it has a place in the game, or power over it."""
        return self.is_master or self.role in (Role.CANDIDATE, Role.PLAYER)

    @property
    def standing(self) -> "Standing":
        """What others may notice of it: neither its name nor the times that it is told.

        Those it can change as often as it likes, and a game goes on in the same way without them.
        """
        return (
            self.role,
            self.power,
            self.map_due,
            self.wrong_passcodes,
            self.wrong_secrets,
            *(self.has_map, self.is_omniscient, self.hears_ending),
            *(self.is_master, self.is_dismissed),
        )

    @property
    def notices(self) -> set[int]:
        """The times that it is told in this turn."""
        return self.time_requests | self.cancelled_times


@define
class Seat:
    """A power in one game."""

    power: Power
    passcode: int
    client: ClientId | None = None
    name: str = ""
    version: str = ""
    address: str = ""
    """Where its client comes from, or came from: guesses from elsewhere never keep it out."""
    go: bool = True
    """The go flag of this turn."""
    draws: set[frozenset[Power]] = Factory(set)
    """The draws accepted in this turn."""
    absent_since: float | None = None
    stand_in_asked: bool = False
    missed_deadline: bool = False
    wrong_passcodes: int = 0
    locked_until: float = 0.0
    eliminated_in: int | None = None
    talks_in_rounds: bool = False
    """Whether it has asked, with NOT ( GOF ), to be waited for in the press rounds of this turn."""

    def is_waiting_for(self, address: str) -> bool:
        """Tell whether its client has gone, and was one from there."""
        return self.client is None and self.address == address

    def leave(self) -> None:
        """Forget what held for the client that is gone; its orders and votes stand."""
        self.client = None
        self.go = True
        self.talks_in_rounds = self.missed_deadline = False

    def begin_turn(self) -> None:
        """Forget what held for the last turn only."""
        self.go = True
        self.draws.clear()
        self.talks_in_rounds = False
