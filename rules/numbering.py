"""How DAIDE numbers the powers and provinces of a board, on the wire and in `.rem` files.

The low byte counts in the order of the board. The high byte is the category: powers have one,
provinces one for each terrain, and the one behind it for those with a supply center.
"""

from rules.board import Board
from rules.places import Power, Province, Terrain

POWERS = 0x41
TERRAINS = (Terrain.INLAND, Terrain.SEA, Terrain.COASTAL, Terrain.MULTI_COAST)
PROVINCES = range(0x50, 0x50 + 2 * len(TERRAINS))


def power_numbers(board: Board) -> dict[int, Power]:
    """Return the powers by their numbers."""
    return {POWERS << 8 | index: power for index, power in enumerate(board.powers)}


def province_numbers(board: Board) -> dict[int, Province]:
    """Return the provinces by their numbers."""
    return {category(each) << 8 | index: each for index, each in enumerate(board.provinces)}


def category(province: Province) -> int:
    """Return the high byte of a province's number."""
    return PROVINCES[2 * TERRAINS.index(province.terrain) + province.is_center]


def province_numbered(number: int, name: str) -> Province:
    """Make a province of what its number says of it; its borders may know better."""
    terrain, is_center = divmod(PROVINCES.index(number >> 8), 2)
    return Province(name, TERRAINS[terrain], bool(is_center))


def usual_order(province: Province) -> tuple[int, bool, str]:
    """Sort key for the provinces of a board: by category, then by name."""
    return TERRAINS.index(province.terrain), province.is_center, province.name
