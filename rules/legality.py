"""Say whether an order may be tried, with the note that a DAIDE server would give.

The checks come in the order of the reference server; the first that fails gives the note. Movement
orders are judged by the kernel, this module sees to what has no number there.
"""

from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cached_property

from rules.board import Board
from rules.kernel import Simulator
from rules.kernel.codes import FINE
from rules.kernel.encode import NOTES, Codec, codec_of
from rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MoveByConvoy,
    Order,
    OrderNote,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
)
from rules.places import Power, Province
from rules.position import Position
from rules.turns import Phase

# What a server that accepts any orders (AOA) finds out only when the turn is processed.
DEFERRED = frozenset(
    {
        OrderNote.NOT_ADJACENT,
        OrderNote.NOT_AT_SEA,
        OrderNote.NO_SUCH_FLEET,
        OrderNote.NO_SUCH_ARMY,
        OrderNote.NOT_VALID_RETREAT,
    }
)
PHASES: dict[type[Order], Phase] = {
    Hold: Phase.MOVEMENT,
    Move: Phase.MOVEMENT,
    SupportHold: Phase.MOVEMENT,
    SupportMove: Phase.MOVEMENT,
    Convoy: Phase.MOVEMENT,
    MoveByConvoy: Phase.MOVEMENT,
    Retreat: Phase.RETREAT,
    Disband: Phase.RETREAT,
    Build: Phase.ADJUSTMENT,
    Remove: Phase.ADJUSTMENT,
    Waive: Phase.ADJUSTMENT,
}


class Notes(Enum):
    """Whose note is given for what is refused, where the sources differ (docs/adjudicator.md)."""

    REFERENCE = "reference"
    """The reference server's, which old programs were written against: those on the wire."""

    CASES = "cases"
    """Those that the adjudicator test cases give, which are Parlance's."""


def judge_order(
    board: Board,
    position: Position,
    order: Order,
    power: Power,
    earlier: Sequence[Order] = (),
) -> OrderNote:
    """Return the note for an order that a power submits.

    `earlier` are the power's orders of this turn that were accepted already; they count against
    the builds and removals it is due.
    """
    return Judge(board, position).judge(order, power, earlier)


def adjustments_due(position: Position) -> dict[str, int]:
    """Return by power's name how many units it may build, or must remove as a negative number.

    A power that is not there has neither centers nor units.
    """
    due: dict[str, int] = {}
    for owner in position.owners.values():
        due[owner.name] = due.get(owner.name, 0) + 1
    for unit in position.units:
        due[unit.power.name] = due.get(unit.power.name, 0) - 1
    return due


def adjustment_due(position: Position, power: Power) -> int:
    """Return how many units one power may build or must remove."""
    return adjustments_due(position).get(power.name, 0)


class Judge:
    """Judges any number of orders for one position.

    Holds the board's shared simulator: use it up before another position of the board is judged,
    or give it a simulator of its own, or let it begin anew.
    """

    def __init__(
        self,
        board: Board,
        position: Position,
        simulator: Simulator | None = None,
        *,
        notes: Notes = Notes.REFERENCE,
    ) -> None:
        self.board = board
        self.position = position
        self.phase = position.turn.phase
        self.notes = notes
        self.codec: Codec = codec_of(board)
        self._simulator = simulator
        self._loaded: Simulator | None = None
        self.units = {unit.location.province: unit for unit in position.units}
        self.dislodged = {out.unit.location.province: out for out in position.dislodged}

    @cached_property
    def _numbers(self) -> list[tuple[int, int]]:
        return self.codec.all_numbers(self.position.units)

    def begin_anew(self) -> None:
        """Go on after another position of the board may have been judged."""
        self._loaded = None

    def _load(self) -> Simulator:
        """Return the kernel with the units loaded, which is needed for movement orders."""
        turn, simulator = self.position.turn, self._simulator
        self._loaded = self.codec.load_numbers(turn, self._numbers, simulator)
        return self._loaded

    @cached_property
    def due(self) -> dict[str, int]:
        """The adjustments that are due, by power's name."""
        return adjustments_due(self.position)

    def judge(self, order: Order, power: Power, earlier: Sequence[Order] = ()) -> OrderNote:
        """Return the note for an order that a power submits."""
        if PHASES[type(order)] is not self.phase:
            return OrderNote.NOT_THIS_SEASON
        known = self.codec.province_index
        for province in provinces_of(order):
            if province not in known:
                return OrderNote.NO_SUCH_PROVINCE
        match order:
            case Retreat() | Disband():
                return self.judge_retreat(order, power)
            case Build():
                return self.judge_build(order, power, earlier)
            case Remove():
                return self.judge_removal(order, power, earlier)
            case Waive():
                return self.judge_waive(order, power, earlier)
            case _:
                if not self.is_here(order.unit):
                    return OrderNote.NO_SUCH_UNIT
                if order.unit.power != power:
                    return OrderNote.NOT_YOUR_UNIT
                return self.judge_movement(order)[1]

    def is_here(self, unit: Unit) -> bool:
        """Whether exactly this unit is on the board."""
        standing = self.units.get(unit.location.province)
        return standing is unit or standing == unit

    def judge_movement(
        self, order: Hold | Move | SupportHold | SupportMove | Convoy | MoveByConvoy
    ) -> tuple[int, OrderNote]:
        """Return the code and the note for an order of a unit that is here."""
        match order:
            case SupportHold(supported=other) | SupportMove(supported=other):
                if not self.is_here(other):
                    return 0, OrderNote.NO_SUCH_UNIT
            case Convoy(convoyed=other):
                if not self.is_here(other) and not self.is_mistaken_army(other):
                    return 0, OrderNote.NO_SUCH_UNIT
            case _:
                pass
        code = self.codec.code(order)
        note = (self._loaded or self._load()).note_for(code)
        if isinstance(order, MoveByConvoy) and note != FINE:
            return code, self.judge_path(order)
        return code, NOTES[note]

    def is_mistaken_army(self, unit: Unit) -> bool:
        """Whether an army is named where a fleet stands: NSA, not NSU, in DATC 6.A.7."""
        standing = self.units.get(unit.location.province)
        return (
            self.notes is Notes.CASES
            and standing is not None
            and unit.kind is UnitKind.ARMY
            and standing.kind is UnitKind.FLEET
            and (unit.kind, unit.location) in self.codec.movers
        )

    def judge_path(self, order: MoveByConvoy) -> OrderNote:
        """Say what is wrong with a move by convoy."""
        if order.unit.kind is not UnitKind.ARMY:
            return OrderNote.NO_SUCH_ARMY
        index, tables = self.codec.province_index, self.codec.tables
        here = index[order.unit.location.province]
        for sea in order.via:
            if sea not in self.units:
                return OrderNote.NO_SUCH_FLEET
            if not sea.is_sea:
                return OrderNote.NOT_AT_SEA
            if not tables.touches[here * tables.provinces + index[sea]]:
                return OrderNote.NOT_ADJACENT
            here = index[sea]
        return OrderNote.NOT_ADJACENT

    def judge_retreat(self, order: Retreat | Disband, power: Power) -> OrderNote:
        """Return the note for an order to a dislodged unit."""
        out = self.dislodged.get(order.unit.location.province)
        if out is None or out.unit != order.unit:
            return OrderNote.NO_RETREAT_NEEDED
        if order.unit.power != power:
            return OrderNote.NOT_YOUR_UNIT
        if isinstance(order, Retreat) and order.destination not in out.retreats:
            return self.closed_retreat(order)
        return OrderNote.MIGHT_BE_VALID

    def closed_retreat(self, order: Retreat) -> OrderNote:
        """Say why a place is not open to a dislodged unit."""
        is_near = order.destination in self.board.destinations(order.unit)
        if is_near or self.notes is Notes.CASES:
            return OrderNote.NOT_VALID_RETREAT
        return OrderNote.NOT_ADJACENT

    def builds_left(self, power: Power, earlier: Iterable[Order]) -> int:
        """Return how many builds or waives the power may still order."""
        used = sum(isinstance(order, Build | Waive) for order in earlier)
        return self.due.get(power.name, 0) - used

    def judge_build(self, order: Build, power: Power, earlier: Sequence[Order]) -> OrderNote:
        """Return the note for a build."""
        unit = order.unit
        province = unit.location.province
        if self.builds_left(power, earlier) <= 0:
            return OrderNote.NO_MORE_BUILDS
        if unit.power != power:
            return OrderNote.NOT_YOUR_UNIT
        if not province.is_center:
            return OrderNote.NOT_A_CENTER
        if self.position.owners.get(province) != power:
            return OrderNote.NOT_YOUR_CENTER
        if province not in self.board.homes.get(power, ()):
            return OrderNote.NOT_HOME_CENTER
        if province in self.units:
            return OrderNote.NOT_EMPTY_CENTER
        if (unit.kind, unit.location) not in self.codec.movers:
            return OrderNote.BAD_COAST
        if province in built_provinces(earlier):
            return OrderNote.NOT_EMPTY_CENTER
        return OrderNote.MIGHT_BE_VALID

    def judge_removal(self, order: Remove, power: Power, earlier: Sequence[Order]) -> OrderNote:
        """Return the note for a removal."""
        used = sum(isinstance(other, Remove) for other in earlier)
        checks = (
            (self.due.get(power.name, 0) + used >= 0, OrderNote.NO_MORE_REMOVALS),
            (not self.is_here(order.unit) or order in earlier, OrderNote.NO_SUCH_UNIT),
            (order.unit.power != power, OrderNote.NOT_YOUR_UNIT),
        )
        return next((note for fails, note in checks if fails), OrderNote.MIGHT_BE_VALID)

    def judge_waive(self, order: Waive, power: Power, earlier: Sequence[Order]) -> OrderNote:
        """Return the note for a waive."""
        if self.builds_left(power, earlier) <= 0:
            return OrderNote.NO_MORE_BUILDS
        return OrderNote.MIGHT_BE_VALID if order.power == power else OrderNote.NOT_YOUR_UNIT


def built_provinces(orders: Iterable[Order]) -> set[Province]:
    """Return where these orders build."""
    return {order.unit.location.province for order in orders if isinstance(order, Build)}


def provinces_of(order: Order) -> Iterable[Province]:
    """Yield every province that an order names."""
    if isinstance(order, Waive):
        return
    yield order.unit.location.province
    match order:
        case Move(destination=place) | Retreat(destination=place):
            yield place.province
        case SupportHold(supported=other):
            yield other.location.province
        case SupportMove(supported=other, destination=goal):
            yield other.location.province
            yield goal
        case Convoy(convoyed=other, destination=goal):
            yield other.location.province
            yield goal
        case MoveByConvoy(destination=goal, via=seas):
            yield goal
            yield from seas
        case _:
            pass
