"""How a command that runs for long ends: with a summary as JSON, also when Ctrl-C cuts it short.

Terminals send Ctrl-C to all processes of a command. Servers that belong to a run are in a group of
their own, so that they do not end before those who watch them.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

INTERRUPTED = 130


async def call_off(playing: asyncio.Future[Any]) -> None:
    """Cancel what goes on, and see that it has ended, so that nobody complains of it later."""
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing


def conclude(run: Callable[[], dict[str, object]], so_far: Callable[[], dict[str, object]]) -> int:
    """Run to the end, or tell what was seen so far; print the summary and return the exit code."""
    try:
        told = run()
        code = 0 if told["ok"] else 1
    except KeyboardInterrupt:
        told = {"ok": False, "interrupted": True} | so_far()
        code = INTERRUPTED
    sys.stdout.write(json.dumps(told, indent=1) + "\n")
    return code
