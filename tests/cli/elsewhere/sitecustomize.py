"""Makes a Python on Linux lack what Windows or macOS lacks; found by those started with our folder.

What Python's own modules and the packages of others need is imported first, so that only we find it
missing. `os.name` stays: paths hang on it.
"""

import asyncio.base_events
import asyncio.selector_events
import asyncio.unix_events
import ctypes
import errno
import os
import signal
import socket
import sqlite3  # noqa: F401 - see above
import subprocess
import sys
import sysconfig
import tempfile  # noqa: F401 - see above
import time
import webbrowser
from contextlib import suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

PLATFORM = os.environ.get("DAIDE_TEST_PLATFORM", "win32")
MODULES = {
    "win32": (
        *("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty", "posix_ipc"),
        *("readline", "curses", "_posixshmem", "uvloop"),
    ),
    "darwin": ("posix_ipc", "uvloop"),
}
ATTRIBUTES: dict[str, dict[Any, tuple[str, ...]]] = {
    "win32": {
        os: (
            *("fork", "forkpty", "register_at_fork", "killpg", "setsid", "setpgid", "getpgid"),
            *("O_CLOEXEC", "O_NONBLOCK", "O_DIRECTORY", "O_NOFOLLOW"),
            *("getuid", "geteuid", "getgid", "getegid", "chown", "fchown", "mkfifo", "nice"),
            *("uname", "sysconf", "statvfs", "sched_getaffinity", "pipe2", "fdatasync", "sendfile"),
        ),
        signal: (
            *("SIGHUP", "SIGKILL", "SIGCHLD", "SIGUSR1", "SIGUSR2", "SIGPIPE", "SIGALRM"),
            *("SIGQUIT", "SIGTSTP", "SIGCONT", "SIGSTOP", "SIGWINCH", "pthread_sigmask", "pause"),
        ),
        socket: (
            *("SO_REUSEPORT", "TCP_USER_TIMEOUT", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT"),
            *("MSG_DONTWAIT", "SO_PEERCRED", "TCP_QUICKACK"),
        ),
        time: ("clock_gettime", "clock_gettime_ns", "tzset"),
    },
    "darwin": {
        os: ("sched_getaffinity", "pipe2", "posix_fadvise", "fdatasync", "sendfile"),
        socket: ("TCP_USER_TIMEOUT", "TCP_QUICKACK", "SO_PEERCRED", "TCP_KEEPIDLE"),
        signal: ("SIGSTKFLT", "SIGPWR", "SIGPOLL"),
    },
}


class Missing:
    """What the event loop of Windows answers to those who want to watch a file or a signal."""

    def __call__(self, *_: object) -> None:
        raise NotImplementedError


def wait_for_end(process: int, _: int) -> None:
    """Wait as WaitForSingleObject does; a zombie is no process there."""
    with suppress(OSError):
        while "State:\tZ" not in Path(f"/proc/{process}/status").read_text():
            time.sleep(0.1)


def lock_byte(descriptor: int, _: int, __: int) -> None:
    """Lock as `msvcrt.locking` does, with what Linux has."""
    try:
        flock(descriptor, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        raise PermissionError from None


for each in ("click", "paho.mqtt.client", "rich.live", "uvicorn", "websockets"):
    with suppress(ImportError):
        import_module(each)
sysconfig.get_paths()
webbrowser._tryorder = []  # type: ignore[attr-defined] # it has looked, and found none
# Python's own modules ask for these when they start and end processes.
subprocess.signal = SimpleNamespace(**vars(signal))  # type: ignore[attr-defined]  # another system
for module, names in ATTRIBUTES[PLATFORM].items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
if hasattr(os, "process_cpu_count"):  # from 3.13 on; elsewhere it is the same
    os.process_cpu_count = os.cpu_count
for name in MODULES[PLATFORM]:
    sys.modules[name] = None  # type: ignore[assignment]  # another system
if PLATFORM == "win32":
    errno.WSAEWOULDBLOCK = errno.EWOULDBLOCK  # type: ignore[attr-defined]  # another system
    loop = asyncio.selector_events.BaseSelectorEventLoop
    for name in ("add_reader", "add_writer"):
        setattr(loop, name, Missing())
    for name in ("add_signal_handler", "remove_signal_handler"):
        setattr(asyncio.unix_events._UnixSelectorEventLoop, name, Missing())
    kernel = SimpleNamespace(
        OpenProcess=lambda _access, _inherit, process: process, WaitForSingleObject=wait_for_end
    )
    locks = ModuleType("msvcrt")
    vars(locks).update(locking=lock_byte, LK_NBLCK=2)
    sys.modules["msvcrt"] = locks
    ctypes.windll = SimpleNamespace(kernel32=kernel)  # type: ignore[attr-defined]  # another system
sys.platform = PLATFORM
