"""Read the maps we ship: one JSON file each in the folder `maps`.

A province lists under `army` and `fleet` where such a unit can go from it; no `army` makes it a
sea, no `fleet` inland, and `fleet` as an object gives each of several coasts a list of its own.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from rules.board import Board
from rules.errors import BadInputError
from rules.orders import Unit, UnitKind
from rules.places import Coast, Location, Power, Province, Terrain
from rules.position import Position
from rules.turns import Season, Turn

FOLDER = Path(__file__).with_name("maps")
TERRAINS = (Terrain.INLAND, Terrain.SEA, Terrain.COASTAL, Terrain.MULTI_COAST)
KINDS = {"A": UnitKind.ARMY, "F": UnitKind.FLEET}


def map_names() -> list[str]:
    """Return the names of the maps we ship."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


@cache
def load_map(name: str = "standard") -> Board:
    """Return the shipped map of that name."""
    if name not in map_names():
        raise BadInputError(f"no such map: {name!r}; the maps are {', '.join(map_names())}")
    return board_from_json(json.loads((FOLDER / f"{name}.json").read_text()))


def board_from_json(data: Mapping[str, Any]) -> Board:
    """Build a board from the JSON form."""
    places = Places(data["provinces"])
    powers = {
        name: Power(name, power["title"], power["adjective"])
        for name, power in sorted(data["powers"].items())
    }
    return Board(
        name=data["name"],
        title=data["title"],
        powers=tuple(powers.values()),
        provinces=places.in_token_order(),
        homes={
            power: places.provinces(data["powers"][name]["homes"]) for name, power in powers.items()
        },
        army_borders=places.army_borders(),
        fleet_borders=places.fleet_borders(),
        start=start_position(data, powers, places),
    )


def start_position(
    data: Mapping[str, Any], powers: Mapping[str, Power], places: "Places"
) -> Position:
    """Build the position at the beginning of a game."""
    season, year = data["start"]
    units = [
        places.unit(power, text)
        for name, power in powers.items()
        for text in data["powers"][name]["units"]
    ]
    owners = {
        province: power
        for name, power in powers.items()
        for province in places.provinces(data["powers"][name]["centers"])
    }
    return Position(
        turn=Turn(Season(season), year),
        units=tuple(sorted(units, key=lambda unit: unit.location.province.name)),
        dislodged=(),
        owners=owners,
    )


class Places:
    """The provinces of a map file by name, and the borders between them."""

    def __init__(self, entries: Mapping[str, Mapping[str, Any]]) -> None:
        self._entries = entries
        self._provinces = {
            name: Province(name, terrain_of(entry), bool(entry.get("center")), entry["title"])
            for name, entry in entries.items()
        }

    def in_token_order(self) -> tuple[Province, ...]:
        """Return the provinces as DAIDE numbers them: by category, then by name."""
        return tuple(sorted(self._provinces.values(), key=token_order))

    def provinces(self, names: Iterable[str]) -> tuple[Province, ...]:
        """Look up several provinces."""
        return tuple(self._provinces[name] for name in names)

    def location(self, text: str) -> Location:
        """Read `PROVINCE` or `PROVINCE/COAST`."""
        name, _, coast = text.partition("/")
        return Location(self._provinces[name], Coast(coast) if coast else None)

    def unit(self, power: Power, text: str) -> Unit:
        """Read `A PROVINCE` or `F LOCATION`."""
        kind, _, place = text.partition(" ")
        return Unit(power, KINDS[kind], self.location(place))

    def army_borders(self) -> dict[Province, tuple[Province, ...]]:
        """Return where armies can go."""
        return {
            self._provinces[name]: self.provinces(entry["army"])
            for name, entry in self._entries.items()
            if "army" in entry
        }

    def fleet_borders(self) -> dict[Location, tuple[Location, ...]]:
        """Return where fleets can go, coast by coast."""
        borders: dict[Location, tuple[Location, ...]] = {}
        for name, entry in self._entries.items():
            by_coast = entry.get("fleet", {})
            if isinstance(by_coast, list):
                by_coast = {None: by_coast}
            for coast, neighbors in by_coast.items():
                here = Location(self._provinces[name], Coast(coast) if coast else None)
                borders[here] = tuple(self.location(text) for text in neighbors)
        return borders


def terrain_of(entry: Mapping[str, Any]) -> Terrain:
    """Derive the terrain from the lists of neighbours."""
    if "army" not in entry:
        return Terrain.SEA
    if "fleet" not in entry:
        return Terrain.INLAND
    return Terrain.MULTI_COAST if isinstance(entry["fleet"], dict) else Terrain.COASTAL


def token_order(province: Province) -> tuple[int, bool, str]:
    """Sort key: DAIDE numbers provinces by terrain, then centers last, then by name."""
    return TERRAINS.index(province.terrain), province.is_center, province.name
