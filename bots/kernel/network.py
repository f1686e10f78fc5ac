"""What a position is worth to every power, by a small network that was learned from games.

The inputs are facts that hold or do not: which unit stands where, who owns which center, how many
centers each power has, which season it is. Each fact that holds adds a row of integers to the
hidden layer, so a position costs about eighty rows. Beside it there are *marks*: facts about one
power and one center, such as "ours, two of our units bear on it, one of theirs, nobody in it",
whose weights are the same for all powers and centers and go straight to the power's score.

Weights are whole numbers, `UNIT` of them to one, so that every build judges a position alike.
"""

from array import array
from collections.abc import Sequence

from bots.kernel.facts import (
    CENTER_MARKS,
    MARKS,
    MOST_HIDDEN,
    REACH,
    SEASONS,
    SIZES,
    STANDING,
    UNIT,
)
from rules.kernel.codes import FALL, SPRING

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

if not cython.compiled:
    from math import exp

from .arrays import zeros
from .playouts import Playouts


class Network:
    """Judges positions of playouts. `shares[power]` is the result."""

    def __init__(self, game: Playouts, hidden: int) -> None:
        if not 0 < hidden <= MOST_HIDDEN:
            raise ValueError(f"there cannot be {hidden} hidden numbers, only 1 to {MOST_HIDDEN}")
        self.game = game
        self.state = game.state
        self.hidden = hidden
        self.powers = game.powers
        self.provinces = game.provinces
        self.center_total = game.center_total
        self.owner_base = game.movers * game.powers
        self.size_base = self.owner_base + self.center_total * (self.powers + 1)
        self.season_base = self.size_base + self.powers * SIZES
        self.inputs = self.season_base + SEASONS
        self.active = zeros(2 * self.provinces + self.powers + 1)
        self.active_count = 0
        self.season = 0
        self.mark_power = zeros(self.center_total * self.powers + 2 * self.powers)
        self.marked = zeros(self.center_total * self.powers + 2 * self.powers)
        self.mark_count = 0
        self.sizes = zeros(self.powers)
        self.unit_counts = zeros(self.powers)
        # Where the parts of the weights begin: rows, bias, outputs, their bias, marks.
        self.bias_base = self.inputs * hidden
        self.output_base = self.bias_base + hidden
        self.output_bias_base = self.output_base + self.powers * hidden
        self.mark_base = self.output_bias_base + self.powers
        self.weight_count = self.mark_base + SEASONS * MARKS
        self.weights = zeros(self.weight_count)
        self.sums = zeros(hidden)
        self.scores = array("d", bytes(8 * self.powers))
        self.shares = array("d", bytes(8 * self.powers))

    def load(self, weights: Sequence[int]) -> None:
        """Take over all weights."""
        if len(weights) != self.weight_count:
            raise ValueError(f"{len(weights)} weights, not {self.weight_count}")
        for index in range(self.weight_count):
            self.weights[index] = weights[index]

    # Facts.

    def list_facts(self) -> None:
        """List what holds in the position."""
        season = SEASONS - 1
        if self.state.season == SPRING:
            season = 0
        elif self.state.season == FALL:
            season = 1
        self.season = season
        for power in range(self.powers):
            self.sizes[power] = 0
            self.unit_counts[power] = 0
        count = 0
        for province in range(self.provinces):
            mover = self.state.unit[province]
            if mover >= 0:
                power = self.state.power[province]
                self.unit_counts[power] += 1
                self.active[count] = mover * self.powers + power
                count += 1
        for number in range(self.center_total):
            owner = self.state.owner[self.game.centers[number]]
            if owner >= 0:
                self.sizes[owner] += 1
            self.active[count] = self.owner_base + number * (self.powers + 1) + owner + 1
            count += 1
        for power in range(self.powers):
            size = self.sizes[power]
            if size >= SIZES:
                size = SIZES - 1
            self.active[count] = self.size_base + power * SIZES + size
            count += 1
        self.active[count] = self.season_base + season
        self.active_count = count + 1
        self.list_marks()

    def list_marks(self) -> None:
        """List the facts about one power and one center, and the sizes of the powers."""
        self.mark_count = 0
        self.game.count_bearing()
        for number in range(self.center_total):
            self.mark_center(self.game.centers[number])
        for power in range(self.powers):
            size = self.sizes[power]
            if size >= SIZES:
                size = SIZES - 1
            self.mark(power, CENTER_MARKS + size)
            surplus = self.unit_counts[power] - self.sizes[power]
            if surplus < -2:
                surplus = -2
            elif surplus > 2:
                surplus = 2
            self.mark(power, CENTER_MARKS + SIZES + surplus + 2)

    def mark(self, power: int, fact: int) -> None:
        """Note a fact about a power."""
        self.mark_power[self.mark_count] = power
        self.marked[self.mark_count] = fact
        self.mark_count += 1

    def mark_center(self, center: int) -> None:
        """Note how every power that has to do with a center stands there."""
        owner = self.state.owner[center]
        holder = -1
        if self.state.unit[center] >= 0:
            holder = self.state.power[center]
        most = 0
        second = 0
        strongest = -1
        for power in range(self.powers):
            bearing = self.game.bearing[center * self.powers + power]
            if bearing > most:
                second = most
                most = bearing
                strongest = power
            elif bearing > second:
                second = bearing
        for power in range(self.powers):
            ours = self.game.bearing[center * self.powers + power]
            if not ours and owner != power:
                continue
            theirs = second if power == strongest else most
            if ours >= REACH:
                ours = REACH - 1
            if theirs >= REACH:
                theirs = REACH - 1
            relation = 2
            if owner == power:
                relation = 0
            elif owner >= 0:
                relation = 1
            standing = 0
            if holder >= 0:
                standing = 1 if holder == power else 2
            self.mark(power, ((relation * REACH + ours) * REACH + theirs) * STANDING + standing)

    # The judgement.

    def judge(self) -> None:
        """Write to `shares` what every power can hope for, between movement turns.

        There must be no dislodged units. Who has won has all.
        """
        if self.state.winner >= 0:
            for power in range(self.powers):
                self.shares[power] = 1.0 if power == self.state.winner else 0.0
            return
        self.list_facts()
        self.add_rows()
        for power in range(self.powers):
            score = self.weights[self.output_bias_base + power] * UNIT
            first = self.output_base + power * self.hidden
            total = 0.0
            for index in range(self.hidden):
                if self.sums[index] > 0:
                    total += self.sums[index] * 1.0 * self.weights[first + index]
            self.scores[power] = (score + total) / (UNIT * UNIT)
        base = self.mark_base + self.season * MARKS
        for index in range(self.mark_count):
            self.scores[self.mark_power[index]] += (
                self.weights[base + self.marked[index]] * 1.0 / UNIT
            )
        self.share_out()

    def add_rows(self) -> None:
        """Add up the rows of the facts that hold."""
        for index in range(self.hidden):
            self.sums[index] = self.weights[self.bias_base + index]
        for number in range(self.active_count):
            first = self.active[number] * self.hidden
            for index in range(self.hidden):
                self.sums[index] += self.weights[first + index]

    def share_out(self) -> None:
        """Turn scores into shares; who has neither unit nor center has none."""
        highest = -1e9
        for power in range(self.powers):
            if self.is_alive(power) and self.scores[power] > highest:
                highest = self.scores[power]
        total = 0.0
        for power in range(self.powers):
            self.shares[power] = 0.0
            if self.is_alive(power):
                self.shares[power] = exp(self.scores[power] - highest)
                total += self.shares[power]
        for power in range(self.powers):
            self.shares[power] /= total

    def is_alive(self, power: int) -> int:
        """Whether a power is still in the game."""
        return self.sizes[power] > 0 or self.unit_counts[power] > 0

    def judged(self) -> list[float]:
        """Judge the position, for callers."""
        self.judge()
        return list(self.shares)
