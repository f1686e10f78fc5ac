"""What is behind a banker's talk: its books, its friends and its grudges, turn by turn."""

from collections.abc import Sequence

from bots.banker.core import Core
from bots.banker.deals import Deal, Deals, Request, best_requests
from bots.banker.ledger import Ledger, Prices
from bots.banker.policy import Policy
from bots.banker.relations import next_victim
from bots.dumbbot.tactic import VARIANTS as DUMBBOTS
from bots.peace_talks import PeaceTalks, others
from bots.unit_places import unit_places_of
from bots.view import GameView
from grammar.press import Alliance, Demilitarize, GiveOrder, Peace
from promises.promise import Kind, Promise, Verdict
from rules.orders import Order
from rules.places import Power, Province
from rules.turns import Phase, Season

_VALUATION = DUMBBOTS["wide"].valuation
LASTING = (Kind.PEACE, Kind.ALLIANCE, Kind.DMZ)
"""What holds until somebody ends it."""


class Banking(PeaceTalks):
    """What a banker knows and is bound to, and how it decides what a favour is worth."""

    def __init__(self, tactic: Core, policy: Policy | None = None) -> None:
        super().__init__()
        self.policy = policy or Policy()
        self.ledger = Ledger(self.policy.terms)
        self.deals = Deals()
        self.partners: set[Power] = set()
        """Powers that talk about orders and zones as we do."""
        self.zones: dict[Power, set[Province]] = {}
        """What we and another power keep out of."""
        self.pacts: dict[Power, set[Power]] = {}
        """Whom we are allied against, and with whom."""
        self._tactic = tactic
        self._vocabulary: dict[Power, frozenset[str]] = {}
        self._grudges: dict[Power, int] = {}
        """With whom there is no peace until that year."""
        self._refused: dict[Power, int] = {}
        """In which year a power refused peace last."""
        self._wooed: list[Power] = []
        """To whom we have proposed peace in this turn."""
        self._betrayed: set[Power] = set()
        """Whom we do not tell that peace is over."""
        self._undecided: list[int] = []
        """The places in the promise book of what was open when we last looked."""
        self._promises_seen = 0
        self._prices: Prices | None = None
        self._draws = self.policy.draws.watch()

    # --- for other styles -------------------------------------------------------------------------

    def chosen(self, wanted: Sequence[Request]) -> list[Request]:
        """Return what we ask for of all that would help us."""
        return best_requests(wanted, self.policy.asks_each, self.policy.asks_in_all)

    def taken(self, request: Request, price: float) -> list[Order]:
        """Note that a request was granted; return the orders that we want no more."""
        return [each.order for each in self.deals.agree(request, price)]

    def is_worth_it(self, sender: Power, price: float, cost: float) -> bool:
        """Whether we do a favour of that price, which costs us so much: never at a loss."""
        return cost <= price and self.ledger.can_afford(sender, price)

    def means_it(self, view: GameView) -> bool:
        """Whether we will keep a promise whatever comes."""
        return view.random.random() < self.policy.honesty

    def gives_notice(self, view: GameView) -> bool:
        """Whether we say so when we leave a friend."""
        return view.random.random() < self.policy.honesty

    def keeps(self, deal: Deal, loss: float, worth: float) -> bool:
        """Whether we keep a promise that we did not mean, seeing what it costs of a turn's worth.

        Both are in the units of the tactic.
        """
        del deal
        return loss <= self.policy.temptation * abs(worth)

    # --- a new turn -------------------------------------------------------------------------------

    def begin_turn(self, view: GameView) -> None:
        """Settle the deals of the last movement turn, and see who is still a friend."""
        self._draws.note(view)
        self._prices = None
        self._read_book(view)
        if view.phase is not Phase.MOVEMENT:
            return
        self.deals.clear()
        self._wooed = []
        self.friends &= set(others(view))
        self._clear_trespassers(view)
        if view.turn.season is Season.SPRING:
            self.ledger.add_interest()
            self._look_for_victim(view)

    def _read_book(self, view: GameView) -> None:
        """See in the promise book who has kept what they promised us, and who has not."""
        promises = view.book.promises
        self._undecided += range(self._promises_seen, len(promises))
        self._promises_seen = len(promises)
        decided = [at for at in self._undecided if promises[at].verdict is not Verdict.OPEN]
        self._undecided = [at for at in self._undecided if at not in decided]
        for at in decided:
            if view.power in promises[at].to:
                self._settle(view, promises[at])

    def _settle(self, view: GameView, promise: Promise) -> None:
        is_kept = promise.verdict is Verdict.KEPT
        match promise.arrangement:
            case GiveOrder(order) if promise.verdict is not Verdict.VOID:
                deal = next(
                    (each for each in self.deals.taken.values() if each.order == order), None
                )
                price = deal.price if deal else 0.0
                self.ledger.settle(promise.maker, price, kept=is_kept)
            case Peace() | Alliance() | Demilitarize() if promise.verdict is Verdict.BROKEN:
                self._end(promise.maker, view.turn.year + self.policy.manners.grudge)

    def _clear_trespassers(self, view: GameView) -> None:
        """End the peace with who stands in a center of ours."""
        ours = set(view.centers[view.power])
        for unit in view.position.units:
            if unit.power in self.friends and unit.location.province in ours:
                self._leave(view, unit.power)

    def _look_for_victim(self, view: GameView) -> None:
        victim = next_victim(view, self.friends, self.partners, self.policy.manners)
        if victim is not None:
            self._leave(view, victim)

    def _leave(self, view: GameView, power: Power) -> None:
        """End a peace ourselves; a cheat gives no notice."""
        self._end(power, view.turn.year + self.policy.manners.grudge)
        if not self.gives_notice(view):
            self._betrayed.add(power)

    def _end(self, power: Power, until: int) -> None:
        """Be at peace with a power no more, nor bound by anything agreed with it."""
        self.friends.discard(power)
        self.zones.pop(power, None)
        for allies in self.pacts.values():
            allies.discard(power)
        self._grudges[power] = until

    # --- peace ------------------------------------------------------------------------------------

    def accepts_peace(self, view: GameView, sender: Power, powers: frozenset[Power]) -> bool:
        """Agree with everybody against whom we bear no grudge."""
        partners = powers - {view.power}
        if sender not in powers or not partners <= set(view.survivors):
            return False
        return not any(self._has_grudge(view, each) for each in partners)

    def make_peace(self, view: GameView, power: Power) -> None:
        """Take a friend, but nobody against whom we bear a grudge by now."""
        if not self._has_grudge(view, power):
            super().make_peace(view, power)
            self._betrayed.discard(power)

    def end_peace(self, view: GameView, power: Power) -> bool:
        """Believe who says that the peace is over."""
        self._end(power, view.turn.year)
        return True

    def _has_grudge(self, view: GameView, power: Power) -> bool:
        return view.turn.year < self._grudges.get(power, view.turn.year)

    # --- small questions --------------------------------------------------------------------------

    def _zone_provinces(self) -> set[Province]:
        return set().union(*self.zones.values())

    def _friends_who_know(self, view: GameView, word: str) -> list[Power]:
        if view.level < 20:
            return []
        return [
            power for power in others(view) if power in self.friends and self._knows(power, word)
        ]

    def _knows(self, power: Power, word: str) -> bool:
        if power in self.deaf:
            return False
        return power not in self._vocabulary or word in self._vocabulary[power]

    def _price_list(self, view: GameView) -> Prices:
        if self._prices is None:
            unit_places = unit_places_of(view.board)
            self._prices = Prices(unit_places, view.position, _VALUATION, self.policy.terms)
        return self._prices
