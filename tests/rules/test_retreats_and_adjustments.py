"""The turns between the moves: who finds a place, who is destroyed, who builds and who goes."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from rules.adjudicate import adjudicate
from rules.board import Board
from rules.legal_orders import legal_adjustments, legal_orders
from rules.maps import load_map, map_names
from rules.notation import format_order, format_unit
from rules.orders import Build, Order, OrderNote, OrderResult, Remove, Retreat, Waive, power_of
from rules.places import Power
from rules.position import Position
from rules.resolution import Resolution
from rules.turns import Phase

Maker = Callable[..., Any]
OUT = {"FRA": ("A BUR", ["PAR", "GAS"]), "GER": ("F PIC", ["PAR", "BEL"])}
SPAIN = {"FRA": ("F MAR", ["SPA/SCS"]), "ENG": ("F MAO", ["SPA/NCS", "POR"])}


def told(found: Resolution) -> dict[str, object]:
    return {format_order(report.order): report.result for report in found.reports}


def standing(position: Position) -> set[str]:
    return {f"{unit.power} {format_unit(unit)}" for unit in position.units}


def test_each_finds_a_place_of_its_own(board: Board, place: Maker, orders: Maker) -> None:
    position = place("SUM", dislodged=OUT)
    given = orders(position, FRA="A BUR RTO PAR", GER="F PIC RTO BEL")
    found = adjudicate(board, position, given)
    assert standing(found.position) == {"FRA A PAR", "GER F BEL"}
    assert set(told(found).values()) == {OrderResult.SUCCEEDED}


def test_those_who_meet_are_destroyed_also_on_two_coasts(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place("SUM", dislodged=SPAIN)
    given = orders(position, FRA="F MAR RTO SPA/SCS", ENG="F MAO RTO SPA/NCS")
    found = adjudicate(board, position, given, explain=True)
    assert standing(found.position) == set()
    assert set(told(found).values()) == {OrderResult.BOUNCED}
    assert {each.explanation for each in found.reports} == {"destroyed: 2 units retreated to Spain"}


def test_one_that_may_not_go_there_keeps_nobody_out(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place("SUM", dislodged=OUT)
    given = orders(position, FRA="A BUR RTO PAR", GER="F PIC RTO ECH")
    found = adjudicate(board, position, given)
    assert standing(found.position) == {"FRA A PAR"}
    assert told(found)["F PIC RTO ECH"] not in (OrderResult.SUCCEEDED, OrderResult.BOUNCED)


def test_who_says_nothing_disbands_and_the_report_says_who_ordered_it(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place("AUT", dislodged=OUT)
    found = adjudicate(board, position, orders(position, FRA="A BUR DSB"), explain=True)
    by_order = {format_order(each.order): each for each in found.reports}
    assert standing(found.position) == set()
    assert not by_order["A BUR DSB"].automatic
    assert by_order["F PIC DSB"].automatic
    assert by_order["F PIC DSB"].explanation == "disbanded: it had no order"


def test_the_last_of_two_orders_for_a_retreat_counts(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place("SUM", dislodged=OUT)
    given = orders(position, FRA="A BUR RTO PAR, A BUR RTO GAS", GER="F PIC RTO PAR")
    found = adjudicate(board, position, given)
    assert standing(found.position) == {"FRA A GAS", "GER F PAR"}


# --- adjustments ----------------------------------------------------------------------------------


def adjusted(board: Board, position: Position, given: list[Order]) -> Resolution:
    assert position.turn.phase is Phase.ADJUSTMENT
    return adjudicate(board, position, given, explain=True)


def test_a_power_builds_at_home_as_much_as_it_is_due_and_waives_the_rest(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place("WIN", FRA="A BUR", centers={"FRA": "PAR MAR BRE SPA"})
    given = orders(position, FRA="A PAR BLD, A SPA BLD, A PAR BLD, F BRE BLD")
    found = adjusted(board, position, given)
    assert standing(found.position) == {"FRA A BUR", "FRA A PAR", "FRA F BRE"}
    (waived,) = [each for each in found.reports if isinstance(each.order, Waive)]
    assert (waived.automatic, waived.explanation) == (True, "France does without a build")


def test_the_first_builds_count_when_there_are_too_many(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place("WIN", FRA="A BUR", centers={"FRA": "PAR MAR"})
    found = adjusted(board, position, orders(position, FRA="A MAR BLD, A PAR BLD"))
    assert standing(found.position) == {"FRA A BUR", "FRA A MAR"}


def test_nothing_is_built_on_a_unit_or_in_a_home_that_somebody_owns(
    board: Board, place: Maker, orders: Maker
) -> None:
    centers = {"FRA": "PAR MAR SPA", "GER": "BRE"}
    position = place("WIN", FRA="A PAR", GER="F BRE", centers=centers)
    given = orders(position, FRA="A PAR BLD, F BRE BLD, A MAR BLD")
    assert standing(adjusted(board, position, given).position) == {
        "FRA A PAR",
        "FRA A MAR",
        "GER F BRE",
    }


@pytest.mark.parametrize(
    ("units", "removed"),
    [
        ("A PAR, A MOS", "A MOS"),  # farthest from home
        ("A SPA, F POR", "F POR"),  # farther over land and sea
        ("A BUR, F MAO", "F MAO"),  # fleets before armies where both are near
        ("A GAS, A BUR", "A BUR"),  # then by the alphabet
    ],
)
def test_who_does_not_say_what_goes_loses_the_farthest(
    units: str, removed: str, board: Board, place: Maker
) -> None:
    position = place("WIN", FRA=units, centers={"FRA": "PAR"})
    (report,) = adjusted(board, position, []).reports
    assert report.automatic
    assert isinstance(report.order, Remove)
    assert format_unit(report.order.unit) == removed


def test_a_removal_that_was_asked_for_comes_before_the_farthest(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place("WIN", FRA="A PAR, A MOS, A BUR", centers={"FRA": "MAR"})
    found = adjusted(board, position, orders(position, FRA="A PAR REM"))
    assert standing(found.position) == {"FRA A BUR"}
    assert [each.automatic for each in found.reports].count(True) == 1


# --- laws, over games of chance on every map ------------------------------------------------------


def chance_orders(board: Board, position: Position, random: Random) -> list[Order]:
    if position.turn.phase is Phase.ADJUSTMENT:
        return [
            random.choice(found)
            for power in board.powers
            if (found := legal_adjustments(board, position, power))
        ]
    return [random.choice(found) for found in legal_orders(board, position).values()]


def count(position: Position) -> Counter[Power]:
    return Counter(unit.power for unit in position.units)


def check_retreats(before: Position, found: Resolution) -> None:
    gone = [each for each in found.reports if isinstance(each.order, Retreat)]
    arrived = [each for each in gone if each.result is OrderResult.SUCCEEDED]
    assert len(found.position.units) == len(before.units) + len(arrived)
    assert set(before.units) <= set(found.position.units)
    assert not found.position.dislodged


def check_adjustments(board: Board, before: Position, found: Resolution) -> None:
    owned = Counter(before.owners.values())
    for power in board.powers:
        had, has = count(before)[power], count(found.position)[power]
        assert min(had, owned[power]) <= has <= max(had, owned[power])
        if had > owned[power]:
            assert has == owned[power]
        of_power = [each.order for each in found.reports if power_of(each.order) == power]
        builds = sum(isinstance(order, Build) for order in of_power)
        assert has - had == builds - sum(isinstance(order, Remove) for order in of_power)
        assert len(of_power) == abs(owned[power] - had) or had < owned[power]


@pytest.mark.parametrize("name", map_names())
@pytest.mark.parametrize("seed", range(3))
def test_units_come_and_go_only_as_the_reports_say(name: str, seed: int) -> None:
    board, random = load_map(name), Random(seed)
    position, seen = board.start, Counter[Phase]()
    for _ in range(60):
        found = adjudicate(board, position, chance_orders(board, position, random))
        seen[position.turn.phase] += 1
        provinces = [unit.location.province for unit in found.position.units]
        assert len(set(provinces)) == len(provinces)
        assert not any(isinstance(each.result, OrderNote) for each in found.reports)
        if position.turn.phase is Phase.RETREAT:
            check_retreats(position, found)
        elif position.turn.phase is Phase.ADJUSTMENT:
            check_adjustments(board, position, found)
        else:
            pushed = [each.unit for each in found.dislodgements]
            assert len(position.units) == len(found.position.units) + len(pushed)
        position = found.position
    # Where there is little room, sixty turns may pass without a retreat or an adjustment.
    assert name != "standard" or min(seen[phase] for phase in Phase) > 0
