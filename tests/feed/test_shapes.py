"""JSON values of strangers against the types of events: what does not fit is refused by name."""

from typing import Annotated, Any, Literal, NotRequired, TypedDict

import pytest

from feed.shapes import check, fits, schema_of
from rules.errors import BadInputError


class Line(TypedDict):
    """An object with a field that must be there and one that came later."""

    name: str
    count: NotRequired[int]


TURN = Annotated[list[Any], "turn"]
GOOD: list[tuple[object, Any]] = [
    ("a", str), (3, int), (3, float), (0.5, float), (True, bool), (None, int | None),
    (["a", "b"], list[str]), ([], list[str]), ({"x": 1}, dict[str, int]), ("on", Literal["on"]),
    (["SPR", 1901], TURN), ({"name": "a"}, Line), ({"name": "a", "count": 2}, Line),
    ({"name": "a", "later still": []}, Line),
]  # fmt: skip
BAD: list[tuple[object, Any]] = [
    (1, str), ("1", int), (0.5, int), ("x", float), (None, int), (1, bool), (True, int),
    (True, float), (["a", 1], list[str]), ("ab", list[str]), ({"x": "1"}, dict[str, int]),
    ([], dict[str, int]), ("off", Literal["on"]), (["SPR"], TURN), (["SPR", "1901"], TURN),
    ([1901, "SPR"], TURN), ("SPR 1901", TURN), ({}, Line), ({"name": 1}, Line), ([], Line),
    ({"name": "a", "count": "2"}, Line), (["NEV", 1901], TURN), (["SPR", True], TURN),
    (["SPR", 0], TURN), (["SPR", 10**30], TURN),
]  # fmt: skip


@pytest.mark.parametrize(("value", "hint"), GOOD)
def test_what_fits_is_taken(value: object, hint: Any) -> None:
    assert fits(value, hint)
    check(value, hint, "here")


@pytest.mark.parametrize(("value", "hint"), BAD)
def test_what_does_not_fit_is_refused(value: object, hint: Any) -> None:
    assert not fits(value, hint)
    with pytest.raises(BadInputError, match=r"lobby\.players: .* is not what docs/events\.md"):
        check(value, hint, "lobby.players")


def test_a_complaint_does_not_repeat_all_that_a_stranger_sent() -> None:
    with pytest.raises(BadInputError) as complaint:
        check("x" * 100_000, int, "here")
    assert len(str(complaint.value)) < 150


def test_a_schema_names_what_must_be_there() -> None:
    schema = schema_of(Line)
    assert schema["required"] == ["name"]
    assert schema["properties"]["count"] == {"type": "integer"}
    assert schema_of(int | None) == {"anyOf": [{"type": "integer"}, {"type": "null"}]}
