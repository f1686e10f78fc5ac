"""Positions as JSON values, in the notation of `daide adjudicate`: in records and in the feed.

Raises BadInputError for names that the board does not have.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias, TypedDict

from rules.board import Board
from rules.notation import format_unit, parse_location, parse_unit
from rules.orders import Unit
from rules.places import Power, Province
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn

TurnJson: TypeAlias = Annotated[list[Any], "a season and a year, such as ['SPR', 1901]"]


class DislodgedJson(TypedDict):
    """A unit that must leave its province."""

    power: str
    unit: str
    retreats: list[str]


class PositionJson(TypedDict):
    """A position: the turn as season and year, units and centers by power."""

    turn: TurnJson
    units: dict[str, list[str]]
    centers: dict[str, list[str]]
    dislodged: list[DislodgedJson]


def turn_to_json(turn: Turn) -> TurnJson:
    """Write a turn as its season and year."""
    return [turn.season.value, turn.year]


def turn_from_json(data: TurnJson) -> Turn:
    """Read a turn; raises ValueError or TypeError if it is none."""
    season, year = data
    return Turn(Season(season), int(year))


def position_to_json(position: Position) -> PositionJson:
    """Write a position; lists are sorted."""
    units: dict[str, list[str]] = {}
    for unit in position.units:
        units.setdefault(unit.power.name, []).append(format_unit(unit))
    centers: dict[str, list[str]] = {}
    for center, owner in position.owners.items():
        centers.setdefault(owner.name, []).append(center.name)
    return {
        "turn": turn_to_json(position.turn),
        "units": {name: sorted(units[name]) for name in sorted(units)},
        "centers": {name: sorted(centers[name]) for name in sorted(centers)},
        "dislodged": [
            {
                "power": out.unit.power.name,
                "unit": format_unit(out.unit),
                "retreats": [str(place) for place in out.retreats],
            }
            for out in position.dislodged
        ],
    }


def position_from_json(board: Board, data: PositionJson) -> Position:
    """Read a position."""
    return Position(
        turn=turn_from_json(data["turn"]),
        units=_by_province(
            parse_unit(board, board.power(name), text)
            for name, texts in data["units"].items()
            for text in texts
        ),
        dislodged=tuple(
            DislodgedUnit(
                parse_unit(board, board.power(out["power"]), out["unit"]),
                tuple(parse_location(board, text) for text in out["retreats"]),
            )
            for out in data["dislodged"]
        ),
        owners=_owners(board, data["centers"]),
    )


def _by_province(units: Iterable[Unit]) -> tuple[Unit, ...]:
    return tuple(sorted(units, key=lambda unit: unit.location.province.name))


def _owners(board: Board, centers: Mapping[str, list[str]]) -> dict[Province, Power]:
    return {
        board.province(center): board.power(name)
        for name, owned in centers.items()
        for center in owned
    }
