"""RandomBot's talk: random deals about orders and demilitarized zones, as in the BANDANA framework.

It proposes any deal to anybody, accepts what it is offered with a probability of one half, and then
does as agreed. Nothing is believed, and nothing is remembered beyond the turn but peace.
"""

from collections.abc import Sequence

from bots.banker.relations import provinces_of
from bots.peace_talks import others
from bots.randombot.tactic import RandomBot
from bots.strategy import Bot, Negotiator
from bots.view import Beliefs, GameView
from grammar.messages import PressReceived, SendPress
from grammar.press import (
    Accept,
    Arrangement,
    Decline,
    Demilitarize,
    GiveOrder,
    Peace,
    Propose,
    Refuse,
)
from rules.legal_orders import legal_orders
from rules.legality import judge_order
from rules.orders import MovementOrder, Order, OrderNote, Unit
from rules.places import Power, Province
from rules.turns import Phase, Turn

_DEALS = 2
"""How many deals are offered in a turn."""
_AGREES = 0.5
_ORDER_LEVEL = 20


def randombot() -> Bot:
    """Return a RandomBot that talks where orders may be talked about."""
    return Bot(RandomBot(), RandomOffers())


class RandomOffers(Negotiator):
    """Offers and accepts by lot, and obeys."""

    words = (
        *("PRP", "PCE", "ALY", "VSS", "DRW", "SLO", "NOT", "NAR", "XDO", "DMZ"),
        *("YES", "REJ", "BWX", "CCL", "FCT"),
    )

    def __init__(self) -> None:
        self._turn: Turn | None = None
        self._promised: dict[Unit, Order] = {}
        self._closed: set[Province] = set()
        self._friends: set[Power] = set()

    def open_turn(self, view: GameView) -> Sequence[SendPress]:
        """Offer some deals to somebody."""
        self._notice(view)
        if view.phase is not Phase.MOVEMENT or view.level < _ORDER_LEVEL:
            return ()
        return [self._offer(view, power) for power in self._listeners(view)]

    def on_press(self, view: GameView, received: PressReceived) -> Sequence[SendPress]:
        """Accept one half of what concerns us and can be done."""
        self._notice(view)
        sender = received.sender
        match received.press:
            case Propose(arrangement):
                verdict = self._verdict(view, sender, arrangement)
                return [SendPress((sender,), verdict(received.press))]
            case Accept(Propose(Demilitarize(powers, provinces))) if view.power in powers:
                self._closed.update(provinces)
        return ()

    def beliefs(self, view: GameView) -> Beliefs:
        """Tell the tactic what was agreed."""
        self._notice(view)
        friends = [power for power in others(view) if power in self._friends]
        return Beliefs(
            promised=tuple(self._promised.values()),
            closed=frozenset(self._closed | provinces_of(friends, view)),
        )

    def _notice(self, view: GameView) -> None:
        if view.turn != self._turn:
            self._turn = view.turn
            self._promised.clear()
            self._closed.clear()

    def _listeners(self, view: GameView) -> list[Power]:
        possible = others(view)
        return view.random.sample(possible, min(_DEALS, len(possible)))

    def _offer(self, view: GameView, power: Power) -> SendPress:
        chance = view.random
        legal = legal_orders(view.board, view.position, power)
        arrangement: Arrangement
        if legal and chance.random() < _AGREES:
            orders = legal[chance.choice(list(legal))]
            arrangement = GiveOrder(chance.choice(orders))
        else:
            arrangement = Demilitarize((view.power, power), (chance.choice(view.board.provinces),))
        return SendPress((power,), Propose(arrangement))

    def _verdict(
        self, view: GameView, sender: Power, arrangement: Arrangement
    ) -> type[Accept | Refuse | Decline]:
        is_willing = view.random.random() < _AGREES
        match arrangement:
            case Peace(powers) | Demilitarize(powers) if view.power not in powers:
                return Decline
            case GiveOrder(order) if not self._is_ours(view, order):
                return Decline
            case Peace() if is_willing:
                self._friends.add(sender)
                return Accept
            case Demilitarize(_, provinces) if is_willing:
                self._closed.update(provinces)
                return Accept
            case GiveOrder(order) if is_willing and self._can_do(view, order):
                return Accept
        return Refuse

    def _is_ours(self, view: GameView, order: Order) -> bool:
        return isinstance(order, MovementOrder) and order.unit.power == view.power

    def _can_do(self, view: GameView, order: Order) -> bool:
        """Take an order if it is legal and its unit has promised nothing else."""
        if not isinstance(order, MovementOrder) or view.phase is not Phase.MOVEMENT:
            return False
        note = judge_order(view.board, view.position, order, view.power)
        if note is not OrderNote.MIGHT_BE_VALID:
            return False
        return self._promised.setdefault(order.unit, order) == order
