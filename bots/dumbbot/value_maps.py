"""What every unit place is worth to a power: DumbBot's value maps, in exact integers.

The worth of the centers spreads over the board in ten steps; `Weights` says how much each counts.
"""

from collections.abc import Iterator, Mapping
from enum import Enum

from attrs import field, frozen

from bots.kernel.spreading import DOWN, EXACTLY, TOWARD_ZERO
from bots.unit_places import Standing, UnitPlaces
from rules.places import Power
from rules.position import Position
from rules.turns import Phase, Season

_OCCUPATION_WEIGHT = 1000
"""The weight of strength, of competition, and of defence in winter."""
_WORD = 1 << 32
_HALF_WORD = 1 << 31


class Arithmetic(Enum):
    """How wide the numbers of a variant are."""

    WRAPPING = "32 bits, products wrap"
    EXACT = "no overflow"
    FLOATING = "fractions are kept"


@frozen(kw_only=True)
class Weights:
    """How much attack and defence of a center count, near by and at each step away."""

    attack: int
    defence: int
    steps: tuple[int, ...]


_FAR = (30, 10, 6, 5, 4, 3, 2, 1)
SPRING_WEIGHTS = Weights(attack=700, defence=300, steps=(100, 1000, *_FAR))
FALL_WEIGHTS = Weights(attack=600, defence=400, steps=(1000, 100, *_FAR))
WINTER_WEIGHTS = Weights(attack=700, defence=300, steps=(1000, 100, *_FAR))
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
    weights: Mapping[Season, Weights] = field(factory=SEASON_WEIGHTS.copy, hash=False)

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
    wishes = {each.name: factor for each, factor in (attitudes or {}).items()}
    standing = unit_places.standing(position)
    units, owners = standing.units, standing.owners
    sizes = _sizes(unit_places, owners, valuation)
    threats = _threats(unit_places, power.name, units, sizes)
    prices = {name: size * wishes.get(name or "", 1) for name, size in sizes.items()}
    attack, defence = _interests(unit_places, owners, power.name, prices, threats)
    if homes_only:
        for center, name in _abroad(unit_places, owners, wishes):
            attack[center] = sizes[name]
    strength, competition = _presence(unit_places, power.name, standing, valuation)
    totals = _spread(unit_places, attack, defence, weights, valuation)
    for unit_place, owner in units:
        if owner in wishes and not homes_only:
            _scale_province(unit_places, totals, unit_place, wishes[owner])
    if position.turn.phase is Phase.ADJUSTMENT:
        extra = [_OCCUPATION_WEIGHT * each for each in defence]
    else:
        extra = [
            _OCCUPATION_WEIGHT * (ours - theirs)
            for ours, theirs in zip(strength, competition, strict=True)
        ]
    values = [
        int(total + extra[province])
        for total, province in zip(totals, unit_places.province_of, strict=True)
    ]
    if valuation.arithmetic is Arithmetic.WRAPPING:
        values = [wrapped(value) for value in values]
    return ValueMap(values, strength, competition)


def _sizes(
    unit_places: UnitPlaces, owners: Mapping[int, str], valuation: Valuation
) -> dict[str | None, int]:
    """Return the size of each power, under None that of the neutral centers."""
    counts = dict.fromkeys((each.name for each in unit_places.board.powers), 0)
    for name in owners.values():
        counts[name] += 1
    sizes: dict[str | None, int] = {name: valuation.size(each) for name, each in counts.items()}
    neutral = len(unit_places.centers) - len(owners)
    sizes[None] = valuation.size(neutral) if valuation.values_neutral else 0
    return sizes


def _interests(
    unit_places: UnitPlaces,
    owners: Mapping[int, str],
    power: str,
    prices: Mapping[str | None, float],
    threats: Mapping[int, int],
) -> tuple[list[float], list[int]]:
    """Return by province what there is to attack and what there is to defend."""
    attack: list[float] = [0] * len(unit_places.provinces)
    defence = [0] * len(unit_places.provinces)
    for center in unit_places.centers:
        owner = owners.get(center)
        if owner == power:
            defence[center] = threats.get(center, 0)
        else:
            attack[center] = prices[owner]
    return attack, defence


def _abroad(
    unit_places: UnitPlaces, owners: Mapping[int, str], wishes: Mapping[str, float]
) -> Iterator[tuple[int, str]]:
    """List the centers that powers of `wishes` own outside their home."""
    homes = {
        power.name: {unit_places.province_index[home] for home in provinces}
        for power, provinces in unit_places.board.homes.items()
    }
    for center, name in owners.items():
        if name in wishes and center not in homes[name]:
            yield center, name


def _threats(
    unit_places: UnitPlaces,
    power: str,
    units: list[tuple[int, str]],
    sizes: Mapping[str | None, int],
) -> dict[int, int]:
    """Return the size of the largest other power that has a unit able to enter each province."""
    threats: dict[int, int] = {}
    for unit_place, owner in units:
        if owner == power:
            continue
        size = sizes[owner]
        for province in unit_places.reach[unit_place]:
            if size > threats.get(province, size - 1):
                threats[province] = size
    return threats


def _presence(
    unit_places: UnitPlaces, power: str, standing: Standing, valuation: Valuation
) -> tuple[list[int], list[int]]:
    """Count for each province our units that bear on it, and the most of any other power."""
    nothing = [0] * len(unit_places.provinces)
    counts = standing.bearing
    if not valuation.counts_occupant:
        counts = {owner: list(count) for owner, count in counts.items()}
        for unit_place, owner in standing.units:
            if owner != power:
                counts[owner][unit_places.province_of[unit_place]] -= 1
    others = [count for owner, count in counts.items() if owner != power]
    # `map(max, ...)` needs two lists at least.
    return list(counts.get(power, nothing)), list(map(max, nothing, nothing, *others))


def _spread(
    unit_places: UnitPlaces,
    attack: list[float],
    defence: list[int],
    weights: Weights,
    valuation: Valuation,
) -> list[float]:
    """Let the worth of the centers spread over the board and add up what each step brings."""
    worth = [
        ours * weights.attack + theirs * weights.defence
        for ours, theirs in zip(attack, defence, strict=True)
    ]
    level = [float(worth[province]) for province in unit_places.province_of]
    return unit_places.spreading.spread(level, weights.steps, valuation.rounding)


def _scale_province(
    unit_places: UnitPlaces, totals: list[float], unit_place: int, factor: float
) -> None:
    for each in unit_places.in_province[unit_places.province_of[unit_place]]:
        totals[each] *= factor
