"""Adjudicate a turn: position and orders in, results and the next position out.

May raise BadInputError for a unit that cannot stand where it is said to.
"""

from collections.abc import Iterable

from rules.adjustments import resolve_adjustments
from rules.board import Board
from rules.explain import Explainer
from rules.kernel import Simulator, codes
from rules.kernel.encode import NOTES, RESULTS, codec_of, province_name
from rules.legality import Judge, adjustments_due
from rules.orders import (
    Convoy,
    Hold,
    Move,
    MoveByConvoy,
    MovementOrder,
    Order,
    OrderNote,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from rules.position import DislodgedUnit, Position
from rules.resolution import Dislodgement, OrderReport, Resolution
from rules.retreats import resolve_retreats
from rules.turns import Phase, Season, Turn

MOVEMENT_ORDERS = frozenset({Hold, Move, SupportHold, SupportMove, Convoy, MoveByConvoy})
# How `judge_all` packs what came of an order.
RESULT_BITS, DISLODGED, NOTE_SHIFT = 7, 8, 4


def adjudicate(
    board: Board, position: Position, orders: Iterable[Order], *, explain: bool = False
) -> Resolution:
    """Carry out the orders of a turn.

    A unit without an order holds or disbands, missing waives and removals are added. The later of
    two orders for a unit counts. An illegal movement order makes the unit hold, an illegal retreat
    disbands it, and the note stands as the result; illegal adjustments, and orders for units that
    are not there, are passed over. With `explain`, every report has a sentence that says why.
    """
    match position.turn.phase:
        case Phase.MOVEMENT:
            return resolve_movement(board, position, orders, explain=explain)
        case Phase.RETREAT:
            reports, units = resolve_retreats(board, position, orders, explain=explain)
            units = [*position.units, *units]
        case Phase.ADJUSTMENT:
            reports, units = resolve_adjustments(board, position, orders, explain=explain)
    standing = tuple(sorted(units, key=province_name))
    following, updated = next_position(position, standing, ())
    told = tuple(sorted(reports, key=report_order))
    return Resolution(following, ownership_updated=updated, reporter=lambda: told)


def report_order(report: OrderReport) -> tuple[str, str]:
    """Sort key: by province, waives by power after everything else."""
    if isinstance(report.order, Waive):
        return "~", report.order.power.name
    return province_name(report.order.unit), ""


# Movement.


def resolve_movement(
    board: Board, position: Position, orders: Iterable[Order], *, explain: bool
) -> Resolution:
    """Carry out a movement turn with the kernel."""
    turn = MovementTurn(board, position, orders)
    state = turn.judged()
    reports = turn.reports
    if explain:
        told = turn.explained(state)
        reports = lambda: told  # noqa: E731 - the kernel, which can explain, is used again
    codec = codec_of(board)
    contested = bytes(state.is_contested)
    places = [codec.provinces[at] for at, is_so in enumerate(contested) if is_so]
    origins = {
        at: (state.conqueror[at], state.kind[state.conqueror[at]] == codes.MOVE_BY_CONVOY)
        for at in turn.lost_places()
    }
    state.apply_movement()
    dislodgements = []
    for at, (origin, is_convoyed) in origins.items():
        out = codec.dislodged_unit(state, at)
        dislodgements.append(
            Dislodgement(out.unit, codec.provinces[origin], is_convoyed, out.retreats)
        )
    dislodgements.sort(key=lambda out: province_name(out.unit))
    dislodged = tuple(DislodgedUnit(out.unit, out.retreats) for out in dislodgements)
    following, updated = next_position(position, codec.standing(state), dislodged)
    return Resolution(
        following, tuple(dislodgements), tuple(sorted(places, key=str)), updated, reports
    )


class MovementTurn:
    """The orders of a movement turn, and what the kernel makes of them."""

    def __init__(self, board: Board, position: Position, orders: Iterable[Order]) -> None:
        self._board = board
        self._position = position
        self._codec = codec_of(board)
        self._here = frozenset(position.units)
        self._given: dict[Unit, MovementOrder] = {}
        for order in orders:
            if type(order) in MOVEMENT_ORDERS and order.unit in self._here:  # type: ignore[union-attr]  # by their type
                self._given[order.unit] = order  # type: ignore[union-attr,assignment]  # the same
        self._outcomes: dict[Unit, int] = {}
        self._strays: set[Unit] = set()
        """Units that were to help one which is not there."""

    def lost_places(self) -> list[int]:
        """Return the indexes of the provinces whose units were driven out."""
        place = self._codec.tables.mover_province
        return [
            place[self._codec.mover(unit)]
            for unit, outcome in self._outcomes.items()
            if outcome & DISLODGED
        ]

    def judged(self) -> Simulator:
        """Return the kernel after it has judged the orders; the units have not moved yet."""
        state = self._codec.load_units(self._position)
        idle = [unit for unit in self._position.units if unit not in self._given]
        numbers = [self._code(order) for order in self._given.values()]
        numbers += [self._codec.code(Hold(unit)) for unit in idle]
        outcomes = state.judge_all(numbers)
        self._outcomes = dict(zip([*self._given, *idle], outcomes, strict=True))
        return state

    def _code(self, order: MovementOrder) -> int:
        match order:
            case Move() | Hold() | MoveByConvoy():
                return self._codec.code(order)
            case Convoy(convoyed=helped):
                pass
            case SupportHold(supported=helped) | SupportMove(supported=helped):
                pass
        if helped in self._here:
            return self._codec.code(order)
        # An order that has no code, or not a legal one, still is what others match.
        self._strays.add(order.unit)
        return self._codec.code(Hold(order.unit))

    def reports(self) -> tuple[OrderReport, ...]:
        """Return what came of each order."""
        given, found = self._given, self._outcomes
        illegal = {unit for unit, outcome in found.items() if outcome >> NOTE_SHIFT} | self._strays
        return tuple(
            [
                self._report(unit)
                if unit in illegal or unit not in given
                else OrderReport(
                    given[unit], RESULTS[found[unit] & RESULT_BITS], bool(found[unit] & DISLODGED)
                )
                for unit in self._position.units
            ]
        )

    def explained(self, state: Simulator) -> tuple[OrderReport, ...]:
        """Return the same with a sentence for each; the state must be the one that judged them."""
        given = {unit.location.province: order for unit, order in self._given.items()}
        explainer = Explainer(self._board, self._position, state, given)
        return tuple(self._report(unit, explainer) for unit in self._position.units)

    def _report(self, unit: Unit, explainer: Explainer | None = None) -> OrderReport:
        order, outcome = self._given.get(unit), self._outcomes[unit]
        place = self._codec.province_index[unit.location.province]
        note = self._note(unit)
        is_legal = note is OrderNote.MIGHT_BE_VALID
        return OrderReport(
            order=order or Hold(unit),
            result=RESULTS[outcome & RESULT_BITS] if is_legal else note,
            dislodged=bool(outcome & DISLODGED),
            automatic=order is None,
            explanation=explainer.explain(place, note) if explainer else "",
            strength=explainer.strength(place) if explainer else None,
        )

    def _note(self, unit: Unit) -> OrderNote:
        note = self._outcomes[unit] >> NOTE_SHIFT
        order = self._given.get(unit)
        if unit in self._strays:
            return OrderNote.NO_SUCH_UNIT
        if note and isinstance(order, MoveByConvoy):
            return Judge(self._board, self._position).judge_path(order)
        return NOTES[note]


# The next position.


def next_position(
    position: Position,
    standing: tuple[Unit, ...],
    dislodged: tuple[DislodgedUnit, ...],
) -> tuple[Position, bool]:
    """Return the position of the next turn with something to order, and whether centers changed.

    The units must be sorted by province.
    """
    season, year = position.turn.season, position.turn.year
    if dislodged:
        season = Season.SUMMER if season is Season.SPRING else Season.AUTUMN
        return Position(Turn(season, year), standing, dislodged, position.owners), False
    if season in (Season.SPRING, Season.SUMMER):
        return Position(Turn(Season.FALL, year), standing, (), position.owners), False
    if season is Season.WINTER:
        return Position(Turn(Season.SPRING, year + 1), standing, (), position.owners), False
    owners = dict(position.owners)
    for unit in standing:
        if unit.location.province.is_center:
            owners[unit.location.province] = unit.power
    winter = Position(Turn(Season.WINTER, year), standing, (), owners)
    if any(adjustments_due(winter).values()):
        return winter, True
    return Position(Turn(Season.SPRING, year + 1), standing, (), owners), True
