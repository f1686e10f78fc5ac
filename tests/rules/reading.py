"""Read the cases in `tests/data/datc.json`: units, places and orders as people write them.

Kept apart from the engine's own reader, so that a fault there cannot hide from these tests.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen

from rules.board import Board
from rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MoveByConvoy,
    Order,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
)
from rules.places import Coast, Location

KINDS = {"A": UnitKind.ARMY, "F": UnitKind.FLEET}
BARE_ORDERS: dict[str, type[Disband | Build | Remove]] = {
    "DSB": Disband,
    "BLD": Build,
    "REM": Remove,
}
DATC = Path(__file__).parents[1] / "data" / "datc.json"


@cache
def datc_cases() -> list[dict[str, Any]]:
    """Return all cases."""
    cases: list[dict[str, Any]] = json.loads(DATC.read_text())
    return cases


@frozen
class Reader:
    """Reads for one board; `units` finds the owner of a unit that an order names."""

    board: Board
    units: tuple[Unit, ...] = ()

    def place(self, text: str) -> Location:
        """Read `STP` or `STP/NCS`."""
        name, _, coast = text.partition("/")
        return Location(self.board.province(name), Coast(coast) if coast else None)

    def unit(self, power: str, text: str) -> Unit:
        """Read `A MUN` or `F STP/NCS`."""
        kind, place = text.split()
        return Unit(self.board.power(power), KINDS[kind], self.place(place))

    def all_units(self, by_power: dict[str, list[str]]) -> tuple[Unit, ...]:
        """Read the units of all powers, sorted as a position wants them."""
        units = [self.unit(power, text) for power, texts in by_power.items() for text in texts]
        return tuple(sorted(units, key=lambda unit: unit.location.province.name))

    def other(self, power: str, kind: str, place: str) -> Unit:
        """Read a unit that an order helps; it is its own power's if nobody's stands there."""
        wanted = self.unit(power, f"{kind} {place}")
        found = [u for u in self.units if (u.kind, u.location) == (wanted.kind, wanted.location)]
        return found[0] if found else wanted

    def order(self, power: str, text: str) -> Order:
        """Read an order of any phase."""
        words = text.split()
        if words == ["WVE"]:
            return Waive(self.board.power(power))
        unit = self.unit(power, " ".join(words[:2]))
        match words[2:]:
            case ["H"]:
                return Hold(unit)
            case ["-", place]:
                return Move(unit, self.place(place))
            case ["-", place, "VIA", *seas]:
                via = tuple(self.board.province(sea) for sea in seas)
                return MoveByConvoy(unit, self.board.province(place), via)
            case ["S", kind, place]:
                return SupportHold(unit, self.other(power, kind, place))
            case ["S", kind, place, "-", goal]:
                other = self.other(power, kind, place)
                return SupportMove(unit, other, self.board.province(goal))
            case ["C", kind, place, "-", goal]:
                return Convoy(unit, self.other(power, kind, place), self.board.province(goal))
            case ["RTO", place]:
                return Retreat(unit, self.place(place))
            case [word] if word in BARE_ORDERS:
                return BARE_ORDERS[word](unit)
        raise AssertionError(f"cannot read the order {text!r}")
