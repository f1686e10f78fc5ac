"""RandomBot: every unit goes anywhere; the floor that any other bot has to beat.

As in the BANDANA framework: a unit draws one of the places it can reach, its own among them. One
that stays supports the first neighbour that an earlier order of ours concerns.
"""

from collections.abc import Sequence

from bots.footings import Footings, footings_of
from bots.strategy import Tactic
from bots.view import GameView
from rules.orders import (
    Build,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from rules.turns import Phase


class RandomBot(Tactic):
    """Plays legally and without any plan."""

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Draw lots."""
        match view.phase:
            case Phase.MOVEMENT:
                return self._moves(view)
            case Phase.RETREAT:
                return [
                    Retreat(out.unit, view.random.choice(out.retreats))
                    if out.retreats
                    else Disband(out.unit)
                    for out in view.dislodged
                ]
            case Phase.ADJUSTMENT if view.adjustment < 0:
                return [Remove(each) for each in view.random.sample(view.units, -view.adjustment)]
            case Phase.ADJUSTMENT:
                return self._builds(view)

    def _moves(self, view: GameView) -> list[Order]:
        footings = footings_of(view.board)
        orders: list[Order] = []
        concerned: dict[int, Order] = {}
        promised = {
            order.unit: order
            for order in view.beliefs.promised
            if isinstance(order, MovementOrder) and order.unit in view.units
        }
        for unit in view.units:
            here = footings.of(unit)
            goal = view.random.choice((*_open_borders(view, footings, here), here))
            if unit in promised:
                order: Order = promised[unit]
            elif goal == here:
                order = _help(unit, footings, concerned) or Hold(unit)
                concerned[footings.province_of[here]] = order
            else:
                order = Move(unit, footings.locations[goal])
                concerned[footings.province_of[goal]] = order
            orders.append(order)
        return orders

    def _builds(self, view: GameView) -> list[Order]:
        footings = footings_of(view.board)
        count = min(view.adjustment, len(view.open_homes))
        orders: list[Order] = []
        for home in view.random.sample(view.open_homes, count):
            footing = view.random.choice(footings.in_home(home))
            unit = Unit(view.power, footings.kinds[footing], footings.locations[footing])
            orders.append(Build(unit))
        return orders + [Waive(view.power)] * (view.adjustment - count)


def _open_borders(view: GameView, footings: Footings, here: int) -> Sequence[int]:
    """Return where a unit may go without entering what is closed to us."""
    closed = view.beliefs.closed
    return [
        each
        for each in footings.borders[here]
        if not closed or footings.locations[each].province not in closed
    ]


def _help(unit: Unit, footings: Footings, concerned: dict[int, Order]) -> Order | None:
    """Support the first neighbouring province in which an earlier order lets a unit be."""
    for province in footings.reach[footings.of(unit)]:
        match concerned.get(province):
            case None:
                continue
            case Move(unit=other):
                return SupportMove(unit, other, footings.provinces[province])
            case Hold(other) | SupportHold(other) | SupportMove(other):
                return SupportHold(unit, other)
    return None
