"""Adjudication and legal orders in the notation of `daide adjudicate`: JSON values in and out.

Raises BadInputError that names the field or the order.
"""

from collections.abc import Mapping
from typing import Any

from rules.errors import BadInputError
from rules.json_lines import answer_line, read_position
from rules.legal_orders import legal_adjustments, legal_orders
from rules.notation import format_order, format_unit
from rules.orders import Order
from rules.places import Power
from rules.turns import Phase
from rules.variants import load_board


def judge_text(
    data: Mapping[str, Any], *, variant: str = "standard", explain: bool = True
) -> dict[str, Any]:
    """Judge a turn: one object that `daide adjudicate` reads, and the one that it answers."""
    return answer_line(load_board(variant), _object(data), explain=explain)


def legal_texts(
    data: Mapping[str, Any], *, variant: str = "standard"
) -> dict[str, dict[str, list[str]]]:
    """Return the legal orders of a position by power and unit; builds and removals under ''."""
    board = load_board(variant)
    position = read_position(board, _object(data))
    found: dict[str, dict[str, list[str]]] = {}
    if position.turn.phase is Phase.ADJUSTMENT:
        for power in board.powers:
            if choices := legal_adjustments(board, position, power):
                _add(found, power, "", choices)
        return found
    for unit, orders in legal_orders(board, position).items():
        _add(found, unit.power, format_unit(unit), orders)
    return found


def _object(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Refuse what is no position at all, such as a text."""
    if not isinstance(data, Mapping):
        raise BadInputError(f"a position is an object with turn, units and so on, not {data!r:.60}")
    return data


def _add(
    found: dict[str, dict[str, list[str]]], power: Power, unit: str, orders: list[Order]
) -> None:
    found.setdefault(power.name, {})[unit] = [format_order(order) for order in orders]
