from random import Random

import pytest

from bots.dumbbot.tactic import DumbBot
from bots.holdbot import HoldBot
from bots.randombot.tactic import RandomBot
from bots.strategy import Bot, Negotiator, as_bot
from grammar.messages import PressReceived, Rej
from grammar.press import Accept, Propose
from rules.maps import load_map
from rules.turns import Season
from server.game import Game
from server.settings import GameSettings
from tests.bots.in_memory import Room, Seat, press_heard
from tests.bots.negotiators import Loudmouth, Peacemaker

TO_1910 = GameSettings(last_year=1910)


def mixed_room(seed: int, settings: GameSettings = TO_1910) -> Room:
    tactics = [
        DumbBot(),
        DumbBot("wide"),
        DumbBot("port83"),
        DumbBot("bandana"),
        RandomBot(),
        RandomBot(),
        HoldBot(),
    ]
    return Room([as_bot(tactic) for tactic in tactics], settings, seed=seed)


def record(game: Game) -> list[object]:
    return [(turn.turn, turn.outcomes, turn.position) for turn in game.history.turns]


@pytest.mark.parametrize("seed", range(4))
def test_mixed_bots_finish_a_game_without_a_single_complaint(seed: int) -> None:
    room = mixed_room(seed)
    room.play()
    assert room.is_over
    assert room.faults() == []
    assert all(seat.player.failures == 0 for seat in room.seats.values())


def test_seven_dumbbots_finish_a_game() -> None:
    room = Room([as_bot(DumbBot()) for _ in range(7)], TO_1910, seed=3)
    room.play()
    assert room.is_over
    assert room.faults() == []


def test_seven_randombots_finish_a_game() -> None:
    room = Room([as_bot(RandomBot()) for _ in range(7)], TO_1910, seed=3)
    room.play()
    assert room.is_over
    assert room.faults() == []


def test_the_same_seed_gives_the_same_game_and_another_seed_another() -> None:
    first, second, third = (mixed_room(seed, GameSettings(last_year=1903)) for seed in (5, 5, 6))
    assert record(first.play()) == record(second.play())
    assert record(first.game) != record(third.play())


def test_silent_bots_play_a_game_with_press() -> None:
    room = mixed_room(1, GameSettings(last_year=1902, level=20, press_rounds=3))
    room.play()
    assert room.is_over
    assert room.faults() == []


def talking_room(seed: int, settings: GameSettings, schedule: Random | None = None) -> Room:
    talkers = [Bot(DumbBot(), Peacemaker()) for _ in range(3)]
    others = [
        Bot(RandomBot(), Negotiator()),
        Bot(DumbBot("wide"), Loudmouth()),
        Bot(RandomBot()),
        Bot(HoldBot(), Peacemaker()),
    ]
    return Room([*talkers, *others], settings, seed=seed, schedule=schedule)


@pytest.mark.parametrize("rounds", [None, 1, 4])
@pytest.mark.parametrize("level", [10, 20, 8000])
def test_talking_and_silent_bots_finish_a_game(rounds: int | None, level: int) -> None:
    room = talking_room(2, GameSettings(last_year=1904, level=level, press_rounds=rounds))
    room.play()
    assert room.is_over
    # Without rounds an answer may come after the turn, and so may what follows from it. A single
    # round has no marker, so a bot cannot tell it from none.
    has_markers = rounds not in (None, 1)
    assert [each for each in room.faults() if has_markers or not isinstance(each, Rej)] == []
    assert all(seat.player.failures == 0 for seat in room.seats.values())
    heard = press_heard(room)
    assert any(isinstance(message.press, Propose) for message in heard)
    assert any(isinstance(message.press, Accept) for message in heard)


@pytest.mark.parametrize("schedule", range(3))
def test_a_game_repeats_exactly_however_the_machine_schedules_the_bots(schedule: int) -> None:
    seats = {f"bot {number}": power.name for number, power in enumerate(load_map().powers)}
    settings = GameSettings(last_year=1904, level=20, press_rounds=3, seats=seats)
    first = talking_room(4, settings)
    second = talking_room(4, settings, Random(schedule))
    assert orders_given(first.play()) == orders_given(second.play())
    assert second.faults() == []
    for number, seat in first.seats.items():
        other = second.seats[number]
        assert press_of(seat) == press_of(other)


def orders_given(game: Game) -> list[object]:
    return [(turn.turn, sorted(map(repr, turn.outcomes))) for turn in game.history.turns]


def press_of(seat: Seat) -> list[PressReceived]:
    return [message for message in seat.heard if isinstance(message, PressReceived)]


def season_of(room: Room) -> Season:
    return room.game.position.turn.season


def test_a_bot_that_was_away_comes_back_and_plays_on() -> None:
    room = mixed_room(7, GameSettings(last_year=1903))
    while season_of(room) is not Season.WINTER:
        room.step()
    seat = room.leave(0)
    room.play()
    # It owes its orders, or the next turn's.
    assert room.game.position.turn.year < 1903
    room.return_as(70, seat)
    room.play()
    assert room.is_over
    assert room.faults() == []
