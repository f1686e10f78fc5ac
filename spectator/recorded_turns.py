"""A recorded game as pictures: for every turn what draw.js needs, and a title."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rules.position_json import turn_from_json
from rules.turns import Season, Turn
from spectator.web.chronicle import Chronicle
from spectator.web.views import ALL

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


def turn_pictures(chronicle: Chronicle) -> Iterator[TurnPicture]:
    """Give every turn of a game and the end of it, from the document that the page gets."""
    game = chronicle.document(ALL)
    before = game["start"]
    for played in game["turns"]:
        turn = turn_from_json(played["turn"])
        stabs = [stab for stab in game["stabs"] if stab["turn"] == played["turn"]]
        picture = {
            "before": before,
            "orders": played["orders"],
            "after": played["after"],
            "marks": {"stabs": stabs},
        }
        yield TurnPicture(turn, _title(game, turn), picture)
        before = played["after"]
    assert chronicle.position is not None
    last = turn_from_json(chronicle.position["turn"])
    yield TurnPicture(last, f"{_title(game, last)}, the end", {"before": before}, is_end=True)


def _title(game: dict[str, Any], turn: Turn) -> str:
    return f"{game['game']}: {SEASONS[turn.season]} {turn.year}"
