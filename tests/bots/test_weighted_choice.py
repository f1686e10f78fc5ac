"""How DumbBot chooses among options: the chances by hand, and whole distributions by laws."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.dumbbot.weighted_choice import (
    exact_chance,
    pick,
    rounded_chance,
    wrapping_chance,
)

EVERY_CHANCE = pytest.mark.parametrize("chance", [exact_chance, rounded_chance, wrapping_chance])


class Drawn(Random):
    """Chances that a test has written down."""

    def __init__(self, *numbers: float) -> None:
        super().__init__(0)
        self._numbers = list(numbers)

    def random(self) -> float:
        return self._numbers.pop(0)

    @property
    def left(self) -> int:
        return len(self._numbers)


@EVERY_CHANCE
@pytest.mark.parametrize(
    ("value", "following", "percent"),
    [
        (1000, 1000, 0),
        (1000, 980, 10),
        (1000, 900, 50),
        (1000, 800, 100),
        (1000, 0, 500),
        (0, 0, 0),
    ],
)
def test_the_chance_to_stay_is_five_times_the_difference(
    chance: object, value: int, following: int, percent: int
) -> None:
    assert callable(chance)
    assert chance(value, following) == percent


def test_the_ways_to_reckon_differ_in_the_last_per_cent_and_in_large_numbers() -> None:
    assert (exact_chance(1000, 999), rounded_chance(300, 299)) == (0, 2)
    assert exact_chance(300, 299) == 1
    assert exact_chance(10_000_000, 1_000_000) == 450
    # 9 million times 500 does not fit into 32 bits: 205 million are left over.
    assert wrapping_chance(10_000_000, 1_000_000) == int(205_032_704 / 10_000_000)


@given(value=st.integers(1, 4_000_000), share=st.floats(0, 1))
def test_small_numbers_are_reckoned_alike_with_and_without_wrapping(
    value: int, share: float
) -> None:
    following = int(value * share)
    assert wrapping_chance(value, following) == exact_chance(value, following)
    assert 0 <= exact_chance(value, following) <= 500


def test_nothing_is_drawn_for_a_single_option() -> None:
    drawn = Drawn()
    assert pick([(7, 3)], exact_chance, drawn) == 0


@pytest.mark.parametrize(
    ("numbers", "chosen"),
    [
        ((0.5,), 0),  # no alternative is considered, and no second number drawn
        ((0.49, 0.09), 0),  # kept: 9 per cent is below the 10
        ((0.49, 0.1, 0.5), 1),
        ((0.49, 0.1, 0.0, 0.04), 1),  # from 980 to 931 it is 25 per cent
        ((0.49, 0.1, 0.0, 0.25), 2),
    ],
)
def test_each_step_compares_with_the_current_option(
    numbers: tuple[float, ...], chosen: int
) -> None:
    drawn = Drawn(*numbers)
    assert pick([(1000, 0), (980, 1), (931, 2)], exact_chance, drawn) == chosen
    assert drawn.left == 0


@given(
    values=st.lists(st.integers(1, 10_000), min_size=1, max_size=6),
    alternative=st.floats(0, 1),
    seed=st.integers(0, 1000),
)
def test_only_what_is_nearly_as_good_is_ever_chosen(
    values: list[int], alternative: float, seed: int
) -> None:
    options = [(value, place) for place, value in enumerate(sorted(values, reverse=True))]
    chosen = pick(options, exact_chance, Random(seed), alternative)
    for before, after in pairwise(options[: chosen + 1]):
        assert exact_chance(before[0], after[0]) < 100
    if alternative == 0:
        assert chosen == 0


def test_equal_options_are_chosen_half_as_often_each_time() -> None:
    random, options = Random(4), [(50, 0), (50, 1), (50, 2), (50, 3)]
    found = Counter(pick(options, exact_chance, random) for _ in range(8000))
    for place, share in enumerate((0.5, 0.25, 0.125, 0.125)):
        assert found[place] / 8000 == pytest.approx(share, abs=0.02)
