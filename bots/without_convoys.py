"""Any tactic without its convoys, for games with programs that break at one.

D-Brane and its relatives know neither CVY nor CTO: a convoy in an ORD ends them. No rule forbids
convoys, and nobody could tell the other players of one; what our own bots order is ours to say.
"""

from collections.abc import Sequence

from bots.strategy import Bot, Tactic
from bots.view import GameView
from rules.orders import Convoy, MoveByConvoy, Order


class WithoutConvoys(Tactic):
    """Gives the orders of another tactic; units that would take part in a convoy hold."""

    def __init__(self, tactic: Tactic) -> None:
        self._tactic = tactic
        self.version = tactic.version

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Leave out what convoys and what is convoyed."""
        orders = self._tactic.choose_orders(view)
        return [order for order in orders if not isinstance(order, Convoy | MoveByConvoy)]


def without_convoys(bot: Bot) -> Bot:
    """Return a bot that says the same and never convoys."""
    return Bot(WithoutConvoys(bot.tactic), bot.negotiator)
