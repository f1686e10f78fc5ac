"""The order deals of one turn: what we have promised, what we were promised, what we have asked."""

from collections.abc import Iterable

from attrs import Factory, define, frozen

from rules.orders import Order, Unit, Waive
from rules.places import Power


@frozen
class Deal:
    """An order that one power gives for the sake of another, and its price."""

    order: Order
    partner: Power
    """To whom we promised it, or who promised it to us."""
    price: float = 0.0
    is_firm: bool = True
    """Whether it will be given whatever comes; a cheat's promise may not be."""


@frozen
class Request:
    """An order that we want of another power, and the order of ours that goes with it."""

    order: Order
    ours: Order
    gain: float
    """What it is worth to us, in the units of the tactic."""

    @property
    def partner(self) -> Power:
        """Whom to ask."""
        return subject(self.order).power


@define
class Deals:
    """The deals of the turn that is talked about."""

    given: dict[Unit, Deal] = Factory(dict)
    """What we have promised, by unit."""
    taken: dict[Unit, Deal] = Factory(dict)
    """What we were promised, by unit."""
    asked: dict[Unit, Request] = Factory(dict)
    """What we have asked for and got no answer to, by the unit that is to help."""
    own: dict[Unit, Order] = Factory(dict)
    """What our units do because they were promised help."""
    told: dict[Unit, Order] = Factory(dict)
    """What others said that they would do of their own accord."""

    @property
    def promised(self) -> tuple[Order, ...]:
        """What we have promised to others and will do."""
        return tuple(deal.order for deal in self.given.values() if deal.is_firm)

    @property
    def doubtful(self) -> tuple[Deal, ...]:
        """What we have promised and may not do."""
        return tuple(deal for deal in self.given.values() if not deal.is_firm)

    @property
    def expected(self) -> tuple[Order, ...]:
        """Orders of others that we count on."""
        units = self.told | {unit: deal.order for unit, deal in self.taken.items()}
        return tuple(units.values())

    def is_bound(self, unit: Unit, order: Order) -> bool:
        """Whether one of our units has promised to do something else."""
        given = self.given.get(unit)
        if given is not None and given.order != order:
            return True
        return self.own.get(unit, order) != order

    def agree(self, request: Request, price: float) -> list[Request]:
        """Note that a request was granted; return what we have asked for in vain because of it."""
        helper, ours = subject(request.order), subject(request.ours)
        self.asked.pop(helper, None)
        self.taken[helper] = Deal(request.order, request.partner, price)
        if ours in self.given:
            return []
        self.own.setdefault(ours, request.ours)
        chosen = self.own[ours]
        idle = [
            each
            for each in self.asked.values()
            if subject(each.ours) == ours and each.ours != chosen
        ]
        for each in idle:
            del self.asked[subject(each.order)]
        return idle

    def is_offered(self, unit: Unit) -> bool:
        """Whether we have asked for help for a unit of ours and wait for the answer."""
        return any(subject(request.ours) == unit for request in self.asked.values())

    def forget_offers_of(self, unit: Unit) -> None:
        """Wait no more for help for a unit that does something else now."""
        self.asked = {
            helper: request
            for helper, request in self.asked.items()
            if subject(request.ours) != unit
        }

    def clear(self) -> None:
        """Begin a turn."""
        for store in (self.given, self.taken, self.asked, self.own, self.told):
            store.clear()


def subject(order: Order) -> Unit:
    """Return the unit that an order is for."""
    assert not isinstance(order, Waive)
    return order.unit


def best_requests(wanted: Iterable[Request], each: int, total: int) -> list[Request]:
    """Return the requests with the largest gain: some for each power, one for each helping unit."""
    chosen: list[Request] = []
    for request in sorted(wanted, key=lambda one: -one.gain):
        is_used = any(subject(one.order) == subject(request.order) for one in chosen)
        asked = sum(one.partner == request.partner for one in chosen)
        if not is_used and asked < each and len(chosen) < total:
            chosen.append(request)
    return chosen
