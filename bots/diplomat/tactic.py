"""Diplomat's tactic: targets on the front, a cluster of units for each, the best plans joined.

After Jaspreet Shaheed's program, whose tactics were plain and whose market was the point.
"""

from collections.abc import Collection, Sequence

from attrs import evolve

from bots.banker.deals import Request
from bots.character import BALANCED, Character
from bots.diplomat.clusters import Clusters, JoinedPlan, SubPlan
from bots.dumbbot.tactic import VARIANTS, DumbBot
from bots.project20m.front import Front
from bots.strategy import Tactic
from bots.view import GameView
from rules.orders import MovementOrder, Order, SupportHold, SupportMove, Unit
from rules.places import Power
from rules.turns import Phase


class Diplomat(Tactic):
    """Joins the best plans of clusters; retreats and adjustments follow DumbBot's values."""

    def __init__(self, *, character: Character = BALANCED) -> None:
        self._character = character
        self._dumbbot = DumbBot("wide", program=evolve(VARIANTS["wide"], removes_by_chance=False))

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Plan in movement turns; otherwise do as DumbBot does."""
        if view.phase is not Phase.MOVEMENT:
            return self._dumbbot.choose_orders(view)
        return self._joined(view)[2].orders()

    def worth(self, view: GameView) -> float:
        """Return what the orders that we would give now are likely to bring."""
        return self._joined(view)[2].worth if view.phase is Phase.MOVEMENT else 0.0

    def loss_of(self, view: GameView, order: MovementOrder) -> float:
        """Return what it costs us if one of our units does this and not what we had in mind."""
        promised = (*view.beliefs.promised, order)
        bound = evolve(view, beliefs=evolve(view.beliefs, promised=promised))
        return self.worth(view) - self.worth(bound)

    def wanted_help(self, view: GameView, powers: Collection[Power]) -> list[Request]:
        """Return which supports of these powers would help us, each with its gain."""
        front, clusters, joined = self._joined(view)
        found = []
        for plan in joined.chosen:
            ours = len(plan.units)
            more = clusters.chance(plan.target, ours + 1) - clusters.chance(plan.target, ours)
            if more <= 0:
                continue
            for foreign in view.position.units:
                help_given = _support(front, foreign, plan)
                if foreign.power in powers and help_given is not None:
                    gain = more * plan.prize
                    found.append(Request(help_given, joined.order_of(plan), gain))
        return found

    def _joined(self, view: GameView) -> tuple[Front, Clusters, JoinedPlan]:
        front = Front(view)
        values = self._dumbbot.value_map(view)
        clusters = Clusters(front, values, self._character.risk)
        return front, clusters, JoinedPlan(front, clusters)


def _support(front: Front, foreign: Unit, plan: SubPlan) -> MovementOrder | None:
    """Return the support that a foreign unit could give a plan, unless against its own power."""
    if plan.target not in front.unit_places.reach[front.unit_places.of(foreign)]:
        return None
    subject = front.units[plan.unit]
    if plan.place == front.places[plan.unit]:
        return SupportHold(foreign, subject)
    occupant = front.occupants.get(plan.target)
    if front.owners.get(plan.target) == foreign.power:
        return None
    if occupant is not None and occupant.power == foreign.power:
        return None
    return SupportMove(foreign, subject, front.unit_places.provinces[plan.target])
