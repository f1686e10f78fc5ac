"""D-Brane's tactic: secure as many centers as possible in this turn, whatever others do.

After Dave de Jonge's D-Brane. It looks one turn ahead: for each center in reach it lists the battle
plans that no single opponent can stop, and pairs of plans of which one must succeed; it searches
for the largest set of them that can be ordered together and uses what is left over greedily. It
keeps agreements: promised orders, closed provinces, and friends, who are neither attacked nor
expected to attack. Retreats and adjustments follow DumbBot's rules.

`paper` does what the six published steps say and no more. `ours`, the default, prefers the more
valuable of equally many centers, keeps hopeless plans and guards out of a spring, and lets units
that no plan needs walk where DumbBot would want to be.
"""

from collections.abc import Sequence
from time import monotonic

from bots.bot_text import check_range
from bots.dbrane.completing import Completion
from bots.dbrane.manner import VARIANTS, Manner
from bots.dbrane.plans import BattlePlan, BattlePlanner, Doubt, is_invincible_pair
from bots.dbrane.search import Option, Search, option
from bots.dbrane.situation import Situation
from bots.dumbbot.tactic import DumbBot
from bots.dumbbot.value_maps import ValueMap
from bots.strategy import Tactic
from bots.view import GameView
from rules.errors import BadInputError
from rules.orders import Order
from rules.turns import Phase, Season

_SINGLE = 100_000
_PAIR = 101_000
"""The number of centers decides, pairs break ties, and then what the places are worth."""
_LARGEST_PRICE = 900
_SHARE_OF_TIME = 0.8


class DBrane(Tactic):
    """Plays D-Brane's strategic module; `nodes` limits the search of each turn."""

    def __init__(self, variant: str = "ours", *, nodes: int = 400) -> None:
        if variant not in VARIANTS:
            known = ", ".join(VARIANTS)
            raise BadInputError(f"no such variant of dbrane: {variant!r}; choose one of {known}")
        check_range("nodes", nodes, 1)
        self.version = variant
        self._manner = VARIANTS[variant]
        self._nodes = nodes
        self._dumbbot = DumbBot("wide")

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Search in movement turns; otherwise do as DumbBot does."""
        if view.phase is not Phase.MOVEMENT:
            return self._dumbbot.choose_orders(view)
        end = None if view.seconds is None else monotonic() + view.seconds * _SHARE_OF_TIME

        def is_late() -> bool:
            return end is not None and monotonic() > end

        situation = Situation(view)
        planner = BattlePlanner(situation)
        values = self._dumbbot.value_map(view)
        completion = Completion(situation, planner, values, self._manner)
        targets = planner.targets()
        options = _Options(situation, values, self._manner)
        for center in targets:
            if is_late():
                break
            options.add(*planner.plans(center))
        secured: set[int] = set()
        for chosen in Search(self._nodes, is_late).best(options.by_center()):
            secured |= chosen.centers
            for plan in chosen.plans:
                completion.carry_out(plan)
        completion.try_others(center for center in targets if center not in secured)
        if not self._manner.walks:
            completion.march()
        elif view.turn.season is Season.SPRING:
            completion.gather()
        return completion.finish()


class _Options:
    """What the search may choose from."""

    def __init__(self, situation: Situation, values: ValueMap, manner: Manner) -> None:
        self._manner = manner
        self._values = values.values
        self._unit_places = situation.unit_places
        self._largest = max(1, *values.values)
        self._wants_gains_only = manner.looks_ahead and (
            situation.view.turn.season is Season.SPRING
        )
        self._singles: list[BattlePlan] = []
        self._doubts: list[Doubt] = []

    def add(self, secure: Sequence[BattlePlan], doubts: Sequence[Doubt]) -> None:
        """Take the plans for a center.

        Centers change hands in the fall. In spring it is enough to look for gains: a unit that
        would only stand guard is used better.
        """
        self._singles += [plan for plan in secure if plan.gains or not self._wants_gains_only]
        self._doubts += [
            doubt for doubt in doubts if doubt.plan.gains or not self._wants_gains_only
        ]

    def by_center(self) -> dict[int, list[Option]]:
        """Return the options for each center, a pair under both of its centers."""
        found: dict[int, list[Option]] = {}
        for plan in self._singles:
            found.setdefault(plan.center, []).append(option(_SINGLE + self._price(plan), plan))
        for number, first in enumerate(self._doubts):
            for second in self._doubts[number + 1 :]:
                if is_invincible_pair(first, second):
                    price = self._price(first.plan) + self._price(second.plan)
                    pair = option(_PAIR + price, first.plan, second.plan)
                    for plan in pair.plans:
                        found.setdefault(plan.center, []).append(pair)
        return found

    def _price(self, plan: BattlePlan) -> int:
        if not self._manner.prices:
            return 0
        places = self._unit_places.in_province[plan.center]
        best = max(self._values[each] for each in places)
        return max(0, _LARGEST_PRICE * best // self._largest)
