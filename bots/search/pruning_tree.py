"""Progressive pruning down the tree, as the paper has it, like iterative deepening.

First our order sets are tried in rounds, and each is dropped as soon as a t-test finds it worse
than another one. Those that are left are expanded: from a position after them, with guesses of what
the others do, a few order sets of the next turn are tried, and dropped, in the same way. An order
set of this turn is out when all that was expanded from it is; the search ends with the last one.
"""

from collections.abc import Sequence

from attrs import define

from bots.kernel.habits import ANY_ORDERS
from bots.search.any_orders import any_order_sets
from bots.search.budget import Budget
from bots.search.flat_search import ROUND, USUAL, MonteCarlo
from bots.search.scene import Scene
from bots.search.trials import Guesses, Trial, paired_t, t_quantile
from bots.view import GameView
from rules.orders import Order

MOST_LEVELS = 3
CHILDREN = 4
"""How many order sets of the next turn are tried after one of this turn, as in the figures."""
MOST_PLAYOUTS = 1200
"""The most for one order set of a level, ten times the plain player's, so that tests can decide."""


@define(eq=False)
class Leaf:
    """An order set at the end of the tree, and which one of this turn it belongs to."""

    first: int
    saved: list[int]
    guesses: Guesses
    trial: Trial
    turns_left: int


class PruningTreeSearcher(MonteCarlo):
    """Plays the order set whose branch is left, or does best."""

    def search(self, view: GameView, budget: Budget) -> Sequence[Order]:
        """Go down level by level while more than one order set of this turn is left."""
        scene = Scene(view, self._stage.playouts(view.board))
        firsts = [trial.orders for trial in self._propose(scene)]
        if len(firsts) < 2 or self._plan.playouts == 0:
            return scene.orders(firsts[0])
        for power in range(scene.game.powers):
            scene.game.set_policy(power, self._plan.policy)
        seed = view.random.getrandbits(60)
        guesses = Guesses(self._guess(scene), seed)
        leaves = [
            Leaf(number, scene.root, guesses, Trial(orders), self._plan.depth)
            for number, orders in enumerate(firsts)
        ]
        best = 0
        for _ in range(MOST_LEVELS):
            leaves = self._decide(scene, leaves, budget)
            best = max(leaves, key=lambda leaf: leaf.trial.mean()).first
            if len({leaf.first for leaf in leaves}) == 1 or not budget.has_more(0):
                break
            # What was promised and expected is over after this turn.
            scene.game.clear_fixed()
            leaves = [child for leaf in leaves for child in self._expand(scene, leaf, seed)]
            if not leaves:
                break
        return scene.orders(firsts[best])

    def _decide(self, scene: Scene, leaves: list[Leaf], budget: Budget) -> list[Leaf]:
        """Try all leaves in rounds, and leave out what a test finds worse than the best."""
        most = MOST_PLAYOUTS if self._plan.playouts is None else self._plan.playouts
        count = 0
        while len({leaf.first for leaf in leaves}) > 1 and count < most:
            count = min(count + ROUND, most)
            for leaf in leaves:
                if not budget.has_more(count - len(leaf.trial.scores)):
                    return leaves
                scene.game.restore(leaf.saved)
                leaf.guesses.draw(count)
                scene.game.aim(leaf.saved, leaf.turns_left, scene.power)
                leaf.guesses.extend(leaf.trial, count, scene.game)
            best = max(leaves, key=lambda leaf: leaf.trial.mean())
            limit = t_quantile(USUAL, count - 1) if count > 1 else float("inf")
            kept = [
                leaf for leaf in leaves if leaf is best or paired_t(best.trial, leaf.trial) <= limit
            ]
            self.pruned += len(leaves) - len(kept)
            leaves = kept
        return leaves

    def _expand(self, scene: Scene, leaf: Leaf, seed: int) -> list[Leaf]:
        """Return leaves of the next turn, after one guess of what the others do in this one."""
        game = scene.game
        game.restore(leaf.saved)
        guessed = game.predict(scene.power, ANY_ORDERS)
        game.state.step([*guessed, *leaf.trial.orders])
        game.settle_turn()
        saved = game.save()
        guesses = Guesses(self._guess(scene), seed)
        return [
            Leaf(leaf.first, saved, guesses, Trial(orders), max(0, leaf.turns_left - 1))
            for orders in any_order_sets(scene, CHILDREN)
        ]
