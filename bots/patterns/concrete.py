"""Patterns without features: concrete orders, and pairs of orders that a power gives in one turn.

The paper's first test. An order is its code without the path of a convoy, a pair is both of them in
one integer, whichever comes first. So what is learned of Constantinople says nothing of Smyrna.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from bots.kernel import Fitting
from bots.kernel.fitting import WIDEST, pattern_of
from bots.patterns.weights import PAIR, Weights, pair_of, pair_pattern
from rules.kernel.codes import (
    MOVE,
    MOVE_BY_CONVOY,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
)
from rules.kernel.encode import Codec
from rules.notation import format_order
from rules.places import Power

WIDTH = 20
"""How many sets are kept in mind while they grow."""


def patterns_of(codes: Sequence[int]) -> Iterator[int]:
    """Go through all patterns of the orders of one turn."""
    ones = [pattern_of(code) for code in codes]
    yield from ones
    for one, other in combinations(ones, 2):
        yield pair_pattern(one, other)


def size_of(pattern: int) -> int:
    """Return of how many orders a pattern is."""
    return 2 if pattern >= PAIR else 1


def is_support(pattern: int) -> bool:
    """Whether a pattern is a single support."""
    return size_of(pattern) == 1 and kind_of(pattern) in (SUPPORT_HOLD, SUPPORT_MOVE)


def name_of(pattern: int, codec: Codec, power: Power) -> str:
    """Say a pattern in words."""
    ones = (pattern,) if size_of(pattern) == 1 else pair_of(pattern)
    return " & ".join(_order_name(one, codec, power) for one in ones)


def _order_name(one: int, codec: Codec, power: Power) -> str:
    if kind_of(one) == MOVE_BY_CONVOY:
        return f"{format_order(codec.order(one - MOVE_BY_CONVOY + MOVE, power))} by sea"
    return format_order(codec.order(one, power))


def concrete_sets(
    choices: Sequence[tuple[Sequence[int], Sequence[int]]],
    count: int,
    weights: Weights,
    fitting: Fitting,
    random: Random,
) -> list[tuple[float, list[int]]]:
    """Return the sets of orders that fit and score best, as far as a beam search finds them.

    Orders and pairs that are equally good, as all are in the beginning, come in a drawn order. Each
    unit has two lists: where nothing of the first fits, it gets something of the second if it can.
    """
    fitting.begin(len(choices), min(max(count, WIDTH), WIDEST))
    for codes, spare in choices:
        drawn = list(codes)
        random.shuffle(drawn)
        if fitting.grow_pairs(drawn, weights.memory):
            continue
        others = list(spare)
        random.shuffle(others)
        if not fitting.grow_pairs(others, weights.memory):
            fitting.force(drawn[0], 0.0)
    return fitting.sets()[:count]
