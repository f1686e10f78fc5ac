"""What an author is told of the exceptions of a strategy."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.failures import Failure, FailureLog, failure_from_line, failure_to_line
from rules.turns import Season, Turn

FALL = Turn(Season.FALL, 1903)


def raised(error: Exception, depth: int = 0) -> Exception:
    """Return an exception as it comes out of a strategy."""
    try:
        _deeper(error, depth)
    except type(error) as found:
        return found
    raise AssertionError


def _deeper(error: Exception, depth: int) -> None:
    if depth:
        _deeper(error, depth - 1)
    raise error


def test_a_kind_of_failure_is_told_once_and_counted() -> None:
    log = FailureLog()
    first = log.note(raised(ValueError("no place\nin two lines")), FALL)
    assert first is not None
    assert first.error == "ValueError: no place"
    assert first.turn == "FAL 1903"
    assert log.note(raised(ValueError("another place")), None) is None
    assert log.note(raised(KeyError("x")), None) is not None
    assert log.count == 3
    assert [each.times for each in log.kinds] == [2, 1]
    assert log.kinds[1].turn == "the start"
    assert log.kinds[0].sentence.endswith("(first in FAL 1903, 2 times)")


def test_the_lines_of_the_author_are_named_the_last_ones() -> None:
    log = FailureLog()
    log.note(raised(ZeroDivisionError(), depth=9), FALL)
    (failure,) = log.kinds
    assert failure.error == "ZeroDivisionError"
    assert len(failure.where) == 5
    assert all(each.startswith("test_failures.py:") for each in failure.where)
    assert failure.where[-1].endswith(" in _deeper")
    assert f" at {failure.where[-1]} " in failure.sentence


def test_another_line_is_another_kind() -> None:
    log = FailureLog()
    assert log.note(raised(ValueError("a")), FALL) is not None
    assert log.note(raised(ValueError("a"), depth=1), FALL) is not None
    assert log.count == 2


def test_a_long_text_is_cut() -> None:
    log = FailureLog()
    failure = log.note(raised(ValueError("x" * 1000)), FALL)
    assert failure is not None
    assert len(failure.error) == 300


@given(
    error=st.text(),
    where=st.lists(st.text(), max_size=5),
    turn=st.text(),
    times=st.integers(1, 10**6),
)
def test_a_failure_is_one_line_that_can_be_read_again(
    error: str, where: list[str], turn: str, times: int
) -> None:
    failure = Failure(error, tuple(where), turn, times)
    line = failure_to_line(failure)
    assert "\n" not in line
    assert failure_from_line(line) == failure


@pytest.mark.parametrize(
    "line",
    [
        *("", "hello", "null", "3", "[]", "{}", '{"failure": null}', '{"failure": {}}'),
        *('{"failure": {"error": "x", "where": 3, "turn": "y"}}', '{"failure": [1]}', "[" * 9999),
        json.dumps({"failure": {"error": "x", "where": [], "turn": "y", "more": 1}}),
    ],
)
def test_any_other_line_is_no_failure(line: str) -> None:
    assert failure_from_line(line) is None
