"""Learn the weights of a policy from what a search has ordered.

For every unit, in the order in which a policy lets them choose, the chance of what it was ordered
is made a little larger. Each weight has a step of its own (Adagrad), as in `learning`.
"""

from array import array
from collections.abc import Sequence

from bots.kernel.deeds import STATIC
from bots.kernel.facts import UNIT
from bots.kernel.habits import DUMBBOT

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

if not cython.compiled:
    from math import log
    from math import sqrt as square_root

from .examples import Examples
from .policy import Policy

LARGEST = 32767
TINY = 1e-6


class Imitator:
    """Moves the weights of a policy while they are learned."""

    def __init__(self, policy: Policy, seed: int) -> None:
        self.policy = policy
        self.game = policy.game
        self.state = policy.state
        self.hidden = policy.hidden
        self.count = policy.weight_count
        self.moved = array("f", bytes(4 * self.count))
        self.slopes = array("d", bytes(8 * self.hidden))
        self.rate = 0.1
        self.loss = 0.0
        """Sum of the logarithms of the chances, negative."""
        self.decisions = 0
        self.hits = 0
        """How often the most likely option was the one."""
        self.strange = 0
        """Orders that the policy does not know or thought not to fit."""
        self.scatter(seed)

    def scatter(self, seed: int) -> None:
        """Begin without preferences; what is hidden begins with small numbers by lot."""
        self.state.seed(seed)
        for index in range(self.count):
            self.policy.weights[index] = 0.0
            self.moved[index] = 0.1
        for index in range(self.policy.fact_base):
            self.policy.weights[index] = (self.state.roll() % 2001 - 1000) * 0.0001

    def take(self, weights: Sequence[float], moved: Sequence[float]) -> None:
        """Go on with weights that were saved."""
        if len(weights) != self.count or len(moved) != self.count:
            raise ValueError(f"{len(weights)} and {len(moved)} weights, not {self.count}")
        for index in range(self.count):
            self.policy.weights[index] = weights[index]
            self.moved[index] = moved[index]

    def rounded(self) -> list[int]:
        """Return the weights as a policy loads them."""
        found = []
        for index in range(self.count):
            value = round(self.policy.weights[index] * UNIT)
            found.append(max(-LARGEST, min(LARGEST, value)))
        return found

    def forget_loss(self) -> None:
        """Begin to add up losses anew."""
        self.loss = 0.0
        self.decisions = 0
        self.hits = 0
        self.strange = 0

    # One power in one position.

    def study(self, examples: Examples, number: int, power: int, learns: int) -> None:
        """Go through the orders of a power in an example that is on the board."""
        self.policy.list_scores(power)
        self.policy.begin()
        first = number * self.policy.provinces
        if not self.policy.unit_count or examples.orders[first + self.policy.units[0]] < 0:
            return
        for index in range(self.hidden):
            self.slopes[index] = 0.0
        for index in range(self.policy.unit_count):
            unit = self.policy.order[index]
            if self.policy.chosen[unit] >= 0:
                continue
            place = self.policy.units[unit]
            option = self.policy.option_of(unit, examples.orders[first + place])
            if option < 0:
                self.strange += 1
                self.policy.choose(unit, self.policy.first[unit])
                continue
            self.decide(unit, option, learns)
            self.policy.choose(unit, option)
        if learns:
            self.move_position(power)

    def decide(self, unit: int, option: int, learns: int) -> None:
        """Note how likely an option was, and make it more likely."""
        total = self.policy.weigh(unit)
        if not self.policy.permitted[option]:
            self.strange += 1
            return
        first = self.policy.first[unit]
        end = self.policy.first[unit + 1]
        best = first
        for other in range(first, end):
            self.policy.chances[other] /= total
            if self.policy.chances[other] > self.policy.chances[best]:
                best = other
        self.decisions += 1
        self.loss -= log(self.policy.chances[option] + TINY)
        if best == option:
            self.hits += 1
        if not learns:
            return
        for other in range(first, end):
            if self.policy.permitted[other]:
                error = self.policy.chances[other] - (1.0 if other == option else 0.0)
                if error > TINY or error < -TINY:
                    self.move_option(unit, other, error)

    def move_option(self, unit: int, option: int, error: float) -> None:
        """Move the weights of the facts of one option."""
        base = self.policy.fact_base
        for index in range(STATIC):
            self.move(base + self.policy.facts[option * STATIC + index], error)
        self.move(base + self.policy.planned_fact(option), error)
        self.move(base + self.policy.here_fact(self.policy.units[unit], option), error)
        first = self.policy.slot_base + self.policy.slots[option] * self.hidden
        for index in range(self.hidden):
            self.slopes[index] += error * self.policy.weights[first + index]
            if self.policy.mood[index] > 0:
                self.move(first + index, error * self.policy.mood[index])

    def move_position(self, power: int) -> None:
        """Move the rows of the position as the options would have it."""
        for index in range(self.hidden):
            if self.policy.mood[index] <= 0:
                self.slopes[index] = 0.0
        for number in range(self.policy.network.active_count):
            first = self.policy.network.active[number] * self.hidden
            for index in range(self.hidden):
                self.move(first + index, self.slopes[index])
        first = self.policy.power_base + power * self.hidden
        for index in range(self.hidden):
            self.move(first + index, self.slopes[index])

    def move(self, index: int, slope: float) -> None:
        """Move one weight down its slope."""
        self.moved[index] += slope * slope
        self.policy.weights[index] -= self.rate * slope / square_root(self.moved[index])

    # Many positions.

    def go_through(
        self, examples: Examples, order: Sequence[int], first: int, end: int, learns: int
    ) -> None:
        """Study the examples of a part of the order, or only add up their losses."""
        if examples is None or examples.lessons.state is not self.state:  # type: ignore[redundant-expr]  # compiled, None fits
            raise ValueError("these examples are of another game than the policy")
        examples.check_order(order, first, end)
        with cython.nogil:
            for number in range(first, end):
                examples.lessons.put(order[number])
                self.game.value_all(DUMBBOT)
                for power in range(self.policy.powers):
                    if learns or not power:
                        self.policy.look()
                    self.study(examples, order[number], power, learns)
