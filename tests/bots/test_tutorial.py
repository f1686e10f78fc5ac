"""The bots of the tutorial play, and the first one is as short as it promises."""

import re
from pathlib import Path
from typing import Any

from bots.strategy import Bot, as_bot
from server.settings import GameSettings
from tests.bots.in_memory import Room

TUTORIAL = Path(__file__).parent.parent.parent / "docs" / "writing-a-bot.md"
SNIPPETS = re.findall(r"^```python\n(.*?)^```", TUTORIAL.read_text(), re.MULTILINE | re.DOTALL)


def defined_in(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(compile(text, "snippet", "exec"), names)
    return names


def room_of(bots: list[Bot], level: int) -> Room:
    return Room(bots, GameSettings(last_year=1905, level=level, press_rounds=3), seed=1)


def play(bots: list[Bot], level: int) -> Room:
    room = room_of(bots, level)
    room.play()
    return room


def test_the_first_bot_takes_ten_lines() -> None:
    assert len([line for line in SNIPPETS[0].splitlines() if line.strip()]) <= 10


def test_seven_of_the_first_bot_play_a_game() -> None:
    make = defined_in(SNIPPETS[0])["MyBot"]
    room = play([as_bot(make()) for _ in range(7)], level=0)
    assert room.is_over
    assert room.faults() == []
    assert all(seat.player.failures == 0 for seat in room.seats.values())


def test_seven_of_the_talking_bot_play_a_game() -> None:
    make = defined_in(SNIPPETS[-2])["peaceful_dumbbot"]
    room = play([make() for _ in range(7)], level=10)
    assert room.is_over
    assert room.faults() == []
    assert all(seat.player.failures == 0 for seat in room.seats.values())


def test_a_bot_sees_whom_it_can_trust() -> None:
    make = defined_in(SNIPPETS[-2])["peaceful_dumbbot"]
    trusts = defined_in(SNIPPETS[-1])["can_be_trusted"]
    room = room_of([make() for _ in range(7)], level=10)
    while room.game.position.turn.year < 1904:
        room.step()
    views = [seat.player._press_view() for seat in room.seats.values()]
    verdicts = {trusts(view, power) for view in views for power in view.board.powers}
    assert verdicts == {True, False}
