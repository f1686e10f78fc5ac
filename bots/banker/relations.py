"""Where a banker stands with the others: who keeps the peace, who is hungry, what is closed."""

from collections.abc import Iterable

from attrs import frozen

from bots.peace_talks import others
from bots.unit_places import UnitPlaces, unit_places_of
from bots.view import GameView
from rules.places import Power, Province


@frozen(kw_only=True)
class Manners:
    """When peace ends and when it may come again."""

    grudge: int = 3
    """For how many years there is no peace with who broke it."""
    patience: int = 2
    """How many years pass until we ask again who has refused peace."""
    reach: int = 2
    """Within how many steps of our units we look for centers to take."""
    units_per_prize: int = 3
    """We are hungry with more units than this for each center in reach that we may take."""


class Prospects:
    """What there is to take near our units, by owner."""

    def __init__(self, view: GameView, steps: int) -> None:
        self._near = near_units(unit_places_of(view.board), view, steps)
        self._owners = view.position.owners
        self._view = view

    def centers_of(self, power: Power | None) -> int:
        """Count the centers in reach of a power, or of nobody."""
        return sum(
            center in self._near and self._owners.get(center) == power
            for center in self._view.board.centers
        )

    def open_to(self, friends: Iterable[Power]) -> int:
        """Count the centers in reach that are neither ours nor a friend's."""
        barred = {self._view.power, *friends}
        return sum(
            center in self._near and self._owners.get(center) not in barred
            for center in self._view.board.centers
        )


def near_units(unit_places: UnitPlaces, view: GameView, steps: int) -> set[Province]:
    """Return the provinces that our units could come to in so many turns."""
    here = {unit_places.of(unit) for unit in view.units}
    for _ in range(steps):
        here |= {other for unit_place in here for other in unit_places.borders[unit_place]}
    return {unit_places.provinces[unit_places.province_of[unit_place]] for unit_place in here}


def provinces_of(powers: Iterable[Power], view: GameView) -> set[Province]:
    """Return where units of these powers stand, and their centers."""
    held = view.survey.held
    return {province for power in powers for province in held.get(power, ())}


def buffers(view: GameView, partner: Power) -> list[Province]:
    """Return the empty provinces without a center that border home centers of both powers."""
    unit_places = unit_places_of(view.board)
    ours, theirs = (_borders_of_homes(unit_places, view, each) for each in (view.power, partner))
    between = [unit_places.provinces[province] for province in sorted(ours & theirs)]
    if not between:
        return []
    occupied = {unit.location.province for unit in view.position.units}
    return [each for each in between if each not in occupied and not each.is_center]


def _borders_of_homes(unit_places: UnitPlaces, view: GameView, power: Power) -> set[int]:
    homes = [
        home for home in view.board.homes.get(power, ()) if view.position.owners.get(home) == power
    ]
    return {
        province
        for home in homes
        for unit_place in unit_places.in_home(home)
        for province in unit_places.reach[unit_place]
    }


def next_victim(
    view: GameView, friends: set[Power], partners: set[Power], manners: Manners
) -> Power | None:
    """Return with whom we can keep peace no longer, because there is nothing else to win.

    Partners, with whom we do business, are left in peace as long as there is anybody else.
    """
    prospects = Prospects(view, manners.reach)
    if prospects.open_to(friends) * manners.units_per_prize >= len(view.units):
        return None
    size = {power: len(centers) for power, centers in view.centers.items()}
    has_strangers = any(power not in partners for power in others(view))
    candidates = [
        power
        for power in others(view)
        if power in friends
        and prospects.centers_of(power)
        and (power not in partners or (not has_strangers and size[power] <= size[view.power]))
    ]
    # The one with the most to win for the least resistance.
    return max(
        candidates,
        key=lambda power: (power not in partners, prospects.centers_of(power) / (1 + size[power])),
        default=None,
    )
