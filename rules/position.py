"""Positions: what stands where and who owns what, at the start of a turn."""

from collections.abc import Mapping

from attrs import frozen

from rules.orders import Unit
from rules.places import Location, Power, Province
from rules.turns import Turn


@frozen
class DislodgedUnit:
    """A unit that must leave its province, and where it may go; perhaps nowhere."""

    unit: Unit
    retreats: tuple[Location, ...]


@frozen
class Position:
    """Everything that the rules need to know to play on; a turn makes a new one.

    Units and dislodged units are sorted by province, so that equal positions compare equal.
    `owners` names the owner of each center that has one.
    """

    turn: Turn
    units: tuple[Unit, ...]
    dislodged: tuple[DislodgedUnit, ...]
    owners: Mapping[Province, Power]


def by_province(unit: Unit) -> str:
    """Sort key for the units of a position."""
    return unit.location.province.name


def held_provinces(position: Position) -> dict[Power, set[Province]]:
    """Return for each power the centers that it owns, and where its units stand."""
    held: dict[Power, set[Province]] = {}
    for center, owner in position.owners.items():
        held.setdefault(owner, set()).add(center)
    for unit in position.units:
        held.setdefault(unit.power, set()).add(unit.location.province)
    return held
