"""What the joint choices of one movement turn were worth, found again by what came of them.

Most order sets that a search tries differ in what does not matter in the end: a support that nobody
needed, a move that bounced. What follows from a turn, and so what it is worth, rests on the moves
that succeeded and, where somebody must retreat, on the provinces that are contested.
"""

from array import array
from random import Random
from typing import TYPE_CHECKING

from rules.kernel.codes import MOVE_BY_CONVOY, YES

if TYPE_CHECKING:
    from rules.kernel import simulator  # compiled, its .pxd says which

from .arrays import long_integers

SLOTS = 1 << 13
"""How many outcomes are remembered; a later one takes the place of an earlier one."""
SLOT_SHIFT = 40
LARGEST = (1 << 63) - 1


class Outcomes:
    """The worths of outcomes for every power. `worths[slot * powers + power]` is one of them.

    An outcome is known by a number of 63 bits, the sum of a random one for each thing that holds;
    it is not to be expected that two of them ever share theirs. What it is made of is unsigned when
    compiled: a sum that needs more than 64 bits loses the others, and nobody looks at those.
    """

    def __init__(self, provinces: int, powers: int) -> None:
        self.provinces = provinces
        self.powers = powers
        self.keys = long_integers(SLOTS)  # 0 where nothing is remembered
        self.worths = array("d", bytes(8 * SLOTS * powers))
        random = Random(1)  # noqa: S311 - no secret
        # By province for the move of the unit there, then for being contested, then for the turn.
        self.spices = array("Q", bytes(8 * (2 * provinces + 1)))
        for index in range(2 * provinces + 1):
            self.spices[index] = random.getrandbits(63)
        self.turn = 0
        self.forget()

    def forget(self) -> None:
        """Begin another turn."""
        self.turn = (self.turn + self.spices[2 * self.provinces]) & LARGEST

    def key_of(self, judged: "simulator.Simulator") -> int:
        """Return the number of what came of the orders that a simulator has judged."""
        key = self.turn
        is_retreat_due = 0
        for index in range(judged.unit_count):
            unit = judged.units[index]
            if judged.moving[unit] == YES:
                way = 2 * judged.goal_place[unit] + 1
                if judged.kind[unit] == MOVE_BY_CONVOY:
                    way += 1
                key += self.spices[unit] * way
            elif judged.is_dislodged[unit]:
                is_retreat_due = 1
        if is_retreat_due:
            judged.find_contested()
            for province in range(self.provinces):
                if judged.is_contested[province]:
                    key += self.spices[self.provinces + province]
        return key & LARGEST

    def slot_of(self, key: int) -> int:
        """Return where an outcome is remembered, if it is."""
        return (key >> SLOT_SHIFT) & (SLOTS - 1)
