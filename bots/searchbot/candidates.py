"""The order sets that a search looks at: the most usual ones of each power, well formed first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil

from attrs import frozen

from bots.kernel import Playouts
from bots.search.proposals import OrderSet
from bots.searchbot.blueprint import Custom
from rules.errors import BadInputError
from rules.kernel.codes import (
    CONVOY,
    MOVE,
    MOVE_BY_CONVOY,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
    mover_of,
    other_of,
    target_of,
)
from rules.kernel.tables import Tables

DRAWS = 90
"""How many order sets are drawn for each power."""
PLAN_WEIGHT = DRAWS // 2
"""How often the plan of a program is thought to have been drawn."""
FEWEST = 4


@frozen(kw_only=True)
class Width:
    """How many candidates a power has: so many for each unit, but no more than `cap`."""

    each: float = 2.0
    cap: int = 24

    def __attrs_post_init__(self) -> None:
        if not 0 < self.each <= 100:
            raise BadInputError(f"candidates: {self.each} must be more than 0 and at most 100")

    def of(self, units: int) -> int:
        """Return how many candidates a power with so many units has."""
        return min(self.cap, max(FEWEST if self.each > 1 else 1, ceil(self.each * units)))


def candidates(
    game: Playouts,
    power: int,
    blueprint: Custom,
    plans: Mapping[int, Sequence[OrderSet]],
    most: int,
) -> list[tuple[OrderSet, int]]:
    """Return up to `most` order sets of a power, each with how often it was drawn.

    Each of the plans counts as if it had been drawn for every second draw.
    """
    counts: Counter[OrderSet] = blueprint.draw(power, DRAWS)
    for plan in plans.get(power, ()):
        counts[plan] += PLAN_WEIGHT
    tables = game.state.tables
    found, others = [], []
    for drawn in counts.most_common():
        if is_coordinated(drawn[0], tables):
            found.append(drawn)
            if len(found) == most:
                break
        else:
            others.append(drawn)
    return [*found, *others][:most]


def is_coordinated(orders: OrderSet, tables: Tables) -> bool:
    """Whether all supports and convoys of own units fit what those units are told to do."""
    given = {mover_of(code): code for code in orders}
    return all(_fits(code, given.get(other_of(code)), tables) for code in orders)


def _fits(code: int, helped: int | None, tables: Tables) -> bool:
    kind = kind_of(code)
    if kind not in {SUPPORT_HOLD, SUPPORT_MOVE, CONVOY} or helped is None:
        return True
    moves = kind_of(helped) in {MOVE, MOVE_BY_CONVOY}
    if kind == SUPPORT_HOLD:
        return not moves
    if kind == CONVOY and kind_of(helped) != MOVE_BY_CONVOY:
        return False
    return moves and tables.province_of[target_of(helped)] == target_of(code)
