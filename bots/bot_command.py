"""Run a bot as a command: from options to an exit code."""

import asyncio
import logging
import sys
from argparse import Namespace
from secrets import randbits

import structlog

from bots.runner import Seating, play
from bots.strategy import Bot
from daide.errors import ClientError

log = structlog.get_logger(__name__)


def run(bot: Bot, name: str, options: Namespace) -> int:
    """Play the game that the options of `daide bot` name."""
    # Standard output belongs to results, and a bot has none.
    log_to_stderr(logging.WARNING if options.quiet else logging.INFO)
    seating = Seating(
        host=options.host,
        port=options.port,
        name=name,
        power=options.power.upper() if options.power else None,
        passcode=options.passcode or 0,
        waits_for_server=options.wait,
        on_joined=_tell_joined if options.tell_joined else None,
    )
    seed = randbits(31) if options.seed is None else options.seed
    log.info("bot started", name=name, version=bot.tactic.version, seed=seed)
    try:
        played = asyncio.run(play(bot, seating, seed=seed, think=options.think))
    except (ClientError, OSError) as error:
        where = f"{seating.host}:{seating.port}"
        sys.stderr.write(f"daide bot: {where}: {str(error) or type(error).__name__}\n")
        return 1
    return 1 if played.failures else 0


def _tell_joined() -> None:
    """Tell whoever started us; if nobody is there to read it, that is an error."""
    sys.stdout.write("joined\n")
    sys.stdout.flush()


def log_to_stderr(level: int) -> None:
    """Write log events of that level and above to standard error."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
