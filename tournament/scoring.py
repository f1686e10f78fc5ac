"""What a finished game is worth to each power, by every score in use.

`solo`            1 for the winner of a solo.
`draw_size`       1 for a solo, 1/n for each of the n who share a draw.
`sum_of_squares`  a power's share of the squared centers; a solo takes all.
`centers`         the centers owned at the end.
`rank`            1 is best; those who are equal share the mean of their places.
`survived`        whether the power owned a center at the end.
`daide`           the DAIDE tournaments' score of M players: M - 1, M/n - 1 or -1.
`win`             1 for a solo, 1/n in a draw; at a year limit those with most centers share it.

A game that is stopped by its year limit counts as a draw of all survivors: nobody has conceded
anything, and no bot shall gain by being better at agreeing on draws than at surviving. Only `win`
looks at who leads, because tables of winners need one.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import TypedDict

from attrs import frozen


class PowerScores(TypedDict):
    """The scores of one power in one game."""

    solo: int
    draw_size: float
    sum_of_squares: float
    centers: int
    rank: float
    survived: bool
    daide: float
    win: float


@frozen
class Score:
    """How a score is called, and how it is to be read."""

    key: str
    title: str
    digits: int = 3
    percent: bool = False
    low_is_good: bool = False


SCORES = {
    score.key: score
    for score in (
        Score("sum_of_squares", "sum of squares"),
        Score("draw_size", "draw size"),
        Score("solo", "solos", percent=True, digits=1),
        Score("win", "wins", percent=True, digits=1),
        Score("centers", "centers", digits=2),
        Score("rank", "rank", digits=2, low_is_good=True),
        Score("survived", "survival", percent=True, digits=1),
        Score("daide", "DAIDE score", digits=2),
    )
}
EQUAL_SHARE = 1 / 7
"""The sum of squares of each of seven who are all alike."""
YearlyCenters = Mapping[int, Mapping[str, int]] | Mapping[str, Mapping[str, int]]


def scores(
    outcome: str,
    winners: Collection[str],
    centers_by_year: YearlyCenters,
    eliminated: Mapping[str, int] | None = None,
) -> dict[str, PowerScores]:
    """Return the scores of every power; the years may be numbers or text, as in JSON.

    `winners` are the one of a solo or those who share a draw; a year limit has none. A power
    without centers whose year of elimination is not told takes the first year it had none.
    """
    final = final_centers(centers_by_year)
    gone = {**_emptied(centers_by_year), **(eliminated or {})}
    sharing = set(winners) if outcome in ("solo", "draw") else _survivors(final)
    ranks = _ranks({power: _standing(power, outcome, winners, final, gone) for power in final})
    leaders = _leaders(outcome, sharing, final)
    return {
        power: PowerScores(
            solo=int(outcome == "solo" and power in sharing),
            draw_size=1 / len(sharing) if power in sharing else 0.0,
            sum_of_squares=_square_share(power, outcome, sharing, final),
            centers=centers,
            rank=ranks[power],
            survived=centers > 0,
            daide=(len(final) / len(sharing) if power in sharing else 0.0) - 1.0,
            win=1 / len(leaders) if power in leaders else 0.0,
        )
        for power, centers in final.items()
    }


def final_centers(centers_by_year: YearlyCenters) -> dict[str, int]:
    """Return the centers of the last year that is told."""
    years = {int(year): centers for year, centers in centers_by_year.items()}
    return dict(years[max(years)]) if years else {}


def _emptied(centers_by_year: YearlyCenters) -> dict[str, int]:
    """Return the first year from which on a power had no center."""
    found: dict[str, int] = {}
    for year, centers in sorted((int(year), each) for year, each in centers_by_year.items()):
        for power, count in centers.items():
            if count:
                found.pop(power, None)
            else:
                found.setdefault(power, year)
    return found


def _survivors(final: Mapping[str, int]) -> set[str]:
    return {power for power, centers in final.items() if centers > 0}


def _leaders(outcome: str, sharing: set[str], final: Mapping[str, int]) -> set[str]:
    if outcome in ("solo", "draw"):
        return sharing
    most = max(final.values(), default=0)
    return {power for power, centers in final.items() if centers == most}


def _square_share(power: str, outcome: str, sharing: set[str], final: Mapping[str, int]) -> float:
    if outcome == "solo":
        return float(power in sharing)
    total = sum(centers**2 for centers in final.values())
    return final[power] ** 2 / total if total else 0.0


def _standing(
    power: str,
    outcome: str,
    winners: Collection[str],
    final: Mapping[str, int],
    gone: Mapping[str, int],
) -> tuple[int, int]:
    """Return what powers are ranked by: those who share the game, survivors, then the dead."""
    if outcome in ("solo", "draw") and power in winners:
        return 2, 0
    if final[power] > 0:
        return 1, final[power]
    return 0, gone.get(power, 0)


def _ranks(standings: Mapping[str, tuple[int, int]]) -> dict[str, float]:
    """Turn standings into ranks; equals share the mean of the places they take."""
    values = list(standings.values())
    return {power: _place(standing, values) for power, standing in standings.items()}


def _place(standing: tuple[int, int], values: Iterable[tuple[int, int]]) -> float:
    better = equal = 0
    for each in values:
        better += each > standing
        equal += each == standing
    return better + (equal + 1) / 2
