"""Dialects: words that programs number differently, and nothing else, are translated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grammar.dialects import Dialect
from grammar.text import from_text, to_text
from grammar.tokens import Tokens

ALL_TOKENS = tuple(range(0x10000))


@pytest.mark.parametrize(
    ("dialect", "wire"),
    [
        (Dialect.REFERENCE, {"FCT": 0x06, "FOR": 0x07, "FWD": 0x08, "CCL": 0x25, "NAR": 0x26}),
        (Dialect.DOCUMENT, {"FCT": 0x07, "FOR": 0x08, "FWD": 0x06, "CCL": 0x25, "NAR": 0x26}),
        (Dialect.DIPLOMACY, {"FCT": 0x06, "FOR": 0x07, "FWD": 0x08, "CCL": 0x26, "NAR": 0x25}),
    ],
)
def test_peer_gets_its_own_numbers_and_is_understood(
    dialect: Dialect, wire: dict[str, int]
) -> None:
    for name, number in wire.items():
        assert dialect.to_wire(from_text(name)) == (0x4A00 | number,)
        assert to_text(dialect.from_wire((0x4A00 | number,))) == name


@pytest.mark.parametrize("dialect", Dialect)
def test_no_other_token_is_translated(dialect: Dialect) -> None:
    changed = {
        name
        for token, there in zip(ALL_TOKENS, dialect.to_wire(ALL_TOKENS), strict=True)
        if (name := to_text((token,))) and token != there
    }
    assert (
        changed
        == {
            Dialect.REFERENCE: set(),
            Dialect.DOCUMENT: {"FCT", "FOR", "FWD"},
            Dialect.DIPLOMACY: {"CCL", "NAR"},
        }[dialect]
    )


@pytest.mark.parametrize("dialect", Dialect)
def test_no_two_tokens_become_one(dialect: Dialect) -> None:
    assert sorted(dialect.to_wire(ALL_TOKENS)) == list(ALL_TOKENS)
    assert dialect.from_wire(dialect.to_wire(ALL_TOKENS)) == ALL_TOKENS
    assert dialect.to_wire(dialect.from_wire(ALL_TOKENS)) == ALL_TOKENS


@given(st.sampled_from(Dialect), st.lists(st.integers(0, 0xFFFF), max_size=20).map(tuple))
def test_translation_returns_plain_tuples_of_the_same_length(
    dialect: Dialect, tokens: Tokens
) -> None:
    there = dialect.to_wire(iter(tokens))
    assert len(there) == len(tokens)
    assert {type(token) for token in (*there, *dialect.from_wire(there))} <= {int}


def test_forwarded_press_is_translated_from_one_peer_to_another() -> None:
    sent = (0x4A07, 0x4000, 0x4801, 0x4001)
    assert to_text(Dialect.DOCUMENT.from_wire(sent)) == "FCT ( DRW )"
    received = Dialect.REFERENCE.to_wire(Dialect.DOCUMENT.from_wire(sent))
    assert received == (0x4A06, 0x4000, 0x4801, 0x4001)
