"""How the wishes of single units become orders of an army: from the most wanted to the least.

Who wants most goes first. Units that are in the way are sent elsewhere, and units that want less
support the move until it is safe; where our own do not suffice, foreign ones are wanted.
"""

from collections.abc import Sequence

from attrs import frozen

from bots.project20m.front import Front
from bots.project20m.wishes import Wish
from rules.orders import (
    Convoy,
    Hold,
    Move,
    MoveByConvoy,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
    Unit,
)


@frozen
class Wanted:
    """A support by a foreign unit that a move or a place of ours lacks."""

    order: MovementOrder
    ours: MovementOrder
    gain: float


class Coordination:
    """Makes the orders of one turn."""

    def __init__(
        self, front: Front, values: Sequence[float], wishes: Sequence[Sequence[Wish]]
    ) -> None:
        self._front = front
        self._values = values
        self._wishes = [list(each) for each in wishes]
        self._orders: dict[int, Order] = {}
        self._goal: dict[int, int] = {}
        """By unit the province where it goes."""
        self._coming: dict[int, int] = {}
        """By province the unit that goes there."""
        self._supports: dict[int, int] = {}
        """By province how many units of ours support what happens there."""
        self._idle: set[int] = set()
        """Units that would stay, and may be told to do something else."""

    def orders(self) -> list[Order]:
        """Return an order for each unit."""
        self._keep_promises()
        while (unit := self._next_unit()) is not None:
            wish = self._wishes[unit][0]
            if wish.place == self._front.places[unit]:
                self._idle.add(unit)
            elif not self._carry_out(unit, wish):
                del self._wishes[unit][0]
        self._use_idle_units()
        return [self._orders[unit] for unit in range(len(self._front.units))]

    def wanted(self) -> list[Wanted]:
        """Return what foreign units could do for us; only after `orders`."""
        found: list[Wanted] = []
        for unit, order in self._orders.items():
            province = self._goal.get(unit, self._front.provinces[unit])
            if not isinstance(order, Hold | Move) or not self._lacks(unit, province):
                continue
            worth = self._values[self._wishes[unit][0].place]
            for foreign in self._front.view.position.units:
                help_code = self._foreign_help(foreign, unit, province)
                if help_code is not None:
                    found.append(Wanted(help_code, order, worth))
        return found

    def _lacks(self, unit: int, province: int) -> bool:
        is_move = unit in self._goal
        needed = self._front.needed(province) if is_move else self._front.needed_to_stay(unit)
        return self._supports.get(province, 0) < needed

    def _foreign_help(self, foreign: Unit, unit: int, province: int) -> MovementOrder | None:
        """Return the support that a foreign unit could give, unless against its own power."""
        front = self._front
        subject, place = front.units[unit], front.unit_places.of(foreign)
        if foreign.power == subject.power or province not in front.unit_places.reach[place]:
            return None
        if unit not in self._goal:
            return SupportHold(foreign, subject)
        victim = front.occupants.get(province)
        is_theirs = front.owners.get(province) == foreign.power
        if is_theirs or (victim is not None and victim.power == foreign.power):
            return None
        return SupportMove(foreign, subject, front.unit_places.provinces[province])

    # --- one after the other ----------------------------------------------------------------------

    def _keep_promises(self) -> None:
        numbers = {unit: number for number, unit in enumerate(self._front.units)}
        for order in self._front.view.beliefs.promised:
            if isinstance(order, MovementOrder) and order.unit in numbers:
                self._give(numbers[order.unit], order)

    def _next_unit(self) -> int | None:
        free = [
            unit
            for unit in range(len(self._front.units))
            if unit not in self._orders and unit not in self._idle
        ]
        return max(free, key=lambda unit: (self._wishes[unit][0].score, -unit), default=None)

    def _give(self, unit: int, order: Order) -> None:
        self._orders[unit] = order
        self._idle.discard(unit)
        index = self._front.unit_places.province_index
        match order:
            case Move(_, destination):
                self._goal[unit] = index[destination.province]
            case MoveByConvoy(_, province):
                self._goal[unit] = index[province]
            case SupportMove(_, _, province):
                self._supports[index[province]] = self._supports.get(index[province], 0) + 1
            case SupportHold(_, supported):
                place = index[supported.location.province]
                self._supports[place] = self._supports.get(place, 0) + 1
        if unit in self._goal:
            self._coming[self._goal[unit]] = unit

    def _is_free(self, unit: int) -> bool:
        return unit not in self._orders

    def _carry_out(self, unit: int, wish: Wish) -> bool:
        """Order a move and all that goes with it; False if it cannot be done."""
        front = self._front
        province = front.unit_places.province_of[wish.place]
        carrier = wish.carrier
        if province in self._coming or (carrier is not None and not self._is_free(carrier)):
            return False
        helpers = self._helpers(unit, province, carrier)
        if province in front.occupants and not helpers and not front.help.get(province):
            return False
        standing = front.at.get(province)
        if standing is not None and not self._makes_way(standing, unit):
            return False
        self._move(unit, wish, province)
        for helper in helpers[: front.needed(province)]:
            if self._is_free(helper):
                self._support(helper, unit)
        return True

    def _move(self, unit: int, wish: Wish, province: int) -> None:
        front = self._front
        subject = front.units[unit]
        goal = front.unit_places.provinces[province]
        if wish.carrier is None:
            self._give(unit, Move(subject, front.unit_places.locations[wish.place]))
            return
        fleet = front.units[wish.carrier]
        self._give(unit, MoveByConvoy(subject, goal, (fleet.location.province,)))
        self._give(wish.carrier, Convoy(fleet, subject, goal))

    def _helpers(self, unit: int, province: int, carrier: int | None) -> list[int]:
        """Return who can support a move, those first who give up least."""
        front = self._front
        able = [
            other
            for other, reach in enumerate(front.reach)
            if province in reach
            and other not in (unit, carrier)
            and front.provinces[other] != province
            and self._is_free(other)
        ]
        return sorted(able, key=lambda other: (self._wishes[other][0].score, other))

    def _makes_way(self, standing: int, unit: int) -> bool:
        """See that the unit in the way goes elsewhere, not to where this one comes from."""
        front = self._front
        if not self._is_free(standing):
            return self._goal.get(standing, front.provinces[unit]) != front.provinces[unit]
        for wish in self._wishes[standing]:
            province = front.unit_places.province_of[wish.place]
            is_open = province not in self._coming and province not in front.at
            if wish.carrier is None and is_open and province not in front.occupants:
                self._move(standing, wish, province)
                return True
        return False

    def _support(self, helper: int, unit: int) -> None:
        subject, other = self._front.units[helper], self._front.units[unit]
        if unit in self._goal:
            province = self._front.unit_places.provinces[self._goal[unit]]
            self._give(helper, SupportMove(subject, other, province))
        else:
            self._give(helper, SupportHold(subject, other))

    # --- those that would stay --------------------------------------------------------------------

    def _use_idle_units(self) -> None:
        """Let units that would hold fend off, grab or help, the least valuable place first."""
        waiting = sorted(self._idle, key=lambda unit: self._values[self._front.places[unit]])
        for unit in waiting:
            if self._is_free(unit) and not (self._grabs(unit) or self._fends_off(unit)):
                self._helps(unit)
        for unit in waiting:
            if self._is_free(unit):
                self._give(unit, Hold(self._front.units[unit]))

    def _fends_off(self, unit: int) -> bool:
        """Attack the one enemy that threatens our center, so that it cannot come."""
        front = self._front
        here = front.provinces[unit]
        threats = front.threats.get(here, ())
        if not front.is_ours(here) or len(threats) != 1:
            return False
        there = front.unit_places.province_index[threats[0].location.province]
        return self._goes(unit, there)

    def _grabs(self, unit: int) -> bool:
        """Take a foreign center that nobody stands in."""
        front = self._front
        if front.is_ours(front.provinces[unit]) and front.threats.get(front.provinces[unit]):
            return False
        goals = [
            province
            for province in front.reach[unit]
            if front.is_foreign_center(province) and province not in front.occupants
        ]
        return any(self._goes(unit, province) for province in sorted(goals))

    def _goes(self, unit: int, province: int) -> bool:
        front = self._front
        taken = province in self._coming or province in front.at or province in front.closed
        if taken or province not in front.reach[unit]:
            return False
        places = front.unit_places.borders[front.places[unit]]
        inside = [each for each in places if front.unit_places.province_of[each] == province]
        best = max(inside, key=lambda place: self._values[place])
        self._move(unit, Wish(0.0, best), province)
        return True

    def _helps(self, unit: int) -> None:
        """Support the most valuable move or place next to it that lacks support."""
        front = self._front
        best, worth = None, 0.0
        for province in front.reach[unit]:
            other = self._coming.get(province, front.at.get(province))
            if (
                other is None
                or other == unit
                or (other not in self._orders | dict.fromkeys(self._idle))
            ):
                continue
            if self._goal.get(other, front.provinces[other]) != province:
                continue
            value = max(self._values[each] for each in front.unit_places.in_province[province])
            if self._lacks(other, province) and value > worth:
                best, worth = other, value
        if best is not None:
            self._support(unit, best)
