"""Published experiments: the plans, and the figures that their games give.

An experiment is a spec with a table `[paper]`: its `id`, its `source`, and `rows`, each with the
`field` and the `bot` it is about, the `metric`, and what was published: a number or a text. A row
may name a bot `against` which a difference is, or another field and its bot, `than_field` and
`than_bot`, whose figure is taken off game by game; such fields share their seeds.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, TypeAlias, cast

from attrs import asdict, frozen

from rules.errors import BadInputError
from tournament.game_result import GameResult
from tournament.resampling import wilson
from tournament.runner import SpecFile
from tournament.schedule import jobs_of

CURE = "remove the file, and write it again with --tables"
_NEEDED = ("field", "bot", "metric", "value")
_OPTIONAL = ("against", "than_field", "than_bot")


@frozen
class Experiment:
    """A published experiment."""

    id: str
    source: str
    path: Path


@frozen(kw_only=True)
class Row:
    """One figure: what was published, and what we found."""

    experiment: str
    field: str
    bot: str
    player: str
    """What the name of the bot stands for, with its iterations."""
    metric: str
    paper: float | str
    games: int
    planned: int
    seeds: tuple[int, int]
    """The first and the last one that the plan has for the field."""
    ours: float | None
    interval: tuple[float, float] | None
    """The 95 % interval of ours, over games."""


@frozen(kw_only=True)
class Outcome:
    """What came of one experiment, as it is kept in a file."""

    id: str
    source: str
    plan: str
    """A fingerprint of all games of the plan: it is another one when anything about them is."""
    seconds_a_game: float
    """How long a game took on average, for whoever wants to know how long all will take."""
    aborted: int
    rows: tuple[Row, ...]


def experiments(folder: Path) -> dict[str, Experiment]:
    """Return the experiments of a folder, by their id."""
    if not folder.is_dir():
        raise BadInputError(f"--experiments: {folder}: no such folder")
    found = []
    for path in sorted(folder.glob("*.toml")):
        paper = SpecFile.load(path).spec.paper
        if "id" in paper:
            found.append(Experiment(str(paper["id"]), str(paper.get("source", "")), path))
    return {each.id: each for each in sorted(found, key=lambda each: each.id)}


def fingerprint(plan: SpecFile) -> str:
    """Return a short text that changes with everything on which the games of a plan depend."""
    games = [
        (
            *(job.number, job.field, job.seed, dict(job.players), dict(job.bots), job.variant),
            *(job.rules.press_level, job.rules.press_rounds, job.rules.last_year),
            *(job.rules.years_without_change, job.rules.think),
        )
        for job in jobs_of(plan.spec)
    ]
    return sha256(json.dumps(games, sort_keys=True).encode()).hexdigest()[:16]


def outcome(experiment: Experiment, plan: SpecFile, results: Sequence[GameResult]) -> Outcome:
    """Return the figures of an experiment; games that were aborted do not count."""
    played = [result for result in results if result.outcome != "aborted"]
    return Outcome(
        id=experiment.id,
        source=experiment.source,
        plan=fingerprint(plan),
        seconds_a_game=round(fmean(result.seconds for result in played), 3) if played else 0.0,
        aborted=len(results) - len(played),
        rows=tuple(_row(experiment.id, row, plan, played) for row in rows_of(plan)),
    )


def rows_of(plan: SpecFile) -> Sequence[Mapping[str, Any]]:
    """Return the rows of a plan, each with all that it needs and nothing else."""
    place = f"{plan.source}: paper.rows"
    names = {field.name: field.players for field in plan.spec.fields}
    rows: Sequence[Mapping[str, Any]] = plan.spec.paper.get("rows", ())
    for row in rows:
        if not set(_NEEDED) <= set(row) <= {*_NEEDED, *_OPTIONAL}:
            raise BadInputError(f"{place}: a row has {', '.join(_NEEDED)}, not {dict(row)}")
        if row["metric"] not in METRICS:
            raise BadInputError(f"{place}: {row['metric']!r} is not one of {', '.join(METRICS)}")
        if ("than_field" in row) != ("than_bot" in row):
            raise BadInputError(f"{place}: than_field and than_bot go together, not {dict(row)}")
        for field, bot in (("field", "bot"), ("than_field", "than_bot")):
            if field in row and row[field] not in names:
                raise BadInputError(f"{place}: no such field: {row[field]!r}")
            if bot in row and row[bot] not in names[row[field]]:
                raise BadInputError(f"{place}: {row[bot]!r} does not play in {row[field]!r}")
    return rows


def _row(name: str, row: Mapping[str, Any], plan: SpecFile, played: Sequence[GameResult]) -> Row:
    metric, field = row["metric"], row["field"]
    measured = _measured(played, field, row["bot"], metric, row.get("against"))
    is_share = metric in _SHARES
    told = f"{metric} to {row['against']}" if "against" in row else metric
    if "than_field" in row:
        other = _measured(played, row["than_field"], row["than_bot"], metric, row.get("against"))
        measured = {seed: measured[seed] - other[seed] for seed in measured if seed in other}
        is_share = False
        told = f"{told}, less that of {row['than_bot']} in the same seats"
    values = list(measured.values())
    seeds = [job.seed for job in jobs_of(plan.spec) if job.field == field]
    return Row(
        experiment=name,
        field=field,
        bot=row["bot"],
        player=plan.spec.bot_text(row["bot"]),
        metric=told,
        paper=row["value"],
        games=len(values),
        planned=len(seeds),
        seeds=(min(seeds), max(seeds)),
        ours=fmean(values) if values else None,
        interval=_interval(values, is_share=is_share) if len(values) > 1 else None,
    )


def _measured(
    played: Sequence[GameResult], field: str, bot: str, metric: str, against: str | None
) -> dict[int, float]:
    """Return the figure of each game of a field by its seed."""
    return {
        result.seed: METRICS[metric](result, bot, against)
        for result in played
        if result.field_name == field
    }


def _interval(measured: Sequence[float], *, is_share: bool) -> tuple[float, float]:
    """Return the interval of a mean; of a share Wilson's, which holds near 0 and 1 too."""
    mean = fmean(measured)
    if is_share:
        return wilson(mean, len(measured))
    margin = 1.96 * stdev(measured) / sqrt(len(measured))
    return mean - margin, mean + margin


def outcome_to_json(found: Outcome) -> dict[str, Any]:
    """Return an outcome as plain values, with as many digits as a figure has."""
    return cast("dict[str, Any]", _rounded(asdict(found)))


def outcome_from_json(data: Mapping[str, Any], source: str) -> Outcome:
    """Read what `outcome_to_json` has made."""
    try:
        rows = tuple(
            Row(
                **{
                    **row,
                    "seeds": tuple(row["seeds"]),
                    "interval": None if row["interval"] is None else tuple(row["interval"]),
                }
            )
            for row in data["rows"]
        )
        return Outcome(**{**data, "rows": rows})
    except (KeyError, TypeError) as error:
        why = f"these are no results of an experiment: {error}; {CURE}"
        raise BadInputError(f"{source}: {why}") from None


def _rounded(value: object) -> object:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(each) for each in value]
    return value


# --- metrics --------------------------------------------------------------------------------------

Metric: TypeAlias = Callable[[GameResult, str, str | None], float]


def _seats(result: GameResult, bot: str) -> list[Mapping[str, float]]:
    return [
        cast("Mapping[str, float]", result.scores[power])
        for power, name in result.players.items()
        if name == bot
    ]


def _mean(score: str) -> Metric:
    return lambda result, bot, _: fmean(float(seat[score]) for seat in _seats(result, bot))


def _sum(score: str) -> Metric:
    """Return what a game has of a score for all copies of a bot together."""
    return lambda result, bot, _: float(sum(seat[score] for seat in _seats(result, bot)))


def _difference(result: GameResult, bot: str, against: str | None) -> float:
    """Return the mean centers of the bot minus those of another, or of everybody else."""
    others = [name for name in result.players.values() if name != bot]
    rivals = {against} if against else set(others)
    theirs = [seat["centers"] for rival in rivals for seat in _seats(result, rival)]
    return fmean(seat["centers"] for seat in _seats(result, bot)) - fmean(theirs)


METRICS: Mapping[str, Metric] = {
    "centers": _mean("centers"),
    "difference": _difference,
    "rank": _mean("rank"),
    "solo": _mean("solo"),
    "soloed": _sum("solo"),
    "sum_of_squares": _mean("sum_of_squares"),
    "survived": _mean("survived"),
    "won": _sum("win"),
}
_SHARES = ("solo", "soloed", "survived", "won")
