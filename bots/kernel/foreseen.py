"""What a plan brings in each of some scenarios of what the others order."""

from array import array
from typing import TYPE_CHECKING

from rules.kernel.codes import (
    FIELD_BITS,
    FINE,
    KIND_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    SUCCEEDED,
    TARGET_SHIFT,
)

if TYPE_CHECKING:
    from rules.kernel import simulator  # compiled, its .pxd says which

from .arrays import long_integers, zeros

NO_CODE = -1
PARTS = 3


class Foreseen:
    """Judges plans against scenarios in the position of a simulator, and keeps the best's totals.

    A plan and a scenario are lists of codes. What an order is worth to us rests on whether it
    succeeds, fails, or its unit is dislodged.
    """

    def __init__(self, state: "simulator.Simulator", scenarios: list[list[int]]) -> None:
        self.state = state
        self.count = len(scenarios)
        self.provinces = state.provinces
        self.gains = array("d", bytes(8 * state.movers))
        self.loss = 0.0
        self.starts = zeros(self.count + 1)
        end = 0
        if not scenarios or max(map(len, scenarios)) > state.provinces:
            raise ValueError("there must be scenarios, with one order for each unit")
        for number in range(self.count):
            end += len(scenarios[number])
            self.starts[number + 1] = end
        self.codes = long_integers(end + 1)
        at = 0
        for codes in scenarios:
            for code in codes:
                self.codes[at] = code
                at += 1
        self.worths = array("d", bytes(8 * PARTS * (end + 1)))
        self.is_fine = bytearray(end + 1)
        self.plan = long_integers(state.provinces + 1)
        self.plan_worths = array("d", bytes(8 * PARTS * (state.provinces + 1)))
        self.is_plan_fine = bytearray(state.provinces + 1)
        self.size = 0
        self.places = zeros(2 * state.provinces + 2)
        self.totals = array("d", bytes(8 * (self.count + 1)))
        self.tried = array("d", bytes(8 * (self.count + 1)))
        self.has_best = 0

    def price(
        self, gains: list[float], harms: list[float], preys: list[float], loss: float
    ) -> None:
        """Say what outcomes are worth to us, before anything is tried.

        `gains` is by mover what it is worth that a unit of ours stands there, `harms` by province
        that a unit of another power moves in, `preys` that one is dislodged from there; `loss` is
        what it costs that a unit of ours is.
        """
        if len(gains) != self.state.movers:
            raise ValueError("every mover has its gain")
        if len(harms) != self.state.provinces or len(preys) != self.state.provinces:
            raise ValueError("every province has its harm and its prey")
        for mover in range(self.state.movers):
            self.gains[mover] = gains[mover]
        self.loss = loss
        for index in range(self.starts[self.count]):
            code = self.codes[index]
            mover = (code >> MOVER_SHIFT) & FIELD_BITS
            target = (code >> TARGET_SHIFT) & FIELD_BITS
            harm = 0.0
            prey = 0.0
            if code >= 0 and mover < self.state.movers:
                prey = preys[self.state.mover_province[mover]]
                if self.is_move(code) and target < self.state.locations:
                    harm = harms[self.state.province_of[target]]
            # Whether an order is legal rests on the position alone: it need not be judged again.
            self.is_fine[index] = self.state.judge(code) == FINE
            self.worths[index * PARTS] = harm
            self.worths[index * PARTS + 1] = 0.0
            self.worths[index * PARTS + 2] = prey

    def is_move(self, code: int) -> int:
        """Whether an order takes its unit somewhere."""
        kind = code & KIND_BITS
        return kind == MOVE or kind == MOVE_BY_CONVOY

    def take(self, plan: list[int]) -> None:
        """Get ready to judge a plan."""
        if len(plan) > self.state.provinces:
            raise ValueError("a plan has one order for each unit")
        self.size = len(plan)
        for index in range(self.size):
            self.plan[index] = plan[index]
            self.is_plan_fine[index] = self.state.judge(self.plan[index]) == FINE
            self.price_own(index, self.plan[index])

    def price_own(self, index: int, code: int) -> None:
        """Find out what an order of ours is worth by its outcome."""
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        here = 0.0
        there = 0.0
        if code >= 0 and mover < self.state.movers:
            here = self.gains[mover]
            there = here
            if self.is_move(code):
                target = (code >> TARGET_SHIFT) & FIELD_BITS
                if mover >= self.provinces:
                    target += self.provinces
                if target < self.state.movers:
                    there = self.gains[target]
        self.plan_worths[index * PARTS] = there
        self.plan_worths[index * PARTS + 1] = here
        self.plan_worths[index * PARTS + 2] = -self.loss

    def attempt(self, plan: list[int], trial: int, margin: float, gain: float) -> int:
        """Say whether a plan is better than the best so far, and if so take its totals.

        After the scenario number `trial` one is given up that is worse by more than `margin`.
        """
        self.take(plan)
        total = 0.0
        for number in range(self.count):
            total += self.brought(number, NO_CODE)
            self.tried[number] = total
            if number == trial and self.has_best and total < self.totals[number] - margin:
                return 0
        if self.has_best and total <= self.totals[self.count - 1] + gain:
            return 0
        self.has_best = 1
        for number in range(self.count):
            self.totals[number] = self.tried[number]
        return 1

    def best_total(self) -> float:
        """Return what the best plan brings in all scenarios."""
        return self.totals[self.count - 1]

    def total_with(self, plan: list[int], code: int) -> float:
        """Return what a plan brings in all scenarios if one more order is given."""
        self.take(plan)
        total = 0.0
        for number in range(self.count):
            total += self.brought(number, code)
        return total

    def brought(self, number: int, code: int) -> float:
        """Adjudicate the plan in one scenario and return what all orders are worth."""
        first = self.starts[number]
        length = self.starts[number + 1] - first
        self.state.begin()
        for index in range(self.size):
            self.state.is_trusted = self.is_plan_fine[index]
            self.places[index] = self.state.give(self.plan[index])
        for index in range(length):
            self.state.is_trusted = self.is_fine[first + index]
            self.places[self.size + index] = self.state.give(self.codes[first + index])
        self.state.is_trusted = 0
        if code != NO_CODE:
            self.state.give(code)
        self.state.resolve()
        self.state.conclude()
        total = 0.0
        for index in range(self.size):
            total += self.plan_worths[index * PARTS + self.part(self.places[index])]
        for index in range(length):
            part = self.part(self.places[self.size + index])
            total += self.worths[(first + index) * PARTS + part]
        return total

    def part(self, place: int) -> int:
        """Say what has become of the unit in a province: 0 success, 1 failure, 2 dislodged."""
        if self.state.is_dislodged[place]:
            return 2
        return 0 if self.state.result[place] == SUCCEEDED else 1
