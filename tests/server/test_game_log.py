"""What the host's log says: who was refused, who was late, who left, each in one line."""

import os
import subprocess
import sys

from structlog import DropEvent
from structlog.testing import capture_logs

from server.game_log import replaying
from server.logs import MOST_SUBJECTS, OF_ADDRESS, OF_CLIENT, Quieter
from server.settings import GameSettings
from tests.server.hosting import becomes, hosting
from tests.server.table import Table
from tests.server.test_pace import HandClock

TIMED = GameSettings(movement_limit=300)


def refusals(table: Table, *said: str) -> list[tuple[str, str]]:
    """Let a newcomer say something, and return which refusals the log has."""
    newcomer = table.connect("new")
    with capture_logs() as logs:
        for text in said:
            table.say(newcomer, text)
    assert all(each["client"] == table.numbers["new"] for each in logs)
    return [(each["event"], each["why"]) for each in logs]


def test_who_gets_no_place_is_told_with_the_reason() -> None:
    table = Table(TIMED)
    name = "NME ( 'AUS' ) ( '1' )"
    table.say(table.connect("AUS"), name)
    taken = "the power is taken or promised to another"
    assert refusals(table, name) == [("player refused", taken)]
    assert refusals(Table(TIMED).fill(), name) == [("player refused", "the game has begun")]


def test_who_does_not_come_back_is_told_with_the_reason() -> None:
    table = Table(TIMED).fill()
    assert refusals(table, "IAM ( ENG ) ( 1 )") == [("return refused", "the power has a client")]
    table.leave("ENG")
    wrong = f"IAM ( ENG ) ( {table.passcode('ENG') % 8000 + 1} )"
    told = [
        ("return refused", why) for why in [*["wrong passcode"] * 3, "too many wrong passcodes"]
    ]
    assert refusals(table, *[wrong] * 4) == told


def test_who_misses_a_deadline_is_told_with_the_orders_that_lack() -> None:
    table = Table(TIMED).fill()
    table.hold(*(name for name in table.powers if name not in ("ENG", "RUS")))
    with capture_logs() as logs:
        table.wait(300)
    late = [each for each in logs if each["event"] == "deadline missed"]
    assert [(each["power"], each["name"], each["orders_lacking"]) for each in late] == [
        ("ENG", "ENG", 3),
        ("RUS", "RUS", 4),
    ]


def test_a_replay_says_nothing_again() -> None:
    table = Table(TIMED)
    table.connect("AUS")
    with capture_logs() as logs, replaying():
        table.say("AUS", "IAM ( ENG ) ( 1 )")
        table.say("AUS", "NOT ( YES")
    assert logs == []
    with capture_logs() as logs:
        table.say("AUS", "IAM ( ENG ) ( 1 )")
    assert len(logs) == 1


async def test_who_leaves_is_told_with_name_and_reason() -> None:
    with capture_logs() as logs:
        async with hosting() as hosted:
            peer = await hosted.peer("NME ( 'Bob' ) ( '1' )")
            assert (await peer.hear()).startswith("YES ( NME")
            peer.writer.close()
            await becomes(lambda: not hosted.host.members)
    left = [each for each in logs if each["event"] == "client left"]
    assert [(each["name"], each["reason"]) for each in left] == [
        ("Bob", "connection lost"),
    ]


def test_no_line_of_the_log_commands_a_terminal() -> None:
    program = (
        "import structlog; from server.config import ServerConfig; from server.logs import *;"
        " set_up_logs(ServerConfig()); structlog.get_logger().info('x', why='a\\x9b2Jb')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "\x9b" not in done.stderr
    assert r"a\x9b2Jb" in done.stderr.replace("\\\\", "\\")


def test_a_log_that_nobody_reads_any_more_fails_nobody() -> None:
    program = (
        "import structlog; from server.config import ServerConfig; from server.logs import *;"
        " set_up_logs(ServerConfig()); told = structlog.get_logger();"
        " [told.info('x' * 190) for _ in range(100)]; print('went on')"
    )
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE, stderr=writing, text=True, check=False,
        )  # fmt: skip
    finally:
        os.close(writing)
    assert done.stdout == "went on\n"


def lines_of(quieter: Quieter, method: str, **event: object) -> list[dict[str, object]]:
    try:
        return [dict(quieter(None, method, dict(event)))]
    except DropEvent:
        return []


def test_a_flood_of_one_client_is_a_few_lines_and_a_number() -> None:
    clock = HandClock()
    quieter = Quieter(clock)
    line = {"event": "message refused", "client": 7, "game": "game-1"}
    told = [each for _ in range(5_000) for each in lines_of(quieter, "info", **line)]
    assert len(told) == OF_CLIENT.burst
    assert lines_of(quieter, "info", **(line | {"client": 8})) != []
    assert lines_of(quieter, "info", **(line | {"event": "player refused"})) != []
    clock.time += 1 / OF_CLIENT.rate
    assert lines_of(quieter, "info", **line) == [line | {"unsaid": 5_000 - OF_CLIENT.burst}]
    assert lines_of(quieter, "info", **line) == []


def test_a_flood_of_connections_is_told_by_address_and_hides_no_other() -> None:
    quieter = Quieter(HandClock())
    told = [
        each
        for client in range(5_000)
        for each in lines_of(quieter, "info", event="client left", client=client, address="::1")
    ]
    assert len(told) == OF_ADDRESS.burst
    assert lines_of(quieter, "info", event="client left", client=1, address="::2") != []


def test_letters_that_nobody_understands_are_a_few_lines_whatever_their_topic() -> None:
    quieter = Quieter(HandClock())
    told = [
        each
        for number in range(5_000)
        for each in lines_of(quieter, "warning", event="not understood", topic=f"hosts/{number}")
    ]
    assert len(told) == OF_CLIENT.burst


def test_what_nobody_outside_can_cause_is_always_told() -> None:
    quieter = Quieter(HandClock())
    loud = [lines_of(quieter, "error", event="game failed", client=1) for _ in range(100)]
    plain = [lines_of(quieter, "info", event="game started", game="x") for _ in range(100)]
    assert all(loud)
    assert all(plain)


def test_what_is_remembered_of_those_who_flood_is_bounded() -> None:
    quieter = Quieter(HandClock())
    for client in range(MOST_SUBJECTS + 100):
        lines_of(quieter, "info", event="client left", client=client)
    assert len(quieter._subjects) == MOST_SUBJECTS
