"""A test that may be looked at after every game: an interval that holds all the time.

The interval is Robbins' normal mixture with the variance estimated on the way (an asymptotic
confidence sequence, after Waudby-Smith and others). However often one looks, and whenever one stops
because of what one sees, the true mean lies outside at some time in at most `error` of all runs.
"""

from math import log, sqrt

from attrs import Factory, define

LEAST = 14
"""Before so many values the variance is not known well enough to say anything."""
TUNED_TO = 100
"""The number of values at which the interval is tightest."""
ONE_SURPRISE = 1.0
"""The least sum of squared deviations that is believed: what one value of 1, the largest, makes.

Values that are all alike do not show that others never come. Without this a few pairs of games that
come out the same would do for two bots that differ seldom, but then by much."""


@define
class Sequence:
    """Values between -1 and 1 that come one after the other."""

    error: float = 0.05
    values: list[float] = Factory(list)

    @property
    def mean(self) -> float:
        """The mean so far."""
        return sum(self.values) / len(self.values) if self.values else 0.0

    @property
    def radius(self) -> float:
        """How far the true mean may be from the mean so far; infinite as long as nobody knows."""
        count = len(self.values)
        if count < LEAST:
            return float("inf")
        mean = self.mean
        squares = sum((value - mean) ** 2 for value in self.values)
        variance = max(squares, ONE_SURPRISE) / (count - 1)
        spread = count * self._tuning + 1
        scale = 2 * spread / (count**2 * self._tuning)
        return sqrt(variance * scale * log(sqrt(spread) / self.error))

    @property
    def _tuning(self) -> float:
        # The choice that makes the interval about as tight as it can be at TUNED_TO.
        return (-2 * log(self.error) + log(-2 * log(self.error) + 1)) / TUNED_TO

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true mean lies."""
        return self.mean - self.radius, self.mean + self.radius

    @property
    def is_decided(self) -> bool:
        """Whether the mean is surely not 0."""
        low, high = self.interval
        return low > 0 or high < 0
