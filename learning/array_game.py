"""One game as arrays: what stands where, what may be ordered, and what it is worth in the end.

Every phase is a step. A power has as many slots as it could ever have units; each unit that may be
ordered takes a slot, in a turn of retreats each dislodged one, in a turn of adjustments each unit
that must be built or removed. An action is one number a slot: which of the legal orders is given,
0 if there is none to give. The legal numbers of a slot are those below its count.
"""

from collections import Counter
from copy import deepcopy
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rules.board import Board
from rules.errors import BadInputError
from rules.kernel.codes import AUTUMN, FIELD_BITS, MOVER_SHIFT, SUMMER, WINTER
from rules.kernel.encode import codec_of
from rules.orders import Order
from rules.position import Position

Integers: TypeAlias = NDArray[np.int64]
Bytes: TypeAlias = NDArray[np.int8]
Floats: TypeAlias = NDArray[np.float64]

SQUARES = "squares"
DRAW = "draw"
SCORES = (SQUARES, DRAW)
STATIC = 3
"""How many columns of a board say what never changes: sea, coast, center."""


class ArrayGame:
    """A game that is stepped with numbers. `counts[power, slot]` says how many orders there are."""

    def __init__(self, board: Board, *, last_year: int | None = None) -> None:
        if last_year is not None and last_year < board.start.turn.year:
            raise BadInputError(f"last_year: {last_year} is before the map's first year")
        self.board = board
        self.codec = codec_of(board)
        self.state = self.codec.new_simulator()
        self.powers = len(board.powers)
        self.provinces = len(board.provinces)
        self.slots = max(len(board.centers), len(board.start.units))
        self.columns = 3 * self.powers + 4 + STATIC
        self.last_year = last_year
        self.counts: Integers = np.zeros((self.powers, self.slots), dtype=np.int64)
        self.places: Integers = np.full((self.powers, self.slots), -1, dtype=np.int64)
        tables = self.codec.tables
        self._mover_province: Integers = np.array(tables.mover_province, dtype=np.int64)
        self._codes: Integers = np.zeros(0, dtype=np.int64)
        # By entry, that is by slot in use: whose it is, which one, and its first order.
        self._owners = self._numbers = self._firsts = self._codes
        self._blank: Bytes = np.zeros((self.provinces, self.columns), dtype=np.int8)
        for column, flags in enumerate((tables.is_sea, tables.is_coastal, tables.is_center)):
            self._blank[:, self.columns - STATIC + column] = np.frombuffer(flags, dtype=np.int8)
        self.reset()

    def reset(self, position: Position | None = None) -> None:
        """Begin a game, at the start of the map or in any position."""
        if position is not None:
            units = Counter(unit.power.name for unit in position.units)
            for name, count in units.items():
                if count > self.slots:
                    raise BadInputError(f"position: {name} has {count} units, above {self.slots}")
        self.codec.load(position or self.board.start, self.state)
        self._list()

    # Copies: the kernel's state cannot be copied, but the position that it stands for can.

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy is made of."""
        kept = {name: value for name, value in vars(self).items() if name not in ("codec", "state")}
        return {**kept, "position": self.codec.position(self.state)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Become a copy."""
        position = kept.pop("position")
        vars(self).update(kept)
        self.codec = codec_of(self.board)
        self.state = self.codec.new_simulator()
        self.codec.load(position, self.state)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return a copy that shares the board, which never changes."""
        memo[id(self.board)] = self.board
        copy = type(self).__new__(type(self))
        memo[id(self)] = copy
        copy.__setstate__(deepcopy(self.__getstate__(), memo))
        return copy

    # Orders.

    def _list(self) -> None:
        """Find out what may be ordered."""
        codes, starts = self.state.legal_arrays()
        self._codes = np.asarray(codes, dtype=np.int64)
        bounds = np.asarray(starts, dtype=np.int64)
        firsts, sizes = bounds[:-1], np.diff(bounds)
        places = self._mover_province[(self._codes[firsts] >> MOVER_SHIFT) & FIELD_BITS]
        if self.state.season == WINTER:
            budgets = np.abs(np.asarray(self.state.budget, dtype=np.int64))
            owners = np.flatnonzero(budgets)
            repeats = budgets[owners]
            owners, firsts, sizes = (np.repeat(each, repeats) for each in (owners, firsts, sizes))
            places = np.full(len(owners), -1, dtype=np.int64)
        elif self.state.season in (SUMMER, AUTUMN):
            owners = np.asarray(self.state.out_power, dtype=np.int64)[places]
        else:
            owners = np.asarray(self.state.power, dtype=np.int64)[places]
        by_owner = np.argsort(owners, kind="stable")
        self._owners, self._firsts = owners[by_owner], firsts[by_owner]
        sizes, places = sizes[by_owner], places[by_owner]
        begins = np.searchsorted(self._owners, np.arange(self.powers))
        self._numbers = np.arange(len(self._owners)) - begins[self._owners]
        self.counts[:] = 0
        self.counts[self._owners, self._numbers] = sizes
        self.places[:] = -1
        self.places[self._owners, self._numbers] = places

    def orders(self, power: int) -> list[list[Order]]:
        """Return the orders that the numbers of each slot in use stand for."""
        name = self.board.powers[power]
        units = {unit.location.province: unit for unit in self.codec.position(self.state).units}
        found = []
        for entry in np.flatnonzero(self._owners == power):
            first, size = self._firsts[entry], self.counts[power, self._numbers[entry]]
            codes = self._codes[first : first + size].tolist()
            found.append([self.codec.order(code, name, units) for code in codes])
        return found

    def step(self, actions: Integers) -> None:
        """Give the orders `actions[power, slot]` and go on to the next phase.

        A number that stands for no order counts as 0: hold, disband, waive, or the first removal.
        """
        chosen = actions[self._owners, self._numbers]
        sizes = self.counts[self._owners, self._numbers]
        chosen = np.where((chosen >= 0) & (chosen < sizes), chosen, 0)
        self.state.step(self._codes[self._firsts + chosen].tolist())
        self._list()

    # What is to be seen.

    def observe(self, into: Bytes | None = None) -> Bytes:
        """Return the board, a row a province.

        The columns: whose unit stands there, army, fleet, whose dislodged unit, army, fleet, whose
        center it is, then sea, coast, center.
        """
        seen = self._blank.copy() if into is None else into
        if into is not None:
            seen[:] = self._blank
        for first, units, owners in (
            (0, self.state.unit, self.state.power),
            (self.powers + 2, self.state.out, self.state.out_power),
        ):
            movers = np.asarray(units, dtype=np.int64)
            rows = np.flatnonzero(movers >= 0)
            seen[rows, first + np.asarray(owners, dtype=np.int64)[rows]] = 1
            seen[rows, first + self.powers + (movers[rows] >= self.provinces)] = 1
        centers = np.asarray(self.state.owner, dtype=np.int64)
        rows = np.flatnonzero(centers >= 0)
        seen[rows, 2 * self.powers + 4 + centers[rows]] = 1
        return seen

    def turn(self) -> tuple[int, int]:
        """Return the season, 0 to 4, and how many years the map's first is ago."""
        return self.state.season, self.state.year - self.board.start.turn.year

    def alive(self) -> NDArray[np.bool_]:
        """Return which powers have a unit or a center left."""
        left = np.zeros(self.powers, dtype=bool)
        for having, owners in (
            (self.state.unit, self.state.power),
            (self.state.out, self.state.out_power),
            (self.state.owner, self.state.owner),
        ):
            left[np.asarray(owners)[np.asarray(having) >= 0]] = True
        return left

    # The end.

    def is_won(self) -> bool:
        """Whether somebody has enough centers."""
        return self.state.winner >= 0

    def is_out_of_time(self) -> bool:
        """Whether the last year is over and nobody has won."""
        return not self.is_won() and self.last_year is not None and self.state.year > self.last_year

    def scores(self, how: str) -> Floats:
        """Return what the end is worth to every power; the sum is 1.

        A solo counts 1. Else `squares` divides by the squares of the centers, `draw` equally among
        those who are left.
        """
        if self.is_won():
            weights: Floats = np.eye(self.powers)[self.state.winner]
        elif how == DRAW:
            weights = self.alive().astype(np.float64)
        else:
            owners = np.asarray(self.state.owner, dtype=np.int64)
            centers = np.bincount(owners[owners >= 0], minlength=self.powers)
            weights = centers.astype(np.float64) ** 2
        weights /= max(weights.sum(), 1.0)
        return weights
