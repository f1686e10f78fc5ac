"""How DumbBot chooses: mostly the best option, sometimes the next best if it is nearly as good."""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from bots.dumbbot.value_maps import Arithmetic, wrapped

PLAY_ALTERNATIVE = 0.5
"""How often the next option is considered at all."""
DIFFERENCE_MODIFIER = 500
"""A next option that is 20 per cent worse is never taken."""

Option: TypeAlias = tuple[int, int]
"""A value and what has it: a unit place, or the place in some list."""
Chance: TypeAlias = Callable[[int, int], int]
"""Gives the per cent by which an option is kept, of its value and the value of the next one."""


def exact_chance(value: int, following: int) -> int:
    """Compute without overflow; truncates toward zero as C does."""
    return int((value - following) * DIFFERENCE_MODIFIER / value) if value else 0


def wrapping_chance(value: int, following: int) -> int:
    """Compute as 32 bits do: arbitrary once the values differ by more than 4.29 million."""
    product = wrapped(wrapped(value - following) * DIFFERENCE_MODIFIER)
    return int(product / value) if value else 0


def rounded_chance(value: int, following: int) -> int:
    """Compute with fractions and round to the nearest, as the BANDANA copy does."""
    return round((value - following) * DIFFERENCE_MODIFIER / value) if value else 0


CHANCES: dict[Arithmetic, Chance] = {
    Arithmetic.WRAPPING: wrapping_chance,
    Arithmetic.EXACT: exact_chance,
    Arithmetic.FLOATING: rounded_chance,
}


def pick(
    options: Sequence[Option],
    chance: Chance,
    random: Random,
    play_alternative: float = PLAY_ALTERNATIVE,
) -> int:
    """Return the place of the chosen option; they come in the order of preference.

    Each step compares with the current option, not with the best. The second number is drawn only
    when the first one lets us consider the step.
    """
    place = 0
    draw = random.random
    while place + 1 < len(options):
        if draw() >= play_alternative:
            break
        if int(draw() * 100) < chance(options[place][0], options[place + 1][0]):
            break
        place += 1
    return place
