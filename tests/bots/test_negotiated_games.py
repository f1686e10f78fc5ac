"""Whole games of the negotiators: nobody complains, and the same seed is the same game."""

from collections.abc import Sequence
from random import Random

import pytest

from bots.banker.banker import banker
from bots.banker.market import market
from bots.blabbot import blabbot
from bots.diplominator.diplominator import diplominator
from bots.dumbbot.tactic import DumbBot
from bots.holdbot import HoldBot
from bots.randombot.offers import randombot
from bots.randombot.tactic import RandomBot
from bots.strategy import Bot, Negotiator
from grammar.messages import DrawDeclared, PressReceived, Rej
from grammar.press import Accept, Propose
from promises.promise import Kind, Verdict
from server.settings import GameSettings
from tests.bots import mixed_long
from tests.bots.in_memory import Room, ScrambledRoom, press_heard
from tests.bots.negotiators import Babbler


def mixed_bots() -> list[Bot]:
    return [
        blabbot(),
        blabbot("joe"),
        diplominator(),
        diplominator("0.2"),
        Bot(DumbBot()),
        Bot(RandomBot(), Negotiator()),
        Bot(DumbBot(), Babbler()),
    ]


def assert_sound(room: Room, *, with_rounds: bool) -> None:
    assert room.is_over
    # Without rounds an answer may come after the turn, and so may what follows from it.
    assert [each for each in room.faults() if with_rounds or not isinstance(each, Rej)] == []
    assert all(seat.player.failures == 0 for seat in room.seats.values())


@pytest.mark.parametrize("rounds", [None, 2, 6])
@pytest.mark.parametrize("level", [10, 20, 8000])
def test_negotiators_and_a_babbler_finish_a_game(rounds: int | None, level: int) -> None:
    settings = GameSettings(last_year=1903, level=level, press_rounds=rounds)
    room = Room(mixed_bots(), settings, seed=level)
    room.play()
    assert_sound(room, with_rounds=rounds is not None)
    assert any(isinstance(message.press, Propose) for message in press_heard(room))
    assert any(isinstance(message.press, Accept) for message in press_heard(room))


def test_negotiators_play_without_press() -> None:
    room = Room(mixed_bots(), GameSettings(last_year=1903), seed=3)
    room.play()
    assert_sound(room, with_rounds=True)
    assert press_heard(room) == []


def press_by_listener(room: Room) -> list[list[PressReceived]]:
    return [
        [message for message in seat.heard if isinstance(message, PressReceived)]
        for seat in room.seats.values()
    ]


def what_happened(room: Room) -> Sequence[object]:
    room.play()
    assert_sound(room, with_rounds=True)
    turns = [(turn.turn, turn.outcomes, turn.position) for turn in room.game.history.turns]
    return turns, press_by_listener(room)


def business_bots() -> list[Bot]:
    return [
        banker(),
        banker(honesty=0),
        market(),
        randombot(),
        diplominator(),
        blabbot("joe"),
        Bot(DumbBot(), Babbler()),
    ]


def test_a_game_of_deals_is_the_same_however_the_messages_interleave() -> None:
    settings = GameSettings(last_year=1902, level=20, press_rounds=6)
    happened = [
        what_happened(ScrambledRoom(business_bots(), settings, seed=6, luck=luck))
        for luck in range(2)
    ]
    assert happened[0] == happened[1]


def test_honest_bankers_trade_and_keep_their_word() -> None:
    settings = GameSettings(last_year=1903, level=20, press_rounds=6)
    room = Room([banker() for _ in range(7)], settings, seed=1)
    room.play()
    assert_sound(room, with_rounds=True)
    books = [seat.player.table.view(Random(0)).book for seat in room.seats.values()]
    promises = [promise for book in books for promise in book.promises]
    kept = {each.kind for each in promises if each.verdict is Verdict.KEPT}
    assert {Kind.PEACE, Kind.ORDER, Kind.DMZ} <= kept
    assert [each for each in promises if each.verdict is Verdict.BROKEN] == []


@pytest.mark.parametrize("seed", range(4))
def test_no_server_has_to_complain_about_any_bot(seed: int) -> None:
    assert mixed_long.play(seed, 1903) == {}


@pytest.mark.parametrize("level", [10, 20])
def test_a_game_in_rounds_is_the_same_however_the_messages_interleave(level: int) -> None:
    settings = GameSettings(last_year=1902, level=level, press_rounds=6)
    happened = [
        what_happened(ScrambledRoom(mixed_bots(), settings, seed=5, luck=luck)) for luck in range(3)
    ]
    assert happened[0] == happened[1] == happened[2]


def test_honest_friends_draw() -> None:
    settings = GameSettings(last_year=1903, level=10, press_rounds=6)
    room = Room([blabbot("joe") for _ in range(7)], settings)
    room.play()
    assert_sound(room, with_rounds=True)
    assert any(isinstance(message, DrawDeclared) for message in room.heard())


def test_knives_make_no_difference_among_themselves() -> None:
    settings = GameSettings(last_year=1902, level=10, press_rounds=6)
    stabbers = Room([blabbot() for _ in range(7)], settings, seed=4)
    plain = Room([Bot(DumbBot()) for _ in range(7)], settings, seed=4)
    stabbers.play()
    plain.play()
    assert stabbers.game.position == plain.game.position


def test_a_lone_talker_plays_on_among_the_deaf() -> None:
    settings = GameSettings(last_year=1902, level=20, press_rounds=6)
    room = Room([blabbot("joe"), *(Bot(HoldBot(), Negotiator()) for _ in range(6))], settings)
    room.play()
    assert_sound(room, with_rounds=True)
