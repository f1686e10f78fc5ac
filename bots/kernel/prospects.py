"""What each candidate of each power leads to, against a plan that is chosen for everybody.

It is what a search by regret matching asks in every iteration: for all powers i and all order sets
a of i, the worth for i of playing a while the others keep to the plan.
"""

from array import array
from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.kernel import variations  # compiled, its .pxd says which

from .arrays import zeros
from .playouts import Playouts

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython


class Prospects:
    """Candidates in a position of a movement turn, and what they lead to.

    `game` plays positions on, with the policies, wishes and chances it has; `judged` adjudicates
    and must have a simulator of its own. Objects that share neither may work in two threads.
    """

    def __init__(self, game: Playouts, judged: "variations.Variations") -> None:
        if judged.state is game.state or judged.state.tables is not game.state.tables:
            raise ValueError("candidates are judged on a simulator of their own, of the same map")
        self.game = game
        self.variations = judged
        self.powers = game.powers
        self.width = 3 * game.provinces + 3
        self.count = 0
        self.owners = zeros(1)
        self.shares = array("d", [0.0] * game.powers)

    def take(
        self,
        kept: Sequence[int],
        codes: Sequence[int],
        starts: Sequence[int],
        powers: Sequence[int],
    ) -> None:
        """Take a saved position and the candidates for it.

        Candidate n is `codes[starts[n]:starts[n + 1]]`, of the power `powers[n]`.
        """
        if len(powers) != len(starts) - 1:
            raise ValueError(f"there are {len(starts) - 1} candidates, but {len(powers)} powers")
        owners = zeros(len(powers) + 1)
        for index in range(len(powers)):
            if not 0 <= powers[index] < self.powers:
                raise ValueError(f"there is no power {powers[index]}")
            owners[index] = powers[index]
        self.variations.take(codes, starts)
        self.owners = owners
        self.count = len(powers)
        self.game.restore(kept)
        self.variations.state.copy(self.game.state)

    def choose(self, numbers: Sequence[int]) -> None:
        """Make these candidates, commonly one for each power, the plan."""
        self.variations.choose(numbers)

    def weigh(
        self, movements: int, seed: int, first: int, end: int, scores: MutableSequence[float]
    ) -> None:
        """Write to `scores[n]` what candidate n is worth to its power, for `first` <= n < `end`.

        Retreats are played, then so many movement turns by the policies, then the share of the
        squares is taken. The dice are the same for all candidates, so one that differs in nothing
        from the plan has the worth of the plan.
        """
        self.check(first, end, len(scores))
        self.game.check_movements(movements)
        with cython.nogil:
            self.variations.go_back()
            self.play_on(movements, seed)
            for power in range(self.powers):
                self.shares[power] = self.game.share_of(power)
            for number in range(first, end):
                if self.variations.vary(number):
                    self.play_on(movements, seed)
                    scores[number] = self.game.share_of(self.owners[number])
                else:
                    scores[number] = self.shares[self.owners[number]]
            self.variations.go_back()

    def check(self, first: int, end: int, room: int) -> None:
        """Refuse a range that is not there."""
        if not 0 <= first <= end <= self.count:
            raise ValueError(f"candidates {first} to {end} are not among the {self.count}")
        if room < end:
            raise ValueError(f"there is room for {room} candidates, not for {end}")

    def play_on(self, movements: int, seed: int) -> None:
        """Play what follows from the variation that was judged last."""
        self.variations.lay(self.game.state)
        self.game.state.seed(seed)
        self.game.phases += 1
        self.game.run(movements)
