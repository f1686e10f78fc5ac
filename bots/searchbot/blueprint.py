"""What powers usually do: the policies by name from which candidates are drawn."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from bots.kernel import Playouts, Policy
from bots.search.proposals import NARROW, SPREADS, OrderSet, draw
from bots.searchbot.policy_file import SHIPPED, check_policy, policy_for
from rules.board import Board
from rules.errors import BadInputError

Spread = tuple[int, int]


class Custom(ABC):
    """A blueprint on one board."""

    @abstractmethod
    def draw(self, power: int, draws: int) -> Counter[OrderSet]:
        """Draw order sets of a power; the values must be those of the position."""


@frozen
class Planning(Custom):
    """DumbBot's planning, which strays from the best places as far as each spread says."""

    game: Playouts
    spreads: Sequence[Spread]

    def draw(self, power: int, draws: int) -> Counter[OrderSet]:
        """Draw equally many with each spread."""
        return draw(self.game, power, draws, self.spreads)


@frozen
class Imitating(Custom):
    """What was learned from games with search, at several temperatures."""

    policy: Policy
    heats: Sequence[float]

    def draw(self, power: int, draws: int) -> Counter[OrderSet]:
        """Draw equally many at each temperature."""
        found: Counter[OrderSet] = Counter()
        self.policy.enter(power)
        for heat in self.heats:
            self.policy.heat = heat
            for _ in range(draws // len(self.heats)):
                found[tuple(self.policy.sample())] += 1
        return found


@frozen
class Mixture(Custom):
    """Half by one, half by the other."""

    one: Custom
    other: Custom

    def draw(self, power: int, draws: int) -> Counter[OrderSet]:
        """Draw from both."""
        return self.one.draw(power, draws // 2) + self.other.draw(power, draws - draws // 2)


@frozen(kw_only=True)
class Blueprint:
    """Names the parts that a blueprint is made of on any board."""

    spreads: Sequence[Spread] = ()
    heats: Sequence[float] = ()
    path: Path = SHIPPED

    def on(self, game: Playouts, board: Board) -> Custom:
        """Return it for a board; where nothing was learned for it, DumbBot's planning."""
        planning = Planning(game, self.spreads or SPREADS)
        policy = policy_for(game, board, self.path) if self.heats else None
        if policy is None:
            return planning
        learned = Imitating(policy, self.heats)
        return Mixture(learned, planning) if self.spreads else learned


HEATS = (1.0, 1.0, 1.5)
BLUEPRINTS = {
    "dumbbot": Blueprint(spreads=SPREADS),
    "narrow": Blueprint(spreads=(NARROW,)),
    "learned": Blueprint(heats=HEATS),
    "mixed": Blueprint(heats=HEATS, spreads=SPREADS),
}


def blueprint_named(name: str) -> Blueprint:
    """Return one of `BLUEPRINTS`, or what a file of `daide searchbot train --policy` holds."""
    if name in BLUEPRINTS:
        return BLUEPRINTS[name]
    path = Path(name)
    if not path.is_file():
        known = ", ".join(BLUEPRINTS)
        raise BadInputError(f"blueprint: {name!r} is neither one of {known} nor a file")
    check_policy(path)
    return Blueprint(heats=HEATS, path=path)
