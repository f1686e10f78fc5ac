"""The number by which the package `diplomacy` tells positions apart: a Zobrist hash.

It has a random number for every unit, dislodged unit, center and home in every place, and joins
those of a position. The numbers come from a seed that follows from the map alone, so they can be
had without the package; with the right number its own check takes our games for valid.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import TypeAlias

from exchange.diplomacy_names import POWERS, their_place
from rules.board import Board
from rules.places import Location

Texts: TypeAlias = Mapping[str, Sequence[str]]
Table: TypeAlias = list[dict[str, int]]
LARGEST = (1 << 63) - 1
_KINDS = "AF"


def position_hash(board: Board, units: Texts, centers: Texts, homes: Texts) -> str:
    """Return the number of a position; units and places are in the words of the package."""
    tables = _tables(board)
    number = 0
    for row, power in enumerate(sorted(POWERS.values())):
        for text in units.get(power, ()):
            kind, _, place = text.removeprefix("*").partition(" ")
            of_kind, of_power = tables["out"] if text.startswith("*") else tables["on"]
            number ^= of_kind[_KINDS.index(kind)][place] ^ of_power[row][place]
        for table, places in (("centers", centers), ("homes", homes)):
            for place in places.get(power, ()):
                number ^= tables[table][0][row][place]
    return str(number)


@cache
def _tables(board: Board) -> dict[str, tuple[Table, ...]]:
    """Draw the numbers, in the order in which the package does."""
    locations = {*map(Location, board.provinces), *board.fleet_borders}
    places = sorted(their_place(place) for place in locations)
    centers = "-".join(sorted(their_place(center) for center in board.centers))
    seed = 12345 + len(places) + sum(ord(letter) * 7**at for at, letter in enumerate(centers))
    random = Random(seed % 2**32)  # noqa: S311 - the package's own, no secret

    def table(rows: int) -> Table:
        return [{place: random.randint(1, LARGEST) for place in places} for _ in range(rows)]

    kinds, powers = len(_KINDS), len(board.powers)
    return {
        "on": (table(kinds), table(powers)),
        "out": (table(kinds), table(powers)),
        "centers": (table(powers),),
        "homes": (table(powers),),
    }
