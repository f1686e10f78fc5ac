"""Choose a set of orders by its score, the mean of the scores of its orders.

The orders of each unit are thinned at random until no more than `candidates` sets are left; the
best of all those sets are then found without listing them, because their scores add up. Among sets
that must be coherent they do not quite, and a beam search finds good ones.
"""

import heapq
from collections.abc import Sequence
from random import Random

from attrs import frozen

from rules.kernel.codes import (
    CONVOY,
    MOVE,
    MOVE_BY_CONVOY,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
    mover_of,
    other_of,
    target_of,
)
from rules.kernel.tables import Tables

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


def best_sets(choices: Sequence[Scored], count: int) -> list[tuple[float, list[int]]]:
    """Return the sets of one order per unit with the largest sums of scores, the best first."""
    ranked = [sorted(each, key=lambda entry: -entry[0]) for each in choices]
    first = (0,) * len(ranked)
    total = sum(each[0][0] for each in ranked)
    queue = [(-total, first)]
    seen = {first}
    found: list[tuple[float, list[int]]] = []
    while queue and len(found) < count:
        negative, places = heapq.heappop(queue)
        orders = [each[place][1] for each, place in zip(ranked, places, strict=True)]
        found.append((-negative, orders))
        for unit, place in enumerate(places):
            if place + 1 < len(ranked[unit]):
                following = (*places[:unit], place + 1, *places[unit + 1 :])
                if following not in seen:
                    seen.add(following)
                    loss = ranked[unit][place][0] - ranked[unit][place + 1][0]
                    heapq.heappush(queue, (negative + loss, following))
    return found


@frozen
class _Partial:
    """Orders for some of the units, and what they ask of the others."""

    score: float = 0.0
    codes: tuple[int, ...] = ()
    goals: frozenset[int] = frozenset()
    """Where somebody goes."""
    stays: frozenset[int] = frozenset()
    """Where somebody stays."""
    wishes: frozenset[tuple[int, int]] = frozenset()
    """Places of units, and where those are supported to: -1 to stay."""


def coherent_sets(
    choices: Sequence[Scored], count: int, tables: Tables
) -> list[tuple[float, list[int]]]:
    """Return good sets in which no order spoils another, the best first.

    Two units never go to the same province, nobody goes where one of our own stays, and supports
    are for what the supported unit does. Convoys are left out.
    """
    beam = [_Partial()]
    for scored in sorted(choices, key=lambda each: -max(score for score, _ in each)):
        ranked = sorted(scored, key=lambda entry: -entry[0])
        grown = [
            new
            for partial in beam
            for score, code in ranked
            if (new := _extended(partial, score, code, tables)) is not None
        ]
        if not grown:
            # What the others ask of this unit was thinned out: then it just does its best.
            score, code = ranked[0]
            grown = [
                _Partial(each.score + score, (*each.codes, code), each.goals, each.stays)
                for each in beam
            ]
        grown.sort(key=lambda each: -each.score)
        beam = grown[:count]
    return [(each.score, list(each.codes)) for each in beam]


def _extended(partial: _Partial, score: float, code: int, tables: Tables) -> _Partial | None:
    """Return a partial set with one order more, None if that does not fit."""
    kind = kind_of(code)
    if kind in (MOVE_BY_CONVOY, CONVOY):
        return None
    here = tables.mover_province[mover_of(code)]
    goal = tables.province_of[target_of(code)] if kind == MOVE else -1
    if goal in partial.goals or goal in partial.stays or (goal < 0 and here in partial.goals):
        return None
    for place, wish in partial.wishes:
        if place == here and wish != goal:
            return None
    wishes = partial.wishes
    if kind in (SUPPORT_HOLD, SUPPORT_MOVE):
        place = tables.mover_province[other_of(code)]
        wish = -1 if kind == SUPPORT_HOLD else target_of(code)
        if any(each == place and other != wish for each, other in wishes):
            return None
        if wish < 0:
            if _has_left(partial, place, tables):
                return None
        elif place in partial.stays or _goes_elsewhere(partial, place, wish, tables):
            return None
        wishes |= {(place, wish)}
    goals = partial.goals | {goal} if goal >= 0 else partial.goals
    stays = partial.stays if goal >= 0 else partial.stays | {here}
    return _Partial(partial.score + score, (*partial.codes, code), goals, stays, wishes)


def _order_of(partial: _Partial, place: int, tables: Tables) -> int:
    """Return the order of the unit in a province, or -1 if it has none yet."""
    for code in partial.codes:
        if tables.mover_province[mover_of(code)] == place:
            return code
    return -1


def _has_left(partial: _Partial, place: int, tables: Tables) -> bool:
    code = _order_of(partial, place, tables)
    return code >= 0 and kind_of(code) == MOVE


def _goes_elsewhere(partial: _Partial, place: int, goal: int, tables: Tables) -> bool:
    code = _order_of(partial, place, tables)
    return code >= 0 and tables.province_of[target_of(code)] != goal


def draw(sets: Sequence[tuple[float, list[int]]], random: Random) -> list[int]:
    """Draw one of the sets, each as likely as its score is large."""
    left = random.random() * sum(score for score, _ in sets)
    for score, orders in sets:
        left -= score
        if left < 0:
            return orders
    return sets[-1][1]
