"""A worker: reads jobs from its input, plays them one after the other, and tells how it goes.

A line of JSON for each: jobs come in, `{"turn": 1}` goes out when a turn is over (though not more
often than a few times a second) and `{"result": {...}}` when the game is. It ends with its input,
and dies with whoever has started it.
"""

import json
import logging
import os
import signal
import sys
import time
from base64 import b64encode
from collections.abc import Callable
from typing import Any, TextIO

import structlog

from cli.children import follow_parent

PAUSE = 0.2


def main() -> int:
    """Work until there is no more to do."""
    follow_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = _own_output()
    _silence()
    # Only now: what is imported may log.
    from tournament.game_result import result_to_json  # noqa: PLC0415 - after the fork only
    from tournament.jobs_json import job_from_json  # noqa: PLC0415 - after the fork only
    from tournament.play_job import play_game  # noqa: PLC0415 - after the fork only

    tell = _teller(out)
    tell({"ready": os.getpid()})
    for text in sys.stdin:
        result = play_game(job_from_json(json.loads(text)), _progress(tell))
        tell({"result": result_to_json(result), "record": b64encode(result.record).decode()})
    return 0


def _own_output() -> TextIO:
    """Keep our output for ourselves: what a bot prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return out


def _silence() -> None:
    """Log nothing: what goes wrong in a game stands in its line."""
    quiet = structlog.make_filtering_bound_logger(logging.CRITICAL)
    structlog.configure(wrapper_class=quiet)


def _teller(out: TextIO) -> Callable[[dict[str, Any]], None]:
    def tell(what: dict[str, Any]) -> None:
        try:
            out.write(json.dumps(what, separators=(",", ":")) + "\n")
            out.flush()
        except BrokenPipeError:
            # The runner was interrupted, and nobody waits for the game: leave without a word.
            os._exit(0)

    return tell


def _progress(tell: Callable[[dict[str, Any]], None]) -> Callable[[object], None]:
    told = 0.0

    def on_turn(_: object) -> None:
        nonlocal told
        now = time.monotonic()
        if now - told > PAUSE:
            told = now
            tell({"turn": 1})

    return on_turn


if __name__ == "__main__":
    sys.exit(main())
