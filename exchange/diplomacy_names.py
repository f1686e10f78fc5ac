"""What the package `diplomacy` calls the powers, places and orders of the standard map.

Raises BadInputError for what has no counterpart.
"""

import re

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

POWERS = {
    "AUS": "AUSTRIA",
    "ENG": "ENGLAND",
    "FRA": "FRANCE",
    "GER": "GERMANY",
    "ITA": "ITALY",
    "RUS": "RUSSIA",
    "TUR": "TURKEY",
}
_OUR_POWERS = {theirs: ours for ours, theirs in POWERS.items()}
_PLACES = {"ECH": "ENG", "GOB": "BOT", "GOL": "LYO"}
_OUR_PLACES = {theirs: ours for ours, theirs in _PLACES.items()}
_COASTS = {Coast.NORTH: "NC", Coast.SOUTH: "SC", Coast.EAST: "EC", Coast.WEST: "WC"}
_OUR_COASTS = {theirs: ours for ours, theirs in _COASTS.items()}
_LETTERS = {UnitKind.ARMY: "A", UnitKind.FLEET: "F"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}
WAIVE = "WAIVE"


def their_power(power: Power | str) -> str:
    """Return what `diplomacy` calls a power."""
    try:
        return POWERS[str(power)]
    except KeyError:
        raise BadInputError(f"the package diplomacy has no power {str(power)!r}") from None


def our_power(board: Board, name: str) -> Power:
    """Return the power of that name."""
    if name not in _OUR_POWERS:
        raise BadInputError(f"no such power: {name!r}")
    return board.power(_OUR_POWERS[name])


def their_place(place: Location | Province) -> str:
    """Return what `diplomacy` calls a place."""
    location = place if isinstance(place, Location) else Location(place)
    name = location.province.name
    name = _PLACES.get(name, name)
    return f"{name}/{_COASTS[location.coast]}" if location.coast else name


def our_place(board: Board, text: str) -> Location:
    """Read a place, such as ENG (the Channel) or STP/SC."""
    name, slash, coast = text.upper().partition("/")
    if slash and coast not in _OUR_COASTS:
        raise BadInputError(f"no such coast: {text!r}")
    return Location(
        board.province(_OUR_PLACES.get(name, name)), _OUR_COASTS[coast] if slash else None
    )


def their_unit(unit: Unit) -> str:
    """Write a unit without its power."""
    return f"{_LETTERS[unit.kind]} {their_place(unit.location)}"


def our_unit(board: Board, power: Power, text: str) -> Unit:
    """Read `A PAR` or `F STP/SC`."""
    match = re.fullmatch(r"\*?([AF]) (\S+)", text)
    if match is None:
        raise BadInputError(f"not a unit: {text!r}")
    kind, place = _KINDS[match[1]], our_place(board, match[2])
    if kind is UnitKind.ARMY:
        place = Location(place.province)
    return Unit(power, kind, place)


def their_order(order: Order, goals: dict[Unit, Location]) -> str:
    """Write an order; `goals` tells to which coast a supported fleet goes."""
    if isinstance(order, Waive):
        return WAIVE
    unit = their_unit(order.unit)
    match order:
        case Hold():
            return f"{unit} H"
        case Move(destination=place):
            return f"{unit} - {their_place(place)}"
        case MoveByConvoy(destination=goal):
            return f"{unit} - {their_place(goal)} VIA"
        case SupportHold(supported=other):
            return f"{unit} S {their_unit(other)}"
        case SupportMove(supported=other, destination=goal):
            place = goals.get(other, Location(goal))
            place = place if place.province == goal else Location(goal)
            return f"{unit} S {their_unit(other)} - {their_place(place)}"
        case Convoy(convoyed=other, destination=goal):
            return f"{unit} C {their_unit(other)} - {their_place(goal)}"
        case Retreat(destination=place):
            return f"{unit} R {their_place(place)}"
        case Build():
            return f"{unit} B"
        case Disband() | Remove():
            return f"{unit} D"
