"""Positions as JSON values, in the notation of `daide adjudicate`: in records and in the feed.

Raises BadInputError for names that the board does not have.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeAlias, TypedDict

from rules.board import Board
from rules.notation import format_unit, parse_location, parse_unit
from rules.orders import Unit
from rules.places import Power, Province
from rules.position import DislodgedUnit, Position, by_province
from rules.resolution import Resolution
from rules.turns import Turn, turn_of

TurnJson: TypeAlias = Annotated[list[Any], "a season and a year, such as ['SPR', 1901]"]


class DislodgedJson(TypedDict):
    """A unit that must leave its province."""

    power: str
    unit: str
    retreats: list[str]


class DrivenOutJson(TypedDict):
    """A unit that was dislodged, and from where the attack came."""

    power: str
    unit: str
    attacker_from: str
    attacker_convoyed: bool
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
    """Read a turn; raises ValueError if it is none."""
    turn = turn_of(data)
    if turn is None:
        raise ValueError(f"no turn: {data!r}")
    return turn


def position_to_json(position: Position) -> PositionJson:
    """Write a position; lists are sorted."""
    return {
        "turn": turn_to_json(position.turn),
        "units": units_to_json(position.units),
        "centers": centers_to_json(position.owners),
        "dislodged": [
            {
                "power": out.unit.power.name,
                "unit": format_unit(out.unit),
                "retreats": [str(place) for place in out.retreats],
            }
            for out in position.dislodged
        ],
    }


def driven_out_to_json(resolution: Resolution) -> list[DrivenOutJson]:
    """Write who was dislodged in a turn, and by whom from where."""
    return [
        {
            "power": out.unit.power.name,
            "unit": format_unit(out.unit),
            "attacker_from": out.attacker_from.name,
            "attacker_convoyed": out.attacker_convoyed,
            "retreats": [str(place) for place in out.retreats],
        }
        for out in resolution.dislodgements
    ]


def units_to_json(units: Iterable[Unit]) -> dict[str, list[str]]:
    """Write units by power, all sorted."""
    return _sorted_by_power((unit.power, format_unit(unit)) for unit in units)


def centers_to_json(owners: Mapping[Province, Power]) -> dict[str, list[str]]:
    """Write the centers that have an owner by power, all sorted."""
    return _sorted_by_power((owner, center.name) for center, owner in owners.items())


def _sorted_by_power(found: Iterable[tuple[Power, str]]) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    for power, text in found:
        lists.setdefault(power.name, []).append(text)
    return {name: sorted(lists[name]) for name in sorted(lists)}


def position_from_json(board: Board, data: PositionJson) -> Position:
    """Read a position."""
    units = (
        parse_unit(board, board.power(name), text)
        for name, texts in data["units"].items()
        for text in texts
    )
    return Position(
        turn=turn_from_json(data["turn"]),
        units=tuple(sorted(units, key=by_province)),
        dislodged=tuple(
            DislodgedUnit(
                parse_unit(board, board.power(out["power"]), out["unit"]),
                tuple(parse_location(board, text) for text in out["retreats"]),
            )
            for out in data["dislodged"]
        ),
        owners=_owners(board, data["centers"]),
    )


def _owners(board: Board, centers: Mapping[str, list[str]]) -> dict[Province, Power]:
    return {
        board.province(center): board.power(name)
        for name, owned in centers.items()
        for center in owned
    }
