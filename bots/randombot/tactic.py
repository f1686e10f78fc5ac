"""RandomBot: every unit goes anywhere; the floor that any other bot has to beat.

As in the BANDANA framework: a unit draws one of the places it can reach, its own among them. One
that stays supports the first neighbour that an earlier order of ours concerns.
"""

from collections.abc import Sequence

from bots.strategy import Tactic
from bots.unit_places import UnitPlaces, unit_places_of
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
        unit_places = unit_places_of(view.board)
        orders: list[Order] = []
        concerned: dict[int, Order] = {}
        promised = {
            order.unit: order
            for order in view.beliefs.promised
            if isinstance(order, MovementOrder) and order.unit in view.units
        }
        for unit in view.units:
            here = unit_places.of(unit)
            goal = view.random.choice((*_open_borders(view, unit_places, here), here))
            if unit in promised:
                order: Order = promised[unit]
            elif goal == here:
                order = _help(unit, unit_places, concerned) or Hold(unit)
                concerned[unit_places.province_of[here]] = order
            else:
                order = Move(unit, unit_places.locations[goal])
                concerned[unit_places.province_of[goal]] = order
            orders.append(order)
        return orders

    def _builds(self, view: GameView) -> list[Order]:
        unit_places = unit_places_of(view.board)
        count = min(view.adjustment, len(view.open_homes))
        orders: list[Order] = []
        for home in view.random.sample(view.open_homes, count):
            unit_place = view.random.choice(unit_places.in_home(home))
            unit = Unit(
                view.power, unit_places.kinds[unit_place], unit_places.locations[unit_place]
            )
            orders.append(Build(unit))
        return orders + [Waive(view.power)] * (view.adjustment - count)


def _open_borders(view: GameView, unit_places: UnitPlaces, here: int) -> Sequence[int]:
    """Return where a unit may go without entering what is closed to us."""
    closed = view.beliefs.closed
    return [
        each
        for each in unit_places.borders[here]
        if not closed or unit_places.locations[each].province not in closed
    ]


def _help(unit: Unit, unit_places: UnitPlaces, concerned: dict[int, Order]) -> Order | None:
    """Support the first neighbouring province in which an earlier order lets a unit be."""
    for province in unit_places.reach[unit_places.of(unit)]:
        match concerned.get(province):
            case None:
                continue
            case Move(unit=other):
                return SupportMove(unit, other, unit_places.provinces[province])
            case Hold(other) | SupportHold(other) | SupportMove(other):
                return SupportHold(unit, other)
    return None
