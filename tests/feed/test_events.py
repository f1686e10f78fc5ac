"""Events as values, JSON and topics; addresses and the buffer."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from feed.address import BrokerAddress, read_address
from feed.events import (
    EVENTS,
    BookClosed,
    Event,
    GameEnded,
    Lobby,
    OrdersJudged,
    PhaseBegun,
    PlayersSeated,
    PositionReached,
    PressSent,
    PromisesJudged,
    PromisesMade,
    Told,
    Waiting,
    WaitingFor,
    game_ended,
    told_from_bytes,
)
from feed.outbox import Letter, Outbox
from feed.schema import event_schema
from feed.story import GameStory
from feed.topics import Place, game_topic, place_of, public_events, wanted
from feed.wire import event_letter, from_line, to_line
from rules.errors import BadInputError
from rules.maps import load_map
from rules.outcome import Ending, EndingJson, EndingKind, ending_to_json
from rules.position_json import position_to_json
from rules.turns import Season, Turn

ROOT = Path(__file__).resolve().parent.parent.parent
START = position_to_json(load_map("standard").start)
SPRING: list[Any] = ["SPR", 1901]
ENDING: EndingJson = {"kind": "agreed-draw", "powers": ["FRA", "ENG"], "turn": ["SPR", 1901]}
EXAMPLES: list[Event] = [
    Lobby("forming", "standard", 20, {"movement": 60, "retreat": None, "build": 5}, 1910, 7, 3),
    PhaseBegun(SPRING, "movement", None),
    PositionReached(START),
    OrdersJudged(
        SPRING,
        [
            {"power": "FRA", "order": "A PAR H", "result": "SUC", "dislodged": False},
            {"power": "FRA", "order": "A MAR - PAR", "note": "FAR", "dislodged": False},
        ],
    ),
    GameEnded("draw", None, ["FRA", "ENG"], ENDING, SPRING, []),
    Waiting(SPRING, 3),
    PressSent(SPRING, "FRA", ["ENG"], "PRP ( PCE ( FRA ENG ) )", "France proposes peace.", 7, 3),
    WaitingFor(SPRING, ["FRA"]),
    PlayersSeated([{"power": "FRA", "name": "<b>Ünder\tcover</b>\n", "version": "1"}]),
    PromisesMade(SPRING, []),
    PromisesJudged(SPRING, [], []),
    BookClosed([], [], []),
]


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: event.kind)
def test_an_event_is_read_as_it_was_written(event: Event) -> None:
    told = Told("game-1", "ab", 7, 12.5, event)
    assert told_from_bytes(told.to_bytes()) == told
    letter = event_letter("my/server", told)
    assert place_of(letter.topic) == Place("my/server", "game-1")
    assert from_line(to_line(letter)) == letter


def test_there_is_an_example_of_every_kind() -> None:
    assert [type(each) for each in EXAMPLES] == list(EVENTS)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"event": "rumour"}, "there is no event of that name"),
        ({"seconds": "many"}, "phase: seconds"),
        ({"phase": "tea"}, "phase: phase"),
        ({"turn": ["SPR"]}, "phase: turn"),
        ({"number": True}, "phase: number"),
    ],
)
def test_what_is_no_event_is_refused_with_the_field(change: Any, complaint: str) -> None:
    fields = json.loads(Told("g", "r", 1, 0.0, EXAMPLES[1]).to_bytes()) | change
    with pytest.raises(BadInputError, match=complaint):
        told_from_bytes(json.dumps(fields).encode())


def test_fields_that_came_later_do_no_harm() -> None:
    told = Told("g", "r", 1, 0.0, EXAMPLES[1])
    fields = json.loads(told.to_bytes()) | {"colour": "blue"}
    assert told_from_bytes(json.dumps(fields).encode()) == told


def test_events_of_an_older_server_are_read_as_well() -> None:
    told = Told("g", "r", 1, 0.0, PressSent(SPRING, "FRA", ["ENG"], "TRY ( )", "..."))
    fields = json.loads(told.to_bytes())
    del fields["id"], fields["answers"]
    assert told_from_bytes(json.dumps(fields).encode()) == told


@pytest.mark.parametrize(
    ("kind", "count", "told"),
    [
        (EndingKind.SOLO, 1, ("solo", "AUS", [])),
        (EndingKind.AGREED_DRAW, 2, ("draw", None, ["AUS", "ENG"])),
        (EndingKind.YEAR_LIMIT, 2, ("draw", None, ["AUS", "ENG"])),
        (EndingKind.YEARS_WITHOUT_CHANGE, 1, ("draw", None, ["AUS"])),
        (EndingKind.ENDED_BY_HOST, 2, ("draw", None, ["AUS", "ENG"])),
        (EndingKind.ABORTED, 0, ("aborted", None, [])),
    ],
)
def test_every_ending_is_told_as_what_was_declared_and_why(
    kind: EndingKind, count: int, told: tuple[str, str | None, list[str]]
) -> None:
    powers = load_map("standard").powers[:count]
    ending = Ending(kind, powers, Turn(Season.FALL, 1905))
    event = game_ended(ending, Turn(Season.SPRING, 1906), [])
    assert (event.outcome, event.winner, event.draw) == told
    assert event.ending == ending_to_json(ending)
    assert (event.turn, event.ending["turn"]) == (["SPR", 1906], ["FAL", 1905])


def test_public_and_private_events_are_counted_apart() -> None:
    story = GameStory()
    lobby, press = EXAMPLES[0], EXAMPLES[6]
    told = [Told("g", "r", 1, 0.0, lobby), Told("g", "r", 1, 0.0, press, after=1)]
    assert [story.receive(each) for each in told] == [True, True]
    assert told_from_bytes(told[1].to_bytes()).after == 1
    assert story.missed == 0


def test_the_schema_in_the_documents_is_the_one_of_the_classes() -> None:
    kept = json.loads((ROOT / "docs" / "events.schema.json").read_text())
    assert kept == event_schema(), "run: python -m feed.schema > docs/events.schema.json"


def test_every_event_is_described_in_the_documents() -> None:
    text = (ROOT / "docs" / "events.md").read_text()
    assert all(f"`{each.kind}`" in text for each in EVENTS)


def test_only_private_events_stand_two_levels_below_the_game() -> None:
    public = {each.kind for each in EVENTS if not each.is_private}
    assert public == {"lobby", "phase", "position", "orders", "result", "waiting"}
    for each in EVENTS:
        topic = game_topic("s", "g", each.kind, is_private=each.is_private)
        assert (topic.count("/") == public_events().count("/")) is not each.is_private


def test_names_cannot_leave_their_level_of_a_topic() -> None:
    assert wanted("s", "mcts/v5/#+") == "daide/v1/s/bots/wanted/mcts%2Fv5%2F%23%2B"


def test_a_story_counts_what_it_missed_and_takes_nothing_twice() -> None:
    story = GameStory()
    told = [Told("g", "r", number, 0.0, EXAMPLES[6]) for number in (1, 2, 2, 5)]
    assert [story.receive(each) for each in told] == [True, True, False, True]
    assert (story.missed, len(story.press)) == (2, 3)
    # A server that was started again counts anew.
    assert story.receive(Told("g", "r2", 1, 0.0, EXAMPLES[6]))
    assert story.missed == 2


# --- addresses ------------------------------------------------------------------------------------


def test_addresses_are_read_and_shown_without_the_password() -> None:
    read = read_address("mqtts://me:s%40cret@broker?ca=/ca.pem", {})
    assert read == BrokerAddress("broker", 8883, "me", "s@cret", has_tls=True, ca_file="/ca.pem")
    assert str(read) == "mqtts://me@broker:8883"
    assert "s@cret" not in repr(read)
    assert read_address(read.url, {"DAIDE_MQTT_PASSWORD": "s@cret"}) == read
    assert read_address("broker", {}) == BrokerAddress("broker", 1883)
    assert read_address("me@broker:1", {"DAIDE_MQTT_PASSWORD": "x"}).password == "x"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("http://broker", "no such scheme: 'http'"),
        ("mqtt://broker:many", "not a port"),
        ("mqtt://", "names no broker"),
        ("mqtt://broker/topic", "names no broker"),
        ("mqtt://broker?tls=1", "no such option: 'tls'"),
        ("mqtt://broker?version=4", "version '4'"),
    ],
)
def test_a_bad_address_is_one_sentence(text: str, complaint: str) -> None:
    with pytest.raises(BadInputError, match=complaint):
        read_address(text, {})


# --- the buffer -----------------------------------------------------------------------------------


def letters(*names: str) -> list[Letter]:
    return [Letter(name, b"") for name in names]


def test_a_full_outbox_forgets_the_oldest() -> None:
    outbox = Outbox(3)
    for letter in letters(*"abcde"):
        outbox.put(letter)
    assert (outbox.take(9), outbox.dropped) == (letters(*"cde"), 2)


def test_what_could_not_be_sent_goes_back_to_the_front_if_there_is_room() -> None:
    outbox = Outbox(3)
    for letter in letters(*"abc"):
        outbox.put(letter)
    taken = outbox.take(2)
    outbox.put(*letters("d"))
    outbox.put_back(taken)
    assert (outbox.take(9), outbox.dropped) == (letters(*"bcd"), 1)


# --- what is loaded -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "module", ["server.cli", "bots.cli", "spectator.play_cli", "bots.bot_command"]
)
def test_without_a_broker_nothing_of_the_feed_is_loaded(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {"feed", "aiomqtt", "paho", "prometheus_client"}
    assert not {"server.metrics", "server.monitoring"} & set(done.stdout.split())
