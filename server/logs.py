"""The log of a server: lines on standard error, as text or as JSON."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from grammar.shown import shown
from server.config import ServerConfig

LONGEST_VALUE = 200


def set_up_logs(config: ServerConfig) -> None:
    """Decide how log events are written."""
    renderer: Any = (
        structlog.processors.JSONRenderer()
        if config.json_logs
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=0)
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _shorten,
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            getattr(logging, config.log_level.upper())
        ),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


def _shorten(_: object, __: str, event: MutableMapping[str, Any]) -> dict[str, Any]:
    """Keep what a peer has written from filling the log, and from acting on a terminal."""
    return {
        key: shown(value[:LONGEST_VALUE]) if isinstance(value, str) else value
        for key, value in event.items()
    }
