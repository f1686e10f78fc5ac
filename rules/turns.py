"""Turns: the five seasons of a game year, and the kind of orders each asks for."""

from collections.abc import Iterable
from enum import Enum
from typing import TypeVar

from attrs import frozen

from rules.errors import BadInputError

T = TypeVar("T")
YEARS = range(1, 8192)
"""The years that there are: larger numbers cannot be said on the wire."""


class Phase(Enum):
    """What is ordered in a turn."""

    MOVEMENT = "movement"
    RETREAT = "retreat"
    ADJUSTMENT = "adjustment"

    __hash__ = object.__hash__  # there is one of each; the hash of an Enum is slow, and asked often


class Season(Enum):
    """The parts of a year in order of play; the value is the DAIDE word."""

    SPRING = "SPR"
    SUMMER = "SUM"
    FALL = "FAL"
    AUTUMN = "AUT"
    WINTER = "WIN"

    __hash__ = object.__hash__  # there is one of each; the hash of an Enum is slow, and asked often

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
SEASONS = {season.value: season for season in Season}
"""The seasons by their words."""
_PLACES = {season: place for place, season in enumerate(Season)}


@frozen
class Turn:
    """A season of a year, such as SPR 1901."""

    season: Season
    year: int

    @property
    def phase(self) -> Phase:
        """The kind of orders that this turn takes."""
        return self.season.phase

    def is_after(self, other: "Turn") -> bool:
        """Whether this turn is played later than the other."""
        return (self.year, _PLACES[self.season]) > (other.year, _PLACES[other.season])

    def __str__(self) -> str:
        return f"{self.season.value} {self.year}"

    @property
    def code(self) -> str:
        """A short name for addresses and options: `S1901M`, `S1901R`, `F1901M`, `W1901A`."""
        return _CODES[self.season].format(self.year)


_CODES = {
    Season.SPRING: "S{}M",
    Season.SUMMER: "S{}R",
    Season.FALL: "F{}M",
    Season.AUTUMN: "F{}R",
    Season.WINTER: "W{}A",
}


def turn_of(data: object) -> Turn | None:
    """Return the turn that a value such as `["SPR", 1901]` stands for, None if it is none."""
    match data:
        case [str(season), int(year)] if season in SEASONS and is_year(year):
            return Turn(SEASONS[season], year)
    return None


def is_year(value: object) -> bool:
    """Whether a value from outside is the number of a year."""
    return isinstance(value, int) and not isinstance(value, bool) and value in YEARS


def turn_from_code(text: str) -> Turn:
    """Read such a name, in any case; may raise BadInputError."""
    for season, code in _CODES.items():
        year = text[1:-1]
        if year.isascii() and year.isdigit() and text.upper() == code.format(year):
            return Turn(season, int(year))
    raise BadInputError(f"no such turn: {text!r}; write it like S1901M, F1901R or W1901A")


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
