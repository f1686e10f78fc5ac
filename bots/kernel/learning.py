"""Learn the weights of a network from positions and what came of them.

Weights are real numbers here, and rounded when they are handed over. Each one has a step of its own
that becomes shorter the more it has been moved (Adagrad), because most facts are rare.
"""

from array import array
from collections.abc import Sequence

from bots.kernel.facts import MARKS, UNIT

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

from .lessons import Lessons
from .network import Network

if not cython.compiled:
    from math import log
    from math import sqrt as square_root

LARGEST = 32767
TINY = 1e-9


class Learner:
    """The weights of a network while they are learned. `weights` holds all, as `Network.load`."""

    def __init__(self, network: Network, seed: int) -> None:
        self.network = network
        self.hidden = network.hidden
        self.powers = network.powers
        self.inputs = network.inputs
        self.bias_base = network.bias_base
        self.output_base = network.output_base
        self.output_bias_base = network.output_bias_base
        self.mark_base = network.mark_base
        self.count = network.weight_count
        self.weights = array("f", bytes(4 * self.count))
        self.moved = array("f", bytes(4 * self.count))
        self.sums = array("f", bytes(4 * self.hidden))
        self.slopes = array("f", bytes(4 * self.hidden))
        self.errors = array("d", bytes(8 * self.powers))
        self.target = array("d", bytes(8 * self.powers))
        self.rate = 0.02
        self.loss = 0.0
        self.squares = 0.0
        self.studied = 0
        self.scatter(seed)

    def scatter(self, seed: int) -> None:
        """Begin with small weights by lot, and steps as if each had been moved a little."""
        self.network.state.seed(seed)
        for index in range(self.count):
            self.weights[index] = 0.0
            self.moved[index] = 0.01
        for index in range(self.output_bias_base):
            self.weights[index] = (self.network.state.roll() % 2001 - 1000) * 0.00005
        for index in range(self.bias_base, self.output_base):
            self.weights[index] = 0.1
        for index in range(self.output_base, self.output_bias_base):
            self.weights[index] *= 4.0

    def take(self, weights: Sequence[float], moved: Sequence[float]) -> None:
        """Go on with weights that were saved."""
        if len(weights) != self.count or len(moved) != self.count:
            raise ValueError(f"{len(weights)} and {len(moved)} weights, not {self.count}")
        for index in range(self.count):
            self.weights[index] = weights[index]
            self.moved[index] = moved[index]

    def rounded(self) -> list[int]:
        """Return the weights as a network has them."""
        found = []
        for index in range(self.count):
            value = round(self.weights[index] * UNIT)
            found.append(max(-LARGEST, min(LARGEST, value)))
        return found

    def forget_loss(self) -> None:
        """Begin to add up losses anew."""
        self.loss = 0.0
        self.squares = 0.0
        self.studied = 0

    # One position.

    def forward(self) -> None:
        """Judge the position on the board with the present weights."""
        self.network.list_facts()
        for index in range(self.hidden):
            self.sums[index] = self.weights[self.bias_base + index]
        for number in range(self.network.active_count):
            first = self.network.active[number] * self.hidden
            for index in range(self.hidden):
                self.sums[index] += self.weights[first + index]
        for power in range(self.powers):
            first = self.output_base + power * self.hidden
            total = 0.0
            for index in range(self.hidden):
                if self.sums[index] > 0:
                    total += self.sums[index] * self.weights[first + index]
            self.network.scores[power] = total + self.weights[self.output_bias_base + power]
        base = self.mark_base + self.network.season * MARKS
        for number in range(self.network.mark_count):
            self.network.scores[self.network.mark_power[number]] += self.weights[
                base + self.network.marked[number]
            ]
        self.network.share_out()

    def measure(self) -> None:
        """Add the loss of the position on the board to the sum."""
        self.forward()
        self.note_loss()

    def note_loss(self) -> None:
        """Count how far the shares are from the target."""
        for power in range(self.powers):
            share = self.network.shares[power]
            gap = share - self.target[power]
            self.squares += gap * gap
            if self.target[power] > 0:
                self.loss -= self.target[power] * log(share + TINY)
        self.studied += 1

    def study(self) -> None:
        """Move the weights a little toward the target for the position on the board."""
        self.forward()
        self.note_loss()
        for power in range(self.powers):
            self.errors[power] = 0.0
            if self.network.is_alive(power):
                self.errors[power] = self.network.shares[power] - self.target[power]
        for index in range(self.hidden):
            self.slopes[index] = 0.0
        for power in range(self.powers):
            error = self.errors[power]
            first = self.output_base + power * self.hidden
            for index in range(self.hidden):
                if self.sums[index] > 0:
                    self.slopes[index] += error * self.weights[first + index]
                    self.move(first + index, error * self.sums[index])
            self.move(self.output_bias_base + power, error)
        base = self.mark_base + self.network.season * MARKS
        for number in range(self.network.mark_count):
            self.move(
                base + self.network.marked[number], self.errors[self.network.mark_power[number]]
            )
        for index in range(self.hidden):
            self.move(self.bias_base + index, self.slopes[index])
        for number in range(self.network.active_count):
            self.move_row(self.network.active[number] * self.hidden)

    def move(self, index: int, slope: float) -> None:
        """Move one weight down its slope."""
        self.moved[index] += slope * slope
        self.weights[index] -= self.rate * slope / square_root(self.moved[index])

    def move_row(self, first: int) -> None:
        """Move the weights of one fact."""
        for index in range(self.hidden):
            slope = self.slopes[index]
            self.moved[first + index] += slope * slope
            self.weights[first + index] -= (
                self.rate * slope / square_root(self.moved[first + index])
            )

    # Many positions.

    def go_through(
        self, lessons: Lessons, order: Sequence[int], first: int, end: int, learns: int
    ) -> None:
        """Study the lessons of a part of the order, or only add up their losses."""
        if lessons is None or lessons.state is not self.network.state:  # type: ignore[redundant-expr]  # compiled, None fits
            raise ValueError("these lessons are of another game than the network")
        if not 0 <= first <= end <= len(order):
            raise ValueError(f"an order of {len(order)} has no part from {first} to {end}")
        for number in range(first, end):
            if not 0 <= order[number] < lessons.count:
                raise IndexError(f"there is no lesson {order[number]}, only {lessons.count}")
        with cython.nogil:
            for number in range(first, end):
                lessons.put(order[number])
                for power in range(self.powers):
                    self.target[power] = lessons.targets[order[number] * self.powers + power]
                if learns:
                    self.study()
                else:
                    self.measure()
