"""One level of Monte Carlo: try order sets in rounds, drop what is worse, play the best mean."""

from collections.abc import Sequence

from attrs import frozen

from bots.kernel.habits import ANY_ORDERS, BY_VALUES
from bots.search.any_orders import any_order_sets
from bots.search.budget import Budget, Patience
from bots.search.proposals import NARROW, SPREADS, draw, refresh
from bots.search.scene import Scene
from bots.search.searcher import Searcher
from bots.search.trials import Guess, Guesses, Trial, paired_t, t_quantile
from bots.view import GameView
from rules.orders import Order

ROUND = 8
"""How many playouts of each order set are between two looks at the results."""
STRICT, USUAL = 2.326, 1.645
"""One-sided 99 and 95 per cent of the normal distribution."""
FEW = 24
"""Below so many playouts only the stricter test prunes, because so many are compared."""
PAIR_UNTIL = 16
"""Until so many playouts two are kept at least."""
DRAWS_PER_CANDIDATE = 6


@frozen(kw_only=True)
class Plan:
    """How a flat searcher goes about it."""

    prunes: bool
    playouts: int | None
    """The most that one order set gets."""
    candidates: int
    depth: int
    is_blind: bool = False
    """Whether order sets, guesses and playouts are any legal orders, not DumbBot's planning."""

    @property
    def policy(self) -> int:
        """How everybody plays after this turn."""
        return ANY_ORDERS if self.is_blind else BY_VALUES


class MonteCarlo(Searcher):
    """Plays the order set with the best mean."""

    def __init__(self, variant: str, patience: Patience, plan: Plan) -> None:
        self.version = variant
        super().__init__(patience)
        self._plan = plan
        self.pruned = 0
        """How many order sets were dropped so far."""

    def search(self, view: GameView, budget: Budget) -> Sequence[Order]:
        """Try order sets in rounds, and play the best."""
        scene = Scene(view, self._stage.playouts(view.board))
        trials = self._propose(scene)
        if self._plan.playouts != 0 and len(trials) > 1:
            trials = self._run(scene, trials, budget)
        return scene.orders(max(trials, key=Trial.mean).orders)

    def _propose(self, scene: Scene) -> list[Trial]:
        """Return the order sets to try, the most usual first."""
        wanted = self._plan.candidates
        if self._plan.is_blind:
            return list(map(Trial, any_order_sets(scene, wanted, scene.promised)))
        found = draw(scene.game, scene.power, DRAWS_PER_CANDIDATE * wanted, SPREADS)
        return [Trial(orders) for orders, _ in found.most_common(wanted)]

    def _guess(self, scene: Scene) -> Guess:
        """Return what draws the orders of all others, in the position that is on the board."""
        if self._plan.is_blind:
            return lambda: scene.game.predict(scene.power, ANY_ORDERS)
        return lambda: guess_all(scene)

    def _run(self, scene: Scene, trials: list[Trial], budget: Budget) -> list[Trial]:
        game = scene.game
        for power in range(game.powers):
            game.set_policy(power, self._plan.policy)
        game.aim(scene.root, self._plan.depth, scene.power)
        guesses = Guesses(self._guess(scene), scene.view.random.getrandbits(60))
        count = 0
        while len(trials) > 1 and (self._plan.playouts is None or count < self._plan.playouts):
            count += (
                ROUND if self._plan.playouts is None else min(ROUND, self._plan.playouts - count)
            )
            refresh(game, scene.root)
            guesses.draw(count)
            for trial in trials:
                if not budget.has_more(count - len(trial.scores)):
                    return _furthest(trials)
                guesses.extend(trial, count, game)
            if self._plan.prunes:
                trials = self._pruned(trials, count)
        return trials

    def _pruned(self, trials: list[Trial], count: int) -> list[Trial]:
        """Leave out what is worse than the best, surely enough."""
        ranked = sorted(trials, key=Trial.mean, reverse=True)
        best = ranked[0]
        limit = t_quantile(STRICT if count < FEW else USUAL, count - 1) if count > 1 else 0.0
        kept = [
            trial
            for trial in ranked
            if trial is best or count < 2 or paired_t(best, trial) <= limit
        ]
        if len(kept) == 1 and count < PAIR_UNTIL:
            kept.append(ranked[1])
        self.pruned += len(trials) - len(kept)
        return kept


def guess_all(scene: Scene) -> list[int]:
    """Draw what every other power may do; the values must be those of the position."""
    codes: list[int] = []
    for power in range(scene.game.powers):
        if power != scene.power:
            scene.game.set_chance(power, *NARROW)
            codes.extend(scene.game.sample(power))
    return codes


def _furthest(trials: list[Trial]) -> list[Trial]:
    """Return those that have met the most guesses, so that means compare alike."""
    most = max(len(trial.scores) for trial in trials)
    done = [trial for trial in trials if len(trial.scores) == most]
    # A round that has only just begun says little: the round before it has seen all.
    if len(done) >= (len(trials) + 1) // 2 or most <= ROUND:
        return done if most else trials
    for trial in trials:
        del trial.scores[most - ROUND :]
    return trials
