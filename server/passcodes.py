"""Passcodes: with one, and the name of the power, a client takes its seat back."""

from collections.abc import Collection, Iterable
from random import Random

from rules.places import Power

LARGEST_PASSCODE = 8191
MOST_GAMES = 4_000
"""With more games at once it would take long to find a number that no other game has."""


def draw_passcodes(
    powers: Iterable[Power], chance: Random, taken: Collection[tuple[str, int]] = ()
) -> dict[str, int]:
    """Draw a passcode for every power, none that the same power has in another game."""
    return {power.name: _draw(power.name, chance, taken) for power in powers}


def _draw(power: str, chance: Random, taken: Collection[tuple[str, int]]) -> int:
    while (power, number := chance.randint(1, LARGEST_PASSCODE)) in taken:
        pass
    return number
