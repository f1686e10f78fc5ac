"""The file of a learned policy, and the policy of a board."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from bots.kernel import Playouts, Policy
from bots.kernel.deeds import BACK_GO, CARRY, DEEDS, GO, SHARED, STAY
from bots.searchbot.value import Layout
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

SHIPPED = Path(__file__).with_name("standard.policy.gz")
SIGNS = {STAY: "H", GO: "-", BACK_GO: "S", CARRY: "C"}


@frozen(kw_only=True)
class PolicyWeights:
    """A learned policy: its weights for one map, and where they come from."""

    layout: Layout
    slots: list[str]
    """What the slots of `Choices` stand for: a unit in its place, a sign, and where it acts."""
    hidden: int
    numbers: Sequence[int]
    recipe: dict[str, Any]
    """The settings of the training that made them."""

    @property
    def weight_count(self) -> int:
        """How many weights there must be; `Policy` and `Choices` say which they are."""
        powers, slots = len(self.layout.powers), len(self.slots)
        rows = self.layout.fact_count + powers + slots
        pairs = 2 * powers * (powers + 1) * DEEDS
        return rows * self.hidden + powers * 2 * slots + pairs + SHARED

    def policy(self, game: Playouts, codec: Codec) -> Policy | None:
        """Return a policy for a board, None if the weights are for another map."""
        layout = Layout.of(codec)
        if not layout.has_same_names(self.layout):
            return None
        made = Policy(game, self.hidden)
        slots = slot_names(made, codec)
        if sorted(slots) != sorted(self.slots):
            return None
        is_same = layout == self.layout and slots == self.slots
        made.load(self.numbers if is_same else self._moved(layout, slots))
        return made

    def _moved(self, layout: Layout, slots: list[str]) -> list[int]:
        """Return the weights for a board that numbers the same things in another order."""
        theirs, hidden = self.layout, self.hidden
        powers = [theirs.powers.index(name) for name in layout.powers]
        count = len(powers)
        index = {name: number for number, name in enumerate(self.slots)}
        moved = [index[name] for name in slots]
        rows = layout.facts_in(theirs)
        rows += [theirs.fact_count + power for power in powers]
        rows += [theirs.fact_count + count + slot for slot in moved]
        sources = [
            row * hidden + part if row >= 0 else -1 for row in rows for part in range(hidden)
        ]
        base = len(rows) * hidden
        for power in powers:
            for season in range(2):
                first = base + (power * 2 + season) * len(moved)
                sources += [first + slot for slot in moved]
        base += count * 2 * len(moved)
        for _ in range(2):
            for power in powers:
                for other in (0, *(each + 1 for each in powers)):
                    first = base + (power * (count + 1) + other) * DEEDS
                    sources += range(first, first + DEEDS)
            base += count * (count + 1) * DEEDS
        sources += range(base, base + SHARED)
        return [self.numbers[source] if source >= 0 else 0 for source in sources]

    def save(self, path: Path) -> None:
        """Write the file, the same bytes for the same weights."""
        head = {
            "hidden": self.hidden,
            "layout": asdict(self.layout),
            "slots": self.slots,
            "recipe": self.recipe,
        }
        write_weights(path, head, self.numbers)


def slot_names(policy: Policy, codec: Codec) -> list[str]:
    """Return what the slots of a policy stand for, in words that no numbering changes."""
    movers = Layout.of(codec).movers
    names = []
    for deed, mover, goal in policy.slot_list():
        place = codec.locations[goal] if deed == GO else codec.provinces[goal].name
        names.append(f"{movers[mover]} {SIGNS[deed]}" + ("" if deed == STAY else f" {place}"))
    return names


def read_policy(path: Path) -> PolicyWeights:
    """Read a file of weights; one that cannot be read is a BadInputError that names it."""
    try:
        head, numbers = read_head_and_weights(path)
        layout = Layout(**head["layout"])
        check_names(layout.powers, layout.movers, layout.centers, head["slots"])
        found = PolicyWeights(
            layout=layout,
            slots=head["slots"],
            hidden=int(head["hidden"]),
            numbers=numbers,
            recipe=dict(head["recipe"]),
        )
        check_weights(found.hidden, 0, len(numbers), found.weight_count)
    except FileNotFoundError:
        raise BadInputError(f"no such file: {str(path)!r}") from None
    except UNREADABLE as error:
        raise BadInputError(f"{str(path)!r} is no learned policy: {error}") from None
    return found


@cache
def _kept(path: Path) -> PolicyWeights:
    return read_policy(path)


def check_policy(path: Path) -> None:
    """Refuse a file that is no policy, before a game begins."""
    _kept(path)


def policy_for(game: Playouts, board: Board, path: Path) -> Policy | None:
    """Return the learned policy for a board, None if it was learned for another map."""
    return _kept(path).policy(game, codec_of(board))
