"""Worth that spreads: plain, compiled and by Python's own whole numbers it is the same."""

from functools import reduce
from operator import add
from random import Random

import pytest

from bots.kernel import Spreading
from bots.kernel.spreading import DOWN, EXACTLY, TOWARD_ZERO
from bots.kernel.spreading import Spreading as PlainSpreading
from bots.unit_places import unit_places_of
from tests.bots.talking import BOARD

PLACES = unit_places_of(BOARD)
WEIGHTS = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)


def by_python(worth: list[int], rounding: int) -> list[float]:
    """Do the same with the division that each variant of DumbBot is said to have."""
    level: list[float] = list(worth)
    totals: list[float] = [WEIGHTS[0] * each for each in level]
    for weight in WEIGHTS[1:]:
        seen = level + [max(level[each] for each in group) for group in PLACES.twins]
        # One after the other: `sum` adds floats more exactly than that from Python 3.12 on.
        sums = [reduce(add, (seen[each] for each in sources)) for sources in PLACES.sources]
        if rounding == EXACTLY:
            level = [each / 5 for each in sums]
        elif rounding == DOWN:
            level = [each // 5 for each in sums]
        else:
            level = [int(each / 5) for each in sums]
        totals = [total + weight * each for total, each in zip(totals, level, strict=True)]
    return totals


@pytest.mark.parametrize("rounding", [DOWN, TOWARD_ZERO, EXACTLY])
@pytest.mark.parametrize("kind", [Spreading, PlainSpreading])
def test_it_spreads_as_whole_numbers_do(kind: type[Spreading], rounding: int) -> None:
    random = Random(rounding)
    spreading = kind(PLACES.sources, PLACES.twins)
    for _ in range(20):
        low = -900_000 if rounding == TOWARD_ZERO else 0
        worth = [random.choice((0, random.randrange(low, 900_000))) for _ in PLACES.sources]
        found = spreading.spread([float(each) for each in worth], WEIGHTS, rounding)
        assert found == by_python(worth, rounding)


def test_fractions_are_rounded_down_as_python_does() -> None:
    random = Random(5)
    spreading = Spreading(PLACES.sources, PLACES.twins)
    worth = [random.random() * 1e5 for _ in PLACES.sources]
    expected = by_python(worth, DOWN)  # type: ignore[arg-type]  # one of three
    assert spreading.spread(worth, WEIGHTS, DOWN) == expected
