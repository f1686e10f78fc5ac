"""The generated turns must be legal, repeatable, and full of what they are made for."""

from collections import Counter

import pytest

from rules.board import Board
from rules.maps import load_map, map_names
from rules.orders import (
    Convoy,
    Hold,
    Move,
    MoveByConvoy,
    MovementOrder,
    OrderResult,
    SupportHold,
    SupportMove,
    Unit,
)
from rules.places import Location, Province
from tests.rules.oracle import Turn
from tests.rules.positions import generate


def reach(board: Board, unit: Unit) -> set[Province]:
    return {place.province for place in board.destinations(unit)}


def is_route(board: Board, stops: list[Province]) -> bool:
    def touch(sea: Province, other: Province) -> bool:
        return other in {place.province for place in board.fleet_borders[Location(sea)]}

    return all(touch(sea, stop) for sea, stop in zip(stops[1:-1], stops, strict=False)) and touch(
        stops[-2], stops[-1]
    )


def is_possible(board: Board, order: MovementOrder) -> bool:
    match order:
        case Hold():
            return True
        case Move():
            return order.destination in board.destinations(order.unit)
        case SupportHold():
            return order.supported.location.province in reach(board, order.unit)
        case SupportMove():
            return order.destination in reach(board, order.unit)
        case MoveByConvoy():
            start = order.unit.location.province
            return is_route(board, [start, *order.via, order.destination])
        case Convoy():
            return order.unit.location.province.is_sea


@pytest.mark.parametrize("name", map_names())
def test_generated_orders_are_possible_and_one_for_each_unit(name: str) -> None:
    for seed in range(200):
        case = generate(load_map(name), seed, most_units=12)
        units = [order.unit for order in case.orders]
        assert len({unit.location.province for unit in units}) == len(units) <= 12
        assert set(units) == set(case.position.units)
        for order in case.orders:
            assert is_possible(case.board, order), f"seed {seed}: {order}"


def test_the_same_seed_makes_the_same_turn() -> None:
    board = load_map()
    assert generate(board, 7, most_units=12) == generate(board, 7, most_units=12)
    assert generate(board, 7, most_units=12) != generate(board, 8, most_units=12)


def test_generated_turns_are_full_of_trouble() -> None:
    seen: Counter[object] = Counter()
    for seed in range(400):
        case = generate(load_map("fourwinds"), seed, most_units=10)
        turn = Turn(case.board, {order.unit: order for order in case.orders})
        verdict = turn.verdict()
        seen.update(verdict.results.values())
        seen["paradox"] += len(turn.broken_by_rule) == 1
        seen["linked paradox"] += len(turn.broken_by_rule) > 1
        seen["dislodged"] += len(verdict.dislodged)
        seen["contested"] += len(verdict.contested)
        seen["by convoy"] += any(by_convoy for _, by_convoy in verdict.dislodged.values())
    results = set(OrderResult) - {OrderResult.FAILED}
    assert min(seen[result] for result in results) >= 10
    assert seen["paradox"] >= 15
    assert seen["linked paradox"] >= 2
    assert seen["dislodged"] >= 80
    assert seen["contested"] >= 20
    assert seen["by convoy"] >= 2
