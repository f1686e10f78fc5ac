"""How many games a wished difference needs, and which difference the games so far would show."""

from math import ceil, inf, sqrt
from statistics import NormalDist

_NORMAL = NormalDist()


def pairs_needed(
    difference: float, deviation: float, *, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Return how many paired comparisons find a true difference with the wished probability.

    The test is two-sided at `alpha`. Half the square of the normal quantile stands for the
    t distribution's heavier tails (Guenther 1981), so that small numbers are right as well.
    """
    if difference == 0:
        return inf
    z = _NORMAL.inv_cdf(1 - alpha / 2)
    effect = abs(difference) / deviation if deviation > 0 else inf
    return ceil(((z + _NORMAL.inv_cdf(power)) / effect) ** 2 + z * z / 2)


def difference_found(
    pairs: int, deviation: float, *, alpha: float = 0.05, power: float = 0.8
) -> float:
    """Return the smallest true difference that so many comparisons find with that probability."""
    z = _NORMAL.inv_cdf(1 - alpha / 2)
    useful = pairs - z * z / 2
    if useful <= 0:
        return inf
    return (z + _NORMAL.inv_cdf(power)) * deviation / sqrt(useful)
