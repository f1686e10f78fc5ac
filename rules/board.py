"""The board: which provinces border which, whose home is where, and how a game starts."""

from collections.abc import Mapping
from functools import cached_property

from attrs import define, field

from rules.errors import BadInputError
from rules.orders import Unit, UnitKind
from rules.places import Location, Power, Province
from rules.position import Position


@define(frozen=True, eq=False, slots=False)
class Board:
    """A map and its starting position; never changes, so one object serves every game.

    Powers and provinces come in the order of their DAIDE numbers. `army_borders` has an entry for
    every province that armies may enter, `fleet_borders` one for every location of fleets.
    """

    name: str
    powers: tuple[Power, ...]
    provinces: tuple[Province, ...]
    homes: Mapping[Power, tuple[Province, ...]]
    army_borders: Mapping[Province, tuple[Province, ...]]
    fleet_borders: Mapping[Location, tuple[Location, ...]]
    start: Position
    title: str = field(default="")

    @cached_property
    def centers(self) -> tuple[Province, ...]:
        """All supply centers."""
        return tuple(province for province in self.provinces if province.is_center)

    @property
    def centers_to_win(self) -> int:
        """How many centers make a solo: more than half."""
        return len(self.centers) // 2 + 1

    def power(self, name: str) -> Power:
        """Return the power of that name."""
        try:
            return self._powers_by_name[name]
        except KeyError:
            raise BadInputError(f"no such power: {name!r}") from None

    def province(self, name: str) -> Province:
        """Return the province of that name."""
        try:
            return self._provinces_by_name[name]
        except KeyError:
            raise BadInputError(f"no such province: {name!r}") from None

    def destinations(self, unit: Unit) -> tuple[Location, ...]:
        """Where the unit can go in one step without a convoy; nowhere if it cannot stand there."""
        if unit.kind is UnitKind.FLEET:
            return self.fleet_borders.get(unit.location, ())
        return self._army_destinations.get(unit.location, ())

    @cached_property
    def _army_destinations(self) -> dict[Location, tuple[Location, ...]]:
        return {
            Location(province): tuple(Location(neighbor) for neighbor in neighbors)
            for province, neighbors in self.army_borders.items()
        }

    @cached_property
    def _powers_by_name(self) -> dict[str, Power]:
        return {power.name: power for power in self.powers}

    @cached_property
    def _provinces_by_name(self) -> dict[str, Province]:
        return {province.name: province for province in self.provinces}
