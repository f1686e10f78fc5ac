"""What was promised, what came of it, and whether lying pays.

Everything here is read from the promise book of each game: promises with their verdicts, offers
with their answers, stabs (attacks on a partner while at peace or allied).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, fsum, sqrt

from attrs import frozen

from tournament.game_result import GameResult, Json, years_of
from tournament.resampling import Bootstrap, Estimate
from tournament.standings import (
    add_to,
    bots_of,
    clusters,
    mean_estimate,
    score_of,
    seeds_estimate,
)

SPELL_KINDS = ("peace", "alliance")
ANSWERS = ("yes", "rej", "bwx", "huh", "ccl", "none")


@frozen
class Spell:
    """A time of peace or alliance between two powers, in years."""

    one: str
    other: str
    start: float
    end: float
    is_over: bool
    """Whether it ended before the game did."""

    @property
    def years(self) -> float:
        """How long it lasted, at least."""
        return self.end - self.start


Spells = Mapping[int, Sequence[Spell]]
"""The spells of each game, by its number."""


@frozen
class BotNegotiation:
    """How one bot negotiates."""

    bot: str
    seats: int
    offers: int
    accepted: int
    promises: int
    kept: int
    broken: int
    stabs: int
    suffered: int
    honesty: Estimate | None
    """The share of promises kept, of those kept or broken."""
    gain: Estimate | None
    """Centers won from the stab to two years later."""
    usual_gain: Estimate | None
    """What the bot wins in any two years, to hold the gain against."""
    spells: int
    spell_years: Estimate | None


@frozen
class PairNegotiation:
    """How one bot deals with another."""

    maker: str
    other: str
    offers: int
    accepted: int
    kept: int
    broken: int
    stabs: int
    spells: int
    spell_years: float

    @property
    def honesty(self) -> float | None:
        """The share of promises kept, of those kept or broken."""
        judged = self.kept + self.broken
        return self.kept / judged if judged else None


@frozen
class StabYear:
    """The stabs of one year, over all games."""

    year: int
    stabs: int
    games: int
    """Games that were still played."""
    gain: Estimate | None


@frozen
class LyingPays:
    """Score against honesty: a bot's means, and the correlations over seats."""

    overall: Estimate | None
    """Over all seats that made a promise which was kept or broken."""
    within: Estimate | None
    """The same with each bot's means taken out: is a bot better off in games in which it lies?"""
    seats: int
    points: Sequence[tuple[str, Estimate, Estimate]]
    """Bot, honesty, score; of the seats that made such a promise."""


@frozen
class YearLinks:
    """Who was at peace with whom and who stabbed whom in one year, as shares of games played."""

    year: int
    games: int
    peace: dict[tuple[str, str], float]
    stabs: dict[tuple[str, str], float]


@frozen
class Negotiation:
    """The whole negotiation report."""

    bots: Sequence[BotNegotiation]
    pairs: Sequence[PairNegotiation]
    offers_by_kind: dict[str, Counter[str]]
    promises_by_kind: dict[str, Counter[str]]
    stabs_by_year: Sequence[StabYear]
    lying: LyingPays
    links: Sequence[YearLinks]

    @property
    def is_silent(self) -> bool:
        """Whether nobody offered, promised or broke anything."""
        return not self.offers_by_kind and not self.promises_by_kind and not self.has_stabs

    @property
    def has_stabs(self) -> bool:
        """Whether anybody stabbed."""
        return any(each.stabs for each in self.stabs_by_year)


def negotiation(games: Sequence[GameResult], score: str, *, seed: str) -> Negotiation:
    """Work out the negotiation report."""
    offers: dict[str, Counter[str]] = defaultdict(Counter)
    promises: dict[str, Counter[str]] = defaultdict(Counter)
    for game in games:
        for offer in game.offers:
            offers[str(offer["kind"])][str(offer["answer"])] += 1
        for promise in game.promises:
            promises[str(promise["kind"])][str(promise["verdict"])] += 1
    spells = {game.number: spells_of(game) for game in games}
    return Negotiation(
        bots=_by_bot(games, spells),
        pairs=_by_pair(games, spells),
        offers_by_kind=dict(sorted(offers.items())),
        promises_by_kind=dict(sorted(promises.items())),
        stabs_by_year=_stabs_by_year(games),
        lying=lying_pays(games, score, seed=seed),
        links=links_by_year(games, spells),
    )


def spells_of(game: GameResult) -> list[Spell]:
    """Return the times of peace of a game; promises of a pair that overlap are one spell."""
    last = float(game.year + 1)
    spans: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for promise in game.promises:
        if promise["kind"] not in SPELL_KINDS:
            continue
        start = years_of(promise["made"])
        end = years_of(promise["ended"]) if promise.get("ended") else last
        for other in promise["to"]:
            one, two = sorted((promise["maker"], other))
            if one != two:
                spans[one, two].append((start, max(start, end)))
    return [
        Spell(one, two, start, end, is_over=end < last)
        for (one, two), each in sorted(spans.items())
        for start, end in _both_bound(each, last)
    ]


def _both_bound(spans: list[tuple[float, float]], last: float) -> list[tuple[float, float]]:
    """Merge spans that overlap; a spell ends with the first of its promises that ends early.

    Peace takes two: when one side's promise is over, what the other still keeps is no peace.
    """
    merged: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            begun, until = merged[-1]
            ends = [each for each in (until, end) if each < last]
            merged[-1] = (begun, min(ends) if ends else last)
        else:
            merged.append((start, end))
    return merged


class _BotCounts:
    """What one bot did: plain counts, and sums by seed for means with intervals."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.sums: dict[str, dict[int, list[float]]] = defaultdict(dict)

    def mean(self, name: str) -> Estimate | None:
        return seeds_estimate(self.sums[name])


def _by_bot(games: Sequence[GameResult], spells: Spells) -> list[BotNegotiation]:
    tallies = {bot: _BotCounts() for bot in bots_of(games)}
    for game in games:
        _count(game, tallies)
        _sum_up(game, tallies, spells[game.number])
    return [_bot_negotiation(bot, tally) for bot, tally in tallies.items()]


def _count(game: GameResult, tallies: Mapping[str, _BotCounts]) -> None:
    counts = {power: tallies[bot].counts for power, bot in game.players.items()}
    for each in counts.values():
        each["seats"] += 1
    for offer in game.offers:
        counts[offer["sender"]]["offers"] += 1
        counts[offer["sender"]]["accepted"] += offer["answer"] == "yes"
    for promise in game.promises:
        counts[promise["maker"]]["promises"] += 1
        counts[promise["maker"]][promise["verdict"]] += 1
    for stab in game.stabs:
        counts[stab["by"]]["stabs"] += 1
        counts[stab["victim"]]["suffered"] += 1


def _sum_up(game: GameResult, tallies: Mapping[str, _BotCounts], spells: Iterable[Spell]) -> None:
    sums = {power: tallies[bot].sums for power, bot in game.players.items()}
    for promise in game.promises:
        if promise["verdict"] in ("kept", "broken"):
            kept = float(promise["verdict"] == "kept")
            add_to(sums[promise["maker"]]["honesty"], game.seed, kept, 1)
    for stab in game.stabs:
        gain = _gain(stab)
        if gain is not None:
            add_to(sums[stab["by"]]["gain"], game.seed, gain, 1)
    for power in game.players:
        total, count = _sum_and_count(_changes(game, power))
        add_to(sums[power]["usual"], game.seed, total, count)
    for spell in spells:
        # A spell between two seats of one bot is one spell of it.
        for bot in {game.players[spell.one], game.players[spell.other]}:
            tallies[bot].counts["spells"] += 1
            add_to(tallies[bot].sums["spells"], game.seed, spell.years, 1)


def _bot_negotiation(bot: str, tally: _BotCounts) -> BotNegotiation:
    counts = tally.counts
    return BotNegotiation(
        bot,
        seats=counts["seats"],
        offers=counts["offers"],
        accepted=counts["accepted"],
        promises=counts["promises"],
        kept=counts["kept"],
        broken=counts["broken"],
        stabs=counts["stabs"],
        suffered=counts["suffered"],
        honesty=_share(tally.mean("honesty")),
        gain=tally.mean("gain"),
        usual_gain=tally.mean("usual"),
        spells=counts["spells"],
        spell_years=tally.mean("spells"),
    )


def _share(estimate: Estimate | None) -> Estimate | None:
    """Keep the interval of a share between nothing and all."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return estimate
    low, high = max(0.0, estimate.low), min(1.0, estimate.high)
    return Estimate(estimate.value, low, high, estimate.n)


def _gain(stab: Json) -> float | None:
    """Return the centers gained in the two years after a stab, where they are known."""
    before, after = stab.get("centers") or (None, None)
    return None if before is None or after is None else float(after - before)


def _changes(game: GameResult, power: str) -> Iterator[float]:
    """Return how many centers a power won in any two years of its life."""
    for year, centers in game.centers.items():
        later = game.centers.get(year + 2)
        if centers[power] and later is not None:
            yield float(later[power] - centers[power])


def _sum_and_count(values: Iterable[float]) -> tuple[float, float]:
    numbers = list(values)
    return fsum(numbers), float(len(numbers))


def _by_pair(games: Sequence[GameResult], spells: Spells) -> list[PairNegotiation]:
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    years: dict[tuple[str, str], float] = defaultdict(float)
    for game in games:
        bots = game.players
        for offer in game.offers:
            entry = counts[bots[offer["sender"]], bots[offer["to"]]]
            entry["offers"] += 1
            entry["accepted"] += offer["answer"] == "yes"
        for promise in game.promises:
            for to in promise["to"]:
                counts[bots[promise["maker"]], bots[to]][promise["verdict"]] += 1
        for stab in game.stabs:
            counts[bots[stab["by"]], bots[stab["victim"]]]["stabs"] += 1
        for spell in spells[game.number]:
            for pair in {
                (bots[spell.one], bots[spell.other]),
                (bots[spell.other], bots[spell.one]),
            }:
                counts[pair]["spells"] += 1
                years[pair] += spell.years
    return [
        PairNegotiation(
            *pair,
            offers=each["offers"],
            accepted=each["accepted"],
            kept=each["kept"],
            broken=each["broken"],
            stabs=each["stabs"],
            spells=each["spells"],
            spell_years=years[pair] / each["spells"] if each["spells"] else 0.0,
        )
        for pair, each in sorted(counts.items())
    ]


def _stabs_by_year(games: Sequence[GameResult]) -> list[StabYear]:
    stabs: Counter[int] = Counter()
    gains: dict[int, dict[int, list[float]]] = defaultdict(dict)
    for game in games:
        for stab in game.stabs:
            year = stab["turn"][1]
            stabs[year] += 1
            gain = _gain(stab)
            if gain is not None:
                add_to(gains[year], game.seed, gain, 1)
    return [
        StabYear(
            year, stabs[year], sum(game.year >= year for game in games), seeds_estimate(gains[year])
        )
        for year in _years(games)
    ]


def _years(games: Sequence[GameResult]) -> list[int]:
    """Return the years that were played."""
    return sorted({year for game in games for year in game.centers if year > min(game.centers)})


def lying_pays(games: Sequence[GameResult], score: str, *, seed: str) -> LyingPays:
    """Hold the score of each seat against the share of its promises that it kept."""
    reader = score_of(score)
    points: list[list[tuple[str, float, float]]] = []
    for cluster in clusters(games):
        found = []
        for game in cluster:
            for power, bot in game.players.items():
                honest = _seat_honesty(game, power)
                if honest is not None:
                    found.append((bot, honest, reader(game, power)))
        points.append(found)
    by_bot: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for found in points:
        for bot, honest, value in found:
            by_bot[bot].append((honest, value))
    means = {bot: tuple(map(_mean, zip(*each, strict=True))) for bot, each in by_bot.items()}
    rows = []
    for found in points:
        raw = [(honest, value) for _, honest, value in found]
        inner = [(honest - means[bot][0], value - means[bot][1]) for bot, honest, value in found]
        rows.append([*_moments(raw), *_moments(inner)])
    bootstrap = Bootstrap(rows, seed=f"{seed} lying")
    places = sorted(by_bot)
    return LyingPays(
        overall=bootstrap.estimate(_correlation, range(6)) if rows else None,
        within=bootstrap.estimate(_correlation, range(6, 12)) if rows else None,
        seats=sum(map(len, points)),
        points=[(bot, *_bot_point(points, bot)) for bot in places],
    )


def _seat_honesty(game: GameResult, power: str) -> float | None:
    verdicts = [each["verdict"] for each in game.promises if each["maker"] == power]
    kept, broken = verdicts.count("kept"), verdicts.count("broken")
    return kept / (kept + broken) if kept + broken else None


def _bot_point(
    points: Iterable[Sequence[tuple[str, float, float]]], bot: str
) -> tuple[Estimate, Estimate]:
    honesty, scores = [], []
    for found in points:
        own = [(honest, value) for name, honest, value in found if name == bot]
        honesty.append((fsum(honest for honest, _ in own), float(len(own))))
        scores.append((fsum(value for _, value in own), float(len(own))))
    one, two = _share(mean_estimate(honesty)), mean_estimate(scores)
    assert one is not None
    assert two is not None
    return one, two


def _mean(values: Iterable[float]) -> float:
    total, count = _sum_and_count(values)
    return total / count


def _moments(points: Sequence[tuple[float, float]]) -> list[float]:
    return [
        float(len(points)),
        fsum(x for x, _ in points),
        fsum(y for _, y in points),
        fsum(x * y for x, y in points),
        fsum(x * x for x, _ in points),
        fsum(y * y for _, y in points),
    ]


def _correlation(totals: Sequence[float]) -> float | None:
    """Return Pearson's correlation from sums of products."""
    n, x, y, xy, xx, yy = totals
    if n < 3:
        return None
    spread_x, spread_y = xx - x * x / n, yy - y * y / n
    if min(spread_x, spread_y) < 1e-5:
        return None
    return max(-1.0, min(1.0, (xy - x * y / n) / sqrt(spread_x * spread_y)))


def links_by_year(games: Sequence[GameResult], spells: Spells) -> list[YearLinks]:
    """Return peace and stabs between powers year by year, as shares of the games still played."""
    played: Counter[int] = Counter()
    peace: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    stabs: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    years = _years(games)
    for game in games:
        played.update(year for year in years if year <= game.year)
        known = {
            (year, spell.one, spell.other)
            for spell in spells[game.number]
            for year in range(int(spell.start), min(ceil(spell.end), game.year + 1))
        }
        for year, one, other in known:
            peace[year][one, other] += 1
        for stab in game.stabs:
            stabs[stab["turn"][1]][stab["by"], stab["victim"]] += 1
    return [
        YearLinks(
            year,
            played[year],
            {pair: count / played[year] for pair, count in sorted(peace[year].items())},
            {pair: count / played[year] for pair, count in sorted(stabs[year].items())},
        )
        for year in years
        if played[year]
    ]
