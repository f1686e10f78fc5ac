"""Bots as processes: how they end, what they leave, and that they never outlive their game."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from matches.bot_process import BotProcess, ForkedBot, SpawnedBot, start_bot
from tests.cli.processes import descendants
from tests.feed.brokers import free_port

NEVER = 30.0
HANGS = "import time\ntime.sleep(600)\n"
KINDS = [
    pytest.param(
        ForkedBot, marks=pytest.mark.skipif(not hasattr(os, "fork"), reason="cannot fork")
    ),
    SpawnedBot,
]
each_kind = pytest.mark.parametrize("kind", KINDS)


def code_of(bot: BotProcess) -> int:
    """Wait for the end of a bot."""
    end = time.monotonic() + NEVER
    while (code := bot.exit_code()) is None:
        assert time.monotonic() < end, "it does not end"
        time.sleep(0.02)
    return code


@each_kind
def test_a_bot_that_cannot_play_says_why_and_who_asks_twice_hears_the_same(
    kind: type[ForkedBot | SpawnedBot],
) -> None:
    port = free_port()
    bot = kind(["bot", "holdbot", "--port", str(port), "--quiet"])
    try:
        assert code_of(bot) == bot.exit_code() == 1
        assert f"no server answers at 127.0.0.1:{port}" in bot.said()
        assert bot.failures() == ()
    finally:
        bot.close()


@each_kind
def test_bad_arguments_are_no_reason_to_come_back(kind: type[ForkedBot | SpawnedBot]) -> None:
    for arguments in (["bot", "nobot"], ["bot", "holdbot", "--port", "x"]):
        bot = kind(arguments)
        try:
            assert code_of(bot) != 0
            assert bot.said()
            assert "Traceback" not in bot.said()
        finally:
            bot.close()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@each_kind
def test_a_bot_that_hangs_is_ended_and_nothing_of_it_is_left(
    kind: type[ForkedBot | SpawnedBot], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / f"hangs_{kind.__name__.lower()}.py").write_text(HANGS)
    monkeypatch.chdir(tmp_path)
    before = descendants(os.getpid())
    bot = kind(["bot", f"hangs_{kind.__name__.lower()}:Bot"])
    assert bot.exit_code() is None
    assert len(descendants(os.getpid())) == len(before) + 1
    bot.close()
    bot.end()  # who is gone already cannot be ended, and need not
    assert descendants(os.getpid()) == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="cannot fork")
def test_nothing_is_forked_while_another_thread_may_hold_a_lock() -> None:
    go_on = threading.Event()
    other = threading.Thread(target=go_on.wait)
    other.start()
    try:
        bot = start_bot(["bot", "nobot"])
        assert isinstance(bot, SpawnedBot)
        bot.close()
    finally:
        go_on.set()
        other.join()


def test_of_what_a_bot_says_the_end_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chatters.py").write_text(
        "import sys\nsys.stderr.write('much ' * 20_000 + '\\nthe last word\\n')\nsys.exit(5)\n"
    )
    monkeypatch.chdir(tmp_path)
    bot = SpawnedBot(["bot", "chatters:Bot"])
    try:
        assert code_of(bot) != 0
        assert len(bot.said()) <= 20_000
        assert "the last word" in bot.said()
    finally:
        bot.close()


INTERRUPTED_FORK = """
import os, signal
from matches.bot_process import ForkedBot

def interrupt():
    if not interrupted:
        interrupted.append(True)
        signal.raise_signal(signal.SIGINT)

interrupted = []
# What is raised here Python says and forgets.
os.register_at_fork(after_in_parent=interrupt)
try:
    ForkedBot(["bot", "holdbot", "--check"])
except KeyboardInterrupt:
    print("heard")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is forked there")
def test_ctrl_c_is_heard_also_while_a_bot_is_forked_off() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_FORK], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("heard\n", "")
