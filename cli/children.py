"""Our own commands as child processes: how they start, whom they follow, and how they end.

Every package may import this; it needs the standard library only.

A child does not look into the folder that it is started from: a `rules.py` or a `bots/` of the
user's must not stand in for ours. Whoever loads a bot of the user's puts that folder back with
`find_users_modules`, behind everything else.

A child ends with its parent, also with one that is killed and has no time for farewells.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio.subprocess import Process

PARENT = "DAIDE_PARENT"
"""The variable that tells a child the number of the process that it follows."""
FAREWELL = 3.0
MAKING_A_BOT = 60.0
"""Seconds until a bot that is only made, and plays no game, counts as hung."""
LINE_LIMIT = 4_000_000
"""The longest line that can be read from a child, in bytes."""
_LOOK = 1.0
_PR_SET_PDEATHSIG = 1
_SYNCHRONIZE = 0x00100000
_FOREVER = 0xFFFFFFFF


def command(arguments: Sequence[str], module: str = "cli") -> list[str]:
    """Return what starts `daide` with these arguments, or another module of ours."""
    return [sys.executable, "-P", "-m", module, *arguments]


def environment(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return what a child of ours finds in its environment."""
    return {**os.environ, **(variables or {}), PARENT: str(os.getpid())}


async def start(
    arguments: Sequence[str],
    *,
    module: str = "cli",
    stdin: int = DEVNULL,
    stdout: int = DEVNULL,
    variables: Mapping[str, str] | None = None,
) -> "Process":
    """Start a command of ours."""
    import asyncio  # noqa: PLC0415 - every child imports this module, and not every one needs it

    return await asyncio.create_subprocess_exec(
        *command(arguments, module),
        stdin=stdin,
        stdout=stdout,
        env=environment(variables),
        limit=LINE_LIMIT,
    )


def spawn(
    arguments: Sequence[str],
    *,
    module: str = "cli",
    stdin: int = DEVNULL,
    stdout: int = DEVNULL,
    stderr: int | None = None,
) -> "subprocess.Popen[bytes]":
    """Start a command of ours without an event loop; Ctrl-C is for us, and we end it."""
    return subprocess.Popen(  # noqa: S603 - ourselves
        command(arguments, module),
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env=environment(),
        process_group=0 if os.name == "posix" else None,
    )


def run(arguments: Sequence[str], patience: float) -> "subprocess.CompletedProcess[str]":
    """Run a command of ours to its end, and return what it said; TimeoutExpired if it hangs."""
    return subprocess.run(  # noqa: S603 - ourselves
        command(arguments),
        stdin=DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        env=environment(),
        timeout=patience,
        check=False,
    )


def why_no_bot(bot: str) -> str | None:
    """Say why a bot cannot be made; None if it can. Its code runs in a process of its own."""
    try:
        done = run(["bot", bot, "--check"], MAKING_A_BOT)
    except subprocess.TimeoutExpired:
        return f"{bot} is not ready after {MAKING_A_BOT:g} s"
    if done.returncode == 0:
        return None
    last = (done.stderr.strip().splitlines() or [f"{bot} ends at once"])[-1]
    return last.removeprefix("daide bot: ")


async def end(processes: "Iterable[Process]") -> None:
    """Ask all of them to end, and kill those that have not done so in time."""
    import asyncio  # noqa: PLC0415 - see above

    running = [each for each in processes if each.returncode is None]
    for process in running:
        with suppress(ProcessLookupError):
            process.terminate()
    with suppress(TimeoutError):
        async with asyncio.timeout(FAREWELL):
            await asyncio.gather(*(each.wait() for each in running))
    for process in running:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def follow_parent(parent: int | None = None) -> bool:
    """End this process with the one that has started it; without a number, if that asked for it.

    Linux kills it by itself. Elsewhere a thread watches. Returns whether there is one to follow.
    """
    told = os.environ.pop(PARENT, "")
    number = parent or (int(told) if told.isdecimal() else None)
    if number is None:
        return False
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - see above

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != number:
            # It was gone before the system could be asked.
            os._exit(1)
    else:
        threading.Thread(target=_watch, args=(number,), daemon=True).start()
    return True


def _watch(parent: int) -> None:
    """Wait for the end of a process, and be gone then."""
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - see above

        kernel = ctypes.windll.kernel32
        if process := kernel.OpenProcess(_SYNCHRONIZE, 0, parent):
            kernel.WaitForSingleObject(process, _FOREVER)
    else:
        while os.getppid() == parent:
            time.sleep(_LOOK)
    os._exit(1)


def find_users_modules() -> None:
    """Let modules of the current folder be imported, unless we or Python have one of that name."""
    ours = str(Path(__file__).resolve().parent.parent)
    for folder in (ours, str(Path.cwd())):
        if folder not in sys.path:
            sys.path.append(folder)
