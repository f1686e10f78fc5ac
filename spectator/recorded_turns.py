"""A recorded game as pictures: its turns, each with a title."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from rules.position_json import turn_from_json
from rules.turns import Season, Turn
from spectator.web.chronicle import Chronicle

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
    frame: int
    """Its place among the turns."""
    is_end: bool = False


def turn_pictures(chronicle: Chronicle, game: dict[str, Any]) -> Iterator[TurnPicture]:
    """Give every turn of a game and the end of it; `game` is the document that the page gets."""
    for frame, played in enumerate(game["turns"]):
        turn = turn_from_json(played["turn"])
        yield TurnPicture(turn, _title(game, turn), frame)
    assert chronicle.position is not None
    last = turn_from_json(chronicle.position["turn"])
    title = f"{_title(game, last)}, the end"
    yield TurnPicture(last, title, len(game["turns"]), is_end=True)


def _title(game: dict[str, Any], turn: Turn) -> str:
    return f"{game['game']}: {SEASONS[turn.season]} {turn.year}"
