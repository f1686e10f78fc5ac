"""The text form: what people type and read instead of numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.representation import Representation
from grammar.text import Piece, from_text, pieces, to_text
from grammar.tokens import Tokens
from rules.errors import BadInputError
from tests.grammar.strategies import any_tokens


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("now", "NOW"),
        ("Snd(ger)(Prp(Pce(Eng Ger)))", "SND ( GER ) ( PRP ( PCE ( ENG GER ) ) )"),
        ("  NOW\t(\n SPR   1901 )  ", "NOW ( SPR 1901 )"),
        ("BRA KET", "( )"),
        ("MIS ( +3 )", "MIS ( 3 )"),
        ("MIS(-1)", "MIS ( -1 )"),
        ("TME ( 0060 )", "TME ( 60 )"),
        ("0x480E", "NOW"),
        ("0X4fff 0x5800", "0x4FFF 0x5800"),
        ("'a b  c'", "'a b  c'"),
        ("'it''s'", "'it''s'"),
        ("''''", "''''"),
        ("MAP('standard')", "MAP ( 'standard' )"),
        ("'( NOW )'", "'( NOW )'"),
        ("'Zürich'", "'Zürich'"),
        ("''", ""),
        ("", ""),
        (" \n", ""),
    ],
)
def test_typed_text_has_one_canonical_form(typed: str, canonical: str) -> None:
    assert to_text(from_text(typed)) == canonical
    assert from_text(canonical) == from_text(typed)


@given(any_tokens() | st.lists(st.integers(0x4B00, 0x4BFF), max_size=20).map(tuple))
def test_any_tokens_are_written_as_text_that_means_the_same(tokens: Tokens) -> None:
    assert from_text(to_text(tokens)) == tokens


def test_token_without_a_name_is_written_as_its_number() -> None:
    assert to_text((0x4F00, 0x4A7F, 0x5FFF, 0x4B)) == "0x4F00 0x4A7F 0x5FFF 75"


def test_bytes_that_are_no_utf_8_are_kept() -> None:
    tokens = (0x4BFC, 0x4B61)
    assert from_text(to_text(tokens)) == tokens


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("NOW HUY", "no such word: 'HUY' at column 5"),
        ("SND ( XXX )", "no such word: 'XXX' at column 7"),
        ("NOW?", "no such word: 'NOW?' at column 1"),
        ("12AB", "no such word: '12AB' at column 1"),
        ("0x12345", "no such word: '0x12345' at column 1"),
        ("0x12", "no such word: '0x12' at column 1"),
        ("TME ( 8192 )", "the number 8192 at column 7 is outside -8192 to 8191"),
        ("TME ( -8193 )", "the number -8193 at column 7"),
        ("TME ( " + "9" * 5000 + " )", "at column 7 is outside -8192 to 8191"),
        ("NME ( 'x )", "the string that starts at column 7 has no closing '"),
        ("  '", "the string that starts at column 3 has no closing '"),
        ("TME ( ٣ )", "no such word: '٣' at column 7"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_column(text: str, complaint: str) -> None:
    with pytest.raises(BadInputError) as error:
        from_text(text)
    assert complaint in str(error.value)


@given(st.text() | st.text("() '0x-9NOW", max_size=30))
def test_any_text_is_read_or_refused_as_bad_input(text: str) -> None:
    try:
        tokens = from_text(text)
    except BadInputError:
        return
    assert from_text(to_text(tokens)) == tokens


def test_pieces_know_their_columns() -> None:
    assert pieces(" NME('ab')") == [
        Piece((0x480C,), 2),
        Piece((0x4000,), 5),
        Piece((0x4B61, 0x4B62), 6),
        Piece((0x4001,), 10),
    ]


def test_names_are_those_of_the_game() -> None:
    names = Representation.from_entries([(0x4100, "ONE"), (0x5100, "A1B")])
    assert from_text("one a1b", names) == (0x4100, 0x5100)
    assert to_text((0x4100, 0x5100, 0x5531), names) == "ONE A1B 0x5531"
    with pytest.raises(BadInputError, match="no such word: 'ENG' at column 1"):
        from_text("ENG", names)


def test_name_of_digits_is_not_written_as_a_number() -> None:
    names = Representation.from_entries([(0x4100, "ONE"), (0x5100, "007")])
    text = to_text((0x5100, 7), names)
    assert from_text(text, names) == (0x5100, 7)
