"""Learn the value of positions from games on the kernel.

First come games by DumbBot's planning, in which every power strays from its best places as far as a
lot says; then, if asked for, games by the learned policy, and games in which most powers search by
what was learned so far. Games are played and studied in rounds; between two rounds a training can
be saved, and goes on as if nothing had happened.
"""

from array import array
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from attrs import asdict, define, frozen

from bots.kernel import (
    Habitual,
    Learner,
    Lessons,
    Network,
    Playouts,
    Policy,
    SelfPlay,
    Subgame,
)
from bots.searchbot.policy_file import SHIPPED as POLICY
from bots.searchbot.policy_file import policy_for
from bots.searchbot.saved_training import read_training, save_training
from bots.searchbot.value import Layout, LearnedValue
from rules.board import Board
from rules.errors import BadInputError
from rules.kernel import Variations
from rules.kernel.encode import codec_of

ROUND = 1000
"""Games of DumbBot's planning in a round."""
SEARCHED_ROUND = 200
"""Games with search in a round."""
ROOM = 90
"""Positions of a game that are kept at most, on the average."""
HELD_OUT = 300
"""Games by which the result is measured."""
FIRST_HELD_OUT = 1 << 40
"""The seed of the first of them, far from those of lessons."""
FIRST_RATE, LAST_RATE = 0.03, 0.002
FIRST_SEARCHED_RATE, LAST_SEARCHED_RATE = 0.01, 0.002
FIRST_HABITUAL_RATE, LAST_HABITUAL_RATE = 0.02, 0.002
HABITUAL_HEATS = (0.6, 1.0, 1.0, 1.5)
"""At which temperatures the others draw."""
HABITUAL_SIMPLE = 20
"""How many powers of a hundred go by DumbBot's planning in games by the policy."""
SHORTEST, LONGEST = 11, 22
"""How many years games have, one length after the other."""
CANDIDATES, PROPOSED, ITERATIONS = 3, 5, 6
"""How hard powers think in games with search: plans as DumbBot's, plans of the policy, steps."""
SEARCHED_SIMPLE, SEARCHED_HABITUAL = 15, 25
"""How many powers of a hundred go by DumbBot's planning there, and how many by the policy."""


@frozen(kw_only=True)
class Recipe:
    """Everything that the result depends on."""

    games: int
    searched: int = 0
    habitual: int = 0
    """Games by the learned policy that is shipped, between the other two."""
    heats: Sequence[float] = HABITUAL_HEATS
    """At which temperatures powers draw their orders in them, by lot."""
    hidden: int = 32
    seed: int = 0
    patience: float = 0.85
    """How much each later year counts of what the one before it does."""

    def as_dict(self) -> dict[str, Any]:
        """Return it for a file, without what is as in the first files, which did not name it."""
        found = asdict(self) | {"heats": list(self.heats)}
        if not self.habitual:
            del found["habitual"]
        if tuple(self.heats) == HABITUAL_HEATS:
            del found["heats"]
        return found


@define
class Measured:
    """How far judgements are from what came of positions, as mean squared errors and a loss."""

    positions: int
    learned: float
    centers: float
    projection: float
    loss: float


class Training:
    """One training, from round to round."""

    def __init__(self, board: Board, recipe: Recipe) -> None:
        self.recipe = recipe
        self.done = 0
        """Games so far, of both kinds."""
        self._codec = codec_of(board)
        self._board = board
        self._game = Playouts(self._codec.new_simulator())
        self._codec.load(board.start, self._game.state)
        self._network = Network(self._game, recipe.hidden)
        self._lessons = Lessons(self._game, ROUND * ROOM, recipe.patience)
        self._learner = Learner(self._network, recipe.seed)
        judged = Variations(self._codec.new_simulator())
        self._subgame = Subgame(self._game, self._network, judged, CANDIDATES + PROPOSED)
        self._policy: Policy | None = None

    @property
    def total(self) -> int:
        """How many games there are in all."""
        return self.recipe.games + self.recipe.habitual + self.recipe.searched

    @property
    def is_over(self) -> bool:
        """Whether all games were studied."""
        return self.done >= self.total

    def step(self) -> float:
        """Play and study a round; return the mean loss on it, before it was learned."""
        count = self._play()
        order = list(range(self._lessons.count))
        Random(f"{self.recipe.seed} {self.done}").shuffle(order)  # noqa: S311 - for play
        self._learner.forget_loss()
        self._learner.go_through(self._lessons, array("i", order), 0, len(order), 1)
        self.done += count
        return self._learner.loss / max(1, self._learner.studied)

    def _play(self) -> int:
        """Play a round of the games that are due, and return how many there were."""
        recipe = self.recipe
        source: Lessons | Habitual | SelfPlay = self._lessons
        size = ROUND
        if self.done < recipe.games:
            end = recipe.games
            part = self.done / recipe.games
            self._learner.rate = FIRST_RATE + (LAST_RATE - FIRST_RATE) * part
        elif self.done < recipe.games + recipe.habitual:
            end = recipe.games + recipe.habitual
            part = (self.done - recipe.games) / recipe.habitual
            change = LAST_HABITUAL_RATE - FIRST_HABITUAL_RATE
            self._learner.rate = FIRST_HABITUAL_RATE + change * part
            source = self._habitual()
        else:
            end, size = self.total, SEARCHED_ROUND
            part = (self.done - recipe.games - recipe.habitual) / recipe.searched
            change = LAST_SEARCHED_RATE - FIRST_SEARCHED_RATE
            self._learner.rate = FIRST_SEARCHED_RATE + change * part
            self._network.load(self._learner.rounded())
            source = self._searched()
        self._lessons.clear()
        count = min(size, end - self.done)
        for number in range(self.done, self.done + count):
            years = SHORTEST + number % (LONGEST - SHORTEST + 1)
            source.play(recipe.seed + number, self._board.start.turn.year + years)
        return count

    def _learned_policy(self) -> Policy:
        if self._policy is None:
            self._policy = policy_for(self._game, self._board, POLICY)
            if self._policy is None:
                raise BadInputError("no policy was learned for this map")
        return self._policy

    def _searched(self) -> SelfPlay:
        found = SelfPlay(self._subgame, self._lessons)
        found.set_up(CANDIDATES, ITERATIONS, SEARCHED_SIMPLE)
        found.ask(self._learned_policy(), PROPOSED, SEARCHED_HABITUAL, self.recipe.heats)
        return found

    def _habitual(self) -> Habitual:
        found = Habitual(self._learned_policy(), self._lessons)
        found.set_up(HABITUAL_SIMPLE, self.recipe.heats)
        return found

    def weights(self) -> LearnedValue:
        """Return what was learned."""
        return LearnedValue(
            layout=Layout.of(self._codec),
            hidden=self.recipe.hidden,
            numbers=self._learner.rounded(),
            recipe=self.recipe.as_dict(),
        )

    def measure(self) -> Measured:
        """Compare what was learned with counts of centers, in games that were not studied."""
        lessons, game = self._lessons, self._game
        lessons.clear()
        last_year = self._board.start.turn.year + LONGEST
        for number in range(HELD_OUT):
            lessons.play(FIRST_HELD_OUT + number, last_year)
        order = array("i", range(lessons.count))
        self._learner.forget_loss()
        self._learner.go_through(lessons, order, 0, lessons.count, 0)
        count, powers = self._learner.studied, game.powers
        learned, loss = self._learner.squares / count, self._learner.loss / count
        centers = projection = 0.0
        for number in order:
            lessons.show(number)
            target = lessons.targets[number * powers : (number + 1) * powers]
            owned = [0] * powers
            for place in range(game.provinces):
                if game.state.owner[place] >= 0:
                    owned[game.state.owner[place]] += 1
            total = sum(each**2 for each in owned)
            for power in range(powers):
                centers += (owned[power] ** 2 / total - target[power]) ** 2
                projection += (game.share(power) - target[power]) ** 2
        return Measured(count, learned, centers / count, projection / count, loss)

    # Between two rounds.

    def save(self, path: Path) -> None:
        """Write down how far the training is."""
        learner = self._learner
        save_training(path, self.recipe.as_dict(), self.done, learner.weights, learner.moved)

    def resume(self, path: Path) -> None:
        """Go on where a training with the same recipe was saved."""
        self.done, weights, moved = read_training(path, self.recipe.as_dict(), self._learner.count)
        self._learner.take(weights, moved)
