"""Make a strategy's orders into a set that a server takes: legal, and with nothing missing."""

from collections.abc import Iterable

from attrs import frozen

from bots.view import GameView
from rules.adjustments import missing_orders
from rules.legality import Judge
from rules.orders import Disband, Hold, Order, OrderNote, Unit, Waive
from rules.turns import Phase


@frozen
class Completed:
    """Orders to submit, and what was left out of those that were wanted."""

    orders: tuple[Order, ...]
    refused: tuple[tuple[Order, OrderNote], ...] = ()


def complete(view: GameView, wanted: Iterable[Order]) -> Completed:
    """Keep the legal ones of the wanted orders and add a harmless one wherever one is missing."""
    judge = Judge(view.board, view.position)
    accepted: list[Order] = []
    refused: list[tuple[Order, OrderNote]] = []
    for order in wanted:
        note = judge.judge(order, view.power, accepted)
        if note is OrderNote.MIGHT_BE_VALID:
            accepted.append(order)
        else:
            refused.append((order, note))
    if view.phase is Phase.ADJUSTMENT:
        accepted += missing_orders(judge, view.power, accepted)
        return Completed(tuple(accepted), tuple(refused))
    # A later order for a unit replaces an earlier one, as it would at the server.
    by_unit = {order.unit: order for order in accepted if not isinstance(order, Waive)}
    orders = tuple(by_unit.get(unit) or harmless_order(view, unit) for unit in units_due(view))
    return Completed(orders, tuple(refused))


def units_due(view: GameView) -> tuple[Unit, ...]:
    """Return our units that need an order in a movement or retreat turn."""
    if view.phase is Phase.MOVEMENT:
        return view.units
    return tuple(out.unit for out in view.dislodged)


def harmless_order(view: GameView, unit: Unit) -> Order:
    """Return what a unit does without an idea: hold, or disband when it is dislodged."""
    return Hold(unit) if view.phase is Phase.MOVEMENT else Disband(unit)
