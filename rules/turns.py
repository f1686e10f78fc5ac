"""Turns: the five seasons of a game year, and the kind of orders each asks for."""

from collections.abc import Iterable
from enum import Enum
from typing import TypeVar

from attrs import frozen

T = TypeVar("T")


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


def at_year_ends(start: tuple[Turn, T], played: Iterable[tuple[Turn, Turn, T]]) -> dict[int, T]:
    """Return what held at the end of every year, the one before the start included.

    `start` is the first turn with what holds in it; each turn played comes with the turn that
    followed it and what held then. Centers change hands when the fall is over, not in the winter.
    """
    first, begun = start
    held = {first.year - (first.season is not Season.WINTER): begun}
    for turn, after, now in played:
        if after.season is Season.WINTER or after.year > turn.year:
            held[turn.year] = now
    return held
