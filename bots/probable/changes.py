"""What a power may change in a set of orders: one order, or a move with those who help it."""

from array import array
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from attrs import frozen

from rules.kernel import Simulator
from rules.kernel.codes import (
    CONVOY,
    HOLD,
    MOVE,
    MOVE_BY_CONVOY,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
    mover_of,
    other_of,
    path_of,
    target_of,
)

Change: TypeAlias = tuple[int, ...]
"""New orders, each for another unit."""
_MOST_HELPERS = 5
"""Of so many units that could help a move all pairs are tried."""


@frozen
class Changes:
    """The changes of one power, in a row, as the kernel takes them."""

    starts: Sequence[int]
    units: Sequence[int]
    codes: Sequence[int]


def changes_of(
    state: Simulator, units: Sequence[int], closed: Collection[int], fixed: Collection[int]
) -> Changes:
    """Return what the units in these provinces may do otherwise; fixed ones do nothing else."""
    options = [_Options(state, unit, units, closed) for unit in units if unit not in fixed]
    rows = [change for each in options for change in each.changes(options)]
    lengths = [0]
    for row in rows:
        lengths.append(lengths[-1] + len(row))
    province = state.tables.mover_province
    return Changes(
        array("i", lengths),
        array("i", [province[mover_of(code)] for row in rows for code in row]),
        array("q", [code for row in rows for code in row]),
    )


class _Options:
    """What one unit may do, sorted by kind; of voyages only those over one sea."""

    def __init__(
        self, state: Simulator, unit: int, units: Sequence[int], closed: Collection[int]
    ) -> None:
        tables = state.tables
        self.unit = unit
        self.alone: list[int] = []
        self.moves: list[tuple[int, int]] = []
        """With the province where each goes."""
        self.supports: dict[tuple[int, int], int] = {}
        """By who is supported and where it goes."""
        self.voyages: list[tuple[int, int, int]] = []
        """With goal and sea."""
        self.convoys: dict[tuple[int, int], int] = {}
        for code in state.legal(unit):
            kind, goal = kind_of(code), tables.province_of[target_of(code)]
            other = tables.mover_province[other_of(code)] if kind != MOVE_BY_CONVOY else -1
            if kind == HOLD or (kind == SUPPORT_HOLD and other in units):
                self.alone.append(code)
            elif goal in closed:
                continue
            elif kind == MOVE:
                self.moves.append((code, goal))
            elif kind == MOVE_BY_CONVOY:
                seas = state.seas_of_path(unit, goal, path_of(code))
                if len(seas) == 1:
                    self.voyages.append((code, goal, seas[0]))
            elif kind == SUPPORT_MOVE and other in units:
                self.supports[other, goal] = code
            elif kind == CONVOY and other in units:
                self.convoys[other, goal] = code

    def changes(self, options: Sequence["_Options"]) -> Iterator[Change]:
        """Give every change that begins with this unit."""
        for code in self.alone:
            yield (code,)
        for code in self.supports.values():
            yield (code,)
        for code, goal in self.moves:
            yield from self._helped((code,), goal, [each for each in options if each is not self])
        for code, goal, sea in self.voyages:
            for fleet in options:
                carry = fleet.convoys.get((self.unit, goal))
                if fleet.unit == sea and carry is not None:
                    rest = [each for each in options if each is not self and each is not fleet]
                    yield from self._helped((code, carry), goal, rest)

    def _helped(self, change: Change, goal: int, others: Sequence["_Options"]) -> Iterator[Change]:
        yield change
        key = self.unit, goal
        helpers = [each.supports[key] for each in others if key in each.supports]
        for code in helpers:
            yield (*change, code)
        for pair in combinations(helpers[:_MOST_HELPERS], 2):
            yield (*change, *pair)
