"""Laws of the language: reading and writing are inverse, and the parser agrees with Lark's own."""

from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, DrawFn

from grammar import messages as m
from grammar import press as p
from grammar.compile import compile_grammar
from grammar.messages import Huh, Prn, SubmitOrders
from grammar.parse import DEEPEST, Garbled, Reader, Unbalanced, reader_for
from grammar.tables import LEVELS, grammar_text, table_for
from grammar.tokens import Tokens, Word, first_unbalanced
from grammar.write import write, write_press
from rules.orders import Order
from tests.grammar import strategies
from tests.grammar.derivation import grammar_of, lark_for, lark_refuses_at, sentences, starts

COMPLAINTS = (Word.HUH, Word.PRN)
LONGEST_FRAME = 32767
LAW = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def read(reader: Reader, start: str, tokens: Tokens) -> object:
    """Read tokens as what a start symbol of the grammar stands for."""
    readers = {
        "client_message": reader.client,
        "server_message": reader.server,
        "press": reader.press,
        "order": reader.order,
    }
    return readers[start](tokens)


def written(start: str, value: object) -> Tokens:
    """Write it back."""
    if start == "order":
        return write(SubmitOrders((value,)))[2:-1]  # type: ignore[arg-type]  # any class of the language
    if start == "press":
        return write_press(value)  # type: ignore[arg-type]  # any class of the language
    return write(value)  # type: ignore[arg-type]  # any class of the language


# --- from classes to tokens and back --------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
@LAW
@given(data=st.data())
def test_what_a_client_writes_is_read_as_the_same_message(level: int, data: DataObject) -> None:
    message = data.draw(strategies.client_messages(level))
    assert reader_for(level).client(write(message)) == message


@pytest.mark.parametrize("level", LEVELS)
@LAW
@given(data=st.data())
def test_what_a_server_writes_is_read_as_the_same_message(level: int, data: DataObject) -> None:
    message = data.draw(strategies.server_messages(level))
    assert reader_for(level).server(write(message)) == message


@pytest.mark.parametrize("level", LEVELS[1:])
@LAW
@given(data=st.data())
def test_press_on_its_own_is_read_as_the_same_press(level: int, data: DataObject) -> None:
    press = data.draw(strategies.press(level))
    assert reader_for(level).press(write_press(press)) == press


def test_the_strategies_make_every_class_of_the_language() -> None:
    made = [
        (strategies.client_table(8000), m.ClientMessage),
        (strategies.server_table(8000), m.ServerMessage),
        (strategies.press_table(8000, 1), p.Press),
        (strategies.arrangement_table(8000, 1), p.Arrangement),
        (strategies.ORDERS, Order),
    ]
    for table, union in made:
        assert set(table) == set(get_args(union))


# --- from the grammar to tokens and back ----------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
def test_a_sentence_with_any_rule_of_the_grammar_is_read_and_written_back(level: int) -> None:
    grammar = grammar_of(level)
    reader = reader_for(level)
    for rule in grammar.rules:
        start, tokens = grammar.sentence_with(rule)
        value = read(reader, start, tokens)
        assert not isinstance(value, Garbled | Unbalanced), (rule, value)
        assert written(start, value) == tokens


@pytest.mark.parametrize("level", LEVELS)
def test_the_parser_has_no_rule_but_those_of_the_grammar(level: int) -> None:
    productions = table_for(level, partial_draws=True).productions
    assert len(productions) == len(lark_for(level).rules)
    blocked = len(productions) - len(grammar_of(level).rules)
    assert blocked == (2 if level == 0 else 3)  # places for the lists of partial draws


@pytest.mark.parametrize("level", [0, 20, 8000])
def test_a_kept_table_is_the_one_that_would_be_made_now(level: int) -> None:
    # Otherwise these tests would judge a table that an older version has left behind.
    kept = table_for(level, partial_draws=True)
    made = compile_grammar(grammar_text(level, partial_draws=True), starts(level))
    assert kept.productions == made.productions
    assert kept.terminals == made.terminals
    assert len(kept.actions) == len(made.actions)


@pytest.mark.parametrize("level", LEVELS)
@LAW
@given(data=st.data())
def test_any_sentence_of_the_grammar_is_read_and_written_back(level: int, data: DataObject) -> None:
    start = data.draw(st.sampled_from(starts(level)))
    tokens = data.draw(sentences(level, start))
    value = read(reader_for(level), start, tokens)
    assert written(start, value) == tokens


# --- anything at all ------------------------------------------------------------------------------


@st.composite
def damaged_sentences(draw: DrawFn, level: int, start: str) -> Tokens:
    """Draw sentences with a few tokens missing, added, exchanged or replaced."""
    tokens = list(draw(sentences(draw(st.sampled_from(LEVELS[LEVELS.index(level) :])), start)))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(tokens)))
        match draw(st.sampled_from(["delete", "insert", "swap", "bracket", "unchanged"])):
            case "delete":
                del tokens[place : place + draw(st.integers(1, 3))]
            case "insert":
                tokens[place:place] = draw(strategies.any_tokens(3))
            case "swap":
                tokens[place : place + 2] = reversed(tokens[place : place + 2])
            case "bracket":
                tokens[place:place] = [int(Word.BRA), int(Word.KET)]
    return tuple(tokens)


def check_judgement(tokens: Tokens, level: int, start: str, *, partial_draws: bool) -> None:
    """Compare our judgement with that of Lark's parser on the same grammar."""
    value = read(reader_for(level, partial_draws=partial_draws), start, tokens)
    if tokens[:1] in {(word,) for word in COMPLAINTS} and start.endswith("_message"):
        assert isinstance(value, Huh | Prn | Garbled | Unbalanced)
        return
    unbalanced = first_unbalanced(tokens)
    if unbalanced is not None:
        assert value == Unbalanced(tokens, unbalanced)
        return
    at = lark_refuses_at(tokens, level, start, partial_draws=partial_draws)
    if at is not None:
        assert value == Garbled(tokens, at)
    else:
        assert written(start, value) == tokens


@pytest.mark.parametrize("level", LEVELS)
@LAW
@given(data=st.data())
def test_damaged_sentences_are_judged_as_lark_judges_them(level: int, data: DataObject) -> None:
    start = data.draw(st.sampled_from(starts(level)))
    tokens = data.draw(damaged_sentences(level, start))
    check_judgement(tokens, level, start, partial_draws=data.draw(st.booleans()))


@pytest.mark.parametrize("level", [0, 10, 20, 130, 8000])
@LAW
@given(data=st.data())
def test_any_tokens_are_judged_as_lark_judges_them(level: int, data: DataObject) -> None:
    start = data.draw(st.sampled_from(starts(level)))
    tokens = data.draw(strategies.any_tokens())
    check_judgement(tokens, level, start, partial_draws=data.draw(st.booleans()))


@settings(LAW, max_examples=20)
@given(data=st.data())
def test_tokens_before_the_wrong_one_can_be_completed_to_a_sentence(data: DataObject) -> None:
    # Earley's method finds the first token after which no sentence is left, by construction.
    start = data.draw(st.sampled_from(starts(130)))
    tokens = data.draw(damaged_sentences(130, start))
    value = read(reader_for(130), start, tokens)
    if isinstance(value, Garbled) and tokens[:1] not in {(word,) for word in COMPLAINTS}:
        assert lark_refuses_at(tokens, 130, start, parser="earley") == value.at


@LAW
@given(tokens=strategies.any_tokens(), level=st.sampled_from(LEVELS))
def test_press_and_orders_alone_never_raise(tokens: Tokens, level: int) -> None:
    reader = reader_for(level)
    unbalanced = first_unbalanced(tokens)
    for value in (reader.press(tokens), reader.order(tokens)):
        if unbalanced is not None:
            assert value == Unbalanced(tokens, unbalanced)


# --- answers to faults ----------------------------------------------------------------------------


def check_answer(fault: Garbled | Unbalanced) -> None:
    """Hold what is true of every answer."""
    answer = fault.answer()
    if fault.tokens[:1] in {(word,) for word in COMPLAINTS}:
        assert answer is None
        return
    assert answer is not None
    tokens = write(answer)
    assert len(tokens) <= LONGEST_FRAME
    # The peer understands it whichever side it is on, and does not answer it in turn.
    for reader in (reader_for(0).client, reader_for(0).server):
        assert reader(tokens) == answer
    if isinstance(fault, Garbled):
        assert isinstance(answer, Huh)
        assert first_unbalanced(tokens) is None
        assert answer.tokens[: fault.at + 1] == (*fault.tokens[: fault.at], Word.ERR)
    else:
        assert isinstance(answer, Prn)


@pytest.mark.parametrize("level", [0, 20, 8000])
@LAW
@given(data=st.data())
def test_answers_can_be_read_by_the_peer_and_are_not_answered(level: int, data: DataObject) -> None:
    start = data.draw(st.sampled_from(["client_message", "server_message"]))
    tokens = data.draw(damaged_sentences(level, start) | strategies.any_tokens())
    value = read(reader_for(level), start, tokens)
    if isinstance(value, Garbled | Unbalanced):
        check_answer(value)


@LAW
@given(word=st.sampled_from(COMPLAINTS), rest=strategies.any_tokens())
def test_complaints_are_never_answered(word: Word, rest: Tokens) -> None:
    for read_ in (reader_for(8000).client, reader_for(8000).server):
        value = read_((int(word), *rest))
        assert isinstance(value, Huh | Prn) or (
            isinstance(value, Garbled | Unbalanced) and value.answer() is None
        )


def test_depth_of_any_drawn_sentence_stays_below_the_limit() -> None:
    # Otherwise the laws above would compare less than they seem to.
    deepest = max(
        tokens.count(Word.BRA)
        for level in LEVELS
        for _, tokens in map(grammar_of(level).sentence_with, grammar_of(level).rules)
    )
    assert deepest < DEEPEST
