"""Project20M's tactic: DumbBot's values, single wishes, and coordination on top.

After the program of Huff and others (Imperial College, 2006), which won three times as often as
DumbBot with nearly the same values. What foreign units could do for its orders is kept as a wanted
list, ready to be proposed.
"""

from collections.abc import Collection, Sequence

from attrs import evolve

from bots.banker.deals import Request
from bots.dumbbot.tactic import VARIANTS, DumbBot
from bots.project20m.coordination import Coordination, Wanted
from bots.project20m.front import Front
from bots.project20m.values import place_values
from bots.project20m.wishes import Wish, wishes_of
from bots.strategy import Tactic
from bots.view import GameView
from rules.orders import Order
from rules.places import Power
from rules.turns import Phase, Turn

_SECOND_BEST = 0.1
"""How often a unit whose best wish is that of the last turn takes its next one."""


class Project20M(Tactic):
    """Plays by wishes and coordination; retreats and adjustments follow DumbBot's values."""

    def __init__(self) -> None:
        self._dumbbot = DumbBot("wide", program=evolve(VARIANTS["wide"], removes_by_chance=False))
        self._turn: Turn | None = None
        self._best: dict[int, int] = {}
        """The best place in this turn for the unit at each place."""
        self._best_before: dict[int, int] = {}
        """The same in the movement turn before."""

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Coordinate in movement turns; otherwise do as DumbBot does."""
        if view.phase is not Phase.MOVEMENT:
            return self._dumbbot.choose_orders(view)
        return self._coordinated(view)[0]

    def wanted_help(self, view: GameView, powers: Collection[Power]) -> list[Request]:
        """Return which supports of these powers our orders lack, each with its worth."""
        wanted = self._coordinated(view)[1]
        scale = max((each.gain for each in wanted), default=1.0) or 1.0
        return [
            Request(each.order, each.ours, each.gain / scale)
            for each in wanted
            if each.order.unit.power in powers
        ]

    def _coordinated(self, view: GameView) -> tuple[list[Order], list[Wanted]]:
        front = Front(view)
        values = place_values(view, front.threatened)
        wishes = [wishes_of(front, values, unit) for unit in range(len(front.units))]
        self._vary(view, front, wishes)
        coordination = Coordination(front, values, wishes)
        return coordination.orders(), coordination.wanted()

    def _vary(self, view: GameView, front: Front, wishes: list[list[Wish]]) -> None:
        """Do not run against the same wall for ever."""
        if view.turn != self._turn:
            self._turn, self._best_before = view.turn, self._best
        last = self._best_before
        self._best = {here: each[0].place for here, each in zip(front.places, wishes, strict=True)}
        for here, each in zip(front.places, wishes, strict=True):
            is_old = each[0].place == last.get(here, here)
            if is_old and each[0].place != here and view.random.random() < _SECOND_BEST:
                del each[0]
