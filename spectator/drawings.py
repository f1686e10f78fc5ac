"""Find the drawing of a board: the one that is stored if its map is ours, else a schematic one."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from rules.board import Board
from rules.maps import load_map
from spectator.schematic import about, named, neighbors, schematic

PAGE = Path(__file__).with_name("page")
"""All that a browser loads."""
OWN = ("center", "home", "land", "title", "kind")


def drawing_of(board: Board) -> dict[str, Any]:
    """Return what draw.js calls MapData: outlines, and where units, names and centers stand."""
    stored = _stored()
    if neighbors(board) != neighbors(load_map("standard")):
        return schematic(board)
    if board.name == "standard":
        return stored
    return stored | {"name": board.name, **named(board), "provinces": _places(board, stored)}


@cache
def _stored() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((PAGE / "maps/standard.json").read_text(encoding="utf-8"))
    return data


def _places(board: Board, stored: dict[str, Any]) -> dict[str, Any]:
    """Return the stored outlines for a board with other powers or centers."""
    places = {}
    for province in board.provinces:
        outline = stored["provinces"][province.name]
        kept = {key: value for key, value in outline.items() if key not in OWN}
        places[province.name] = about(board, province) | kept
    return places
