"""Adjudicate a turn: position and orders in, results and the next position out.

May raise BadInputError for a unit that cannot stand where it is said to, and for what is no order.
"""

from collections.abc import Iterable
from typing import get_args

from rules.adjustments import resolve_adjustments
from rules.board import Board
from rules.errors import BadInputError
from rules.explain import Explainer
from rules.kernel import Simulator, codes
from rules.kernel.encode import NOTES, RESULTS, codec_of
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
from rules.position import DislodgedUnit, Position, by_province
from rules.resolution import Dislodgement, OrderReport, Resolution
from rules.retreats import resolve_retreats
from rules.turns import Phase, Season, Turn

MOVEMENT_ORDERS = frozenset({Hold, Move, SupportHold, SupportMove, Convoy, MoveByConvoy})
UNAIDED = frozenset({Hold, Move, MoveByConvoy})
ORDERS = frozenset(get_args(Order))
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
            given = [checked(order) for order in orders]
            reports, units = resolve_retreats(board, position, given, explain=explain)
            units = [*position.units, *units]
        case Phase.ADJUSTMENT:
            given = [checked(order) for order in orders]
            reports, units = resolve_adjustments(board, position, given, explain=explain)
    standing = tuple(sorted(units, key=by_province))
    following, updated = next_position(position, standing, ())
    told = tuple(sorted(reports, key=report_order))
    return Resolution(following, ownership_updated=updated, reporter=lambda: told)


def checked(order: Order) -> Order:
    """Refuse what is no order, such as the text of one: it would be passed over without a word."""
    if type(order) not in ORDERS:
        raise BadInputError(f"not an order: {order!r:.60}; `judge_text` takes orders as text")
    return order


def report_order(report: OrderReport) -> tuple[str, str]:
    """Sort key: by province, waives by power after everything else."""
    if isinstance(report.order, Waive):
        return "~", report.order.power.name
    return by_province(report.order.unit), ""


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
    dislodgements.sort(key=lambda out: by_province(out.unit))
    dislodged = tuple(DislodgedUnit(out.unit, out.retreats) for out in dislodgements)
    following, updated = next_position(position, codec.standing(state), dislodged)
    return Resolution(
        following, tuple(dislodgements), tuple(sorted(places, key=str)), updated, reports
    )


class MovementTurn:
    """The orders of a movement turn, and what the kernel makes of them.

    Units go by their place in the position, for which each is hashed once: hashing values is what
    takes the time here.
    """

    def __init__(self, board: Board, position: Position, orders: Iterable[Order]) -> None:
        self._board = board
        self._position = position
        self._codec = codec_of(board)
        self._places = {unit: at for at, unit in enumerate(position.units)}
        self._given: list[MovementOrder | None] = [None] * len(position.units)
        place_of = self._places.get
        for order in orders:
            if type(order) in MOVEMENT_ORDERS:
                at = place_of(order.unit)  # type: ignore[union-attr]  # by their type
                if at is not None:
                    self._given[at] = order  # type: ignore[assignment]  # the same
            else:
                checked(order)
        self._outcomes = b""
        self._strays: set[int] = set()
        """The places of units that were to help one which is not there."""

    def lost_places(self) -> list[int]:
        """Return the indexes of the provinces whose units were driven out."""
        place, units = self._codec.tables.mover_province, self._position.units
        return [
            place[self._codec.mover(units[at])]
            for at, outcome in enumerate(self._outcomes)
            if outcome & DISLODGED
        ]

    def judged(self) -> Simulator:
        """Return the kernel after it has judged the orders; the units have not moved yet."""
        state = self._codec.load_units(self._position)
        self._outcomes = state.judge_all(self._codes())
        return state

    def _codes(self) -> list[int]:
        """Return the code of every unit's order; one without an order holds."""
        units, code_of = self._position.units, self._codec.code
        codes = []
        for at, order in enumerate(self._given):
            if order is None:
                codes.append(code_of(Hold(units[at])))
            elif type(order) in UNAIDED or _helped(order) in self._places:  # type: ignore[arg-type]  # the others help
                codes.append(code_of(order))
            else:
                # An order that has no code, or not a legal one, still is what others match.
                self._strays.add(at)
                codes.append(code_of(Hold(order.unit)))
        return codes

    def reports(self) -> tuple[OrderReport, ...]:
        """Return what came of each order."""
        told = []
        for at, (order, outcome) in enumerate(zip(self._given, self._outcomes, strict=True)):
            if order is None or outcome >> NOTE_SHIFT or at in self._strays:
                told.append(self._report(at))
            else:
                result = RESULTS[outcome & RESULT_BITS]
                told.append(OrderReport(order, result, bool(outcome & DISLODGED)))
        return tuple(told)

    def explained(self, state: Simulator) -> tuple[OrderReport, ...]:
        """Return the same with a sentence for each; the state must be the one that judged them."""
        given = {order.unit.location.province: order for order in self._given if order is not None}
        explainer = Explainer(self._board, self._position, state, given)
        return tuple(self._report(at, explainer) for at in range(len(self._given)))

    def _report(self, at: int, explainer: Explainer | None = None) -> OrderReport:
        order, outcome, unit = self._given[at], self._outcomes[at], self._position.units[at]
        place = self._codec.province_index[unit.location.province]
        note = self._note(at)
        is_legal = note is OrderNote.MIGHT_BE_VALID
        return OrderReport(
            order=order or Hold(unit),
            result=RESULTS[outcome & RESULT_BITS] if is_legal else note,
            dislodged=bool(outcome & DISLODGED),
            automatic=order is None,
            explanation=explainer.explain(place, note) if explainer else "",
            strength=explainer.strength(place) if explainer else None,
        )

    def _note(self, at: int) -> OrderNote:
        note, order = self._outcomes[at] >> NOTE_SHIFT, self._given[at]
        if at in self._strays:
            return OrderNote.NO_SUCH_UNIT
        if note and isinstance(order, MoveByConvoy):
            return Judge(self._board, self._position).judge_path(order)
        return NOTES[note]


def _helped(order: SupportHold | SupportMove | Convoy) -> Unit:
    return order.convoyed if isinstance(order, Convoy) else order.supported


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
