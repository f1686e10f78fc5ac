"""DumbBot's movement turn: one unit after the other finds its place."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from attrs import frozen

from bots.dumbbot.value_maps import ValueMap
from bots.dumbbot.weighted_choice import (
    PLAY_ALTERNATIVE,
    Chance,
    exact_chance,
    rounded_chance,
    wrapping_chance,
)
from bots.kernel import Draws
from bots.kernel.deeds import GO, STAY
from bots.kernel.draws import EXACT, HELP_GO, HELP_STAY, ROUNDED, WRAPPING
from bots.unit_places import UnitPlaces
from bots.view import GameView
from rules.kernel.encode import codec_of
from rules.orders import Hold, Move, Order, SupportHold, SupportMove

T = TypeVar("T")


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
    """Finds the orders of one turn; each plan is drawn anew from the same options."""

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
        self._units = sorted(view.units, key=unit_places.of)
        places = [unit_places.of(unit) for unit in self._units]
        borders = [unit_places.borders[place] for place in places]
        self._draws = Draws(places, borders, unit_places.province_of)
        self._draws.set_habits(
            _ARITHMETICS[chance],
            habits.play_alternative,
            habits.most_faced_alone,
            int(habits.shuffles),
        )
        self._promised: dict[int, Order] = {}
        self._keep_promises()
        closed = [
            unit_places.province_index[province]
            for province in view.beliefs.closed
            if province in unit_places.province_index
        ]
        competition = self._faced(values.competition)
        self._draws.value(values.values, competition, closed, habits.stay_bonus)
        self._made: dict[tuple[int, int, int, int], Order] = {}
        """Orders by unit and what the kernel says of them: they come up again and again."""

    def plan(self) -> Sequence[Order]:
        """Draw an order for every unit."""
        return self.plans(1)[0]

    def plans(self, count: int) -> list[list[Order]]:
        """Draw several plans, one after the other."""
        return [
            [self._order(unit, *told) for unit, told in enumerate(drawn)]
            for drawn in self._drawn(count, self._draws.planned)
        ]

    def planned_codes(self, count: int, *, goes_on: bool = True) -> list[list[int]]:
        """Draw several plans and return the codes of their orders.

        Unless the view's chances go on from there, nobody may draw with them again.
        """
        codec, places = codec_of(self._view.board), self._unit_places
        promised = [0] * len(self._units)
        for unit, order in self._promised.items():
            promised[unit] = codec.code(order)
        armies = len(places.provinces)
        return self._drawn(
            count,
            lambda: self._draws.planned_codes(places.movers, armies, promised),
            goes_on=goes_on,
        )

    def _drawn(
        self, count: int, told: Callable[[], list[T]], *, goes_on: bool = True
    ) -> list[list[T]]:
        """Draw with the chances of the view."""
        version, state, following = self._view.random.getstate()
        self._draws.take_chances(state)
        drawn = []
        for _ in range(count):
            self._draws.plan()
            drawn.append(told())
        if goes_on:
            self._view.random.setstate((version, self._draws.chances(), following))
        return drawn

    def _order(self, unit: int, kind: int, first: int, second: int) -> Order:
        key = unit, kind, first, second
        order = self._made.get(key)
        if order is None:
            order = self._made[key] = self._make(unit, kind, first, second)
        return order

    def _make(self, unit: int, kind: int, first: int, second: int) -> Order:
        subject = self._units[unit]
        if kind == STAY:
            return Hold(subject)
        if kind == GO:
            return Move(subject, self._unit_places.locations[first])
        if kind == HELP_STAY:
            return SupportHold(subject, self._units[first])
        if kind == HELP_GO:
            return SupportMove(subject, self._units[first], self._unit_places.provinces[second])
        return self._promised[unit]

    def _faced(self, competition: list[int]) -> list[int]:
        """Return the competition in each province less the support that others promised us."""
        left = list(competition)
        for province, count in self._view.promised_help.items():
            at = self._unit_places.province_index.get(province)
            if at is not None:
                left[at] = max(0, left[at] - count)
        return left

    def _keep_promises(self) -> None:
        """Give the orders that our negotiator has promised, before all others."""
        numbers = {unit: number for number, unit in enumerate(self._units)}
        for order in self._view.beliefs.promised:
            unit = numbers.get(order.unit) if isinstance(order, _MOVEMENT_ORDERS) else None
            if unit is None:
                continue
            self._promised[unit] = order
            goal = -1
            if isinstance(order, Move):
                goal = self._unit_places.province_index[order.destination.province]
            self._draws.set_promise(unit, goal)


_MOVEMENT_ORDERS = (Hold, Move, SupportHold, SupportMove)
_ARITHMETICS: dict[Chance, int] = {
    wrapping_chance: WRAPPING,
    exact_chance: EXACT,
    rounded_chance: ROUNDED,
}
