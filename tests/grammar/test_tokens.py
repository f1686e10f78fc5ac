"""Numbers and names of tokens, and what is encoded in the number itself."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.representation import standard_representation
from grammar.text import from_text, to_text
from grammar.tokens import (
    LONG,
    Category,
    Word,
    first_unbalanced,
    integer_token,
    integer_value,
    is_integer,
    is_province,
    is_text,
    text_tokens,
    text_value,
    tokens_from_bytes,
)

# Some of every category, and every word whose number programs disagree about.
NUMBERS = {
    "BRA": 0x4000,
    "KET": 0x4001,
    "AMY": 0x4200,
    "FLT": 0x4201,
    "CTO": 0x4320,
    "VIA": 0x4325,
    "DSB": 0x4340,
    "RTO": 0x4341,
    "BLD": 0x4380,
    "WVE": 0x4382,
    "MBV": 0x4400,
    "NSP": 0x440E,
    "NSU": 0x4410,
    "YSC": 0x4413,
    "SUC": 0x4500,
    "NSO": 0x4505,
    "RET": 0x4506,
    "NCS": 0x4600,
    "SCS": 0x4608,
    "NWC": 0x460E,
    "SPR": 0x4700,
    "WIN": 0x4704,
    "CCD": 0x4800,
    "HUH": 0x4806,
    "PRN": 0x4813,
    "YES": 0x481C,
    "ADM": 0x481D,
    "SMR": 0x481E,
    "AOA": 0x4900,
    "ERR": 0x4902,
    "UNO": 0x490B,
    "DSD": 0x490D,
    "ALY": 0x4A00,
    "EXP": 0x4A05,
    "FCT": 0x4A06,
    "FOR": 0x4A07,
    "FWD": 0x4A08,
    "HOW": 0x4A09,
    "PRP": 0x4A13,
    "YDO": 0x4A21,
    "CHO": 0x4A22,
    "BCC": 0x4A23,
    "UNT": 0x4A24,
    "CCL": 0x4A25,
    "NAR": 0x4A26,
    "WRT": 0x490C,
}
STANDARD = {
    "AUS": 0x4100,
    "ENG": 0x4101,
    "FRA": 0x4102,
    "GER": 0x4103,
    "ITA": 0x4104,
    "RUS": 0x4105,
    "TUR": 0x4106,
    "BOH": 0x5000,
    "UKR": 0x5006,
    "BUD": 0x5107,
    "WAR": 0x510D,
    "ADR": 0x520E,
    "ECH": 0x5214,
    "GOB": 0x5215,
    "GOL": 0x5216,
    "WES": 0x5220,
    "ALB": 0x5421,
    "YOR": 0x542F,
    "ANK": 0x5530,
    "VEN": 0x5547,
    "BUL": 0x5748,
    "SPA": 0x5749,
    "STP": 0x574A,
}


@pytest.mark.parametrize(("name", "number"), (NUMBERS | STANDARD).items())
def test_name_and_number_belong_together(name: str, number: int) -> None:
    text = {"BRA": "(", "KET": ")"}.get(name, name)
    assert from_text(name) == (number,)
    assert to_text((number,)) == text


@pytest.mark.parametrize("word", Word)
def test_every_word_is_read_and_written_by_name(word: Word) -> None:
    assert from_text(word.name) == (int(word),)
    assert from_text(word.name.lower()) == (int(word),)
    assert from_text(to_text((int(word),))) == (int(word),)


def test_no_two_words_share_a_number() -> None:
    # An enumeration would take the second as another name of the first, without a word.
    assert len(Word.__members__) == len(set(Word))
    assert {Category(word >> 8) for word in Word} == {
        *(Category(number) for number in range(0x40, 0x4B)),
        Category.EXPERIMENTAL,
    } - {Category.POWER}


def test_words_fill_their_categories_as_the_protocol_numbers_them() -> None:
    counts = {
        Category.ORDER_NOTE: 20,
        Category.RESULT: 7,
        Category.SEASON: 5,
        Category.COMMAND: 31,
        Category.PARAMETER: 14,
        Category.PRESS: 39,
    }
    for category, count in counts.items():
        numbers = sorted(word & 0xFF for word in Word if word >> 8 == category)
        assert numbers == list(range(count))


@pytest.mark.parametrize("name", ["BPR", "NST", "FLD", "IOU", "PPT", "UOM", "WRT"])
def test_withdrawn_words_are_known(name: str) -> None:
    assert to_text((int(Word[name]),)) == name


def test_standard_map_has_75_provinces_numbered_across_their_categories() -> None:
    names = standard_representation()
    assert sorted(token & 0xFF for token in names.provinces) == list(range(75))
    assert sorted(names.powers) == list(range(0x4100, 0x4107))


@pytest.mark.parametrize(
    ("number", "token"),
    [
        (0, 0x0000),
        (1901, 0x076D),
        (8191, 0x1FFF),
        (-1, 0x3FFF),
        (-2, 0x3FFE),
        (-8192, 0x2000),
    ],
)
def test_integer_has_14_bits_with_a_sign(number: int, token: int) -> None:
    assert integer_token(number) == token
    assert integer_value(token) == number


@given(st.integers(0, 0x3FFF))
def test_every_integer_token_stands_for_a_number(token: int) -> None:
    assert is_integer(token)
    assert integer_token(integer_value(token)) == token


@pytest.mark.parametrize("number", [-8193, 8192, 65536])
def test_integer_beyond_14_bits_is_refused_by_name(number: int) -> None:
    with pytest.raises(ValueError, match=rf"from -8192 to 8191, not {number}$"):
        integer_token(number)


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("x", b"x"),
        ("1.0 beta", b"1.0 beta"),
        ("Zürich", b"Z\xc3\xbcrich"),
        ("Z\udcfcrich", b"Z\xfcrich"),
        ("\x00\x7f", b"\x00\x7f"),
        ("", b""),
    ],
)
def test_text_is_one_token_for_each_byte(text: str, data: bytes) -> None:
    tokens = tuple(0x4B00 | byte for byte in data)
    assert text_tokens(text) == tokens
    assert text_value(tokens) == text


@given(st.binary(max_size=30))
def test_any_bytes_survive_as_text(data: bytes) -> None:
    tokens = tuple(0x4B00 | byte for byte in data)
    assert all(map(is_text, tokens))
    assert text_tokens(text_value(tokens)) == tokens


@given(st.integers(0, 0xFFFF))
def test_the_high_byte_tells_what_a_token_is(token: int) -> None:
    high = token >> 8
    assert is_integer(token) == (high < 0x40)
    assert is_text(token) == (high == 0x4B)
    assert is_province(token) == (high in range(0x50, 0x58))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", None),
        ("NOW", None),
        ("( ) ( ( ) )", None),
        (")", 0),
        ("( ) ) (", 2),
        ("( (", 2),
        ("NOW ( SPR 1901", 4),
    ],
)
def test_the_bracket_without_a_partner_is_found(text: str, place: int | None) -> None:
    assert first_unbalanced(from_text(text)) == place


@given(st.text("()x", max_size=30))
def test_brackets_match_when_taking_pairs_away_leaves_none(text: str) -> None:
    left = text.replace("x", "")
    while "()" in left:
        left = left.replace("()", "")
    tokens = tuple({"(": 0x4000, ")": 0x4001, "x": 0x480E}[each] for each in text)
    assert (first_unbalanced(tokens) is None) == (left == "")


# Messages as they stand on the wire.
WIRE = {
    "OBS": "480f",
    "YES ( OBS )": "481c 4000 480f 4001",
    "NME ( 'HoldBot' ) ( '1.0' )": (
        "480c 4000 4b48 4b6f 4b6c 4b64 4b42 4b6f 4b74 4001 4000 4b31 4b2e 4b30 4001"
    ),
    "HLO ( ENG ) ( 1234 ) ( ( LVL 20 ) ( MTL 1200 ) )": (
        "4804 4000 4101 4001 4000 04d2 4001 4000 4000 4903 0014 4001 4000 4905 04b0 4001 4001"
    ),
    "HLO ( UNO ) ( 0 ) ( ( LVL 0 ) )": (
        "4804 4000 490b 4001 4000 0000 4001 4000 4000 4903 0000 4001 4001"
    ),
    "SUB ( ( RUS AMY MOS ) HLD ) ( ( RUS FLT ( STP SCS ) ) MTO GOB )": (
        "4818 4000 4000 4105 4200 5108 4001 4322 4001 "
        "4000 4000 4105 4201 4000 574a 4608 4001 4001 4323 5215 4001"
    ),
    "MIS ( -1 )": "480b 4000 3fff 4001",
    "ORD ( SPR 1901 ) ( ( RUS FLT SEV ) MTO BLA ) ( BNC )": (
        "4811 4000 4700 076d 4001 4000 4000 4105 4201 5542 4001 4323 5212 4001 4000 4501 4001"
    ),
    "SND ( GER ) ( PRP ( PCE ( ENG GER ) ) )": (
        "4817 4000 4103 4001 4000 4a13 4000 4a10 4000 4101 4103 4001 4001 4001"
    ),
    "NOT ( CCD ( TUR ) )": "480d 4000 4800 4000 4106 4001 4001",
    "HUH ( ERR DRW )": "4806 4000 4902 4801 4001",
    "OFF": "4810",
}


@pytest.mark.parametrize(("text", "wire"), WIRE.items())
def test_text_and_wire_form_of_whole_messages_agree(text: str, wire: str) -> None:
    tokens = tuple(int(group, 16) for group in wire.split())
    assert from_text(text) == tokens
    assert to_text(tokens) == text


@given(st.lists(st.integers(0, 0xFFFF), min_size=1, max_size=3 * LONG))
def test_the_body_of_a_frame_is_read_token_by_token(numbers: list[int]) -> None:
    assert tokens_from_bytes(struct.pack(f">{len(numbers)}H", *numbers)) == tuple(numbers)


def test_long_messages_share_their_numbers() -> None:
    body = struct.pack(f">{LONG}H", *range(0x4000, 0x4000 + LONG))
    first, second = tokens_from_bytes(body), tokens_from_bytes(body)
    assert all(one is other for one, other in zip(first, second, strict=True))
