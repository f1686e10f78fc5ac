"""The clock of a turn: its deadline, whether it stands still, and who wants to be told when.

Time is passed in; nothing here reads a clock.
"""

from math import ceil

from attrs import define, field

LONGEST_TIME = 8191  # what one DAIDE number can say


@define
class TurnTimer:
    """Counts down the time of the current turn."""

    _ends_at: float | None = None
    _left_when_stopped: float | None = None
    _last_told: float = field(default=0.0)

    def start(self, limit: int | None, now: float, *, stopped: bool = False) -> None:
        """Begin a turn of `limit` seconds, or one without a deadline."""
        self._ends_at = self._left_when_stopped = None
        if limit is not None:
            self._last_told = float(limit)
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
        return None if remaining is None else min(LONGEST_TIME, ceil(remaining))

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

    def next_event(self, wanted: set[int], now: float) -> float | None:
        """Return when a notice or the deadline is due next."""
        if self._ends_at is None:
            return None
        remaining = self._ends_at - now
        due = [seconds for seconds in wanted if seconds < min(self._last_told, remaining)]
        return self._ends_at - max(due, default=0)

    def notices(self, wanted: set[int], now: float) -> list[int]:
        """Return the notices that have become due, the longest time first."""
        remaining = self.remaining(now)
        if remaining is None or self.is_stopped:
            return []
        due = [seconds for seconds in wanted if remaining <= seconds < self._last_told]
        self._last_told = min(self._last_told, *due, remaining) if due else self._last_told
        return sorted(due, reverse=True)
