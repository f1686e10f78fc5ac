from collections.abc import Callable
from typing import Any

import pytest

from rules.board import Board
from rules.errors import BadInputError
from rules.legal_orders import legal_orders
from rules.notation import format_order, parse_order, parse_unit

Maker = Callable[..., Any]


def test_every_legal_order_survives_writing_and_reading(board: Board, place: Maker) -> None:
    position = place(ENG="F NTH, A LON, F ECH, F MAO", FRA="F SPA/SCS, A BRE", RUS="F STP/NCS")
    for unit, found in legal_orders(board, position).items():
        for order in found:
            assert parse_order(board, position, unit.power, format_order(order)) == order


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("A XYZ - BUR", "no such province: 'XYZ'"),
        ("A MUN - XYZ", "no such province: 'XYZ'"),
        ("A STP/XCS H", "no such coast: 'STP/XCS'"),
        ("F LON S A YOR - SPA/NCS", "no coast belongs here: 'SPA/NCS'"),
        ("A MUN", "not an order: 'A MUN'; write it like 'A MUN - BUR'"),
        ("Q MUN H", "not a unit: 'Q MUN'; a unit begins with A or F"),
    ],
)
def test_a_text_that_is_no_order_is_named(board: Board, text: str, complaint: str) -> None:
    with pytest.raises(BadInputError, match="^" + complaint.replace("/", "/")):
        parse_order(board, board.start, board.power("GER"), text)


def test_a_text_that_is_no_unit_is_named(board: Board) -> None:
    with pytest.raises(BadInputError, match="not a unit: 'MUN'"):
        parse_unit(board, board.power("GER"), "MUN")
