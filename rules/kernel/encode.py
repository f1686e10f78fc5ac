"""Translate boards, positions and orders into the kernel's integers, and back."""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from rules.board import Board
from rules.errors import BadInputError
from rules.kernel import Simulator, codes
from rules.kernel.codes import kind_of, mover_of, other_of, pack, path_of, target_of
from rules.kernel.flatten import flatten
from rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MoveByConvoy,
    Order,
    OrderNote,
    OrderResult,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
)
from rules.places import Location, Power, Province
from rules.position import DislodgedUnit, Position, by_province
from rules.turns import Season, Turn

SEASONS = tuple(Season)
NOTES = (
    OrderNote.MIGHT_BE_VALID,
    OrderNote.NOT_ADJACENT,
    OrderNote.NO_SUCH_UNIT,
    OrderNote.NOT_AT_SEA,
    OrderNote.NO_SUCH_FLEET,
    OrderNote.NO_SUCH_ARMY,
)
RESULTS = (
    None,
    OrderResult.SUCCEEDED,
    OrderResult.BOUNCED,
    OrderResult.CUT,
    OrderResult.DISRUPTED,
    OrderResult.NO_SUCH_ORDER,
)
# Orders that name nothing but their unit.
ORDERS: dict[int, Callable[[Unit], Order]] = {
    codes.HOLD: Hold,
    codes.DISBAND: Disband,
    codes.BUILD: Build,
    codes.REMOVE: Remove,
}
KINDS: dict[Any, int] = {order: kind for kind, order in ORDERS.items()}
MOST_CODES = 200_000
"""How many codes of orders are kept; few games have more different orders."""
MOST_MOVERS = codes.FIELD_BITS + 1
NO_PATH = codes.LARGEST_PATH - 1  # a number that no path has


class Codec:
    """Numbers the things of one board. Use `codec_of(board)`."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.powers = board.powers
        self.provinces = board.provinces
        self.locations = (
            *map(Location, board.provinces),
            *sorted((place for place in board.fleet_borders if place.coast), key=str),
        )
        self.power_index = {power: index for index, power in enumerate(self.powers)}
        self.province_index = {province: index for index, province in enumerate(self.provinces)}
        self.location_index = {place: index for index, place in enumerate(self.locations)}
        if len(self.provinces) + len(self.locations) > MOST_MOVERS:
            raise BadInputError(f"the map {board.name!r} has too many provinces and coasts")
        self.movers: dict[tuple[UnitKind, Location], int] = {
            (UnitKind.ARMY, Location(province)): self.province_index[province]
            for province in board.army_borders
        }
        for place in board.fleet_borders:
            index = len(self.provinces) + self.location_index[place]
            self.movers[UnitKind.FLEET, place] = index
        self.mover_places = {index: key for key, index in self.movers.items()}
        self.tables = flatten(board, self.locations, self.movers)
        self._spare = Simulator(self.tables)
        self._numbers: dict[Unit, tuple[int, int]] = {}
        self._units: dict[tuple[int, int], Unit] = {}
        self._by_name = sorted(range(len(self.provinces)), key=lambda at: self.provinces[at].name)
        self._codes: dict[Order, int] = {}
        self._encoders: dict[type[Order], Callable[[Any], int]] = {
            Move: lambda order: self._step(codes.MOVE, order),
            Retreat: lambda order: self._step(codes.RETREAT, order),
            SupportHold: lambda order: self._help(codes.SUPPORT_HOLD, order.unit, order.supported),
            SupportMove: lambda order: self._help(
                codes.SUPPORT_MOVE, order.unit, order.supported, order.destination
            ),
            Convoy: lambda order: self._help(
                codes.CONVOY, order.unit, order.convoyed, order.destination
            ),
            MoveByConvoy: self._voyage,
            Waive: lambda order: pack(codes.WAIVE, self.power_index[order.power]),
            **dict.fromkeys(KINDS, lambda order: pack(KINDS[type(order)], self.mover(order.unit))),
        }

    def new_simulator(self) -> Simulator:
        """Return an empty position for the kernel."""
        return Simulator(self.tables)

    # Units and positions.

    def numbers(self, unit: Unit) -> tuple[int, int]:
        """Return the indexes of a unit's mover and power."""
        found = self._numbers.get(unit)
        if found is None:
            if unit.power not in self.power_index:
                raise BadInputError(f"no such power: {unit.power.name!r}")
            if (unit.kind, unit.location) not in self.movers:
                raise BadInputError(impossible_unit(unit))
            found = self.movers[unit.kind, unit.location], self.power_index[unit.power]
            # Under the value that positions of ours hold, which is found without a comparison.
            self._numbers[self.unit(*found)] = found
        return found

    def mover(self, unit: Unit) -> int:
        """Return the index of a unit without its power."""
        return self.numbers(unit)[0]

    def unit(self, mover: int, power: int) -> Unit:
        """Return the unit of that index; always the same value, so that it is found quickly."""
        found = self._units.get((mover, power))
        if found is None:
            kind, place = self.mover_places[mover]
            found = self._units[mover, power] = Unit(self.powers[power], kind, place)
        return found

    def all_numbers(self, units: Iterable[Unit]) -> list[tuple[int, int]]:
        """Return the indexes of mover and power of each unit."""
        known = self._numbers
        return [known.get(unit) or self.numbers(unit) for unit in units]

    def load_units(self, position: Position, simulator: Simulator | None = None) -> Simulator:
        """Put turn and units into a simulator, all that movement orders are judged by."""
        return self.load_numbers(position.turn, self.all_numbers(position.units), simulator)

    def load_numbers(
        self, turn: Turn, units: list[tuple[int, int]], simulator: Simulator | None = None
    ) -> Simulator:
        """Do the same with units whose numbers are known."""
        state = self._spare if simulator is None else simulator
        state.clear()
        state.set_turn(SEASONS.index(turn.season), turn.year)
        state.place_units(units)
        return state

    def load(self, position: Position, simulator: Simulator | None = None) -> Simulator:
        """Put a position into a simulator, by default one that is reused by the next call."""
        state = self.load_units(position, simulator)
        for dislodged in position.dislodged:
            state.place_dislodged(*self.numbers(dislodged.unit))
            province = self.province_index[dislodged.unit.location.province]
            for place in dislodged.retreats:
                state.allow_retreat(province, self.location_index[place])
        for center, power in position.owners.items():
            state.set_owner(self.province_index[center], self.power_index[power])
        return state

    def standing(self, state: Simulator) -> tuple[Unit, ...]:
        """Return the units on the board of a simulator, by the name of their province."""
        movers, powers, known = state.all_units(), state.all_powers(), self._units
        return tuple(
            [
                known.get((movers[at], powers[at])) or self.unit(movers[at], powers[at])
                for at in self._by_name
                if movers[at] >= 0
            ]
        )

    def position(self, state: Simulator) -> Position:
        """Return the position that a simulator holds."""
        places = range(len(self.provinces)) if state.out_count else ()
        dislodged = [self.dislodged_unit(state, at) for at in places if state.out[at] >= 0]
        owners = {
            province: self.powers[state.owner[index]]
            for index, province in enumerate(self.provinces)
            if state.owner[index] >= 0
        }
        return Position(
            turn=Turn(SEASONS[state.season], state.year),
            units=self.standing(state),
            dislodged=tuple(sorted(dislodged, key=lambda out: by_province(out.unit))),
            owners=owners,
        )

    def dislodged_unit(self, state: Simulator, province: int) -> DislodgedUnit:
        """Return the unit that was dislodged from a province."""
        mover = state.out[province]
        first = self.tables.step_start[mover]
        steps = self.tables.steps[first : self.tables.step_start[mover + 1]]
        retreats = [
            self.locations[place]
            for number, place in enumerate(steps)
            if state.retreat_open[province * state.choice + number]
        ]
        return DislodgedUnit(
            self.unit(mover, state.out_power[province]), tuple(sorted(retreats, key=str))
        )

    # Orders.

    def code(self, order: Order) -> int:
        """Return the code of an order; a path that cannot be has the number NO_PATH."""
        found = self._codes.get(order)
        if found is None:
            if len(self._codes) >= MOST_CODES:
                self._codes.clear()
            found = self._codes[order] = self._encoders[type(order)](order)
        return found

    def _step(self, kind: int, order: Move | Retreat) -> int:
        return pack(kind, self.mover(order.unit), self._target(order.unit, order.destination))

    def _help(self, kind: int, unit: Unit, other: Unit, goal: Province | None = None) -> int:
        target = 0 if goal is None else self.province_index[goal]
        return pack(kind, self.mover(unit), target, self.mover(other))

    def _voyage(self, order: MoveByConvoy) -> int:
        mover, goal = self.mover(order.unit), self.province_index[order.destination]
        return pack(codes.MOVE_BY_CONVOY, mover, goal, self._number(mover, goal, order))

    def _target(self, unit: Unit, place: Location) -> int:
        # A place that is not on the map, such as a missing coast, cannot be reached, and neither
        # can the unit's own place, which has a number.
        nowhere = self.province_index[unit.location.province]
        if unit.kind is UnitKind.ARMY and place.coast:
            return nowhere
        return self.location_index.get(place, nowhere)

    def _number(self, mover: int, goal: int, order: MoveByConvoy) -> int:
        seas = [self.province_index[sea] for sea in order.via]
        number = NO_PATH
        if mover < len(self.provinces):
            number = self._spare.number_of_path(mover, goal, seas)
        if number == codes.PATH_TOO_LONG:
            raise BadInputError(f"a convoy over {len(seas)} seas is too long for this map")
        return number if number >= 0 else NO_PATH

    def order(self, code: int, power: Power, units: dict[Province, Unit] | None = None) -> Order:
        """Return the order of a code.

        `power` is whose order it is; `units` tells whose unit is supported or convoyed, by default
        the same power's.
        """
        kind = kind_of(code)
        if kind == codes.WAIVE:
            return Waive(self.powers[mover_of(code)])
        unit = Unit(power, *self.mover_places[mover_of(code)])
        place = self.locations[target_of(code)]
        if kind in ORDERS:
            return ORDERS[kind](unit)
        if kind == codes.MOVE:
            return Move(unit, place)
        if kind == codes.RETREAT:
            return Retreat(unit, place)
        if kind == codes.MOVE_BY_CONVOY:
            return MoveByConvoy(unit, place.province, self.path(code))
        other = Unit(power, *self.mover_places[other_of(code)])
        if units:
            other = units.get(other.location.province, other)
        if kind == codes.SUPPORT_HOLD:
            return SupportHold(unit, other)
        if kind == codes.SUPPORT_MOVE:
            return SupportMove(unit, other, place.province)
        return Convoy(unit, other, place.province)

    def path(self, code: int) -> tuple[Province, ...]:
        """Return the seas of a move by convoy."""
        seas = self._spare.seas_of_path(mover_of(code), target_of(code), path_of(code))
        return tuple(self.provinces[sea] for sea in seas)


def impossible_unit(unit: Unit) -> str:
    """Say why a unit cannot stand where it is said to."""
    place, kind = unit.location, unit.kind
    if kind is UnitKind.ARMY and place.province.is_sea:
        return f"an army cannot be at sea: {place.province.name!r}"
    if kind is UnitKind.ARMY:
        return f"an army has no coast: {str(place)!r}"
    if place.coast:
        return f"no such coast: {str(place)!r}"
    if place.province.is_coastal:
        return f"a fleet there needs a coast: {place.province.name!r}"
    return f"a fleet cannot be inland: {place.province.name!r}"


@cache
def codec_of(board: Board) -> Codec:
    """Return the board's codec, made once."""
    return Codec(board)
