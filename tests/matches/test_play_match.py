"""A whole game by one call."""

from typing import Any

import pytest

from bots.holdbot import HoldBot
from matches import play
from matches.match import Player
from rules.errors import BadInputError
from rules.maps import load_map
from server.history import History


def test_names_classes_and_a_hook_play_a_game() -> None:
    turns: list[str] = []

    def on_turn(history: History) -> None:
        turns.append(str(history.last_played))

    players: list[Player] = ["dumbbot", HoldBot, HoldBot()]
    game = play(players, variant="lagoon", seed=1, last_year=1902, on_turn=on_turn)
    assert turns == [str(played.turn) for played in game.turns]
    assert game.ending.year == 1902
    assert game.match.seed == 1


def test_players_may_be_given_by_power_in_any_order() -> None:
    players = {"PEA": "holdbot", "AMB": "dumbbot", "COR": "holdbot"}
    game = play(players, variant="lagoon", last_year=1901, press_level=0)
    assert [each.bot for each in game.players] == ["dumbbot", "holdbot", "holdbot"]


def test_the_same_call_gives_the_same_game_here_and_over_tcp() -> None:
    players = ["blabbot", "dumbbot", "blabbot"]
    here = play(players, variant="lagoon", last_year=1902, press_level=10)
    apart = play(players, variant="lagoon", last_year=1902, press_level=10, over_tcp=True)
    assert (here.turns, here.press) == (apart.turns, apart.press)


@pytest.mark.parametrize("seed", [-5, 2**63 - 1])
def test_an_odd_seed_gives_the_same_game_here_and_over_tcp(seed: int) -> None:
    players = ["dumbbot"] * 3
    here = play(players, variant="lagoon", last_year=1901, press_level=0, seed=seed)
    apart = play(players, variant="lagoon", last_year=1901, press_level=0, seed=seed, over_tcp=True)
    assert not apart.why_aborted
    assert (here.turns, here.ending) == (apart.turns, apart.ending)


def test_a_map_that_is_none_and_a_start_on_another_map_are_refused_in_one_sentence() -> None:
    variant: Any = None
    with pytest.raises(BadInputError, match="variant: None is no name of a map"):
        play(["holdbot"] * 3, variant=variant)
    start = load_map("standard").start
    with pytest.raises(BadInputError, match="start: is a position of another map than lagoon"):
        play(["holdbot"] * 3, variant="lagoon", last_year=1902, start=start)


def test_wrong_players_are_refused_in_one_sentence() -> None:
    with pytest.raises(BadInputError, match="2 bots for 3 powers of lagoon"):
        play(["holdbot"] * 2, variant="lagoon")
    with pytest.raises(BadInputError, match="the powers of lagoon are AMB, COR, PEA"):
        play({"FRA": "holdbot"}, variant="lagoon")
    with pytest.raises(TypeError, match="last_yaer"):
        play(["holdbot"] * 3, variant="lagoon", last_yaer=1901)  # type: ignore[call-arg]  # a typing error
