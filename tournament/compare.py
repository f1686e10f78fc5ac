"""A against B: the same games twice, once with each of them in the same seat, until it is clear.

A pair of games has one seed, one seat and the same opponents; what A gets more than B in it is one
value of a sequential test, so it may end as soon as the difference is clear, or surely too small to
matter, without raising the chance of an error.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count, cycle, islice
from math import isfinite

from attrs import evolve, frozen

from tournament.complaints import complaints
from tournament.game_result import GameResult
from tournament.pool import Engine
from tournament.schedule import SEEDS_PER_TOURNAMENT, GameJob
from tournament.sequential import Sequence as Sequential
from tournament.spec import Rules

FIRST, SECOND = "first", "second"


@frozen(kw_only=True)
class Comparison:
    """What is to be compared, and how."""

    first: str
    second: str
    against: tuple[str, ...]
    powers: tuple[str, ...]
    rules: Rules
    variant: str = "standard"
    seed: int = 1
    most_pairs: int = 700
    """So many at the most."""
    smallest: float = 0.02
    """A difference in the share of the squares that is too small to matter."""
    is_sequential: bool = True
    """Whether it may end before all pairs are played."""


@frozen
class Verdict:
    """What came of it."""

    comparison: Comparison
    gains: tuple[float, ...]
    """What the first had more than the second, pair by pair."""
    means: tuple[float, float]
    interval: tuple[float, float]
    """Where the difference lies; without bounds as long as the games are too few to say."""
    aborted: int = 0
    faults: tuple[str, ...] = ()
    """What went wrong with bots and games, each kind once."""

    @property
    def difference(self) -> float:
        """The mean of the gains."""
        return sum(self.gains) / len(self.gains) if self.gains else 0.0

    @property
    def games(self) -> int:
        """How many games count."""
        return 2 * len(self.gains)

    @property
    def is_exact(self) -> bool:
        """Whether there were enough games to say how exact the difference is."""
        return all(map(isfinite, self.interval))

    @property
    def figures(self) -> str:
        """Tell the difference, and how well it is known."""
        told = f"{self.difference:+.3f} of the squares"
        low, high = self.interval
        return f"{told}, between {low:+.3f} and {high:+.3f}" if self.is_exact else told

    @property
    def word(self) -> str:
        """Return `better`, `worse` or `no difference`."""
        low, high = self.interval
        return "better" if low > 0 else "worse" if high < 0 else "no difference"

    @property
    def sentence(self) -> str:
        """Say it in one sentence."""
        told, (low, high) = self.comparison, self.interval
        games = f"{self.games} games"
        if self.word == "no difference":
            few = "" if self.is_exact else ": too few to say how exact that is"
            small = max(-low, high) <= told.smallest
            least = f"larger than {told.smallest:g}" if small else "that these games could show"
            both = f"{told.first} and {told.second}"
            return f"No difference between {both} {least} ({self.figures}, {games}{few})."
        return f"{told.first} is {self.word} than {told.second}: {self.figures} ({games})."


def jobs_of_pair(comparison: Comparison, number: int) -> tuple[GameJob, GameJob]:
    """Return the two games of a pair: they differ in one seat only."""
    powers = comparison.powers
    seat = powers[number % len(powers)]
    others = [power for power in powers if power != seat]
    turn = number // len(powers)
    opponents = islice(cycle(comparison.against), turn, turn + len(others))
    seats = dict(zip(others, opponents, strict=True))

    def job(offset: int, name: str) -> GameJob:
        return GameJob(
            number=2 * number + offset,
            field=name,
            seed=comparison.seed * SEEDS_PER_TOURNAMENT + number,
            players={power: name if power == seat else seats[power] for power in powers},
            bots={FIRST: comparison.first, SECOND: comparison.second},
            rules=comparison.rules,
            variant=comparison.variant,
        )

    return job(0, FIRST), job(1, SECOND)


def compare(
    comparison: Comparison,
    engine: Engine,
    on_look: Callable[[Verdict], None] = lambda _: None,
) -> Verdict:
    """Play pairs until it is clear, and say what came of it; `on_look` hears how it stands."""
    sequence = Sequential()
    shares: list[tuple[float, float]] = []
    aborted = 0
    failed: list[GameResult] = []
    for block in _blocks(comparison):
        results = _play(engine, comparison, block)
        failed += [_named(each, comparison) for each in results.values() if _has_failed(each)]
        for number in block:
            pair = [results.get(2 * number), results.get(2 * number + 1)]
            share = [_share(each, comparison, number) for each in pair]
            if share[0] is None or share[1] is None:
                aborted += sum(each is None for each in share)
                continue
            shares.append((share[0], share[1]))
            sequence.values.append(share[0] - share[1])
        verdict = _verdict(comparison, sequence, shares, aborted)
        verdict = evolve(verdict, faults=tuple(complaints(failed)))
        on_look(verdict)
        if comparison.is_sequential and _is_clear(comparison, sequence):
            break
    return verdict


def _blocks(comparison: Comparison) -> Iterator[range]:
    """Yield the pairs between two looks: every seat once."""
    size = len(comparison.powers)
    for start in count(0, size):
        if start >= comparison.most_pairs:
            return
        yield range(start, min(start + size, comparison.most_pairs))


def _play(engine: Engine, comparison: Comparison, block: Sequence[int]) -> dict[int, GameResult]:
    jobs = [job for number in block for job in jobs_of_pair(comparison, number)]
    found: dict[int, GameResult] = {}
    engine.play(jobs, lambda result: found.update({result.number: result}))
    return found


def _share(result: GameResult | None, comparison: Comparison, number: int) -> float | None:
    seat = comparison.powers[number % len(comparison.powers)]
    if result is None or not result.is_counted:
        return None
    return float(result.scores[seat]["sum_of_squares"])


def _has_failed(result: GameResult) -> bool:
    return bool(result.faults) or not result.is_counted


def _named(result: GameResult, comparison: Comparison) -> GameResult:
    """Call the two bots by their own names."""
    names = {FIRST: comparison.first, SECOND: comparison.second}
    return evolve(result, players={who: names.get(bot, bot) for who, bot in result.players.items()})


def _verdict(
    comparison: Comparison,
    sequence: Sequential,
    shares: Sequence[tuple[float, float]],
    aborted: int,
) -> Verdict:
    total = len(shares) or 1
    means = sum(first for first, _ in shares) / total, sum(last for _, last in shares) / total
    return Verdict(comparison, tuple(sequence.values), means, sequence.interval, aborted)


def _is_clear(comparison: Comparison, sequence: Sequential) -> bool:
    low, high = sequence.interval
    return sequence.is_decided or max(-low, high) <= comparison.smallest
