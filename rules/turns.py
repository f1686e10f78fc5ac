"""Turns: the five seasons of a game year, and the kind of orders each asks for."""

from enum import Enum

from attrs import frozen


class Phase(Enum):
    """What is ordered in a turn."""

    MOVEMENT = "movement"
    RETREAT = "retreat"
    ADJUSTMENT = "adjustment"


class Season(Enum):
    """The parts of a year in order of play; the value is the DAIDE word."""

    SPRING = "SPR"
    SUMMER = "SUM"
    FALL = "FAL"
    AUTUMN = "AUT"
    WINTER = "WIN"

    @property
    def phase(self) -> Phase:
        """The kind of orders that this season takes."""
        return _PHASES[self]


_PHASES = {
    Season.SPRING: Phase.MOVEMENT,
    Season.SUMMER: Phase.RETREAT,
    Season.FALL: Phase.MOVEMENT,
    Season.AUTUMN: Phase.RETREAT,
    Season.WINTER: Phase.ADJUSTMENT,
}


@frozen
class Turn:
    """A season of a year, such as SPR 1901."""

    season: Season
    year: int

    @property
    def phase(self) -> Phase:
        """The kind of orders that this turn takes."""
        return self.season.phase

    def __str__(self) -> str:
        return f"{self.season.value} {self.year}"
