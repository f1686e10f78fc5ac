"""DumbBot's movement turn: one unit after the other finds its place."""

import heapq
from collections.abc import Sequence

from attrs import frozen

from bots.dumbbot.value_maps import ValueMap
from bots.dumbbot.weighted_choice import PLAY_ALTERNATIVE, Chance, Option, pick
from bots.unit_places import UnitPlaces
from bots.view import GameView
from rules.orders import Hold, Move, Order, SupportHold, SupportMove, Unit

_LARGEST_KEY = 32766
"""Units wait by keys that the original drew below the RAND_MAX of its platform."""
_MOST_WAITS = 1000
"""After so many waits in a turn units that wait for each other just go."""


@frozen(kw_only=True)
class Habits:
    """What bots that plan this way do differently."""

    shuffles: bool = True
    """Whether the units are ordered at random, or as the board lists them."""
    play_alternative: float = PLAY_ALTERNATIVE
    """How often the next best option is considered at all."""
    stay_bonus: int = 1
    """How much staying is preferred to an equally good place."""
    most_faced_alone: int = 1
    """How many units of another power may compete with one of ours that stays, unsupported."""


DUMBBOT_HABITS = Habits()


class MovePlanner:
    """Finds the orders of one turn."""

    def __init__(
        self,
        unit_places: UnitPlaces,
        view: GameView,
        values: ValueMap,
        chance: Chance,
        habits: Habits = DUMBBOT_HABITS,
    ) -> None:
        self._unit_places = unit_places
        self._view = view
        self._values = values.values
        self._competition = self._faced(values.competition)
        self._chance = chance
        self._habits = habits
        self._units = sorted(view.units, key=unit_places.of)
        self._unit_place = [unit_places.of(unit) for unit in self._units]
        self._at = {
            unit_places.province_of[each]: unit for unit, each in enumerate(self._unit_place)
        }
        self._keys = self._draw_keys(shuffles=habits.shuffles)
        self._orders: dict[int, Order] = {}
        self._movers: dict[int, int] = {}
        """By province the unit that is ordered to move there."""
        self._closed = {
            unit_places.province_index[province]
            for province in view.beliefs.closed
            if province in unit_places.province_index
        }
        self._waits = 0

    def plan(self) -> Sequence[Order]:
        """Return an order for every unit."""
        self._keep_promises()
        queue = [(-self._keys[unit], -unit, unit) for unit in range(len(self._units))]
        queue = [entry for entry in queue if entry[-1] not in self._orders]
        heapq.heapify(queue)
        number = -len(self._units)
        while queue:
            unit = heapq.heappop(queue)[-1]
            if self._settle(unit):
                continue
            # Behind the unit it waits for; among equal keys the latest comes first.
            number -= 1
            heapq.heappush(queue, (-self._keys[unit], number, unit))
        self._use_idle_units()
        return [self._orders[unit] for unit in range(len(self._units))]

    def _faced(self, competition: list[int]) -> list[int]:
        """Return the competition in each province less the support that others promised us."""
        left = competition
        for order in self._view.beliefs.expected:
            match order:
                case SupportMove(supported=helped, destination=province):
                    pass
                case SupportHold(supported=helped):
                    province = helped.location.province
                case _:
                    continue
            at = self._unit_places.province_index.get(province)
            if helped.power == self._view.power and at is not None:
                left = [max(0, each - (place == at)) for place, each in enumerate(left)]
        return left

    def _draw_keys(self, *, shuffles: bool) -> list[int]:
        count = len(self._units)
        if shuffles:
            draw = self._view.random.random
            return [int(draw() * (_LARGEST_KEY + 1)) for _ in range(count)]
        return [_LARGEST_KEY - place * _LARGEST_KEY // (count + 1) for place in range(count)]

    def _keep_promises(self) -> None:
        """Give the orders that our negotiator has promised, before all others."""
        numbers = {unit: number for number, unit in enumerate(self._units)}
        for order in self._view.beliefs.promised:
            unit = numbers.get(order.unit) if isinstance(order, _MOVEMENT_ORDERS) else None
            if unit is None:
                continue
            self._orders[unit] = order
            if isinstance(order, Move):
                self._movers[self._unit_places.province_index[order.destination.province]] = unit

    # --- one unit ---------------------------------------------------------------------------------

    def _settle(self, unit: int) -> bool:
        """Order a unit; False if it has to wait for another one, its key lowered."""
        options = self._options(unit)
        while options:
            alternative = self._habits.play_alternative
            place = pick(options, self._chance, self._view.random, alternative)
            unit_place = options[place][1]
            if self._must_wait(unit, unit_place):
                return False
            order = self._order_to(unit, unit_place)
            if order is not None:
                self._orders[unit] = order
                return True
            del options[place]
        self._orders[unit] = Hold(self._units[unit])
        return True

    def _options(self, unit: int) -> list[Option]:
        """Return where a unit may go, the best first; of equal values the first one survives."""
        values = self._values
        here = self._unit_place[unit]
        by_value: dict[int, int] = {}
        for unit_place in self._unit_places.borders[here]:
            if self._unit_places.province_of[unit_place] not in self._closed:
                by_value.setdefault(values[unit_place], unit_place)
        by_value.setdefault(values[here] + self._habits.stay_bonus, here)
        return sorted(by_value.items(), reverse=True)

    def _must_wait(self, unit: int, unit_place: int) -> bool:
        """Whether a unit wants the place of another one that does not know yet what it does."""
        other = self._at.get(self._unit_places.province_of[unit_place], unit)
        if other == unit or other in self._orders:
            return False
        self._waits += 1
        key = self._keys[other] - 1
        if key < 0 or self._waits > _MOST_WAITS:
            return False
        self._keys[unit] = key
        return True

    def _order_to(self, unit: int, unit_place: int) -> Order | None:
        """Return the order that takes a unit to a place or helps there, None if it is pointless."""
        subject = self._units[unit]
        if unit_place == self._unit_place[unit]:
            return Hold(subject)
        province = self._unit_places.province_of[unit_place]
        standing = self._at.get(province, unit)
        # Two units that wait for each other in vain go all the same, so one may not be ordered.
        ordered = self._orders.get(standing)
        if ordered is not None and standing != unit and not isinstance(ordered, Move):
            if self._competition[province] > self._habits.most_faced_alone:
                return SupportHold(subject, self._units[standing])
            return None
        mover = self._movers.get(province)
        if mover is not None:
            return self._support(subject, mover, province) if self._competition[province] else None
        self._movers[province] = unit
        return Move(subject, self._unit_places.locations[unit_place])

    def _support(self, subject: Unit, mover: int, province: int) -> Order:
        return SupportMove(subject, self._units[mover], self._unit_places.provinces[province])

    # --- those that hold --------------------------------------------------------------------------

    def _use_idle_units(self) -> None:
        """Let units that would hold support the most valuable neighbour that may need it."""
        for unit in range(len(self._units)):
            if isinstance(self._orders[unit], Hold) and not self._is_promised(unit):
                best = 0
                for unit_place in self._unit_places.borders[self._unit_place[unit]]:
                    if self._values[unit_place] <= best:
                        continue
                    order = self._help_at(unit, self._unit_places.province_of[unit_place])
                    if order is not None:
                        best = self._values[unit_place]
                        self._orders[unit] = order

    def _is_promised(self, unit: int) -> bool:
        return self._orders[unit] in self._view.beliefs.promised

    def _help_at(self, unit: int, province: int) -> Order | None:
        subject = self._units[unit]
        mover = self._movers.get(province)
        if mover is not None and self._competition[province] > 0:
            return self._support(subject, mover, province)
        standing = self._at.get(province)
        if standing is None or isinstance(self._orders[standing], Move):
            return None
        if self._competition[province] > 1:
            return SupportHold(subject, self._units[standing])
        return None


_MOVEMENT_ORDERS = (Hold, Move, SupportHold, SupportMove)
