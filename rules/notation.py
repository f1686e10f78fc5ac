"""Units, places and orders as short text: `A LON - NWY VIA NTH`, `F STP/NCS BLD`, `WVE`.

The text does not say whose a unit is, so a position is needed to read it. Raises BadInputError.
"""

from functools import lru_cache

from rules.board import Board
from rules.errors import BadInputError
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
from rules.places import Coast, Location, Power, Province
from rules.position import Position

KINDS = {"A": UnitKind.ARMY, "F": UnitKind.FLEET}
LETTERS = {kind: letter for letter, kind in KINDS.items()}
COASTS = {coast.value: coast for coast in Coast}
ENDINGS: dict[str, type[Hold | Disband | Build | Remove]] = {
    "H": Hold,
    "DSB": Disband,
    "BLD": Build,
    "REM": Remove,
}
ENDING_WORDS = {order: word for word, order in ENDINGS.items()}

Units = dict[Location, Unit]


@lru_cache(maxsize=4096)
def parse_location(board: Board, text: str) -> Location:
    """Read `MUN` or `STP/NCS`."""
    name, slash, coast = text.partition("/")
    if slash and coast not in COASTS:
        raise BadInputError(f"no such coast: {text!r}")
    return Location(board.province(name), COASTS[coast] if slash else None)


def parse_province(board: Board, text: str) -> Province:
    """Read a place that has no coast."""
    place = parse_location(board, text)
    if place.coast:
        raise BadInputError(f"no coast belongs here: {text!r}")
    return place.province


@lru_cache(maxsize=65536)
def parse_unit(board: Board, power: Power, text: str) -> Unit:
    """Read `A MUN` or `F STP/NCS`."""
    kind, _, place = text.partition(" ")
    if kind not in KINDS or not place or " " in place:
        raise BadInputError(f"not a unit: {text!r}; write it like 'A MUN' or 'F STP/NCS'")
    return Unit(power, KINDS[kind], parse_location(board, place))


class OrderReader:
    """Reads orders for one position."""

    def __init__(self, board: Board, position: Position) -> None:
        self._board = board
        self._units: Units = {unit.location: unit for unit in position.units}
        self._dislodged: Units = {out.unit.location: out.unit for out in position.dislodged}

    def read(self, power: Power, text: str) -> Order:
        """Read an order that a power gives.

        A unit that stands in the position is taken for that one, whosever it is; another is the
        power's own, and not there.
        """
        words = text.split()
        match words:
            case ["WVE"]:
                return Waive(power)
            case [kind, place, ending] if ending in ENDINGS:
                return ENDINGS[ending](self._unit(power, kind, place, ending))
            case [kind, place, "-", goal]:
                return Move(self._unit(power, kind, place), parse_location(self._board, goal))
            case [kind, place, "RTO", goal]:
                unit = self._unit(power, kind, place, "RTO")
                return Retreat(unit, parse_location(self._board, goal))
            case [kind, place, "-", goal, "VIA", *seas] if seas:
                return MoveByConvoy(
                    self._unit(power, kind, place),
                    parse_province(self._board, goal),
                    tuple(parse_province(self._board, sea) for sea in seas),
                )
            case [kind, place, "S", other_kind, other, *rest]:
                unit = self._unit(power, kind, place)
                supported = self._unit(power, other_kind, other)
                if not rest:
                    return SupportHold(unit, supported)
                if len(rest) == 2 and rest[0] == "-":
                    return SupportMove(unit, supported, parse_province(self._board, rest[1]))
            case [kind, place, "C", other_kind, other, "-", goal]:
                return Convoy(
                    self._unit(power, kind, place),
                    self._unit(power, other_kind, other),
                    parse_province(self._board, goal),
                )
            case _:
                pass
        raise BadInputError(f"not an order: {text!r}; write it like 'A MUN - BUR'")

    def _unit(self, power: Power, kind: str, place: str, verb: str = "") -> Unit:
        if kind not in KINDS:
            raise BadInputError(f"not a unit: {kind + ' ' + place!r}; a unit begins with A or F")
        unit_kind, location = KINDS[kind], parse_location(self._board, place)
        found = None
        if verb != "BLD":
            units, dislodged = self._units.get(location), self._dislodged.get(location)
            first, second = (dislodged, units) if verb in ("RTO", "DSB") else (units, dislodged)
            for each in (first, second):
                if found is None and each is not None and each.kind is unit_kind:
                    found = each
        return found or Unit(power, unit_kind, location)


def parse_order(board: Board, position: Position, power: Power, text: str) -> Order:
    """Read one order; for many use an `OrderReader`."""
    return OrderReader(board, position).read(power, text)


@lru_cache(maxsize=65536)
def format_unit(unit: Unit) -> str:
    """Write a unit without its power."""
    return f"{LETTERS[unit.kind]} {unit.location}"


def format_order(order: Order) -> str:
    """Write an order without its power."""
    if isinstance(order, Waive):
        return "WVE"
    unit = format_unit(order.unit)
    match order:
        case Move(destination=place):
            return f"{unit} - {place}"
        case MoveByConvoy(destination=goal, via=seas):
            return f"{unit} - {goal} VIA {' '.join(sea.name for sea in seas)}"
        case SupportHold(supported=other):
            return f"{unit} S {format_unit(other)}"
        case SupportMove(supported=other, destination=goal):
            return f"{unit} S {format_unit(other)} - {goal}"
        case Convoy(convoyed=other, destination=goal):
            return f"{unit} C {format_unit(other)} - {goal}"
        case Retreat(destination=place):
            return f"{unit} RTO {place}"
        case _:
            return f"{unit} {ENDING_WORDS[type(order)]}"
