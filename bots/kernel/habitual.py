"""Games by a policy that was learned, from which the value of positions is learned.

Every power draws its orders at a temperature of its own; some go by DumbBot's planning instead, so
that a value has also met those who play otherwise.
"""

from array import array
from collections.abc import Sequence

from bots.kernel.habits import DUMBBOT
from rules.kernel.codes import FALL, SPRING

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

from .arrays import zeros
from .lessons import Lessons
from .policy import Policy


class Habitual:
    """Plays games by a policy and keeps them as lessons."""

    def __init__(self, policy: Policy, lessons: Lessons) -> None:
        if lessons.state is not policy.state:
            raise ValueError("these lessons are of another game than the policy")
        self.policy = policy
        self.lessons = lessons
        self.game = policy.game
        self.state = policy.state
        self.powers = policy.powers
        self.simple = 0
        self.heat_count = 1
        self.heats = array("d", (1.0,))
        self.habits = zeros(self.powers)
        """By power, which temperature it has; -1 goes by DumbBot's planning."""

    def set_up(self, simple: int, heats: Sequence[float]) -> None:
        """Say how many powers of a hundred go by DumbBot's planning.

        Each of the others draws at one of the temperatures, by lot.
        """
        self.policy.check_heats(heats)
        self.simple = simple
        self.heats = array("d", heats)
        self.heat_count = len(heats)

    def play(self, seed: int, last_year: int) -> None:
        """Play a game from the opening and keep its positions."""
        self.lessons.check_year(last_year)
        with cython.nogil:
            self.play_on(seed, last_year)

    def play_on(self, seed: int, last_year: int) -> None:
        """Play it."""
        self.game.go_to(self.lessons.opening)
        self.state.seed(seed)
        for power in range(self.powers):
            self.lessons.spread(power)
            self.habits[power] = self.state.roll() % self.heat_count
            if self.state.roll() % 100 < self.simple:
                self.habits[power] = -1
        self.lessons.begin_game()
        while self.state.winner < 0 and self.state.year <= last_year:
            season = self.lessons.begin_turn()
            if season == SPRING or season == FALL:
                self.move()
            else:
                self.game.step_by_policies()
            self.lessons.end_turn(season)
        self.lessons.end_game()

    def move(self) -> None:
        """Play a movement turn."""
        self.state.begin()
        self.game.value_all(DUMBBOT)
        self.policy.look()
        for power in range(self.powers):
            if self.habits[power] < 0:
                self.game.plan_power(power)
            else:
                self.policy.heat = self.heats[self.habits[power]]
                self.policy.list_scores(power)
                self.policy.draw()
        self.policy.heat = 1.0
        self.game.give_plans()
        self.state.end_phase()
