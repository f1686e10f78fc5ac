"""Patterns without features: concrete orders, and pairs of orders that a power gives in one turn.

The paper's first test. An order is its code without the path of a convoy, a pair is both of them in
one integer, whichever comes first. So what is learned of Constantinople says nothing of Smyrna.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import itemgetter
from random import Random
from typing import NamedTuple

from bots.patterns.weights import UNKNOWN, Weights
from rules.kernel.codes import (
    MOVE,
    MOVE_BY_CONVOY,
    OTHER_SHIFT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
)
from rules.kernel.encode import Codec
from rules.notation import format_order
from rules.places import Power

_BITS = 34
_PAIR = 1 << (2 * _BITS)
_MASK = (1 << _BITS) - 1
_WITHOUT_PATH = (1 << OTHER_SHIFT) - 1
WIDTH = 20
"""How many sets are kept in mind while they grow."""


def order_pattern(code: int) -> int:
    """Return the 1-pattern of an order."""
    return code & (_WITHOUT_PATH if kind_of(code) == MOVE_BY_CONVOY else _MASK)


def pair_pattern(one: int, other: int) -> int:
    """Return the 2-pattern of two 1-patterns."""
    return _PAIR | (one << _BITS | other if one < other else other << _BITS | one)


def patterns_of(codes: Sequence[int]) -> Iterator[int]:
    """Go through all patterns of the orders of one turn."""
    ones = [order_pattern(code) for code in codes]
    yield from ones
    for one, other in combinations(ones, 2):
        yield pair_pattern(one, other)


def size_of(pattern: int) -> int:
    """Return of how many orders a pattern is."""
    return 2 if pattern >= _PAIR else 1


def is_support(pattern: int) -> bool:
    """Whether a pattern is a single support."""
    return size_of(pattern) == 1 and kind_of(pattern) in (SUPPORT_HOLD, SUPPORT_MOVE)


def name_of(pattern: int, codec: Codec, power: Power) -> str:
    """Say a pattern in words."""
    ones = [pattern] if size_of(pattern) == 1 else [pattern >> _BITS & _MASK, pattern & _MASK]
    return " & ".join(_order_name(one, codec, power) for one in ones)


def _order_name(one: int, codec: Codec, power: Power) -> str:
    if kind_of(one) == MOVE_BY_CONVOY:
        return f"{format_order(codec.order(one - MOVE_BY_CONVOY + MOVE, power))} by sea"
    return format_order(codec.order(one, power))


class _Partial(NamedTuple):
    """Orders for some of the units, and the sums of which their score is made."""

    score: float = 0.0
    """The mean of the orders' weights, averaged with the mean of those of known pairs."""
    codes: tuple[int, ...] = ()
    ones: tuple[int, ...] = ()
    single: float = 0.0
    single_trust: float = 0.0
    paired: float = 0.0
    paired_trust: float = 0.0


def concrete_sets(
    choices: Sequence[Sequence[int]], count: int, weights: Weights, random: Random
) -> list[tuple[float, list[int]]]:
    """Return the sets of one order per unit that score best, as far as a beam search finds them.

    Orders and pairs that are equally good, as all are in the beginning, come in a drawn order.
    """
    beam = [_Partial()]
    for codes in choices:
        drawn = list(codes)
        random.shuffle(drawn)
        grown = [new for code in drawn for new in _extended(beam, code, weights)]
        # Sorting is stable, so what was drawn first stays first among equals.
        grown.sort(key=_score, reverse=True)
        beam = grown[: max(count, WIDTH)]
    return [(each.score, list(each.codes)) for each in beam[:count]]


_score = itemgetter(0)


def _extended(beam: Sequence[_Partial], code: int, weights: Weights) -> Iterator[_Partial]:
    """Go through all sets of the beam with one order more."""
    one = order_pattern(code)
    total, trust = weights.trusted_weight(one) or (UNKNOWN, 1.0)
    for _, codes, ones, single, single_trust, paired, paired_trust in beam:
        pairs, pairs_trust = paired, paired_trust
        for other in ones:
            found = weights.trusted_weight(pair_pattern(one, other))
            if found is not None:
                pairs += found[0]
                pairs_trust += found[1]
        singles, singles_trust = single + total, single_trust + trust
        score = singles / singles_trust
        if pairs_trust:
            score = (score + pairs / pairs_trust) / 2
        yield _Partial(
            score, (*codes, code), (*ones, one), singles, singles_trust, pairs, pairs_trust
        )
