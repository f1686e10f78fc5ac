"""Learn the value of positions from games on the kernel.

First come games by DumbBot's planning, in which every power strays from its best places as far as a
lot says; then, if asked for, games in which all powers search by what was learned so far. Games are
played and studied in rounds; between two rounds a training can be saved, and goes on as if nothing
had happened.
"""

import gzip
import json
from array import array
from pathlib import Path
from random import Random
from typing import Any

from attrs import asdict, define, frozen

from bots.kernel import Learner, Lessons, Network, Playouts, SelfPlay, Subgame
from bots.searchbot.value import Layout, Weights
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
SEARCHED_RATE = 0.004
SHORTEST, LONGEST = 11, 22
"""How many years games have, one length after the other."""
CANDIDATES, ITERATIONS, SIMPLE = 8, 12, 15
"""How hard powers think in games with search, and how many of a hundred do not."""
LARGEST_PART = 1 << 26


@frozen(kw_only=True)
class Recipe:
    """Everything that the result depends on."""

    games: int
    searched: int = 0
    hidden: int = 32
    seed: int = 0
    patience: float = 0.85
    """How much each later year counts of what the one before it does."""


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
        self._subgame = Subgame(self._game, self._network, judged, CANDIDATES)

    @property
    def total(self) -> int:
        """How many games there are in all."""
        return self.recipe.games + self.recipe.searched

    @property
    def is_over(self) -> bool:
        """Whether all games were studied."""
        return self.done >= self.total

    def step(self) -> float:
        """Play and study a round; return the mean loss on it, before it was learned."""
        searches = self.done >= self.recipe.games
        end = self.recipe.games if not searches else self.total
        count = min(SEARCHED_ROUND if searches else ROUND, end - self.done)
        self._play(count, searches=searches)
        part = self.done / max(1, self.recipe.games)
        rate = SEARCHED_RATE if searches else FIRST_RATE + (LAST_RATE - FIRST_RATE) * part
        self._learner.rate = rate
        order = list(range(self._lessons.count))
        Random(f"{self.recipe.seed} {self.done}").shuffle(order)  # noqa: S311 - for play
        self._learner.forget_loss()
        self._learner.go_through(self._lessons, array("i", order), 0, len(order), 1)
        self.done += count
        return self._learner.loss / max(1, self._learner.studied)

    def _play(self, count: int, *, searches: bool) -> None:
        self._lessons.clear()
        first_year = self._board.start.turn.year
        source: Lessons | SelfPlay = self._lessons
        if searches:
            self._network.load(self._learner.rounded())
            source = SelfPlay(self._subgame, self._lessons)
            source.set_up(CANDIDATES, ITERATIONS, SIMPLE)
        for number in range(self.done, self.done + count):
            years = SHORTEST + number % (LONGEST - SHORTEST + 1)
            source.play(self.recipe.seed + number, first_year + years)

    def weights(self) -> Weights:
        """Return what was learned."""
        return Weights(
            layout=Layout.of(self._codec),
            hidden=self.recipe.hidden,
            numbers=self._learner.rounded(),
            recipe=asdict(self.recipe),
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
        head = {"recipe": asdict(self.recipe), "done": self.done}
        numbers = array("f", self._learner.weights).tobytes()
        numbers += array("f", self._learner.moved).tobytes()
        fresh = path.with_name(f".{path.name}.new")
        fresh.write_bytes(gzip.compress(json.dumps(head).encode() + b"\n" + numbers, 1, mtime=0))
        fresh.replace(path)

    def resume(self, path: Path) -> None:
        """Go on where a training with the same recipe was saved."""
        head, numbers = _read(path)
        if head.get("recipe") != asdict(self.recipe):
            raise BadInputError(f"{str(path)!r} was begun with other settings: {head['recipe']}")
        count = self._learner.count
        if len(numbers) != 2 * count:
            raise BadInputError(f"{str(path)!r} is no training that was saved")
        self._learner.take(numbers[:count], numbers[count:])
        self.done = int(head["done"])


def _read(path: Path) -> tuple[dict[str, Any], "array[float]"]:
    try:
        with gzip.open(path) as file:
            line, _, body = file.read(LARGEST_PART).partition(b"\n")
        head = json.loads(line)
        numbers = array("f")
        numbers.frombytes(body)
        return {"recipe": dict(head["recipe"]), "done": int(head["done"])}, numbers
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise BadInputError(f"{str(path)!r} is no training that was saved: {error}") from None
