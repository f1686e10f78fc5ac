"""How long a search may go on: by the clock, or by iterations so that it can be repeated."""

from collections.abc import Callable
from math import inf, isinf
from time import monotonic

from attrs import frozen

from bots.bot_text import LARGEST, check_range
from rules.errors import BadInputError

DEFAULT_SECONDS = 1.0
"""When nobody waits and nobody has said how long."""
_RESERVE = 0.03
"""The part of the time that is kept for turning the result into orders."""
_LEAST_RESERVE = 0.02


@frozen(kw_only=True)
class Patience:
    """How long a player thinks, as its user asked for it."""

    seconds: float | None = None
    """At most so long in each turn; by default as long as the game allows."""
    iterations: int | None = None
    """So many steps of the search, whatever the clock says, but never beyond the deadline."""
    ends_by_itself: bool = False
    """Whether the search comes to an end without: where nobody waits it is left to do so."""

    def __attrs_post_init__(self) -> None:
        if self.seconds is not None and not 0 < self.seconds <= LARGEST:
            raise BadInputError(f"seconds: must be more than 0 and a time, not {self.seconds}")
        check_range("iterations", self.iterations, 1)

    @property
    def is_repeatable(self) -> bool:
        """Whether nothing hangs on the clock where nobody waits: the same seed searches alike."""
        return self.seconds is None and (self.iterations is not None or self.ends_by_itself)

    def start(
        self, allowed: float | None, clock: Callable[[], float] = monotonic, part: float = 1.0
    ) -> "Budget":
        """Begin to think; `allowed` is what the game gives, None if nobody waits."""
        limits = [each for each in (self.seconds, allowed) if each is not None]
        if self.iterations is None:
            usual = inf if self.ends_by_itself else DEFAULT_SECONDS
            seconds = min(limits, default=usual) * part
        else:
            seconds = min(limits, default=inf)
        reserve = min(max(_RESERVE * seconds, _LEAST_RESERVE), seconds / 2)
        # Without a clock both are infinite, and their difference is no number.
        left = seconds if isinf(seconds) else seconds - reserve
        return Budget(clock, clock() + left, self.iterations)


class Budget:
    """The rest of what a search may use; ask `has_more` before each step."""

    def __init__(self, clock: Callable[[], float], deadline: float, iterations: int | None) -> None:
        self._clock = clock
        self._started = clock()
        self._deadline = deadline
        self._iterations = iterations
        self.seconds = deadline - self._started
        """How long it is, infinite if only iterations end it."""
        self.used = 0

    def has_seconds(self, least: float) -> bool:
        """Whether the clock ends it, and leaves so much time.

        Where iterations are counted nothing may hang on the clock: the same seed plays alike.
        """
        return self._iterations is None and self.seconds >= least

    def has_more(self, steps: int = 1) -> bool:
        """Whether another step may be taken, which is then counted as so many iterations."""
        if self._iterations is not None and self.used >= self._iterations:
            return False
        if self.used and self._clock() >= self._deadline:
            return False
        self.used += steps
        return True

    def part(self) -> float:
        """Return how much of the budget is used up, from 0 to 1."""
        if self._iterations is not None:
            return min(1.0, self.used / self._iterations)
        return self.passed()

    def passed(self) -> float:
        """Return how much of the time has passed, from 0 to 1; 0 if only iterations end it."""
        whole = self.seconds
        if isinf(whole):
            return 0.0
        return min(1.0, (self._clock() - self._started) / whole) if whole > 0 else 1.0
