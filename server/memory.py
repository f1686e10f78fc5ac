"""Collecting what nobody uses, and giving memory back to the system after clients have left.

What a burst needed stays with the process otherwise: the C library keeps freed memory for later.
All games stand still meanwhile, so it is done when nobody has left for a moment, and not often.
Python itself would look at every turn of every game in the middle of somebody's turn: a tenth of a
second where long games are played. A server that has settled leaves that to its `Keeper`.
"""

import ctypes
import gc
import sys
from collections.abc import Callable
from functools import cache
from time import perf_counter
from typing import Any

CALM = 3.0
"""For how many seconds nobody must have left."""
LONGEST_UNREST = 60.0
"""How long it is put off while clients come and go."""
SHARE = 0.005
"""How much of the time it may take."""
CROWD = 50
"""So many must have left; what fewer leave behind can wait."""
LONGEST_PAUSE = 600.0
"""How long nothing is collected while few leave."""
YOUNG = (2_000, 10)
"""After how many new objects the youngest are looked at, and how often that is before the next."""
NEVER = 1_000_000_000


class Keeper:
    """Decides when memory is given back. Time is passed in."""

    def __init__(self, release: Callable[[], None]) -> None:
        self._release = release
        """Lets go of what could be had again."""
        self._left = 0
        self._first_left = 0.0
        self._last_left = 0.0
        self._last_look = 0.0
        self._not_before = 0.0

    def note_leaving(self, now: float) -> None:
        """Take note that somebody has left."""
        if not self._left:
            self._first_left = now
        self._left += 1
        self._last_left = now

    def is_due(self, now: float) -> bool:
        """Tell whether there is something to give back, and this is the moment."""
        if now < self._not_before:
            return False
        if self._left < CROWD:
            return now - self._last_look >= LONGEST_PAUSE
        return now - self._last_left >= CALM or now - self._first_left >= LONGEST_UNREST

    def look(self, now: float) -> None:
        """Give back what those who have left needed, if it is time."""
        if not self.is_due(now):
            return
        began = perf_counter()
        # A connection is a ring that only the collector finds, also one that was there before.
        gc.unfreeze()
        self._release()
        give_back()
        self._left, self._last_look = 0, now
        self._not_before = now + (perf_counter() - began) / SHARE


def settle() -> None:
    """Take everything that is there as there for good, and collect by oneself from now on.

    That is most of what a server without games has: modules, tables of the language, the map.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG, NEVER)


def give_back() -> None:
    """Collect what nobody uses, and give the system what the C library keeps of it.

    What is left is taken as there for good: the turns that were played stay until their game goes.
    """
    gc.collect()
    gc.freeze()
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:  # noqa: ANN401 - a function of the C library, or None
    if sys.platform != "linux":
        return None
    try:
        return getattr(ctypes.CDLL(None), "malloc_trim", None)
    except OSError:
        return None
