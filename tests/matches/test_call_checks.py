"""What a caller of `play` may get wrong is told in a sentence that names the argument."""

from typing import Any

import pytest
from attrs import evolve

from bots.holdbot import HoldBot
from bots.strategy import Bot, Tactic
from matches.call_checks import check_match, check_players, checked_settings
from matches.match import Match
from rules.errors import BadInputError
from rules.maps import load_map
from rules.turns import Season, Turn


class Number:
    """A whole number as arrays have it."""

    def __init__(self, value: int) -> None:
        self._value = value

    def __index__(self) -> int:
        return self._value


class Choosy(HoldBot):
    def __init__(self, depth: int) -> None:
        super().__init__()
        self.depth = depth


def a_match(**changes: Any) -> Match:
    players: dict[str, Any] = dict.fromkeys(("AMB", "COR", "PEA"), "holdbot")
    return evolve(Match(players=players, variant="lagoon"), **changes)


def test_whole_numbers_may_come_from_arrays() -> None:
    given = {"seed": Number(7), "last_year": Number(1903), "press_level": Number(10)}
    read = checked_settings(given)
    assert read == {"seed": 7, "last_year": 1903, "press_level": 10}
    assert {type(each) for each in read.values()} == {int}


def test_what_has_no_limit_may_be_none() -> None:
    none = dict.fromkeys(("last_year", "years_without_change", "think"))
    assert checked_settings(none) == none


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("seed", (None, "7", 1.5, True, 2**63)),
        ("press_level", (None, 5, -10, "20")),
        ("press_rounds", (None, 0, 1001, 2.0)),
        ("last_year", (0, 10_000, "1905", 1905.0)),
        ("years_without_change", (0, -1, 1001)),
        ("think", (-1, "1", float("nan"), float("inf"))),
        ("turn_limit", (None, -1.0, float("nan"))),
    ],
)
def test_a_setting_that_is_none_is_named(name: str, values: tuple[object, ...]) -> None:
    for value in values:
        with pytest.raises(BadInputError, match=f"^{name}: "):
            checked_settings({name: value})


@pytest.mark.parametrize("players", ["dumbbot", 7, None, {"holdbot"}, iter(["holdbot"])])
def test_players_are_a_list_or_a_dict(players: object) -> None:
    with pytest.raises(BadInputError, match="neither a list of bots nor a dict by powers"):
        check_players(players)


@pytest.mark.parametrize(
    ("player", "complaint"),
    [
        (None, "players: AMB: None is no bot"),
        (7, "players: AMB: 7 is no bot"),
        (int, "players: AMB: <class 'int'> is no bot"),
        (Choosy, "players: AMB: Choosy cannot be made without arguments; give an object of it"),
        (lambda depth: depth, "players: AMB: <lambda> cannot be made without arguments"),
    ],
)
def test_a_player_that_is_none_is_named_with_its_power(player: object, complaint: str) -> None:
    players: Any = {"AMB": player, "COR": "holdbot", "PEA": "holdbot"}
    with pytest.raises(BadInputError, match=complaint):
        check_match(a_match(players=players))


def test_whatever_makes_a_bot_is_a_player() -> None:
    players = {"AMB": HoldBot, "COR": lambda: Bot(HoldBot()), "PEA": Choosy(3)}
    check_match(a_match(players=players))


def test_a_game_that_would_be_over_before_it_begins_is_refused() -> None:
    board = load_map("lagoon")
    later = evolve(board.start, turn=Turn(Season.SPRING, board.start.turn.year + 4))
    year = later.turn.year
    check_match(a_match(start=later, last_year=year))
    with pytest.raises(BadInputError, match=f"last_year: the game starts in {year}, after"):
        check_match(a_match(start=later, last_year=year - 1))
    with pytest.raises(BadInputError, match="start: 1901 is no position"):
        check_match(a_match(start=1901))


# --- a match as a server and its bots see it ------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "rounds"),
    [
        ({}, 6),
        ({"press_rounds": 2}, 2),
        ({"press_level": 0}, None),
        ({"humans": frozenset({"AMB"})}, None),
    ],
)
def test_press_comes_in_rounds_unless_people_talk_or_nobody(
    changes: dict[str, Any], rounds: int | None
) -> None:
    assert a_match(**changes).setup.settings.press_rounds == rounds


def test_a_turn_may_take_as_long_as_all_that_may_be_thought_in_it() -> None:
    assert a_match(turn_limit=5.0).patience == 5.0
    # Each of three thinks before its orders and once in every round of press.
    assert a_match(turn_limit=5.0, think=2.0, press_rounds=4).patience == 5.0 + 3 * 5 * 2.0


def test_no_two_bots_of_neighbouring_games_share_a_seed() -> None:
    seeds = [
        a_match(seed=seed).seed_of(power) for seed in range(4) for power in ("AMB", "COR", "PEA")
    ]
    assert len(set(seeds)) == len(seeds)


def test_bots_are_called_what_their_authors_called_them() -> None:
    class Mine(HoldBot):
        pass

    def maker() -> Tactic:
        return Mine()

    players = {"AMB": Mine, "COR": Bot(Mine()), "PEA": maker}
    names = [a_match(players=players).bot_name(power) for power in players]
    assert names == ["Mine", "Mine", "maker"]
    assert a_match(players=players).seat_name("COR") == "COR:Mine"


def test_what_makes_no_bot_is_told_when_it_is_asked_for_one() -> None:
    match = a_match(players={"AMB": lambda: 7, "COR": "holdbot", "PEA": "holdbot"})
    with pytest.raises(BadInputError, match="players: AMB: <lambda> made 7, no bot"):
        match.make_bot("AMB")
    made = match.make_bot("COR")
    assert isinstance(made.tactic, HoldBot)
    assert made is not match.make_bot("COR")
