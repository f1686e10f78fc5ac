"""What a position is worth: the values by name, and the file of the learned one."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from bots.kernel import Network, Playouts
from bots.kernel.facts import MARKS, SEASONS, SIZES
from bots.kernel.habits import BY_CENTERS, BY_NETWORK, BY_PROJECTION
from bots.searchbot.weights_file import (
    UNREADABLE,
    check_names,
    check_weights,
    read_head_and_weights,
    write_weights,
)
from rules.board import Board
from rules.errors import BadInputError
from rules.kernel.encode import Codec, codec_of

SHIPPED = Path(__file__).with_name("standard.value.gz")
HABITUAL = Path(__file__).with_name("habitual.value.gz")
SEARCHED = Path(__file__).with_name("searched.value.gz")
VALUES: dict[str, tuple[int, Path | None]] = {
    "learned": (BY_NETWORK, SHIPPED),
    "habitual": (BY_NETWORK, HABITUAL),
    "searched": (BY_NETWORK, SEARCHED),
    "projection": (BY_PROJECTION, None),
    "centers": (BY_CENTERS, None),
}
"""By name who judges, and by which weights: learned in DumbBot's games, in those of the policy, and
in those of searchers among both."""


@frozen(kw_only=True)
class Layout:
    """The names of what a board's numbers stand for; servers number the same map differently."""

    powers: list[str]
    movers: list[str]
    """By number; empty where no unit can be."""
    centers: list[str]

    @classmethod
    def of(cls, codec: Codec) -> "Layout":
        """Return the layout of a board."""
        tables = codec.tables
        movers = [""] * tables.movers
        for number, (kind, place) in codec.mover_places.items():
            movers[number] = f"{kind.value} {place}"
        return cls(
            powers=[power.name for power in codec.powers],
            movers=movers,
            centers=[
                province.name
                for number, province in enumerate(codec.provinces)
                if tables.is_center[number]
            ],
        )

    @property
    def fact_count(self) -> int:
        """How many facts of a position there are."""
        powers = len(self.powers)
        facts = len(self.movers) * powers + len(self.centers) * (powers + 1)
        return facts + powers * SIZES + SEASONS

    def weight_count(self, hidden: int) -> int:
        """Return how many weights a network of this board has; `Network` says which they are."""
        powers = len(self.powers)
        return (self.fact_count + 1 + powers) * hidden + powers + SEASONS * MARKS

    def facts_in(self, theirs: "Layout") -> list[int]:
        """Return the number that each fact of a position has in another layout; -1 for none."""
        powers = [theirs.powers.index(name) for name in self.powers]
        rows: list[int] = []
        for mover in self.movers:
            at = theirs.movers.index(mover) if mover else -1
            rows.extend(at * len(powers) + power if mover else -1 for power in powers)
        base = len(theirs.movers) * len(powers)
        for center in self.centers:
            first = base + theirs.centers.index(center) * (len(powers) + 1)
            rows.append(first)
            rows.extend(first + 1 + power for power in powers)
        base += len(theirs.centers) * (len(powers) + 1)
        for power in powers:
            rows.extend(range(base + power * SIZES, base + (power + 1) * SIZES))
        base += len(powers) * SIZES
        rows.extend(range(base, base + SEASONS))
        return rows

    def has_same_names(self, other: "Layout") -> bool:
        """Whether it is the same map, but for the order of things."""
        return all(
            sorted(getattr(self, name)) == sorted(getattr(other, name))
            for name in ("powers", "movers", "centers")
        )


@frozen(kw_only=True)
class LearnedValue:
    """A learned value: the weights of a network for one map, and where they come from."""

    layout: "Layout"
    hidden: int
    numbers: Sequence[int]
    recipe: dict[str, Any]
    """The settings of the training that made them."""

    def network(self, game: Playouts, codec: Codec) -> Network | None:
        """Return a network for a board, None if the weights are for another map."""
        layout = Layout.of(codec)
        if not layout.has_same_names(self.layout):
            return None
        made = Network(game, self.hidden)
        made.load(self.numbers if layout == self.layout else self._moved(layout))
        return made

    def _moved(self, layout: "Layout") -> list[int]:
        """Return the weights for a board that numbers the same things in another order."""
        theirs, hidden = self.layout, self.hidden
        powers = [theirs.powers.index(name) for name in layout.powers]
        rows = layout.facts_in(theirs)
        numbers = list(self.numbers)
        found = []
        for row in rows:
            found += numbers[row * hidden : (row + 1) * hidden] if row >= 0 else [0] * hidden
        at = len(rows) * hidden
        found += numbers[at : at + hidden]
        at += hidden
        for power in powers:
            found += numbers[at + power * hidden : at + (power + 1) * hidden]
        at += len(powers) * hidden
        found += [numbers[at + power] for power in powers]
        return found + numbers[at + len(powers) :]

    def save(self, path: Path) -> None:
        """Write the file, the same bytes for the same weights."""
        head = {"hidden": self.hidden, "layout": asdict(self.layout), "recipe": self.recipe}
        write_weights(path, head, self.numbers)


def read_weights(path: Path) -> LearnedValue:
    """Read a file of weights; one that cannot be read is a BadInputError that names it."""
    try:
        head, numbers = read_head_and_weights(path)
        layout, hidden = Layout(**head["layout"]), int(head["hidden"])
        check_names(layout.powers, layout.movers, layout.centers)
        check_weights(hidden, 1, len(numbers), layout.weight_count(max(1, hidden)))
        return LearnedValue(
            layout=layout, hidden=hidden, numbers=numbers, recipe=dict(head["recipe"])
        )
    except FileNotFoundError:
        raise BadInputError(f"no such file: {str(path)!r}") from None
    except UNREADABLE as error:
        raise BadInputError(f"{str(path)!r} is no learned value: {error}") from None


@cache
def _kept(path: Path) -> LearnedValue:
    return read_weights(path)


def value_named(name: str) -> tuple[int, Path | None]:
    """Return who judges positions, and the weights if they were learned.

    The name is one of `VALUES`, or a file that `daide searchbot train` has written.
    """
    if name in VALUES:
        return VALUES[name]
    path = Path(name)
    if not path.is_file():
        known = ", ".join(VALUES)
        raise BadInputError(f"value: {name!r} is neither one of {known} nor a file")
    _kept(path)
    return BY_NETWORK, path


def judge_for(
    game: Playouts, board: Board, judgement: int, path: Path | None
) -> tuple[int, Network]:
    """Return the judgement for a board and its network.

    What was learned holds for one map; on others centers are counted, those that units stand in
    included.
    """
    if path is not None:
        found = _kept(path).network(game, codec_of(board))
        if found is not None:
            return judgement, found
        judgement = BY_PROJECTION
    return judgement, Network(game, 1)
