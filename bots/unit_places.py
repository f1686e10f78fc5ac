"""The board as value maps see it: unit places, numbered, with their borders as plain integers.

A unit place is a location with the kind of unit that stands there: the army's Brest and the
fleet's Brest are two, Spain has three. Armies and fleets see different maps, so bots that value
places value unit places. They are numbered by province as on the board, armies first, then fleets,
coasts in the order of their DAIDE tokens; ties between equal values are broken in that order.
"""

from array import array
from functools import cache

from bots.kernel import Spreading, Valuing
from rules.board import Board
from rules.kernel.encode import codec_of
from rules.orders import Unit, UnitKind
from rules.places import Coast, Location, Province
from rules.position import Position

_COASTS = (None, *Coast)


class Standing:
    """Who stands where in one position, found once for all powers that look at it."""

    def __init__(self, unit_places: "UnitPlaces", position: Position) -> None:
        self.position = position
        index = unit_places.power_index
        self.places = [unit_places.of(unit) for unit in position.units]
        """The unit place of every unit."""
        self.powers = [index[unit.power.name] for unit in position.units]
        """The number of its power on the board."""
        owners = {center.name: index[owner.name] for center, owner in position.owners.items()}
        self.owners = [owners.get(center.name, -1) for center in unit_places.board.centers]
        """By center the number of the power that owns it, or -1."""
        self.sizes = [self.owners.count(power) for power in range(len(index))]
        """By power how many centers it owns."""


class UnitPlaces:
    """The unit places of one board; use `unit_places_of(board)`, which makes them once."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.provinces = board.provinces
        self.province_index = {each: index for index, each in enumerate(board.provinces)}
        keys = sorted(
            [
                *((UnitKind.ARMY, Location(province)) for province in board.army_borders),
                *((UnitKind.FLEET, location) for location in board.fleet_borders),
            ],
            key=self._rank,
        )
        self.kinds = tuple(kind for kind, _ in keys)
        self.locations = tuple(location for _, location in keys)
        # Two dictionaries, because an Enum is slow to hash as a part of a key.
        self._armies, self._fleets = (
            {location: index for index, (each, location) in enumerate(keys) if each is kind}
            for kind in (UnitKind.ARMY, UnitKind.FLEET)
        )
        self.province_of = tuple(self.province_index[place.province] for place in self.locations)
        codec = codec_of(board)
        self.movers = array("i", [codec.movers[key] for key in keys])
        """The kernel's numbers of the unit places."""
        self.mover_count = codec.tables.movers
        self.borders = tuple(self._borders(*key) for key in keys)
        self.reach = tuple(
            tuple(self.province_of[other] for other in borders) for borders in self.borders
        )
        """The provinces of each unit place's borders: one with two coasts in reach comes twice."""
        self.in_province = self._by_province()
        self.centers = tuple(self.province_index[center] for center in board.centers)
        self.twins, self.sources = self._prepare_blur()
        self.power_index = {power.name: index for index, power in enumerate(board.powers)}
        self.valuing = Valuing(
            Spreading(self.sources, self.twins),
            self.province_of,
            self.reach,
            self.centers,
            len(board.powers),
        )
        """Holds the position whose standing was asked for last."""
        self._standing: Standing | None = None

    def __len__(self) -> int:
        return len(self.locations)

    def index(self, kind: UnitKind, location: Location) -> int:
        """Return the number of a unit_place."""
        return (self._armies if kind is UnitKind.ARMY else self._fleets)[location]

    def of(self, unit: Unit) -> int:
        """Return where a unit stands."""
        return (self._armies if unit.kind is UnitKind.ARMY else self._fleets)[unit.location]

    def standing(self, position: Position) -> Standing:
        """Return who stands where; the last position that was asked for is kept."""
        if self._standing is None or self._standing.position is not position:
            standing = Standing(self, position)
            self.valuing.stand(standing.places, standing.powers, standing.owners)
            self._standing = standing
        return self._standing

    def in_home(self, province: Province) -> tuple[int, ...]:
        """Return the unit places of a province."""
        return self.in_province[self.province_index[province]]

    def _rank(self, key: tuple[UnitKind, Location]) -> tuple[int, bool, int]:
        kind, location = key
        index = self.province_index[location.province]
        return index, kind is UnitKind.FLEET, _COASTS.index(location.coast)

    def _borders(self, kind: UnitKind, location: Location) -> tuple[int, ...]:
        if kind is UnitKind.FLEET:
            return tuple(
                sorted(self._fleets[place] for place in self.board.fleet_borders[location])
            )
        neighbors = self.board.army_borders[location.province]
        return tuple(sorted(self._armies[Location(province)] for province in neighbors))

    def _by_province(self) -> tuple[tuple[int, ...], ...]:
        found: list[list[int]] = [[] for _ in self.provinces]
        for index, province in enumerate(self.province_of):
            found[province].append(index)
        return tuple(map(tuple, found))

    def _prepare_blur(self) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        """Return the groups of twin coasts, and what each unit place sums up when values spread.

        A fleet that sees several coasts of a province counts it once, at its best coast. The groups
        are numbered behind the unit places themselves.
        """
        twins: dict[tuple[int, ...], int] = {}
        found = []
        for index, borders in enumerate(self.borders):
            groups: dict[int, list[int]] = {}
            for other in borders:
                groups.setdefault(self.province_of[other], []).append(other)
            sources = [index]
            for group in groups.values():
                if len(group) == 1:
                    sources.append(group[0])
                else:
                    sources.append(len(self) + twins.setdefault(tuple(group), len(twins)))
            found.append(tuple(sources))
        return tuple(twins), tuple(found)


@cache
def unit_places_of(board: Board) -> UnitPlaces:
    """Return the unit places of a board."""
    return UnitPlaces(board)
