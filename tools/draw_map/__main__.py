"""Draw the standard map: `python tools/draw_map land-50m.json`.

It writes spectator/page/maps/standard.json. The coastlines are `land-50m.json` of the npm package
world-atlas 2.0.2 (`npm pack world-atlas`); shapely 2.1 or later must be installed besides what the
project itself needs. The same input gives the same file.
"""

import json
import sys
from itertools import pairwise
from pathlib import Path

from anchors import anchors_in
from provinces import coverage, read_seeds, rings, simplified
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry
from world import FRAME, load_land, project, projected

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

from rules.maps import load_map  # noqa: E402 - only now can it be found
from rules.places import Province, Terrain  # noqa: E402 - after the path is set

TOLERANCE = 2.0
# Whose land it is at the start, besides the home centers.
COUNTRY = {
    "AUS": "BOH GAL TYR",
    "ENG": "CLY WAL YOR",
    "FRA": "BUR GAS PIC",
    "GER": "PRU RUH SIL",
    "ITA": "APU PIE TUS",
    "RUS": "FIN LVN UKR",
    "TUR": "ARM SYR",
}
# Where a fleet stands on one of several coasts, in degrees.
COASTS = {
    "STP": {"NCS": (37.5, 65.6), "SCS": (29.2, 60.3)},
    "SPA": {"NCS": (-5.6, 42.9), "SCS": (-2.6, 37.6)},
    "BUL": {"ECS": (27.4, 42.9), "SCS": (25.0, 41.4)},
}


def main(arguments: list[str]) -> None:
    """Write the map."""
    land = projected(load_land(Path(arguments[0])))
    seeds = read_seeds(HERE / "seeds.txt")
    parts = simplified(coverage(land, seeds), TOLERANCE)
    board = load_map("standard")
    homes = {
        center: [power.name for power in board.powers if center in board.homes[power]]
        for center in board.provinces
    }
    provinces = {
        province.name: entry(
            province, parts[province.name], seeds.units.get(province.name), homes[province]
        )
        for province in sorted(board.provinces, key=lambda each: each.name)
    }
    data = {
        "name": "standard",
        "credit": "Made with Natural Earth.",
        "view": [0, 0, FRAME[2] - FRAME[0], FRAME[3] - FRAME[1]],
        "spacing": 26,
        "tenths": True,
        "powers": {
            power.name: {"number": number, "title": power.title, "adjective": power.adjective}
            for number, power in enumerate(sorted(board.powers, key=lambda each: each.name))
        },
        "provinces": provinces,
        "waste": [
            outline(to_corner(parts[name])) for name, kind in seeds.kinds.items() if kind == "waste"
        ],
    }
    target = ROOT / "spectator/page/maps/standard.json"
    target.write_text(compact(data), encoding="utf-8")
    points = sum(len(ring) for part in parts.values() for ring in rings(part))
    print(f"{target.relative_to(ROOT)}: {points} points, {target.stat().st_size} bytes")


def entry(
    province: Province, part: BaseGeometry, wish: tuple[float, float] | None, homes: list[str]
) -> dict:
    """Return what the map file says of a province."""
    spots = anchors_in(part, wish, has_center=province.is_center)
    found = {
        "title": province.title,
        "kind": {Terrain.SEA: "sea", Terrain.INLAND: "land"}.get(province.terrain, "coast"),
        "unit": moved(spots.unit),
        "label": moved(spots.label),
    }
    if province.is_center:
        found |= {"center": True, "dot": moved(spots.dot)}
    if homes:
        found["home"] = homes
    for power, names in COUNTRY.items():
        if province.name in names.split():
            found["land"] = power
    if province.name in COASTS:
        found["coasts"] = {
            coast: moved(project(*spot)) for coast, spot in COASTS[province.name].items()
        }
    return found | {"path": outline(to_corner(part))}


def to_corner(shape: BaseGeometry) -> BaseGeometry:
    """Return a shape with the corner of the frame as origin."""
    return translate(shape, -FRAME[0], -FRAME[1])


def moved(spot: tuple[float, float]) -> list[float]:
    """Return a point with the corner of the frame as origin."""
    return [round(spot[0] - FRAME[0], 1), round(spot[1] - FRAME[1], 1)]


def outline(shape: BaseGeometry) -> str:
    """Write a shape as path data in tenths: the first point of a ring, then relative steps."""
    text = []
    for ring in rings(shape):
        tenths = [(round(x * 10), round(y * 10)) for x, y in ring[:-1]]
        text.append(f"M{tenths[0][0]}{joined(tenths[0][1])}l")
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(tenths)]
        line = "".join(joined(dx) + joined(dy) for dx, dy in steps)
        text.append(line.lstrip() + "z")
    return "".join(text)


def joined(tenths: int) -> str:
    """Write a number that follows another one."""
    return f"{tenths}" if tenths < 0 else f" {tenths}"


def compact(data: dict) -> str:
    """Write JSON with a line a province: small, and a change shows where it is."""
    lines = []
    for key, value in data.items():
        if key == "provinces":
            rows = [
                f"  {json.dumps(n)}: {json.dumps(v, separators=(',', ':'))}"
                for n, v in value.items()
            ]
            lines.append('"provinces": {\n' + ",\n".join(rows) + "\n}")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}")
    return "{" + ",\n".join(lines) + "}\n"


if __name__ == "__main__":
    main(sys.argv[1:])
