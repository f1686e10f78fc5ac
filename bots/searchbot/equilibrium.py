"""Search a movement turn: regret matching among candidates, and better ones found on the way.

All powers learn at the same time what they should play against each other. Then, in turn, the best
order set of a power is varied; a variation that does better against what the others now play is a
new candidate, and all learn on (a double oracle).
"""

from array import array
from collections.abc import Iterator, Sequence
from random import Random

from attrs import frozen

from bots.bot_text import check_range
from bots.kernel import Subgame
from bots.search.budget import Budget
from bots.search.proposals import OrderSet, Variations, refresh
from bots.search.scene import Scene
from rules.errors import BadInputError

CHUNK = 4
"""After so many iterations somebody looks at the clock."""
FIRST_LOOK, SECOND_LOOK = 8, 32
"""After so many guesses a variation that does worse is dropped."""
LENIENCE = 0.004
"""How much worse it may look at first."""
TRIES_AN_ITERATION = 3
"""How many variations cost about as much as one iteration of all powers."""
USUAL_OF_NEW = 0.5
"""A candidate that was found by variation is as usual as half a draw."""
PLAYS = ("best", "final", "average")
MOST_ROUNDS, MOST_GUESSES = 1_000, 100_000


@frozen(kw_only=True)
class EquilibriumManner:
    """What can be tuned."""

    rounds: int = 3
    """How often all learn, and variations are looked for."""
    learning: float = 0.4
    """The part of the budget that goes to learning."""
    usual: float = 0.3
    """How often the others do what is usual and not what they should, when we choose."""
    guesses: int = 64
    """Against how many guesses our order sets are compared."""
    others: float = 0.5
    """The part of the variations that belongs to the other powers."""
    play: str = "best"
    """`best` answers what the others may do; `final` and `average` are the equilibrium's own."""

    def __attrs_post_init__(self) -> None:
        for name in ("learning", "usual", "others"):
            check_range(name, getattr(self, name), 0, 1)
        check_range("rounds", self.rounds, 1, MOST_ROUNDS)
        check_range("guesses", self.guesses, 1, MOST_GUESSES)
        if self.play not in PLAYS:
            raise BadInputError(f"play: {self.play!r} is not one of {', '.join(PLAYS)}")


class Contender:
    """An order set, and what it is worth against each guess."""

    __slots__ = ("codes", "mean", "orders", "scores")

    def __init__(self, orders: OrderSet, guesses: int) -> None:
        self.orders = orders
        self.codes = array("q", orders)
        self.scores = array("d", bytes(8 * guesses))
        self.mean = 0.0


class Answering:
    """Looks for the best order set of one power against guesses of what the others do."""

    def __init__(self, subgame: Subgame, power: int, usual: float, count: int) -> None:
        self._subgame = subgame
        self._power = power
        self._count = count
        self._guesses = array("i", bytes(4 * count * subgame.powers))
        subgame.guess(usual, self._guesses, count)
        self.ranked: list[Contender] = []
        """All that were tried against all guesses, the best first."""

    def enter(self, order_sets: Sequence[OrderSet]) -> None:
        """Try order sets against all guesses."""
        found = self._contenders(order_sets)
        self._try(found, 0, self._count)
        self.ranked += found
        self.ranked.sort(key=_by_mean)

    def mean_of(self, orders: OrderSet) -> float:
        """Return what an order set is worth on the average, without ranking it."""
        contender = Contender(orders, self._count)
        self._try([contender], 0, self._count)
        return contender.mean

    def challenge(self, order_sets: Sequence[OrderSet]) -> None:
        """Try order sets, each as long as it may be the best, and rank those that are."""
        found = self._contenders(order_sets)
        looks = [end for end in (FIRST_LOOK, SECOND_LOOK, self._count) if end <= self._count]
        # All of them are looked at once; where they have most orders in common that costs little.
        self._try(found, 0, looks[0])
        for contender in found:
            if self._wins(contender, looks):
                self.ranked.append(contender)
                self.ranked.sort(key=_by_mean)

    def _wins(self, contender: Contender, looks: Sequence[int]) -> bool:
        leader, done = self.ranked[0], looks[0]
        for end in looks:
            if end > done:
                self._try([contender], done, end)
                done = end
            behind = sum(leader.scores[:end]) - sum(contender.scores[:end])
            if behind > (LENIENCE * end if end == FIRST_LOOK else 0.0):
                return False
        return contender.mean > leader.mean

    def _contenders(self, order_sets: Sequence[OrderSet]) -> list[Contender]:
        return [Contender(orders, self._count) for orders in order_sets]

    def _try(self, contenders: Sequence[Contender], first: int, end: int) -> None:
        if not contenders:
            return
        codes, scores = contenders[0].codes, contenders[0].scores
        if len(contenders) > 1:
            codes, scores = array("q"), array("d")
            for contender in contenders:
                codes += contender.codes
                scores += contender.scores
        self._subgame.let_answer(self._power)
        self._subgame.answer(codes, self._guesses, first, end, scores)
        for place, contender in enumerate(contenders):
            if len(contenders) > 1:
                contender.scores = scores[place * self._count : (place + 1) * self._count]
            contender.mean = sum(contender.scores) / self._count


def _by_mean(contender: Contender) -> float:
    return -contender.mean


class Equilibrium:
    """One search; the subgame must have its candidates."""

    def __init__(self, scene: Scene, subgame: Subgame, manner: EquilibriumManner) -> None:
        self._scene = scene
        self.subgame = subgame
        self._manner = manner
        self._random: Random = scene.view.random
        self._seen: dict[int, set[OrderSet]] = {
            power: {
                tuple(subgame.candidate(power, number))
                for number in range(subgame.regrets.counts[power])
            }
            for power in range(subgame.powers)
        }
        self._variations: dict[int, Variations] = {}

    def search(self, budget: Budget, powers: Sequence[int]) -> None:
        """Learn and vary in turn until the budget is used up, for us and these other powers."""
        manner = self._manner
        for number in range(manner.rounds):
            start, end = number / manner.rounds, (number + 1) / manner.rounds
            self.learn(budget, start + manner.learning / manner.rounds)
            if manner.learning >= 1 or not budget.has_more(0):
                continue
            middle = start + (manner.learning + (1 - manner.learning) * manner.others) / (
                manner.rounds
            )
            if powers and manner.others > 0 and number + 1 < manner.rounds:
                now = budget.part()
                for place, power in enumerate(powers):
                    until = now + (middle - now) * (place + 1) / len(powers)
                    self.improve(power, budget, until, SECOND_LOOK, 0.0)
            if number + 1 < manner.rounds:
                self.improve(self._scene.power, budget, end, SECOND_LOOK, manner.usual)

    def learn(self, budget: Budget, until: float) -> None:
        """Let all powers learn until so much of the budget is used."""
        while budget.part() < until and budget.has_more(CHUNK):
            self.subgame.run(CHUNK)

    def improve(
        self, power: int, budget: Budget, until: float, guesses: int, usual: float
    ) -> Answering:
        """Vary the best order sets of a power until so much of the budget is used."""
        subgame = self.subgame
        answering = Answering(subgame, power, usual, guesses)
        answering.enter(
            [
                tuple(subgame.candidate(power, number))
                for number in range(subgame.regrets.counts[power])
            ]
        )
        known = answering.ranked[0]
        variations = self._variations_of(power)
        if variations.has_any:
            for order_sets in self._varied(power, variations, answering, budget, until):
                answering.challenge(order_sets)
        if answering.ranked[0] is not known and subgame.regrets.counts[power] < subgame.room:
            subgame.add(power, answering.ranked[0].codes, USUAL_OF_NEW)
        return answering

    def _varied(
        self,
        power: int,
        variations: Variations,
        answering: Answering,
        budget: Budget,
        until: float,
    ) -> Iterator[list[OrderSet]]:
        """Give variations of what does best so far that were not tried yet, some at a time."""
        seen, game, root = self._seen[power], self._scene.game, self._scene.root
        while budget.part() < until and budget.has_more():
            refresh(game, root)
            made = [variations.vary(self._start(answering)) for _ in range(2 * TRIES_AN_ITERATION)]
            budget.has_more()
            fresh = [orders for orders in dict.fromkeys(made) if orders not in seen]
            seen.update(fresh)
            yield fresh

    def _start(self, answering: Answering) -> OrderSet:
        """Return what to vary: mostly the best, sometimes one that is nearly as good."""
        place = 0 if self._random.random() < 0.8 else self._random.randrange(4)
        return answering.ranked[min(place, len(answering.ranked) - 1)].orders

    def _variations_of(self, power: int) -> Variations:
        if power not in self._variations:
            refresh(self._scene.game, self._scene.root)
            self._variations[power] = Variations(self._scene, power)
        return self._variations[power]

    def choose(self, budget: Budget) -> OrderSet:
        """Return what we play."""
        power, regrets = self._scene.power, self.subgame.regrets
        if self._manner.play != "best":
            weights = (
                regrets.policy(power) if self._manner.play == "final" else regrets.average(power)
            )
            number = self._random.choices(range(len(weights)), weights)[0]
            return tuple(self.subgame.candidate(power, number))
        return self.answer(budget).ranked[0].orders

    def answer(self, budget: Budget) -> Answering:
        """Look for our best order set with the rest of the budget."""
        manner = self._manner
        return self.improve(self._scene.power, budget, 1.0, manner.guesses, manner.usual)
