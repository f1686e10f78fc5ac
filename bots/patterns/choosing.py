"""Choose a set of orders by its score, the mean of the scores of its orders.

The orders of each unit are thinned at random until no more than `candidates` sets are left; a beam
search finds good ones among those in which no order spoils another (`bots.kernel.fitting`).
"""

from collections.abc import Sequence
from random import Random

from bots.kernel import Fitting
from bots.kernel.fitting import WIDEST

Scored = Sequence[tuple[float, int]]
"""The orders of a unit with their scores."""


def thinned(choices: Sequence[Sequence[int]], candidates: int, random: Random) -> list[list[int]]:
    """Leave out orders at random, always of the unit that has the most, down to so many sets."""
    left = [list(each) for each in choices]
    sets = 1
    for each in left:
        sets *= len(each)
    while sets > candidates:
        longest = max(left, key=len)
        if len(longest) == 1:
            break
        sets = sets // len(longest) * (len(longest) - 1)
        del longest[int(random.random() * len(longest))]
    return left


def coherent_sets(
    choices: Sequence[Scored],
    count: int,
    fitting: Fitting,
    spare: Sequence[Scored] | None = None,
) -> list[tuple[float, list[int]]]:
    """Return good sets in which no order spoils another, the best first.

    Where what the others ask of a unit was thinned out, it gets one of its `spare` orders that
    fits; where none does, it just does its best.
    """
    fitting.begin(len(choices), min(count, WIDEST))
    order = sorted(range(len(choices)), key=lambda unit: -max(score for score, _ in choices[unit]))
    for unit in order:
        ranked = _ranked(choices[unit])
        if _grow(fitting, ranked) or (spare and _grow(fitting, _ranked(spare[unit]))):
            continue
        score, code = ranked[0]
        fitting.force(code, score)
    return fitting.sets()


def _ranked(scored: Scored) -> Scored:
    return sorted(scored, key=lambda entry: -entry[0])


def _grow(fitting: Fitting, ranked: Scored) -> int:
    return fitting.grow([code for _, code in ranked], [score for score, _ in ranked])


def draw(sets: Sequence[tuple[float, list[int]]], random: Random) -> list[int]:
    """Draw one of the sets, each as likely as its score is large."""
    left = random.random() * sum(score for score, _ in sets)
    for score, orders in sets:
        left -= score
        if left < 0:
            return orders
    return sets[-1][1]
