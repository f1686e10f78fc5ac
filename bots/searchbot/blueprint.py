"""What powers usually do: the policies by name from which candidates are drawn."""

from collections import Counter
from collections.abc import Sequence

from attrs import frozen

from bots.kernel import Playouts
from bots.search.proposals import NARROW, SPREADS, OrderSet, draw
from rules.errors import BadInputError

Spread = tuple[int, int]


@frozen
class Blueprint:
    """DumbBot's planning, which strays from the best places as far as each spread says."""

    spreads: Sequence[Spread]

    def draw(self, game: Playouts, power: int, draws: int) -> Counter[OrderSet]:
        """Draw order sets of a power; the values must be those of the position."""
        return draw(game, power, draws, self.spreads)


BLUEPRINTS = {"dumbbot": Blueprint(SPREADS), "narrow": Blueprint((NARROW,))}


def blueprint_named(name: str) -> Blueprint:
    """Return one of `BLUEPRINTS`."""
    if name not in BLUEPRINTS:
        known = ", ".join(BLUEPRINTS)
        raise BadInputError(f"blueprint: {name!r} is not one of {known}")
    return BLUEPRINTS[name]
