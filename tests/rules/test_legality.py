from collections.abc import Callable
from typing import Any

import pytest

from rules.board import Board
from rules.kernel import Simulator
from rules.kernel.encode import codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.legality import DEFERRED, Judge, Notes, adjustment_due, judge_order
from rules.notation import parse_order
from rules.orders import Build, Hold, OrderNote, Unit, UnitKind
from rules.places import Location, Province

Maker = Callable[..., Any]


@pytest.mark.parametrize(
    ("power", "order", "note"),
    [
        ("ENG", "F NTH - NWY", "MBV"),
        ("ENG", "F NTH - PIC", "FAR"),
        ("ENG", "F NTH - NTH", "FAR"),
        ("ENG", "A NTH H", "NSU"),
        ("ENG", "A WAL H", "NSU"),
        ("ENG", "F KIE H", "NYU"),
        ("ENG", "F NTH S F KIE - HEL", "MBV"),
        ("ENG", "F NTH S F NTH", "FAR"),
        ("ENG", "F NTH S A EDI", "NSU"),
        ("ENG", "A LON - NWY VIA NTH", "MBV"),
        ("ENG", "A LON - LON VIA NTH", "FAR"),
        ("ENG", "A LON - BEL VIA ECH", "NSF"),
        ("ENG", "A LON - BEL VIA YOR", "NSF"),
        ("ENG", "A LON - MUN VIA NTH", "FAR"),
        ("ENG", "F NTH - BEL VIA HEL", "NSA"),
        ("GER", "F KIE C A LON - BEL", "NAS"),
        ("ENG", "A LON C A LON - BEL", "NSF"),
        ("ENG", "F NTH C A LON - BEL", "MBV"),
        ("ENG", "F NTH C F KIE - BEL", "NSA"),
        ("ENG", "F NTH C A LON - STP", "FAR"),
        ("ENG", "F NTH C A KIE - BEL", "NSU"),
        ("ENG", "A LON C A KIE - BEL", "NSU"),
        ("GER", "F KIE C F LON - BEL", "NSU"),
        ("ENG", "F NTH RTO NWY", "NRS"),
        ("ENG", "WVE", "NRS"),
    ],
)
def test_a_movement_order_gets_its_note(
    board: Board, place: Maker, power: str, order: str, note: str
) -> None:
    position = place(ENG="F NTH, A LON", GER="F KIE")
    side = board.power(power)
    read = parse_order(board, position, side, order)
    assert judge_order(board, position, read, side).value == note


def test_a_fleet_must_name_the_coast_it_goes_to(board: Board, place: Maker) -> None:
    position = place(FRA="F MAO")
    france = board.power("FRA")
    for text, note in (("SPA", "FAR"), ("SPA/NCS", "MBV"), ("SPA/ECS", "FAR")):
        order = parse_order(board, position, france, f"F MAO - {text}")
        assert judge_order(board, position, order, france).value == note


def test_an_order_for_a_province_of_another_map_is_no_such_province(board: Board) -> None:
    england = board.power("ENG")
    unit = Unit(england, UnitKind.ARMY, Location(Province("QQQ")))
    assert judge_order(board, board.start, Hold(unit), england) is OrderNote.NO_SUCH_PROVINCE


def test_a_convoy_must_pass_the_fleet_without_turning_back(board: Board, place: Maker) -> None:
    position = place(ENG="A LON, F ECH, F IRI")
    england = board.power("ENG")
    order = parse_order(board, position, england, "F IRI C A LON - BEL")
    assert judge_order(board, position, order, england) is OrderNote.NOT_ADJACENT


def test_a_supporter_cannot_count_on_its_own_convoy(board: Board, place: Maker) -> None:
    position = place(ENG="A LON, F NTH")
    england = board.power("ENG")
    order = parse_order(board, position, england, "F NTH S A LON - NWY")
    assert judge_order(board, position, order, england) is OrderNote.NOT_ADJACENT


@pytest.mark.parametrize(
    ("order", "note"),
    [
        ("A BOH RTO TYR", "MBV"),
        ("A BOH RTO MUN", "NVR"),
        ("A BOH RTO LON", "FAR"),
        ("A BOH DSB", "MBV"),
        ("A MUN DSB", "NRN"),
        ("A BOH H", "NRS"),
    ],
)
def test_a_retreat_order_gets_its_note(board: Board, place: Maker, order: str, note: str) -> None:
    position = place("SUM", dislodged={"ITA": ("A BOH", ["TYR"])}, ITA="A MUN")
    italy = board.power("ITA")
    read = parse_order(board, position, italy, order)
    assert judge_order(board, position, read, italy).value == note


@pytest.mark.parametrize(
    ("order", "reference", "cases"),
    [
        ("F NTH C A KIE - BEL", "NSU", "NSA"),
        ("A LON C A KIE - BEL", "NSU", "NSU"),
        ("F EDI C A KIE - BEL", "NSU", "NSU"),
        ("F EDI C A LON - BEL", "NAS", "NAS"),
    ],
)
def test_a_convoy_of_a_unit_that_is_not_there_as_written(
    board: Board, place: Maker, order: str, reference: str, cases: str
) -> None:
    position = place(ENG="F NTH, A LON, F EDI", GER="F KIE")
    england = board.power("ENG")
    read = parse_order(board, position, england, order)
    for simulator in (PlainSimulator, Simulator):
        for notes, note in ((Notes.REFERENCE, reference), (Notes.CASES, cases)):
            judge = Judge(board, position, simulator(codec_of(board).tables), notes=notes)
            assert judge.judge(read, england).value == note
    assert (judge_order(board, position, read, england) in DEFERRED) == (reference != "NSU")


def test_the_cases_know_no_retreat_that_is_too_far(board: Board, place: Maker) -> None:
    position = place("SUM", dislodged={"ITA": ("A BOH", ["TYR"])})
    italy = board.power("ITA")
    for text, note in (("A BOH RTO LON", "NVR"), ("A BOH RTO MUN", "NVR")):
        read = parse_order(board, position, italy, text)
        assert Judge(board, position, notes=Notes.CASES).judge(read, italy).value == note


@pytest.mark.parametrize(
    ("order", "note"),
    [
        ("A STP BLD", "MBV"),
        ("F STP BLD", "CST"),
        ("F STP/NCS BLD", "MBV"),
        ("F MOS BLD", "CST"),
        ("A BER BLD", "HSC"),
        ("A KIE BLD", "YSC"),
        ("A UKR BLD", "NSC"),
        ("A WAR BLD", "ESC"),
        ("A WAR REM", "NMR"),
        ("WVE", "MBV"),
    ],
)
def test_an_adjustment_gets_its_note(board: Board, place: Maker, order: str, note: str) -> None:
    position = place("WIN", centers={"RUS": "STP MOS WAR BER", "GER": "KIE"}, RUS="A WAR")
    russia = board.power("RUS")
    read = parse_order(board, position, russia, order)
    assert judge_order(board, position, read, russia).value == note


def test_builds_and_waives_use_up_what_is_due(board: Board, place: Maker) -> None:
    position = place("WIN", centers={"RUS": "STP MOS"}, RUS="A WAR")
    russia = board.power("RUS")
    waive = parse_order(board, position, russia, "WVE")
    build = parse_order(board, position, russia, "A STP BLD")
    assert adjustment_due(position, russia) == 1
    assert judge_order(board, position, build, russia, [waive]) is OrderNote.NO_MORE_BUILDS
    assert isinstance(build, Build)


def test_any_order_for_an_own_unit_is_accepted_when_the_game_says_so(
    board: Board, place: Maker
) -> None:
    position = place(ENG="F NTH", GER="F KIE")
    england = board.power("ENG")
    for text, passes in (("F NTH - PIC", True), ("F NTH S A EDI", False), ("F KIE H", False)):
        order = parse_order(board, position, england, text)
        assert (judge_order(board, position, order, england) in DEFERRED) == passes
