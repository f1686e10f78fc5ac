"""A board as the page gets it, and the orders that are legal on it."""

from typing import Any

from rules.board import Board
from rules.legal_orders import legal_adjustments, legal_orders
from rules.notation import format_order, format_unit
from rules.places import Power, Province
from rules.position import Position
from rules.turns import Phase


def board_document(board: Board) -> dict[str, Any]:
    """Return what the page must know of a board."""
    return {
        "variant": board.name,
        "title": board.title or board.name,
        "powers": [
            {
                "name": power.name,
                "title": power.title or power.name,
                "adjective": power.adjective or power.name,
                "homes": [province.name for province in board.homes[power]],
            }
            for power in board.powers
        ],
        "provinces": {province.name: _province(board, province) for province in board.provinces},
        "centers_to_win": board.centers_to_win,
    }


def _province(board: Board, province: Province) -> dict[str, Any]:
    fleets = {
        location.coast.value if location.coast else "": [str(place) for place in places]
        for location, places in board.fleet_borders.items()
        if location.province == province
    }
    return {
        "title": province.title or province.name,
        "terrain": province.terrain.value,
        "center": province.is_center,
        "coasts": [coast for coast in fleets if coast],
        "armies": [each.name for each in board.army_borders.get(province, ())],
        "fleets": fleets,
    }


def legal_of(board: Board, position: Position, power: Power) -> dict[str, list[str]]:
    """Return the legal orders of a power by unit, under an empty name in an adjustment turn."""
    if position.turn.phase is Phase.ADJUSTMENT:
        orders = legal_adjustments(board, position, power)
        return {"": [format_order(order) for order in orders]} if orders else {}
    return {
        format_unit(unit): [format_order(order) for order in orders]
        for unit, orders in legal_orders(board, position, power).items()
    }
