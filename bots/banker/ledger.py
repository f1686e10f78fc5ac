"""The bank's books: what each power owes us or we owe it, and how well it keeps its word.

A favour is priced by what it is worth to the power that asks for it. Who does us a favour is
credited with it, who gets one from us is charged, with interest; nobody may owe more than a limit
that depends on how many promises were kept.
"""

from collections import deque
from enum import Enum

from attrs import Factory, define, frozen

from bots.dumbbot.value_maps import Valuation, ValueMap, value_map
from bots.unit_places import UnitPlaces
from rules.orders import Hold, Move, MoveByConvoy, Order, SupportHold, SupportMove, Unit
from rules.places import Power, Province
from rules.position import Position


class Currency(Enum):
    """In what prices are given."""

    NORMALISED = "normalised"
    """A usual move of the power that asks is worth 100."""
    RAW = "raw"
    """The points of the value map as they are."""


@frozen(kw_only=True)
class Terms:
    """The conditions of a bank."""

    currency: Currency = Currency.NORMALISED
    limit: float = 800.0
    """How much a power of the best reputation may owe."""
    interest: float = 0.08
    """What a favour costs on top, charged at once."""
    first_rating: float = 0.8
    """The rating of a power before its first promise to us."""


RAW_TERMS = Terms(currency=Currency.RAW, limit=80_000_000.0)
"""As the Diplominator's bank had it."""


@define
class Account:
    """What we know of one power as a debtor and as a partner."""

    balance: float = 0.0
    """What we owe it; below zero it owes us."""
    made: int = 0
    kept: int = 0
    recent: deque[bool] = Factory(lambda: deque(maxlen=10))
    """Whether the last promises to us were kept."""
    ignored: int = 0
    """How many requests in a row it has not answered."""

    @property
    def reliability(self) -> float:
        """The share of its last promises that it kept, with two doubtful ones added."""
        return (sum(self.recent) + 1) / (len(self.recent) + 2)


class Ledger:
    """The accounts of all powers with us."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._accounts: dict[Power, Account] = {}
        self._sum_of_prices = 0.0
        self._deals = 0

    @property
    def usual_price(self) -> float:
        """The mean price of all deals, 0 before the first one."""
        return self._sum_of_prices / self._deals if self._deals else 0.0

    def account(self, power: Power) -> Account:
        """Return the account of a power, opened when it is first asked for."""
        return self._accounts.setdefault(power, Account())

    def rating(self, power: Power) -> float:
        """Return how far a power can be trusted, from 0 to 1."""
        account = self.account(power)
        return (account.kept + self.terms.first_rating) / (account.made + 1)

    def can_afford(self, power: Power, price: float) -> bool:
        """Whether we give a power a favour of that price."""
        rating = self.rating(power)
        if not rating:
            return False
        return price / rating <= self.account(power).balance + self.terms.limit * rating

    def charge(self, power: Power, price: float) -> None:
        """Note that we have promised a favour."""
        self._note_price(price)
        self.account(power).balance -= price * (1 + self.terms.interest)

    def refund(self, power: Power, price: float) -> None:
        """Take back a charge: the favour will not be done."""
        self.account(power).balance += price * (1 + self.terms.interest)

    def settle(self, power: Power, price: float, *, kept: bool) -> None:
        """Note that a promise to us of that price was kept or broken."""
        self._note_price(price)
        account = self.account(power)
        if kept:
            account.balance += price * self.rating(power)
        account.made += 1
        account.kept += kept
        account.recent.append(kept)

    def _note_price(self, price: float) -> None:
        self._sum_of_prices += price
        self._deals += 1

    def add_interest(self) -> None:
        """Let debts grow, once a year."""
        for account in self._accounts.values():
            if account.balance < 0:
                account.balance *= 1 + self.terms.interest


class Prices:
    """What orders are worth to the powers in one position; value maps are made when needed."""

    def __init__(
        self, unit_places: UnitPlaces, position: Position, valuation: Valuation, terms: Terms
    ) -> None:
        self._unit_places = unit_places
        self._position = position
        self._valuation = valuation
        self._terms = terms
        self._maps: dict[Power, tuple[ValueMap, float]] = {}

    def place(self, power: Power, unit_place: int) -> float:
        """Return what it is worth to a power to have a unit there."""
        values, scale = self._map(power)
        return max(0.0, values.values[unit_place] * scale)

    def province(self, power: Power, unit: Unit, province: Province) -> float:
        """Return what it is worth to a power to have this unit of its own in a province."""
        inside = self._unit_places.in_home(province)
        kinds = self._unit_places.kinds
        return max(
            (self.place(power, each) for each in inside if kinds[each] is unit.kind), default=0.0
        )

    def favour(self, order: Order) -> float:
        """Return what an order is worth to the power whose unit it supports, 0 if to nobody."""
        match order:
            case SupportMove(_, supported, destination):
                chance = self._marginal_chance(supported.power, destination)
                return chance * self.province(supported.power, supported, destination)
            case SupportHold(_, supported):
                province = supported.location.province
                chance = self._marginal_chance(supported.power, province)
                return chance * self.place(supported.power, self._unit_places.of(supported))
        return 0.0

    def wish(self, power: Power, order: Order) -> float:
        """Return what an order is worth to a power that asks for it, whomever it helps."""
        if isinstance(order, SupportMove | SupportHold) and order.supported.power == power:
            return self.favour(order)
        province = where_it_ends(order)
        if province is None:
            return 0.0
        inside = self._unit_places.in_home(province)
        return max((self.place(power, each) for each in inside), default=0.0)

    def usual_place(self, power: Power) -> float:
        """Return what the best place in reach of a unit is worth on the average."""
        _, scale = self._map(power)
        if self._terms.currency is Currency.NORMALISED:
            return 100.0 if scale else 0.0
        return self._mean_best(power, self._map(power)[0])

    def _marginal_chance(self, power: Power, province: Province) -> float:
        """Return by how much one more supporter raises the chance there."""
        values, _ = self._map(power)
        index = self._unit_places.province_index[province]
        ours, theirs = values.strength[index], values.competition[index]
        supporters = min(ours, theirs)
        return success_chance(supporters + 1, theirs) - success_chance(supporters, theirs)

    def _map(self, power: Power) -> tuple[ValueMap, float]:
        found = self._maps.get(power)
        if found is None:
            values = value_map(self._unit_places, self._position, power, self._valuation)
            found = self._maps[power] = values, self._scale(power, values)
        return found

    def _scale(self, power: Power, values: ValueMap) -> float:
        if self._terms.currency is Currency.RAW:
            return 1.0
        mean = self._mean_best(power, values)
        return 100 / mean if mean > 0 else 0.0

    def _mean_best(self, power: Power, values: ValueMap) -> float:
        places = [
            self._unit_places.of(unit) for unit in self._position.units if unit.power == power
        ]
        best = [
            max(values.values[each] for each in (here, *self._unit_places.borders[here]))
            for here in places
        ]
        return sum(best) / len(best) if best else 0.0


def success_chance(ours: int, theirs: int) -> float:
    """Guess how likely so many units prevail over so many others."""
    if ours > theirs:
        return 0.95
    return 0.4 if ours == theirs else 0.1


def where_it_ends(order: Order) -> Province | None:
    """Return the province that an order is about: where a unit goes, is helped to go, or stays."""
    match order:
        case Hold(unit):
            return unit.location.province
        case Move(_, location):
            return location.province
        case MoveByConvoy(_, province) | SupportMove(_, _, province):
            return province
        case SupportHold(_, supported):
            return supported.location.province
    return None
