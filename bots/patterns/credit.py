"""Which unit gained a center, and by which orders: a nearer idea of success than a whole year's.

Every unit is followed through the game with the orders that it was given. When it gains a center,
all of them since its last one were right, and so were the supports of them; what has led nowhere
within `patience` years was not.
"""

from collections.abc import Sequence

from attrs import define, field, frozen

from rules.kernel import Simulator
from rules.kernel.codes import (
    MOVE,
    MOVE_BY_CONVOY,
    SUCCEEDED,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
    mover_of,
    other_of,
    target_of,
)
from rules.kernel.tables import Tables

_RESULT_BITS = 7
_DISLODGED = 8


@frozen
class Lesson:
    """How often orders of each kind were given, and what came of it.

    Orders are vectors of features; without features they are patterns, pairs among them.
    """

    orders: dict[int, int]
    success: bool


@define
class _Trail:
    """What a unit was told since it last gained a center, and in which years."""

    power: int
    orders: list[tuple[int, int]] = field(factory=list)


class Trails:
    """The trails of all units of a game."""

    def __init__(self, tables: Tables, powers: int, patience: int) -> None:
        self._tables = tables
        self._powers = powers
        self._patience = patience
        self._trails: dict[int, _Trail] = {}
        self._failed: list[_Trail] = []

    def follow(
        self, state: Simulator, powers: Sequence[int], codes: list[int], vectors: Sequence[int]
    ) -> None:
        """Take in the orders of a movement turn, just before it is played."""
        outcomes = state.judge_all(codes)
        place_of = self._tables.mover_province
        for power, code, vector in zip(powers, codes, vectors, strict=True):
            supports = kind_of(code) in (SUPPORT_HOLD, SUPPORT_MOVE)
            place = place_of[other_of(code) if supports else mover_of(code)]
            trail = self._trails.setdefault(place, _Trail(power))
            trail.orders.append((state.year, vector))
        moved: dict[int, _Trail] = {}
        for code, outcome in zip(codes, outcomes, strict=True):
            here = place_of[mover_of(code)]
            if here not in self._trails:
                continue
            trail = self._trails[here]
            if outcome & _DISLODGED:
                self._failed.append(trail)
            elif kind_of(code) in (MOVE, MOVE_BY_CONVOY) and outcome & _RESULT_BITS == SUCCEEDED:
                moved[self._tables.province_of[target_of(code)]] = trail
            else:
                moved[here] = trail
        self._trails = moved

    def close_year(self, state: Simulator, year: int, before: Sequence[int]) -> list[list[Lesson]]:
        """Return by power what there is to learn when the owners of a year are known."""
        right: list[dict[int, int]] = [{} for _ in range(self._powers)]
        wrong: list[dict[int, int]] = [{} for _ in range(self._powers)]
        owners = state.all_owners()
        for place, trail in self._trails.items():
            if owners[place] == trail.power != before[place]:
                _count(right[trail.power], [vector for _, vector in trail.orders])
                trail.orders.clear()
            else:
                first = year - self._patience + 1
                _count(wrong[trail.power], [each for year, each in trail.orders if year <= first])
                trail.orders = [each for each in trail.orders if each[0] > first]
        for trail in self._failed:
            _count(wrong[trail.power], [vector for _, vector in trail.orders])
        self._failed.clear()
        return [
            [Lesson(lost, success=False), Lesson(gained, success=True)]
            for lost, gained in zip(wrong, right, strict=True)
        ]


def _count(counts: dict[int, int], vectors: Sequence[int]) -> None:
    for vector in vectors:
        counts[vector] = counts.get(vector, 0) + 1
