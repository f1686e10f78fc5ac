"""Improve a set of orders step by step against guesses of what the others do."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

from bots.banker.deals import Request
from bots.kernel import Foreseen
from bots.tactician.appraisal import Appraiser
from bots.unit_options import UnitOptions
from bots.view import GameView
from rules.kernel import Simulator
from rules.kernel.codes import (
    FINE,
    KIND_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
    mover_of,
    other_of,
    target_of,
)
from rules.kernel.encode import codec_of
from rules.orders import MovementOrder, Order
from rules.places import Power

_PASSES = 3
_TRIAL = 3
"""After so many scenarios a plan that is clearly worse is given up."""
_MARGIN = 1.0
_LEAST_GAIN = 1e-6
_SUPPORTS = (SUPPORT_HOLD, SUPPORT_MOVE)

Change: TypeAlias = tuple[tuple[int, int], ...]
"""Some of our units by number, and their new orders."""


class OrderSearch:
    """Hill climbing over the orders of all our units in one turn, on a simulator of its own."""

    def __init__(
        self,
        view: GameView,
        appraiser: Appraiser,
        scenarios: list[list[int]],
        state: Simulator,
    ) -> None:
        self._view = view
        self._count = len(scenarios)
        self._codec = codec_of(view.board)
        self._province_of = self._codec.tables.province_of
        self._state = self._codec.load_units(view.position, state)
        self._foreseen = Foreseen(state, scenarios)
        self._foreseen.price(appraiser.gains, appraiser.harms, appraiser.preys, appraiser.loss)
        self._movers = [self._codec.mover(unit) for unit in view.units]
        self._fixed = self._promised_codes()
        self._closed = {self._codec.province_index.get(each, -1) for each in view.beliefs.closed}
        provinces = [self._codec.tables.mover_province[mover] for mover in self._movers]
        self._options = [
            UnitOptions(self._state, at, self._movers, self._closed) for at in provinces
        ]
        self._units = {unit.location.province: unit for unit in view.position.units}
        self._best: list[int] = []

    @property
    def worth(self) -> float:
        """What the best plan brings on the average."""
        return self._foreseen.best_total() / self._count

    def orders(self) -> list[Order]:
        """Return the best plan."""
        return [self._order(code) for code in self._best]

    def climb_from(
        self, starts: Iterable[Sequence[int]], is_late: Callable[[], bool] = lambda: False
    ) -> None:
        """Find the best plan from the best of some starts, or what is found until it is late."""
        for start in starts:
            by_mover = {mover_of(code): code for code in start}
            self._try(
                [
                    self._fixed.get(mover, self._options[at].open_to(by_mover.get(mover)))
                    for at, mover in enumerate(self._movers)
                ]
            )
        numbers = [at for at in range(len(self._movers)) if self._is_free(at)]
        tried: set[Change] = set()  # of the best plan as it is now
        for _ in range(_PASSES):
            before = self._foreseen.best_total()
            self._view.random.shuffle(numbers)
            for number in numbers:
                if is_late():
                    return
                for change in self._changes(number):
                    if change in tried:
                        continue
                    tried.add(change)
                    if self._try(self._changed(change)):
                        tried.clear()
            if self._foreseen.best_total() <= before + _LEAST_GAIN:
                break

    def wanted_help(self, powers: Collection[Power]) -> list[Request]:
        """Return what supports by units of these powers would bring us."""
        found: list[Request] = []
        numbers = {mover: at for at, mover in enumerate(self._movers)}
        for unit in self._view.position.units:
            if unit.power not in powers:
                continue
            for code in self._state.legal(self._codec.province_index[unit.location.province]):
                if code & KIND_BITS not in _SUPPORTS:
                    continue
                number = numbers.get(other_of(code))
                ours = None if number is None else self._supported(number, code)
                if number is None or ours is None:
                    continue
                plan = self._changed(((number, ours),))
                gain = self._foreseen.total_with(plan, code) - self._foreseen.best_total()
                if gain > 0:
                    order = self._order(code, unit.power)
                    mean = gain / self._count
                    found.append(Request(order, self._order(ours), mean))
        return found

    def loss_of(self, order: MovementOrder) -> float:
        """Return how much less our plan brings if one of our units does this instead."""
        code = self._codec.code(order)
        number = self._movers.index(mover_of(code))
        total = self._foreseen.total_with(self._changed(((number, code),)), code)
        return (self._foreseen.best_total() - total) / self._count

    def _supported(self, number: int, support: int) -> int | None:
        """Return the order of ours that a support is for, None if we may not give it."""
        current = self._best[number]
        if kind_of(support) == SUPPORT_HOLD:
            return current if kind_of(current) not in (MOVE, MOVE_BY_CONVOY) else None
        goal = target_of(support)
        options = (code for code, place in self._options[number].moves if place == goal)
        wanted = next(options, None)
        return wanted if wanted == current or self._is_free(number) else None

    def _order(self, code: int, power: Power | None = None) -> Order:
        return self._codec.order(code, power or self._view.power, self._units)

    def _promised_codes(self) -> dict[int, int]:
        codes = [
            self._codec.code(order)
            for order in self._view.beliefs.promised
            if isinstance(order, MovementOrder) and order.unit in self._view.units
        ]
        return {mover_of(code): code for code in codes if self._state.note_for(code) == FINE}

    def _is_free(self, number: int) -> bool:
        return self._movers[number] not in self._fixed

    # --- changes ----------------------------------------------------------------------------------

    def _changed(self, change: Change) -> list[int]:
        plan = list(self._best)
        for at, code in change:
            plan[at] = code
        return plan

    def _changes(self, number: int) -> Iterator[Change]:
        """Give what one unit could do otherwise, together with one that helps it."""
        options, mover = self._options[number], self._movers[number]
        yield ((number, options.hold),)
        for code, goal in options.moves:
            yield ((number, code),)
            yield from self._helped(number, code, goal)
        for code in options.holds:
            yield ((number, code),)
        for code in list(self._best):
            if kind_of(code) in (MOVE, MOVE_BY_CONVOY):
                goal = self._province_of[target_of(code)]
                support = options.supports.get((mover_of(code), goal))
                if support is not None:
                    yield ((number, support),)
        for code, goal, sea in options.voyages:
            for at, fleet in enumerate(self._options):
                carry = fleet.convoys.get((mover, goal))
                if carry is not None and fleet.province == sea and self._is_free(at):
                    yield ((number, code), (at, carry))

    def _helped(self, number: int, code: int, goal: int) -> Iterator[Change]:
        key = self._movers[number], goal
        for at, helper in enumerate(self._options):
            support = helper.supports.get(key)
            if support is not None and at != number and self._is_free(at):
                yield ((number, code), (at, support))

    # --- trying -----------------------------------------------------------------------------------

    def _try(self, plan: list[int]) -> bool:
        """Take a plan if it is better than the best so far, and say so."""
        if plan == self._best or not self._foreseen.attempt(plan, _TRIAL, _MARGIN, _LEAST_GAIN):
            return False
        self._best = plan
        return True
