"""Provinces: cells round seed points, with borders drawn by a shaky hand, clipped by coasts."""

import random
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import shapely
from attrs import frozen
from shapely.geometry import LineString, MultiPoint, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from world import FRAME, polygons, project

ROUGHNESS = 0.10  # how far a border strays, of the distance between two of its points
SMALLEST_ISLAND = 26.0  # square map units
SMALLEST_PIECE = 60.0  # smaller pieces of a cell that are cut off go to the neighbour
SEED = 1901


@frozen
class Seeds:
    """What seeds.txt says."""

    kinds: dict[str, str]
    points: dict[str, list[tuple[float, float]]]
    patches: dict[str, Polygon]
    units: dict[str, tuple[float, float]]


def read_seeds(path: Path) -> Seeds:
    """Read the seed points, projected."""
    kinds: dict[str, str] = {}
    points: dict[str, list[tuple[float, float]]] = {}
    patches: dict[str, Polygon] = {}
    units: dict[str, tuple[float, float]] = {}
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        kind, name, *pairs = line.split()
        spots = [project(*map(float, pair.split(","))) for pair in pairs]
        if kind == "patch":
            patches[name] = Polygon(spots)
        elif kind == "unit":
            units[name] = spots[0]
        else:
            kinds[name], points[name] = kind, spots
    return Seeds(kinds, points, patches, units)


def coverage(land: BaseGeometry, seeds: Seeds) -> dict[str, BaseGeometry]:
    """Divide the frame: every point of it belongs to one province or piece of waste."""
    frame = box(*FRAME)
    whole = shapely.union_all([land, *seeds.patches.values()]).intersection(frame)
    whole = shapely.union_all(
        [_without_ponds(p) for p in polygons(whole) if p.area > SMALLEST_ISLAND]
    )
    land_cells = _cells(seeds, ("land", "waste"))
    sea_cells = _cells(seeds, ("sea",))
    parts = {name: cell.intersection(whole) for name, cell in land_cells.items()}
    for name, patch in seeds.patches.items():
        patch = patch.intersection(whole)  # noqa: PLW2901 - what is left of it
        parts = {
            each: part.union(patch) if each == name else part.difference(patch)
            for each, part in parts.items()
        }
    water = frame.difference(whole)
    parts |= {name: cell.intersection(water) for name, cell in sea_cells.items()}
    return _tidy(parts, seeds)


def _without_ponds(polygon: Polygon) -> Polygon:
    return Polygon(
        polygon.exterior, [hole for hole in polygon.interiors if Polygon(hole).area > 400]
    )


def _cells(seeds: Seeds, kinds: tuple[str, ...]) -> dict[str, BaseGeometry]:
    names = [
        name for name, kind in seeds.kinds.items() if kind in kinds for _ in seeds.points[name]
    ]
    spots = [
        spot for name, kind in seeds.kinds.items() if kind in kinds for spot in seeds.points[name]
    ]
    wide = box(FRAME[0] - 400, FRAME[1] - 400, FRAME[2] + 400, FRAME[3] + 400)
    diagram = shapely.voronoi_polygons(MultiPoint(spots), extend_to=wide, ordered=True)
    grouped: dict[str, list[BaseGeometry]] = defaultdict(list)
    for name, cell in zip(names, diagram.geoms, strict=True):
        grouped[name].append(cell)
    cells = {name: shapely.union_all(group) for name, group in grouped.items()}
    return _redrawn(cells, wide)


def _redrawn(cells: dict[str, BaseGeometry], wide: Polygon) -> dict[str, BaseGeometry]:
    """Replace the straight borders of cells by smooth and slightly rough ones."""
    chance = random.Random(SEED)  # noqa: S311 - it draws
    edges = shapely.union_all([cell.boundary for cell in cells.values()])
    arcs = shapely.line_merge(edges)
    lines = [_drawn(arc, chance) for arc in getattr(arcs, "geoms", [arcs])]
    pieces = shapely.polygonize([*lines, wide.boundary])
    noded = shapely.node(shapely.union_all([*lines, wide.boundary]))
    pieces = shapely.polygonize(list(getattr(noded, "geoms", [noded])))
    grouped: dict[str, list[BaseGeometry]] = defaultdict(list)
    for piece in pieces.geoms:
        owner = max(cells, key=lambda name: cells[name].intersection(piece).area)
        grouped[owner].append(piece)
    return {name: shapely.union_all(group) for name, group in grouped.items()}


def _drawn(arc: LineString, chance: random.Random) -> LineString:
    points = np.array(arc.coords)
    for _ in range(3):
        points = _chaikin(points)
    points = np.array(shapely.segmentize(LineString(points).simplify(1.5), 16).coords)
    for _ in range(2):
        points = _displaced(points, chance)
    return LineString(_chaikin(points))


def _chaikin(points: np.ndarray) -> np.ndarray:
    if len(points) < 3:
        return points
    first, second = points[:-1] * 0.75 + points[1:] * 0.25, points[:-1] * 0.25 + points[1:] * 0.75
    between = np.empty((2 * len(first), 2))
    between[0::2], between[1::2] = first, second
    return np.vstack([points[:1], between[1:-1], points[-1:]])


def _displaced(points: np.ndarray, chance: random.Random) -> np.ndarray:
    result = [points[0]]
    for before, after in pairwise(points):
        step = after - before
        aside = np.array([step[1], -step[0]]) * chance.uniform(-ROUGHNESS, ROUGHNESS) * 2
        result += [(before + after) / 2 + aside, after]
    return np.array(result)


def _tidy(parts: dict[str, BaseGeometry], seeds: Seeds) -> dict[str, BaseGeometry]:
    """Give pieces that a border cut off from their province to the neighbour they lean on."""
    pieces = [[name, piece] for name, part in parts.items() for piece in polygons(part)]
    main = {name: max(polygons(part), key=lambda p: p.area) for name, part in parts.items()}
    for entry in pieces:
        name, piece = entry
        if piece is main[name] or any(piece.contains(Point(spot)) for spot in seeds.points[name]):
            continue
        is_sea = seeds.kinds[name] == "sea"
        near = [
            (piece.intersection(other).length, index)
            for index, (owner, other) in enumerate(pieces)
            if other is not piece
            and (seeds.kinds[owner] == "sea") == is_sea
            and owner != name
            and piece.intersects(other)
        ]
        best = max(near, default=(0.0, -1))
        if best[0] > 0.5 and (piece.area < SMALLEST_PIECE or is_sea):
            entry[0] = pieces[best[1]][0]
    grouped: dict[str, list[BaseGeometry]] = defaultdict(list)
    for name, piece in pieces:
        grouped[name].append(piece)
    return {name: shapely.union_all(grouped[name]) for name in parts}


def simplified(parts: dict[str, BaseGeometry], tolerance: float) -> dict[str, BaseGeometry]:
    """Take points away and keep shared borders shared; then round to one decimal."""
    names = list(parts)
    grid = [shapely.set_precision(parts[name], 0.1) for name in names]
    drawn = shapely.coverage_simplify(grid, tolerance)
    return dict(zip(names, drawn, strict=True))


def rings(shape: BaseGeometry) -> Iterable[list[tuple[float, float]]]:
    """Yield the rings of a shape, rounded, without repeated points."""
    for polygon in polygons(shape):
        for ring in (polygon.exterior, *polygon.interiors):
            points = [(round(x, 1), round(y, 1)) for x, y in ring.coords]
            kept = [point for i, point in enumerate(points) if i == 0 or point != points[i - 1]]
            if len(kept) > 3:
                yield kept
