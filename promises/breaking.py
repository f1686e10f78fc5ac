"""Which orders break which promises.

A peace or an alliance is broken by a move, a retreat, or help for a move, into a province in which
a unit of the partner stands or a center that it owns; help for the partner's own unit breaks
nothing. A demilitarized zone is broken by whoever goes there, builds there or helps somebody in.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from attrs import frozen

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
    power_of,
)
from rules.places import Power, Province


@frozen
class Entry:
    """An order that brings a unit into a province."""

    province: Province
    order: Order
    helped: Power | None
    """Whose unit it helps in; None if the unit is the one that is ordered."""


def breach(
    promise: Promise, entries: Sequence[Entry], held: Mapping[Power, Collection[Province]]
) -> Order | None:
    """Return the first of the maker's orders that breaks a lasting promise, None if none does."""
    if promise.kind is Kind.DMZ:
        assert isinstance(promise.arrangement, Demilitarize)
        zone = promise.arrangement.provinces
        return next((each.order for each in entries if each.province in zone), None)
    (partner,) = promise.to
    theirs = held.get(partner, ())
    for each in entries:
        # Building breaks no peace: it is at home.
        is_hostile = each.helped != partner and not isinstance(each.order, Build)
        if is_hostile and each.province in theirs:
            return each.order
    return None


def entries_in(orders: Iterable[Order]) -> list[Entry]:
    """Return which of the orders bring a unit into a province."""
    found = []
    for order in orders:
        match order:
            case Move(_, destination) | Retreat(_, destination):
                found.append(Entry(destination.province, order, None))
            case MoveByConvoy(_, province, _):
                found.append(Entry(province, order, None))
            case SupportMove(_, helped, province) | Convoy(_, helped, province):
                found.append(Entry(province, order, helped.power))
            case Build(unit):
                found.append(Entry(unit.location.province, order, None))
    return found


def by_power(orders: Iterable[Order]) -> dict[Power, list[Order]]:
    """Sort orders by whose they are."""
    found: dict[Power, list[Order]] = {}
    for order in orders:
        found.setdefault(power_of(order), []).append(order)
    return found
