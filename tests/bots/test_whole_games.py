import pytest

from bots.dumbbot import DumbBot
from bots.holdbot import HoldBot
from bots.randombot import RandomBot
from bots.strategy import as_bot
from server.game import Game
from server.settings import GameSettings
from tests.bots.in_memory import Room

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
