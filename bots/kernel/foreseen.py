"""What a plan brings in each of some scenarios of what the others order."""

from array import array
from typing import TYPE_CHECKING, TypeAlias

from rules.kernel.codes import SUCCEEDED

if TYPE_CHECKING:
    from rules.kernel import simulator  # compiled, its .pxd says which

from .arrays import long_integers, zeros

NO_CODE = -1
PARTS = 3

Worth: TypeAlias = tuple[float, float, float]
"""What an order is worth if it succeeds, if it fails, and if its unit is dislodged."""


class Foreseen:
    """Judges plans against scenarios in the position of a simulator, and keeps the best's totals.

    A plan and a scenario are lists of codes, each code with its worth.
    """

    def __init__(self, state: "simulator.Simulator", scenarios: list[list[int]]) -> None:
        self.state = state
        self.count = len(scenarios)
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
        self.plan = long_integers(state.provinces + 1)
        self.plan_worths = array("d", bytes(8 * PARTS * (state.provinces + 1)))
        self.size = 0
        self.places = zeros(2 * state.provinces + 2)
        self.totals = array("d", bytes(8 * (self.count + 1)))
        self.tried = array("d", bytes(8 * (self.count + 1)))
        self.has_best = 0

    def value(self, number: int, worths: list[Worth]) -> None:
        """Say what the orders of a scenario are worth to us."""
        if not 0 <= number < self.count:
            raise ValueError("no such scenario")
        if len(worths) > self.starts[number + 1] - self.starts[number]:
            raise ValueError("there are more worths than orders")
        first = self.starts[number] * PARTS
        for index in range(len(worths)):
            success, failure, fall = worths[index]
            self.worths[first + index * PARTS] = success
            self.worths[first + index * PARTS + 1] = failure
            self.worths[first + index * PARTS + 2] = fall

    def take(self, plan: list[int], worths: list[Worth]) -> None:
        """Get ready to judge a plan."""
        if len(plan) > self.state.provinces or len(worths) < len(plan):
            raise ValueError("a plan has one order, and one worth, for each unit")
        self.size = len(plan)
        for index in range(len(plan)):
            self.plan[index] = plan[index]
            success, failure, fall = worths[index]
            self.plan_worths[index * PARTS] = success
            self.plan_worths[index * PARTS + 1] = failure
            self.plan_worths[index * PARTS + 2] = fall

    def attempt(
        self, plan: list[int], worths: list[Worth], trial: int, margin: float, gain: float
    ) -> int:
        """Say whether a plan is better than the best so far, and if so take its totals.

        After the scenario number `trial` one is given up that is worse by more than `margin`.
        """
        self.take(plan, worths)
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

    def total_with(self, plan: list[int], worths: list[Worth], code: int) -> float:
        """Return what a plan brings in all scenarios if one more order is given."""
        self.take(plan, worths)
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
            self.places[index] = self.state.give(self.plan[index])
        for index in range(length):
            self.places[self.size + index] = self.state.give(self.codes[first + index])
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
