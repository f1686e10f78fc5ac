"""Our commands where Python lacks what only Linux has: see `elsewhere/sitecustomize.py`."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from cli import children
from tests.cli.processes import descendants
from tests.cli.test_children import gone_after

ELSEWHERE = Path(__file__).parent / "elsewhere"
ROOT = Path(__file__).resolve().parent.parent.parent
PLATFORMS = ("win32", "darwin")
SHORT = ("--variant", "lagoon", "--bots", "dumbbot*3", "--last-year", "1901", "--seed", "1")
IMPORT_ALL = """
import pkgutil, importlib, sys
from cli.foreign import OURS
for package in set(OURS) - {"learning"}:  # which needs an extra
    for module in pkgutil.walk_packages([package], f"{package}."):
        if "._compiled." not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
print(sys.platform)
"""
IN_PROCESS = """
from matches import play
game = play(["dumbbot"] * 3, variant="lagoon", last_year=1902, seed=1)
print(game.ending.kind.value)
"""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="makes other systems of Linux")
everywhere = pytest.mark.parametrize("platform", PLATFORMS)
# What macOS lacks is little, and all of it is in what runs everywhere.
on_windows = pytest.mark.parametrize("platform", ["win32"])


def surroundings(platform: str, folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ELSEWHERE), str(ROOT)]),
        "DAIDE_TEST_PLATFORM": platform,
        "XDG_DATA_HOME": str(folder),
    }


def run(platform: str, folder: Path, *program: str, text: str = "") -> str:
    """Run a program to its end and return what it prints; nothing may be complained about."""
    done = subprocess.run(
        program,
        cwd=folder,
        env=surroundings(platform, folder),
        input=text,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


@everywhere
def test_every_module_can_be_imported(platform: str) -> None:
    program = [sys.executable, "-P", "-c", IMPORT_ALL]
    assert run(platform, ROOT, *program).strip() == platform


@on_windows
def test_language_and_rules_answer(platform: str, tmp_path: Path) -> None:
    said = run(platform, tmp_path, *children.command(["parse", "GOF"]))
    assert json.loads(said)["ok"]
    line = '{"turn": ["SPR", 1901], "units": {"ENG": ["F LON"]}}\n'
    judged = run(platform, tmp_path, *children.command(["adjudicate"]), text=line)
    assert json.loads(judged)["units"] == {"ENG": ["F LON"]}


PLAY = ("play", *SHORT, "--press-level", "0", "--json")


@pytest.fixture(scope="module")
def played_here() -> dict[str, Any]:
    """Return what is told of the game where nothing is lacking."""
    here = subprocess.run(children.command(PLAY), capture_output=True, text=True, check=True)
    return {**json.loads(here.stdout), "seconds": 0}


@everywhere
def test_a_game_is_played_in_process_over_tcp_and_in_a_tournament(
    platform: str, tmp_path: Path, played_here: dict[str, Any]
) -> None:
    assert run(platform, tmp_path, sys.executable, "-P", "-c", IN_PROCESS).strip() == "year-limit"
    told = json.loads(run(platform, tmp_path, *children.command(PLAY)))
    assert {**told, "seconds": 0} == played_here
    (tmp_path / "plan.toml").write_text(
        'variant = "lagoon"\ngames = 2\nlast_year = 1901\nbalance = false\n'
        '[[fields]]\nname = "one"\nplayers = { dumbbot = 3 }\n'
    )
    plan = ("tournament", "run", "plan.toml", "--out", "out", "--jobs", "2", "--json")
    assert json.loads(run(platform, tmp_path, *children.command(plan)))
    assert len((tmp_path / "out" / "games.jsonl").read_text().splitlines()) == 2


SERVE = ("serve", "--port", "0", "--variant", "lagoon", "--last-year", "1901", "--fill-after", "0")


@asynccontextmanager
async def serving(platform: str, folder: Path, *more: str) -> AsyncIterator[tuple[Process, str]]:
    """Start a server there, with a store, and return its port."""
    server = await asyncio.create_subprocess_exec(
        *children.command([*SERVE, *more]),
        cwd=folder,
        env=surroundings(platform, folder),
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        assert server.stdout is not None
        yield server, (await server.stdout.readline()).decode().rpartition(":")[2].strip()
    finally:
        await children.end([server])


@on_windows
async def test_a_server_fills_its_game_and_keeps_it(platform: str, tmp_path: Path) -> None:
    end = ("--fill", "holdbot", "--exit-after", "1", "--linger", "0", "--web", "0")
    async with serving(platform, tmp_path, *end, "--store", "games.db") as (server, port):
        bot = children.command(["bot", "dumbbot", "--port", port, "--quiet"])
        await asyncio.to_thread(run, platform, tmp_path, *bot)
        _, told = await asyncio.wait_for(server.communicate(), 60)
    assert server.returncode == 0, told
    assert b"Traceback" not in told
    assert (tmp_path / "games.db").stat().st_size > 0


@everywhere
async def test_two_servers_do_not_share_a_store(platform: str, tmp_path: Path) -> None:
    store = ("--store", "games.db")
    async with serving(platform, tmp_path, *store), serving(platform, tmp_path, *store) as (two, _):
        assert two.stderr is not None
        assert b"another server uses it" in await two.stderr.read()
        assert await two.wait() == 2


@on_windows
def test_the_page_of_a_game_that_is_over_stays_until_enter(platform: str, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    watched = subprocess.Popen(
        children.command(["play", *SHORT, "--watch", "--web-port", "0"]),
        cwd=tmp_path,
        env=surroundings(platform, tmp_path),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    told = b""
    with watched:
        while b"until you press Enter" not in told:
            told += os.read(ours, 10_000)
        assert watched.poll() is None
        os.write(ours, b"\n")
        with suppress(OSError):  # it has left the terminal
            while os.read(ours, 10_000):
                pass
    os.close(ours)
    assert watched.returncode == 0


@everywhere
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_a_server_stops_and_takes_its_bots_with_it(
    platform: str, number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "stuck.py").write_text(
        "import time\nfrom bots.holdbot import HoldBot\nclass Stuck(HoldBot):\n"
        "    def choose_orders(self, view):\n        time.sleep(600)\n"
    )
    fill = ("--fill", "stuck:Stuck", "--store", ":memory:")
    async with serving(platform, tmp_path, *fill) as (server, port):
        bot = await asyncio.create_subprocess_exec(
            *children.command(["bot", "holdbot", "--port", port, "--quiet"]),
            env=surroundings(platform, tmp_path),
            stderr=PIPE,
        )
        try:
            await gone_after(number, server, 3)
        finally:
            await children.end([bot])
    assert not descendants(server.pid)
