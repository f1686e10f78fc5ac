"""What a banker asks of a tactic: it talks, and leaves the map to others."""

from collections.abc import Collection, Sequence
from typing import Protocol

from bots.banker.deals import Request
from bots.view import GameView
from rules.orders import MovementOrder, Order
from rules.places import Power


class Core(Protocol):
    """A tactic that can say what orders are worth, all in units of a good place for a unit."""

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Return our orders for this turn."""

    def worth(self, view: GameView) -> float:
        """Return what the orders that we would give now are likely to bring."""

    def loss_of(self, view: GameView, order: MovementOrder) -> float:
        """Return what it costs us if one of our units does this and not what we had in mind."""

    def wanted_help(self, view: GameView, powers: Collection[Power]) -> list[Request]:
        """Return which supports of these powers would help us, each with its gain."""
