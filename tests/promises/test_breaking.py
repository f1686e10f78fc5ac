"""Which orders break which promises: a row for each kind of order, and what breaks nothing."""

import pytest
from attrs import evolve

from grammar.press import Demilitarize, Draw
from promises.breaking import breach, by_power, entries_in
from promises.promise import Kind, Promise
from rules.maps import load_map
from rules.notation import format_order, parse_unit
from rules.notation import parse_order as read
from rules.orders import Order
from rules.position import Position, held_provinces
from rules.turns import Season, Turn

BOARD = load_map()
FRANCE, ENGLAND, GERMANY = (BOARD.power(name) for name in ("FRA", "ENG", "GER"))
UNITS = {"FRA": ["A PAR", "F MAO", "A BUR"], "ENG": ["F ECH", "A PIC"], "GER": ["A RUH"]}
POSITION = Position(
    Turn(Season.SPRING, 1902),
    tuple(parse_unit(BOARD, BOARD.power(name), text) for name in UNITS for text in UNITS[name]),
    (),
    {BOARD.province("LON"): ENGLAND, BOARD.province("BEL"): ENGLAND, BOARD.province("PAR"): FRANCE},
)
PEACE = Promise(
    kind=Kind.PEACE, maker=FRANCE, to=(ENGLAND,), arrangement=Draw(), made=POSITION.turn
)
ZONE = Promise(
    kind=Kind.DMZ,
    maker=FRANCE,
    to=(ENGLAND,),
    arrangement=Demilitarize((ENGLAND, FRANCE), (BOARD.province("ECH"), BOARD.province("BEL"))),
    made=POSITION.turn,
)


def orders(*texts: str) -> list[Order]:
    return [read(BOARD, POSITION, FRANCE, text) for text in texts]


def broken_by(promise: Promise, *texts: str) -> str | None:
    found = breach(promise, entries_in(orders(*texts)), held_provinces(POSITION))
    return None if found is None else format_order(found)


@pytest.mark.parametrize(
    ("order", "peace", "zone"),
    [
        ("A PAR H", False, False),
        ("A PAR - PIC", True, False),  # where a unit of the partner stands
        ("A BUR - BEL", True, True),  # a center that it owns, with nobody in it
        ("A BUR - RUH", False, False),  # somebody else's
        ("F MAO - ECH", True, True),
        ("F BRE RTO ECH", True, True),
        ("A BRE - LON VIA ECH", True, False),
        ("A BUR S A RUH - BEL", True, True),  # help for others against the partner
        ("A PAR S A PIC - BEL", False, True),  # the partner's own unit goes there
        ("F MAO C A PAR - LON", True, False),
        ("A PAR S A PIC", False, False),
        ("A PAR BLD", False, False),
        ("A PAR REM", False, False),
        ("WVE", False, False),
    ],
)
def test_one_order(order: str, peace: bool, zone: bool) -> None:
    assert broken_by(PEACE, order) == (order if peace else None)
    assert broken_by(ZONE, order) == (order if zone else None)


def test_building_in_a_zone_breaks_it_but_no_peace() -> None:
    zone = evolve(ZONE, arrangement=Demilitarize((ENGLAND, FRANCE), (BOARD.province("PAR"),)))
    assert broken_by(zone, "A PAR BLD") == "A PAR BLD"
    assert broken_by(PEACE, "A PAR BLD") is None


def test_the_first_order_that_breaks_is_named() -> None:
    assert broken_by(PEACE, "A PAR H", "A BUR - BEL", "A PAR - PIC") == "A BUR - BEL"


def test_a_partner_that_is_gone_cannot_be_attacked() -> None:
    gone = evolve(PEACE, to=(BOARD.power("ITA"),))
    assert broken_by(gone, "A PAR - PIC", "A BUR - BEL") is None


def test_orders_are_sorted_by_whose_they_are() -> None:
    given = [*orders("A PAR H", "WVE"), read(BOARD, POSITION, GERMANY, "A RUH - BEL")]
    assert {power.name: len(found) for power, found in by_power(given).items()} == {
        "FRA": 2,
        "GER": 1,
    }
