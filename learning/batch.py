"""Many games in step, as arrays with the game as their first axis."""

import numpy as np
from numpy.typing import NDArray

from learning.array_game import SCORES, SQUARES, ArrayGame, Bytes, Floats, Integers
from rules.errors import BadInputError
from rules.variants import load_board


class GameBatch:
    """So many games, each of which begins anew when it is over.

    `boards[game]`, `turns[game]`, `places[game, power]`, `counts[game, power]` and `alive[game]`
    are what `DiplomacyEnvironment` shows of one game; the legal numbers of a slot are those below
    its count. They are written over in each step.
    """

    def __init__(
        self,
        games: int,
        variant: str = "standard",
        *,
        last_year: int = 1920,
        scores: str = SQUARES,
    ) -> None:
        if games < 1:
            raise BadInputError(f"games: {games} are too few; give 1 or more")
        if scores not in SCORES:
            raise BadInputError(f"scores: {scores!r} is not one of {', '.join(SCORES)}")
        board = load_board(variant)
        self.games = [ArrayGame(board, last_year=last_year) for _ in range(games)]
        first = self.games[0]
        powers, slots = first.powers, first.slots
        self.boards: Bytes = np.zeros((games, first.provinces, first.columns), dtype=np.int8)
        self.turns: Integers = np.zeros((games, 2), dtype=np.int64)
        self.places: Integers = np.zeros((games, powers, slots), dtype=np.int64)
        self.counts: Integers = np.zeros((games, powers, slots), dtype=np.int64)
        self.alive: NDArray[np.bool_] = np.zeros((games, powers), dtype=bool)
        self._scores = scores
        self._show(range(games))

    def step(self, actions: Integers) -> tuple[Floats, NDArray[np.bool_]]:
        """Play a phase of every game with `actions[game, power, slot]`.

        Return the rewards of all powers and which games were over. Those have begun anew: what is
        shown of them is the start of the next game.
        """
        if actions.shape != self.counts.shape or not np.issubdtype(actions.dtype, np.integer):
            raise BadInputError(
                f"actions: whole numbers of the shape {self.counts.shape} are needed, "
                f"not {actions.dtype} of {actions.shape}"
            )
        rewards: Floats = np.zeros(self.alive.shape)
        is_over: NDArray[np.bool_] = np.zeros(len(self.games), dtype=bool)
        for at, game in enumerate(self.games):
            game.step(actions[at])
            if game.is_won() or game.is_out_of_time():
                rewards[at] = game.scores(self._scores)
                is_over[at] = True
                game.reset()
        self._show(range(len(self.games)))
        return rewards, is_over

    def sample(self, random: np.random.Generator) -> Integers:
        """Return a legal action for everybody, all orders alike."""
        chosen: Integers = (random.random(self.counts.shape) * self.counts).astype(np.int64)
        return chosen

    def _show(self, numbers: range) -> None:
        for at in numbers:
            game = self.games[at]
            game.observe(self.boards[at])
            self.turns[at] = game.turn()
            self.places[at] = game.places
            self.counts[at] = game.counts
            self.alive[at] = game.alive()
