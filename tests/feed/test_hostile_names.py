"""Names in letters and events that an attacker chose: they stay one level, one line, one letter."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from feed.bot_requests import answer_from, grant_from, request_from
from feed.events import told_from_bytes
from feed.fed_process import FedProcess
from feed.outbox import Letter, Outbox
from feed.topics import (
    Place,
    claims,
    game_topic,
    granted,
    host_status,
    level,
    place_of,
    status,
    wanted,
)
from feed.wire import from_line, to_line
from rules.errors import BadInputError
from server.bot_desk import MOST_HOSTS, BotDesk
from tests.patience import PATIENCE

HOSTILE = [
    "+", "#", "+/#", "$SYS", "$SYS/broker/version", "/", "//", "..", "", " ", "\x00", "a\x00b",
    "\t", "\n", "tab\tline\nend", "%2F", "%", "ü", "\u202e", "\ud800", "💥", "x" * 65_536,
]  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_one_level_and_matches_nothing_but_itself(name: str) -> None:
    written = level(name)
    assert not set("+#/\x00\t\n") & set(written)
    assert not written.startswith("$")
    written.encode("ascii")


@pytest.mark.parametrize("name", HOSTILE)
def test_topics_of_a_hostile_name_have_the_levels_of_any_other(name: str) -> None:
    for hostile, plain in (
        (status(name), status("s")),
        (wanted("s", name), wanted("s", "b")),
        (claims(name), claims("s")),
        (granted("s", name), granted("s", "h")),
        (granted(name, name), granted("s", "h")),
        (host_status(name), host_status("h")),
        (
            game_topic(name, name, "orders", is_private=True),
            game_topic("s", "g", "orders", is_private=True),
        ),
    ):
        assert hostile.count("/") == plain.count("/")
        assert hostile.startswith("daide/v1/")


@pytest.mark.parametrize("name", [name for name in HOSTILE if "\ud800" not in name])
def test_whose_event_it_is_can_be_read_from_its_topic(name: str) -> None:
    for is_private in (False, True):
        topic = game_topic(name, name, "press", is_private=is_private)
        assert place_of(topic) == Place(name, name)


def test_two_names_never_share_a_level() -> None:
    assert len({level(name) for name in HOSTILE}) == len(HOSTILE)


@pytest.mark.parametrize(
    "topic", ["daide/v1/s/status", "daide/v1/x/games/g", "daide/v2", "", "$SYS/broker", "a/games/g"]
)
def test_other_topics_are_of_no_game(topic: str) -> None:
    assert place_of(topic) is None


@pytest.mark.parametrize("name", [name for name in HOSTILE if "\ud800" not in name])
@pytest.mark.parametrize("payload", [b"", b"{}", b"a\tb", b"\xff\x00"])
def test_a_letter_comes_out_of_its_line_as_it_went_in(name: str, payload: bytes) -> None:
    for expires in (None, 7):
        letter = Letter(granted("s", name), payload, is_retained=True, expires=expires)
        line = to_line(letter)
        assert line.count(b"\n") == 1
        assert from_line(line) == letter


def test_of_letters_that_come_back_the_newest_fit() -> None:
    outbox = Outbox(3)
    letters = [Letter(str(number), b"") for number in range(3)]
    for each in letters:
        outbox.put(each)
    taken = outbox.take(2)
    outbox.put(Letter("3", b""))
    outbox.put(Letter("4", b""))
    outbox.put_back(taken)
    assert outbox.dropped == 2, "three fit, and three came meanwhile"
    assert [each.topic for each in outbox.take(9)] == ["2", "3", "4"]


# --- letters --------------------------------------------------------------------------------------

BOMBS = [
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b'{"event": []}',
    b'{"event": {}}',
    b"\xff",
    b"",
    b"null",
]


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: repr(bomb[:12]))
@pytest.mark.parametrize("read", [request_from, answer_from, grant_from, told_from_bytes])
def test_no_letter_is_more_than_bad_input(read: Callable[[bytes], object], bomb: bytes) -> None:
    with pytest.raises(BadInputError):
        read(bomb)


@pytest.mark.parametrize("bomb", [*BOMBS, b'{"host": "\\u001b[2J", "state": "online"}'])
def test_a_letter_that_cannot_be_read_is_no_trouble_for_a_server(bomb: bytes) -> None:
    desk = BotDesk("s", lambda _: None)
    for topic in (claims("s"), host_status("h")):
        desk.receive(topic, bomb.decode(errors="replace"))
    assert not desk._hosts


def test_a_server_takes_note_of_so_many_hosts_only() -> None:
    desk = BotDesk("s", lambda _: None)
    for number in range(MOST_HOSTS + 50):
        desk.receive(host_status("h"), json.dumps({"host": f"h{number}", "state": "online"}))
    assert len(desk._hosts) == MOST_HOSTS


class Listening(FedProcess):
    """Hears a process that says all sorts of things."""

    def __init__(self) -> None:
        super().__init__("tests.feed.babbler", "babbler")
        self.heard = asyncio.Event()

    def _greeting(self) -> bytes:
        return b"{}\n"

    def _on_end(self) -> None:
        pass

    def _hear(self, told: dict[str, Any]) -> None:
        if "boom" in told:
            raise LookupError("nobody has thought of that")
        if told == {"heard": 1}:
            self.heard.set()


async def test_what_a_process_says_beside_its_messages_does_not_silence_it() -> None:
    babbler = Listening()
    babbler.start()
    await asyncio.wait_for(babbler.heard.wait(), PATIENCE)
    await babbler.stop()
