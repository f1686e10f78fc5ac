"""Games in which every power searches a little: candidates by lot, regret matching, by the network.

It is the search of `bots/searchbot` in small, all of it here, so that some twenty games are played
in a second and a network can learn from them.
"""

from bots.kernel.habits import BY_NETWORK, DUMBBOT
from rules.kernel.codes import AUTUMN, FALL, SPRING, WINTER

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

from .arrays import zeros
from .lessons import Lessons
from .subgame import Subgame


class SelfPlay:
    """Plays games by a subgame's network and keeps them as lessons."""

    def __init__(self, subgame: Subgame, lessons: Lessons) -> None:
        self.subgame = subgame
        self.lessons = lessons
        self.game = subgame.game
        self.state = subgame.state
        self.powers = subgame.powers
        self.provinces = subgame.provinces
        self.origin = zeros(3 * self.provinces + 3)
        self.is_simple = zeros(self.powers)
        self.candidates = 0
        self.iterations = 0
        self.simple = 0

    def set_up(self, candidates: int, iterations: int, simple: int) -> None:
        """Say how hard powers think, and how many of a hundred do not think at all."""
        self.candidates = candidates
        self.iterations = iterations
        self.simple = simple

    def play(self, seed: int, last_year: int) -> None:
        """Play a game from the opening and keep its positions."""
        self.subgame.prepare(self.origin)
        with cython.nogil:
            self.play_on(seed, last_year)

    def play_on(self, seed: int, last_year: int) -> None:
        """Play it."""
        self.game.go_to(self.lessons.opening)
        self.state.seed(seed)
        for power in range(self.powers):
            self.is_simple[power] = self.state.roll() % 100 < self.simple
        self.lessons.begin_game()
        while self.state.winner < 0 and self.state.year <= last_year:
            season = self.state.season
            if season == SPRING or season == FALL or season == WINTER:
                self.lessons.note()
            if season == SPRING or season == FALL:
                self.move()
            else:
                self.game.step_by_policies()
            if (season == FALL or season == AUTUMN) and self.state.season != AUTUMN:
                self.lessons.close_year()
        self.lessons.end_game()

    def move(self) -> None:
        """Let all powers search, and play what they have found."""
        self.game.write(self.origin, 0)
        self.game.value_all(DUMBBOT)
        self.subgame.begin_at(BY_NETWORK, 0, self.state.roll())
        for power in range(self.powers):
            if self.subgame.unit_counts[power]:
                count = 1 if self.is_simple[power] else self.candidates
                for _ in range(count):
                    self.draw_candidate(power)
        self.subgame.regrets.restart()
        dice = self.state.roll()
        for _ in range(self.iterations):
            self.subgame.iterate()
        self.game.go_to(self.origin)
        self.state.seed(dice)
        self.state.begin()
        for power in range(self.powers):
            if self.subgame.unit_counts[power]:
                number = self.subgame.regrets.draw(power, self.subgame.luck())
                self.subgame.give(power, number, self.state)
        self.state.end_phase()

    def draw_candidate(self, power: int) -> None:
        """Add a plan by DumbBot's planning, as far from its best as the dice say."""
        number = 2 * (self.state.roll() % 4)
        self.game.alternative[power] = self.lessons.spreads[number]
        self.game.steepness[power] = self.lessons.spreads[number + 1]
        self.game.plan_power(power)
        self.subgame.add_plan(power, 1.0)
