"""Children that do not outlive their parent, also when it is killed with no time for farewells."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """Ask the system to kill this process when the one that started it is gone.

    Only Linux can. Elsewhere bots leave when they lose their server, and workers at the end of
    their input.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def is_orphan(parent: int) -> bool:
    """Whether the parent was gone before it could be asked for."""
    return sys.platform != "win32" and os.getppid() != parent
