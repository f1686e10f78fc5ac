"""Orders for the units that no battle plan uses: doubtful plans, reinforcement, idle supports."""

from collections.abc import Iterable, Iterator, Sequence

from bots.dbrane.distances import OUT_OF_REACH, distances_to
from bots.dbrane.manner import Manner
from bots.dbrane.plans import BattlePlan, BattlePlanner
from bots.dbrane.situation import Situation
from bots.dumbbot.value_maps import ValueMap
from rules.orders import Hold, Move, MoveByConvoy, Order
from rules.turns import Season

_LARGEST_TEAM = 2
"""How many units are gathered next to a center that is to be taken; larger teams come too late."""
_WORST_MARGIN = -2
"""By how much a doubtful plan may be outnumbered if everybody turned against it."""
_WORST_ATTACK = -1


class Completion:
    """Turns chosen plans into orders and adds what is missing, the most valuable first."""

    def __init__(
        self, situation: Situation, planner: BattlePlanner, values: ValueMap, manner: Manner
    ) -> None:
        self._manner = manner
        self._situation = situation
        self._planner = planner
        self._values = values
        self._is_spring = situation.view.turn.season is Season.SPRING
        self._orders: dict[int, Order] = {}
        self._movers: dict[int, int] = {}
        """By province the unit of ours that goes there."""
        self._staying: set[int] = set()
        for unit, order in situation.promised.items():
            self._order(unit, order)

    def carry_out(self, plan: BattlePlan) -> None:
        """Give the orders of a plan."""
        situation = self._situation
        if plan.stays:
            self._staying.add(plan.main)
        else:
            self._go(plan.main, plan.center)
        if plan.partner >= 0:
            self._go(plan.partner, plan.center)
        for unit in plan.supports:
            self._order(unit, situation.support(unit, plan.main, plan.center))
        for unit, goal in plan.cuts:
            self._go(unit, goal)

    def try_others(self, centers: Iterable[int]) -> None:
        """Add the strongest plan there still is for centers that could not be secured."""
        ranked = sorted(centers, key=self._price, reverse=True) if self._manner.prices else centers
        for center in ranked:
            if center not in self._movers and (plan := self._strongest(center)) is not None:
                self.carry_out(plan)

    def gather(self) -> None:
        """Send free units as teams next to centers that they can take together in the next turn."""
        centers = [(self._missing(each), -self._price(each), each) for each in self._wanted()]
        for _, _, center in sorted(centers):
            missing = self._missing(center)
            team = self._team(center, missing)
            if len(team) < missing:
                continue
            for unit, province in team.items():
                if self._situation.places[unit] == province:
                    self._staying.add(unit)
                else:
                    self._go(unit, province)

    def march(self) -> None:
        """Send free units toward the centers where units are missing, the closest ones to each."""
        for _, center in sorted((self._missing(each), each) for each in self._wanted()):
            distances = distances_to(self._situation.unit_places, center)
            free = [unit for unit in range(len(self._situation.units)) if self._is_free(unit)]
            ranked = sorted((distances[self._unit_place_after(unit)], unit) for unit in free)
            for distance, unit in ranked[: self._missing(center)]:
                if distance == 1:
                    self._staying.add(unit)
                elif distance < OUT_OF_REACH:
                    self._approach(unit, distances)

    def finish(self) -> list[Order]:
        """Send the free units where they are worth most and return all orders."""
        waiting = [unit for unit in range(len(self._situation.units)) if self._is_free(unit)]
        while waiting:
            gain, province, unit = max((*self._best_step(unit), unit) for unit in waiting)
            waiting.remove(unit)
            if self._manner.walks and gain > 0 and province not in self._movers:
                self._go(unit, province)
            else:
                self._staying.add(unit)
        for unit in sorted(self._staying):
            if unit not in self._orders:
                self._orders[unit] = self._support(unit) or Hold(self._situation.units[unit])
        return [self._orders[unit] for unit in range(len(self._situation.units))]

    # --- doubtful plans ---------------------------------------------------------------------------

    def _strongest(self, center: int) -> BattlePlan | None:
        """Return the plan with the best margin in the worst case, if it is to be tried."""
        best: BattlePlan | None = None
        best_margin = 0
        for plan in self._doubtful(center):
            margin = plan.strength - self._planner.harm(plan)
            if best is None or margin > best_margin:
                best, best_margin = plan, margin
        if best is None or not self._manner.looks_ahead:
            return best
        if best.stays and self._is_spring and not best.gains:
            # Nothing is lost before the fall: better go where that can be prevented.
            return None
        if best.stays or center not in self._situation.occupants:
            return best if best_margin >= _WORST_MARGIN else None
        return best if best.strength > 1 and best_margin >= _WORST_ATTACK else None

    def _doubtful(self, center: int) -> Iterator[BattlePlan]:
        situation = self._situation
        standing = situation.at.get(center)
        if standing is None:
            mains = [
                unit
                for unit in situation.reachers[center]
                if self._is_free(unit) and situation.may_enter(unit, center)
            ]
        else:
            mains = [] if self._leaves(standing) else [standing]
        for main in mains:
            helpers = tuple(
                unit
                for unit in situation.reachers[center]
                if unit != main and unit not in self._orders
            )
            for size in range(len(helpers) + 1):
                supports = helpers[:size]
                yield self._planner.make(center, main, stays=main == standing, supports=supports)

    # --- teams ------------------------------------------------------------------------------------

    def _wanted(self) -> list[int]:
        situation = self._situation
        kept_out = situation.friendly_places | situation.closed
        return [
            center
            for center in situation.unit_places.centers
            if not situation.is_ours(center) and center not in kept_out and self._missing(center)
        ]

    def _missing(self, center: int) -> int:
        """Return how many more units we need beside a center to take it in the next turn."""
        situation = self._situation
        needed = situation.threat(center) + (center in situation.occupants) + 1
        if self._manner.walks:
            needed = min(needed, _LARGEST_TEAM)
        for unit in range(len(situation.units)):
            if not self._is_free(unit) and self._bears(self._unit_place_after(unit), center):
                needed -= 1
        return max(0, needed)

    def _team(self, center: int, size: int) -> dict[int, int]:
        """Return units and the provinces next to the center to which they go, or in which stay."""
        steps = [
            (value, province, unit)
            for unit in range(len(self._situation.units))
            if self._is_free(unit)
            for value, province in self._steps_beside(unit, center)
        ]
        team: dict[int, int] = {}
        for _, province, unit in sorted(steps, key=lambda step: (-step[0], step[1], -step[2])):
            if len(team) < size and unit not in team and province not in team.values():
                team[unit] = province
        return team

    def _steps_beside(self, unit: int, center: int) -> Iterator[tuple[int, int]]:
        situation = self._situation
        unit_places = situation.unit_places
        here = unit_places.of(situation.units[unit])
        for unit_place in (here, *unit_places.borders[here]):
            province = unit_places.province_of[unit_place]
            if not self._bears(unit_place, center) or province in self._movers:
                continue
            if unit_place == here or (
                self._can_go(unit, province) and province not in situation.occupants
            ):
                yield self._values.values[unit_place], province

    def _bears(self, unit_place: int, center: int) -> bool:
        unit_places = self._situation.unit_places
        return (
            center in unit_places.reach[unit_place] or unit_places.province_of[unit_place] == center
        )

    def _unit_place_after(self, unit: int) -> int:
        """Return where a unit will stand if its order succeeds."""
        order = self._orders.get(unit)
        unit_places = self._situation.unit_places
        if isinstance(order, Move):
            return unit_places.index(order.unit.kind, order.destination)
        return unit_places.of(self._situation.units[unit])

    def _approach(self, unit: int, distances: Sequence[int]) -> None:
        """Let a unit go one step closer where nobody stands and no other of ours goes."""
        situation = self._situation
        unit_places = situation.unit_places
        here = unit_places.of(situation.units[unit])
        for unit_place in unit_places.borders[here]:
            province = unit_places.province_of[unit_place]
            is_open = province not in self._movers and province not in situation.occupants
            if distances[unit_place] < distances[here] and is_open and self._can_go(unit, province):
                self._go(unit, province)
                return

    # --- free units -------------------------------------------------------------------------------

    def _best_step(self, unit: int) -> tuple[int, int]:
        """Return how much better the best neighbour is than the own place, and which it is.

        It may be one to which another unit of ours goes already, if that needs support.
        """
        situation = self._situation
        values = self._values.values
        unit_places = situation.unit_places
        here = unit_places.of(situation.units[unit])
        best, goal = 0, -1
        for unit_place in unit_places.borders[here]:
            province = unit_places.province_of[unit_place]
            gain = values[unit_place] - values[here]
            if gain <= best:
                continue
            if province in self._movers:
                is_open = situation.threat(province) + (province in situation.occupants) > 1
            else:
                is_open = self._can_go(unit, province)
            if is_open:
                best, goal = gain, province
        return best, goal

    def _support(self, unit: int) -> Order | None:
        """Return the support by a unit that stays which helps most."""
        situation = self._situation
        best, order = 0, None
        for province in sorted(situation.reach[unit]):
            threat = situation.threat(province) + (province in situation.occupants)
            other = self._movers.get(province, situation.at.get(province, unit))
            if other == unit or not threat or not self._will_be(other, province):
                continue
            worth = self._price(province) * min(threat, 3)
            if worth > best:
                best, order = worth, situation.support(unit, other, province)
        return order

    def _will_be(self, unit: int, province: int) -> bool:
        """Whether a unit of ours goes to a province, or stays there."""
        stays = self._situation.places[unit] == province and not self._leaves(unit)
        return stays or self._movers.get(province) == unit

    def _can_go(self, unit: int, province: int) -> bool:
        standing = self._situation.at.get(province)
        is_free = standing is None or self._leaves(standing)
        return is_free and self._situation.may_enter(unit, province)

    def _price(self, province: int) -> int:
        unit_places = self._situation.unit_places
        return max(self._values.values[each] for each in unit_places.in_province[province])

    def _is_free(self, unit: int) -> bool:
        return unit not in self._orders and unit not in self._staying

    def _leaves(self, unit: int) -> bool:
        return isinstance(self._orders.get(unit), Move | MoveByConvoy)

    def _go(self, unit: int, province: int) -> None:
        self._order(unit, self._situation.move(unit, province, self._values.values))

    def _order(self, unit: int, order: Order) -> None:
        self._orders[unit] = order
        index = self._situation.unit_places.province_index
        if isinstance(order, Move):
            self._movers.setdefault(index[order.destination.province], unit)
        elif isinstance(order, MoveByConvoy):
            self._movers.setdefault(index[order.destination], unit)
