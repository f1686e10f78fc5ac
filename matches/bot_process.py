"""A bot as a process of its own: what `daide bot` runs, with its own memory and socket.

Seven interpreters take longer to start than a short game to play. So a bot is forked off where the
system can, and where no thread of ours could be caught in the middle of something; the imports are
shared then, and nothing else. What a bot writes to standard error is kept, for whoever wants to
know why it failed.
"""

import gc
import os
import signal
import sys
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NoReturn

import bots.bot_command  # noqa: F401 - `daide bot` imports it late, and forks should find it there
from bots.cli import main
from bots.failures import Failure, failure_from_line
from cli import children
from rules.errors import BadInputError

HIGHEST_FILE = 256
MOST_SAID = 20_000
"""So many bytes of what a bot has written are looked at, from the end."""


class BotProcess(ABC):
    """A running bot; to be ended, and then to be closed."""

    def __init__(self) -> None:
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - until `close`

    @abstractmethod
    def exit_code(self) -> int | None:
        """Return how it has ended, None while it runs."""

    @abstractmethod
    def end(self) -> None:
        """Kill it if it still runs."""

    def close(self) -> None:
        """End it, and forget what it has said."""
        self.end()
        self._said.close()

    def failures(self) -> tuple[Failure, ...]:
        """Return how its strategy has failed, once it has ended."""
        told = (failure_from_line(line) for line in self._lines())
        return tuple(each for each in told if each is not None)

    def said(self) -> str:
        """Return the end of what it has written to standard error, but for its failures."""
        return "\n".join(line for line in self._lines() if failure_from_line(line) is None)

    def _lines(self) -> list[str]:
        size = self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, size - MOST_SAID))
        return self._said.read().decode("utf-8", "replace").splitlines()


def start_bot(arguments: Sequence[str]) -> BotProcess:
    """Start `daide` with these arguments, of which the first is `bot`."""
    if sys.platform != "win32" and threading.active_count() == 1:
        return ForkedBot(arguments)
    return SpawnedBot(arguments)


@contextmanager
def frozen_memory() -> Iterator[None]:
    """Let bots that are forked off meanwhile leave what they inherit where it is.

    Otherwise their first search for garbage would touch, and so copy, all of it.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


class SpawnedBot(BotProcess):
    """A bot in an interpreter of its own."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__()
        self._process = children.spawn(arguments, stderr=self._said.fileno())

    def exit_code(self) -> int | None:
        """Return how it has ended, None while it runs."""
        return self._process.poll()

    def end(self) -> None:
        """Kill it if it still runs."""
        self._process.kill()
        self._process.wait()


class ForkedBot(BotProcess):
    """A bot that shares our imports."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__()
        parent = os.getpid()
        self._code: int | None = None
        # What is raised while it forks Python drops: Ctrl-C would end nothing.
        mask = signal.pthread_sigmask(
            signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
        )
        try:
            self._pid = os.fork()
            if self._pid == 0:
                _be_bot(arguments[1:], parent, self._said.fileno(), mask)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

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


def _be_bot(
    arguments: Sequence[str], parent: int, said: int, mask: set[int | signal.Signals]
) -> NoReturn:
    """Play, and end without a way back into the program that we were forked from."""
    code = 1
    try:
        children.follow_parent(parent)
        _forget_files(said)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        code = main(list(arguments))
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 1
    except BadInputError as error:
        os.write(2, f"{error}\n".encode())
    except BaseException as error:  # noqa: BLE001 - there is nobody above us
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        sys.stderr.flush()
        os._exit(code)


def _forget_files(said: int) -> None:
    """Let go of our parent's files and sockets, and write errors where they are kept.

    Each is replaced rather than closed: objects that we have inherited may still close it, and
    must not hit a file of ours.
    """
    os.dup2(said, 2)
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115 - for good
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(HIGHEST_FILE):
        if number not in (2, nowhere):
            with suppress(OSError):
                os.fstat(number)
                os.dup2(nowhere, number)
