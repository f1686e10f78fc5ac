"""Why an order came out as it did: a case for every sentence."""

from collections.abc import Callable
from typing import Any

import pytest

from rules.adjudicate import adjudicate
from rules.board import Board
from rules.maps import load_map
from rules.notation import format_order
from rules.phrases import order_clause, order_denial

Maker = Callable[..., Any]

FAR = (
    "did not reach Norway: the fleet in the North Sea was dislodged by the German fleet from "
    "the Helgoland Bight"
)
# Who stands where, what is ordered, the order that is asked about, and the sentence.
CASES = [
    ({"FRA": "A PAR"}, {"FRA": "A PAR H"}, "A PAR H", "held"),
    ({"FRA": "A PAR"}, {}, "A PAR H", "held for want of an order"),
    ({"FRA": "A PAR"}, {"FRA": "A PAR - BUR"}, "A PAR - BUR", "moved to Burgundy with strength 1"),
    (
        {"FRA": "A PAR", "GER": "A MUN"},
        {"FRA": "A PAR - BUR", "GER": "A MUN - BUR"},
        "A PAR - BUR",
        "bounced in Burgundy: the German army from Munich was as strong: both had strength 1",
    ),
    (
        {"FRA": "A PAR", "GER": "A MUN, A RUH"},
        {"FRA": "A PAR - BUR", "GER": "A MUN - BUR, A RUH S A MUN - BUR"},
        "A PAR - BUR",
        "bounced in Burgundy: the German army from Munich was stronger: 2 against 1",
    ),
    (
        {"FRA": "A PAR, A BUR"},
        {"FRA": "A PAR - BUR, A BUR H"},
        "A PAR - BUR",
        "bounced in Burgundy: its own army did not leave",
    ),
    (
        {"FRA": "A PAR, A GAS", "GER": "A BUR"},
        {"FRA": "A PAR - BUR, A GAS S A PAR - BUR", "GER": "A BUR H"},
        "A BUR H",
        "held; dislodged by the French army from Paris with strength 2",
    ),
    (
        {"FRA": "A PAR, A GAS", "GER": "A MUN"},
        {"FRA": "A PAR - BUR, A GAS S A PAR - BUR", "GER": "A MUN H"},
        "A GAS S A PAR - BUR",
        "supported the French army from Paris",
    ),
    (
        {"FRA": "A PAR, A GAS", "GER": "A MAR"},
        {"FRA": "A PAR - BUR, A GAS S A PAR - BUR", "GER": "A MAR - GAS"},
        "A GAS S A PAR - BUR",
        "support cut by the German army from Marseilles",
    ),
    (
        {"FRA": "A PAR, A GAS"},
        {"FRA": "A PAR H, A GAS S A PAR - BUR"},
        "A GAS S A PAR - BUR",
        "support void: the French army from Paris was not told to go there",
    ),
    (
        {"FRA": "A PAR, A GAS"},
        {"FRA": "A PAR - BUR, A GAS S A PAR"},
        "A GAS S A PAR",
        "support void: the French army from Paris was not told to stay",
    ),
    (
        {"ENG": "A LON, F NTH"},
        {"ENG": "A LON - NWY VIA NTH, F NTH H"},
        "A LON - NWY VIA NTH",
        "did not reach Norway: no fleet in the North Sea convoyed it there",
    ),
    (
        {"ENG": "A LON, F NTH"},
        {"ENG": "A LON H, F NTH C A LON - NWY"},
        "F NTH C A LON - NWY",
        "convoy void: the English army from London was not told to come this way",
    ),
    (
        {"ENG": "A LON, F NTH"},
        {"ENG": "A LON - NWY VIA NTH, F NTH C A LON - NWY"},
        "F NTH C A LON - NWY",
        "convoyed the English army from London",
    ),
    (
        {"ENG": "A LON, F NTH", "GER": "F HEL, F DEN"},
        {
            "ENG": "A LON - NWY VIA NTH, F NTH C A LON - NWY",
            "GER": "F HEL - NTH, F DEN S F HEL - NTH",
        },
        "A LON - NWY VIA NTH",
        FAR,
    ),
    (
        {"FRA": "A PAR"},
        {"FRA": "A PAR - MOS"},
        "A PAR - MOS",
        "illegal order, so it held: that cannot be reached",
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[3])
def test_the_sentence(
    case: tuple[dict[str, str], dict[str, str], str, str], board: Board, place: Maker, orders: Maker
) -> None:
    units, given, asked, sentence = case
    position = place(**units)
    found = adjudicate(board, position, orders(position, **given), explain=True)
    said = {format_order(each.order): each.explanation for each in found.reports}
    assert said[asked] == sentence


def test_nobody_pays_for_sentences_that_are_not_asked_for(
    board: Board, place: Maker, orders: Maker
) -> None:
    position = place(FRA="A PAR")
    found = adjudicate(board, position, orders(position, FRA="A PAR - BUR"))
    assert [(each.explanation, each.strength) for each in found.reports] == [("", None)]


CLAUSES = {
    "A PAR H": "the French army in Paris holds",
    "A PAR - BUR": "the French army in Paris moves to Burgundy",
    "A PAR S A BUR": "the French army in Paris supports the French army in Burgundy",
    "A PAR S A BUR - GAS": "the French army in Paris supports the move of the French army in "
    "Burgundy to Gascony",
    "F MAO C A BUR - POR": "the French fleet in the Mid-Atlantic Ocean convoys the French army in "
    "Burgundy to Portugal",
    "A BRE - LON VIA ECH": "the French army in Brest goes by convoy to London over the English "
    "Channel",
    "F BRE RTO SPA/NCS": "the French fleet in Brest retreats to Spain (north coast)",
    "A PAR DSB": "the French army in Paris disbands",
    "A PAR BLD": "France builds an army in Paris",
    "F BRE BLD": "France builds a fleet in Brest",
    "A PAR REM": "France removes the French army in Paris",
    "WVE": "France waives a build",
}


@pytest.mark.parametrize("text", CLAUSES)
def test_an_order_as_a_clause_and_as_its_denial(text: str, orders: Maker, place: Maker) -> None:
    (order,) = orders(place(FRA="A GAL"), FRA=text)
    assert order_clause(order) == CLAUSES[text]
    subject = CLAUSES[text].partition(" in ")[0]
    assert order_denial(order).startswith(subject.split()[0])
    assert " does not " in order_denial(order)


def test_every_power_and_province_of_the_standard_map_has_its_words() -> None:
    board = load_map()
    assert all(power.title and power.adjective for power in board.powers)
    assert all(province.title for province in board.provinces)
