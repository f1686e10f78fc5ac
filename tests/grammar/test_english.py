import re
from pathlib import Path
from typing import get_args

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar import messages, press
from grammar.cli import read_either
from grammar.english import _CLAUSES, describe
from grammar.messages import ClientMessage, PressReceived, ServerMessage
from grammar.parse import HIGHEST_LEVEL, Garbled, Unbalanced, reader_for
from grammar.representation import Representation
from grammar.tables import LEVELS
from grammar.text import from_text
from rules.places import Power
from tests.grammar.strategies import press as press_of

FOLDER = Path(__file__).with_name("data")
ENGLAND, FRANCE = Power("ENG", "England", "English"), Power("FRA", "France", "French")
GERMANY = Power("GER", "Germany", "German")


def sentences(name: str) -> dict[str, str]:
    """Read a table: a text in one line, its sentence in the next."""
    lines = [line for line in (FOLDER / name).read_text().splitlines() if line]
    lines = [line for line in lines if not line.startswith("#")]
    found = dict(zip(lines[::2], (line.strip() for line in lines[1::2]), strict=True))
    assert len(found) * 2 == len(lines)
    return found


DRAWN = "The game ended in a draw"
PERIOD = "( ( SPR 1902 ) ( FAL 1903 ) )"
PRESS = sentences("press.english")
MESSAGES = sentences("messages.english")


@pytest.mark.parametrize("text", PRESS)
def test_press_reads_as_a_sentence(text: str) -> None:
    read = reader_for(HIGHEST_LEVEL).press(from_text(text))
    assert not isinstance(read, Garbled | Unbalanced)
    assert describe(PressReceived(FRANCE, (ENGLAND,), read)) == PRESS[text]


@pytest.mark.parametrize("text", MESSAGES)
def test_message_reads_as_a_sentence(text: str) -> None:
    message = read_either(from_text(text), HIGHEST_LEVEL)
    assert not isinstance(message, Garbled | Unbalanced)
    assert describe(message) == MESSAGES[text]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (messages.TimeLeft(60), "60 seconds are left."),
        (messages.TimerStopped(1), "The clock has stopped, and 1 second is left."),
        (messages.DrawDeclared(), f"{DRAWN}."),
        (messages.DrawDeclared((ENGLAND, FRANCE)), f"{DRAWN} between England and France."),
        (messages.Missing(), "No orders are missing."),
    ],
)  # fmt: skip
def test_what_a_server_says_with_the_words_of_a_client(
    message: messages.ServerMessage, sentence: str
) -> None:
    assert describe(message) == sentence


def test_the_tables_have_every_class_of_press_and_of_arrangements() -> None:
    seen: set[type] = set()

    def walk(value: object) -> None:
        if isinstance(value, tuple):
            for each in value:
                walk(each)
        elif attrs.has(type(value)):
            seen.add(type(value))
            walk(tuple(attrs.asdict(value, recurse=False).values()))  # type: ignore[arg-type]  # a value of ours

    for text in PRESS:
        walk(reader_for(HIGHEST_LEVEL).press(from_text(text)))
    for union in (press.Press, press.Arrangement):
        assert set(get_args(union)) <= seen


# What a spectator would take for a mistake of ours.
WRONG = re.compile(r"(?i:that that|whether that|of that |everybody|\ba [aeiou])|  |\bNone\b|[<>{}]")


@given(read=st.sampled_from(sorted(LEVELS)[1:]).flatmap(press_of))
@settings(max_examples=150, deadline=None)
def test_no_press_makes_a_sentence_with_a_known_mistake(read: press.Press) -> None:
    sentence = describe(PressReceived(FRANCE, (ENGLAND,), read))
    # What people write, and the words of TRY, are their own affair.
    ours = re.sub(r'"[^"]*"|understands [^.;]*', "", sentence)
    assert not WRONG.search(ours), sentence


def test_an_answer_inside_a_condition_is_addressed_to_the_one_who_hears_it() -> None:
    for text in (text for text in PRESS if text.startswith("IFF")):
        assert "everybody" not in PRESS[text]
    read = reader_for(HIGHEST_LEVEL).press(
        from_text("IFF ( DRW ) THN ( EXP ( SPR 1901 ) ( PRP ( DRW ) ) )")
    )
    assert not isinstance(read, Garbled | Unbalanced)
    sentence = describe(PressReceived(FRANCE, (ENGLAND, GERMANY), read))
    assert "France asks England and Germany to explain their orders" in sentence


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (f"FOR {PERIOD} ( NOT ( {{}} ) )", f"NOT ( FOR {PERIOD} ( {{}} ) )"),
        ("FOR ( SPR 1902 ) ( NOT ( {} ) )", "NOT ( FOR ( SPR 1902 ) ( {} ) )"),
        ("NOT ( AND ( {0} ) ( {0} ) )", "AND ( NOT ( {0} ) ) ( NOT ( {0} ) )"),
        ("NOT ( ORR ( {0} ) ( {0} ) )", "ORR ( NOT ( {0} ) ) ( NOT ( {0} ) )"),
        ("NAR ( {} )", "NOT ( {} )"),
    ],
)  # fmt: skip
def test_what_means_different_things_reads_differently(first: str, second: str) -> None:
    said = set()
    for arrangement in ("XDO ( ( ENG AMY LVP ) HLD )", "PCE ( ENG FRA )", "DRW"):
        for form in (first, second):
            read = reader_for(HIGHEST_LEVEL).press(from_text(f"PRP ( {form.format(arrangement)} )"))
            assert not isinstance(read, Garbled | Unbalanced)
            said.add(describe(PressReceived(FRANCE, (ENGLAND,), read)))
    assert len(said) == 6


def test_the_sender_is_named_where_it_is_known() -> None:
    message = messages.RequestDraw()
    assert describe(message, FRANCE) == "France votes for a draw."


def test_every_message_class_has_a_sentence() -> None:
    assert set(get_args(ClientMessage) + get_args(ServerMessage)) == set(_CLAUSES)


def test_names_without_titles_appear_as_they_are() -> None:
    names = Representation.from_entries([(0x4100, "NRD"), (0x4101, "SUD"), (0x5100, "ALF")])
    read = reader_for(HIGHEST_LEVEL, names).press(from_text("PRP ( PCE ( NRD SUD ) )", names))
    assert not isinstance(read, Garbled | Unbalanced)
    sentence = describe(PressReceived(names.powers[0x4100], (names.powers[0x4101],), read))
    assert sentence == "NRD proposes to SUD: peace between NRD and SUD."


def test_every_press_class_names_its_word_and_level() -> None:
    classes = [each for union in (press.Press, press.Arrangement) for each in get_args(union)]
    for each in classes:
        assert "level" in (each.__doc__ or "").splitlines()[0], each
