"""What a power may change in a set of orders: one order, or a move with those who help it."""

from array import array
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from attrs import frozen

from bots.unit_options import UnitOptions
from rules.kernel import Simulator
from rules.kernel.codes import mover_of

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
    movers = {state.unit[unit] for unit in units}
    options = [UnitOptions(state, unit, movers, closed) for unit in units if unit not in fixed]
    rows = [change for each in options for change in _changes(each, options)]
    lengths = [0]
    for row in rows:
        lengths.append(lengths[-1] + len(row))
    province = state.tables.mover_province
    return Changes(
        array("i", lengths),
        array("i", [province[mover_of(code)] for row in rows for code in row]),
        array("q", [code for row in rows for code in row]),
    )


def _changes(unit: UnitOptions, options: Sequence[UnitOptions]) -> Iterator[Change]:
    """Give every change that begins with a unit."""
    yield (unit.hold,)
    for code in (*unit.holds, *unit.supports.values()):
        yield (code,)
    for code, goal in unit.moves:
        others = [each for each in options if each is not unit]
        yield from _helped(unit, (code,), goal, others)
    for code, goal, sea in unit.voyages:
        for fleet in options:
            carry = fleet.convoys.get((unit.mover, goal))
            if fleet.province == sea and carry is not None:
                rest = [each for each in options if each is not unit and each is not fleet]
                yield from _helped(unit, (code, carry), goal, rest)


def _helped(
    unit: UnitOptions, change: Change, goal: int, others: Sequence[UnitOptions]
) -> Iterator[Change]:
    """Give a change alone, and with one or two of the others in support."""
    yield change
    key = unit.mover, goal
    helpers = [each.supports[key] for each in others if key in each.supports]
    for code in helpers:
        yield (*change, code)
    for pair in combinations(helpers[:_MOST_HELPERS], 2):
        yield (*change, *pair)
