from collections.abc import Sequence
from itertools import combinations, product
from math import comb, sqrt
from random import Random
from statistics import NormalDist, mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.power_analysis import difference_found, pairs_needed
from tournament.resampling import (
    Bootstrap,
    bca_interval,
    clustered_error,
    exact_permutation_test,
    holm,
    permutation_tests,
    quantile,
    share_test,
    wilson,
)

# Darwin's maize: heights of crossed less self-fertilised plants, in eighths of an inch. Fisher
# (The Design of Experiments, 1935, section 21) counts 863 of the 32768 sign patterns as at least
# as far on one side, 1726 on both.
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
# Efron and Tibshirani (An Introduction to the Bootstrap, 1993), table 14.1: 26 spatial test data.
SPATIAL = [48, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41]
SPATIAL += [24, 26, 30, 41]


def sign_flip_tests(
    columns: Sequence[Sequence[float]], *, seed: str, permutations: int | None = None
) -> list[float]:
    """Test columns of paired differences, each of which might as well be its negative."""
    tests = [
        {unit: (value, -value) for unit, value in enumerate(column) if value} for column in columns
    ]
    return permutation_tests(tests, seed=seed, permutations=permutations)


def rows_of(values: Sequence[float]) -> list[tuple[float, float]]:
    return [(value, 1.0) for value in values]


def flipped(differences: Sequence[int]) -> float | None:
    # Far apart, so that the tolerance for rounding is nothing beside them.
    return exact_permutation_test([(each << 20, -each << 20) for each in differences])


def test_the_exact_test_counts_as_fisher_did() -> None:
    assert flipped(DARWIN) == 1726 / 2**15


def test_the_exact_test_agrees_with_trying_every_pattern() -> None:
    random = Random(5)
    for _ in range(20):
        differences = [random.randint(-9, 9) for _ in range(random.randint(1, 9))]
        totals = [
            sum(sign * each for sign, each in zip(signs, differences, strict=True))
            for signs in product((1, -1), repeat=len(differences))
        ]
        extreme = sum(abs(total) >= abs(sum(differences)) for total in totals)
        assert flipped(differences) == extreme / len(totals)


def test_the_exact_test_of_ones_is_the_sign_test() -> None:
    tail = sum(comb(100, k) for k in range(61, 101)) / 2**100
    assert flipped([1] * 61 + [-1] * 39) == pytest.approx(2 * tail)


def test_no_difference_at_all_gives_one() -> None:
    assert flipped([0, 0, 0]) == 1
    assert sign_flip_tests([[0.0, 0.0]], seed="x") == [1.0]


def test_random_flips_come_near_the_exact_value() -> None:
    random = Random(2)
    column = [random.gauss(0.25, 1) for _ in range(60)]  # too many distinct sums to count
    assert flipped([round(each * 2**24) for each in column]) is None
    [p] = sign_flip_tests([column], seed="x")
    t = mean(column) / (stdev(column) / sqrt(60))
    normal = 2 * (1 - NormalDist().cdf(abs(t)))
    assert p == pytest.approx(normal, abs=0.015)


def test_columns_tested_together_keep_their_own_values() -> None:
    random = Random(3)
    columns = [[random.gauss(shift, 1) for _ in range(75)] for shift in (0.0, 0.3, 0.9)]
    together = sign_flip_tests([*columns, [1.0] * 12 + [0.0] * 63], seed="x")
    alone = [sign_flip_tests([column], seed="x")[0] for column in columns]
    assert together[:3] == alone
    assert together[3] == 2 / 2**12
    assert together[2] == 1 / 10_000


def dealt(own: Sequence[float], others: Sequence[float]) -> list[float]:
    values = [*own, *others]
    return [
        sum(chosen) / len(own) - (sum(values) - sum(chosen)) / len(others)
        for chosen in combinations(values, len(own))
    ]


def test_one_unit_is_the_two_sample_permutation_test() -> None:
    # Efron and Tibshirani, table 2.1: days that 7 treated mice and 9 others survived.
    treated, control = [94, 197, 16, 38, 99, 141, 23], [52, 104, 146, 10, 51, 30, 40, 27, 46]
    ways = dealt(treated, control)
    assert ways[0] == pytest.approx(30.63, abs=0.01)
    extreme = sum(abs(way) >= abs(ways[0]) - 1e-6 for way in ways)
    [p] = permutation_tests([{0: ways}], seed="x")
    assert p == extreme / comb(16, 7)


def test_random_deals_come_near_the_exact_value() -> None:
    random = Random(9)
    units = {
        unit: dealt([random.random()], [random.random() for _ in range(6)]) for unit in range(4)
    }
    exact = exact_permutation_test([[round(v * 2**24) for v in each] for each in units.values()])
    many = {**units, **dict.fromkeys(range(4, 1500), (0.0,) * 7)}  # too much work to count
    assert exact is not None
    [p] = permutation_tests([many], seed="x", permutations=400)
    assert p == pytest.approx(exact, abs=0.08)


def test_odd_numbers_of_ways_are_drawn_as_well() -> None:
    random = Random(10)
    ways = {
        unit: dealt([random.random() for _ in range(4)], [random.random() for _ in range(4)])
        for unit in range(60)
    }
    assert len(ways[0]) == 70  # not a divisor of the slots
    [p] = permutation_tests([ways], seed="x", permutations=999)
    assert 0 < p <= 1


def test_holm_gives_the_published_example() -> None:
    # R's p.adjust(c(0.01, 0.02, 0.03, 0.04), "holm"), and one with an order to restore.
    assert holm([0.01, 0.02, 0.03, 0.04]) == pytest.approx([0.04, 0.06, 0.06, 0.06])
    assert holm([0.9, 0.001, 0.4]) == pytest.approx([0.9, 0.003, 0.8])
    assert holm([]) == []


def test_bootstrap_intervals_of_a_mean_are_those_of_the_normal_distribution() -> None:
    random = Random(4)
    values = [random.gauss(10, 2) for _ in range(400)]
    estimate = Bootstrap(rows_of(values), seed="x").ratio(0, 1)
    assert estimate is not None
    half = 1.96 * stdev(values) / sqrt(400)
    assert estimate.value == pytest.approx(mean(values))
    assert estimate.low == pytest.approx(mean(values) - half, abs=0.12 * half)
    assert estimate.high == pytest.approx(mean(values) + half, abs=0.12 * half)
    assert estimate.n == 400


def test_the_bca_interval_of_a_variance_is_the_published_one() -> None:
    # The same book prints (115.8, 259.6) at 90 %; percentiles would give (100.8, 233.9).
    def variance(totals: Sequence[float]) -> float:
        n, total, squares = totals
        return squares / n - (total / n) ** 2

    rows = [(1.0, value, value**2) for value in SPATIAL]
    bootstrap = Bootstrap(rows, seed="x", resamples=8000)
    drawn = [variance(totals) for totals in zip(*bootstrap.draws, strict=True)]
    left_out = [
        variance([total - own for total, own in zip(bootstrap.totals, row, strict=True)])
        for row in rows
    ]
    value = variance(bootstrap.totals)
    assert value == pytest.approx(171.5, abs=0.1)
    low, high = bca_interval(value, drawn, left_out, level=0.9)
    assert low == pytest.approx(115.8, abs=2.5)
    assert high == pytest.approx(259.6, abs=5)


def test_games_of_a_cluster_are_not_taken_for_independent() -> None:
    random = Random(6)
    clusters = [random.gauss(0, 1) for _ in range(60)]
    apart = Bootstrap([(value, 1.0) for value in clusters], seed="x").ratio(0, 1)
    repeated = Bootstrap([(7 * value, 7.0) for value in clusters], seed="x").ratio(0, 1)
    assert apart is not None
    assert repeated is not None
    assert repeated.low == pytest.approx(apart.low)
    assert repeated.high == pytest.approx(apart.high)


def test_the_same_seed_gives_the_same_interval_and_columns_do_not_disturb_each_other() -> None:
    rows = [(float(value), 1.0) for value in DARWIN]
    wider = [(*row, -3.5 * index, 1e6) for index, row in enumerate(rows)]
    one = Bootstrap(rows, seed="x").ratio(0, 1)
    assert one == Bootstrap(rows, seed="x").ratio(0, 1)
    two = Bootstrap(wider, seed="x").ratio(0, 1)
    assert one is not None
    assert two is not None
    assert (two.low, two.high) == pytest.approx((one.low, one.high))
    assert Bootstrap(rows, seed="y").ratio(0, 1) != one


def test_what_is_not_known_has_no_interval() -> None:
    bootstrap = Bootstrap([(0.4, 1.0, 0.0)], seed="x")
    alone = bootstrap.ratio(0, 1)
    assert alone is not None
    assert (alone.low, alone.high) == (None, None)
    assert bootstrap.ratio(0, 2) is None


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    random = Random(8)
    covered = 0
    for trial in range(200):
        values = [random.expovariate(1) for _ in range(40)]
        estimate = Bootstrap(rows_of(values), seed=str(trial), resamples=400).ratio(0, 1)
        assert estimate is not None
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= 1.0 <= estimate.high
    assert 0.89 <= covered / 200 <= 0.98


def test_wilson_gives_the_published_intervals() -> None:
    # Newcombe (1998), table I: 81/263, 15/148, 0/20 and 1/29.
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15 / 148, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1 / 29, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_the_share_test_is_the_square_root_of_chi_squared() -> None:
    # 60 heads of 100: chi squared is 4, and its tail 0.0455.
    assert share_test(0.6, 0.5, 100) == pytest.approx(0.0455, abs=1e-4)
    assert share_test(0.3, 0.0, 100) == 1.0


def test_the_clustered_error_of_single_games_is_the_usual_one() -> None:
    values = [float(value) for value in DARWIN]
    assert clustered_error(rows_of(values)) == pytest.approx(stdev(values) / sqrt(15))
    assert clustered_error([(1.0, 1.0)]) is None


def test_the_games_needed_are_those_of_the_tables() -> None:
    # Cohen (1988) and G*Power, paired t test, two-sided 5 %, power 80 %: d = 0.2, 0.5, 0.8.
    assert [pairs_needed(d, 1.0) for d in (0.2, 0.5, 0.8)] == [199, 34, 15]
    assert pairs_needed(0.5, 1.0, power=0.9) == 44
    assert pairs_needed(0, 1.0) == float("inf")


@given(st.floats(0.01, 2), st.floats(0.05, 3))
def test_the_difference_found_undoes_the_games_needed(difference: float, deviation: float) -> None:
    pairs = pairs_needed(difference, deviation)
    assert difference_found(int(pairs), deviation) <= difference * (1 + 1e-9)


def test_simulated_differences_are_found_as_often_as_the_power_says() -> None:
    random = Random(12)
    pairs = int(pairs_needed(0.5, 1.0))
    columns = [[random.gauss(0.5, 1) for _ in range(pairs)] for _ in range(150)]
    found = sum(p < 0.05 for p in sign_flip_tests(columns, seed="x", permutations=999))
    assert 0.7 <= found / 150 <= 0.9


def test_quantiles_lie_between_the_values() -> None:
    assert quantile([1, 2, 4], 0.5) == 2
    assert quantile([1, 2, 4], 0.75) == 3
    assert quantile([1, 2, 4], 1) == 4
