"""Where the sources of the language disagree: one test for each choice that we made."""

import pytest

from grammar import press as p
from grammar.messages import CancelDraw, RequestDraw, SendPress
from grammar.parse import Garbled, Sender, parse, reader_for
from grammar.text import from_text, to_text
from grammar.tokens import Word
from grammar.write import write, write_press
from rules.maps import load_map
from rules.places import Coast, Location


def is_client_message(text: str, level: int = 8000) -> bool:
    return not isinstance(parse(from_text(text), level), Garbled)


def is_server_message(text: str, level: int = 8000) -> bool:
    return not isinstance(parse(from_text(text), level, sender=Sender.SERVER), Garbled)


def is_press(text: str, level: int = 8000) -> bool:
    return not isinstance(reader_for(level).press(from_text(text)), Garbled)


def refused_at(text: str, level: int = 8000) -> str:
    """Return the press with ERR in its place."""
    fault = reader_for(level).press(from_text(text))
    assert isinstance(fault, Garbled)
    huh = fault.answer()
    assert huh is not None
    return to_text(huh.tokens)


def test_no_to_a_query_is_read_with_not_and_with_nar() -> None:
    assert is_press("THK ( NOT ( QRY ( DRW ) ) )", 60)
    assert is_press("THK ( NAR ( QRY ( DRW ) ) )", 60)
    no = p.Think(p.Not(p.Query(p.Draw())))
    assert to_text(write_press(no)) == "THK ( NOT ( QRY ( DRW ) ) )"


def test_facts_are_stated_from_level_10() -> None:
    assert is_press("FCT ( DRW )", 10)


def test_any_unit_comes_with_occupation_at_level_40() -> None:
    assert is_press("PRP ( OCC ( ENG UNT BEL ) )", 40)


def test_press_comes_from_a_power_without_a_number() -> None:
    assert is_server_message("FRM ( ENG ) ( GER ) ( PRP ( DRW ) )", 10)
    assert not is_server_message("FRM ( ENG 1 ) ( GER ) ( PRP ( DRW ) )", 10)


def test_message_ids_are_read_and_references_to_them_are_not() -> None:
    read = parse(from_text("SND ( 1 ) ( GER ) ( PRP ( DRW ) )"), 10)
    assert isinstance(read, SendPress)
    assert read.number == 1
    assert not is_client_message("SND ( GER ) ( PRP ( DRW ) ) WRT ( ENG 1 )")


def test_peace_of_one_power_is_accepted() -> None:
    assert is_press("PRP ( PCE ( ENG ) )", 10)


def test_alliance_of_one_power_is_accepted() -> None:
    assert is_press("PRP ( ALY ( ENG ) VSS ( FRA ) )", 10)


@pytest.mark.parametrize("word", ["AND", "ORR", "CHO ( 1 1 )"])
def test_multipart_arrangement_has_at_least_two_parts(word: str) -> None:
    assert is_press(f"PRP ( {word} ( DRW ) ( DRW ) )", 50)
    assert refused_at(f"PRP ( {word} ( DRW ) )", 50) == f"PRP ( {word} ( DRW ) ERR )"


@pytest.mark.parametrize("level", [30, 40])
def test_multipart_arrangement_is_not_negated_before_level_50(level: int) -> None:
    text = "PRP ( NOT ( AND ( DRW ) ( DRW ) ) )"
    assert refused_at(text, level) == "PRP ( NOT ( ERR AND ( DRW ) ( DRW ) ) )"
    assert is_press(text, 50)


def test_period_inside_a_period_is_refused_at_the_inner_one() -> None:
    text = "PRP ( FOR ( SPR 1902 ) ( NOT ( FOR ( SPR 1903 ) ( DRW ) ) ) )"
    assert refused_at(text) == "PRP ( FOR ( SPR 1902 ) ( NOT ( ERR FOR ( SPR 1903 ) ( DRW ) ) ) )"


@pytest.mark.parametrize("request_", ["WHT ( ENG AMY LVP )", "HOW ( ENG )", "HOW ( BEL )"])
def test_requests_may_be_answered_with_i_dont_know_from_level_70(request_: str) -> None:
    assert is_press(f"IDK ( {request_} )", 70)


@pytest.mark.parametrize("word", ["THK", "FCT", "SUG", "PRP", "INS"])
def test_position_explains_every_kind_of_why(word: str) -> None:
    assert is_press(f"POB ( WHY ( {word} ( DRW ) ) )", 130)


def test_division_of_centers_takes_neutral_centers_but_no_other_provinces() -> None:
    assert is_press("PRP ( SCD ( UNO BEL ) )", 40)
    assert refused_at("PRP ( SCD ( ENG YOR ) )", 40) == "PRP ( SCD ( ENG ERR YOR ) )"


def test_replies_to_replies_are_accepted() -> None:
    assert is_press("YES ( REJ ( PRP ( DRW ) ) )", 10)


@pytest.mark.parametrize("extra", ["( FAL 1903 )", "( SND ( AUS ) ( PRP ( DRW ) ) )"])
def test_civil_disorder_may_say_more_than_the_power(extra: str) -> None:
    assert is_server_message(f"CCD ( AUS ) {extra}", 10)


def test_elimination_may_quote_the_press() -> None:
    assert is_server_message("OUT ( AUS ) ( SND ( AUS ) ( PRP ( DRW ) ) )", 10)


def test_observer_may_give_name_and_version() -> None:
    assert is_client_message("OBS ( 'Mapper' ) ( '1' )", 0)


def test_history_may_be_asked_for_without_a_turn() -> None:
    assert is_client_message("HST", 0)


@pytest.mark.parametrize("answer", ["YES", "REJ"])
def test_loading_and_saving_may_be_answered_both_ways(answer: str) -> None:
    assert is_client_message(f"{answer} ( LOD ( 'game' ) )", 0)
    assert is_client_message(f"{answer} ( SVE ( 'game' ) )", 0)


@pytest.mark.parametrize(
    "order",
    [
        "( ENG AMY LVP ) CTO BEL",
        "WVE",
        "LVP HLD",
        "( ENG LVP ) HLD",
        "( AMY LVP ) HLD",
        "ENG AMY LVP HLD",
    ],
)
def test_loose_forms_of_orders_are_refused(order: str) -> None:
    assert isinstance(reader_for(8000).order(from_text(order)), Garbled)


def test_options_may_stand_in_any_order() -> None:
    assert is_server_message("HLO ( ENG ) ( 1 ) ( ( AOA ) ( DSD ) ( LVL 0 ) )", 0)


@pytest.mark.parametrize("word", ["HUH", "PRN"])
def test_complaints_of_clients_are_understood(word: str) -> None:
    assert is_client_message(f"{word} ( ERR SUB )", 0)


@pytest.mark.parametrize("coast", Coast)
def test_all_eight_coasts_are_understood(coast: Coast) -> None:
    order = reader_for(0).order(from_text(f"( RUS FLT GOB ) MTO ( STP {coast.value} )"))
    stp = load_map("standard").province("STP")
    assert not isinstance(order, Garbled)
    assert getattr(order, "destination", None) == Location(stp, coast)


def test_draw_of_some_is_press_only_where_partial_draws_are_allowed() -> None:
    press = from_text("PRP ( DRW ( ENG GER ) )")
    assert not isinstance(reader_for(10, partial_draws=True).press(press), Garbled)
    assert reader_for(10, partial_draws=False).press(press) == Garbled(press, 4)
    assert press[4] == from_text("ENG")[0]


def test_vote_for_a_draw_of_some_is_well_formed_without_the_option() -> None:
    # The server refuses it with REJ, not with HUH.
    assert isinstance(parse(from_text("DRW ( ENG GER )"), 10, partial_draws=False), RequestDraw)
    vote = parse(from_text("NOT ( DRW ( ENG GER ) )"), 10, partial_draws=False)
    assert isinstance(vote, CancelDraw)


WITHDRAWN = [Word.BPR, Word.NST, Word.FLD, Word.IOU, Word.PPT, Word.UOM, Word.WRT]


@pytest.mark.parametrize("word", WITHDRAWN)
def test_withdrawn_words_stand_nowhere_but_in_lists_of_understood_words(word: Word) -> None:
    for text in (word.name, f"{word.name} ( ENG )", f"PRP ( {word.name} ( ENG ) )"):
        assert not is_press(text)
        assert not is_client_message(text)
    is_word_of_press = word >> 8 == Word.PRP >> 8
    assert is_press(f"TRY ( {word.name} )") is is_word_of_press


def test_understood_words_are_kept_as_they_were_listed() -> None:
    # The server strips those above the level of the game when it forwards them.
    text = "SND ( GER ) ( TRY ( PRP POB IOU CHO ) )"
    message = parse(from_text(text), 10)
    assert isinstance(message, SendPress)
    assert message.press == p.Understand(("PRP", "POB", "IOU", "CHO"))
    assert to_text(write(message)) == text
