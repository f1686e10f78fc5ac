"""What every unit place is worth: DumbBot's idea with the changes of Project20M.

Neutral centers are worth what the weakest power's are, homes count a little more, and worth leaks
between the maps of armies and fleets: a fleet may be useful where it can land nothing itself.
"""

from collections.abc import Mapping
from functools import cache
from operator import mul

from bots.dumbbot.value_maps import Valuation
from bots.unit_places import UnitPlaces, unit_places_of
from bots.view import GameView
from rules.board import Board
from rules.orders import UnitKind
from rules.places import Power
from rules.turns import Season

_STEPS = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)
_DIVISOR = 5
_SPRING = 70, 30
_FALL = 60, 40
"""How much attack and defence count."""
_HOME = 1.1
"""By which factor our own homes are worth more."""
_FLEET_TO_ARMY = 0.001
_ARMY_TO_FLEET = 0.02
_BEACH_TO_BEACH = 0.05
"""What is felt of a neighbour that only the other kind of unit can enter, and over one sea."""
_SIZES = Valuation()


class Felt:
    """How much of each center's worth every unit place feels; the same in all positions."""

    def __init__(self, unit_places: UnitPlaces) -> None:
        self._unit_places = unit_places
        self._leaks = [_leaks_to(unit_places, each) for each in range(len(unit_places))]
        by_center = [self._felt_of(center) for center in unit_places.centers]
        self.shares = tuple(zip(*by_center, strict=True))
        """By unit place its share in each center, in the order of `UnitPlaces.centers`."""

    def _felt_of(self, center: int) -> list[float]:
        level = [float(province == center) for province in self._unit_places.province_of]
        total = [_STEPS[0] * value for value in level]
        for weight in _STEPS[1:]:
            level = self._step(level)
            total = [before + weight * value for before, value in zip(total, level, strict=True)]
        return total

    def _step(self, level: list[float]) -> list[float]:
        twins = [max(level[each] for each in group) for group in self._unit_places.twins]
        seen = level + twins
        return [
            (
                sum(seen[each] for each in sources)
                + sum(level[each] * share for each, share in leaks)
            )
            / _DIVISOR
            for sources, leaks in zip(self._unit_places.sources, self._leaks, strict=True)
        ]


def _leaks_to(unit_places: UnitPlaces, here: int) -> list[tuple[int, float]]:
    """Return from which places of the other map, and over which sea, something is felt."""
    province, kind = unit_places.province_of[here], unit_places.kinds[here]
    near = {
        other
        for each in unit_places.in_province[province]
        for other in (each, *unit_places.borders[each])
        if unit_places.kinds[other] is not kind
    }
    factor = _FLEET_TO_ARMY if kind is UnitKind.ARMY else _ARMY_TO_FLEET
    leaks = [(other, factor) for other in sorted(near)]
    if kind is UnitKind.ARMY:
        leaks += [(beach, _BEACH_TO_BEACH) for beach in beaches(unit_places, here)]
    return leaks


def beaches(unit_places: UnitPlaces, here: int) -> list[int]:
    """Return where an army could be carried by one fleet, neighbours left out."""
    return sorted({beach for _, beach in voyages(unit_places, here)})


def voyages(unit_places: UnitPlaces, here: int) -> list[tuple[int, int]]:
    """Return the seas over which an army could go, each with a landing place beyond it."""
    known = {here, *unit_places.borders[here]}
    return [
        (sea, beach)
        for sea in _seas_at(unit_places, unit_places.province_of[here])
        for beach in _landings(unit_places, sea)
        if beach not in known
    ]


def _seas_at(unit_places: UnitPlaces, province: int) -> list[int]:
    coasts = unit_places.in_province[province]
    near = {sea for each in coasts for sea in unit_places.reach[each]}
    return sorted(sea for sea in near if unit_places.provinces[sea].is_sea)


def _landings(unit_places: UnitPlaces, sea: int) -> list[int]:
    shores = (shore for water in unit_places.in_province[sea] for shore in unit_places.reach[water])
    armies = (
        each for province in dict.fromkeys(shores) for each in unit_places.in_province[province]
    )
    return [each for each in armies if unit_places.kinds[each] is UnitKind.ARMY]


@cache
def _felt_on(board: Board) -> Felt:
    return Felt(unit_places_of(board))


def place_values(view: GameView, threatened: Mapping[int, Power]) -> list[float]:
    """Return what each unit place is worth to us.

    `threatened` names, for provinces that others can enter, the largest power that can.
    """
    attack, defence = _FALL if view.turn.season in (Season.FALL, Season.AUTUMN) else _SPRING
    sizes = {power: _SIZES.size(len(centers)) for power, centers in view.centers.items()}
    weakest = min((sizes[power] for power in view.survivors), default=0)
    wishes = view.beliefs.attitudes
    homes = view.board.homes.get(view.power, ())
    worth: list[float] = []
    unit_places = unit_places_of(view.board)
    for center in unit_places.centers:
        province = unit_places.provinces[center]
        owner = view.position.owners.get(province)
        if owner == view.power:
            price = float(defence * sizes[threatened[center]]) if center in threatened else 0.0
        elif owner is None:
            price = float(attack * weakest)
        else:
            price = attack * sizes[owner] * wishes.get(owner, 1.0)
        worth.append(price * _HOME if province in homes else price)
    return [sum(map(mul, share, worth)) for share in _felt_on(view.board).shares]
