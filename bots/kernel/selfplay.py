"""Games in which powers search a little: candidates by lot, regret matching, by the network.

It is the search of `bots/searchbot` in small, all of it here, so that some twenty games are played
in a second and a network can learn from them. Some powers do not search, and nobody knows which: a
network also has to judge what comes of players who think otherwise.
"""

from array import array
from collections.abc import Sequence

from bots.kernel.habits import BY_NETWORK, DUMBBOT
from rules.kernel.codes import FALL, SPRING

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

from .arrays import zeros
from .lessons import Lessons
from .policy import Policy
from .subgame import Subgame

# What a power does.
SEARCHES = 0
PLANS = 1  # as DumbBot
DRAWS = 2  # by the policy


class SelfPlay:
    """Plays games by a subgame's network and keeps them as lessons."""

    def __init__(self, subgame: Subgame, lessons: Lessons) -> None:
        if lessons.state is not subgame.state:
            raise ValueError("these lessons are of another game than the search")
        self.subgame = subgame
        self.lessons = lessons
        self.game = subgame.game
        self.state = subgame.state
        self.powers = subgame.powers
        self.provinces = subgame.provinces
        self.origin = zeros(3 * self.provinces + 3)
        self.habits = zeros(self.powers)
        self.spread_of = zeros(self.powers)
        self.heat_of = zeros(self.powers)
        self.policy: Policy | None = None
        self.heats = array("d", (1.0,))
        self.heat_count = 1
        self.candidates = 0
        self.proposed = 0
        self.drawing = 0
        self.iterations = 0
        self.simple = 0

    def set_up(self, candidates: int, iterations: int, simple: int) -> None:
        """Say how hard powers think, and how many of a hundred do not think at all.

        No policy is asked any more.
        """
        self.subgame.check_effort(candidates, iterations)
        self.proposed = 0
        self.drawing = 0
        self.candidates = candidates
        self.iterations = iterations
        self.simple = simple

    def ask(self, policy: Policy, candidates: int, drawing: int, heats: Sequence[float]) -> None:
        """Let a policy propose so many more candidates, and play for so many powers of a hundred.

        Each of them draws at one of the temperatures, by lot.
        """
        if policy is None or policy.game is not self.game:  # type: ignore[redundant-expr]  # compiled, None fits
            raise ValueError("this policy is of another game than the search")
        if not 0 <= candidates <= self.subgame.room - self.candidates:
            raise ValueError(f"there is no room for {candidates} more candidates")
        policy.check_heats(heats)
        self.policy = policy
        self.proposed = candidates
        self.drawing = drawing
        self.heats = array("d", heats)
        self.heat_count = len(heats)

    def play(self, seed: int, last_year: int) -> None:
        """Play a game from the opening and keep its positions."""
        if not self.candidates:
            raise ValueError("nobody has said how hard powers think; call `set_up` first")
        self.lessons.check_year(last_year)
        self.subgame.prepare(self.origin)
        with cython.nogil:
            self.play_on(seed, last_year)
        self.subgame.is_entered = 0  # what it holds now is none of its callers' positions

    def play_on(self, seed: int, last_year: int) -> None:
        """Play it."""
        self.game.go_to(self.lessons.opening)
        self.state.seed(seed)
        for power in range(self.powers):
            self.cast(power)
        self.lessons.begin_game()
        while self.state.winner < 0 and self.state.year <= last_year:
            season = self.lessons.begin_turn()
            if season == SPRING or season == FALL:
                self.move()
            else:
                self.game.step_by_policies()
            self.lessons.end_turn(season)
        self.lessons.end_game()

    def cast(self, power: int) -> None:
        """Say by lot what a power does in this game."""
        luck = self.state.roll() % 100
        self.habits[power] = SEARCHES
        if luck < self.simple:
            self.habits[power] = PLANS
        elif self.policy is not None and luck < self.simple + self.drawing:
            self.habits[power] = DRAWS
        self.spread_of[power] = 2 * (self.state.roll() % 4)
        self.heat_of[power] = self.state.roll() % self.heat_count

    def move(self) -> None:
        """Let all powers search, and play what they have found or what they are used to."""
        self.game.write(self.origin, 0)
        self.value()
        self.subgame.begin_at(BY_NETWORK, 0, self.state.roll())
        for power in range(self.powers):
            if self.subgame.unit_counts[power]:
                self.draw_candidates(power)
        self.subgame.regrets.restart()
        dice = self.state.roll()
        for _ in range(self.iterations):
            self.subgame.iterate()
        self.game.go_to(self.origin)
        self.state.seed(dice)
        self.state.begin()
        self.value()
        for power in range(self.powers):
            if not self.subgame.unit_counts[power]:
                continue
            if self.habits[power] != SEARCHES:
                self.plan(power)
            else:
                number = self.subgame.regrets.pick(power, self.subgame.luck())
                self.subgame.give(power, number, self.state)
        self.state.end_phase()

    def value(self) -> None:
        """Make the values of the position, for planning and for the policy."""
        self.game.value_all(DUMBBOT)
        if self.policy is not None:
            self.policy.look()

    def plan(self, power: int) -> None:
        """Order what a power does that does not search."""
        if self.policy is not None and self.habits[power] == DRAWS:
            self.policy.heat = self.heats[self.heat_of[power]]
            self.policy.list_scores(power)
            self.policy.draw()
            self.policy.heat = 1.0
        else:
            self.set_spread(power, self.spread_of[power])
            self.game.plan_power(power)
        for province in range(self.provinces):
            if self.game.is_own(power, province):
                self.state.give(self.game.plan[province])

    def set_spread(self, power: int, number: int) -> None:
        """Let the planning of a power stray so far from its best."""
        self.game.alternative[power] = self.lessons.spreads[number]
        self.game.steepness[power] = self.lessons.spreads[number + 1]

    def draw_candidates(self, power: int) -> None:
        """Add plans by DumbBot's planning, strayed as the dice say, and plans by the policy."""
        for _ in range(self.candidates):
            self.lessons.spread(power)
            self.game.plan_power(power)
            self.subgame.add_plan(power, 1.0)
        if self.policy is None or not self.proposed:
            return
        self.policy.list_scores(power)
        for _ in range(self.proposed):
            self.policy.draw()
            self.subgame.add_plan(power, 1.0)
