"""The names of features, and the patterns they make.

What is seen of an order is a vector of features, packed into one integer (`bots.kernel.scene`). A
pattern is a set of features of one order, always together with the order's type:
of one feature, of two, of three where asked for, or of all (an n-pattern). Patterns are integers
too, the same in every process.
"""

from functools import lru_cache
from itertools import combinations

from bots.kernel.memory import ALL_FEATURES, ONES, THREES, TWOS
from bots.kernel.scene import ENEMY_NEAR

ORDER_TYPES = ("hold", "move", "support", "convoy")
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
    found = [tuple(ones), tuple(TWOS + a * ONES + b for a, b in combinations(ones, 2))]
    if sizes >= 3:
        triples = combinations(ones, 3)
        found.append(tuple(THREES + (a * ONES + b) * ONES + c for a, b, c in triples))
    return (*found, (ALL_FEATURES + vector,))


def is_support(vector: int) -> bool:
    """Whether the features are those of a support."""
    return ORDER_TYPES[vector & 3] == "support"


def is_useless_support(vector: int) -> bool:
    """Whether nobody could have fought the supported unit where it stays or goes."""
    occupied, adjacent = vector >> 14 & 3, vector >> 16 & 3
    return is_support(vector) and ENEMY_NEAR not in (occupied, adjacent)


def size_of(pattern: int) -> int:
    """Return of how many features a pattern is; 0 for an n-pattern."""
    if pattern >= ALL_FEATURES:
        return 0
    return 1 if pattern < ONES else 2 if pattern < THREES else 3


def parts(pattern: int) -> list[int]:
    """Return the features of a pattern."""
    match size_of(pattern):
        case 0:
            return features(pattern - ALL_FEATURES)
        case 1:
            return [pattern]
        case 2:
            rest = pattern - TWOS
            return [rest // ONES, rest % ONES]
        case _:
            rest = pattern - THREES
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
