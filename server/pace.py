"""Lets the loop look at its sockets often, however many games have something to do at once.

All tasks that are ready run before the loop polls again; with a hundred games at a common deadline
that would keep a client waiting for its RM. A task that calls `breathe` between pieces of work
stands back once the present round of the loop has lasted too long.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter

LONGEST_ROUND = 0.002


class Pace:
    """Shared by all tasks that may work for long."""

    def __init__(self, timer: Callable[[], float] = perf_counter) -> None:
        self._timer = timer
        self._began = 0.0
        self._is_marked = False

    async def breathe(self) -> None:
        """Let the loop poll if it has not for a while."""
        while self._timer() - self._began > LONGEST_ROUND:
            if not self._is_marked:
                # Runs first in the next round, before the tasks that stand back until then.
                self._is_marked = True
                asyncio.get_running_loop().call_soon(self._begin_round)
            await asyncio.sleep(0)

    def _begin_round(self) -> None:
        self._began = self._timer()
        self._is_marked = False
