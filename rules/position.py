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
