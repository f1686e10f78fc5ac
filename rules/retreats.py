"""Adjudicate a retreat turn."""

from collections import Counter
from collections.abc import Iterable

from rules.board import Board
from rules.legality import Judge
from rules.orders import Disband, Order, OrderResult, Retreat, Unit
from rules.places import Province
from rules.position import DislodgedUnit, Position
from rules.resolution import OrderReport

RetreatReports = tuple[list[OrderReport], list[Unit]]


def resolve_retreats(
    board: Board, position: Position, orders: Iterable[Order], *, explain: bool = False
) -> RetreatReports:
    """Return the reports, and the units that found a place.

    Those who meet in a province are destroyed, on whatever coast; who has no order disbands, and
    so does who has an illegal one, with the note as result.
    """
    given: dict[Unit, Retreat | Disband] = {
        order.unit: order for order in orders if isinstance(order, Retreat | Disband)
    }
    arrivals = Counter(
        order.destination.province
        for out in position.dislodged
        if isinstance(order := given.get(out.unit), Retreat) and order.destination in out.retreats
    )
    reports, units = [], []
    judge = Judge(board, position)
    for out in position.dislodged:
        report = report_on(judge, out, given.get(out.unit), arrivals, explain=explain)
        reports.append(report)
        if isinstance(report.order, Retreat) and report.result is OrderResult.SUCCEEDED:
            units.append(Unit(out.unit.power, out.unit.kind, report.order.destination))
    return reports, units


def report_on(
    judge: Judge,
    out: DislodgedUnit,
    order: Retreat | Disband | None,
    arrivals: Counter[Province],
    *,
    explain: bool,
) -> OrderReport:
    """Return the report on one dislodged unit."""
    if order is None:
        text = "disbanded: it had no order" if explain else ""
        return OrderReport(
            Disband(out.unit), OrderResult.SUCCEEDED, automatic=True, explanation=text
        )
    if isinstance(order, Disband):
        return OrderReport(order, OrderResult.SUCCEEDED, explanation="disbanded" if explain else "")
    if order.destination not in out.retreats:
        text = f"disbanded: it may not retreat to {order.destination}" if explain else ""
        return OrderReport(order, judge.closed_retreat(order), explanation=text)
    goal = order.destination.province
    if arrivals[goal] > 1:
        text = f"destroyed: {arrivals[goal]} units retreated to {goal.title}" if explain else ""
        return OrderReport(order, OrderResult.BOUNCED, explanation=text)
    text = f"retreated to {goal.title}" if explain else ""
    return OrderReport(order, OrderResult.SUCCEEDED, explanation=text)
