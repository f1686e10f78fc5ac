"""Our best searcher: local search among our order sets, against opponents who think as well.

Every power chooses from order sets of its own (decoupled, because all move at the same time).
Those of the others are drawn from DumbBot's planning; a part of the time they play what has proved
good for them in simulations. Ours begin with such draws too and widen step by step: variations of
the best one so far challenge it, and are dropped as soon as they look worse over the same guesses.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import exp
from random import Random

from attrs import frozen

from bots.kernel import Playouts
from bots.search.budget import Budget, Patience
from bots.search.dbrane_candidates import battle_plans
from bots.search.proposals import (
    NARROW,
    SPREADS,
    WIDE,
    OrderSet,
    Variations,
    draw,
    refresh,
)
from bots.search.scene import Scene
from bots.search.searcher import Searcher
from bots.search.trials import Guesses, Trial, paired_t
from bots.view import GameView
from rules.errors import BadInputError
from rules.orders import Order
from rules.turns import Season

MOST_THREADS = 64
DRAWS = 90
"""How many plans are drawn for each power."""
OUR_FIRST = 24
"""How many of ours are tried before variations are."""
THEIR_MOST = 6
"""How many order sets of each other power are looked at."""
THEIR_GUESSES = 8
PLAN_COUNT = DRAWS // 2
"""How often D-Brane's plan is thought to have been drawn for each of the others."""
LEAST_FOR_PLANS = 0.25
"""With fewer seconds there is no time to ask D-Brane."""
COOLNESS = 0.02
"""A share of the squares by which an order set is better makes it e times as likely."""
MODEL_PART = 0.4
"""How much of the budget goes to the model of the others at most."""
FIRST_TARGET = 32
"""How many guesses a challenger has to survive at first."""
MOST_GUESSES = 1 << 15
ROUND = 8
LONGEST_STEP = 64
"""After so many playouts somebody looks at the clock."""
PATIENCE = 60
"""After so many challengers in vain everything is looked at more closely."""
HOPELESS, DOUBTFUL = -1.0, 1.5
"""A challenger is dropped below this t, and in the end unless it is above that: so many are tried
that some seem better by luck alone.
"""


@frozen(kw_only=True)
class LocalSearchManner:
    """What can be tuned."""

    depth: int | None = None
    """Movement turns played after this one; by default to the second fall that comes."""
    thinking: float = 0.7
    """How often the others play what has proved good for them."""


class Opponents:
    """What the other powers may do."""

    def __init__(
        self, scene: Scene, manner: LocalSearchManner, plans: Mapping[int, OrderSet]
    ) -> None:
        self._scene = scene
        self._plans = plans
        self._random: Random = scene.view.random
        self._thinking = manner.thinking
        self._others = [power for power in range(scene.game.powers) if power != scene.power]
        self._good: dict[int, tuple[list[OrderSet], list[float]]] = {}

    def guess(self) -> list[int]:
        """Draw what each of the others does; the values must be those of the position."""
        codes: list[int] = []
        for power in self._others:
            codes.extend(self._of(power))
        return codes

    def guess_everything(self) -> list[int]:
        """Draw what everybody does, ourselves included."""
        return [*self.guess(), *self._scene.game.sample(self._scene.power)]

    def _of(self, power: int) -> Sequence[int]:
        if power in self._good and self._random.random() < self._thinking:
            sets, weights = self._good[power]
            return self._random.choices(sets, weights)[0]
        game = self._scene.game
        game.set_chance(power, *(NARROW if self._random.random() < 0.7 else WIDE))
        return game.sample(power)

    def think(self, budget: Budget, depth: int) -> None:
        """Find out what is good for each of the others while we play as usual."""
        game, root = self._scene.game, self._scene.root
        refresh(game, root)
        guesses = Guesses(self.guess_everything, self._random.getrandbits(60))
        guesses.draw(THEIR_GUESSES)
        drawn = {power: draw(game, power, DRAWS, SPREADS) for power in self._others}
        found: dict[int, tuple[list[OrderSet], list[float]]] = {}
        for power, counts in drawn.items():
            game.aim(root, depth, power)
            if power in self._plans:
                counts[self._plans[power]] += PLAN_COUNT
            usual = counts.most_common(THEIR_MOST)
            if len(usual) < 2:
                continue
            trials = []
            for orders, _ in usual:
                if budget.part() > MODEL_PART or not budget.has_more(THEIR_GUESSES):
                    self._good = found
                    return
                trials.append(Trial(orders))
                guesses.extend(trials[-1], THEIR_GUESSES, game)
            top = max(trial.mean() for trial in trials)
            weights = [
                count**0.5 * exp((trial.mean() - top) / COOLNESS)
                for trial, (_, count) in zip(trials, usual, strict=True)
            ]
            found[power] = ([trial.orders for trial in trials], weights)
        self._good = found


class Race:
    """Looks for the order set that does best against the guesses."""

    def __init__(
        self, scene: Scene, opponents: Opponents, games: Sequence[Playouts], depth: int
    ) -> None:
        self._scene = scene
        self._games = games
        self._depth = depth
        self._guesses = Guesses(opponents.guess, scene.view.random.getrandbits(60))
        self._target = FIRST_TARGET
        self._seen: set[OrderSet] = set()
        self._runners_up: list[Trial] = []
        for game in games:
            game.aim(scene.root, depth, scene.power)

    def run(self, budget: Budget, ideas: Sequence[OrderSet] = ()) -> OrderSet:
        """Return the best order set found while the budget lasts; `ideas` are tried as well."""
        scene = self._scene
        refresh(scene.game, scene.root)
        variations = Variations(scene)
        refresh(scene.game, scene.root)
        first = [
            orders
            for orders, _ in draw(scene.game, scene.power, DRAWS, SPREADS).most_common(OUR_FIRST)
        ]
        self._draw_guesses(budget)
        first[1:1] = [orders for orders in ideas if orders not in first]
        self._seen.update(first)
        self.leader = Trial(first[0])
        with ThreadPoolExecutor(len(self._games)) as pool:
            self._pool = pool
            self._challenge(first[1:], budget)
            if variations.has_any:
                self._improve(variations, budget)
        return self.leader.orders

    def _draw_guesses(self, budget: Budget) -> bool:
        """Draw as many guesses as we want, the first ones in any case; False if time is up."""
        refresh(self._scene.game, self._scene.root)
        while len(self._guesses) < self._target:
            if len(self._guesses) >= FIRST_TARGET and not budget.has_more(0):
                return False
            self._guesses.draw(min(self._target, len(self._guesses) + FIRST_TARGET))
        return True

    def _improve(self, variations: Variations, budget: Budget) -> None:
        vain = 0
        while budget.has_more(0):
            before = self.leader
            refresh(self._scene.game, self._scene.root)
            challengers = [
                orders
                for orders in (
                    variations.vary(self.leader.orders) for _ in range(4 * len(self._games))
                )
                if orders not in self._seen
            ]
            self._seen.update(challengers)
            self._challenge(challengers, budget)
            vain = vain + 4 * len(self._games) if self.leader is before else 0
            if vain >= PATIENCE:
                vain = 0
                if not self._look_closer(budget):
                    return

    def _look_closer(self, budget: Budget) -> bool:
        """Ask for more guesses, and let the best of those that lost try again."""
        if self._target >= MOST_GUESSES:
            return False
        self._target *= 2
        if not self._draw_guesses(budget):
            return False
        again = sorted(self._runners_up, key=Trial.mean, reverse=True)[:6]
        self._runners_up = []
        self._rechallenge(again, budget)
        return True

    def _challenge(self, challengers: Sequence[OrderSet], budget: Budget) -> None:
        self._rechallenge([Trial(orders) for orders in challengers], budget)

    def _rechallenge(self, trials: Sequence[Trial], budget: Budget) -> None:
        if not self._lead(budget):
            return
        for group in _groups(trials, len(self._games)):
            before = sum(len(trial.scores) for trial in group)
            if not budget.has_more(0):
                return
            if len(group) == 1:
                won = [self._race(group[0], self._games[0], budget)]
            else:
                budgets = [budget] * len(group)
                won = list(self._pool.map(self._race, group, self._games, budgets))
            budget.has_more(sum(len(trial.scores) for trial in group) - before)
            for trial, has_won in zip(group, won, strict=True):
                if has_won and paired_t(trial, self.leader) > DOUBTFUL:
                    self._runners_up.append(self.leader)
                    self.leader = trial
                elif len(trial.scores) >= FIRST_TARGET:
                    self._runners_up.append(trial)

    def _lead(self, budget: Budget) -> bool:
        """Let the leader meet all guesses; False if there is no time for it."""
        while len(self.leader.scores) < self._target:
            if not budget.has_more(FIRST_TARGET):
                return False
            count = min(self._target, len(self.leader.scores) + FIRST_TARGET)
            self._guesses.extend(self.leader, count, self._games[0])
        return True

    def _race(self, trial: Trial, game: Playouts, budget: Budget) -> bool:
        """Try an order set as long as it may be better than the leader; say whether it is."""
        count = max(len(trial.scores), ROUND)
        while True:
            while len(trial.scores) < count:
                if not budget.has_more(0):
                    return False
                step = min(count, len(trial.scores) + LONGEST_STEP)
                self._guesses.extend(trial, step, game)
            t = paired_t(trial, self.leader)
            if count == self._target:
                return t > DOUBTFUL
            if t < HOPELESS or (t <= 0 and count >= FIRST_TARGET):
                return False
            count = min(2 * count, self._target)


def _groups(trials: Sequence[Trial], size: int) -> Iterator[Sequence[Trial]]:
    for first in range(0, len(trials), size):
        yield trials[first : first + size]


class BestSearcher(Searcher):
    """Searches with all that we know."""

    version = "best"

    def __init__(
        self, patience: Patience, manner: LocalSearchManner | None = None, *, threads: int = 1
    ) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise BadInputError(f"threads: {threads} must be between 1 and {MOST_THREADS}")
        super().__init__(patience)
        self._manner = manner or LocalSearchManner()
        self._threads = threads

    def search(self, view: GameView, budget: Budget) -> Sequence[Order]:
        """Race variations of our orders against guesses of all others."""
        games = [self._stage.playouts(view.board, number) for number in range(self._threads)]
        scene = Scene(view, games[0])
        for game in games[1:]:
            scene.enter(game)
        depth = self._depth(view)
        plans = battle_plans(scene, budget) if budget.has_seconds(LEAST_FOR_PLANS) else {}
        opponents = Opponents(scene, self._manner, plans)
        if self._manner.thinking > 0:
            opponents.think(budget, depth)
        race = Race(scene, opponents, games, depth)
        return scene.orders(race.run(budget, [plans[scene.power]] if scene.power in plans else []))

    def _depth(self, view: GameView) -> int:
        if self._manner.depth is not None:
            return self._manner.depth
        return 1 if view.turn.season is Season.SPRING else 2
