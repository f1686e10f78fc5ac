"""Adjudicate an adjustment turn: builds, waives, removals, and what the rules add."""

from collections.abc import Iterable, Sequence

from rules.board import Board
from rules.kernel.encode import codec_of
from rules.legality import Judge
from rules.orders import (
    Build,
    Order,
    OrderNote,
    OrderResult,
    Remove,
    Unit,
    UnitKind,
    Waive,
    power_of,
)
from rules.places import Power
from rules.position import Position
from rules.resolution import OrderReport

DONE = OrderResult.SUCCEEDED


def resolve_adjustments(
    board: Board, position: Position, orders: Iterable[Order], *, explain: bool = False
) -> tuple[list[OrderReport], list[Unit]]:
    """Return the reports, and the units after all is done.

    Orders that are not legal are passed over, so the first ones count (DATC 4.D.4, 4.D.6).
    """
    units = set(position.units)
    judge = Judge(board, position)
    accepted = accept(judge, orders)
    reports = []
    for power in board.powers:
        given = accepted.get(power, [])
        added = missing_orders(judge, power, given)
        for order in (*given, *added):
            if isinstance(order, Build):
                units.add(order.unit)
            elif isinstance(order, Remove):
                units.discard(order.unit)
        reports += [OrderReport(order, DONE, explanation=text(order, explain)) for order in given]
        reports += [
            OrderReport(order, DONE, automatic=True, explanation=text(order, explain))
            for order in added
        ]
    return reports, list(units)


def accept(judge: Judge, orders: Iterable[Order]) -> dict[Power, list[Order]]:
    """Return each power's legal orders."""
    accepted: dict[Power, list[Order]] = {}
    for order in orders:
        if isinstance(order, Build | Remove | Waive):
            power = power_of(order)
            earlier = accepted.setdefault(power, [])
            if judge.judge(order, power, earlier) is OrderNote.MIGHT_BE_VALID:
                earlier.append(order)
    return accepted


def missing_orders(judge: Judge, power: Power, given: Sequence[Order]) -> list[Order]:
    """Return the waives or removals that the power owes."""
    due = judge.due.get(power.name, 0)
    if due >= 0:
        return [Waive(power)] * (due - len(given))
    removed = {order.unit for order in given if isinstance(order, Remove)}
    units = judge.position.units
    left = [unit for unit in units if unit.power.name == power.name and unit not in removed]
    owed = -due - len(given)
    return [Remove(unit) for unit in sorted(left, key=RemovalKey(judge.board, power))[:owed]]


class RemovalKey:
    """Sort key for removals: far from home first, then fleets, then by the alphabet."""

    def __init__(self, board: Board, power: Power) -> None:
        codec = codec_of(board)
        self._index = codec.province_index
        first = codec.power_index[power] * len(codec.provinces)
        self._distances = codec.tables.distance[first : first + len(codec.provinces)]

    def __call__(self, unit: Unit) -> tuple[int, bool, str]:
        """Return the key of one unit."""
        province = unit.location.province
        return -self._distances[self._index[province]], unit.kind is UnitKind.ARMY, province.name


def text(order: Order, explain: bool) -> str:  # noqa: FBT001 - a switch passed through
    """Say what was done."""
    if not explain:
        return ""
    if isinstance(order, Waive):
        return f"{order.power.title} does without a build"
    verb = "built" if isinstance(order, Build) else "removed"
    return f"{verb} in {order.unit.location.province.title}"
