"""What D-Brane would do in the place of each power: order sets that are hard to stop."""

from math import isinf
from random import Random

from attrs import evolve

from bots.dbrane.tactic import DBrane
from bots.search.budget import Budget
from bots.search.proposals import OrderSet
from bots.search.scene import Scene
from bots.strategy import Tactic
from bots.view import Beliefs
from rules.kernel.codes import mover_of

NODES = 60
"""How far it searches; more makes little difference to what it finds first."""


MOST_PART = 0.2
"""How much of the budget goes to plans at most."""


def battle_plans(scene: Scene, budget: Budget) -> dict[int, OrderSet]:
    """Return an order set for each power that has units, ours first, as long as there is time."""
    return plans_by(DBrane(nodes=NODES), scene, budget, MOST_PART)


def plans_by(tactic: Tactic, scene: Scene, budget: Budget, until: float) -> dict[int, OrderSet]:
    """Return what a tactic orders in the place of each power, ours first.

    Nobody is asked any more when so much of the time has passed.
    """
    view, codec = scene.view, scene.codec
    found: dict[int, OrderSet] = {}
    fixed = {mover_of(code): code for code in (*scene.promised, *scene.expected)}
    ranked = sorted(range(len(codec.powers)), key=lambda number: number != scene.power)
    for number in ranked:
        if budget.passed() > until:
            break
        power = codec.powers[number]
        ours = number == scene.power
        seen = evolve(
            view,
            power=power,
            random=Random(f"{view.turn} {power.name}"),  # noqa: S311 - for play
            beliefs=view.beliefs if ours else Beliefs(),
            seconds=None if isinf(budget.seconds) else budget.seconds * until,
        )
        if not seen.units:
            continue
        given = map(codec.code, tactic.choose_orders(seen))
        by_mover = {mover_of(code): code for code in given} | fixed
        movers = sorted(map(codec.mover, seen.units), key=codec.tables.mover_province.__getitem__)
        if all(mover in by_mover for mover in movers):
            found[number] = tuple(by_mover[mover] for mover in movers)
    return found
