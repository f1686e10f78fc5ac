"""The weights of patterns: how they are learned, how they score orders, how they are kept.

A weight is a whole number of millionths between 0 and 1, so that what is read from a file is
exactly what was written; the age of a pattern is how often it was updated.
"""

import gzip
import json
from collections.abc import Mapping
from math import exp, lgamma, log
from pathlib import Path

from attrs import define, field, frozen

from bots.patterns.features import patterns
from rules.errors import BadInputError

SCALE = 1_000_000
UNKNOWN = 0.5
_AGE_FACTOR = 0.1
_GZIP = b"\x1f\x8b"
FORMAT = "daide pattern weights 1"


@define(eq=False)
class Weights:
    """What one power has learned: weight and age by pattern."""

    known: dict[int, tuple[int, int]] = field(factory=dict)
    sizes: int = 2
    """How many features the larger patterns have, beside the n-patterns."""
    _trusted: dict[int, tuple[float, float]] = field(factory=dict, init=False)
    """By pattern its weight times how much it counts, and how much it counts."""
    _scores: dict[int, float] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for pattern, (weight, age) in self.known.items():
            self._trusted[pattern] = trusted(weight, age)

    def score(self, vector: int) -> float:
        """Return how good an order with these features is, 0 to 1.

        Larger patterns are more specific and count for more: each size is averaged with the score
        of the smaller ones. Within a size, older patterns count slightly more.
        """
        found = self._scores.get(vector)
        if found is None:
            found = self._scores[vector] = self._score(vector)
        return found

    def trusted_weight(self, pattern: int) -> tuple[float, float] | None:
        """Return what a pattern adds to a score and how much it counts, None if it is unknown."""
        return self._trusted.get(pattern)

    def _score(self, vector: int) -> float:
        score = -1.0
        known = self._trusted.get
        for group in patterns(vector, self.sizes):
            found = [entry for entry in map(known, group) if entry is not None]
            if found:
                totals, trusts = zip(*found, strict=True)
                mean = sum(totals) / sum(trusts)
                score = mean if score < 0 else (score + mean) / 2
        return UNKNOWN if score < 0 else score

    def learn(self, vectors: Mapping[int, int], *, success: bool, rate: float) -> None:
        """Update every pattern of the orders given in a game, once per occurrence."""
        counts: dict[int, int] = {}
        for vector, count in vectors.items():
            for group in patterns(vector, self.sizes):
                for pattern in group:
                    counts[pattern] = counts.get(pattern, 0) + count
        self.learn_patterns(counts, success=success, rate=rate)

    def learn_patterns(self, counts: Mapping[int, int], *, success: bool, rate: float) -> None:
        """Update patterns, each as often as it occurred."""
        known = self.known
        for pattern, count in counts.items():
            weight, age = known.get(pattern, (0, 0))
            weight = updated(weight, age, count, rate, success=success)
            known[pattern] = weight, age + count
            self._trusted[pattern] = trusted(weight, age + count)
        self._scores.clear()


def trusted(weight: int, age: int) -> tuple[float, float]:
    """Return what a pattern adds to a score, and how much it counts there."""
    trust = 1 + _AGE_FACTOR * log(1 + age)
    return trust * weight / SCALE, trust


def updated(weight: int, age: int, count: int, rate: float, *, success: bool) -> int:
    """Return a weight after some equal results in a row.

    One step is w' = (w (n - 1) + k v) / (n + k - 1) at the n-th update, v = 1 for success. So the
    distance to v shrinks by (n - 1) / (n + k - 1); many such factors are a quotient of gammas.
    """
    goal = SCALE if success else 0
    if not age:
        return goal if rate else weight
    shrunk = exp(
        lgamma(age + count) - lgamma(age) + lgamma(age + rate) - lgamma(age + count + rate)
    )
    return goal + round((weight - goal) * shrunk)


@define(eq=False)
class Database:
    """The weights of all powers, and from how many games they are."""

    powers: dict[str, Weights]
    variant: str = "units"
    seed: int = 0
    games: int = 0

    def save(self, path: Path) -> None:
        """Write the database; a file that is there stays whole whatever happens meanwhile."""
        powers = {
            name: {str(pattern): entry for pattern, entry in sorted(weights.known.items())}
            for name, weights in self.powers.items()
        }
        document = {
            "format": FORMAT,
            "variant": self.variant,
            "seed": self.seed,
            "games": self.games,
            "powers": powers,
        }
        data = json.dumps(document, separators=(",", ":")).encode()
        if path.suffix == ".gz":
            data = gzip.compress(data, mtime=0)
        draft = path.with_name(path.name + ".part")
        draft.write_bytes(data)
        draft.replace(path)

    @classmethod
    def load(cls, path: Path) -> "Database":
        """Read a database; raises `BadInputError` if it is none."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise BadInputError(f"{path}: cannot be read: {error.strerror or error}") from None
        try:
            document = json.loads(gzip.decompress(data) if data[:2] == _GZIP else data)
            document = document if document["format"] == FORMAT else {}
            name, seed, games = document["variant"], document["seed"], document["games"]
            powers = {
                power: {int(key): (entry[0], entry[1]) for key, entry in known.items()}
                for power, known in document["powers"].items()
            }
        except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, EOFError):
            raise BadInputError(f"{path}: not a database of pattern weights") from None
        sizes = variant_of(name).sizes
        learned = {power: Weights(known, sizes) for power, known in powers.items()}
        return cls(learned, name, seed, games)


@frozen
class Variant:
    """What a learner sees and how it combines orders."""

    sizes: int = 2
    """How many features the larger patterns have, beside the n-patterns."""
    is_featureless: bool = False
    """Whether patterns are concrete orders and pairs of them instead of features."""
    is_wide: bool = False
    """Whether it also sees the season and the distance to centers."""
    is_coherent: bool = False
    """Whether the orders of a turn must fit each other."""
    candidates: int | None = 3000
    """To how many sets the choices of a turn are thinned; None for not at all."""
    forgets: float = 0.0
    """Which share of the orders a learner overlooks, so that it tries others, too."""
    ends_at: int = 7
    """How many centers end a game of self-play."""
    last_year: int = 1920
    """The year that ends it if nobody gets so many."""
    patience: int = 0
    """For how many years a unit's orders wait for it to gain a center; 0: units do not count."""
    learns_by_year: bool = False
    """Whether each year is a success or not, by the centers gained in it, or the whole game."""


VARIANTS = {
    "units": Variant(
        is_wide=True, is_coherent=True, candidates=None, forgets=0.25, last_year=1906, patience=2
    ),
    "coordinated": Variant(
        is_wide=True,
        is_coherent=True,
        candidates=None,
        forgets=0.25,
        last_year=1906,
        learns_by_year=True,
    ),
    "paper": Variant(),
    "triples": Variant(sizes=3),
    "featureless": Variant(is_featureless=True),
}


def variant_of(name: str) -> Variant:
    """Return a variant by its name."""
    if name not in VARIANTS:
        known = ", ".join(VARIANTS)
        raise BadInputError(f"--variant: no such kind of learner: {name!r}; choose one of {known}")
    return VARIANTS[name]
