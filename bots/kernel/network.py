"""What a position is worth to every power, by a small network that was learned from games.

The inputs are facts that hold or do not: which unit stands where, who owns which center, how many
centers each power has, which season it is. Each fact that holds adds a row of integers to the
hidden layer, about eighty rows in all; positions that are judged one after the other differ in few,
and only those are taken away and added. Beside it there are *marks*: facts about one
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

from .arrays import doubles, integers, zeros
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
        # By what facts are about (provinces, centers, powers, the season): the fact that holds, or
        # -1 for none; and the one whose row was added last.
        self.subjects = self.provinces + self.center_total + self.powers + 1
        self.facts = integers([-1] * self.subjects)
        self.added = integers([-1] * self.subjects)
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
        # What goes on from the hidden layer, and the weights it meets there; with room for sums by
        # fours. All are whole numbers, and none is so large that a double would not hold it.
        self.width = (hidden + 3) // 4 * 4
        self.levels = doubles(self.width)
        self.outputs = doubles(self.powers * self.width)
        self.tallies = zeros(self.powers)  # what the marks of each power weigh
        self.scores = array("d", bytes(8 * self.powers))
        self.shares = array("d", bytes(8 * self.powers))

    def load(self, weights: Sequence[int]) -> None:
        """Take over all weights."""
        if len(weights) != self.weight_count:
            raise ValueError(f"{len(weights)} weights, not {self.weight_count}")
        for index in range(self.weight_count):
            self.weights[index] = weights[index]
        for power in range(self.powers):
            for index in range(self.hidden):
                weight = self.weights[self.output_base + power * self.hidden + index]
                self.outputs[power * self.width + index] = weight
        for index in range(self.hidden):
            self.sums[index] = self.weights[self.bias_base + index]
        for subject in range(self.subjects):
            self.added[subject] = -1

    # Facts.

    def list_facts(self) -> None:
        """List what holds in the position, for those who go through all of it."""
        self.note_facts()
        self.list_active()

    def note_facts(self) -> None:
        """Note what holds in the position."""
        season = SEASONS - 1
        if self.state.season == SPRING:
            season = 0
        elif self.state.season == FALL:
            season = 1
        self.season = season
        for power in range(self.powers):
            self.sizes[power] = 0
            self.unit_counts[power] = 0
        for province in range(self.provinces):
            mover = self.state.unit[province]
            fact = -1
            if mover >= 0:
                power = self.state.power[province]
                self.unit_counts[power] += 1
                fact = mover * self.powers + power
            self.facts[province] = fact
        subject = self.provinces
        for number in range(self.center_total):
            owner = self.state.owner[self.game.centers[number]]
            if owner >= 0:
                self.sizes[owner] += 1
            self.facts[subject] = self.owner_base + number * (self.powers + 1) + owner + 1
            subject += 1
        for power in range(self.powers):
            size = min(self.sizes[power], SIZES - 1)
            self.facts[subject] = self.size_base + power * SIZES + size
            subject += 1
        self.facts[subject] = self.season_base + season
        self.list_marks()

    def list_active(self) -> None:
        """List the facts that hold, one after the other."""
        count = 0
        for subject in range(self.subjects):
            self.active[count] = self.facts[subject]
            count += self.facts[subject] >= 0
        self.active_count = count

    def list_marks(self) -> None:
        """List the facts about one power and one center, and the sizes of the powers."""
        self.mark_count = 0
        self.game.count_bearing()
        for number in range(self.center_total):
            self.mark_center(self.game.centers[number])
        for power in range(self.powers):
            self.mark(power, CENTER_MARKS + min(self.sizes[power], SIZES - 1))
            surplus = max(-2, min(2, self.unit_counts[power] - self.sizes[power]))
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
        others = 1 if owner >= 0 else 2
        presence = 2 if holder >= 0 else 0
        first = center * self.powers
        most = 0
        second = 0  # as many as `most` where two powers have the most
        for power in range(self.powers):
            bearing: int = self.game.bearing[first + power]
            second = max(second, min(most, bearing))
            most = max(most, bearing)
        for power in range(self.powers):
            ours = self.game.bearing[first + power]
            if not ours and owner != power:
                continue
            theirs = second if ours == most else most
            relation = 0 if owner == power else others
            standing = 1 if holder == power else presence
            fact = (relation * REACH + min(ours, REACH - 1)) * REACH + min(theirs, REACH - 1)
            self.mark(power, fact * STANDING + standing)

    # The judgement.

    def judge(self) -> None:
        """Write to `shares` what every power can hope for, between movement turns.

        There must be no dislodged units. Who has won has all.
        """
        if self.state.winner >= 0:
            for power in range(self.powers):
                self.shares[power] = 1.0 if power == self.state.winner else 0.0
            return
        self.note_facts()
        self.add_rows()
        self.weigh_marks()
        for index in range(self.hidden):
            self.levels[index] = max(self.sums[index], 0)
        for power in range(self.powers):
            score = self.weights[self.output_bias_base + power] * UNIT
            first = power * self.width
            # Sums that do not wait for one another; compiled, one instruction adds to two of them.
            one = two = three = four = 0.0
            for index in range(0, self.width, 4):
                one += self.levels[index] * self.outputs[first + index]
                two += self.levels[index + 1] * self.outputs[first + index + 1]
                three += self.levels[index + 2] * self.outputs[first + index + 2]
                four += self.levels[index + 3] * self.outputs[first + index + 3]
            total = score + one + two + three + four
            self.scores[power] = total / (UNIT * UNIT) + self.tallies[power] * 1.0 / UNIT
        self.share_out()

    def add_rows(self) -> None:
        """Take away the rows of facts that no longer hold, and add those of others that now do."""
        for subject in range(self.subjects):
            fact = self.facts[subject]
            if fact != self.added[subject]:
                if self.added[subject] >= 0:
                    self.add_row(self.added[subject] * self.hidden, -1)
                if fact >= 0:
                    self.add_row(fact * self.hidden, 1)
                self.added[subject] = fact

    def add_row(self, first: int, factor: int) -> None:
        """Add the row of a fact, or with a factor of -1 take it away."""
        for index in range(self.hidden):
            self.sums[index] += factor * self.weights[first + index]

    def weigh_marks(self) -> None:
        """Add up the weights of the marks of each power."""
        for power in range(self.powers):
            self.tallies[power] = 0
        base = self.mark_base + self.season * MARKS
        for index in range(self.mark_count):
            self.tallies[self.mark_power[index]] += self.weights[base + self.marked[index]]

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
