from collections.abc import Callable

import pytest

from rules.board import Board
from rules.maps import load_map
from rules.notation import OrderReader, parse_location, parse_unit
from rules.orders import Order
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn

PositionMaker = Callable[..., Position]
OrderMaker = Callable[..., list[Order]]


@pytest.fixture
def board() -> Board:
    return load_map()


@pytest.fixture
def place(board: Board) -> PositionMaker:
    """Make a position from text: place("SPR", ENG="F NTH, A LON")."""

    def make(
        season: str = "SPR",
        *,
        dislodged: dict[str, tuple[str, list[str]]] | None = None,
        centers: dict[str, str] | None = None,
        **units: str,
    ) -> Position:
        return Position(
            Turn(Season(season), 1901),
            tuple(
                sorted(
                    (
                        parse_unit(board, board.power(name), text)
                        for name, texts in units.items()
                        for text in texts.split(", ")
                    ),
                    key=lambda unit: unit.location.province.name,
                )
            ),
            tuple(
                DislodgedUnit(
                    parse_unit(board, board.power(name), text),
                    tuple(parse_location(board, retreat) for retreat in retreats),
                )
                for name, (text, retreats) in (dislodged or {}).items()
            ),
            {
                board.province(center): board.power(name)
                for name, texts in (centers or {}).items()
                for center in texts.split()
            },
        )

    return make


@pytest.fixture
def orders(board: Board) -> OrderMaker:
    """Read orders for a position: orders(position, ENG="F NTH H, A LON H")."""

    def make(position: Position, **texts: str) -> list[Order]:
        reader = OrderReader(board, position)
        return [
            reader.read(board.power(name), text)
            for name, line in texts.items()
            for text in line.split(", ")
        ]

    return make
