"""Adjudicate a turn: position and orders in, results and the next position out.

May raise BadInputError for a unit that cannot stand where it is said to.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rules.adjustments import resolve_adjustments
from rules.board import Board
from rules.explain import Explainer
from rules.kernel import Simulator, codes
from rules.kernel.encode import RESULTS, codec_of, province_name
from rules.legality import Judge, adjustments_due
from rules.orders import (
    Hold,
    MovementOrder,
    Order,
    OrderNote,
    Unit,
    Waive,
)
from rules.position import DislodgedUnit, Position
from rules.resolution import Dislodgement, OrderReport, Resolution
from rules.retreats import resolve_retreats
from rules.turns import Phase, Season, Turn

if TYPE_CHECKING:
    from rules.places import Province


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
            following, updated = next_position(position, (*position.units, *units), ())
        case Phase.ADJUSTMENT:
            reports, units = resolve_adjustments(board, position, orders, explain=explain)
            following, updated = next_position(position, units, ())
    return Resolution(tuple(sorted(reports, key=report_order)), following, (), (), updated)


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
    judge = Judge(board, position)
    state, index = judge.simulator, judge.codec.province_index
    given: dict[Province, MovementOrder] = {}
    notes: dict[Province, OrderNote] = {}
    state.start_phase()
    for order in orders:
        if isinstance(order, MovementOrder) and judge.is_here(order.unit):
            province = order.unit.location.province
            given[province] = order
            code, notes[province] = judge.judge_movement(order)
            # An order that has no code, or not a legal one, still is what others match.
            state.give_any(code or judge.codec.code(Hold(order.unit)))
    state.adjudicate_given()
    explainer = Explainer(board, position, state, given) if explain else None
    reports = []
    for unit in position.units:
        province = unit.location.province
        note = notes.get(province, OrderNote.MIGHT_BE_VALID)
        result = RESULTS[state.result[index[province]]]
        reports.append(
            OrderReport(
                order=given.get(province) or Hold(unit),
                result=result if note is OrderNote.MIGHT_BE_VALID else note,
                dislodged=bool(state.is_dislodged[index[province]]),
                automatic=province not in given,
                explanation=explainer.explain(index[province], note) if explainer else "",
                strength=explainer.strength(index[province]) if explainer else None,
            )
        )
    return finish_movement(board, position, state, reports)


def finish_movement(
    board: Board, position: Position, state: Simulator, reports: list[OrderReport]
) -> Resolution:
    """Move the units and describe what comes next."""
    codec = codec_of(board)
    contested = [
        province for index, province in enumerate(codec.provinces) if state.is_contested[index]
    ]
    origins = {
        index: (state.conqueror[index], state.kind[state.conqueror[index]] == codes.MOVE_BY_CONVOY)
        for index in range(len(codec.provinces))
        if state.conqueror[index] >= 0
    }
    state.apply_movement()
    dislodgements = []
    units = []
    for index in range(len(codec.provinces)):
        if state.unit[index] >= 0:
            units.append(codec.unit(state.unit[index], state.power[index]))
        if state.out[index] >= 0:
            out = codec.dislodged_unit(state, index)
            origin, is_convoyed = origins[index]
            dislodgements.append(
                Dislodgement(out.unit, codec.provinces[origin], is_convoyed, out.retreats)
            )
    dislodgements.sort(key=lambda out: province_name(out.unit))
    dislodged = tuple(DislodgedUnit(out.unit, out.retreats) for out in dislodgements)
    following, updated = next_position(position, units, dislodged)
    return Resolution(
        reports=tuple(reports),
        position=following,
        dislodgements=tuple(dislodgements),
        contested=tuple(sorted(contested, key=str)),
        ownership_updated=updated,
    )


# The next position.


def next_position(
    position: Position,
    units: Iterable[Unit],
    dislodged: tuple[DislodgedUnit, ...],
) -> tuple[Position, bool]:
    """Return the position of the next turn with something to order, and whether centers changed."""
    season, year = position.turn.season, position.turn.year
    standing = tuple(sorted(units, key=province_name))
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
