"""The weights of patterns in files, and which kinds of learners there are.

What is learned is in `bots.kernel.memory`. A weight is a whole number of millionths between 0 and
1, so that what is read from a file is exactly what was written.
"""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

from attrs import define, frozen

from bots.kernel import Memory
from bots.kernel.fitting import PATTERN_BITS
from cli.whole_files import write_whole
from rules.errors import BadInputError, unreadable

PAIR_SHIFT = 34
PAIR = 1 << (2 * PAIR_SHIFT)
"""What the patterns of two orders begin with."""
_GZIP = b"\x1f\x8b"
FORMAT = "daide pattern weights 1"


class Weights:
    """What one power has learned: weight and age by pattern.

    `sizes` is how many features the larger patterns have, beside the n-patterns.
    """

    def __init__(self, known: Mapping[int, tuple[int, int]] | None = None, sizes: int = 2) -> None:
        self.memory = Memory(sizes)
        for pattern, (weight, age) in (known or {}).items():
            if pattern >= PAIR:
                self.memory.put_pair(*pair_of(pattern), weight, age)
            else:
                self.memory.put(pattern, weight, age)

    @property
    def known(self) -> dict[int, tuple[int, int]]:
        """Weight and age by pattern."""
        return {
            one if other < 0 else pair_pattern(one, other): (weight, age)
            for one, other, weight, age in self.memory.entries()
        }

    def learn(self, vectors: dict[int, int], *, success: bool, rate: float) -> None:
        """Update every pattern of the orders given in a game, once per occurrence."""
        self.memory.learn_vectors(vectors, success, rate)

    def learn_patterns(self, counts: Mapping[int, int], *, success: bool, rate: float) -> None:
        """Update patterns, each as often as it occurred."""
        memory = self.memory
        for pattern, count in counts.items():
            if pattern >= PAIR:
                memory.give_pair(*pair_of(pattern), count)
            else:
                memory.give_key(pattern, count)
        memory.learn_given(success, rate)


def pair_pattern(one: int, other: int) -> int:
    """Return the 2-pattern of two orders without features, whichever comes first."""
    return PAIR | (one << PAIR_SHIFT | other if one < other else other << PAIR_SHIFT | one)


def pair_of(pattern: int) -> tuple[int, int]:
    """Return the two orders of a pair."""
    return pattern - PAIR >> PAIR_SHIFT, pattern & PATTERN_BITS


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
        write_whole(path, data)

    @classmethod
    def load(cls, path: Path) -> "Database":
        """Read a database; raises `BadInputError` if it is none."""
        try:
            data = path.read_bytes()
        except OSError as error:
            raise unreadable(path, error) from None
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
    has_convoys: bool = True
    """Whether it orders convoys."""
    may_exchange: bool = False
    """Whether two of its units may try to exchange their places, in vain."""
    candidates: int | None = 3000
    """To how many sets the choices of a turn are thinned; None for not at all."""
    plays_among: int = 5
    """Of how many of its best sets the player draws one; in training they are five always."""
    draws_ties: bool = True
    """Whether orders that are equally good, as all are at first, come in a drawn order."""
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
        is_wide=True,
        has_convoys=False,
        may_exchange=True,
        candidates=None,
        plays_among=1,
        draws_ties=False,
        forgets=0.25,
        last_year=1906,
        patience=2,
    ),
    "coordinated": Variant(
        is_wide=True,
        has_convoys=False,
        may_exchange=True,
        candidates=None,
        plays_among=1,
        draws_ties=False,
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
