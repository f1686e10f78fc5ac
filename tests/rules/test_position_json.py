"""Positions and turns as JSON: what is written is read, and what is no position is refused."""

import json
from random import Random
from typing import cast

import pytest
from attrs import evolve

from rules.adjudicate import adjudicate
from rules.errors import BadInputError
from rules.legal_orders import legal_orders
from rules.maps import load_map, map_names
from rules.notation import parse_order
from rules.position import Position, held_provinces
from rules.position_json import (
    PositionJson,
    driven_out_to_json,
    position_from_json,
    position_to_json,
    turn_from_json,
    turn_to_json,
)
from rules.turns import Phase, Season, Turn


def positions(name: str, seed: int) -> list[Position]:
    """Return the positions of a game of chance."""
    board, random = load_map(name), Random(seed)
    found = [board.start]
    while len(found) < 40:
        orders = [random.choice(each) for each in legal_orders(board, found[-1]).values()]
        found.append(adjudicate(board, found[-1], orders).position)
    return found


@pytest.mark.parametrize("name", map_names())
def test_every_position_survives_writing_and_reading(name: str) -> None:
    board = load_map(name)
    for position in positions(name, seed=1):
        written = json.loads(json.dumps(position_to_json(position)))
        assert position_from_json(board, written) == position
        assert position_to_json(position_from_json(board, written)) == written


def test_who_was_driven_out_is_written_with_where_the_attack_came_from() -> None:
    board = load_map()
    units = {"FRA": ["A BEL", "A RUH"], "GER": ["A HOL"], "ENG": ["F NTH"]}
    start = {"turn": ["SPR", 1901], "units": units, "centers": {}, "dislodged": []}
    position = position_from_json(board, cast("PositionJson", start))
    orders = [
        parse_order(board, position, board.power("FRA"), text)
        for text in ("A BEL - HOL", "A RUH S A BEL - HOL")
    ]
    assert driven_out_to_json(adjudicate(board, position, orders)) == [
        {
            "power": "GER",
            "unit": "A HOL",
            "attacker_from": "BEL",
            "attacker_convoyed": False,
            "retreats": ["KIE"],
        }
    ]


def test_equal_positions_are_written_alike() -> None:
    start = load_map().start
    assert json.dumps(position_to_json(start)) == json.dumps(position_to_json(evolve(start)))
    units = position_to_json(start)["units"]
    assert list(units) == sorted(units)
    assert all(texts == sorted(texts) for texts in units.values())


@pytest.mark.parametrize(
    ("part", "value", "complaint"),
    [
        ("units", {"XYZ": ["A PAR"]}, "no such power: 'XYZ'"),
        ("units", {"FRA": ["A XYZ"]}, "no such province: 'XYZ'"),
        ("units", {"FRA": ["PAR"]}, "not a unit: 'PAR'"),
        ("units", {"FRA": ["F STP/XCS"]}, "no such coast: 'STP/XCS'"),
        ("centers", {"FRA": ["XYZ"]}, "no such province: 'XYZ'"),
        ("centers", {"XYZ": ["PAR"]}, "no such power: 'XYZ'"),
        (
            "dislodged",
            [{"power": "FRA", "unit": "A PAR", "retreats": ["XYZ"]}],
            "no such province: 'XYZ'",
        ),
    ],
)
def test_names_that_the_board_does_not_have_are_named(
    part: str, value: object, complaint: str
) -> None:
    board = load_map()
    written = {**position_to_json(board.start), part: value}
    with pytest.raises(BadInputError, match=complaint):
        position_from_json(board, written)  # type: ignore[arg-type] # that is the point


@pytest.mark.parametrize("season", list(Season))
def test_turns_survive_and_follow_each_other(season: Season) -> None:
    turn = Turn(season, 1901)
    assert turn_from_json(turn_to_json(turn)) == turn


@pytest.mark.parametrize("written", [["SPR"], ["XXX", 1901], ["SPR", "soon"], [], ["SPR", 1, 2]])
def test_what_is_no_turn_is_refused(written: list[object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        turn_from_json(written)


def test_what_a_power_holds_are_its_centers_and_where_its_units_stand() -> None:
    for position in positions("standard", seed=2):
        held = held_provinces(position)
        for unit in position.units:
            assert unit.location.province in held[unit.power]
        for center, owner in position.owners.items():
            assert center in held[owner]
        everything = {each for provinces in held.values() for each in provinces}
        assert everything == set(position.owners) | {u.location.province for u in position.units}
        assert position.turn.phase is not Phase.RETREAT or position.dislodged
