"""Try order sets against the same guesses of what the others do, so that they can be compared.

Guess n, and the dice of what is played after it, are the same for every order set: most of the
luck is the others', and it cancels out.
"""

from array import array
from collections.abc import Callable, Sequence
from math import sqrt

from bots.kernel import Playouts
from bots.search.proposals import OrderSet

Guess = Callable[[], Sequence[int]]
"""Gives codes for all units of the others, other ones each time."""


class Trial:
    """An order set, and what came of it against each guess so far."""

    def __init__(self, orders: OrderSet) -> None:
        self.orders = orders
        self.codes = array("q", orders)
        self.scores = array("d")

    def mean(self) -> float:
        """Return the mean score."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0


class Guesses:
    """What the others may do, drawn when it is first needed."""

    def __init__(self, guess: Guess, first_seed: int) -> None:
        self._guess = guess
        self.first_seed = first_seed
        self.codes = array("q")
        self.starts = array("i", [0])

    def __len__(self) -> int:
        return len(self.starts) - 1

    def draw(self, count: int) -> None:
        """See to it that there are so many."""
        while len(self) < count:
            self.codes.extend(self._guess())
            self.starts.append(len(self.codes))

    def extend(self, trial: Trial, count: int, game: Playouts) -> None:
        """Try an order set until it has met so many guesses, which must have been drawn."""
        done = len(trial.scores)
        if done >= count:
            return
        scores = array("d", bytes(8 * (count - done)))
        starts = self.starts[done : count + 1]
        game.weigh(trial.codes, self.codes, starts, self.first_seed + done, scores)
        trial.scores.extend(scores)


def paired_t(first: Trial, second: Trial) -> float:
    """Return Student's t for the first being better, over the guesses that both have met."""
    count = min(len(first.scores), len(second.scores))
    gaps = [first.scores[n] - second.scores[n] for n in range(count)]
    mean = sum(gaps) / count
    if count < 2:
        return mean
    variance = sum((gap - mean) ** 2 for gap in gaps) / (count - 1)
    if variance <= 0:
        return 0.0 if mean == 0 else float("inf") if mean > 0 else float("-inf")
    return mean / sqrt(variance / count)


def t_quantile(z: float, degrees: int) -> float:
    """Return the quantile of Student's t where that of the normal distribution is z.

    The first terms of the Cornish-Fisher expansion: right to 0.01 from 7 degrees on.
    """
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + first / degrees + second / degrees**2
