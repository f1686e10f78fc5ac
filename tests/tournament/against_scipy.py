"""Hold our statistics against scipy's: `python -m tests.tournament.against_scipy`.

Scipy is large, so nothing of ours needs it and the test suite does not install it; this command is
for those who have it. It prints both figures side by side and exits with 1 if any pair differs by
more than chance explains.
"""

import sys
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

from tests.tournament.test_resampling import DARWIN, dealt, sign_flip_tests
from tournament.resampling import (
    Bootstrap,
    permutation_tests,
    share_test,
    wilson,
)

Pair = tuple[str, float, float, float]
"""What is compared, our figure, scipy's, and the difference allowed."""


def pairs() -> Iterator[Pair]:
    """Yield every comparison."""
    stats: Any = import_module("scipy.stats")
    np: Any = import_module("numpy")
    yield from intervals(stats, np)
    yield from permutations(stats, np)
    expected = stats.binomtest(15, 148).proportion_ci(method="wilson")
    yield "Wilson, low", wilson(15 / 148, 148)[0], expected.low, 1e-9
    yield "Wilson, high", wilson(15 / 148, 148)[1], expected.high, 1e-9
    yield "share test", share_test(0.6, 0.5, 100), stats.chisquare([60, 40]).pvalue, 1e-9


def intervals(stats: Any, np: Any) -> Iterator[Pair]:
    """Compare BCa intervals of a skewed mean."""
    random = Random(1)
    values = [random.expovariate(1) for _ in range(60)]
    ours = Bootstrap([(value, 1.0) for value in values], seed="x", resamples=20_000).ratio(0, 1)
    theirs = stats.bootstrap((np.array(values),), np.mean, n_resamples=20_000, rng=1)
    assert ours is not None
    assert ours.low is not None
    assert ours.high is not None
    yield "BCa, low", ours.low, theirs.confidence_interval.low, 0.01
    yield "BCa, high", ours.high, theirs.confidence_interval.high, 0.015


def permutations(stats: Any, np: Any) -> Iterator[Pair]:
    """Compare permutation tests, exact and random."""

    def test(data: Any, kind: str, statistic: Any, resamples: float) -> float:
        arrays = tuple(np.array(each, dtype=float) for each in data)
        return float(
            stats.permutation_test(
                arrays,
                statistic,
                permutation_type=kind,
                n_resamples=resamples,
                alternative="greater",  # of the size, which is two-sided as we mean it
                rng=1,
            ).pvalue
        )

    def size(one: Any, axis: int) -> Any:
        return abs(one.mean(axis=axis))

    [ours] = sign_flip_tests([DARWIN], seed="x")
    yield "sign flips, exact", ours, test([DARWIN], "samples", size, np.inf), 1e-9
    random = Random(2)
    column = [random.gauss(0.25, 1) for _ in range(60)]
    [ours] = sign_flip_tests([column], seed="x")
    yield "sign flips, random", ours, test([column], "samples", size, 20_000), 0.02

    def difference(one: Any, other: Any, axis: int) -> Any:
        return abs(one.mean(axis=axis) - other.mean(axis=axis))

    mice = [94, 197, 16, 38, 99, 141, 23], [52, 104, 146, 10, 51, 30, 40, 27, 46]
    [ours] = permutation_tests([{0: dealt(*mice)}], seed="x")
    yield "dealt anew, exact", ours, test(mice, "independent", difference, np.inf), 1e-9


def main() -> int:
    """Print the figures, and return 1 if they do not agree."""
    code = 0
    for what, ours, theirs, allowed in pairs():
        agree = abs(ours - theirs) <= allowed
        code = code if agree else 1
        print(f"{what:<20} {ours:.6f} {theirs:.6f} {'' if agree else 'DIFFERS'}")  # noqa: T201 - its result
    return code


if __name__ == "__main__":
    sys.exit(main())
