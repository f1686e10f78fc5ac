"""Ratings with uncertainty for games of seven, by the Plackett-Luce model of openskill.

Every game is a ranking of its powers, ties included; each power plays with the rating of its bot.
Games are rated in the order of their numbers. The bots do not learn, so their ratings are not
allowed to drift (tau is 0). A bot with several seats moves by the mean of what its seats moved:
two copies of a bot are not twice the evidence, because they also take from each other.
"""

from collections.abc import Iterable, Mapping
from math import fsum, sqrt
from statistics import NormalDist

from attrs import frozen

from tournament.game_result import GameResult

_Z = NormalDist().inv_cdf(0.975)


@frozen
class Rating:
    """What the model believes of a bot: a normal distribution of its strength."""

    bot: str
    mu: float
    sigma: float
    games: int

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.mu - _Z * self.sigma

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.mu + _Z * self.sigma


def rate(games: Iterable[GameResult]) -> list[Rating]:
    """Return the ratings of all bots, best first."""
    from openskill.models import PlackettLuce  # noqa: PLC0415 - slow to import, only needed here

    model = PlackettLuce(tau=0.0)
    start = model.rating()
    known: dict[str, tuple[float, float]] = {}
    played: dict[str, int] = {}
    for game in games:
        powers = sorted(game.players)
        bots = [game.players[power] for power in powers]
        before = {bot: known.get(bot, (start.mu, start.sigma)) for bot in bots}
        after = model.rate(
            [[model.rating(*before[bot])] for bot in bots],
            # Twice the rank, because the model cuts ranks to whole numbers and ties share halves.
            ranks=[int(2 * game.scores[power]["rank"]) for power in powers],
        )
        moved: dict[str, list[tuple[float, float]]] = {}
        for bot, [rating] in zip(bots, after, strict=True):
            moved.setdefault(bot, []).append((rating.mu, rating.sigma))
        known |= {bot: _mean_rating(each) for bot, each in moved.items()}
        played |= {bot: played.get(bot, 0) + 1 for bot in moved}
    return _sorted(known, played)


def _mean_rating(ratings: list[tuple[float, float]]) -> tuple[float, float]:
    mean = fsum(mu for mu, _ in ratings) / len(ratings)
    return mean, sqrt(fsum(sigma**2 for _, sigma in ratings) / len(ratings))


def _sorted(known: Mapping[str, tuple[float, float]], played: Mapping[str, int]) -> list[Rating]:
    found = [Rating(bot, mu, sigma, played[bot]) for bot, (mu, sigma) in known.items()]
    return sorted(found, key=lambda rating: (-rating.mu, rating.bot))
