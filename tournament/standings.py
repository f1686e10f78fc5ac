"""How the bots did: means with intervals, by bot, by composition, by opponent and by power.

Games that share a seed form a cluster and are resampled together. A mean by bot is over its
seats: every power that it played in every game counts once.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import fsum
from statistics import stdev

from attrs import frozen

from tournament.games import Game
from tournament.power_analysis import difference_found, pairs_needed
from tournament.resampling import (
    Bootstrap,
    Estimate,
    clustered_error,
    holm,
    share_test,
    sign_flip_tests,
    wilson,
)
from tournament.scoring import SCORES, Score

Value = Callable[[Game, str], float]


@frozen
class BotStanding:
    """A bot's means over all its seats."""

    bot: str
    games: int
    seats: int
    scores: Mapping[str, Estimate]


@frozen
class WinRate:
    """How often one of a bot's k copies won, beside the k/7 that equals would win."""

    field: str
    bot: str
    copies: int
    seats: int
    games: int
    rate: Estimate
    p: float
    solos: int

    @property
    def expected(self) -> float:
        """The share that bots of equal strength would win."""
        return self.copies / self.seats


@frozen
class Comparison:
    """The paired difference of two bots in one score: what they made of the same seeds."""

    one: str
    other: str
    difference: Estimate
    p: float
    adjusted: float
    """The p-value by Holm, for all comparisons of the table."""
    deviation: float
    """The standard deviation of the difference from seed to seed."""
    games_per_seed: float

    @property
    def is_significant(self) -> bool:
        """Whether the difference stands at 95 %, all comparisons considered."""
        return self.adjusted < 0.05

    def games_for(self, difference: float) -> float:
        """Return the games that would find a true difference, four times in five."""
        return pairs_needed(difference, self.deviation) * self.games_per_seed

    @property
    def difference_found(self) -> float:
        """The smallest true difference that the games so far would find, four times in five."""
        return difference_found(self.difference.n, self.deviation)


@frozen
class Cell:
    """One field of a cross table."""

    row: str
    column: str
    estimate: Estimate


def bots_of(games: Sequence[Game]) -> list[str]:
    """Return the names of all bots, sorted."""
    return sorted({bot for game in games for bot in game.players.values()})


def score_of(key: str) -> Value:
    """Return the function that reads a score off a game."""

    def read(game: Game, power: str) -> float:
        scores: Mapping[str, float] = game.scores[power]  # type: ignore[assignment]
        return float(scores[key])

    return read


def clusters(games: Sequence[Game]) -> list[list[Game]]:
    """Return the games that share a seed, together."""
    found: dict[int, list[Game]] = defaultdict(list)
    for game in games:
        found[game.seed].append(game)
    return list(found.values())


def standings(games: Sequence[Game], *, seed: str) -> list[BotStanding]:
    """Return the means of all scores by bot, the best sum of squares first."""
    bots = bots_of(games)
    readers = {key: score_of(key) for key in SCORES}
    rows = [
        [value for bot in bots for value in _seat_sums(cluster, bot, list(readers.values()))]
        for cluster in clusters(games)
    ]
    bootstrap = Bootstrap(rows, seed=seed)
    width = len(readers) + 1
    found = []
    for index, bot in enumerate(bots):
        at = index * width
        estimates = {key: bootstrap.ratio(at + 1 + place, at) for place, key in enumerate(readers)}
        found.append(
            BotStanding(
                bot,
                games=sum(bot in game.seats for game in games),
                seats=round(bootstrap.totals[at]),
                scores={
                    key: _never_too_sure(each, SCORES[key])
                    for key, each in estimates.items()
                    if each is not None
                },
            )
        )
    return sorted(found, key=lambda each: (-each.scores["sum_of_squares"].value, each.bot))


def _never_too_sure(estimate: Estimate, score: Score) -> Estimate:
    """Replace the empty interval of a share that is none or all: no resample differs from it."""
    if not score.percent or estimate.low != estimate.high or estimate.value not in (0, 1):
        return estimate
    return Estimate(estimate.value, *wilson(estimate.value, estimate.n), estimate.n)


def _seat_sums(cluster: Sequence[Game], bot: str, readers: Sequence[Value]) -> list[float]:
    """Return the seats of a bot in a cluster, then the sum of each score over them."""
    seats = [(game, power) for game in cluster for power in game.seats.get(bot, ())]
    return [
        float(len(seats)),
        *(fsum(reader(game, power) for game, power in seats) for reader in readers),
    ]


def win_rates(games: Sequence[Game]) -> list[WinRate]:
    """Return how often each bot of each field won, by the number of its copies.

    The interval is Wilson's, with as many games as independent ones would tell as much: where
    games share seeds, or winners share wins, that may be fewer or more than were played.
    """
    groups: dict[tuple[str, str, int], list[Game]] = defaultdict(list)
    for game in games:
        for bot, powers in game.seats.items():
            groups[game.field_name, bot, len(powers)].append(game)
    found = []
    for (field, bot, copies), members in sorted(groups.items()):
        seats = len(members[0].players)
        if copies == seats:
            continue
        sums = [
            (fsum(_wins(game, bot) for game in cluster), float(len(cluster)))
            for cluster in clusters(members)
        ]
        share = fsum(value for value, _ in sums) / len(members)
        n = _effective_games(share, sums)
        low, high = wilson(share, n)
        solos = sum(game.scores[power]["solo"] for game in members for power in game.seats[bot])
        found.append(
            WinRate(
                field,
                bot,
                copies,
                seats,
                games=len(members),
                rate=Estimate(share, low, high, len(sums)),
                p=share_test(share, copies / seats, n),
                solos=solos,
            )
        )
    return found


def _wins(game: Game, bot: str) -> float:
    return fsum(game.scores[power]["win"] for power in game.seats.get(bot, ()))


def _effective_games(share: float, sums: Sequence[tuple[float, float]]) -> float:
    error = clustered_error(sums)
    spread = share * (1 - share)
    if not error or spread < 1e-12:
        return float(len(sums))
    return min(spread / error**2, fsum(weight for _, weight in sums))


def comparisons(games: Sequence[Game], score: str, *, seed: str) -> list[Comparison]:
    """Compare all pairs of bots that played the same seeds, in the same game or beside it.

    The difference of a seed is the mean of one bot's seats less the mean of the other's.
    """
    reader = score_of(score)
    means = [_means(cluster, reader) for cluster in clusters(games)]
    sizes = [len(cluster) for cluster in clusters(games)]
    bots = bots_of(games)
    pairs = [
        (one, other)
        for index, one in enumerate(bots)
        for other in bots[index + 1 :]
        if any(one in mean and other in mean for mean in means)
    ]
    columns = [
        [mean[one] - mean[other] if one in mean and other in mean else 0.0 for mean in means]
        for one, other in pairs
    ]
    weights = [[float(one in mean and other in mean) for mean in means] for one, other in pairs]
    p_values = sign_flip_tests(columns, seed=seed)
    bootstrap = Bootstrap(list(zip(*columns, *weights, strict=True)), seed=f"{seed} pairs")
    found = []
    for index, (pair, p, adjusted) in enumerate(zip(pairs, p_values, holm(p_values), strict=True)):
        together = [place for place, weight in enumerate(weights[index]) if weight]
        values = [columns[index][place] for place in together]
        estimate = bootstrap.ratio(index, len(pairs) + index)
        assert estimate is not None
        found.append(
            Comparison(
                *pair,
                difference=Estimate(estimate.value, estimate.low, estimate.high, len(together)),
                p=p,
                adjusted=adjusted,
                deviation=stdev(values) if len(values) > 1 else 0.0,
                games_per_seed=sum(sizes[place] for place in together) / len(together),
            )
        )
    return found


def _means(cluster: Sequence[Game], reader: Value) -> dict[str, float]:
    values: dict[str, list[float]] = defaultdict(list)
    for game in cluster:
        for power, bot in game.players.items():
            values[bot].append(reader(game, power))
    return {bot: fsum(each) / len(each) for bot, each in values.items()}


def by_opponent(games: Sequence[Game], score: str) -> list[Cell]:
    """Return each row bot's mean in those games in which the column bot played as well."""
    reader = score_of(score)
    sums: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(dict)
    for game in games:
        for row, powers in game.seats.items():
            value = fsum(reader(game, power) for power in powers)
            for column, others in game.seats.items():
                if row != column or len(others) > 1:
                    add_to(sums[row, column], game.seed, value, len(powers))
    return _cells(sums)


def by_power(games: Sequence[Game], score: str) -> list[Cell]:
    """Return each bot's mean with each power."""
    reader = score_of(score)
    sums: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(dict)
    for game in games:
        for power, bot in game.players.items():
            add_to(sums[bot, power], game.seed, reader(game, power), 1)
    return _cells(sums)


def add_to(sums: dict[int, list[float]], seed: int, value: float, weight: float) -> None:
    """Add a value and its weight to the sums of a seed."""
    entry = sums.setdefault(seed, [0.0, 0.0])
    entry[0] += value
    entry[1] += weight


def _cells(sums: Mapping[tuple[str, str], Mapping[int, Sequence[float]]]) -> list[Cell]:
    found = []
    for (row, column), by_seed in sorted(sums.items()):
        estimate = seeds_estimate(by_seed)
        if estimate is not None:
            found.append(Cell(row, column, estimate))
    return found


def mean_estimate(sums: Sequence[tuple[float, float]]) -> Estimate | None:
    """Return a mean over clusters with its normal interval, for places where many are shown."""
    total = fsum(weight for _, weight in sums)
    if not total:
        return None
    mean = fsum(value for value, _ in sums) / total
    error = clustered_error(sums)
    n = sum(bool(weight) for _, weight in sums)
    if error is None:
        return Estimate(mean, n=n)
    return Estimate(mean, mean - 1.959964 * error, mean + 1.959964 * error, n)


def seeds_estimate(by_seed: Mapping[int, Sequence[float]]) -> Estimate | None:
    """Return a mean from the sums of values and weights of each seed."""
    return mean_estimate([(value, weight) for value, weight in by_seed.values()])


def centers_by_year(games: Sequence[Game]) -> dict[str, dict[int, Estimate]]:
    """Return each bot's mean centers per seat at the end of every year.

    A game that is over keeps its last centers, so that every year is about the same games.
    """
    years = sorted({year for game in games for year in game.centers})
    sums: dict[tuple[str, int], dict[int, list[float]]] = defaultdict(dict)
    for game in games:
        centers = game.centers[min(game.centers)]
        for year in years:
            centers = game.centers.get(year, centers)
            for bot, powers in game.seats.items():
                total = sum(centers[power] for power in powers)
                add_to(sums[bot, year], game.seed, total, len(powers))
    found: dict[str, dict[int, Estimate]] = defaultdict(dict)
    for (bot, year), by_seed in sums.items():
        estimate = seeds_estimate(by_seed)
        if estimate is not None:
            found[bot][year] = estimate
    return dict(found)
