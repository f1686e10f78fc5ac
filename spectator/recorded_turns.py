"""A recorded game as pictures: for every turn what draw.js needs, and a title."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rules.board import Board
from rules.errors import BadInputError
from rules.position_json import turn_from_json
from rules.turns import Season, Turn
from rules.variants import load_board

SEASONS = {
    Season.SPRING: "Spring",
    Season.SUMMER: "Spring, retreats",
    Season.FALL: "Fall",
    Season.AUTUMN: "Fall, retreats",
    Season.WINTER: "Winter",
}


@frozen
class TurnPicture:
    """One turn; the last one of a game has no orders: it shows what was left."""

    turn: Turn
    title: str
    picture: dict[str, Any]
    is_end: bool = False


def board_of(record: dict[str, Any], place: str) -> Board:
    """Return the board that a game was played on."""
    if "variant" not in record["setup"]:
        raise BadInputError(f"{place}: the record is damaged: 'variant' is missing")
    try:
        return load_board(record["setup"]["variant"])
    except BadInputError as error:
        raise BadInputError(f"{place}: {error}") from None


def turn_pictures(record: dict[str, Any], place: str) -> Iterator[TurnPicture]:
    """Give every turn, and the end; `place` is what complaints call the record."""
    try:
        before = _checked(record["start"])
        name = record["setup"]["name"]
        stabs = record.get("stabs", [])
        for played in record["turns"]:
            turn = turn_from_json(played["turn"])
            picture = {
                "before": before,
                "orders": played["orders"],
                "after": _checked(played["position"]),
                "marks": {"stabs": [stab for stab in stabs if stab["turn"] == played["turn"]]},
            }
            yield TurnPicture(turn, _title(name, turn), picture)
            before = played["position"]
        last = turn_from_json(before["turn"])
        yield TurnPicture(last, f"{_title(name, last)}, the end", {"before": before}, is_end=True)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInputError(f"{place}: the record is damaged: {error!r}") from error


def _checked(position: dict[str, Any]) -> dict[str, Any]:
    for part in ("units", "centers"):
        position[part].items()
    return position


def _title(name: str, turn: Turn) -> str:
    return f"{name}: {SEASONS[turn.season]} {turn.year}"
