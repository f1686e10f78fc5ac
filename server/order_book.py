"""The orders of one turn: what each power has ordered, and what it still owes."""

from collections.abc import Iterable, Iterator
from typing import Any

from grammar.messages import Missing
from rules.board import Board
from rules.errors import BadInputError
from rules.legality import DEFERRED, Judge, adjustments_due
from rules.orders import Build, Order, OrderNote, Remove, Unit, Waive
from rules.places import Power
from rules.position import DislodgedUnit, Position
from rules.turns import Phase


class OrderBook:
    """Takes orders for the current turn of a position.

    All tables have an entry for every power, in the order of the board: nothing that comes out
    depends on who was first to order.
    """

    def __init__(self, board: Board, position: Position, *, any_orders: bool = False) -> None:
        self._board = board
        self._position = position
        self._any_orders = any_orders
        # By unit in movement and retreat turns, where a later order replaces an earlier one.
        self._by_unit: dict[Power, dict[Unit, Order]] = {power: {} for power in board.powers}
        # In order of arrival in adjustment turns, where orders add up.
        self._adjustments: dict[Power, list[Order]] = {power: [] for power in board.powers}
        self._judge: Judge | None = None
        """Made when the first orders come."""
        self._due = _units_due(board, position)
        self._counts = _adjustments_due(board, position)
        # How many orders a power still owes: asked after every message, so it is kept.
        self._left = {power: self._number_due(power) for power in board.powers}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made again when it is needed: it holds the kernel."""
        return {**vars(self), "_judge": None}

    def _number_due(self, power: Power) -> int:
        return len(self._due[power]) + abs(self._counts[power])

    def submit(self, power: Power, orders: Iterable[Order]) -> list[OrderNote]:
        """Judge orders one after the other and store those whose note is MBV."""
        if self._judge is None:
            self._judge = Judge(self._board, self._position)
        # Its simulator is shared by all games of the board.
        self._judge.begin_anew()
        return [self._take(self._judge, power, order) for order in orders]

    def _take(self, judge: Judge, power: Power, order: Order) -> OrderNote:
        note = self._judged(judge, power, order)
        if note is OrderNote.MIGHT_BE_VALID:
            self._store(power, order)
        return note

    def _store(self, power: Power, order: Order) -> None:
        # Only orders for units that are due come here, and no more adjustments than are due.
        if isinstance(order, Build | Remove | Waive):
            self._adjustments[power].append(order)
            self._left[power] -= 1
        else:
            ordered = self._by_unit[power]
            if order.unit not in ordered:
                self._left[power] -= 1
            ordered[order.unit] = order

    def _judged(self, judge: Judge, power: Power, order: Order) -> OrderNote:
        try:
            note = judge.judge(order, power, self._adjustments[power])
        except BadInputError:
            # The kernel has no number for a convoy over that many seas.
            return OrderNote.NOT_ADJACENT
        is_deferred = self._any_orders and note in DEFERRED
        return OrderNote.MIGHT_BE_VALID if is_deferred else note

    def cancel(self, power: Power, order: Order) -> bool:
        """Take back one order; False if no identical one is stored."""
        if isinstance(order, Build | Remove | Waive):
            if order not in self._adjustments[power]:
                return False
            self._adjustments[power].remove(order)
        elif self._by_unit[power].get(order.unit) != order:
            return False
        else:
            del self._by_unit[power][order.unit]
        self._left[power] += 1
        return True

    def clear(self, power: Power) -> None:
        """Take back all orders of a power."""
        self._by_unit[power].clear()
        self._adjustments[power].clear()
        self._left[power] = self._number_due(power)

    def is_due(self, power: Power) -> bool:
        """Whether a power has anything to order in this turn."""
        return self._number_due(power) > 0

    def is_complete(self, power: Power) -> bool:
        """Whether a power has ordered everything that it must."""
        return not self._left[power]

    def left(self, power: Power) -> int:
        """Return how many orders of a power are missing."""
        return self._left[power]

    def missing(self, power: Power) -> Missing | None:
        """Return what MIS has to say, None if nothing is missing."""
        if self.is_complete(power):
            return None
        if self._position.turn.phase is Phase.ADJUSTMENT:
            left = self._left[power]
            # The protocol counts removals as positive and builds as negative.
            return Missing((), -left if self._counts[power] > 0 else left)
        ordered = self._by_unit[power]
        units = tuple(
            entry
            for entry in self._due[power]
            if (entry if isinstance(entry, Unit) else entry.unit) not in ordered
        )
        return Missing(units)

    def orders(self) -> Iterator[Order]:
        """Give all stored orders, by power."""
        for orders in self._by_unit.values():
            yield from orders.values()
        for adjustments in self._adjustments.values():
            yield from adjustments


def _units_due(board: Board, position: Position) -> dict[Power, list[Unit | DislodgedUnit]]:
    due: dict[Power, list[Unit | DislodgedUnit]] = {power: [] for power in board.powers}
    if position.turn.phase is Phase.MOVEMENT:
        for unit in position.units:
            due[unit.power].append(unit)
    elif position.turn.phase is Phase.RETREAT:
        for dislodged in position.dislodged:
            due[dislodged.unit.power].append(dislodged)
    return due


def _adjustments_due(board: Board, position: Position) -> dict[Power, int]:
    """Return how many units each power builds (positive) or removes in this turn."""
    is_due = position.turn.phase is Phase.ADJUSTMENT
    due = adjustments_due(position) if is_due else {}
    return {power: due.get(power.name, 0) for power in board.powers}
