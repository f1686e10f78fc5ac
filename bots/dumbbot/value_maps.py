"""What every unit place is worth to a power: DumbBot's value maps, in exact integers.

The worth of the centers spreads over the board in ten steps; `SeasonWeights` says how much
each counts.
"""

from collections.abc import Iterator, Mapping
from enum import Enum

from attrs import field, frozen

from bots.kernel.spreading import DOWN, EXACTLY, TOWARD_ZERO
from bots.unit_places import Standing, UnitPlaces
from rules.places import Power
from rules.position import Position
from rules.turns import Phase, Season

_WORD = 1 << 32
_HALF_WORD = 1 << 31


class Arithmetic(Enum):
    """How wide the numbers of a variant are."""

    WRAPPING = "32 bits, products wrap"
    EXACT = "no overflow"
    FLOATING = "fractions are kept"


@frozen(kw_only=True)
class SeasonWeights:
    """How much attack and defence of a center count, near by and at each step away."""

    attack: int
    defence: int
    steps: tuple[int, ...]


_FAR = (30, 10, 6, 5, 4, 3, 2, 1)
SPRING_WEIGHTS = SeasonWeights(attack=700, defence=300, steps=(100, 1000, *_FAR))
FALL_WEIGHTS = SeasonWeights(attack=600, defence=400, steps=(1000, 100, *_FAR))
WINTER_WEIGHTS = SeasonWeights(attack=700, defence=300, steps=(1000, 100, *_FAR))
SEASON_WEIGHTS = {
    Season.SPRING: SPRING_WEIGHTS,
    Season.SUMMER: SPRING_WEIGHTS,
    Season.FALL: FALL_WEIGHTS,
    Season.AUTUMN: FALL_WEIGHTS,
    Season.WINTER: WINTER_WEIGHTS,
}


@frozen(kw_only=True)
class Valuation:
    """The choices that the four programs called DumbBot make differently when they value."""

    square: int = 1
    """The factor of the square of a power's centers in its size."""
    arithmetic: Arithmetic = Arithmetic.EXACT
    values_neutral: bool = True
    """Whether the neutral centers count as one power that owns them all, or as nothing."""
    counts_occupant: bool = True
    """Whether a unit competes for the province in which it stands."""
    weights: Mapping[Season, SeasonWeights] = field(factory=SEASON_WEIGHTS.copy, hash=False)

    @property
    def rounding(self) -> int:
        """How the kernel divides; below zero C truncates where others round down."""
        if self.arithmetic is Arithmetic.FLOATING:
            return EXACTLY
        return DOWN if self.square >= 0 else TOWARD_ZERO

    def size(self, centers: int) -> int:
        """Return how much a power with that many centers counts."""
        return self.square * centers * centers + 4 * centers + 16


@frozen
class ValueMap:
    """The values for one power and turn: by unit place, and the counts of units by province."""

    values: list[int]
    strength: list[int]
    """How many of our own units stand in or can reach a province."""
    competition: list[int]
    """The same for that other power which has the most."""


def wrapped(number: int) -> int:
    """Return a number as 32 bits in two's complement hold it."""
    return (number + _HALF_WORD) % _WORD - _HALF_WORD


def value_map(  # noqa: PLR0913 - what there is to value, and two ways to see it
    unit_places: UnitPlaces,
    position: Position,
    power: Power,
    valuation: Valuation,
    attitudes: Mapping[Power, float] | None = None,
    *,
    homes_only: bool = False,
) -> ValueMap:
    """Value every unit place for a power.

    `attitudes` says for some powers by which factor we want what they own or occupy, below 1 for
    friends; everybody else counts in full. With `homes_only` that holds for home centers alone.
    """
    weights = valuation.weights[position.turn.season]
    standing, valuing = unit_places.standing(position), unit_places.valuing
    ours = unit_places.power_index[power.name]
    sizes = [valuation.size(count) for count in standing.sizes]
    wishes = [1.0] * len(sizes)
    for other, factor in (attitudes or {}).items():
        if other.name in unit_places.power_index:
            wishes[unit_places.power_index[other.name]] = factor
    neutral = valuation.size(standing.owners.count(-1)) if valuation.values_neutral else 0
    # The last one is for centers of nobody, whose owner is -1.
    prices = [*(size * wish for size, wish in zip(sizes, wishes, strict=True)), neutral]
    attacks = [prices[owner] for owner in standing.owners]
    if homes_only:
        for center in _abroad(unit_places, standing):
            attacks[center] = sizes[standing.owners[center]]
    valuing.weigh(ours, sizes, attacks, weights.attack, weights.defence)
    valuing.spread(weights.steps, valuation.rounding)
    if not homes_only:
        valuing.scale(wishes)
    valuing.count_presence(ours, valuation.counts_occupant)
    is_wrapping = valuation.arithmetic is Arithmetic.WRAPPING
    is_winter = position.turn.phase is Phase.ADJUSTMENT
    return ValueMap(valuing.values(is_wrapping, is_winter), *valuing.presence())


def _abroad(unit_places: UnitPlaces, standing: Standing) -> Iterator[int]:
    """List the centers that powers own outside their home, by their number among the centers."""
    board = unit_places.board
    for center, owner in enumerate(standing.owners):
        if owner >= 0 and board.centers[center] not in board.homes.get(board.powers[owner], ()):
            yield center
