"""Games in which every power searches, kept as examples of what to order.

Candidates come from DumbBot's planning and from the policy that is being learned. All powers learn
for a while what to play against each other; then what they like is varied, and they learn on. The
example of a turn is a draw from everybody's average policy.
"""

from collections.abc import Sequence

from bots.kernel.habits import BY_NETWORK, DUMBBOT
from rules.kernel.codes import FALL, SPRING

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

from .arrays import long_integers, zeros
from .lessons import Lessons
from .policy import Policy
from .subgame import Subgame

NOTHING = -1


class Examples:
    """Positions before movement, and an order for every unit whose power has searched."""

    def __init__(self, subgame: Subgame, policy: Policy, room: int) -> None:
        if policy.state is not subgame.state:
            raise ValueError("this policy is of another game than the search")
        self.subgame = subgame
        self.policy = policy
        self.game = subgame.game
        self.state = subgame.state
        self.powers = subgame.powers
        self.provinces = subgame.provinces
        self.lessons = Lessons(self.game, room, 1.0)
        self.orders = long_integers(room * self.provinces)
        """By example and province, the order of the unit there."""
        self.origin = zeros(3 * self.provinces + 3)
        self.is_simple = zeros(self.powers)
        self.planned = 0
        self.learned = 0
        self.varied = 0
        self.iterations = 0
        self.simple = 0

    def set_up(self, planned: int, learned: int, varied: int, iterations: int, simple: int) -> None:
        """Say how hard powers think, and how many of a hundred do not think at all.

        Each power has so many candidates by DumbBot's planning, by the policy, and by variation.
        """
        if planned < 1 or min(learned, varied) < 0:
            raise ValueError("there must be candidates")
        self.subgame.check_effort(sum((planned, learned, varied)), iterations)
        self.planned = planned
        self.learned = learned
        self.varied = varied
        self.iterations = iterations
        self.simple = simple

    @property
    def count(self) -> int:
        """How many examples there are."""
        return self.lessons.count

    def clear(self) -> None:
        """Throw all examples away."""
        self.lessons.clear()

    def show(self, number: int) -> None:
        """Put the position of an example on the board."""
        self.lessons.show(number)

    def check_order(self, order: Sequence[int], first: int, end: int) -> None:
        """Refuse examples that are not there."""
        if not 0 <= first <= end <= len(order):
            raise ValueError(f"there are no examples {first} to {end}")
        for index in range(first, end):
            if not 0 <= order[index] < self.lessons.count:
                raise ValueError(f"there is no example {order[index]}")

    # One game.

    def play(self, seed: int, last_year: int) -> None:
        """Play a game from the opening and keep what was searched."""
        if not self.planned:
            raise ValueError("nobody has said how hard powers think; call `set_up` first")
        self.lessons.check_year(last_year)
        self.subgame.prepare(self.origin)
        with cython.nogil:
            self.play_on(seed, last_year)

    def play_on(self, seed: int, last_year: int) -> None:
        """Play it."""
        self.game.go_to(self.lessons.opening)
        self.state.seed(seed)
        for power in range(self.powers):
            self.is_simple[power] = self.state.roll() % 100 < self.simple
        while self.state.winner < 0 and self.state.year <= last_year:
            if self.state.season == SPRING or self.state.season == FALL:
                self.move()
            else:
                self.game.step_by_policies()

    def move(self) -> None:
        """Let all powers search, keep an example, and play what they have found."""
        self.game.write(self.origin, 0)
        self.search()
        self.game.go_to(self.origin)
        self.note()
        self.state.begin()
        for power in range(self.powers):
            if self.subgame.unit_counts[power]:
                number = self.subgame.regrets.pick(power, self.subgame.luck())
                self.subgame.give(power, number, self.state)
        self.state.end_phase()

    def search(self) -> None:
        """Let all powers learn what to play."""
        self.subgame.begin_at(BY_NETWORK, 0, self.state.roll())
        self.game.value_all(DUMBBOT)
        self.policy.look()
        for power in range(self.powers):
            if self.subgame.unit_counts[power]:
                self.draw_candidates(power)
        self.subgame.regrets.restart()
        for _ in range(self.iterations):
            self.subgame.iterate()
        if not self.varied:
            return
        self.game.go_to(self.origin)
        self.game.value_all(DUMBBOT)
        self.policy.look()
        for power in range(self.powers):
            if self.subgame.unit_counts[power] and not self.is_simple[power]:
                self.vary_candidates(power)
        for _ in range(self.iterations):
            self.subgame.iterate()

    def draw_candidates(self, power: int) -> None:
        """Add candidates of a power by DumbBot's planning and by the policy."""
        for _ in range(1 if self.is_simple[power] else self.planned):
            self.lessons.spread(power)
            self.game.plan_power(power)
            self.subgame.add_plan(power, 1.0)
        if self.is_simple[power] or not self.learned:
            return
        self.policy.list_scores(power)
        for _ in range(self.learned):
            self.policy.draw()
            self.subgame.add_plan(power, 1.0)

    def vary_candidates(self, power: int) -> None:
        """Add variations of what a power likes to play."""
        self.policy.list_scores(power)
        for _ in range(self.varied):
            number = self.subgame.regrets.pick_average(power, self.subgame.luck())
            first = (power * self.subgame.room + number) * self.subgame.stride
            for index in range(self.policy.unit_count):
                self.game.plan[self.policy.units[index]] = self.subgame.codes[first + index]
            self.policy.vary()
            self.subgame.add_plan(power, 1.0)

    def note(self) -> None:
        """Keep the position, and a draw from the average policy of every power that searched."""
        base = self.lessons.count * self.provinces
        if self.lessons.count >= self.lessons.room:
            return
        self.lessons.note()
        for power in range(self.powers):
            if not self.subgame.unit_counts[power]:
                continue
            number = self.subgame.regrets.pick_average(power, self.subgame.luck())
            at = (power * self.subgame.room + number) * self.subgame.stride
            for province in range(self.provinces):
                if self.game.is_own(power, province):
                    self.orders[base + province] = (
                        NOTHING if self.is_simple[power] else self.subgame.codes[at]
                    )
                    at += 1

    def orders_of(self, number: int, power: int) -> list[int]:
        """Return what a power is to order in an example that is on the board, by province."""
        self.game.check_power(power)
        if not 0 <= number < self.lessons.count:
            raise IndexError(f"there is no example {number}, only {self.lessons.count}")
        return [
            self.orders[number * self.provinces + province]
            for province in range(self.provinces)
            if self.game.is_own(power, province)
        ]
