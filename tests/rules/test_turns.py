"""Turns, and the years they make up."""

import pytest

from rules.errors import BadInputError
from rules.turns import Season, Turn, at_year_ends, turn_from_code


def turn(text: str) -> Turn:
    season, year = text.split()
    return Turn(Season(season), int(year))


def told(*texts: str) -> dict[int, str]:
    """Play the turns named, each followed by the next, with the next turn's name as what holds."""
    first, *rest = texts
    played = [
        (turn(before), turn(after), after) for before, after in zip(texts[:-1], rest, strict=True)
    ]
    return at_year_ends((turn(first), first), played)


@pytest.mark.parametrize(
    ("turns", "years"),
    [
        (["SPR 1901"], {1900: "SPR 1901"}),
        (["WIN 1901", "SPR 1902"], {1901: "SPR 1902"}),
        (["SPR 1901", "FAL 1901", "WIN 1901"], {1900: "SPR 1901", 1901: "WIN 1901"}),
        (["SPR 1901", "SUM 1901", "FAL 1901"], {1900: "SPR 1901"}),
        (["FAL 1901", "AUT 1901", "WIN 1901"], {1900: "FAL 1901", 1901: "WIN 1901"}),
        (["FAL 1901", "SPR 1902", "FAL 1902"], {1900: "FAL 1901", 1901: "SPR 1902"}),
    ],
)
def test_a_year_ends_when_its_fall_is_over(turns: list[str], years: dict[int, str]) -> None:
    assert told(*turns) == years


@pytest.mark.parametrize(
    ("season", "code"),
    [
        (Season.SPRING, "S1901M"),
        (Season.SUMMER, "S1901R"),
        (Season.FALL, "F1901M"),
        (Season.AUTUMN, "F1901R"),
        (Season.WINTER, "W1901A"),
    ],
)
def test_a_turn_has_a_short_name(season: Season, code: str) -> None:
    assert Turn(season, 1901).code == code
    assert turn_from_code(code) == turn_from_code(code.lower()) == Turn(season, 1901)


@pytest.mark.parametrize(
    "text", ["", "S", "S1901", "S1901A", "W1901M", "SPR 1901", "S\u0661\u0669M"]
)
def test_what_names_no_turn_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="no such turn"):
        turn_from_code(text)


def test_turns_come_one_after_the_other_through_the_years() -> None:
    texts = [f"{season.value} {year}" for year in (1901, 1902) for season in Season]
    turns = [turn(text) for text in texts]
    for place, one in enumerate(turns):
        for other_place, other in enumerate(turns):
            assert one.is_after(other) == (place > other_place), (texts[place], texts[other_place])
