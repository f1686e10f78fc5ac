"""How long to wait between attempts to reach a server."""

from collections.abc import Iterator
from random import Random

from attrs import field, frozen, validators


@frozen(kw_only=True)
class Backoff:
    """Waits that grow by a factor up to a longest one; all times in seconds.

    A part of each wait, `jitter`, is left to chance, so that the clients of a server that has been
    started again do not all come in the same moment.
    """

    attempts: int = 10
    first: float = 0.25
    factor: float = 2.0
    longest: float = 30.0
    jitter: float = field(default=0.5, validator=[validators.ge(0.0), validators.le(1.0)])

    def waits(self, chance: Random) -> Iterator[float]:
        """Yield the wait before each attempt."""
        wait = self.first
        for _ in range(self.attempts):
            yield wait * (1.0 - self.jitter * chance.random())
            wait = min(wait * self.factor, self.longest)


NEVER = Backoff(attempts=0)
"""Do not come back."""
