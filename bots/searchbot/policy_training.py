"""Learn a policy from games in which all powers search.

Each round plays games, in which what was learned so far proposes some of the candidates, and then
learns to order what the search has found (policy iteration). Between two rounds a training can be
saved, and goes on as if nothing had happened.
"""

from array import array
from math import log
from pathlib import Path
from random import Random

from attrs import asdict, define, frozen

from bots.kernel import Examples, Imitator, Playouts, Policy, Subgame
from bots.kernel.habits import BY_NETWORK, DUMBBOT
from bots.search.proposals import SPREADS
from bots.searchbot.blueprint import HEATS, Custom, Imitating, Planning
from bots.searchbot.policy_file import PolicyWeights, slot_names
from bots.searchbot.saved_training import read_training, save_training
from bots.searchbot.value import SHIPPED, Layout, judge_for
from rules.board import Board
from rules.kernel import Variations
from rules.kernel.encode import codec_of

ROUND = 50
"""Games in a round."""
ROOM = 45
"""Examples of a game that are kept at most, on the average."""
EPOCHS = 2
"""How often each example is studied."""
FIRST_RATE, LAST_RATE = 0.12, 0.01
SHORTEST, LONGEST = 8, 19
"""How many years games have, one length after the other."""
PLANNED, LEARNED, VARIED, ITERATIONS, SIMPLE = 6, 6, 10, 12, 10
"""How hard powers think, see `Examples.set_up`."""
UNLEARNED_ROUNDS = 2
"""In the first rounds the policy knows too little to propose anything."""
HELD_OUT = 20
"""Games by which the result is measured."""
FIRST_HELD_OUT = 1 << 40
"""The seed of the first of them, far from those of lessons."""
COMPARED = 200
"""In so many of their turns it is compared with DumbBot's planning."""
DRAWS = 90
UNSEEN = 0.5
"""An order that was never drawn counts as drawn half a time."""


@frozen(kw_only=True)
class PolicyRecipe:
    """Everything that the result depends on."""

    games: int
    hidden: int = 16
    seed: int = 0


@define
class MeasuredPolicy:
    """How likely what a search orders is, in games that were not studied."""

    decisions: int
    loss: float
    """Mean of minus the logarithm of the chance of a unit's order, given those before it."""
    best: float
    """How often the most likely order of a unit was the one."""
    learned: float
    """The same loss for each unit on its own, by how often its order was drawn in 90 sets."""
    dumbbot: float
    """The same for DumbBot's planning."""
    sets_learned: float
    """How often the whole order set was among 90 that were drawn."""
    sets_dumbbot: float


class PolicyTraining:
    """One training, from round to round."""

    def __init__(self, board: Board, recipe: PolicyRecipe) -> None:
        self.recipe = recipe
        self.done = 0
        """Games so far."""
        self._codec = codec_of(board)
        self._board = board
        self._game = Playouts(self._codec.new_simulator())
        self._codec.load(board.start, self._game.state)
        _, network = judge_for(self._game, board, BY_NETWORK, SHIPPED)
        self._policy = Policy(self._game, recipe.hidden)
        judged = Variations(self._codec.new_simulator())
        self._subgame = Subgame(self._game, network, judged, PLANNED + LEARNED + VARIED)
        self._examples = Examples(self._subgame, self._policy, max(ROUND, HELD_OUT) * ROOM)
        self._learner = Imitator(self._policy, recipe.seed)

    @property
    def total(self) -> int:
        """How many games there are in all."""
        return self.recipe.games

    @property
    def is_over(self) -> bool:
        """Whether all games were studied."""
        return self.done >= self.total

    def step(self) -> float:
        """Play and study a round; return the mean loss on it, before it was learned."""
        count = min(ROUND, self.total - self.done)
        is_new = self.done < UNLEARNED_ROUNDS * ROUND
        self._play(self.recipe.seed + self.done, count, 0 if is_new else LEARNED)
        order = list(range(self._examples.count))
        Random(f"{self.recipe.seed} {self.done}").shuffle(order)  # noqa: S311 - for play
        shuffled = array("i", order)
        loss = self._measured(shuffled)
        part = self.done / self.total
        self._learner.rate = FIRST_RATE + (LAST_RATE - FIRST_RATE) * part
        for _ in range(EPOCHS):
            self._learner.go_through(self._examples, shuffled, 0, len(order), 1)
        self.done += count
        return loss

    def _play(self, first_seed: int, count: int, learned: int) -> None:
        self._examples.clear()
        self._examples.set_up(PLANNED, learned, VARIED, ITERATIONS, SIMPLE)
        first_year = self._board.start.turn.year
        for number in range(count):
            years = SHORTEST + number % (LONGEST - SHORTEST + 1)
            self._examples.play(first_seed + number, first_year + years)

    def _measured(self, order: "array[int]") -> float:
        self._learner.forget_loss()
        self._learner.go_through(self._examples, order, 0, len(order), 0)
        return self._learner.loss / max(1, self._learner.decisions)

    def weights(self) -> PolicyWeights:
        """Return what was learned."""
        return PolicyWeights(
            layout=Layout.of(self._codec),
            slots=slot_names(self._policy, self._codec),
            hidden=self.recipe.hidden,
            numbers=self._learner.rounded(),
            recipe=asdict(self.recipe),
        )

    def use(self, weights: PolicyWeights) -> None:
        """Go on from what another training has learned."""
        self._policy.load(weights.numbers)

    def measure(self) -> MeasuredPolicy:
        """See how likely the orders of a search are, beside DumbBot's planning."""
        self._play(FIRST_HELD_OUT, HELD_OUT, LEARNED)
        order = array("i", range(self._examples.count))
        loss = self._measured(order)
        best = self._learner.hits / max(1, self._learner.decisions)
        decisions = self._learner.decisions
        Random(0).shuffle(order)  # noqa: S311 - for play
        learned = self._compare(Imitating(self._policy, HEATS), order[:COMPARED])
        dumbbot = self._compare(Planning(self._game, SPREADS), order[:COMPARED])
        return MeasuredPolicy(decisions, loss, best, learned[0], dumbbot[0], learned[1], dumbbot[1])

    def _compare(self, usual: Custom, numbers: "array[int]") -> tuple[float, float]:
        """Return the loss of drawn orders unit by unit, and how often the whole set was drawn."""
        losses: list[float] = []
        found: list[bool] = []
        for number in numbers:
            self._examples.show(number)
            self._game.value(DUMBBOT)
            for power in range(self._game.powers):
                wanted = tuple(self._examples.orders_of(number, power))
                if not wanted or wanted[0] < 0:
                    continue
                drawn = usual.draw(power, DRAWS)
                found.append(wanted in drawn)
                for place, code in enumerate(wanted):
                    count = sum(times for orders, times in drawn.items() if orders[place] == code)
                    losses.append(-log((count or UNSEEN) / DRAWS))
        return sum(losses) / max(1, len(losses)), sum(found) / max(1, len(found))

    # Between two rounds.

    def save(self, path: Path) -> None:
        """Write down how far the training is."""
        save_training(
            path, asdict(self.recipe), self.done, self._policy.weights, self._learner.moved
        )

    def resume(self, path: Path) -> None:
        """Go on where a training with the same recipe was saved."""
        self.done, weights, moved = read_training(path, asdict(self.recipe), self._learner.count)
        self._learner.take(weights, moved)
