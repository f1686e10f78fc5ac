"""How a game ended, from messages alone."""

import pytest

from daide.game_end import EndingReader, ending_note
from grammar.messages import Admin
from grammar.parse import reader_for
from grammar.text import from_text, to_text
from grammar.write import write
from rules.maps import load_map
from rules.outcome import Ending, EndingKind
from rules.turns import Season, Turn

BOARD = load_map("standard")
FALL = Turn(Season.FALL, 1901)
PLAYED = "ORD ( FAL 1901 ) ( ( FRA AMY PAR ) HLD ) ( SUC )"
NOW_BEFORE = "NOW ( FAL 1901 ) ( FRA AMY PAR ) ( TUR AMY SMY )"
NOW_AFTER = "NOW ( SPR 1902 ) ( FRA AMY PAR ) ( TUR AMY SMY )"
SUMMARY = (
    "SMR ( {} ) ( FRA ( 'a' ) ( '1' ) 3 ) ( TUR ( 'b' ) ( '1' ) 0 1901 )"
    " ( ENG ( 'c' ) ( '1' ) 0 1901 )"
)
AT_LIMIT, LATER = SUMMARY.format("WIN 1901"), SUMMARY.format("SPR 1902")


def ending(*texts: str) -> Ending | None:
    reader = EndingReader()
    for text in texts:
        message = reader_for(8000).server(from_text(text))
        reader.learn(message)  # type: ignore[arg-type]  # a text that cannot be read fails the test
    return reader.ending


def named(names: str) -> tuple[object, ...]:
    return tuple(BOARD.power(name) for name in names.split())


@pytest.mark.parametrize(
    ("texts", "kind", "powers"),
    [
        ((NOW_BEFORE, PLAYED, "SLO ( FRA )", AT_LIMIT), EndingKind.SOLO, "FRA"),
        # Nobody can vote between the results of a turn and the position after it.
        ((NOW_BEFORE, PLAYED, "DRW", AT_LIMIT), EndingKind.YEAR_LIMIT, "FRA"),
        ((NOW_BEFORE, PLAYED, NOW_AFTER, "DRW", LATER), EndingKind.AGREED_DRAW, "FRA TUR"),
        ((NOW_BEFORE, PLAYED, NOW_AFTER, "DRW ( FRA TUR )", LATER), EndingKind.AGREED_DRAW,
         "FRA TUR"),
    ],
)  # fmt: skip
def test_of_a_server_that_does_not_say_why_the_messages_tell_what_they_can(
    texts: tuple[str, ...], kind: EndingKind, powers: str
) -> None:
    assert ending(*texts) == Ending(kind, named(powers), FALL)  # type: ignore[arg-type]  # as the case says


def test_a_game_is_not_over_before_the_summary() -> None:
    assert ending(NOW_BEFORE, PLAYED, "DRW") is None


def test_somebody_who_came_after_the_end_takes_the_turn_of_the_position() -> None:
    told = ending("DRW", LATER)
    assert told is not None
    assert str(told.turn) == "SPR 1902"


@pytest.mark.parametrize("kind", EndingKind)
def test_what_the_server_says_is_read_back(kind: EndingKind) -> None:
    powers = () if kind is EndingKind.ABORTED else BOARD.powers[2:3]
    said = Ending(kind, powers, FALL)
    note = to_text(write(ending_note(said)))
    assert ending(NOW_BEFORE, note, AT_LIMIT) == said
    assert ending(note) == (said if kind is EndingKind.ABORTED else None)


@pytest.mark.parametrize(
    "text",
    [
        "ADM ( 'Server' ) ( 'game over: bored after FAL 1901' )",
        "ADM ( 'Server' ) ( 'game over: aborted after NEV 1901' )",
        "ADM ( 'Server' ) ( 'game over: aborted after FAL 99999999999999999999' )",
        "ADM ( 'Mallory' ) ( 'game over: aborted after FAL 1901' )",
    ],
)
def test_other_talk_is_no_ending(text: str) -> None:
    assert isinstance(reader_for(8000).server(from_text(text)), Admin)
    assert ending(text) is None


def test_a_power_that_does_not_play_is_left_out_of_what_a_server_says() -> None:
    note = "ADM ( 'Server' ) ( 'game over: year-limit after FAL 1901 (FRA XXX)' )"
    assert ending(note, AT_LIMIT) == Ending(EndingKind.YEAR_LIMIT, BOARD.powers[2:3], FALL)
