"""Bootstrap intervals and permutation tests that need nothing but Python.

Games that share a seed are not independent, so everything here draws whole clusters: a row holds
the sums of one cluster, a column one quantity. All columns of a row are packed into one large
integer in fixed point. A resample is then one `sum` of drawn integers whatever the number of
columns, which keeps thousands of games a matter of seconds.

More clusters than MOST_CLUSTERS are pooled by lot into so many groups, which are then drawn like
clusters: the standard error behind an interval stays unbiased and itself varies by some 2 %.

Intervals are BCa (bias-corrected and accelerated; Efron 1987), the acceleration by the jackknife
over clusters. Tests permute labels within games or flip the sign of differences: exactly, by
counting all patterns, where that is little work, and by random patterns otherwise.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, erfc, fsum, isfinite, sqrt
from random import Random
from statistics import NormalDist

from attrs import frozen

RESAMPLES = 2000
MOST_CLUSTERS = 1000
PERMUTATIONS = 9_999
FEWER_PERMUTATIONS = 1_999
LEVEL = 0.95
_UNIT = 1 << 24
_EXACT_WORK = 40_000  # the additions that an exact test may take
# As many slots as every number of ways to pick some of up to seven seats divides.
_SLOTS = 420
_NORMAL = NormalDist()

Statistic = Callable[[Sequence[float]], float | None]


@frozen
class Estimate:
    """A value with its 95 % interval; the interval is missing if too few clusters tell of it."""

    value: float
    low: float | None = None
    high: float | None = None
    n: int = 0
    """How many clusters it rests on."""


class Bootstrap:
    """Resampled totals of clustered sums; any function of totals gets its interval from them."""

    def __init__(
        self, rows: Sequence[Sequence[float]], *, seed: str, resamples: int = RESAMPLES
    ) -> None:
        self.rows = [tuple(row) for row in rows]
        self.totals = [fsum(column) for column in zip(*self.rows, strict=True)]
        random = Random(f"bootstrap {seed}")  # noqa: S311 - no secret
        self._drawn_rows = _pooled(self.rows, random)
        self.draws = _resample(self._drawn_rows, random, resamples)

    def estimate(self, statistic: Statistic, columns: Sequence[int]) -> Estimate | None:
        """Return a statistic of the totals of these columns, or None where it does not exist."""
        totals = [self.totals[column] for column in columns]
        value = statistic(totals)
        if value is None:
            return None
        n = sum(any(row[column] for column in columns) for row in self.rows)
        rows = [
            picked
            for row in self._drawn_rows
            if any(picked := tuple(row[column] for column in columns))
        ]
        chosen = [self.draws[column] for column in columns]
        drawn = [
            each for sums in zip(*chosen, strict=True) if (each := statistic(sums)) is not None
        ]
        jackknife = [
            each
            for row in rows
            if (each := statistic([all_ - own for all_, own in zip(totals, row, strict=True)]))
            is not None
        ]
        if len(rows) < 2 or len(drawn) < 2 or len(jackknife) < 2:
            return Estimate(value, n=n)
        low, high = bca_interval(value, drawn, jackknife)
        return Estimate(value, low, high, n)

    def ratio(self, numerator: int, denominator: int) -> Estimate | None:
        """Return the ratio of two totals, such as points by games."""
        return self.estimate(_ratio, (numerator, denominator))


def _ratio(totals: Sequence[float]) -> float | None:
    return totals[0] / totals[1] if totals[1] > 0.5 / _UNIT else None


def _pooled(rows: list[tuple[float, ...]], random: Random) -> list[tuple[float, ...]]:
    """Return the clusters, or where they are very many, groups of them drawn by lot."""
    if len(rows) <= MOST_CLUSTERS:
        return rows
    shuffled = random.sample(rows, len(rows))
    return [
        tuple(map(fsum, zip(*shuffled[start::MOST_CLUSTERS], strict=True)))
        for start in range(MOST_CLUSTERS)
    ]


def _resample(rows: Sequence[Sequence[float]], random: Random, resamples: int) -> list[list[float]]:
    """Draw as many clusters as there are, with replacement; return the totals by column."""
    if not rows:
        return []
    lows = [min(column) for column in zip(*rows, strict=True)]
    shifted = [
        [round((value - low) * _UNIT) for value, low in zip(row, lows, strict=True)] for row in rows
    ]
    packed, width = _pack(shifted)
    size, mask = len(rows), (1 << width) - 1
    draws: list[list[float]] = [[] for _ in lows]
    for _ in range(resamples):
        total = sum(random.choices(packed, k=size))
        for column, low in enumerate(lows):
            draws[column].append((total >> column * width & mask) / _UNIT + low * size)
    return draws


def _pack(rows: Sequence[Sequence[int]]) -> tuple[list[int], int]:
    """Put the columns of each row side by side into one integer, wide enough for any total."""
    largest = max((max(row, default=0) for row in rows), default=0)
    width = (largest * max(len(rows), 1)).bit_length() + 1
    packed = [sum(value << column * width for column, value in enumerate(row)) for row in rows]
    return packed, width


def bca_interval(
    value: float, drawn: Sequence[float], jackknife: Sequence[float], level: float = LEVEL
) -> tuple[float, float]:
    """Return the BCa interval of a statistic from its resamples and its jackknife values."""
    ordered = sorted(drawn)
    tolerance = 1e-6 * max(1.0, abs(value))  # of the fixed point
    below = sum(each < value - tolerance for each in ordered)
    equal = sum(abs(each - value) <= tolerance for each in ordered)
    share = (below + equal / 2) / len(ordered)
    if not 0 < share < 1:
        return ordered[0], ordered[-1]
    bias = _NORMAL.inv_cdf(share)
    acceleration = _acceleration(jackknife)
    tail = (1 - level) / 2
    ends = []
    for z in (_NORMAL.inv_cdf(tail), _NORMAL.inv_cdf(1 - tail)):
        moved = bias + (bias + z) / (1 - acceleration * (bias + z))
        ends.append(quantile(ordered, _NORMAL.cdf(moved)))
    return ends[0], ends[1]


def _acceleration(jackknife: Sequence[float]) -> float:
    mean = fsum(jackknife) / len(jackknife)
    squares = fsum((mean - each) ** 2 for each in jackknife)
    cubes = fsum((mean - each) ** 3 for each in jackknife)
    acceleration = cubes / (6 * squares**1.5) if squares > 0 else 0.0
    return acceleration if isfinite(acceleration) else 0.0


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return a quantile of sorted values, between two of them in proportion."""
    place = share * (len(ordered) - 1)
    lower = int(place)
    upper = min(ceil(place), len(ordered) - 1)
    return ordered[lower] + (place - lower) * (ordered[upper] - ordered[lower])


Permuted = Mapping[int, Sequence[float]]
"""By unit (a game, say), the differences it could have shown; the first is what it did show."""


def permutation_tests(
    tests: Sequence[Permuted], *, seed: str, permutations: int | None = None
) -> list[float]:
    """Return the two-sided p-value of each test: how often chance alone goes as far.

    If both sides are alike, each of a unit's differences is as likely as the one that was seen.
    The tests share their random draws; that saves time and harms none of the p-values.
    """
    whole = [
        {unit: [round(value * _UNIT) for value in values] for unit, values in test.items()}
        for test in tests
    ]
    found = [exact_permutation_test(list(test.values())) for test in whole]
    rest = [index for index, p in enumerate(found) if p is None]
    random = Random(f"permutations {seed}")  # noqa: S311 - no secret
    by_chance = _random_tests([whole[index] for index in rest], random, permutations)
    for index, p in zip(rest, by_chance, strict=True):
        found[index] = p
    return [p for p in found if p is not None]


def exact_permutation_test(units: Sequence[Sequence[int]]) -> float | None:
    """Return the exact p-value, or None where counting all patterns is too much work."""
    counts = {0: 1}
    patterns = 1
    to_come = sum(map(len, units))
    for values in units:
        # The number of sums never shrinks, so this much work at least is still to come.
        if len(counts) * to_come > _EXACT_WORK:
            return None
        to_come -= len(values)
        patterns *= len(values)
        following: dict[int, int] = {}
        for total, count in counts.items():
            for value in values:
                following[total + value] = following.get(total + value, 0) + count
        counts = following
    # What was seen must count itself, however the rounding of others falls out.
    observed = abs(sum(values[0] for values in units)) - len(units)
    return sum(count for total, count in counts.items() if abs(total) >= observed) / patterns


def _random_tests(
    tests: Sequence[Mapping[int, Sequence[int]]], random: Random, permutations: int | None
) -> list[float]:
    """Return p-values from random patterns; all tests of a unit are drawn as one integer."""
    units = sorted({unit for test in tests for unit in test})
    if permutations is None:
        permutations = PERMUTATIONS if len(units) <= MOST_CLUSTERS else FEWER_PERMUTATIONS
    spans = [sum(max(values) - min(values) for values in test.values()) for test in tests]
    width = max(spans, default=0).bit_length() + 1
    tables = [_table([test.get(unit, (0,)) for test in tests], width, random) for unit in units]
    bases = [sum(map(min, test.values())) for test in tests]
    observed = [abs(sum(v[0] for v in test.values())) - len(test) for test in tests]
    mask = (1 << width) - 1
    extreme = [1] * len(tests)  # the pattern that was seen is one of them
    draw = random.random
    for _ in range(permutations):
        drawn = sum([table[int(draw() * _SLOTS)] for table in tables])
        for index, (base, least) in enumerate(zip(bases, observed, strict=True)):
            if abs((drawn >> index * width & mask) + base) >= least:
                extreme[index] += 1
    return [count / (permutations + 1) for count in extreme]


def _table(choices: Sequence[Sequence[int]], width: int, random: Random) -> list[int]:
    """Return a unit's values of all tests, side by side above their least, in equal shares."""
    fitting = [
        values if _SLOTS % len(values) == 0 else random.choices(values, k=_SLOTS)
        for values in choices
    ]
    lows = [min(values) for values in choices]
    steps = [_SLOTS // len(values) for values in fitting]
    ends = sorted({end for step in steps for end in range(step, _SLOTS + 1, step)})
    table: list[int] = []
    for end in ends:
        at = len(table)
        packed = 0
        for index, (values, step, low) in enumerate(zip(fitting, steps, lows, strict=True)):
            packed |= (values[at // step] - low) << index * width
        table += [packed] * (end - at)
    return table


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjust p-values for being many (Holm 1979): all errors together stay below the level."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for place, index in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - place) * p_values[index]))
        adjusted[index] = running
    return adjusted


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return Wilson's interval of a share of n; it is of use even for none or all of them."""
    z = _NORMAL.inv_cdf((1 + LEVEL) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def clustered_error(sums: Sequence[tuple[float, float]]) -> float | None:
    """Return the standard error of a ratio of totals, linearised over independent clusters."""
    used = [(value, weight) for value, weight in sums if weight]
    if len(used) < 2:
        return None
    total = fsum(weight for _, weight in used)
    ratio = fsum(value for value, _ in used) / total
    spread = fsum((value - ratio * weight) ** 2 for value, weight in used)
    return sqrt(spread * len(used) / (len(used) - 1)) / total


def share_test(share: float, expected: float, n: float) -> float:
    """Return the two-sided p-value of a share of n against an expected one (score test)."""
    if not 0 < expected < 1 or n <= 0:
        return 1.0
    z = abs(share - expected) / sqrt(expected * (1 - expected) / n)
    return erfc(z / sqrt(2))
