"""The weights of patterns: how they are learned, and how they score orders.

Patterns are numbered as they come, and found by an open hash table. A weight is a whole number of
millionths, the age of a pattern is how often it was updated; 0 says that it was only asked for.
"""

from math import lgamma

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

from .arrays import long_integers, zeros
from .chances import doubles

if not cython.compiled:
    from math import exp, log

SCALE = 1_000_000
UNKNOWN = 0.5
AGE_FACTOR = 0.1
ONES = 1 << 8
TWOS = 1 << 16
THREES = 1 << 25
ALL_FEATURES = 1 << 40
FIELDS = 15
PAIR = 1 << 62
"""What the keys of pairs of patterns begin with; the rest is their two numbers."""
PAIR_BITS = 30
LOW_BITS = (1 << 28) - 1
MIXER = 268435399
OTHER_MIXER = 1000003
ROUNDER = 6755399441055744.0
"""Added to a number and taken away again it leaves the nearest whole one, the even one of two."""
REMEMBERED = 1 << 14
"""For ages below it logarithms are looked up."""
FIRST_ROOM = 1 << 10
LARGEST = 1 << 30
LARGEST_VECTOR = (1 << 32) - 1


class Memory:
    """What one power has learned: weight and age by pattern.

    `sizes` is how many features the larger patterns have, beside those of all features.
    """

    def __init__(self, sizes: int) -> None:
        self.sizes = sizes
        self.count = 0
        self.room = 0
        self.stamp = 1
        self.rate = -1.0
        self.one_count = 0
        self.touched_count = 0
        self.ones = zeros(FIELDS)
        self.gammas = doubles(REMEMBERED)
        self.rate_gammas = doubles(REMEMBERED)
        self.rate_stamps = long_integers(REMEMBERED)
        self.rate_stamp = 0
        self.keys = long_integers(0)
        self.weights = zeros(0)
        self.ages = zeros(0)
        self.given = zeros(0)
        self.touched = zeros(0)
        self.totals = doubles(0)
        self.trusts = doubles(0)
        self.scores = doubles(0)
        self.stamps = long_integers(0)
        self.table = zeros(0)
        self.make_room(FIRST_ROOM)

    # Patterns and their numbers.

    def make_room(self, room: int) -> None:
        """Make all arrays longer, and the table anew."""
        keys, stamps = long_integers(room), long_integers(room)
        weights, ages = zeros(room), zeros(room)
        totals, trusts, scores, given = doubles(room), doubles(room), doubles(room), zeros(room)
        touched = zeros(room)
        for number in range(self.count):
            keys[number] = self.keys[number]
            weights[number] = self.weights[number]
            ages[number] = self.ages[number]
            stamps[number] = self.stamps[number]
            totals[number] = self.totals[number]
            trusts[number] = self.trusts[number]
            scores[number] = self.scores[number]
            given[number] = self.given[number]
        for number in range(self.touched_count):
            touched[number] = self.touched[number]
        self.keys, self.weights, self.ages, self.stamps = keys, weights, ages, stamps
        self.totals, self.trusts, self.scores, self.given = totals, trusts, scores, given
        self.touched = touched
        self.room = room
        self.table = zeros(4 * room)
        for number in range(self.count):
            self.table[self.slot_of(self.keys[number])] = number + 1

    def slot_of(self, key: int) -> int:
        """Return where in the table a key is, or would be."""
        mixed = (key & LOW_BITS) * MIXER + (key >> 28) * OTHER_MIXER
        slot = (mixed ^ (mixed >> 17) ^ (mixed >> 31)) & (4 * self.room - 1)
        while self.table[slot] and self.keys[self.table[slot] - 1] != key:
            slot = (slot + 1) & (4 * self.room - 1)
        return slot

    def find(self, key: int) -> int:
        """Return the number of a pattern, -1 if it has none."""
        return self.table[self.slot_of(key)] - 1

    def number_of(self, key: int) -> int:
        """Return the number of a pattern, a new one if need be."""
        slot = self.slot_of(key)
        if not self.table[slot]:
            if self.count == self.room:
                self.make_room(2 * self.room)
                slot = self.slot_of(key)
            self.keys[self.count] = key
            self.count += 1
            self.table[slot] = self.count
        return self.table[slot] - 1

    def check(self, key: int, times: int) -> None:
        """Refuse what is no pattern, and what cannot be counted."""
        if key < 0 or key >= PAIR or times < 1 or times >= LARGEST:
            raise ValueError("no pattern, or not so often")

    def pair_key(self, one: int, other: int) -> int:
        """Return the key of two patterns by their numbers, whichever comes first."""
        low = min(one, other)
        high = max(one, other)
        return PAIR | (low << PAIR_BITS) | high

    def put(self, key: int, weight: int, age: int) -> None:
        """Take in a pattern from elsewhere."""
        self.check(key, age + 1)
        self.note(self.number_of(key), weight, age)

    def put_pair(self, one: int, other: int, weight: int, age: int) -> None:
        """Take in a pair of patterns from elsewhere."""
        self.check(one, age + 1)
        self.check(other, age + 1)
        key = self.pair_key(self.number_of(one), self.number_of(other))
        self.note(self.number_of(key), weight, age)

    def note(self, number: int, weight: int, age: int) -> None:
        """Keep what a pattern is worth from now on."""
        trust = 1.0 + AGE_FACTOR * log(1.0 + age)
        self.weights[number] = weight
        self.ages[number] = age
        self.totals[number] = trust * weight / SCALE
        self.trusts[number] = trust
        self.stamp += 1

    def entries(self) -> list[tuple[int, int, int, int]]:
        """Return what was learned: pattern, the other one of a pair or -1, weight, age."""
        found: list[tuple[int, int, int, int]] = []
        for number in range(self.count):
            if self.ages[number]:
                key, other = self.keys[number], -1
                if key >= PAIR:
                    other = self.keys[key & ((1 << PAIR_BITS) - 1)]
                    key = self.keys[(key - PAIR) >> PAIR_BITS]
                found.append((key, other, self.weights[number], self.ages[number]))
        return found

    # Scores.

    def list_features(self, vector: int) -> None:
        """List the single features of a vector, which are also its 1-patterns."""
        kind = (vector & 3) << 6
        self.one_count = 0
        for field in range(FIELDS):
            value = (vector >> (2 + 2 * field)) & 3
            if value:
                self.ones[self.one_count] = kind | (field << 2) | value
                self.one_count += 1

    def score(self, vector: int) -> float:
        """Return how good an order with these features is, 0 to 1.

        Larger patterns are more specific and count for more: each size is averaged with the score
        of the smaller ones. Within a size, older patterns count slightly more.
        """
        self.check(LARGEST_VECTOR - vector, 1)
        self.check(vector, 1)
        whole = self.number_of(ALL_FEATURES + vector)
        if self.stamps[whole] != self.stamp:
            self.list_features(vector)
            score = self.mean_of(1, -1.0)
            score = self.mean_of(2, score)
            if self.sizes > 2:
                score = self.mean_of(3, score)
            if self.ages[whole]:
                mean = self.totals[whole] / self.trusts[whole]
                score = mean if score < 0 else (score + mean) / 2
            self.scores[whole] = UNKNOWN if score < 0 else score
            self.stamps[whole] = self.stamp
        return self.scores[whole]

    def mean_of(self, size: int, score: float) -> float:
        """Average a score with the mean of all known patterns of a size."""
        total = 0.0
        trust = 0.0
        count = self.one_count
        for first in range(count):
            a = self.ones[first]
            for second in range(first + 1 if size > 1 else count - 1, count):
                b = self.ones[second]
                for third in range(second + 1 if size > 2 else count - 1, count):
                    number = self.find(key_of(size, a, b, self.ones[third]))
                    if number >= 0 and self.ages[number]:
                        total += self.totals[number]
                        trust += self.trusts[number]
        if trust == 0.0:
            return score
        return total / trust if score < 0 else (score + total / trust) / 2

    # Learning.

    def learn_vectors(self, counts: dict[int, int], success: bool, rate: float) -> None:  # noqa: FBT001 - for the kernel
        """Update every pattern of the orders given in a game, once per occurrence."""
        for vector, count in counts.items():
            self.check(LARGEST_VECTOR - vector, count)
            self.check(vector, count)
            self.list_features(vector)
            self.give_all(1, count)
            self.give_all(2, count)
            if self.sizes > 2:
                self.give_all(3, count)
            self.give(self.number_of(ALL_FEATURES + vector), count)
        self.learn_given(success, rate)

    def give_all(self, size: int, times: int) -> int:
        """Count all patterns of a size of the features; return how many features there are."""
        count = self.one_count
        for first in range(count):
            a = self.ones[first]
            for second in range(first + 1 if size > 1 else count - 1, count):
                b = self.ones[second]
                for third in range(second + 1 if size > 2 else count - 1, count):
                    self.give(self.number_of(key_of(size, a, b, self.ones[third])), times)
        return count

    def give(self, number: int, times: int) -> None:
        """Count a pattern so many times."""
        if not self.given[number]:
            self.touched[self.touched_count] = number
            self.touched_count += 1
        self.given[number] += times

    def give_key(self, key: int, times: int) -> None:
        """Count a pattern for `learn_given`."""
        self.check(key, times)
        self.give(self.number_of(key), times)

    def give_pair(self, one: int, other: int, times: int) -> None:
        """Count a pair of patterns for `learn_given`."""
        self.check(one, times)
        self.check(other, times)
        key = self.pair_key(self.number_of(one), self.number_of(other))
        self.give(self.number_of(key), times)

    def learn_given(self, success: bool, rate: float) -> None:  # noqa: FBT001 - for the kernel
        """Update the patterns that were counted, each as often as it occurred."""
        if rate != self.rate:
            self.rate = rate
            self.rate_stamp += 1
        goal = SCALE if success else 0
        while self.touched_count:
            self.touched_count -= 1
            number = self.touched[self.touched_count]
            count, self.given[number] = self.given[number], 0
            weight = self.updated(self.weights[number], self.ages[number], count, goal)
            self.note(number, weight, self.ages[number] + count)

    def updated(self, weight: int, age: int, count: int, goal: int) -> int:
        """Return a weight after some equal results in a row.

        One step is w' = (w (n - 1) + k v) / (n + k - 1) at the n-th update, v = 1 for success. So
        the distance to v shrinks by (n - 1) / (n + k - 1); many such factors are a quotient of
        gammas.
        """
        if not age:
            return goal if self.rate else weight
        shrunk = exp(
            self.gamma(age + count)
            - self.gamma(age)
            + self.rate_gamma(age)
            - self.rate_gamma(age + count)
        )
        return goal + int((weight - goal) * shrunk + ROUNDER - ROUNDER)

    def gamma(self, age: int) -> float:
        """Return the logarithm of an age's gamma; of 1 and 2 it is 0 and quickly found again."""
        if age < 0 or age >= REMEMBERED:
            return lgamma(age)
        if self.gammas[age] == 0.0:
            self.gammas[age] = lgamma(age)
        return self.gammas[age]

    def rate_gamma(self, age: int) -> float:
        """Return the logarithm of the gamma of an age and the rate."""
        if age < 0 or age >= REMEMBERED:
            return lgamma(age + self.rate)
        if self.rate_stamps[age] != self.rate_stamp:
            self.rate_gammas[age] = lgamma(age + self.rate)
            self.rate_stamps[age] = self.rate_stamp
        return self.rate_gammas[age]


def key_of(size: int, a: int, b: int, c: int) -> int:
    """Return the key of the first features of three, as many as `size` says."""
    if size == 1:
        return a
    if size == 2:
        return TWOS + a * ONES + b
    return THREES + (a * ONES + b) * ONES + c
