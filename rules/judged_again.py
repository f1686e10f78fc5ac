"""A turn as a record tells it, judged once more: what came of every order, and why.

A record holds the position, the orders and their results; the sentence that explains a result
follows from the first two alone, so it is worked out again instead of being kept.
"""

from collections.abc import Sequence
from typing import Any

from attrs import frozen

from rules.adjudicate import adjudicate
from rules.board import Board
from rules.notation import OrderReader
from rules.orders import Order
from rules.position import Position
from rules.resolution import OrderReport, Resolution


@frozen
class JudgedTurn:
    """The orders of a turn, as they stand in the record, with what the rules say of them."""

    told: Sequence[dict[str, Any]]
    orders: Sequence[Order]
    resolution: Resolution

    @property
    def reports(self) -> list[OrderReport | None]:
        """What came of each order; None for one that the rules pass over."""
        found = {report.order: report for report in self.resolution.reports}
        return [found.get(order) for order in self.orders]

    @property
    def reasons(self) -> list[str]:
        """Why each order came out as it did, in a sentence."""
        return [report.explanation if report else "" for report in self.reports]


def judged_again(board: Board, before: Position, told: Sequence[dict[str, Any]]) -> JudgedTurn:
    """Judge the orders of a recorded turn from the position that it began with."""
    read = OrderReader(board, before).read
    orders = [read(board.power(each["power"]), each["order"]) for each in told]
    given = [order for each, order in zip(told, orders, strict=True) if not each.get("automatic")]
    return JudgedTurn(told, orders, adjudicate(board, before, given, explain=True))
