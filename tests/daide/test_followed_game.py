"""What follows from a server's messages, whatever their order, for everybody who follows a game."""

import pytest

from daide.followed_game import FollowedGame
from grammar.messages import (
    DrawDeclared,
    Hello,
    MapName,
    Now,
    ServerMessage,
    SoloDeclared,
    Summary,
    VariantOption,
)
from rules.maps import load_map
from rules.turns import Season, Turn

BOARD = load_map("standard")
FRA = BOARD.power("FRA")
SPRING, SUMMER, FALL, WINTER = (
    Turn(season, 1901) for season in (Season.SPRING, Season.SUMMER, Season.FALL, Season.WINTER)
)


def now(turn: Turn) -> Now:
    return Now(turn, ())


def followed(*messages: ServerMessage) -> FollowedGame:
    game = FollowedGame()
    for message in messages:
        game.learn(message)
    return game


def test_before_anything_is_told_nothing_is_known() -> None:
    game = followed()
    assert (game.power, game.turn, game.map_name, game.is_over) == (None, None, None, False)


def test_a_hello_tells_the_power_and_that_of_an_observer_none() -> None:
    assert followed(Hello(FRA, 1234, (VariantOption("LVL", 20),))).power == FRA
    assert followed(Hello(None, 0, (VariantOption("LVL", 20),))).power is None


def test_the_turn_goes_forward_only_as_an_answer_to_hst_tells_of_the_past() -> None:
    game = followed(now(SPRING), now(FALL))
    assert game.turn == FALL
    game.learn(now(SPRING))
    game.learn(now(SUMMER))
    assert game.turn == FALL
    game.learn(now(WINTER))
    assert game.turn == WINTER
    game.learn(now(Turn(Season.SPRING, 1902)))
    assert game.turn == Turn(Season.SPRING, 1902)


@pytest.mark.parametrize(
    "end", [SoloDeclared(FRA), DrawDeclared(()), DrawDeclared((FRA,)), Summary(SPRING, ())]
)
def test_a_verdict_or_a_summary_is_the_end_and_nothing_undoes_it(end: ServerMessage) -> None:
    game = followed(now(SPRING), end)
    assert game.is_over
    game.learn(now(FALL))
    assert game.is_over


def test_the_name_of_the_map_is_the_last_one_told() -> None:
    assert followed(MapName("standard"), MapName("fleet_rome")).map_name == "fleet_rome"
