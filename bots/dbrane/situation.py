"""A movement turn as battle plans see it: whose unit can reach which province, as bit masks.

Our units and the hostile units are numbered. A mask over hostile units has bit n for unit n; a mask
over our units likewise. Friends, and units whose orders we know, are not among the hostile.
"""

from collections.abc import Iterable

from bots.unit_places import UnitPlaces, unit_places_of
from bots.view import GameView
from rules.orders import (
    Convoy,
    Hold,
    Move,
    MoveByConvoy,
    Order,
    SupportHold,
    SupportMove,
    Unit,
)
from rules.places import Power

_MOVEMENT_ORDERS = (Hold, Move, SupportHold, SupportMove, Convoy, MoveByConvoy)


class Situation:
    """Who bears on what, with the promises and expectations of our negotiator worked in."""

    def __init__(self, view: GameView) -> None:
        self.unit_places: UnitPlaces = unit_places_of(view.board)
        index = self.unit_places.province_index
        self.view = view
        self.units = sorted(view.units, key=self.unit_places.of)
        self.places = [index[unit.location.province] for unit in self.units]
        self.at = {place: unit for unit, place in enumerate(self.places)}
        self.friends = {power for power, factor in view.beliefs.attitudes.items() if factor < 1} - {
            view.power
        }
        self.closed = {index[each] for each in view.beliefs.closed if each in index}
        self.owners = {index[center]: owner for center, owner in view.position.owners.items()}
        self._place_friends()
        self.promised = self._promises()
        reach = [
            frozenset(self.unit_places.reach[self.unit_places.of(unit)]) for unit in self.units
        ]
        self.reach = reach
        self.reachers: list[list[int]] = [[] for _ in self.unit_places.provinces]
        """By province our units that can go there."""
        for unit, provinces in enumerate(reach):
            for province in provinces:
                self.reachers[province].append(unit)
        self.hostile: list[Unit] = []
        self.occupants: dict[int, int] = {}
        """By province the hostile unit that stands there and may stay."""
        self.bearing: list[dict[Power, int]] = [{} for _ in self.unit_places.provinces]
        """By province and power the hostile units that can go there."""
        self.all_of: dict[Power, int] = {}
        self.place_of_hostile: list[int] = []
        self.help: dict[tuple[int, int], int] = {}
        """By unit of ours and province how many foreign supports it will have there."""
        self._count_hostile(self._expectations())

    def is_ours(self, province: int) -> bool:
        """Whether we own the center."""
        return self.owners.get(province) == self.view.power

    def threat(self, province: int) -> int:
        """Return how many units the power that has most of them there can send to a province."""
        masks = self.bearing[province].values()
        return max((mask.bit_count() for mask in masks), default=0)

    def may_enter(self, unit: int, province: int) -> bool:
        """Whether our agreements let a unit of ours move there."""
        if province in self.closed or province in self.friendly_places:
            return False
        promise = self.promised.get(unit)
        return promise is None or (
            isinstance(promise, Move)
            and self.unit_places.province_index[promise.destination.province] == province
        )

    def may_stay(self, unit: int) -> bool:
        """Whether our promises let a unit of ours stay where it is."""
        return not isinstance(self.promised.get(unit), Move | MoveByConvoy)

    def may_support(self, unit: int, other: int, province: int) -> bool:
        """Whether our promises let a unit support another one of ours into or in a province."""
        promise = self.promised.get(unit)
        if promise is None:
            return True
        return promise == self.support(unit, other, province)

    def support(self, unit: int, other: int, province: int) -> Order:
        """Return the order to support another unit of ours into a province or where it stands."""
        if self.places[other] == province:
            return SupportHold(self.units[unit], self.units[other])
        return SupportMove(
            self.units[unit], self.units[other], self.unit_places.provinces[province]
        )

    def move(self, unit: int, province: int, values: list[int]) -> Order:
        """Return the order to move to a province, on the coast that is worth most."""
        borders = self.unit_places.borders[self.unit_places.of(self.units[unit])]
        places = [each for each in borders if self.unit_places.province_of[each] == province]
        best = max(places, key=lambda unit_place: values[unit_place])
        return self.promised.get(unit) or Move(self.units[unit], self.unit_places.locations[best])

    def _place_friends(self) -> None:
        """Find the provinces that friends occupy or own: those we neither attack nor enter."""
        index = self.unit_places.province_index
        self.friendly_places = {
            index[unit.location.province]
            for unit in self.view.position.units
            if unit.power in self.friends
        } | {center for center, owner in self.owners.items() if owner in self.friends}

    def _promises(self) -> dict[int, Order]:
        numbers = {unit: number for number, unit in enumerate(self.units)}
        return {
            numbers[order.unit]: order
            for order in self.view.beliefs.promised
            if isinstance(order, _MOVEMENT_ORDERS) and order.unit in numbers
        }

    def _expectations(self) -> dict[Unit, Order]:
        return {
            order.unit: order
            for order in self.view.beliefs.expected
            if isinstance(order, _MOVEMENT_ORDERS) and order.unit.power != self.view.power
        }

    def _count_hostile(self, expected: dict[Unit, Order]) -> None:
        numbers = {unit: number for number, unit in enumerate(self.units)}
        for unit in self.view.position.units:
            order = expected.get(unit)
            match order:
                case SupportHold(supported=other) if other in numbers:
                    self._add_help(numbers[other], self.places[numbers[other]])
                case SupportMove(supported=other, destination=goal) if other in numbers:
                    self._add_help(numbers[other], self.unit_places.province_index[goal])
            if unit.power != self.view.power and unit.power not in self.friends:
                self._add_hostile(unit, order)

    def _add_help(self, unit: int, province: int) -> None:
        self.help[unit, province] = self.help.get((unit, province), 0) + 1

    def _add_hostile(self, unit: Unit, order: Order | None) -> None:
        number = len(self.hostile)
        self.hostile.append(unit)
        index = self.unit_places.province_index
        here = index[unit.location.province]
        self.place_of_hostile.append(here)
        self.all_of[unit.power] = self.all_of.get(unit.power, 0) | 1 << number
        if not isinstance(order, Move | MoveByConvoy):
            self.occupants[here] = number
        for province in self._goals(unit, order):
            bearing = self.bearing[province]
            bearing[unit.power] = bearing.get(unit.power, 0) | 1 << number

    def _goals(self, unit: Unit, order: Order | None) -> Iterable[int]:
        """Return where a hostile unit may bear: anywhere, or where its known order points."""
        index = self.unit_places.province_index
        match order:
            case None:
                return set(self.unit_places.reach[self.unit_places.of(unit)])
            case Move(destination=place):
                return (index[place.province],)
            case MoveByConvoy(destination=goal) | SupportMove(destination=goal):
                return (index[goal],)
            case SupportHold(supported=other):
                return (index[other.location.province],)
        return ()
