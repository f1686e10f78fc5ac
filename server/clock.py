"""The clock of the host: seconds in which the host was able to work.

It stands still while the store cannot be written, and skips the time in which the process was
stopped or the loop blocked: nobody loses thinking time to a pause of the server.
"""

import time
from collections.abc import Callable

LONGEST_GAP = 5.0


class HostClock:
    """Counts working time; `beat` it about once a second."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._seen = monotonic()
        self._now = 0.0
        self._is_stopped = False
        self.pauses = 0
        """How often time was skipped because the process stood still."""

    def now(self) -> float:
        """Return the working time so far."""
        seen = self._monotonic()
        elapsed, self._seen = seen - self._seen, seen
        if elapsed > LONGEST_GAP:
            self.pauses += 1
        elif not self._is_stopped:
            self._now += elapsed
        return self._now

    def stop(self) -> None:
        """Let the clock stand still."""
        self.now()
        self._is_stopped = True

    def go_on(self) -> None:
        """Let the clock run again."""
        self.now()
        self._is_stopped = False
