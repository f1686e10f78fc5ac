"""Coastlines, projected: Natural Earth (public domain) as TopoJSON of the package world-atlas."""

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.affinity import translate
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

WEST, EAST, SOUTH, NORTH = -45.0, 80.0, 20.0, 82.0
PARALLELS = (35.0, 62.0)
CENTRE = (13.0, 50.0)
SCALE = 1290.0
# Where provinces are small the map is stretched: centre, by how much, how far (map units).
BUMPS = (
    ((11.5, 47.6), 0.34, 220.0),
    ((-2.8, 54.3), 0.35, 110.0),
    ((22.0, 43.0), 0.18, 130.0),
    ((4.5, 51.0), 0.12, 100.0),
)
# The part of the plane that is shown: left, top, right, bottom.
FRAME = (-468.0, -522.0, 522.0, 388.0)


def load_land(path: Path) -> BaseGeometry:
    """Return the land between the limits, in degrees."""
    topology = json.loads(path.read_text())
    arcs = [_decode(arc, topology["transform"]) for arc in topology["arcs"]]
    limits = box(WEST, SOUTH, EAST, NORTH)
    parts = []
    for geometry in topology["objects"]["land"]["geometries"]:
        for rings in geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]:
            outline = [_unwrapped(_ring(arcs, ring)) for ring in rings]
            polygon = shapely.make_valid(Polygon(outline[0], outline[1:]))
            for turn in (-360, 0, 360):
                shifted = translate(polygon, turn)
                clipped = shapely.intersection(shifted, limits)
                if not clipped.is_empty:
                    parts.append(clipped)
    return shapely.union_all(parts)


def _decode(arc: list[list[int]], transform: dict[str, Any]) -> list[tuple[float, float]]:
    x = y = 0
    points = []
    for dx, dy in arc:
        x, y = x + dx, y + dy
        points.append(
            (
                x * transform["scale"][0] + transform["translate"][0],
                y * transform["scale"][1] + transform["translate"][1],
            )
        )
    return points


def _ring(arcs: list[list[tuple[float, float]]], indexes: list[int]) -> list[tuple[float, float]]:
    ring: list[tuple[float, float]] = []
    for index in indexes:
        arc = arcs[index] if index >= 0 else arcs[~index][::-1]
        ring += arc[1:] if ring else arc
    return ring


def _unwrapped(ring: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Undo jumps over the antimeridian, else Siberia becomes a belt round the world."""
    shift = 0.0
    result = [ring[0]]
    for (before, _), (x, y) in pairwise(ring):
        if x - before > 180:
            shift -= 360
        elif before - x > 180:
            shift += 360
        result.append((x + shift, y))
    return result


def project(longitude: float, latitude: float) -> tuple[float, float]:
    """Lambert's conformal cone, stretched where the provinces are small; y points down."""
    x, y = _cone(longitude, latitude)
    dx = dy = 0.0
    for (lon, lat), by, reach in BUMPS:
        cx, cy = _cone(lon, lat)
        weight = by * math.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * reach**2))
        dx += (x - cx) * weight
        dy += (y - cy) * weight
    return x + dx, y + dy


def _cone(longitude: float, latitude: float) -> tuple[float, float]:
    first, second = (math.radians(each) for each in PARALLELS)

    def tangent(angle: float) -> float:
        return math.tan(math.pi / 4 + angle / 2)

    n = math.log(math.cos(first) / math.cos(second)) / math.log(tangent(second) / tangent(first))
    f = math.cos(first) * tangent(first) ** n / n
    middle = f / tangent(math.radians(CENTRE[1])) ** n
    rho = f / tangent(math.radians(latitude)) ** n
    theta = n * math.radians(longitude - CENTRE[0])
    return SCALE * rho * math.sin(theta), SCALE * (rho * math.cos(theta) - middle)


def projected(shape: BaseGeometry) -> BaseGeometry:
    """Return a shape given in degrees in map units."""

    def move(points: np.ndarray) -> list[tuple[float, float]]:
        return [project(lon, lat) for lon, lat in points]

    dense = shapely.segmentize(shape, 0.5)
    return shapely.make_valid(shapely.transform(dense, move))


def polygons(shape: BaseGeometry) -> list[Polygon]:
    """Return the polygons that a shape consists of."""
    if isinstance(shape, Polygon):
        return [] if shape.is_empty else [shape]
    if isinstance(shape, MultiPolygon):
        return list(shape.geoms)
    return [one for part in getattr(shape, "geoms", []) for one in polygons(part)]
