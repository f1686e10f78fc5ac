"""Let worth spread over a board in steps, as value maps do, in exact arithmetic.

Doubles hold whole numbers exactly far beyond any value here, so the same code serves the variants
that divide without remainder and those that keep fractions.
"""

from array import array
from collections.abc import Sequence

from .arrays import integers

DIVISOR = 5.0
ROUNDER = 6755399441055744.0
"""Added and taken away again, it leaves the nearest whole number of what was below 2**51."""

# How a sum is divided among the steps.
DOWN = 0  # to the next whole number below; nothing is negative
TOWARD_ZERO = 1
EXACTLY = 2  # with fractions


class Spreading:
    """The neighbours of every place of one board.

    Place n adds up the places `sources[starts[n]:starts[n + 1]]`; numbers from the count of places
    on stand for groups, each of which counts as its best member.
    """

    def __init__(self, sources: Sequence[Sequence[int]], groups: Sequence[Sequence[int]]) -> None:
        self.places = len(sources)
        self.group_count = len(groups)
        known = [each for row in sources for each in row]
        if not all(0 <= each < self.places + self.group_count for each in known):
            raise ValueError("no such place among the sources")
        if not all(groups) or not all(0 <= each < self.places for row in groups for each in row):
            raise ValueError("no such place in a group")
        self.starts = integers(starts_of(sources))
        self.sources = integers([each for row in sources for each in row] or [0])
        self.group_starts = integers(starts_of(groups))
        self.members = integers([each for row in groups for each in row] or [0])
        self.level = array("d", bytes(8 * (self.places + self.group_count)))
        self.following = array("d", bytes(8 * self.places))

    def spread(
        self, worth: Sequence[float], weights: Sequence[float], rounding: int
    ) -> list[float]:
        """Return what each place has in the end: the sum over all steps, each with its weight."""
        if len(worth) != self.places or not weights:
            raise ValueError("every place has one worth, and there is one step at least")
        totals = array("d", bytes(8 * self.places))
        for place in range(self.places):
            self.level[place] = worth[place]
            totals[place] = weights[0] * worth[place]
        for number in range(1, len(weights)):
            self.step(rounding)
            self.add(totals, weights[number])
        return list(totals)

    def add(self, totals: "array[float]", weight: float) -> None:
        """Take over the next level, and add it up."""
        for place in range(self.places):
            self.level[place] = self.following[place]
            totals[place] += weight * self.following[place]

    def step(self, rounding: int) -> None:
        """Give every place a fifth of what it and its neighbours have."""
        for group in range(self.group_count):
            best = self.level[self.members[self.group_starts[group]]]
            for index in range(self.group_starts[group] + 1, self.group_starts[group + 1]):
                if best < self.level[self.members[index]]:  # noqa: PLR1730 - plain C
                    best = self.level[self.members[index]]
            self.level[self.places + group] = best
        for place in range(self.places):
            total = 0.0
            for index in range(self.starts[place], self.starts[place + 1]):
                total += self.level[self.sources[index]]
            if rounding == EXACTLY:
                self.following[place] = total / DIVISOR
            elif rounding == TOWARD_ZERO and total < 0.0:
                self.following[place] = -self.whole(-total)
            else:
                self.following[place] = self.whole(total)

    def whole(self, total: float) -> float:
        """Divide what is not negative, without the remainder."""
        nearest = (total / DIVISOR + ROUNDER) - ROUNDER
        return nearest - 1.0 if nearest * DIVISOR > total else nearest


def starts_of(rows: Sequence[Sequence[int]]) -> list[int]:
    """Return where each row begins when all stand one after the other, and where the last ends."""
    starts = [0]
    end = 0
    for row in rows:
        end += len(row)
        starts.append(end)
    return starts
