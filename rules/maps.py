"""Read maps in our own JSON form: those we ship in the folder `maps`, and a user's own.

A province lists under `army` and `fleet` where such a unit can go from it; no `army` makes it a
sea, no `fleet` inland, and `fleet` as an object gives each of several coasts a list of its own.
`docs/variants.md` describes the form. May raise BadInputError, which names file and field.
"""

import json
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from attrs import frozen

from rules.board import Board
from rules.board_checks import Flaw, flaws
from rules.errors import BadInputError, unreadable
from rules.notation import KINDS
from rules.numbering import usual_order
from rules.orders import Unit
from rules.places import Coast, Location, Power, Province, Terrain
from rules.position import Position, by_province
from rules.turns import Turn, turn_of

FOLDER = Path(__file__).with_name("maps")


def map_names() -> list[str]:
    """Return the names of the maps we ship."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


@cache
def load_map(name: str = "standard") -> Board:
    """Return the shipped map of that name."""
    if name not in map_names():
        raise BadInputError(f"no such map: {name!r}; the maps are {', '.join(map_names())}")
    return load_map_file(FOLDER / f"{name}.json")


def load_map_file(path: Path) -> Board:
    """Return the map in a JSON file."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error) from error
    except json.JSONDecodeError as error:
        raise BadInputError(f"{path.name}, line {error.lineno}: {error.msg}") from error
    except ValueError as error:  # of a number with thousands of digits
        raise BadInputError(f"{path.name}: {error}") from None
    except RecursionError:
        raise BadInputError(f"{path.name}: nested too deeply") from None
    return board_from_json(data, path.name)


def board_from_json(data: object, source: str = "map") -> Board:
    """Build a board from the JSON form; `source` is the file to name in complaints."""
    top = Node(data, source)
    places = Places(top.child("provinces"))
    powers = {name: power_from(entry) for name, entry in sorted(top.child("powers").children())}
    entries = dict(top.child("powers").children())
    board = Board(
        name=top.child("name").text(),
        title=top.child("title").text(),
        powers=tuple(powers.values()),
        provinces=places.in_token_order(),
        homes={powers[name]: places.provinces(entries[name].child("homes")) for name in powers},
        army_borders=places.army_borders(),
        fleet_borders=places.fleet_borders(),
        start=start_position(top, powers, places),
    )
    for flaw in flaws(board):
        raise top.fault_at(flaw, {power.name for power in board.powers})
    return board


def power_from(entry: "Node") -> Power:
    """Read what people call a power."""
    return Power(entry.key, entry.child("title").text(), entry.child("adjective").text())


def start_position(top: "Node", powers: dict[str, Power], places: "Places") -> Position:
    """Build the position at the beginning of a game."""
    units: list[Unit] = []
    owners: dict[Province, Power] = {}
    for name, entry in top.child("powers").children():
        units += [places.unit(powers[name], item) for item in entry.child("units").items()]
        for item in entry.child("centers").items():
            if (center := places.province(item)) in owners:
                raise item.fault(f"{center} already belongs to {owners[center]}")
            owners[center] = powers[name]
    return Position(
        turn=start_turn(top.child("start")),
        units=tuple(sorted(units, key=by_province)),
        dislodged=(),
        owners=dict(sorted(owners.items(), key=lambda entry: entry[1].name)),
    )


def start_turn(node: "Node") -> Turn:
    """Read `[season, year]`."""
    turn = turn_of(node.data)
    if turn is None:
        raise node.fault('expected a season and a year such as ["SPR", 1901]')
    return turn


@frozen
class Node:
    """A piece of the JSON, and the path to it for complaints."""

    data: Any
    source: str
    path: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The name of the piece inside the next larger one."""
        return self.path[-1]

    def child(self, key: str) -> "Node":
        """Return the field of that name, which must be there."""
        if not isinstance(self.data, dict):
            raise self.fault("expected an object in braces")
        if key not in self.data:
            raise self.fault(f"the field {key!r} is missing")
        return Node(self.data[key], self.source, (*self.path, key))

    def children(self) -> Iterator[tuple[str, "Node"]]:
        """Yield all fields by name."""
        if not isinstance(self.data, dict):
            raise self.fault("expected an object in braces")
        for key in self.data:
            yield key, self.child(key)

    def has(self, key: str) -> bool:
        """Whether there is a field of that name."""
        return isinstance(self.data, dict) and key in self.data

    def items(self) -> list["Node"]:
        """Return the entries of a list."""
        if not isinstance(self.data, list):
            raise self.fault("expected a list in square brackets")
        return [Node(item, self.source, self.path) for item in self.data]

    def text(self) -> str:
        """Return the text that this is."""
        if not isinstance(self.data, str):
            raise self.fault(f"expected text in quotes, not {self.data!r}")
        return self.data

    def fault(self, text: str) -> BadInputError:
        """Make the exception for a fault here."""
        place = f", field {'.'.join(self.path)}" if self.path else ""
        return BadInputError(f"{self.source}{place}: {text}")

    def fault_at(self, flaw: Flaw, powers: set[str]) -> BadInputError:
        """Make the exception for a flaw of the finished board."""
        part = "powers" if flaw.field in {"homes", "centers", "units"} else "provinces"
        if not flaw.field and flaw.name in powers:
            part = "powers"
        path = (part, flaw.name, flaw.field) if flaw.field else (part, flaw.name)
        return Node(None, self.source, path).fault(flaw.text)


class Places:
    """The provinces of a map file by name, and the borders between them."""

    def __init__(self, entries: Node) -> None:
        self._entries = dict(entries.children())
        self._provinces = {
            name: Province(name, terrain_of(entry), is_center(entry), entry.child("title").text())
            for name, entry in self._entries.items()
        }

    def in_token_order(self) -> tuple[Province, ...]:
        """Return the provinces as DAIDE numbers them."""
        return tuple(sorted(self._provinces.values(), key=usual_order))

    def province(self, node: Node) -> Province:
        """Look up one province."""
        try:
            return self._provinces[node.text()]
        except KeyError:
            raise node.fault(f"no such province: {node.data!r}") from None

    def provinces(self, node: Node) -> tuple[Province, ...]:
        """Look up several provinces."""
        return tuple(self.province(item) for item in node.items())

    def location(self, node: Node) -> Location:
        """Read `PROVINCE` or `PROVINCE/COAST`."""
        name, _, coast = node.text().partition("/")
        province = self.province(Node(name, node.source, node.path))
        return Location(province, coast_from(coast, node) if coast else None)

    def unit(self, power: Power, node: Node) -> Unit:
        """Read `A PROVINCE` or `F LOCATION`."""
        kind, _, place = node.text().partition(" ")
        if kind not in KINDS:
            raise node.fault(f"expected a unit such as 'A ABC' or 'F ABC', not {node.data!r}")
        return Unit(power, KINDS[kind], self.location(Node(place, node.source, node.path)))

    def army_borders(self) -> dict[Province, tuple[Province, ...]]:
        """Return where armies can go."""
        return {
            self._provinces[name]: self.provinces(entry.child("army"))
            for name, entry in self._entries.items()
            if entry.has("army")
        }

    def fleet_borders(self) -> dict[Location, tuple[Location, ...]]:
        """Return where fleets can go, coast by coast."""
        borders: dict[Location, tuple[Location, ...]] = {}
        for name, entry in self._entries.items():
            if entry.has("fleet"):
                for coast, node in coast_lists(entry.child("fleet")):
                    neighbors = tuple(self.location(item) for item in node.items())
                    borders[Location(self._provinces[name], coast)] = neighbors
        return borders


def coast_lists(node: Node) -> Iterator[tuple[Coast | None, Node]]:
    """Yield the list of each coast, or the only list without one."""
    if not isinstance(node.data, dict):
        yield None, node
        return
    for coast, places in node.children():
        yield coast_from(coast, places), places


def coast_from(name: str, node: Node) -> Coast:
    """Read the name of a coast."""
    try:
        return Coast(name)
    except ValueError:
        raise node.fault(f"no such coast: {name!r}") from None


def is_center(entry: Node) -> bool:
    """Whether the province is a supply center."""
    return entry.has("center") and bool(entry.child("center").data)


def terrain_of(entry: Node) -> Terrain:
    """Derive the terrain from the lists of neighbours."""
    if not entry.has("army"):
        if not entry.has("fleet"):
            raise entry.fault("neither 'army' nor 'fleet' says where units can go from here")
        return Terrain.SEA
    if not entry.has("fleet"):
        return Terrain.INLAND
    return Terrain.MULTI_COAST if isinstance(entry.child("fleet").data, dict) else Terrain.COASTAL


@lru_cache(maxsize=64)
def announced_name(board: Board) -> str:
    """Return the name of the map that clients are told.

    A game on the standard map is one whatever its units: many clients know no other name, and read
    the units from NOW and the owners from SCO. See docs/variants.md.
    """
    standard = load_map()
    return standard.name if _geography(board) == _geography(standard) else board.name


def _geography(board: Board) -> object:
    """Return all that an MDF and an RM say of a board, in a form that compares."""
    return (
        [power.name for power in board.powers],
        [(each.name, each.terrain, each.is_center) for each in board.provinces],
        {power.name: {home.name for home in board.homes[power]} for power in board.powers},
        {here.name: {to.name for to in near} for here, near in board.army_borders.items()},
        {str(here): set(map(str, near)) for here, near in board.fleet_borders.items()},
    )
