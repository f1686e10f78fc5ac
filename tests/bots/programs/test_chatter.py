"""The example that asks a chat endpoint, against a stand-in on loopback that a test starts."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.bots.programs.stand_in import Model, Reply, StandIn, holding, stand_in
from tests.bots.programs.test_run_program import EXAMPLES, daide, outcome, served

CHATTER = EXAMPLES / "chatter.py"
KEY = "sk-very-secret"
HELLO = "HLO ( FRA ) ( 1234 ) ( ( LVL {level} ) )"
SPRING = "NOW ( SPR 1901 ) ( ENG FLT LON ) ( FRA AMY PAR ) ( FRA FLT BRE )"
HELD = ["SUB ( ( FRA AMY PAR ) HLD )", "SUB ( ( FRA FLT BRE ) HLD )", "GOF"]


def heard(
    endpoint: StandIn, *lines: str, level: int = 0, **settings: str
) -> tuple[list[str], str, float]:
    """Feed lines to the program, and return what it says, its log, and how long it took."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("CHAT_")},
        "CHAT_URL": endpoint.url,
        "CHAT_KEY": KEY,
        "CHAT_LISTEN": "0.1",
        "CHAT_SECONDS": "5",
        **settings,
    }
    program = subprocess.Popen(
        [sys.executable, CHATTER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert program.stdin is not None
    assert program.stdout is not None
    started = time.monotonic()
    watch = threading.Timer(30, program.kill)
    watch.start()
    program.stdin.write("\n".join([HELLO.format(level=level), *lines, SPRING]) + "\n")
    program.stdin.flush()
    said: list[str] = []
    while not said or said[-1] not in ("GOF", ""):
        said.append(program.stdout.readline().strip())
    seconds = time.monotonic() - started
    program.stdin.close()
    log = (program.stderr.read() if program.stderr else "") or ""
    program.wait(10)
    watch.cancel()
    for pipe in (program.stdout, program.stderr):
        assert pipe is not None
        pipe.close()
    assert KEY not in log
    assert KEY not in "".join(said)
    assert "Traceback" not in log
    return said, log, seconds


def test_orders_come_from_the_endpoint_and_the_key_goes_nowhere_else() -> None:
    with stand_in(holding) as endpoint:
        said, log, _ = heard(endpoint)
    assert said == HELD
    assert log == ""
    assert endpoint.keys == [f"Bearer {KEY}"]
    assert endpoint.asked[0].rstrip().endswith("give an order to each unit.")
    assert "no press in this game" in endpoint.asked[0]


@pytest.mark.parametrize(
    ("level", "press"),
    [
        (20, "SND ( ENG ) ( PRP ( PCE ( FRA ENG ) ) )"),
        (8000, "SND ( ENG ) ( 'It''s peace, isn''t it?' )"),
    ],
)
def test_press_is_structured_or_free_as_the_game_is(level: int, press: str) -> None:
    with stand_in(holding) as endpoint:
        said, _, _ = heard(endpoint, level=level)
    assert said == [press, press, *HELD]


def once(first: Reply) -> Model:
    """Answer the first question otherwise than the others."""
    replies = [first]
    return lambda question: replies.pop() if replies else holding(question)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_endpoint_is_asked_again(status: int) -> None:
    with stand_in(once(Reply("later", status, {"Retry-After": "0"}))) as endpoint:
        said, log, _ = heard(endpoint)
    assert said == HELD
    assert f"the endpoint says {status}" in log
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("status", [401, 404])
def test_an_endpoint_that_refuses_us_is_not_asked_again(status: int) -> None:
    with stand_in(lambda _: Reply(f"wrong key {KEY}", status)) as endpoint:
        said, log, _ = heard(endpoint)
    assert said == ["GOF"]
    assert f"the endpoint says {status}" in log
    assert len(endpoint.asked) == 1


def test_a_slow_endpoint_costs_the_time_that_it_may_take_and_no_more() -> None:
    with stand_in(lambda _: Reply("{}", waits=60)) as endpoint:
        said, log, seconds = heard(endpoint, CHAT_SECONDS="0.6")
    assert said == ["GOF"]
    assert "no answer within 0.6 seconds" in log
    assert seconds < 10


@pytest.mark.parametrize(
    "reply",
    [
        Reply("I would rather talk about the weather."),
        Reply("{ not json }"),
        Reply("[1, 2]"),
        Reply('{"choices": []}', is_raw=True),
        Reply("<html>", is_raw=True),
        Reply('{"orders": "all hold", "press": 7}'),
        Reply('{"orders": [7, null, {"unit": "A PAR"}]}'),
        Reply("[" * 100_000),
        Reply("{" + '"a":{' * 50_000 + "}" * 50_001),
    ],
)
def test_an_answer_that_cannot_be_used_leaves_the_orders_to_the_framework(reply: Reply) -> None:
    with stand_in(lambda _: reply) as endpoint:
        said, _, _ = heard(endpoint)
    assert said == ["GOF"]


def test_orders_that_are_not_ours_are_left_out() -> None:
    orders = [
        "( ENG FLT LON ) HLD",
        "( FRA AMY PAR ) MTO BUR",
        "nonsense",
        "( FRA FLT BRE ) HLD\nGOF\nDRW",
    ]
    with stand_in(lambda _: Reply(json.dumps({"orders": orders}))) as endpoint:
        said, log, _ = heard(endpoint)
    assert said == ["SUB ( ( FRA AMY PAR ) MTO BUR )", "GOF"]
    assert log.count("not one of ours") == 3


def test_a_line_break_in_press_cannot_become_a_message_of_its_own() -> None:
    text = "peace?\nDRW\n'"
    answer = json.dumps({"press": [{"to": ["ENG", "x)("], "text": text}], "orders": []})
    with stand_in(lambda _: Reply(answer)) as endpoint:
        said, _, _ = heard(endpoint, level=8000)
    assert said == ["SND ( ENG ) ( 'peace? DRW ''' )"] * 2 + ["GOF"]


def test_a_long_history_is_cut_in_the_middle() -> None:
    talk = [f"FRM ( ENG ) ( FRA ) ( 'number {number} {'x' * 400}' )" for number in range(200)]
    with stand_in(holding) as endpoint:
        said, _, _ = heard(endpoint, *talk, CHAT_PROMPT="3000")
    assert said == HELD
    [asked] = endpoint.asked
    assert len(asked) <= 3010
    assert asked.startswith("You play FRA")
    assert SPRING in asked
    assert "number 0 " not in asked


def test_a_question_that_is_too_long_for_the_endpoint_is_halved() -> None:
    talk = [f"FRM ( ENG ) ( FRA ) ( '{number} {'x' * 300}' )" for number in range(30)]
    limit = 4000
    with stand_in(
        lambda question: Reply("too long", 400) if len(question) > limit else holding(question)
    ) as endpoint:
        said, _, _ = heard(endpoint, *talk)
    assert said == HELD
    assert [len(asked) > limit for asked in endpoint.asked] == [True, True, False]


def test_the_key_does_not_follow_a_redirection() -> None:
    with (
        stand_in(holding) as other,
        stand_in(lambda _: Reply("", 307, {"Location": other.url})) as endpoint,
    ):
        said, log, _ = heard(endpoint)
    assert said == ["GOF"]
    assert "the endpoint says 307" in log
    assert other.asked == []


def test_nobody_there_and_a_broken_key_are_told_without_the_key() -> None:
    with stand_in(holding) as endpoint:
        pass
    said, log, _ = heard(endpoint, CHAT_SECONDS="0.5")
    assert said == ["GOF"]
    assert "does not answer" in log
    with stand_in(holding) as endpoint:
        said, log, _ = heard(endpoint, CHAT_KEY=f"{KEY}\nX-Other: 1")
    assert said == ["GOF"]
    assert "cannot be read: ValueError" in log


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({}, "CHAT_URL: set it to the address of a chat-completions endpoint"),
        ({"CHAT_URL": "file:///etc/passwd"}, "CHAT_URL: set it"),
    ],
)
def test_an_address_that_is_none_is_told_at_once(
    settings: Mapping[str, str], sentence: str
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "CHAT_URL"}
    done = subprocess.run(
        [sys.executable, CHATTER],
        input="",
        capture_output=True,
        text=True,
        check=False,
        env={**environment, **settings},
    )
    assert done.returncode == 1
    assert done.stderr.startswith(sentence)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("level", ["20", "8000"])
async def test_a_whole_game_is_played_with_the_stand_in(
    level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "game.json"
    with stand_in(holding) as endpoint:
        settings = {"CHAT_URL": endpoint.url, "CHAT_KEY": KEY, "CHAT_LISTEN": "0.1"}
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        server, port = await served(
            *("--last-year", "1902", "--exit-after", "1", "--linger", "0", "--press-level", level),
            *("--fill", "dumbbot", "--fill-after", "0.2", "--record", str(record)),
        )
        command = f"{sys.executable} {CHATTER}"
        bot = await daide(
            "bot", "--exec", command, "--port", port, "--think", "20", "--name", "Chat"
        )
        code, errors = await outcome(bot)
        assert (await outcome(server))[0] == 0
    assert code == 0, errors
    assert KEY not in errors
    assert "no orders in time" not in errors
    told = json.loads(record.read_text())
    [ours] = [power for power, each in told["players"].items() if each["name"] == "Chat"]
    said = [each["text"] for each in told["press"] if each["sender"] == ours]
    assert said
    assert all(text.startswith("'It''s" if level == "8000" else "PRP") for text in said)
    for turn in told["turns"]:
        if turn["turn"][0] in ("SPR", "FAL"):
            orders = [each["order"] for each in turn["orders"] if each["power"] == ours]
            assert orders
            assert all(order.endswith(" H") for order in orders)
