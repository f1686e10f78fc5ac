import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.adjudicate import adjudicate
from rules.board import Board
from rules.kernel.encode import codec_of
from rules.legal_orders import legal_adjustments, legal_orders
from rules.maps import load_map
from rules.notation import format_order, format_unit, parse_order
from rules.orders import Order, OrderNote, OrderResult
from rules.outcome import eliminated, solo_winner, survivors
from rules.position import Position
from rules.resolution import Resolution
from rules.turns import Phase, Season

Maker = Callable[..., Any]


def results(resolution: Resolution) -> dict[str, str]:
    return {
        format_order(report.order): " ".join(
            [
                *([report.result.value] if report.result else []),
                *(["RET"] if report.dislodged else []),
            ]
        )
        for report in resolution.reports
    }


def units(position: Position) -> list[str]:
    return [f"{unit.power.name} {format_unit(unit)}" for unit in position.units]


def test_two_equal_attacks_bounce_and_close_the_province_to_retreats(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place(FRA="A PAR", GER="A MUN")
    found = adjudicate(board, position, orders(position, FRA="A PAR - BUR", GER="A MUN - BUR"))
    assert results(found) == {"A MUN - BUR": "BNC", "A PAR - BUR": "BNC"}
    assert [province.name for province in found.contested] == ["BUR"]


def test_a_convoyed_attack_cuts_support(board: Board, place: Maker, orders: Maker) -> None:
    position = place(ENG="A LON, F NTH", FRA="A HOL, A RUH", GER="A BEL")
    given = orders(
        position,
        ENG="A LON - HOL VIA NTH, F NTH C A LON - HOL",
        FRA="A HOL S A RUH - BEL, A RUH - BEL",
    )
    found = results(adjudicate(board, position, given))
    assert found["A HOL S A RUH - BEL"] == "CUT"
    assert found["A RUH - BEL"] == "BNC"


def test_armies_swap_places_when_one_is_convoyed(board: Board, place: Maker, orders: Maker) -> None:
    position = place(ENG="A NWY, F SKA", RUS="A SWE")
    given = orders(position, ENG="A NWY - SWE VIA SKA, F SKA C A NWY - SWE", RUS="A SWE - NWY")
    found = adjudicate(board, position, given)
    assert units(found.position) == ["RUS A NWY", "ENG F SKA", "ENG A SWE"]


def test_a_unit_without_an_order_holds_and_is_marked_automatic(board: Board, place: Maker) -> None:
    found = adjudicate(board, place(ENG="F NTH"), [])
    assert [(report.automatic, report.result) for report in found.reports] == [
        (True, OrderResult.SUCCEEDED)
    ]


def test_an_illegal_order_holds_and_its_note_is_the_result(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place(ENG="F NTH", GER="F HEL, F SKA")
    given = orders(position, ENG="F NTH - PIC", GER="F HEL S F SKA - NTH, F SKA - NTH")
    report = adjudicate(board, position, given).reports[1]
    assert (report.result, report.dislodged) == (OrderNote.NOT_ADJACENT, True)


def test_a_support_for_an_illegal_move_is_reported_as_given_and_helps_nobody(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place(ENG="F NTH, F NWG", RUS="F SKA, F NWY")
    nowhere = parse_order(board, position, board.power("ENG"), "F NTH - CLY")
    given = [*orders(position, ENG="F NWG S F NTH - CLY"), nowhere]
    found = adjudicate(board, position, given)
    # NWG reaches CLY, NTH does not: the support itself is illegal as well.
    assert [report.result for report in found.reports if report.order in given] == [
        OrderNote.NOT_ADJACENT,
        OrderNote.NOT_ADJACENT,
    ]


def test_a_hold_support_counts_for_a_unit_with_an_illegal_order(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place(ENG="F NTH, F EDI", GER="F HEL, F SKA")
    given = orders(
        position,
        ENG="F NTH - PIC, F EDI S F NTH",
        GER="F HEL S F SKA - NTH, F SKA - NTH",
    )
    assert results(adjudicate(board, position, given))["F NTH - PIC"] == "FAR"


def test_a_circle_of_armies_turns(board: Board, place: Maker, orders: Maker) -> None:
    position = place(TUR="F ANK, A CON, A SMY")
    given = orders(position, TUR="F ANK - CON, A CON - SMY, A SMY - ANK")
    assert set(results(adjudicate(board, position, given)).values()) == {"SUC"}


def test_a_convoy_paradox_fails_the_convoy(board: Board, place: Maker, orders: Maker) -> None:
    position = place(ENG="F LON, F WAL", FRA="A BRE, F ECH")
    given = orders(
        position,
        ENG="F LON S F WAL - ECH, F WAL - ECH",
        FRA="A BRE - LON VIA ECH, F ECH C A BRE - LON",
    )
    assert results(adjudicate(board, position, given)) == {
        "A BRE - LON VIA ECH": "DSR",
        "F ECH C A BRE - LON": "RET",
        "F LON S F WAL - ECH": "SUC",
        "F WAL - ECH": "SUC",
    }


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("A PAR - BUR", "bounced in Burgundy: the German army from Munich was as strong"),
        ("A MUN - BUR", "bounced in Burgundy: the French army from Paris was as strong"),
        ("A TYR S A MUN", "support void: the German army from Munich was not told to stay"),
    ],
)
def test_every_report_says_why_when_asked(
    board: Board, place: Maker, orders: Maker, order: str, sentence: str
) -> None:
    position = place(FRA="A PAR", GER="A MUN", ITA="A TYR")
    given = orders(position, FRA="A PAR - BUR", GER="A MUN - BUR", ITA="A TYR S A MUN")
    found = adjudicate(board, position, given, explain=True)
    assert [
        report.explanation.startswith(sentence)
        for report in found.reports
        if format_order(report.order) == order
    ] == [True]


def test_retreats_to_one_province_destroy_each_other(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place(
        "SUM",
        dislodged={"ITA": ("A BOH", ["TYR", "GAL"]), "AUS": ("A VIE", ["TYR"])},
        GER="A MUN",
    )
    found = adjudicate(board, position, orders(position, ITA="A BOH RTO TYR", AUS="A VIE RTO TYR"))
    assert set(results(found).values()) == {"BNC"}
    assert units(found.position) == ["GER A MUN"]
    assert found.position.turn.season is Season.FALL


def test_a_dislodged_unit_without_an_order_disbands(board: Board, place: Maker) -> None:
    found = adjudicate(board, place("SUM", dislodged={"ITA": ("A BOH", ["TYR"])}, GER="A MUN"), [])
    assert results(found) == {"A BOH DSB": "SUC"}


def test_centers_change_hands_after_the_fall_only(
    board: Board, place: Maker, orders: Maker
) -> None:
    for season, is_updated in (("SPR", False), ("FAL", True)):
        position = place(season, centers={"GER": "BER KIE MUN"}, FRA="A BUR")
        found = adjudicate(board, position, orders(position, FRA="A BUR - MUN"))
        assert found.ownership_updated is is_updated
        owner = found.position.owners[board.province("MUN")].name
        assert owner == ("FRA" if is_updated else "GER")


def test_waives_and_removals_are_added_where_they_lack(board: Board, place: Maker) -> None:
    position = place(
        "WIN", centers={"GER": "BER KIE MUN", "RUS": "WAR"}, GER="A KIE", RUS="A TYR, F BAL"
    )
    found = adjudicate(board, position, [])
    assert [format_order(report.order) for report in found.reports] == ["A TYR REM", "WVE", "WVE"]
    assert found.position.turn.season is Season.SPRING


def test_more_than_half_the_centers_win(board: Board) -> None:
    france = board.power("FRA")
    owners = dict.fromkeys(board.centers[:18], france)
    assert solo_winner(board, owners) == france
    owners.pop(board.centers[0])
    assert solo_winner(board, owners) is None
    assert france not in eliminated(board, owners)
    assert len(survivors(board, board.start)) == 7


def random_choice(board: Board, position: Position, rng: random.Random) -> list[Order]:
    if position.turn.phase is Phase.ADJUSTMENT:
        return [
            rng.choice(found)
            for power in board.powers
            if (found := legal_adjustments(board, position, power))
        ]
    return [rng.choice(found) for found in legal_orders(board, position).values()]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9))
def test_units_are_conserved_and_the_kernel_agrees_in_every_phase(seed: int) -> None:
    board, rng = load_map(), random.Random(seed)
    codec = codec_of(board)
    state = codec.new_simulator()
    position = board.start
    for _ in range(12):
        given_orders = random_choice(board, position, rng)
        codec.load(position, state)
        state.step([codec.code(order) for order in given_orders])
        resolution = adjudicate(board, position, given_orders)
        rng.shuffle(given_orders)
        if position.turn.phase is not Phase.ADJUSTMENT:
            assert adjudicate(board, position, given_orders) == resolution
        following = resolution.position
        assert codec.position(state) == following
        if position.turn.phase is Phase.MOVEMENT:
            check_movement(position, resolution)
        position = following


def check_movement(position: Position, resolution: Resolution) -> None:
    following = resolution.position
    before = Counter((unit.power, unit.kind) for unit in position.units)
    after = Counter(
        (unit.power, unit.kind)
        for unit in (*following.units, *(out.unit for out in resolution.dislodgements))
    )
    assert before == after
    provinces = [unit.location.province for unit in following.units]
    assert len(provinces) == len(set(provinces))
    for report in resolution.reports:
        assert report.dislodged in (True, False)
        assert report.result is not OrderResult.SUCCEEDED or not report.dislodged
