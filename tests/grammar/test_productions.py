"""Every production: read at its lowest level, refused below it, written back; see `data`."""

from typing import get_args

import pytest

from grammar import messages, press
from grammar.parse import Garbled, Unbalanced, parse
from grammar.tables import LEVELS
from grammar.text import from_text, to_text
from grammar.tokens import Word
from grammar.write import write
from rules.orders import Order
from tests.grammar.cases import ACCEPTED, REFUSED, Case

COMPLAINTS = (Word.HUH, Word.PRN)


@pytest.mark.parametrize("case", ACCEPTED, ids=str)
def test_production_is_read_at_its_level_and_written_back(case: Case) -> None:
    message = case.parse()
    assert type(case.value_in(message)).__name__ == case.name
    assert not isinstance(message, Garbled | Unbalanced)
    assert to_text(write(message)) == case.text


@pytest.mark.parametrize("case", ACCEPTED, ids=str)
def test_production_means_the_same_at_every_higher_level(case: Case) -> None:
    message = case.parse()
    assert [case.parse(level) for level in LEVELS if level > case.level] == [
        message for level in LEVELS if level > case.level
    ]


@pytest.mark.parametrize("case", [case for case in ACCEPTED if case.level], ids=str)
def test_production_is_refused_one_level_below_at_the_token_that_is_above_it(case: Case) -> None:
    fault = case.parse(case.level_below)
    assert isinstance(fault, Garbled)
    assert fault.at == case.at
    answer = fault.answer()
    assert answer is not None
    assert to_text(write(answer)) == case.huh


@pytest.mark.parametrize("case", [case for case in ACCEPTED if case.level], ids=str)
def test_production_is_refused_at_all_lower_levels(case: Case) -> None:
    lower = [level for level in LEVELS if level < case.level]
    assert [type(case.parse(level)) for level in lower] == [Garbled for _ in lower]


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_wrong_message_is_refused_at_the_first_token_that_is_wrong(case: Case) -> None:
    fault = case.parse()
    assert isinstance(fault, Garbled)
    assert fault.at == case.at
    answer = fault.answer()
    if case.tokens[:1] in {(word,) for word in COMPLAINTS}:
        assert answer is None
    else:
        assert answer is not None
        assert to_text(write(answer)) == case.huh


def test_every_production_has_an_accepted_and_a_refused_sentence() -> None:
    assert {case.block for case in ACCEPTED} == {case.block for case in REFUSED}


def test_every_line_above_level_10_says_which_token_is_above_the_level_below() -> None:
    assert [case for case in ACCEPTED if case.level > 10 and not case.has_mark] == []


def test_every_refused_line_says_which_token_is_wrong() -> None:
    assert [case for case in REFUSED if case.marked.count("^") != 1] == []


@pytest.mark.parametrize(
    ("kind", "union"),
    [
        ("client", messages.ClientMessage),
        ("server", messages.ServerMessage),
        ("order", Order),
        ("press", press.Press),
        ("arrangement", press.Arrangement),
    ],
)
def test_every_class_of_the_language_is_among_the_productions(kind: str, union: object) -> None:
    classes = {each.__name__ for each in get_args(union)}
    assert {case.name for case in ACCEPTED if case.kind == kind} == classes


# The table of the syntax document; the observer's line is the server's business.
@pytest.mark.parametrize(
    ("level", "text", "answer"),
    [
        (0, "NME ( 'x' )", "HUH ( NME ( 'x' ) ERR )"),
        (0, "NME ( 'x' ) ( 3 )", "HUH ( NME ( 'x' ) ( ERR 3 ) )"),
        (0, "WHT ( YES )", "HUH ( ERR WHT ( YES ) )"),
        (0, "( ENG AMY LVP ) HLD", "HUH ( ERR ( ENG AMY LVP ) HLD )"),
        (0, "SUB", "HUH ( SUB ERR )"),
        (0, "SUB ( ( ENG AMY LVP ) MTO )", "HUH ( SUB ( ( ENG AMY LVP ) MTO ERR ) )"),
        (0, "SUB ( ( ENG AMY LVP ) HLD NTH )", "HUH ( SUB ( ( ENG AMY LVP ) HLD ERR NTH ) )"),
        (0, "SUB ( ( ENG AMY LVP ) CTO BEL )", "HUH ( SUB ( ( ENG AMY LVP ) CTO BEL ERR ) )"),
        (0, "SUB ( WVE )", "HUH ( SUB ( ERR WVE ) )"),
        (0, "HST ( 1901 )", "HUH ( HST ( ERR 1901 ) )"),
        (0, "DRW ( ENG GER )", "HUH ( DRW ( ERR ENG GER ) )"),
        (
            0,
            "SND ( GER ) ( PRP ( PCE ( ENG GER ) ) )",
            "HUH ( ERR SND ( GER ) ( PRP ( PCE ( ENG GER ) ) ) )",
        ),
        (10, "SND ( ) ( PRP ( DRW ) )", "HUH ( SND ( ERR ) ( PRP ( DRW ) ) )"),
        (
            10,
            "SND ( GER ) ( PRP ( XDO ( ( ENG AMY LVP ) HLD ) ) )",
            "HUH ( SND ( GER ) ( PRP ( ERR XDO ( ( ENG AMY LVP ) HLD ) ) ) )",
        ),
        (
            30,
            "SND ( GER ) ( PRP ( AND ( DRW ) ) )",
            "HUH ( SND ( GER ) ( PRP ( AND ( DRW ) ERR ) ) )",
        ),
        (
            40,
            "SND ( GER ) ( PRP ( ORR ( DRW ) ( AND ( DRW ) ( DRW ) ) ) )",
            "HUH ( SND ( GER ) ( PRP ( ORR ( DRW ) ( ERR AND ( DRW ) ( DRW ) ) ) ) )",
        ),
        (130, "SND ( GER ) ( 'hello' )", "HUH ( SND ( GER ) ( ERR 'hello' ) )"),
    ],
)
def test_answer_is_that_of_the_reference_server(level: int, text: str, answer: str) -> None:
    fault = parse(from_text(text), level)
    assert isinstance(fault, Garbled)
    huh = fault.answer()
    assert huh is not None
    assert to_text(write(huh)) == answer
