"""Where unit, name and center dot of a province stand: apart, and inside if there is room."""

from itertools import product

import shapely
from attrs import frozen
from shapely.geometry import Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from world import FRAME, polygons

UNIT, DOT = 13.0, 5.0  # radii, in map units
NAME = (15.0, 7.0)  # half width and half height
STEPS = 14
MARGIN = 16.0


@frozen
class Anchors:
    """Three points of one province."""

    unit: tuple[float, float]
    label: tuple[float, float]
    dot: tuple[float, float] | None


def anchors_in(
    shape: BaseGeometry, wish: tuple[float, float] | None, *, has_center: bool
) -> Anchors:
    """Choose the points so that what stands there keeps clear of the borders and of each other."""
    inner = shape.intersection(box(*FRAME).buffer(-MARGIN))
    ground = max(polygons(inner if not inner.is_empty else shape), key=lambda p: p.area)
    shapely.prepare(ground)
    best_spot = Point(wish or shapely.maximum_inscribed_circle(ground).coords[0])
    candidates = [*_grid(ground), (best_spot.x, best_spot.y)]
    size = max(1.0, ground.area**0.5)
    best, chosen = -1e9, None
    for x, y in candidates:
        depth = ground.boundary.distance(Point(x, y)) - UNIT
        for dx, dy in _offsets():
            label = (x + dx, y + dy)
            space = _name_room(ground, label)
            score = min(depth, 10.0) * 1.6 + min(space, 6.0) * 1.4 - (3.0 if dy < 0 else 0.0)
            score -= (2.0 if dx else 0.0) + 25.0 * best_spot.distance(Point(x, y)) / size
            if score > best:
                best, chosen = score, ((x, y), label)
    assert chosen is not None
    unit, label = chosen
    dot = _dot(ground, unit, label) if has_center else None
    return Anchors(_rounded(unit), _rounded(label), _rounded(dot) if dot else None)


def _grid(ground: Polygon) -> list[tuple[float, float]]:
    left, top, right, bottom = ground.bounds
    return [
        (x, y)
        for i, j in product(range(STEPS + 1), repeat=2)
        if ground.contains(
            Point(
                x := left + (right - left) * i / STEPS,
                y := top + (bottom - top) * j / STEPS,
            )
        )
    ]


def _offsets() -> list[tuple[float, float]]:
    down, aside = UNIT + NAME[1] + 1, UNIT + NAME[0] + 1
    return [
        (0, down),
        (0, -down),
        (aside, 0),
        (-aside, 0),
        (10, down),
        (-10, down),
        (10, -down),
        (-10, -down),
    ]


def _name_room(ground: Polygon, spot: tuple[float, float]) -> float:
    area = box(spot[0] - NAME[0], spot[1] - NAME[1], spot[0] + NAME[0], spot[1] + NAME[1])
    outside = area.difference(ground).area / area.area
    return -30.0 * outside if outside else ground.boundary.distance(area)


def _dot(
    ground: Polygon, unit: tuple[float, float], label: tuple[float, float]
) -> tuple[float, float]:
    best, chosen = -1e9, unit
    for dx, dy in product(range(-40, 41, 4), repeat=2):
        spot = Point(unit[0] + dx, unit[1] + dy)
        if not ground.contains(spot):
            continue
        from_unit = spot.distance(Point(unit)) - UNIT - DOT
        name = box(label[0] - NAME[0], label[1] - NAME[1], label[0] + NAME[0], label[1] + NAME[1])
        room = min(from_unit, spot.distance(name) - DOT, ground.boundary.distance(spot) - DOT, 4.0)
        score = room - 0.05 * spot.distance(Point(unit))
        if score > best:
            best, chosen = score, (spot.x, spot.y)
    return chosen


def _rounded(spot: tuple[float, float]) -> tuple[float, float]:
    return round(spot[0], 1), round(spot[1], 1)
