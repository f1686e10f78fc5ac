"""The names on the map: powers, provinces, coasts, and the locations where units stand.

Powers and provinces are known by their names. Two values with the same name are the same power or
province, whatever else is known about them: a client may learn the terrain later than the name.
"""

from enum import Enum

from attrs import frozen


class Terrain(Enum):
    """What a province is made of, and so which units may stand there."""

    INLAND = "inland"
    SEA = "sea"
    COASTAL = "coastal"
    MULTI_COAST = "multi-coast"  # a fleet there stands on one named coast


class Coast(Enum):
    """One of several coasts of a province; the value is the DAIDE word."""

    NORTH = "NCS"
    NORTH_EAST = "NEC"
    EAST = "ECS"
    SOUTH_EAST = "SEC"
    SOUTH = "SCS"
    SOUTH_WEST = "SWC"
    WEST = "WCS"
    NORTH_WEST = "NWC"


@frozen(eq=False)
class Power:
    """One of the sides, such as AUS; `title` is what people call it, Austria."""

    name: str
    title: str = ""
    adjective: str = ""

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Power) and self.name == other.name)

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@frozen(eq=False)
class Province:
    """A space that is owned or occupied, such as STP; it has no coast."""

    name: str
    terrain: Terrain = Terrain.INLAND
    is_center: bool = False
    title: str = ""

    @property
    def is_sea(self) -> bool:
        """Whether only fleets may stand here."""
        return self.terrain is Terrain.SEA

    @property
    def is_coastal(self) -> bool:
        """Whether armies and fleets may both stand here."""
        return self.terrain in (Terrain.COASTAL, Terrain.MULTI_COAST)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Province) and self.name == other.name)

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name


@frozen(cache_hash=True, unsafe_hash=True)
class Location:  # noqa: PLW1641 - attrs makes the hash
    """Where a unit stands or goes: a province, with its coast for a fleet where it has several."""

    province: Province
    coast: Coast | None = None

    def __eq__(self, other: object) -> bool:
        """Compare; locations mostly name the same province, which is seen without a look at it."""
        return self is other or (
            isinstance(other, Location)
            and (self.province is other.province or self.province == other.province)
            and self.coast is other.coast
        )

    def __str__(self) -> str:
        return f"{self.province}/{self.coast.value}" if self.coast else self.province.name
