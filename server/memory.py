"""Giving memory back to the system after many clients have left.

What a burst needed stays with the process otherwise: the C library keeps freed memory for later.
"""

import ctypes
import gc
import sys
from functools import cache
from typing import Any


def give_back() -> None:
    """Collect what nobody uses, and give the system what the C library keeps of it."""
    gc.collect()
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
