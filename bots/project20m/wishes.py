"""What each unit would do if it were alone: its options, the best first."""

from attrs import frozen

from bots.project20m.front import Front
from bots.project20m.values import voyages
from rules.orders import UnitKind

_STAYING = 0.001
"""What a good place is worth to who is there already."""
_CROWDED = 200
"""How much less a place is worth where a unit of our own stands."""


@frozen
class Wish:
    """A place for a unit, and how much it wants to be there."""

    score: float
    place: int
    carrier: int | None = None
    """The unit of ours that has to carry it."""


def wishes_of(front: Front, values: list[float], unit: int) -> list[Wish]:
    """Return what one unit may want, the best first; staying is always among it."""
    unit_places, here = front.unit_places, front.places[unit]
    found = [Wish(_STAYING * values[here], here)]
    for place in unit_places.borders[here]:
        province = unit_places.province_of[place]
        if province in front.targets and province not in front.closed:
            found.append(Wish(_score(front, values, here, place), place))
    if unit_places.kinds[here] is UnitKind.ARMY:
        found += _carried(front, values, here)
    return sorted(found, key=lambda wish: (-wish.score, wish.place))


def _carried(front: Front, values: list[float], here: int) -> list[Wish]:
    """Return the places to which a fleet of ours could carry an army."""
    unit_places = front.unit_places
    found: dict[int, Wish] = {}
    for sea, beach in voyages(unit_places, here):
        province = unit_places.province_of[beach]
        carrier = front.at.get(sea)
        if carrier is not None and province in front.targets and province not in front.closed:
            found.setdefault(beach, Wish(_score(front, values, here, beach), beach, carrier))
    return list(found.values())


def _score(front: Front, values: list[float], here: int, place: int) -> float:
    """Return what a move is worth: the gain, less where it will be resisted."""
    province = front.unit_places.province_of[place]
    gain = values[place] - values[here]
    if front.needed(province) > 1:
        gain *= 2 ** front.strength(province)
    is_held = province in front.occupants
    gain /= (front.resistance(province) + 1 + is_held) ** 2
    return gain / _CROWDED if province in front.at else gain
