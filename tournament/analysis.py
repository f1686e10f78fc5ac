"""Everything that a report tells, worked out from the games of a tournament."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from attrs import asdict, frozen

from rules.errors import BadInputError
from tournament.game_result import GameResult
from tournament.negotiation import Negotiation, negotiation
from tournament.ratings import Rating, rate
from tournament.resampling import Estimate
from tournament.scoring import SCORES, Score
from tournament.standings import (
    BotStanding,
    Cell,
    Comparison,
    WinRate,
    by_opponent,
    by_power,
    centers_by_year,
    clusters,
    comparisons,
    standings,
    win_rates,
)

MAIN_SCORE = "sum_of_squares"
_SEED = "report"


@frozen
class Analysis:
    """The numbers of a report."""

    name: str
    score: Score
    """The score by which bots are compared."""
    games: int
    seeds: int
    powers: Sequence[str]
    fields: Mapping[str, int]
    outcomes: Mapping[str, int]
    faults: Mapping[str, Mapping[str, int]]
    """What went wrong, by bot."""
    standings: Sequence[BotStanding]
    ratings: Sequence[Rating]
    win_rates: Sequence[WinRate]
    comparisons: Sequence[Comparison]
    by_opponent: Sequence[Cell]
    by_power: Sequence[Cell]
    centers: Mapping[str, Mapping[int, Estimate]]
    negotiation: Negotiation

    @property
    def bots(self) -> list[str]:
        """The bots, best first."""
        return [each.bot for each in self.standings]


def analyse(games: Sequence[GameResult], *, name: str, score: str = MAIN_SCORE) -> Analysis:
    """Work out a report; the same games give the same numbers."""
    if score not in SCORES:
        raise BadInputError(f"--score: {score!r} is not one of {', '.join(SCORES)}")
    counted = [game for game in games if game.is_counted]
    if not counted:
        raise BadInputError(f"{name}: all {len(games)} games were aborted; there is no result")
    return Analysis(
        name=name,
        score=SCORES[score],
        games=len(counted),
        seeds=len(clusters(counted)),
        powers=sorted({power for game in counted for power in game.players}),
        fields=dict(sorted(Counter(game.field_name for game in counted).items())),
        outcomes=Counter(game.outcome for game in games),
        faults=_faults(games),
        standings=standings(counted, seed=_SEED),
        ratings=rate(counted),
        win_rates=win_rates(counted),
        comparisons=comparisons(counted, score, seed=_SEED),
        by_opponent=by_opponent(counted, score),
        by_power=by_power(counted, score),
        centers=centers_by_year(counted),
        negotiation=negotiation(counted, score, seed=_SEED),
    )


def _faults(games: Sequence[GameResult]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    for game in games:
        for fault in game.faults:
            bot = game.players.get(str(fault.get("power")), "?")
            found.setdefault(bot, Counter())[str(fault.get("what", "?"))] += 1
    return {bot: dict(sorted(each.items())) for bot, each in sorted(found.items())}


def as_json(analysis: Analysis) -> dict[str, Any]:
    """Return the numbers as JSON can hold them."""
    found: dict[str, Any] = _plain(asdict(analysis))
    return found


def _plain(value: object) -> Any:  # noqa: ANN401 - JSON is anything
    match value:
        case dict():
            return {_key(key): _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case float():
            return round(value, 6) if isfinite(value) else None
        case _:
            return value


def _key(key: object) -> str:
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)
