"""`daide serve` that tells at its end what it took: `python -m benchmarks.timed_serve`.

The last line of its output is JSON: `cpu`, the processor time between two signals (SIGUSR1), so
that starting and ending are no part of it; `feed`, how much of that was spent in calls into the
feed; `relay`, what the relay took from its start to its end.
"""

import json
import os
import signal
import sys
import time
from asyncio import unix_events
from collections.abc import Callable
from typing import Any

from cli.main import main
from feed.publisher import Publisher
from server.reporter import Reporter
from server.room import Room

TIMED: tuple[tuple[type, tuple[str, ...]], ...] = (
    (Room, ("_tell_observers",)),
    (Reporter, ("opened", "closed", "retell")),
    (Publisher, ("_write", "_hear")),
    # The pipe to the relay is the only one of the server.
    (unix_events._UnixWritePipeTransport, ("_write_ready",)),  # type: ignore[attr-defined]  # noqa: SLF001 - the only pipe
)


class Stopwatch:
    """Adds up the processor time of the thread in the calls that it wraps."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0

    def timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a call; one inside another counts once."""

        def wrapped(*arguments: Any) -> Any:  # noqa: ANN401 - whatever the call takes
            self._depth += 1
            began = time.thread_time()
            try:
                return call(*arguments)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.seconds += time.thread_time() - began

        return wrapped


def serve(arguments: list[str]) -> int:
    """Run the server."""
    watch = Stopwatch()
    for owner, names in TIMED:
        for name in names:
            setattr(owner, name, watch.timed(getattr(owner, name)))
    marks: list[tuple[float, float]] = []
    signal.signal(signal.SIGUSR1, lambda *_: marks.append((time.process_time(), watch.seconds)))
    code = main(["serve", *arguments])
    (cpu, feed), (cpu_then, feed_then) = marks[-1], marks[0]
    children = os.times()
    told = {
        "cpu": cpu - cpu_then,
        "feed": feed - feed_then,
        "relay": children.children_user + children.children_system,
    }
    print(json.dumps(told), flush=True)
    return code


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1:]))
