"""Where our adjudication and a saved game of the package `diplomacy` part, and for what reason."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from rules.notation import format_order, format_unit
from rules.orders import Move, MoveByConvoy, Order, SupportMove
from rules.places import Power, Province
from rules.position import Position
from rules.resolution import Resolution
from rules.turns import Phase

OWN_UNIT = (
    "the package counts the support of a power for an attack by convoy on its own unit, which the "
    "rules forbid"
)
RETREATS = (
    "dislodged by convoy, the package also offers retreats to where units stand or have bounced"
)
DISRUPTED = "the package stops a convoy whose fleet is attacked, and stays in the end"
HEAD_TO_HEAD = (
    "the package does not count a power's support for a unit that goes head to head against its own"
)
CONVOY = "a convoy: the package has no routes, and other rules for paradoxes"
REMOVALS = "units that nobody removed are chosen by another rule"
LEFT_OUT = "a turn was left out"
UNKNOWN = "the orders alone do not explain it"


@frozen
class Difference:
    """One phase that comes out differently."""

    phase: str
    ours: str
    theirs: str
    reason: str

    def __str__(self) -> str:
        both = f"{self.theirs} in the saved game, {self.ours} by our rules"
        return f"{self.phase}: {both}: {self.reason}"


@frozen
class Played:
    """One phase as we have played it."""

    name: str
    position: Position
    orders: Sequence[Order]
    resolution: Resolution
    reached: Position
    """After the turns that the package leaves out."""
    results: Mapping[str, Sequence[object]]
    """What the saved game says of the orders."""


def difference_of(played: Played, theirs: Position) -> Difference:
    """Say what is different in the position that a phase leads to."""
    mine, other = _parts(played.reached), _parts(theirs)
    return Difference(
        played.name,
        ", ".join(sorted(mine - other)) or "nothing more",
        ", ".join(sorted(other - mine)) or "nothing more",
        _reason(played, theirs),
    )


def distance(ours: Position, theirs: Position) -> int:
    """Count what is different in two positions."""
    there = {(out.unit, place) for out in theirs.dislodged for place in out.retreats}
    here = {(out.unit, place) for out in ours.dislodged for place in out.retreats}
    return len(_parts(ours) ^ _parts(theirs)) + len(here ^ there)


def _parts(position: Position) -> set[str]:
    """Return everything in a position that can be different."""
    found = {f"{unit.power} {format_unit(unit)}" for unit in position.units}
    found |= {
        f"{out.unit.power} {format_unit(out.unit)} free to {' '.join(map(str, out.retreats))}"
        for out in position.dislodged
        if out.retreats
    }
    return found | {f"{center} of {owner}" for center, owner in position.owners.items()}


def _reason(played: Played, theirs: Position) -> str:
    if _only_retreats(played, theirs):
        return RETREATS
    if helper := _support_against_own_unit(played, theirs):
        return f"{OWN_UNIT} ({format_order(helper)})"
    if fleet := _stopped_convoy(played):
        return f"{DISRUPTED} ({fleet})"
    if helper := _support_head_to_head(played):
        return f"{HEAD_TO_HEAD} ({format_order(helper)})"
    if any(isinstance(order, MoveByConvoy) for order in played.orders):
        return CONVOY
    if played.position.turn.phase is Phase.ADJUSTMENT:
        return REMOVALS
    return LEFT_OUT if played.reached.turn != theirs.turn else UNKNOWN


def _only_retreats(played: Played, theirs: Position) -> bool:
    """Whether units that were dislodged by convoy have more retreats, and nothing else differs."""
    by_convoy = {out.unit for out in played.resolution.dislodgements if out.attacker_convoyed}
    mine = {out.unit: set(out.retreats) for out in played.resolution.position.dislodged}
    more = {out.unit: set(out.retreats) for out in theirs.dislodged}
    changed = {unit for unit in mine if mine[unit] != more.get(unit, set())}
    # After a turn of retreats that only the package has, nothing else can be compared.
    alike = played.resolution.position.units == theirs.units
    return alike and bool(changed) and changed <= by_convoy


def _support_against_own_unit(played: Played, theirs: Position) -> SupportMove | None:
    """Find what helped an army at sea to drive out a unit of the helper's own power."""
    before = {unit.location.province: unit.power for unit in played.position.units}
    after = {unit.location.province: unit.power for unit in theirs.units}
    voyages = {
        (order.unit, order.destination)
        for order in played.orders
        if isinstance(order, MoveByConvoy) and after.get(order.destination) == order.unit.power
    }
    for order in played.orders:
        if (
            isinstance(order, SupportMove)
            and (order.supported, order.destination) in voyages
            and before.get(order.destination) == order.unit.power
        ):
            return order
    return None


def _stopped_convoy(played: Played) -> str | None:
    """Find a fleet whose convoy failed though nobody drove it out."""
    for unit, words in played.results.items():
        told = {str(word) for word in words}
        if "disrupted" in told and "dislodged" not in told:
            return unit
    return None


def _support_head_to_head(played: Played) -> SupportMove | None:
    """Find a support for a unit against one of the helper's power that comes the other way."""
    # An army that should go by sea goes by land there where no fleet carries it.
    goals: dict[Province, tuple[Power, Province]] = {}
    for order in played.orders:
        if isinstance(order, Move):
            goals[order.unit.location.province] = order.unit.power, order.destination.province
        elif isinstance(order, MoveByConvoy):
            goals[order.unit.location.province] = order.unit.power, order.destination
    for order in played.orders:
        if not isinstance(order, SupportMove):
            continue
        here = order.supported.location.province
        if goals.get(order.destination) == (order.unit.power, here) and here in goals:
            return order
    return None
