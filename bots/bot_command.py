"""Run a bot as a command: from options to an exit code."""

import asyncio
import logging
import sys
from argparse import Namespace
from collections.abc import Callable, Coroutine
from secrets import randbits
from typing import Any

import structlog

from bots.failures import failure_to_line
from bots.programs.child import ProgramEndedError
from bots.programs.run_program import play_program
from bots.runner import Played, Seating, play
from bots.strategy import Bot
from daide.errors import ClientError, NoServerError

log = structlog.get_logger(__name__)


def run(bot: Bot, name: str, options: Namespace) -> int:
    """Play the game that the options of `daide bot` name."""
    seed = randbits(31) if options.seed is None else options.seed
    return _run(
        lambda seating: play(bot, seating, seed=seed, think=options.think),
        name,
        options,
        version=bot.tactic.version,
        seed=seed,
    )


def run_program(command: list[str], name: str, options: Namespace) -> int:
    """Let a program of any language play the game that the options name."""
    return _run(
        lambda seating: play_program(command, seating, think=options.think),
        name,
        options,
        program=command[0],
    )


def _run(
    start: Callable[[Seating], Coroutine[Any, Any, Played]],
    name: str,
    options: Namespace,
    **facts: object,
) -> int:
    # Standard output belongs to results, and a bot has none.
    level = logging.WARNING if options.quiet else logging.INFO
    # Whoever is told of failures at the end needs no log of them.
    log_to_stderr(logging.CRITICAL if options.tell_failures else level)
    seating = Seating(
        host=options.host,
        port=options.port,
        name=name,
        power=options.power.upper() if options.power else None,
        passcode=options.passcode or 0,
        waits_for_server=options.wait,
        on_joined=_tell_joined if options.tell_joined else None,
    )
    log.info("bot started", name=name, **facts)
    try:
        played = asyncio.run(start(seating))
    except ProgramEndedError as error:
        sys.stderr.write(f"daide bot: --exec: the program left the game: {error}\n")
        return 1
    except OSError as error:
        sys.stderr.write(f"daide bot: {NoServerError(seating.host, seating.port, error)}\n")
        return 1
    except ClientError as error:
        where = f"{seating.host}:{seating.port}"
        sys.stderr.write(f"daide bot: {where}: {str(error) or type(error).__name__}\n")
        return 1
    for failure in played.kinds if options.tell_failures else ():
        sys.stderr.write(failure_to_line(failure) + "\n")
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
