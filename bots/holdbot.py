"""HoldBot: every unit holds; the smallest bot there can be."""

from collections.abc import Sequence

from bots.strategy import Tactic
from bots.view import GameView
from rules.orders import Order


class HoldBot(Tactic):
    """Leaves everything to the framework: units hold, dislodged ones disband, builds are waived."""

    def choose_orders(self, view: GameView) -> Sequence[Order]:  # noqa: ARG002 - it does not look
        """Order nothing."""
        return ()
