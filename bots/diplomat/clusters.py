"""Plans of clusters: the units near a target, who of them goes, and who supports.

What is likely to succeed is seen from numbers alone, without playing anything out.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from attrs import frozen

from bots.banker.ledger import success_chance
from bots.dumbbot.value_maps import ValueMap
from bots.project20m.front import Front
from rules.orders import Hold, Move, MovementOrder, Order, SupportHold, SupportMove
from rules.turns import Season

_FALL_CENTER = 2.0
_SPRING_CENTER = 0.5
_GUARD = 1.0
"""What it is worth to keep a center of our own that is in danger."""
_MOST_HELPERS = 3
_EFFORT = 0.35
"""What a unit could do elsewhere: a plan must bring that much for each that takes part."""


@frozen
class SubPlan:
    """What one cluster does: a unit that goes or stays, and those who support it."""

    target: int
    unit: int
    place: int
    """The unit place where it goes, its own if it stays."""
    helpers: tuple[int, ...]
    prize: float
    """What the target is worth."""
    chance: float

    @property
    def worth(self) -> float:
        """What it is likely to bring."""
        return self.chance * self.prize

    @property
    def units(self) -> tuple[int, ...]:
        """Everybody who takes part."""
        return (self.unit, *self.helpers)


class Clusters:
    """The targets of a turn, and the plans of the units around each of them."""

    def __init__(self, front: Front, values: ValueMap, boldness: float) -> None:
        self._front = front
        self._values = values
        self._boldness = boldness
        self._scale = self._usual_worth()

    def _usual_worth(self) -> float:
        places = self._front.unit_places
        best = [
            max(self._values.values[each] for each in (here, *places.borders[here]))
            for here in self._front.places
        ]
        return max(1.0, sum(best) / max(1, len(best)))

    def resistance(self, target: int) -> int:
        """Return how many units have to be overcome: those of the strongest power there."""
        return self._values.competition[target]

    def chance(self, target: int, ours: int) -> float:
        """Guess how likely so many units get or keep a target; the bold hope for more."""
        ours += self._front.help.get(target, 0)
        chance = success_chance(ours, self.resistance(target))
        return min(1.0, chance * (0.75 + 0.5 * self._boldness))

    def sub_plans(self, free: Collection[int]) -> Iterator[SubPlan]:
        """Give all plans of all clusters, of units that are free."""
        front = self._front
        for target in sorted({front.provinces[unit] for unit in free} | self._reachable(free)):
            near = [unit for unit in free if target in front.reach[unit]]
            stands = front.at.get(target)
            if stands is not None:
                if stands in free:
                    yield from self._plans(target, stands, near)
                continue
            for unit in near:
                yield from self._plans(target, unit, [each for each in near if each != unit])

    def _reachable(self, free: Collection[int]) -> set[int]:
        front = self._front
        near = {province for unit in free for province in front.reach[unit]}
        return near - front.closed

    def _plans(self, target: int, unit: int, near: Sequence[int]) -> Iterator[SubPlan]:
        place = self._place(unit, target)
        prize = self._prize(target, place)
        for count in range(min(len(near), _MOST_HELPERS) + 1):
            chance = self.chance(target, count + 1)
            for helpers in combinations(near[:6], count):
                yield SubPlan(target, unit, place, helpers, prize, chance)
            if count + 1 > self.resistance(target):
                break

    def _place(self, unit: int, target: int) -> int:
        front = self._front
        here = front.places[unit]
        if front.provinces[unit] == target:
            return here
        inside = [
            each
            for each in front.unit_places.borders[here]
            if front.unit_places.province_of[each] == target
        ]
        return max(inside, key=lambda each: self._values.values[each])

    def _prize(self, target: int, place: int) -> float:
        front = self._front
        prize = self._values.values[place] / self._scale
        is_spring = front.view.turn.season is Season.SPRING
        if front.is_foreign_center(target):
            owner = front.owners.get(target)
            wish = 1.0 if owner is None else front.view.beliefs.attitudes.get(owner, 1.0)
            prize += (_SPRING_CENTER if is_spring else _FALL_CENTER) * wish
        elif front.is_ours(target) and front.threats.get(target):
            prize += _GUARD
        return prize


class JoinedPlan:
    """The best sub-plans that go together, and the orders they make."""

    def __init__(self, front: Front, clusters: Clusters) -> None:
        self._front = front
        self._clusters = clusters
        self.chosen: list[SubPlan] = []
        self._orders: dict[int, Order] = {}
        self._keep_promises()
        self._join()

    @property
    def worth(self) -> float:
        """What all sub-plans are likely to bring."""
        return sum(plan.worth for plan in self.chosen)

    def orders(self) -> list[Order]:
        """Return an order for each unit."""
        return [
            self._orders.get(unit, Hold(subject)) for unit, subject in enumerate(self._front.units)
        ]

    def order_of(self, plan: SubPlan) -> Order:
        """Return what the unit goes or stays by."""
        return self._orders[plan.unit]

    def _keep_promises(self) -> None:
        numbers = {unit: number for number, unit in enumerate(self._front.units)}
        for order in self._front.view.beliefs.promised:
            if isinstance(order, MovementOrder) and order.unit in numbers:
                self._orders[numbers[order.unit]] = order

    def _join(self) -> None:
        """Take the plan that brings most for its effort, and the next of units that are left."""
        front = self._front
        every = [unit for unit in range(len(front.units)) if unit not in self._orders]
        plans = sorted(self._clusters.sub_plans(every), key=self._rank)
        targets = {
            front.unit_places.province_index[order.destination.province]
            for order in self._orders.values()
            if isinstance(order, Move)
        }
        for plan in plans:
            if plan.target in targets or any(unit in self._orders for unit in plan.units):
                continue
            targets.add(plan.target)
            self.chosen.append(plan)
            self._carry_out(plan)

    def _rank(self, plan: SubPlan) -> tuple[float, int, int, tuple[int, ...]]:
        gain = plan.worth - _EFFORT * len(plan.helpers)
        return -gain, plan.target, plan.unit, plan.helpers

    def _carry_out(self, plan: SubPlan) -> None:
        front = self._front
        subject = front.units[plan.unit]
        stays = plan.place == front.places[plan.unit]
        self._orders[plan.unit] = (
            Hold(subject) if stays else Move(subject, front.unit_places.locations[plan.place])
        )
        for helper in plan.helpers:
            other = front.units[helper]
            goal = front.unit_places.provinces[plan.target]
            self._orders[helper] = (
                SupportHold(other, subject) if stays else SupportMove(other, subject, goal)
            )
