"""Programs that show what the others may do: what each would order for every power.

Players whom we have never met play more like one of them than like an equilibrium.
"""

from bots.diplomat.tactic import Diplomat
from bots.probable.tactic import Probable
from bots.project20m.tactic import Project20M
from bots.search.budget import Budget
from bots.search.dbrane_candidates import battle_plans, plans_by
from bots.search.proposals import OrderSet
from bots.search.scene import Scene
from bots.strategy import Tactic
from bots.tactician.tactic import Tactician

Plans = dict[int, list[OrderSet]]
"""Order sets of each power."""

NONE, DBRANE, SEVERAL = MODELS = ("none", "dbrane", "several")
MOST_PART = 0.3
"""How much of the budget goes to the plans of all programs at most."""


class Models:
    """D-Brane, and others with it where somebody wants several."""

    def __init__(self) -> None:
        self._kept: tuple[Tactic, ...] = ()

    def dbrane(self, scene: Scene, budget: Budget) -> Plans:
        """Return D-Brane's plans."""
        return {power: [plan] for power, plan in battle_plans(scene, budget).items()}

    def several(self, scene: Scene, budget: Budget) -> Plans:
        """Return the plans of all programs for as many powers as there is time for."""
        if not self._kept:
            self._kept = Tactician(), Probable(), Diplomat()
        found = self.dbrane(scene, budget)
        # Project20M remembers the turn before, which may be one of another game.
        for tactic in (*self._kept, Project20M()):
            for power, plan in plans_by(tactic, scene, budget, MOST_PART).items():
                found.setdefault(power, []).append(plan)
        return found
