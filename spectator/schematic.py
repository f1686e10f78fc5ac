"""Draw any board from its borders alone, in the form of `page/maps/standard.json` (see draw.js).

Every province becomes a tile. Tiles of neighbors touch where there is room, and a link joins them
where not; others keep a gap. Pure and deterministic.
"""

import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from rules.board import Board
from rules.places import Coast, Province, Terrain
from spectator.graph_layout import Point, lay_out

EDGE = 96.0  # map units between neighbors
TILE = 50.0  # how far a tile reaches from its middle
CONTACT = 12.0  # how long a common edge must be to be seen
GAP = 3.0  # from the line halfway to somebody who is no neighbor
MARGIN = 64.0
CORNERS = 24
UNIT = (0.0, -9.0)
LABEL = (0.0, 16.0)
DOT = (-19.0, 4.0)
COAST_REACH = 25.0

KINDS = {Terrain.SEA: "sea", Terrain.INLAND: "land"}
COMPASS: dict[Coast, Point] = {
    Coast.NORTH: (0, -1),
    Coast.NORTH_EAST: (0.7, -0.7),
    Coast.EAST: (1, 0),
    Coast.SOUTH_EAST: (0.7, 0.7),
    Coast.SOUTH: (0, 1),
    Coast.SOUTH_WEST: (-0.7, 0.7),
    Coast.WEST: (-1, 0),
    Coast.NORTH_WEST: (-0.7, -0.7),
}
Neighbors = dict[str, set[str]]


def schematic(board: Board) -> dict[str, Any]:
    """Return the drawing of a board."""
    near = neighbors(board)
    spots = _turned(board, lay_out({name: sorted(near[name]) for name in near}))
    left = min(x for x, _ in spots.values()) - MARGIN
    top = min(y for _, y in spots.values()) - MARGIN
    spots = {name: (x - left, y - top) for name, (x, y) in spots.items()}
    tiles = {name: _tile(name, spots, near) for name in spots}
    return {
        "name": board.name,
        "view": [
            0,
            0,
            round(max(x for x, _ in spots.values()) + MARGIN),
            round(max(y for _, y in spots.values()) + MARGIN),
        ],
        "spacing": 60,
        **named(board),
        "provinces": {
            province.name: _place(board, province, spots, tiles[province.name])
            for province in board.provinces
        },
        "links": list(_links(board, spots, tiles, near)),
    }


def named(board: Board) -> dict[str, Any]:
    """Return the powers as a drawing names them; the number chooses the colour."""
    return {
        "powers": {
            power.name: {"number": number, "title": power.title, "adjective": power.adjective}
            for number, power in enumerate(sorted(board.powers, key=lambda each: each.name))
        }
    }


def about(board: Board, province: Province) -> dict[str, Any]:
    """Return what a drawing says of a province besides where it is."""
    found: dict[str, Any] = {
        "title": province.title or province.name,
        "kind": KINDS.get(province.terrain, "coast"),
    }
    if province.is_center:
        found["center"] = True
    homes = [power.name for power in board.powers if province in board.homes.get(power, ())]
    return found | ({"home": homes} if homes else {})


def neighbors(board: Board) -> Neighbors:
    """Return which provinces touch, be it for armies or fleets."""
    near: Neighbors = {province.name: set() for province in board.provinces}
    for province, others in board.army_borders.items():
        near[province.name] |= {other.name for other in others}
    for place, goals in board.fleet_borders.items():
        near[place.province.name] |= {goal.province.name for goal in goals}
    return near


def coast_neighbors(board: Board, province: Province) -> dict[Coast, list[str]]:
    """Return what each of several coasts touches."""
    return {
        place.coast: sorted({goal.province.name for goal in goals})
        for place, goals in board.fleet_borders.items()
        if place.province == province and place.coast
    }


def _turned(board: Board, points: dict[str, Point]) -> dict[str, Point]:
    """Turn the drawing so that north coasts point up, and it is wide rather than high."""
    wishes = [
        (province.name, others, COMPASS[coast])
        for province in board.provinces
        for coast, others in coast_neighbors(board, province).items()
    ]

    def score(spots: dict[str, Point]) -> float:
        wide = max(x for x, _ in spots.values()) - min(x for x, _ in spots.values())
        high = max(y for _, y in spots.values()) - min(y for _, y in spots.values())
        agreed = 0.0
        for name, others, (x, y) in wishes:
            dx, dy = _direction(spots[name], (spots[other] for other in others))
            agreed += dx * x + dy * y
        return agreed - 2 * abs(math.log((wide + 0.5) / (high + 0.5) / 1.3))

    options = [
        {name: _rotated(spot, angle, side) for name, spot in points.items()}
        for side in (1, -1)
        for angle in range(0, 360, 5)
    ]
    return max(options, key=score)


def _rotated(spot: Point, degrees: int, side: int) -> Point:
    angle = math.radians(degrees)
    x, y = spot[0] * side * EDGE, spot[1] * EDGE
    return (
        x * math.cos(angle) - y * math.sin(angle),
        x * math.sin(angle) + y * math.cos(angle),
    )


def _direction(start: Point, goals: Iterable[Point]) -> Point:
    steps = [(x - start[0], y - start[1]) for x, y in goals]
    dx, dy = sum(x for x, _ in steps), sum(y for _, y in steps)
    size = math.hypot(dx, dy) or 1.0
    return dx / size, dy / size


def _place(
    board: Board, province: Province, spots: dict[str, Point], tile: list[Point]
) -> dict[str, Any]:
    spot = spots[province.name]
    found = about(board, province) | {
        "unit": _at(spot, UNIT),
        "label": _at(spot, LABEL),
        "path": _path(tile),
    }
    if province.is_center:
        found["dot"] = _at(spot, DOT)
    coasts = coast_neighbors(board, province)
    if coasts:
        found["coasts"] = _coast_spots(spot, coasts, spots)
    return found


def _coast_spots(
    spot: Point, coasts: dict[Coast, list[str]], spots: dict[str, Point]
) -> dict[str, list[float]]:
    """Put the coasts round the middle, each towards what it touches, and never on one another."""
    ways = {
        coast: _direction(spot, (spots[other] for other in others))
        for coast, others in coasts.items()
    }
    angles = {coast: math.atan2(y, x) for coast, (x, y) in ways.items()}
    ordered = sorted(angles, key=lambda coast: (angles[coast], coast.value))
    least = 2 * math.pi / len(ordered) * 0.8
    for before, after in pairwise(ordered):
        angles[after] = max(angles[after], angles[before] + least)
    over = angles[ordered[-1]] + least - (angles[ordered[0]] + 2 * math.pi)
    if over > 0:
        angles[ordered[-1]] -= over
    return {
        coast.value: _at(
            spot,
            (COAST_REACH * math.cos(angles[coast]), COAST_REACH * math.sin(angles[coast])),
        )
        for coast in coasts
    }


def _tile(name: str, spots: dict[str, Point], near: Neighbors) -> list[Point]:
    """Return a disc cut by the lines halfway to all others."""
    x, y = spots[name]
    tile = [
        (
            x + TILE * math.cos(2 * math.pi * corner / CORNERS),
            y + TILE * math.sin(2 * math.pi * corner / CORNERS),
        )
        for corner in range(CORNERS)
    ]
    for other, (other_x, other_y) in spots.items():
        distance = math.dist((x, y), (other_x, other_y))
        if other == name or distance > 2 * (TILE + GAP):
            continue
        reach = distance / 2 - (0.0 if other in near[name] else GAP)
        way = ((other_x - x) / distance, (other_y - y) / distance)
        tile = _cut(tile, (x, y), way, reach)
    return tile


def _cut(tile: list[Point], middle: Point, way: Point, reach: float) -> list[Point]:
    """Keep what lies less than so far in that direction."""

    def beyond(spot: Point) -> float:
        return (spot[0] - middle[0]) * way[0] + (spot[1] - middle[1]) * way[1] - reach

    kept: list[Point] = []
    for before, after in pairwise([tile[-1], *tile]):
        a, b = beyond(before), beyond(after)
        if (a > 0) != (b > 0):
            share = a / (a - b)
            kept.append(
                (
                    before[0] + (after[0] - before[0]) * share,
                    before[1] + (after[1] - before[1]) * share,
                )
            )
        if b <= 0:
            kept.append(after)
    return kept


def _links(
    board: Board, spots: dict[str, Point], tiles: dict[str, list[Point]], near: Neighbors
) -> Iterable[dict[str, str]]:
    """Join neighbors whose tiles do not touch: by roads for armies, by lanes for fleets only."""
    roads = {
        frozenset((province.name, other.name))
        for province, others in board.army_borders.items()
        for other in others
    }
    for name in sorted(near):
        for other in sorted(near[name]):
            if name < other and not _touch(spots[name], spots[other], tiles[name], tiles[other]):
                kind = "road" if frozenset((name, other)) in roads else "lane"
                yield {"kind": kind, "path": _path([spots[name], spots[other]], closed=False)}


def _touch(spot: Point, other: Point, tile: list[Point], other_tile: list[Point]) -> bool:
    """Whether two tiles share a good part of the line halfway between their middles."""
    distance = math.dist(spot, other)
    way = (other[0] - spot[0]) / distance, (other[1] - spot[1]) / distance
    aside = way[1], -way[0]
    spans = []
    for outline in (tile, other_tile):
        on_line = [
            (x - spot[0]) * aside[0] + (y - spot[1]) * aside[1]
            for x, y in outline
            if abs((x - spot[0]) * way[0] + (y - spot[1]) * way[1] - distance / 2) < 0.01
        ]
        if len(on_line) < 2:
            return False
        spans.append((min(on_line), max(on_line)))
    return min(spans[0][1], spans[1][1]) - max(spans[0][0], spans[1][0]) > CONTACT


def _at(spot: Point, offset: Point) -> list[float]:
    return [round(spot[0] + offset[0], 1), round(spot[1] + offset[1], 1)]


def _path(points: list[Point], *, closed: bool = True) -> str:
    steps = "L".join(f"{round(x, 1):g} {round(y, 1):g}" for x, y in points)
    return f"M{steps}{'Z' if closed else ''}"
