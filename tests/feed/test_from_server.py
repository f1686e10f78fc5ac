"""What a server's process hears of it, at a real pipe."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from cli.children import command, environment
from feed.facts import GameForgotten
from feed.outbox import Letter
from feed.wire import to_line

CHILD = """
import asyncio
from feed.from_server import FromServer
from feed.wire import say

async def hear():
    server = await FromServer.opened()
    if server is None:
        say({"setup": None})
        return
    say({"setup": server.setup})
    await server.take_all(lambda told: say({"told": type(told).__name__}), at_once=2)
    say({"end": True})

asyncio.run(hear())
"""
FACT = GameForgotten(1).to_line()


@pytest.fixture
def child() -> Iterator["subprocess.Popen[bytes]"]:
    program = [command(())[0], "-P", "-c", CHILD]
    pipe = subprocess.PIPE
    with subprocess.Popen(program, stdin=pipe, stdout=pipe, env=environment()) as process:
        yield process


def said(told: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in told.splitlines()]


def test_facts_and_letters_are_taken_until_the_server_is_gone(
    child: "subprocess.Popen[bytes]",
) -> None:
    lines = [b'{"name": "a"}\n', FACT, to_line(Letter("a/b", b"{}")), b"no fact\n", FACT]
    out, _ = child.communicate(b"".join(lines))
    setup, fact, letter, failed, last, end = said(out)
    assert setup == {"setup": {"name": "a"}}
    assert (fact, letter) == ({"told": "GameForgotten"}, {"told": "Letter"})
    # One line that cannot be told does not end those after it.
    assert list(failed) == ["failed"]
    assert (last, end) == (fact, {"end": True})


def test_nothing_is_done_for_a_server_that_is_gone_already(
    child: "subprocess.Popen[bytes]",
) -> None:
    out, _ = child.communicate(b"")
    assert said(out) == [{"setup": None}]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of Unix")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_is_the_server_that_says_when_to_end(
    child: "subprocess.Popen[bytes]", number: signal.Signals
) -> None:
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(b"{}\n")
    child.stdin.flush()
    assert said(child.stdout.readline()) == [{"setup": {}}]
    child.send_signal(number)
    out, _ = child.communicate(FACT)
    assert said(out) == [{"told": "GameForgotten"}, {"end": True}]
