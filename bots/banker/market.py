"""The market: supports are goods, and an IOU for a support later is the money.

After Diplomat's idea. A seeker asks everybody who could deliver, and takes the most reliable of
those who agree. An IOU is worth its price, less for who is not reliable and for every turn until it
is used. A promise is broken when that brings more than all that is to be expected of the partner:
what it owes us, and the deals to come.
"""

from collections.abc import Sequence

from bots.banker.banker import bank_policy
from bots.banker.core import Core
from bots.banker.deals import Deal, Request, subject
from bots.banker.negotiator import BankTalk
from bots.banker.policy import Policy
from bots.character import character
from bots.strategy import Bot
from bots.tactician.tactic import Tactician
from bots.view import GameView
from rules.orders import Order, Unit
from rules.places import Power

_DISCOUNT = 0.9
"""What is left of the worth of an IOU after a turn."""
_TURNS_UNTIL_USE = 2
_DEALS_A_YEAR = 2
_USUAL_PRICE = 100.0
"""What a good place is worth, as long as there were no deals."""


def market(  # noqa: PLR0913 - each a trait that the text of a bot can name
    variant: str = "normalised",
    *,
    honesty: float = 1.0,
    orders: bool = True,
    zones: bool = True,
    aggression: float | None = None,
    risk: float | None = None,
    loyalty: float | None = None,
    patience: float | None = None,
) -> Bot:
    """Return a trader; honesty is how often it says so when it leaves a friend."""
    style = character(
        "market", aggression=aggression, risk=risk, loyalty=loyalty, patience=patience
    )
    policy = bank_policy(variant, style, honesty=honesty, orders=orders, zones=zones)
    tactic = Tactician()
    tactic.version = variant
    return Bot(tactic, MarketTalk(tactic, policy))


class MarketTalk(BankTalk):
    """What a trader says and believes."""

    def __init__(self, tactic: Core, policy: Policy | None = None) -> None:
        super().__init__(tactic, policy)
        self._lots: dict[Order, Order] = {}
        """What of ours each support is for that was promised to us."""

    def chosen(self, wanted: Sequence[Request]) -> list[Request]:
        """Offer the best orders of ours to everybody who could help, one lot a unit."""
        lots: dict[Order, list[Request]] = {}
        for request in sorted(wanted, key=lambda one: -one.gain):
            lots.setdefault(request.ours, []).append(request)
        asked: dict[Unit, Request] = {}
        sold: set[Unit] = set()
        for ours, requests in list(lots.items())[: self.policy.asks_in_all]:
            if subject(ours) in sold:
                continue
            sold.add(subject(ours))
            for request in requests:
                asked.setdefault(subject(request.order), request)
        return list(asked.values())

    def taken(self, request: Request, price: float) -> list[Order]:
        """Take the help of the more reliable one if there are two, and let the other go."""
        unwanted = super().taken(request, price)
        rivals = [
            deal
            for deal in self.deals.taken.values()
            if deal.order != request.order and self._lots.get(deal.order) == request.ours
        ]
        self._lots[request.order] = request.ours
        for rival in rivals:
            ours, theirs = (
                self.ledger.account(each).reliability for each in (request.partner, rival.partner)
            )
            loser = request.order if theirs >= ours else rival.order
            self.deals.taken.pop(subject(loser), None)
            unwanted.append(loser)
        return unwanted

    def is_worth_it(self, sender: Power, price: float, cost: float) -> bool:
        """Pay what we owe, and otherwise sell for an IOU that is worth more than the cost."""
        if self.ledger.account(sender).balance >= price:
            return True
        if not self.ledger.can_afford(sender, price):
            return False
        return cost <= self._worth_of_iou(sender, price)

    def means_it(self, view: GameView) -> bool:
        """Mean no promise in advance: `keeps` reckons each time what keeping it costs."""
        del view
        return False

    def keeps(self, deal: Deal, loss: float, worth: float) -> bool:
        """Break a promise only if that brings more than the partner will ever do for us."""
        del worth
        account = self.ledger.account(deal.partner)
        owed = self._worth_of_iou(deal.partner, max(0.0, -account.balance))
        usual = self.ledger.usual_price or _USUAL_PRICE
        # 0.1 is the temptation of a character in the middle.
        coming = _DEALS_A_YEAR * usual * account.reliability * self.policy.temptation / 0.1
        return loss * usual <= owed + coming

    def begin_turn(self, view: GameView) -> None:
        """Clear the lots of the last auction."""
        self._lots.clear()
        super().begin_turn(view)

    def _worth_of_iou(self, debtor: Power, price: float) -> float:
        account = self.ledger.account(debtor)
        return price * account.reliability * _DISCOUNT**_TURNS_UNTIL_USE
