"""What is seen of an order: its features, packed into one integer, and the patterns they make.

A vector has two bits for the type of the order and two for each field; 0 says that the field means
nothing here. A pattern is a set of features of one order, always together with the order's type:
of one feature, of two, of three where asked for, or of all (an n-pattern). Patterns are integers
too, the same in every process.
"""

from functools import lru_cache
from itertools import combinations

from rules.kernel import Simulator
from rules.kernel.codes import (
    CONVOY,
    HOLD,
    MOVE,
    MOVE_BY_CONVOY,
    SPRING,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
    mover_of,
    other_of,
    target_of,
)
from rules.kernel.tables import Tables

ORDER_TYPES = ("hold", "move", "support", "convoy")
_TYPES = {
    HOLD: 0,
    MOVE: 1,
    MOVE_BY_CONVOY: 1,
    SUPPORT_HOLD: 2,
    SUPPORT_MOVE: 2,
    CONVOY: 3,
}
_UNIT = ("army", "fleet")
_PLACE = ("a center", "no center")
_CONTROL = ("you", "enemy", "nobody")
_PRESENCE = ("none", "you", "enemy")
FIELDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("self.unit", _UNIT),
    ("self.place", _PLACE),
    ("self.control", _CONTROL),
    ("self.adjacent", _PRESENCE),
    ("target.place", _PLACE),
    ("target.control", _CONTROL),
    ("target.occupied", _PRESENCE),
    ("target.adjacent", _PRESENCE),
    ("other.unit", _UNIT),
    ("other.control", _CONTROL),
    ("other.adjacent", _PRESENCE),
    ("other.act", ("stays", "goes")),
    ("season", ("spring", "fall")),
    ("self.distance", ("0", "1", "2 or more")),
    ("target.distance", ("less", "the same", "more")),
)
"""Target: where a move, the supported or the convoyed unit goes. Other: that unit itself.

The last three are not the paper's: the season, how many steps a unit is from a center that is not
its own power's, and whether a move changes that. Only scenes that are `wide` have them.
"""
ONES = 1 << 8
_TWOS = 1 << 16
_THREES = 1 << 25
_WHOLE = 1 << 40
YOU, ENEMY, NOBODY = 1, 2, 3
NONE_NEAR, YOU_NEAR, ENEMY_NEAR = 1, 2, 3
_FAR = 99


class Scene:
    """One movement turn, looked at by any power."""

    def __init__(self, state: Simulator, tables: Tables, *, wide: bool = False) -> None:
        self._tables = tables
        self._season = 1 if state.season == SPRING else 2
        self._wide = wide
        self._distances: dict[int, list[int]] = {}
        self.units = list(state.all_units())
        self.powers = list(state.all_powers())
        self._owners = list(state.all_owners())
        self._total = [0] * tables.provinces
        self._own = [[0] * tables.provinces for _ in range(tables.powers)]
        near, start = tables.near, tables.near_start
        for province, mover in enumerate(self.units):
            if mover >= 0:
                own = self._own[self.powers[province]]
                for other in near[start[mover] : start[mover + 1]]:
                    self._total[other] += 1
                    own[other] += 1

    def is_own(self, power: int, code: int) -> bool:
        """Whether an order concerns no unit of another power."""
        if kind_of(code) not in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY):
            return True
        return self.powers[self._tables.mover_province[other_of(code)]] == power

    def vector(self, power: int, code: int) -> int:
        """Return the features of an order of that power."""
        found = self._narrow(power, code)
        if not self._wide:
            return found
        tables = self._tables
        distances = self._distances.get(power)
        if distances is None:
            distances = self._distances[power] = self._measure(power)
        mover = mover_of(code)
        here = distances[mover]
        found |= self._season << 26 | (min(here, 2) + 1) << 28
        if kind_of(code) != MOVE:
            return found
        goal = target_of(code)
        there = distances[goal if mover < tables.provinces else tables.provinces + goal]
        return found | (1 if there < here else 2 if there == here else 3) << 30

    def _measure(self, power: int) -> list[int]:
        """Return by mover how many steps it is from a center that the power does not own."""
        tables = self._tables
        distances = [_FAR] * tables.movers
        edge = [
            mover
            for mover in range(tables.movers)
            if tables.is_center[tables.mover_province[mover]]
            and self._owners[tables.mover_province[mover]] != power
        ]
        for mover in edge:
            distances[mover] = 0
        steps, start = tables.steps, tables.step_start
        step = 0
        while edge:
            step += 1
            following = []
            for mover in edge:
                offset = 0 if mover < tables.provinces else tables.provinces
                for place in steps[start[mover] : start[mover + 1]]:
                    if distances[offset + place] == _FAR:
                        distances[offset + place] = step
                        following.append(offset + place)
            edge = following
        return distances

    def _narrow(self, power: int, code: int) -> int:
        """Return the features that the paper has."""
        tables = self._tables
        kind = kind_of(code)
        mover = mover_of(code)
        here = tables.mover_province[mover]
        found = _TYPES[kind]
        found |= (1 if mover < tables.provinces else 2) << 2
        found |= self._place(power, here) << 4
        found |= self._adjacent(power, here, 0) << 8
        if kind == HOLD:
            return found
        if kind in (MOVE, MOVE_BY_CONVOY):
            goal = tables.province_of[target_of(code)]
            sees = int(kind == MOVE)
            return found | self._target(power, goal, sees) << 10
        other = other_of(code)
        its_place = tables.mover_province[other]
        if kind == SUPPORT_HOLD:
            goal, present, act = its_place, 1, 1
        else:
            # The supporter sees the goal, and so does who goes there over land.
            goal, act = target_of(code), 2
            present = int(kind == SUPPORT_MOVE) + tables.can_reach[other * tables.provinces + goal]
        found |= self._target(power, goal, present) << 10
        found |= (1 if other < tables.provinces else 2) << 18
        found |= (self._place(power, its_place) >> 2) << 20
        sees_other = tables.can_reach[mover * tables.provinces + its_place]
        found |= self._adjacent(power, its_place, sees_other) << 22
        return found | act << 24

    def _place(self, power: int, province: int) -> int:
        """Return two fields: center or not, and who controls it."""
        if not self._tables.is_center[province]:
            return 2
        owner = self._owners[province]
        return 1 | (YOU if owner == power else NOBODY if owner < 0 else ENEMY) << 2

    def _target(self, power: int, province: int, sees: int) -> int:
        """Return four fields: those of the place, who is there, and who is next to it."""
        occupied = 1
        if self.units[province] >= 0:
            occupied = 2 if self.powers[province] == power else 3
        near = self._adjacent(power, province, sees)
        return self._place(power, province) | occupied << 4 | near << 6

    def _adjacent(self, power: int, province: int, without: int) -> int:
        """Say who else is next to a province; `without` counts units of the order itself."""
        total = self._total[province] - without
        if total <= 0:
            return NONE_NEAR
        return YOU_NEAR if self._own[power][province] - without == total else ENEMY_NEAR


def features(vector: int) -> list[int]:
    """Return the single features of a vector, which are also its 1-patterns."""
    kind = vector & 3
    return [
        kind << 6 | field << 2 | value
        for field in range(len(FIELDS))
        if (value := vector >> (2 + 2 * field) & 3)
    ]


@lru_cache(maxsize=1 << 16)
def patterns(vector: int, sizes: int = 2) -> tuple[tuple[int, ...], ...]:
    """Return the patterns of a vector by size: of one, two and perhaps three features, and all."""
    ones = features(vector)
    found = [tuple(ones), tuple(_TWOS + a * ONES + b for a, b in combinations(ones, 2))]
    if sizes >= 3:
        triples = combinations(ones, 3)
        found.append(tuple(_THREES + (a * ONES + b) * ONES + c for a, b, c in triples))
    return (*found, (_WHOLE + vector,))


def is_support(vector: int) -> bool:
    """Whether the features are those of a support."""
    return ORDER_TYPES[vector & 3] == "support"


def is_useless_support(vector: int) -> bool:
    """Whether nobody could have fought the supported unit where it stays or goes."""
    occupied, adjacent = vector >> 14 & 3, vector >> 16 & 3
    return is_support(vector) and ENEMY_NEAR not in (occupied, adjacent)


def size_of(pattern: int) -> int:
    """Return of how many features a pattern is; 0 for an n-pattern."""
    if pattern >= _WHOLE:
        return 0
    return 1 if pattern < ONES else 2 if pattern < _THREES else 3


def parts(pattern: int) -> list[int]:
    """Return the features of a pattern."""
    match size_of(pattern):
        case 0:
            return features(pattern - _WHOLE)
        case 1:
            return [pattern]
        case 2:
            rest = pattern - _TWOS
            return [rest // ONES, rest % ONES]
        case _:
            rest = pattern - _THREES
            return [rest // ONES // ONES, rest // ONES % ONES, rest % ONES]


def name_of(pattern: int) -> str:
    """Say a pattern in words."""
    found = parts(pattern)
    kind = ORDER_TYPES[found[0] >> 6]
    words = []
    for each in found:
        field, names = FIELDS[each >> 2 & 15]
        words.append(f"{field}={names[(each & 3) - 1]}")
    return f"{kind}: {' & '.join(words)}"
