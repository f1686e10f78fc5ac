"""How the bots did: means with intervals, by bot, by composition, by opponent and by power.

Games that share a seed form a cluster and are resampled together. A mean by bot is over its
seats: every power that it played in every game counts once.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import fsum
from statistics import stdev

from attrs import frozen

from tournament.game_result import GameResult
from tournament.power_analysis import difference_found, pairs_needed
from tournament.resampling import (
    Bootstrap,
    Estimate,
    Permuted,
    clustered_error,
    holm,
    permutation_tests,
    share_test,
    wilson,
)
from tournament.scoring import SCORES, Score

Value = Callable[[GameResult, str], float]


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


def bots_of(games: Sequence[GameResult]) -> list[str]:
    """Return the names of all bots, sorted."""
    return sorted({bot for game in games for bot in game.players.values()})


def score_of(key: str) -> Value:
    """Return the function that reads a score off a game."""

    def read(game: GameResult, power: str) -> float:
        scores: Mapping[str, float] = game.scores[power]  # type: ignore[assignment]  # its keys are names
        return float(scores[key])

    return read


def clusters(games: Sequence[GameResult]) -> list[list[GameResult]]:
    """Return the games that share a seed, together."""
    found: dict[int, list[GameResult]] = defaultdict(list)
    for game in games:
        found[game.seed].append(game)
    return list(found.values())


def standings(games: Sequence[GameResult], *, seed: str) -> list[BotStanding]:
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


def _seat_sums(cluster: Sequence[GameResult], bot: str, readers: Sequence[Value]) -> list[float]:
    """Return the seats of a bot in a cluster, then the sum of each score over them."""
    seats = [(game, power) for game in cluster for power in game.seats.get(bot, ())]
    return [
        float(len(seats)),
        *(fsum(reader(game, power) for game, power in seats) for reader in readers),
    ]


def win_rates(games: Sequence[GameResult]) -> list[WinRate]:
    """Return how often each bot of each field won, by the number of its copies.

    The interval is Wilson's, with as many games as independent ones would tell as much: where
    games share seeds, or winners share wins, that may be fewer or more than were played.
    """
    groups: dict[tuple[str, str, int], list[GameResult]] = defaultdict(list)
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


def _wins(game: GameResult, bot: str) -> float:
    return fsum(game.scores[power]["win"] for power in game.seats.get(bot, ()))


def _effective_games(share: float, sums: Sequence[tuple[float, float]]) -> float:
    error = clustered_error(sums)
    spread = share * (1 - share)
    if not error or spread < 1e-12:
        return float(len(sums))
    return min(spread / error**2, fsum(weight for _, weight in sums))


def comparisons(games: Sequence[GameResult], score: str, *, seed: str) -> list[Comparison]:
    """Compare all pairs of bots that played the same games, or else the same seeds.

    The difference of a seed is the mean of one bot's seats less the mean of the other's. The
    test deals out the seats that two bots had in a game anew; flipping signs would find too much
    where one seat plays six. Bots that never met have no seats to swap, and signs are flipped.
    """
    bots = bots_of(games)
    found: dict[tuple[str, str], _Pairing] = {}
    for index, one in enumerate(bots):
        for other in bots[index + 1 :]:
            pairing = _pairing(games, one, other, score_of(score))
            if pairing.differences:
                found[one, other] = pairing
    seeds = sorted({each for pairing in found.values() for each in pairing.differences})
    columns = [[each.differences.get(key, 0.0) for key in seeds] for each in found.values()]
    weights = [[float(key in each.differences) for key in seeds] for each in found.values()]
    p_values = permutation_tests([each.permuted for each in found.values()], seed=seed)
    bootstrap = Bootstrap(list(zip(*columns, *weights, strict=True)), seed=f"{seed} pairs")
    adjusted = holm(p_values)
    return [
        _comparison(pair, found[pair], bootstrap.ratio(index, len(found) + index), p, holms)
        for index, (pair, p, holms) in enumerate(zip(found, p_values, adjusted, strict=True))
    ]


@frozen
class _Pairing:
    """What one bot made of each seed more than another, and what it might have made of it."""

    differences: Mapping[int, float]
    permuted: Permuted
    games: int


def _pairing(games: Sequence[GameResult], one: str, other: str, reader: Value) -> _Pairing:
    """Compare two bots in their games together if there are any, else in games of a seed.

    Other games of the same seed would tell how well a bot does elsewhere, beside other bots.
    """
    together = [game for game in games if one in game.seats and other in game.seats]
    differences: dict[int, float] = {}
    permuted: dict[int, Sequence[float]] = {}
    played = 0
    for cluster in clusters(together or games):
        seats, total = _seat_sums(cluster, one, [reader])
        other_seats, other_total = _seat_sums(cluster, other, [reader])
        if not seats or not other_seats:
            continue
        key = cluster[0].seed
        played += len(cluster)
        differences[key] = total / seats - other_total / other_seats
        if together:
            for game in cluster:
                own, others = (
                    [reader(game, power) for power in game.seats[bot]] for bot in (one, other)
                )
                permuted[game.number] = _dealt_anew(own, others, seats, other_seats)
        else:
            permuted[key] = (differences[key], -differences[key])
    return _Pairing(differences, permuted, played)


def _dealt_anew(
    own: Sequence[float], others: Sequence[float], seats: float, other_seats: float
) -> list[float]:
    """Return the game's part of a difference for every way to deal its seats to the two bots.

    The first is the way they were dealt; `seats` and `other_seats` are those of the whole seed.
    """
    values = [*own, *others]
    total = fsum(values)
    return [
        (mine := fsum(chosen)) / seats - (total - mine) / other_seats
        for chosen in combinations(values, len(own))
    ]


def _comparison(
    pair: tuple[str, str], pairing: _Pairing, estimate: Estimate | None, p: float, adjusted: float
) -> Comparison:
    assert estimate is not None
    values = list(pairing.differences.values())
    return Comparison(
        *pair,
        difference=Estimate(estimate.value, estimate.low, estimate.high, len(values)),
        p=p,
        adjusted=adjusted,
        deviation=stdev(values) if len(values) > 1 else 0.0,
        games_per_seed=pairing.games / len(values),
    )


def by_opponent(games: Sequence[GameResult], score: str) -> list[Cell]:
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


def by_power(games: Sequence[GameResult], score: str) -> list[Cell]:
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


def centers_by_year(games: Sequence[GameResult]) -> dict[str, dict[int, Estimate]]:
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
