"""The drawing of the standard board: it touches exactly where the rules do."""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any, TypeAlias

import pytest

from rules.maps import load_map
from spectator.drawings import PAGE
from spectator.schematic import neighbors

Spot: TypeAlias = tuple[int, int]
# Pairs that touch in the drawing and not in the rules, or the other way; so far there are none.
EXCEPTIONS: set[frozenset[str]] = set()
MOST_POINTS, MOST_BYTES = 8000, 90_000


@pytest.fixture(scope="module")
def drawing() -> dict[str, Any]:
    data: dict[str, Any] = json.loads((PAGE / "maps/standard.json").read_text())
    return data


def rings(outline: str) -> Iterator[list[Spot]]:
    """Read an outline, in tenths of a map unit; a ring begins and ends with the same spot."""
    for ring in re.findall(r"M([^z]*)z", outline):
        start, _, steps = ring.partition("l")
        numbers = [int(n) for n in re.findall(r"-?\d+", steps)]
        x, y = (int(n) for n in re.findall(r"-?\d+", start))
        spots = [(x, y)]
        for dx, dy in zip(numbers[::2], numbers[1::2], strict=True):
            x, y = x + dx, y + dy
            spots.append((x, y))
        yield [*spots, spots[0]]


def area(ring: list[Spot]) -> float:
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(ring)) / 2


def contains(outline: str, spot: tuple[float, float]) -> bool:
    x, y = spot[0] * 10, spot[1] * 10
    inside = False
    for ring in rings(outline):
        for (ax, ay), (bx, by) in pairwise(ring):
            if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                inside = not inside
    return inside


def test_provinces_touch_where_the_rules_say(drawing: dict[str, Any]) -> None:
    sides: dict[frozenset[Spot], set[str]] = defaultdict(set)
    for name, place in drawing["provinces"].items():
        for ring in rings(place["path"]):
            for side in pairwise(ring):
                sides[frozenset(side)].add(name)
    drawn = {frozenset(pair) for owners in sides.values() for pair in combinations(owners, 2)}
    ruled = {
        frozenset((name, other))
        for name, others in neighbors(load_map("standard")).items()
        for other in others
    }
    assert drawn ^ ruled == EXCEPTIONS
    assert len(ruled) == 206


def test_units_stand_in_their_provinces(drawing: dict[str, Any]) -> None:
    places = drawing["provinces"]
    assert places.keys() == {province.name for province in load_map("standard").provinces}
    for name, place in places.items():
        assert contains(place["path"], place["unit"]), name
        assert ("dot" in place) == place.get("center", False)
        if "dot" in place:
            assert contains(place["path"], place["dot"]), name
    for one, other in combinations(places, 2):
        assert math.dist(places[one]["unit"], places[other]["unit"]) > 24, (one, other)


def test_every_split_coast_is_marked(drawing: dict[str, Any]) -> None:
    wanted = {
        (place.province.name, place.coast.value)
        for place in load_map("standard").fleet_borders
        if place.coast
    }
    marked = {
        (name, coast)
        for name, place in drawing["provinces"].items()
        for coast in place.get("coasts", {})
    }
    assert marked == wanted


def test_names_do_not_cover_each_other(drawing: dict[str, Any]) -> None:
    for one, other in combinations(drawing["provinces"].values(), 2):
        (x, y), (other_x, other_y) = one["label"], other["label"]
        assert abs(x - other_x) > 22 or abs(y - other_y) > 11, (one["title"], other["title"])


def test_the_map_is_light(drawing: dict[str, Any]) -> None:
    outlines = [place["path"] for place in drawing["provinces"].values()] + drawing["waste"]
    points = sum(len(ring) - 1 for outline in outlines for ring in rings(outline))
    assert 4000 < points <= MOST_POINTS
    assert (PAGE / "maps/standard.json").stat().st_size <= MOST_BYTES
    assert all(area(ring) for outline in outlines for ring in rings(outline))
