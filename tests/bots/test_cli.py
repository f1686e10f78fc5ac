import asyncio
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bots.registry import ENTRIES
from cli.main import main
from grammar.boards import map_definition, now_message, ownership_message
from grammar.messages import (
    AcceptMap,
    AskMapDefinition,
    Hello,
    MapName,
    Name,
    Rej,
    SubmitOrders,
    TurnOff,
    VariantOption,
    Yes,
)
from rules.maps import load_map
from tests.daide.scripted_server import Peer, ScriptedServer

BOARD = load_map()
FRANCE = BOARD.power("FRA")


def test_the_list_has_a_line_for_each_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots"]) == 0
    lines = capsys.readouterr().out.splitlines()
    listed = [line.split()[:2] for line in lines]
    assert listed == [[entry.name, str(entry.level)] for entry in ENTRIES.values()]
    assert ["dumbbot", "0"] in listed
    assert ["blabbot", "10"] in listed


def test_the_list_can_be_had_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bots", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    assert entries[0]["name"] == "dumbbot"
    assert entries[0]["press_level"] == 0
    assert entries[0]["variants"] == ["classic", "wide", "port83", "bandana"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dumbo"], "no such bot: 'dumbo'"),
        (["holdbot", "--variant", "x"], "holdbot has no variants"),
        (["holdbot", "--power", "FRA"], "--passcode"),
    ],
)
def test_bad_usage_is_one_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", *arguments]) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1


class Process:
    """A bot as users start it."""

    def __init__(self, server: ScriptedServer, *arguments: str, folder: Path | None = None) -> None:
        self._running = subprocess.Popen(
            [sys.executable, "-m", "cli", "bot", *arguments, "--port", str(server.port)],
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
        )

    def peak(self) -> int:
        """Return the most memory it has had, in kilobytes."""
        status = Path(f"/proc/{self._running.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1])

    def interrupt(self, number: signal.Signals) -> None:
        self._running.send_signal(number)

    async def end(self) -> tuple[int, str]:
        """Return the exit code and what was said on standard error."""
        _, err = await asyncio.to_thread(self._running.communicate, timeout=60)
        return self._running.returncode, err


async def seated(server: ScriptedServer, name: Name) -> Peer:
    """Let a bot join, and begin the game."""
    peer = await server.accept()
    await peer.expect(name)
    peer.say(Yes(name), MapName("standard"))
    await peer.expect(AskMapDefinition())
    peer.say(map_definition(BOARD))
    await peer.expect(AcceptMap("standard"))
    hello = Hello(FRANCE, 4711, (VariantOption("LVL", 0),))
    peer.say(hello, ownership_message(BOARD, BOARD.start), now_message(BOARD.start))
    message = await peer.hear()
    assert isinstance(message, SubmitOrders)
    assert len(message.orders) == 3
    return peer


async def test_a_bot_joins_plays_and_leaves_when_it_is_turned_off() -> None:
    async with ScriptedServer() as server:
        process = Process(server, "dumbbot", "--seed", "7", "--name", "Nelson")
        peer = await seated(server, Name("Nelson", "classic"))
        peer.say(TurnOff())
        assert (await process.end())[0] == 0


async def test_a_bot_of_ones_own_is_started_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from bots.strategy import Tactic\n"
        "class MyBot(Tactic):\n"
        "    def choose_orders(self, view):\n"
        "        return []\n"
    )
    async with ScriptedServer() as server:
        process = Process(server, "mine:MyBot", folder=tmp_path)
        peer = await seated(server, Name("MyBot", "1.0"))
        peer.say(TurnOff())
        assert (await process.end())[0] == 0


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
async def test_a_bot_can_be_stopped(number: signal.Signals, code: int) -> None:
    async with ScriptedServer() as server:
        process = Process(server, "holdbot")
        peer = await seated(server, Name("HoldBot", "1.0"))
        process.interrupt(number)
        await peer.farewell()
        ended, err = await process.end()
        assert ended == code
        assert "Traceback" not in err


async def test_a_bot_that_is_not_let_in_says_so() -> None:
    async with ScriptedServer() as server:
        process = Process(server, "holdbot")
        peer = await server.accept()
        name = Name("HoldBot", "1.0")
        for _ in range(2):
            await peer.expect(name)
            peer.say(Rej(name))
        code, err = await process.end()
        assert code == 1
        assert "does not let us in" in err
        assert "Traceback" not in err


async def test_a_server_that_is_not_there_is_named() -> None:
    async with ScriptedServer() as server:
        await server.stop()
        code, err = await Process(server, "holdbot").end()
        await server.start()
        assert code == 1
        assert f"127.0.0.1:{server.port}" in err
        assert "Traceback" not in err


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
async def test_a_bot_is_small() -> None:
    async with ScriptedServer() as server:
        process = Process(server, "dumbbot")
        peer = await seated(server, Name("DumbBot", "classic"))
        peak = process.peak()
        peer.say(TurnOff())
        await process.end()
    assert peak < 60 * 1024


def test_a_check_starts_neither_a_bot_nor_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    # Nobody listens there, and nobody is looked for.
    for what in (["holdbot"], ["--exec", f"{sys.executable} -c exit(3)"]):
        assert main(["bot", *what, "--check", "--port", "1"]) == 0
    assert main(["bot", "--exec", "/no/such/program", "--check"]) == 2
    assert capsys.readouterr().err.endswith("--exec: there is no program '/no/such/program'\n")
