"""What all searchers have in common: they search where units move, within a budget."""

from abc import abstractmethod
from collections.abc import Sequence

from bots.dumbbot.tactic import DumbBot
from bots.search.budget import Budget, Patience
from bots.search.scene import SceneMaker
from bots.strategy import Tactic
from bots.view import GameView
from rules.orders import Order
from rules.turns import Phase


class Searcher(Tactic):
    """Searches in movement turns; DumbBot's rules serve for the others."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._elsewhere = DumbBot("wide")
        self._stage = SceneMaker()

    @property
    def is_repeatable(self) -> bool:
        """Whether the same seed searches alike on every machine, where nobody waits."""
        return self._patience.is_repeatable

    @abstractmethod
    def search(self, view: GameView, budget: Budget) -> Sequence[Order]:
        """Return our orders for a movement turn in which we have units."""

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Search, if there is anything to search for."""
        if view.phase is not Phase.MOVEMENT:
            return self._elsewhere.choose_orders(view)
        return self.search(view, self._patience.start(view.seconds)) if view.units else ()
