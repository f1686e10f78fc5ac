"""Games made by hand, small enough to count on the fingers."""

from collections.abc import Mapping, Sequence
from typing import Any

from tournament.game_result import GameResult


def game(
    number: int,
    players: Mapping[str, str],
    final: Mapping[str, int],
    *,
    winners: Sequence[str] = (),
    **more: Any,
) -> GameResult:
    """Return a game of two years that ends with these centers."""
    outcome = {0: "year-limit", 1: "solo"}.get(len(winners), "draw")
    start = dict.fromkeys(players, 3)
    return GameResult(
        number=number,
        field_name=more.pop("field_name", "field"),
        seed=more.pop("seed", number),
        players=dict(players),
        outcome=outcome,
        winners=list(winners),
        year=more.pop("year", 1902),
        centers=more.pop("centers", {1900: start, 1901: start, 1902: dict(final)}),
        **more,
    )
