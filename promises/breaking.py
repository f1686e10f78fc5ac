"""Which orders break which promises.

A peace or an alliance is broken by a move, a retreat, or help for a move, into a province in which
a unit of the partner stands or a center that it owns; help for the partner's own unit breaks
nothing. A demilitarized zone is broken by whoever goes there, builds there or helps somebody in.
"""

from collections.abc import Iterable, Sequence

from grammar.press import Demilitarize
from promises.promise import Kind, Promise
from rules.orders import (
    Build,
    Convoy,
    Move,
    MoveByConvoy,
    Order,
    Retreat,
    SupportMove,
)
from rules.places import Power, Province
from rules.position import Position


def breach(promise: Promise, before: Position, orders: Sequence[Order]) -> Order | None:
    """Return the first of the maker's orders that breaks a lasting promise, None if none does."""
    if promise.kind is Kind.DMZ:
        assert isinstance(promise.arrangement, Demilitarize)
        zone = set(promise.arrangement.provinces)
        return next((order for order in orders if _enters(order) in zone), None)
    (partner,) = promise.to
    theirs = provinces_of(partner, before)
    return next(
        (order for order in orders if _enters(order) in theirs and not _helps(order, partner)), None
    )


def provinces_of(power: Power, position: Position) -> set[Province]:
    """Return the centers that a power owns, and where its units stand."""
    owned = {center for center, owner in position.owners.items() if owner == power}
    return owned | {unit.location.province for unit in position.units if unit.power == power}


def by_power(orders: Iterable[Order]) -> dict[Power, list[Order]]:
    """Sort orders by whose they are; waived builds are left out."""
    found: dict[Power, list[Order]] = {}
    for order in orders:
        if hasattr(order, "unit"):
            found.setdefault(order.unit.power, []).append(order)
    return found


def _enters(order: Order) -> Province | None:
    """Return the province into which an order brings a unit, ours or another one."""
    match order:
        case Move(_, destination) | Retreat(_, destination):
            return destination.province
        case MoveByConvoy(_, province, _) | SupportMove(_, _, province) | Convoy(_, _, province):
            return province
        case Build(unit):
            return unit.location.province
    return None


def _helps(order: Order, partner: Power) -> bool:
    match order:
        case SupportMove(_, helped, _) | Convoy(_, helped, _):
            return helped.power == partner
        # Building breaks no peace: it is at home.
        case Build():
            return True
    return False
