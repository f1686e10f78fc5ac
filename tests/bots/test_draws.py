"""When a draw of all survivors is welcome."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.draws import DrawPolicy, DrawWatch, is_below_share
from rules.places import Power
from rules.position import Position
from rules.turns import Season, Turn
from tests.bots.positions import BOARD, view

POLICY = DrawPolicy(quiet_years=2, leader=14)
FRANCE, GERMANY, TURKEY = (BOARD.power(name) for name in ("FRA", "GER", "TUR"))


def owned(counts: Mapping[Power, int], season: Season, year: int) -> Position:
    """Return a position without units, in which powers own so many centers."""
    centers = iter(BOARD.centers)
    owners = {next(centers): power for power, count in counts.items() for _ in range(count)}
    return Position(Turn(season, year), (), (), owners)


def watched(*positions: Position) -> tuple[DrawWatch, bool]:
    """Let a watch of France see a game, and say whether it wants a draw at its end."""
    watch = POLICY.watch()
    for each in positions:
        watch.note(view("FRA", each))
    return watch, watch.wants_draw(view("FRA", positions[-1]))


def springs(*sizes: Mapping[Power, int], first: int = 1901) -> list[Position]:
    return [owned(size, Season.SPRING, first + year) for year, size in enumerate(sizes)]


AHEAD = {FRANCE: 17, GERMANY: 9, TURKEY: 8}
OTHERWISE = {FRANCE: 17, GERMANY: 8, TURKEY: 9}


def test_who_is_ahead_wants_a_draw_only_after_years_without_a_change() -> None:
    assert not watched(*springs(AHEAD, AHEAD))[1]
    assert watched(*springs(AHEAD, AHEAD, AHEAD))[1]
    assert not watched(*springs(AHEAD, AHEAD, OTHERWISE))[1]
    assert not watched(*springs(AHEAD, AHEAD, OTHERWISE, OTHERWISE))[1]
    assert watched(*springs(AHEAD, AHEAD, OTHERWISE, OTHERWISE, OTHERWISE))[1]


def test_only_springs_are_held_against_one_another() -> None:
    between = [owned(OTHERWISE, season, 1901) for season in (Season.FALL, Season.WINTER)]
    game = springs(AHEAD, AHEAD, AHEAD)
    assert watched(game[0], *between, *game[1:])[1]


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [
        ({FRANCE: 10, GERMANY: 14, TURKEY: 10}, True),  # somebody else looks like the winner
        ({FRANCE: 10, GERMANY: 13, TURKEY: 11}, True),  # less than a third, by squares
        ({FRANCE: 12, GERMANY: 11, TURKEY: 11}, False),
        ({FRANCE: 14, GERMANY: 14, TURKEY: 6}, False),  # nobody is larger than we
        ({FRANCE: 1, GERMANY: 33}, True),
        ({FRANCE: 34}, False),
    ],
)
def test_a_draw_is_wanted_when_less_can_be_hoped_for(
    counts: dict[Power, int], *, wanted: bool
) -> None:
    first = {FRANCE: 15, GERMANY: 10, TURKEY: 9}
    assert watched(*springs(first, first), *springs(counts, first=1903))[1] is wanted


def test_no_draw_is_wanted_in_the_first_years_nor_before_anything_was_seen() -> None:
    losing = {FRANCE: 1, GERMANY: 33}
    assert not watched(*springs(losing, losing))[1]
    assert not POLICY.watch().wants_draw(view("FRA", owned(losing, Season.FALL, 1910)))


@given(st.lists(st.integers(0, 11), min_size=3, max_size=3).filter(lambda sizes: sum(sizes) > 0))
def test_not_everybody_is_below_the_share_of_a_draw(sizes: list[int]) -> None:
    """The shares by squares sum up to one, like those of a draw."""
    powers = dict(zip((FRANCE, GERMANY, TURKEY), sizes, strict=True))
    position = owned(powers, Season.SPRING, 1905)
    alive = [power for power, size in powers.items() if size]
    below = [power for power in alive if is_below_share(view(power.name, position))]
    assert len(below) < len(alive)
    largest = max(alive, key=lambda power: powers[power])
    assert largest not in below
