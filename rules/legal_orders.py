"""List every order that may be tried."""

from rules.board import Board
from rules.kernel.encode import codec_of
from rules.orders import Order, Unit
from rules.places import Power
from rules.position import Position
from rules.turns import Phase


def legal_orders(
    board: Board, position: Position, power: Power | None = None
) -> dict[Unit, list[Order]]:
    """Return the legal orders of each unit that must be ordered in a movement or retreat turn.

    With `power`, of that power's units only. Convoys may have any length; every chain of fleets is
    an order of its own.
    """
    if position.turn.phase is Phase.ADJUSTMENT:
        return {}
    codec = codec_of(board)
    state = codec.load(position)
    units = {unit.location.province: unit for unit in position.units}
    subjects = (
        position.units
        if position.turn.phase is Phase.MOVEMENT
        else tuple(out.unit for out in position.dislodged)
    )
    return {
        unit: [
            codec.order(code, unit.power, units)
            for code in state.legal(codec.province_index[unit.location.province])
        ]
        for unit in subjects
        if power is None or unit.power == power
    }


def legal_adjustments(board: Board, position: Position, power: Power) -> list[Order]:
    """Return what a power may order first in an adjustment turn; nothing if nothing is due."""
    if position.turn.phase is not Phase.ADJUSTMENT:
        return []
    codec = codec_of(board)
    found = codec.load(position).legal(codec.power_index[power])
    return [codec.order(code, power) for code in found]
