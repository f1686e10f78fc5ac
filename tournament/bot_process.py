"""A bot as a process of its own: what `daide bot` runs, with its own memory and socket.

Seven interpreters take longer to start than a short game to play. So a bot is forked off where the
system can, and where no thread of ours could be caught in the middle of something; the imports are
shared then, and nothing else.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn, Protocol

import bots.bot_command  # noqa: F401 - `daide bot` imports it late, and forks should find it there
from bots.cli import main
from cli import children

HIGHEST_FILE = 256


class BotProcess(Protocol):
    """A running bot; to be ended."""

    def exit_code(self) -> int | None:
        """Return how it has ended, None while it runs."""

    def end(self) -> None:
        """Kill it if it still runs."""


def start_bot(arguments: Sequence[str]) -> BotProcess:
    """Start `daide` with these arguments, of which the first is `bot`."""
    if sys.platform != "win32" and threading.active_count() == 1:
        return ForkedBot(arguments)
    return SpawnedBot(arguments)


class SpawnedBot:
    """A bot in an interpreter of its own."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._process = children.spawn(arguments, stderr=subprocess.DEVNULL)

    def exit_code(self) -> int | None:
        """Return how it has ended, None while it runs."""
        return self._process.poll()

    def end(self) -> None:
        """Kill it if it still runs."""
        self._process.kill()
        self._process.wait()


class ForkedBot:
    """A bot that shares our imports."""

    def __init__(self, arguments: Sequence[str]) -> None:
        parent = os.getpid()
        self._code: int | None = None
        self._pid = os.fork()
        if self._pid == 0:
            _be_bot(arguments[1:], parent)

    def exit_code(self) -> int | None:
        """Return how it has ended, None while it runs."""
        return self._wait(os.WNOHANG)

    def end(self) -> None:
        """Kill it if it still runs."""
        if self._code is None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            self._wait(0)

    def _wait(self, how: int) -> int | None:
        if self._code is None:
            pid, status = os.waitpid(self._pid, how)
            if pid:
                self._code = os.waitstatus_to_exitcode(status)
        return self._code


def _be_bot(arguments: Sequence[str], parent: int) -> NoReturn:
    """Play, and end without a way back into the program that we were forked from."""
    code = 1
    try:
        children.follow_parent(parent)
        _forget_files()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code = main(list(arguments))
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 1
    finally:
        os._exit(code)


def _forget_files() -> None:
    """Let go of our parent's files and sockets.

    Each is replaced rather than closed: objects that we have inherited may still close it, and
    must not hit a file of ours.
    """
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(HIGHEST_FILE):
        if number != nowhere:
            with suppress(OSError):
                os.fstat(number)
                os.dup2(nowhere, number)
