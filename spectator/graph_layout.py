"""Lay a graph out in the plane so that neighbors are near and others far: stress majorization.

Pure and deterministic: the same graph gives the same points, on every machine.
"""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Graph: TypeAlias = Mapping[str, Sequence[str]]

STARTS = 4
ROUNDS = 70
WORK = 1_000_000  # pairs looked at in all; a large graph gets fewer starts and rounds
APART = 0.78  # no two points are nearer than this, if one edge has length 1


def lay_out(graph: Graph) -> dict[str, Point]:
    """Return a point for every node; edges are about 1 long."""
    names = sorted(graph)
    if len(names) < 2:
        return dict.fromkeys(names, (0.0, 0.0))
    hops = _distances(graph, names)
    pairs = len(names) ** 2
    starts = max(1, min(STARTS, WORK // (pairs * ROUNDS)))
    layouts = [_settled(hops, Random(number)) for number in range(starts)]  # noqa: S311 - no secret
    edges = [
        (a, b)
        for a, name in enumerate(names)
        for b, other in enumerate(names)
        if a < b and other in graph[name]
    ]
    best = min(layouts, key=lambda points: (_crossings(points, edges), _stress(points, hops)))
    return dict(zip(names, _kept_apart(best), strict=True))


def _distances(graph: Graph, names: list[str]) -> list[list[float]]:
    """Return how many steps it is from each to each; parts that do not touch are far apart."""
    far = math.sqrt(len(names)) + 1
    index = {name: number for number, name in enumerate(names)}
    table = []
    for start in names:
        found = {start: 0}
        queue = deque([start])
        while queue:
            name = queue.popleft()
            for other in graph[name]:
                if other not in found:
                    found[other] = found[name] + 1
                    queue.append(other)
        row = [far] * len(names)
        for name, steps in found.items():
            row[index[name]] = float(steps)
        table.append(row)
    return table


def _settled(hops: list[list[float]], chance: Random) -> list[Point]:
    """Start from two far corners of the graph, then let every point go where the others want it."""
    count = len(hops)
    first = chance.randrange(count)
    a = max(range(count), key=lambda i: (hops[first][i], -i))
    b = max(range(count), key=lambda i: (hops[a][i], -i))
    c = max(range(count), key=lambda i: (min(hops[a][i], hops[b][i]), -i))
    points = [
        (hops[a][i] - hops[b][i] + chance.random() * 0.3, 2 * hops[c][i] + chance.random() * 0.3)
        for i in range(count)
    ]
    for _ in range(ROUNDS):
        for i in range(count):
            points[i] = _wanted(points, hops[i], i)
    return points


def _wanted(points: list[Point], hops: list[float], i: int) -> Point:
    x, y = points[i]
    sum_x = sum_y = sum_weight = 0.0
    for j, (other_x, other_y) in enumerate(points):
        if i == j:
            continue
        steps = hops[j]
        weight = 1 / (steps * steps)
        dx, dy = x - other_x, y - other_y
        size = math.sqrt(dx * dx + dy * dy) or 1e-6
        sum_x += weight * (other_x + steps * dx / size)
        sum_y += weight * (other_y + steps * dy / size)
        sum_weight += weight
    return sum_x / sum_weight, sum_y / sum_weight


def _stress(points: list[Point], hops: list[list[float]]) -> float:
    return sum(
        (math.dist(points[i], points[j]) - hops[i][j]) ** 2 / hops[i][j] ** 2
        for i in range(len(points))
        for j in range(i)
    )


def _crossings(points: list[Point], edges: list[tuple[int, int]]) -> int:
    def turn(a: Point, b: Point, c: Point) -> bool:
        return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])

    count = 0
    for number, (a, b) in enumerate(edges):
        p, q = points[a], points[b]
        for c, d in edges[:number]:
            if len({a, b, c, d}) < 4:
                continue
            r, s = points[c], points[d]
            count += turn(p, q, r) != turn(p, q, s) and turn(r, s, p) != turn(r, s, q)
    return count


def _kept_apart(points: list[Point]) -> list[Point]:
    """Push points away from each other that are too near."""
    points = list(points)
    for _ in range(200):
        moved = False
        for i in range(len(points)):
            for j in range(i):
                dx, dy = points[i][0] - points[j][0], points[i][1] - points[j][1]
                size = math.hypot(dx, dy)
                if size >= APART - 1e-6:
                    continue
                moved = True
                if size == 0:
                    dx, dy, size = 1e-3 * (i + 1), 1e-3, 1e-3
                push = (APART - size) / 2 / (size or 1)
                points[i] = points[i][0] + dx * push, points[i][1] + dy * push
                points[j] = points[j][0] - dx * push, points[j][1] - dy * push
        if not moved:
            break
    return points
