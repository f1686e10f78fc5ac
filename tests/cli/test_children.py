"""Commands of ours as children: from any folder, and never longer than their parent."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cli import children
from tests.cli.processes import descendants
from tests.feed.brokers import RunningBroker

OURS = ("rules", "grammar", "bots", "daide", "feed", "server", "cli", "spectator", "promises")
STUMBLE = "raise RuntimeError('this is not the module of that name that was meant')\n"
PLAN = """
name = "hostile"
seed = 1
games = 3
press_level = 0
last_year = 1901
variant = "lagoon"

[bots]
mine = "mine:Mine"
hold = "holdbot"

[[fields]]
name = "one"
players = { mine = 1, hold = 2 }
"""
MINE = """
import time

from bots.holdbot import HoldBot


class Mine(HoldBot):
    pass


class Stuck(HoldBot):
    def choose_orders(self, view):
        time.sleep(600)
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """Return a folder in which a file stands for every package of ours, and a bot."""
    for name in OURS:
        (tmp_path / f"{name}.py").write_text(STUMBLE)
    for name in ("matches", "tournament"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(STUMBLE)
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        children.command(arguments), cwd=folder, capture_output=True, text=True, check=False
    )


def test_play_runs_in_a_folder_that_holds_our_names(hostile: Path) -> None:
    done = run(
        hostile,
        *("play", "--variant", "lagoon", "--bots", "mine:Mine,holdbot*2", "--last-year", "1901"),
        *("--press-level", "0", "--json"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["players"][0]["bot"] in ("mine:Mine", "holdbot")


def test_a_tournament_runs_in_a_folder_that_holds_our_names(hostile: Path) -> None:
    done = run(hostile, "tournament", "run", "plan.toml", "--out", "out", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    lines = (hostile / "out" / "games.jsonl").read_text().splitlines()
    assert len(lines) == 3
    assert "aborted" not in {json.loads(line)["outcome"] for line in lines}


SERVE = (
    *("serve", "--port", "0", "--store", ":memory:", "--variant", "lagoon", "--last-year", "1901"),
    *("--exit-after", "1", "--linger", "0", "--fill-after", "0", "--movement-limit", "0"),
)


@asynccontextmanager
async def started(folder: Path, *arguments: str) -> AsyncIterator[Process]:
    """Start a command, and leave nothing of it behind."""
    process = await asyncio.create_subprocess_exec(
        *children.command(arguments), cwd=folder, stdout=PIPE, stderr=DEVNULL
    )
    try:
        yield process
    finally:
        await children.end([process])


@asynccontextmanager
async def serving(folder: Path, *arguments: str) -> AsyncIterator[Process]:
    """Start a server, and a first client, upon which it fills its game."""
    async with started(folder, *SERVE, *arguments) as server:
        assert server.stdout is not None
        port = (await server.stdout.readline()).decode().rpartition(":")[2].strip()
        async with started(folder, "bot", "holdbot", "--port", port):
            yield server


async def test_a_server_fills_its_game_in_a_folder_that_holds_our_names(hostile: Path) -> None:
    async with serving(hostile, "--fill", "mine:Mine") as server:
        assert await asyncio.wait_for(server.wait(), 60) == 0


async def test_a_bot_host_works_in_a_folder_that_holds_our_names(
    hostile: Path, broker: RunningBroker
) -> None:
    mqtt = ("--mqtt", broker.url)
    async with (
        started(hostile, "bots", "host", *mqtt, "--offer", "mine:Mine"),
        serving(hostile, *mqtt, "--fill", "mine:Mine", "--bot-hosts") as server,
    ):
        assert await asyncio.wait_for(server.wait(), 60) == 0


STUCK = ("play", "--variant", "lagoon", "--bots", "mine:Stuck*3", "--json")
COMMANDS = {
    "play": (4, STUCK),
    "tournament": (3, ("tournament", "run", "stuck.toml", "--out", "out", "--jobs", "2")),
}
SIGNALS = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL]


async def until(is_true: Callable[[], bool], seconds: float) -> bool:
    """Wait for something to become true, for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_true():
            return True
        await asyncio.sleep(0.05)
    return False


async def gone_after(number: signal.Signals, process: Process, count: int) -> None:
    """Assert that a signal ends a command with all that it has started."""
    assert await until(lambda: len(descendants(process.pid)) >= count, 60)
    everybody = descendants(process.pid)
    process.send_signal(number)
    await process.wait()
    assert await until(lambda: not any(map(is_running, everybody)), 60)


def code_after(number: signal.Signals) -> int:
    """Return the exit code of a command that the signal has ended."""
    return -number if number is signal.SIGKILL else 128 + number


def is_running(pid: int) -> bool:
    return bool(descendants(pid))


reads_proc = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
each_signal = pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)


@reads_proc
@each_signal
@pytest.mark.parametrize("name", COMMANDS)
async def test_a_signal_ends_a_command_and_its_children(
    name: str, number: signal.Signals, hostile: Path
) -> None:
    (hostile / "stuck.toml").write_text(PLAN.replace("mine:Mine", "mine:Stuck"))
    count, arguments = COMMANDS[name]
    async with started(hostile, *arguments) as process:
        await gone_after(number, process, count)
    assert process.returncode == code_after(number)


@reads_proc
@each_signal
async def test_a_signal_ends_a_game_with_its_page_and_its_relay(
    number: signal.Signals, hostile: Path, broker: RunningBroker
) -> None:
    arguments = [*STUCK, "--watch", "--mqtt", broker.url]
    process = await asyncio.create_subprocess_exec(
        *children.command(arguments), cwd=hostile, stdout=DEVNULL, stderr=PIPE
    )
    try:
        await gone_after(number, process, 6)
        assert process.stderr is not None
        assert b"Traceback" not in await process.stderr.read()
    finally:
        await children.end([process])


@reads_proc
@each_signal
async def test_a_signal_ends_a_server_and_its_bots(number: signal.Signals, hostile: Path) -> None:
    async with serving(hostile, "--fill", "mine:Stuck") as server:
        await gone_after(number, server, 3)
    # SIGTERM is how a server is asked to end.
    assert server.returncode == (0 if number is signal.SIGTERM else code_after(number))


@reads_proc
@each_signal
async def test_a_signal_ends_a_bot_host_and_its_bots(
    number: signal.Signals, hostile: Path, broker: RunningBroker
) -> None:
    mqtt = ("--mqtt", broker.url)
    async with (
        started(hostile, "bots", "host", *mqtt, "--offer", "mine:Stuck") as host,
        serving(hostile, *mqtt, "--fill", "mine:Stuck", "--bot-hosts"),
    ):
        await gone_after(number, host, 3)
    assert host.returncode == (0 if number is signal.SIGTERM else code_after(number))


def test_a_child_whose_parent_is_gone_ends_at_once() -> None:
    program = "from cli.children import follow_parent; follow_parent(); print('still here')"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, children.PARENT: "1"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"")


async def test_sigterm_ends_a_command_that_a_script_has_put_in_the_background(
    hostile: Path,
) -> None:
    shell = await asyncio.create_subprocess_exec(
        *("sh", "-c", 'trap "" INT; exec "$@"', "sh", *children.command(STUCK)),
        cwd=hostile,
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    try:
        await gone_after(signal.SIGTERM, shell, 4)
    finally:
        await children.end([shell])
