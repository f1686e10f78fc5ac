"""The clock of a turn: its deadline, whether it stands still, and who wants to be told when.

Time is passed in; nothing here reads a clock. Moments are always computed in the same way, from the
deadline backwards, so that a tick at the moment which `next_event` named finds its notice due.
"""

from collections.abc import Iterable
from math import ceil, inf

from attrs import define

LONGEST_TIME = 8191  # what one DAIDE number can say
ROUNDING = 1e-6  # a clock that has run for long adds less than this to a whole number of seconds


def tellable(seconds: float) -> int:
    """Return a time as TME tells it: whole seconds, rounded up, as many as a number holds."""
    return min(LONGEST_TIME, max(0, ceil(seconds - ROUNDING)))


@define
class TurnTimer:
    """Counts down the time of the current turn."""

    _ends_at: float | None = None
    _left_when_stopped: float | None = None
    _told_down_to: float = inf
    """Notices for this time and longer ones have been told in this turn, or are past."""

    def start(self, limit: int | None, now: float, *, stopped: bool = False) -> None:
        """Begin a turn of `limit` seconds, or one without a deadline.

        The TME of the new turn tells the limit itself, so no notice repeats it.
        """
        self._ends_at = self._left_when_stopped = None
        if limit is not None:
            self._told_down_to = limit
            if stopped:
                self._left_when_stopped = float(limit)
            else:
                self._ends_at = now + limit

    @property
    def is_running(self) -> bool:
        """Whether a deadline is coming nearer."""
        return self._ends_at is not None

    @property
    def is_stopped(self) -> bool:
        """Whether there is a deadline that does not come nearer."""
        return self._left_when_stopped is not None

    def remaining(self, now: float) -> float | None:
        """Return the seconds until the deadline, None if there is none."""
        if self._ends_at is not None:
            return max(0.0, self._ends_at - now)
        return self._left_when_stopped

    def seconds(self, now: float) -> int | None:
        """Return the remaining time as TME tells it."""
        remaining = self.remaining(now)
        return None if remaining is None else tellable(remaining)

    def has_passed(self, now: float) -> bool:
        """Whether the deadline is over."""
        return self._ends_at is not None and now >= self._ends_at

    def stop(self, now: float) -> None:
        """Let the clock stand still."""
        if self._ends_at is not None:
            self._left_when_stopped = self.remaining(now)
            self._ends_at = None

    def resume(self, now: float) -> None:
        """Let the clock run again with the time that was left."""
        if self._left_when_stopped is not None:
            self._ends_at = now + self._left_when_stopped
            self._left_when_stopped = None

    def next_event(self, wanted: Iterable[int]) -> float | None:
        """Return when a notice or the deadline is due next."""
        if self._ends_at is None:
            return None
        coming = (seconds for seconds in wanted if seconds < self._told_down_to)
        return self._ends_at - max(coming, default=0)

    def notices(self, wanted: Iterable[int], now: float) -> list[int]:
        """Return the notices that have become due since the last call, the longest time first.

        What is asked for later than its moment is not told any more in this turn.
        """
        ends_at = self._ends_at
        if ends_at is None:
            return []
        due = {
            seconds
            for seconds in wanted
            if seconds < self._told_down_to and now >= ends_at - seconds
        }
        self._told_down_to = min(self._told_down_to, ends_at - now, *due)
        return sorted(due, reverse=True)
