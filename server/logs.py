"""The log of a server: lines on standard error, as text or as JSON.

Where nobody takes them, as at the end of a pipe whose reader has gone or on a full disk, they are
lost: no game may end for that.
"""

import logging
import sys
from collections.abc import Callable, MutableMapping
from contextlib import suppress
from time import monotonic
from typing import Any, TextIO, cast

import structlog
from attrs import define, frozen

from grammar.shown import shown
from server.config import ServerConfig
from server.limits import TokenBucket

LONGEST_VALUE = 200
LOUD = ("error", "critical")
"""What is always told: nobody outside can make us say it."""
MOST_SUBJECTS = 10_000


@frozen
class Allowance:
    """How many lines of one kind are written: at once, and a second."""

    burst: float
    rate: float


OF_CLIENT = Allowance(20.0, 0.2)
"""About what one connection does."""
OF_ADDRESS = Allowance(2_000.0, 20.0)
"""About the connections of one address, which come and go."""


@define
class _Subject:
    bucket: TokenBucket
    unsaid: int = 0


class Quieter:
    """Keeps those who flood the server from flooding its log: of many lines it lets some through.

    Each kind of line counts for itself, by client or by address. The next line that is written
    tells with `unsaid` how many were not.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._subjects: dict[tuple[str, object], _Subject] = {}

    def __call__(
        self, _: object, method: str, event: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """Let a line through, or raise DropEvent."""
        allowed = _allowance(event)
        if allowed is None or method in LOUD:
            return event
        told = event.get("address") or event.get("client")
        subject = self._subject((event["event"], told), allowed)
        if not subject.bucket.take(self._clock()):
            subject.unsaid += 1
            raise structlog.DropEvent
        if subject.unsaid:
            event["unsaid"], subject.unsaid = subject.unsaid, 0
        return event

    def _subject(self, key: tuple[str, object], allowed: Allowance) -> _Subject:
        subject = self._subjects.pop(key, None)
        if subject is None:
            subject = _Subject(TokenBucket(allowed.rate, allowed.burst))
        # The one that was heard of last stands last; the first makes room.
        self._subjects[key] = subject
        if len(self._subjects) > MOST_SUBJECTS:
            del self._subjects[next(iter(self._subjects))]
        return subject


def _allowance(event: MutableMapping[str, Any]) -> Allowance | None:
    if event.get("address"):
        return OF_ADDRESS
    return OF_CLIENT if "client" in event or "topic" in event else None


@frozen
class Unfailing:
    """A file for lines that may be lost, but that nobody waits for or fails over."""

    _file: TextIO

    def write(self, text: str) -> None:
        """Write something, if that can be."""
        with suppress(OSError, ValueError):  # ValueError: it is closed
            self._file.write(text)

    def flush(self) -> None:
        """Hand it to the system, if that can be."""
        with suppress(OSError, ValueError):
            self._file.flush()


def set_up_logs(config: ServerConfig) -> None:
    """Decide how log events are written."""
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if config.json_logs
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0)
    )
    structlog.configure(
        processors=[
            Quieter(),
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _shorten,
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            getattr(logging, config.log_level.upper())
        ),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", Unfailing(sys.stderr))),
        cache_logger_on_first_use=True,
    )


def _shorten(_: object, __: str, event: MutableMapping[str, Any]) -> dict[str, Any]:
    """Keep what a peer has written from filling the log, and from acting on a terminal."""
    return {
        key: shown(value[:LONGEST_VALUE]) if isinstance(value, str) else value
        for key, value in event.items()
    }
