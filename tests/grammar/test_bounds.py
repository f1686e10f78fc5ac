"""However long or deep a message is, it is judged soon and without an exception."""

from time import thread_time

import pytest

from grammar.messages import Huh, Name, Now, Prn, SendPress
from grammar.parse import (
    DEEPEST,
    LONGEST_FROM_CLIENT,
    Garbled,
    Sender,
    Unbalanced,
    parse,
    reader_for,
)
from grammar.tables import UnknownLevelError
from grammar.text import from_text, to_text
from grammar.tokens import Tokens, Word, first_unbalanced
from grammar.write import write

LONGEST_FRAME = 32767
# Refusing takes a few milliseconds; a loaded machine may need longer, a wrong method much longer.
SOON = 1.0

BRA, KET, HUH = (int(Word.BRA),), (int(Word.KET),), (int(Word.HUH),)


def press_in(tokens: Tokens) -> Tokens:
    return (*from_text("SND ( GER ) ("), *tokens, *KET)


def nested(around: str, depth: int, inside: str) -> Tokens:
    return from_text(f"{around} (") * depth + from_text(inside) + KET * depth


HUGE = {
    "nested brackets": BRA * 16000 + KET * 16000,
    "nested brackets after a word": from_text("NOW") + BRA * 16000 + KET * 16000,
    "nested brackets in press": press_in(BRA * 16000 + KET * 16000),
    "nested negations": press_in(nested("NOT", 10000, "DRW")),
    "nested proposals": press_in(from_text("PRP (") + nested("NOT", 10000, "DRW") + KET),
    "nested replies": press_in(nested("YES", 10000, "PRP ( DRW )")),
    "nested quotations": press_in(nested("HUH", 10000, "DRW")),
    "quotations beside each other": press_in(from_text("HUH ( )") * 8000),
    "brackets inside a quotation": press_in(HUH + BRA * 16000 + KET * 16000),
    "brackets beside each other": from_text("SUB") + (BRA + KET) * 16000,
    "orders beside each other": from_text("SUB") + from_text("( ENG WVE )") * 8000,
    "one word again and again": from_text("NOW") * 32000,
    "powers": press_in(from_text("PRP ( PCE (") + from_text("ENG") * 32000 + KET * 2),
    "a long text": from_text("NME (") + (0x4B61,) * 32000 + from_text(") ( '1' )"),
    "texts and brackets": (0x4B61, *BRA, *KET) * 10000,
    "unknown tokens": (0x4F00,) * 32000,
}
UNBALANCED = {
    "opening brackets": BRA * LONGEST_FRAME,
    "closing brackets": KET * LONGEST_FRAME,
    "opening brackets after a word": from_text("NOW") + BRA * (LONGEST_FRAME - 1),
    "one bracket too many": BRA * 16000 + KET * 16001,
    "unclosed quotations": press_in((HUH + BRA) * 16000),
    "turned brackets": (KET + BRA) * 16000,
}


@pytest.mark.parametrize("level", [0, 20, 8000])
@pytest.mark.parametrize("sender", Sender)
@pytest.mark.parametrize("tokens", HUGE.values(), ids=HUGE)
def test_huge_message_is_refused_soon_with_an_answer_that_fits_a_frame(
    tokens: Tokens, sender: Sender, level: int
) -> None:
    assert len(tokens) <= LONGEST_FRAME
    reader_for(level)
    start = thread_time()
    fault = parse(tokens, level, sender=sender)
    assert isinstance(fault, Garbled)
    answer = fault.answer()
    assert thread_time() - start < SOON
    assert answer is not None
    assert len(write(answer)) <= LONGEST_FRAME
    assert first_unbalanced(answer.tokens) is None
    assert answer.tokens.count(Word.ERR) == 1


@pytest.mark.parametrize("sender", Sender)
@pytest.mark.parametrize("tokens", UNBALANCED.values(), ids=UNBALANCED)
def test_huge_unbalanced_message_is_refused_soon_with_an_answer_that_fits_a_frame(
    tokens: Tokens, sender: Sender
) -> None:
    assert len(tokens) <= LONGEST_FRAME
    reader_for(8000)
    start = thread_time()
    fault = parse(tokens, sender=sender)
    assert isinstance(fault, Unbalanced)
    answer = fault.answer()
    assert thread_time() - start < SOON
    assert isinstance(answer, Prn)
    assert len(write(answer)) <= LONGEST_FRAME
    assert parse(write(answer), 0) == answer


@pytest.mark.parametrize("word", ["HUH", "PRN"])
def test_deep_complaint_is_read_and_not_answered(word: str) -> None:
    tokens = from_text(word) + BRA * 16000 + KET * 16000
    message = parse(tokens, 0)
    assert isinstance(message, Huh | Prn)
    assert write(message) == tokens


def test_brackets_may_be_as_deep_as_the_limit_and_no_deeper() -> None:
    # The innermost SLO ( ENG ) and the brackets of SND and PRP count too.
    def negations(count: int) -> Tokens:
        return press_in(from_text("PRP (") + nested("NOT", count, "SLO ( ENG )") + KET)

    deepest = DEEPEST - 3
    message = parse(negations(deepest), 10)
    assert isinstance(message, SendPress)
    assert write(message) == negations(deepest)
    too_deep = negations(deepest + 1)
    fault = parse(too_deep, 10)
    assert isinstance(fault, Garbled)
    before = too_deep[: fault.at]
    assert before.count(BRA[0]) - before.count(KET[0]) == DEEPEST
    assert too_deep[fault.at] == BRA[0]


def test_message_of_a_client_may_be_as_long_as_the_limit_and_no_longer() -> None:
    def name(length: int) -> Tokens:
        around = from_text("NME ( ) ( '1' )")
        return around[:2] + (0x4B61,) * (length - len(around)) + around[2:]

    assert isinstance(parse(name(LONGEST_FROM_CLIENT)), Name)
    too_long = name(LONGEST_FROM_CLIENT + 1)
    assert parse(too_long) == Garbled(too_long, LONGEST_FROM_CLIENT)


def test_message_of_a_server_may_fill_a_frame() -> None:
    units = (LONGEST_FRAME - 5) // 5
    tokens = from_text("NOW ( SPR 1901 )") + from_text("( AUS AMY BUD )") * units
    start = thread_time()
    message = parse(tokens, 0, sender=Sender.SERVER)
    assert thread_time() - start < SOON
    assert isinstance(message, Now)
    assert len(message.units) == units
    assert write(message) == tokens


def test_fault_at_the_end_of_a_full_frame_is_quoted_in_part() -> None:
    units = (LONGEST_FRAME - 6) // 5
    tokens = from_text("NOW ( SPR 1901 )") + from_text("( AUS AMY BUD )") * units + from_text("ENG")
    fault = parse(tokens, 0, sender=Sender.SERVER)
    assert fault == Garbled(tokens, len(tokens) - 1)
    answer = fault.answer()
    assert isinstance(answer, Huh)
    assert len(write(answer)) <= LONGEST_FRAME
    assert first_unbalanced(answer.tokens) is None
    assert to_text(answer.tokens).startswith("NOW ( SPR 1901 ) ( AUS AMY BUD ) (")


def test_empty_message_is_garbled() -> None:
    fault = parse(())
    assert fault == Garbled((), 0)
    answer = fault.answer()
    assert answer is not None
    assert to_text(write(answer)) == "HUH ( ERR )"


def test_there_is_no_press_at_level_0() -> None:
    tokens = from_text("PRP ( DRW )")
    assert reader_for(0).press(tokens) == Garbled(tokens, 0)
    assert reader_for(0).press(tokens[:-1]) == Unbalanced(tokens[:-1], 3)


def test_complaint_is_not_an_order() -> None:
    tokens = from_text("HUH ( ERR )")
    assert reader_for(0).order(tokens) == Garbled(tokens, 0)


@pytest.mark.parametrize("level", [-1, 1, 15, 140, 9000])
def test_unknown_level_is_named_together_with_those_that_exist(level: int) -> None:
    with pytest.raises(UnknownLevelError, match=rf"no such press level: {level}; .*0, 10, .*8000"):
        parse((), level)
