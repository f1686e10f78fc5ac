"""Lets many share one loop: nobody works for more than a moment while others wait for their turn.

All tasks that are ready run before the loop polls its sockets again. Whoever may work for long has
a `TurnToWork`: it begins it before some work, and anew between pieces when its time is up. Where
others were there before it, it stands in line; those in line go one after the other, a few in
each round of the loop, so that a hundred busy games keep no client waiting for its RM, and one busy
game no other.
"""

import asyncio
import math
from collections import deque
from collections.abc import Callable
from time import perf_counter

LONGEST_TURN = 0.001
LONGEST_ROUND = 0.002
TURNS_PER_ROUND = 3


class Pace:
    """Shared by all that may work for long."""

    def __init__(self, timer: Callable[[], float] = perf_counter) -> None:
        self._timer = timer
        self._began = 0.0
        self._line: deque[asyncio.Future[None]] = deque()
        self._again: list[asyncio.Future[None]] = []
        """Those who began a turn in this round, and come after whoever is in line then."""
        self._is_marked = False

    def turn(self) -> "TurnToWork":
        """Return what one task keeps its time with."""
        return TurnToWork(self, self._timer)

    @property
    def is_free(self) -> bool:
        """Whether whoever comes now need not wait: nobody has begun yet, or the round has time."""
        if not self._is_marked:
            return True
        return not (self._line or self._again) and self._timer() - self._began < LONGEST_ROUND

    async def wait(self, last: float = -math.inf) -> None:
        """Wait until it is one's turn, which may be at once.

        Whoever began a turn in this round, at the `last` time, stands behind those who did not.
        """
        if self.is_free:
            if not self._is_marked:
                self._began = self._timer()
                self._mark()
            return
        place = asyncio.get_running_loop().create_future()
        (self._again if last >= self._began else self._line).append(place)
        await place

    def _mark(self) -> None:
        """See to it that the next round of the loop is known as a new one."""
        self._is_marked = True
        asyncio.get_running_loop().call_soon(self._begin_round)

    def _begin_round(self) -> None:
        """Let the first in line go; they run in the next round of the loop, after this one."""
        self._is_marked = False
        self._began = self._timer()
        self._line += self._again
        self._again.clear()
        if not self._line:
            return
        for _ in range(min(TURNS_PER_ROUND, len(self._line))):
            place = self._line.popleft()
            if not place.done():
                place.set_result(None)
        # Behind them: what they do is one round.
        self._mark()


class TurnToWork:
    """The time of one task."""

    def __init__(self, pace: Pace, timer: Callable[[], float]) -> None:
        self._pace = pace
        self._timer = timer
        self._began = -math.inf

    @property
    def is_up(self) -> bool:
        """Whether somebody else should go on."""
        return self._timer() - self._began > LONGEST_TURN

    async def begin(self) -> None:
        """Wait for the next turn."""
        await self._pace.wait(self._began)
        self._began = self._timer()
