"""A record as a saved game of the package `diplomacy`.

What that format has no place for stands under the key `daide` of the game and of each phase: the
package passes over it, and `from_diplomacy` makes the same record of it again. Raises BadInputError
for another map than the standard one.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from exchange.diplomacy_names import their_order, their_place, their_power, their_unit
from exchange.endings import LAST_PHASE, is_cut_short, note_of, victors_of
from exchange.messages import Messenger
from exchange.position_hash import position_hash
from exchange.their_results import JudgedOrder, their_results
from rules.board import Board
from rules.errors import BadInputError
from rules.notation import OrderReader
from rules.orders import (
    Convoy,
    Move,
    MoveByConvoy,
    Order,
    Remove,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
)
from rules.places import Location, Power
from rules.position import Position
from rules.position_json import position_from_json, turn_from_json
from rules.turns import Phase, Turn
from rules.variants import load_board

Json = dict[str, Any]


def saved_game(record: Mapping[str, Any]) -> Json:
    """Return the saved game of a record."""
    variant = record["setup"]["variant"]
    if variant != "standard":
        raise BadInputError(f"diplomacy-json knows the standard map only, this is {variant!r}")
    board = load_board(variant)
    return {
        "id": record["setup"]["name"],
        "map": "standard",
        "rules": _rules(record),
        "phases": _Phases(board, record).all(),
        "daide": {key: value for key, value in record.items() if key not in ("turns", "press")},
    }


def _rules(record: Mapping[str, Any]) -> list[str]:
    rules = ["POWER_CHOICE"] if record["press"] else ["POWER_CHOICE", "NO_PRESS"]
    # The package's check plays every phase again, and it knows no end but a solo.
    is_cut_off = record["stage"] == "ended" and not record.get("winner")
    return [*rules, "DIFFERENT_ADJUDICATION"] if is_cut_off else rules


class _Phases:
    """Writes the turns of a game, those that the package plays; it skips what is not a choice."""

    def __init__(self, board: Board, record: Mapping[str, Any]) -> None:
        self._board = board
        self._record = record
        self._influence: dict[Power, list[str]] = {power: [] for power in board.powers}
        self._press = _press_by_turn(record["press"])
        self._messenger = Messenger(board)
        self._is_over = record["stage"] == "ended"

    def all(self) -> list[Json]:
        position = position_from_json(self._board, self._record["start"])
        phases: list[Json] = []
        skipped: list[Json] = []
        for played in self._record["turns"]:
            following = position_from_json(self._board, played["position"])
            if _is_a_choice(self._board, position):
                phases.append(self._phase(position, played, skipped))
                skipped = []
            else:
                skipped.append(played)
            position = following
        if is_cut_short(self._record) and _is_a_choice(self._board, position):
            # The package keeps the phase that nobody judged; what it says is told once.
            phases.append(self._phase(position, None, skipped, name=position.turn.code))
            self._press.pop(position.turn, None)
            skipped = []
        phases.append(self._phase(position, None, skipped))
        return phases

    def _phase(
        self,
        position: Position,
        played: Json | None,
        skipped: Sequence[Json],
        *,
        name: str | None = None,
    ) -> Json:
        self._note_influence(position)
        told = played["orders"] if played else []
        orders = self._orders(position, told)
        is_over = played is None and self._is_over
        name = name or (LAST_PHASE if is_over else position.turn.code)
        press = self._press.get(position.turn, [])
        return {
            "name": name,
            "state": self._state(position, name),
            "orders": {
                their_power(power): [
                    each.text for who, each in orders if who == power and _was_given(each)
                ]
                for power in self._board.powers
            }
            if played or self._is_over
            else {their_power(power): None for power in self._board.powers},
            "results": their_results([each for _, each in orders], position.turn.phase),
            "messages": self._messenger.messages(press, position.turn.code),
            "daide": {
                "skipped": list(skipped),
                "played": played,
                "press": press,
            },
        }

    def _orders(
        self, position: Position, told: Sequence[Mapping[str, Any]]
    ) -> list[tuple[Power, JudgedOrder]]:
        reader = OrderReader(self._board, position)
        # The package takes a unit without a retreat off the board at once, so it has no order.
        lost = {out.unit for out in position.dislodged if not out.retreats}
        read: list[tuple[Power, Order, Mapping[str, Any]]] = [
            (power, order, each)
            for each in told
            for power in (self._board.power(each["power"]),)
            for order in (reader.read(power, each["order"]),)
            if getattr(order, "unit", None) not in lost
        ]
        walks = {order.unit: order.destination for _, order, _ in read if isinstance(order, Move)}
        goals = dict(walks)
        for unit in position.units:
            goals.setdefault(unit, unit.location)
        return [
            (power, JudgedOrder(order, self._theirs(order, goals, walks, each), each))
            for power, order, each in read
        ]

    def _theirs(
        self,
        order: Order,
        goals: dict[Unit, Location],
        walks: Mapping[Unit, Location],
        told: Mapping[str, Any],
    ) -> str:
        """Write an order; where the package would do something else with it, as a hold.

        By its rules an army goes by land when no fleet carries it, and by sea when one would,
        whatever was ordered; what that was stands under `daide`.
        """
        match order:
            case MoveByConvoy(unit=unit) if told.get("result") == "NSO" and self._is_near(order):
                return f"{their_unit(unit)} H"
            case Convoy(unit=unit, convoyed=army, destination=goal) if (
                army in walks and walks[army].province == goal
            ):
                return f"{their_unit(unit)} H"
        return their_order(order, self._only_coasts(order, goals))

    def _is_near(self, order: MoveByConvoy) -> bool:
        near = self._board.army_borders.get(order.unit.location.province, ())
        return order.destination in near

    def _only_coasts(self, order: Order, goals: dict[Unit, Location]) -> dict[Unit, Location]:
        """Name coasts in supports as the package does.

        Also where the supported fleet does something else and has no choice, and not where a fleet
        supports one that has a choice.
        """
        if not isinstance(order, SupportMove) or order.supported.kind is not UnitKind.FLEET:
            return goals
        other, goal = order.supported, order.destination
        open_to = [
            place
            for place in self._board.fleet_borders.get(other.location, ())
            if place.province == goal
        ]
        if len(open_to) > 1 and order.unit.kind is UnitKind.FLEET:
            return {**goals, other: Location(goal)}
        if goals.get(other) is not None and goals[other].province == goal:
            return goals
        return {**goals, other: open_to[0]} if open_to else goals

    def _state(self, position: Position, name: str) -> Json:
        board, powers = self._board, self._board.powers
        units: dict[Power, list[str]] = {power: [] for power in powers}
        retreats: dict[Power, dict[str, list[str]]] = {power: {} for power in powers}
        for unit in position.units:
            units[unit.power].append(their_unit(unit))
        for out in position.dislodged:
            if not out.retreats:
                continue  # the package takes it off the board at once
            units[out.unit.power].append(f"*{their_unit(out.unit)}")
            places = [their_place(place) for place in out.retreats]
            retreats[out.unit.power][their_unit(out.unit)] = places
        centers = {
            power: sorted(their_place(c) for c, owner in position.owners.items() if owner == power)
            for power in powers
        }
        homes = {
            power: sorted(their_place(home) for home in board.homes[power]) for power in powers
        }
        rows: Json = {
            "units": units,
            "retreats": retreats,
            "centers": centers,
            "homes": homes,
            "influence": {power: list(self._influence[power]) for power in powers},
            "civil_disorder": dict.fromkeys(powers, 0),
            "builds": {power: _builds(board, position, power) for power in powers},
        }
        theirs: Json = {
            key: {their_power(power): value for power, value in by_power.items()}
            for key, by_power in rows.items()
        }
        number = position_hash(board, theirs["units"], theirs["centers"], theirs["homes"])
        return {
            "timestamp": 0,
            "zobrist_hash": number,
            "note": note_of(victors_of(self._record)) if name == LAST_PHASE else "",
            "name": name,
            **theirs,
            "game_id": self._record["setup"]["name"],
            "map": "standard",
            "rules": ["POWER_CHOICE"],
        }

    def _note_influence(self, position: Position) -> None:
        """Remember who was in each land province last, as the package's pictures want it."""
        held = {home: power for power in self._board.powers for home in self._board.homes[power]}
        if not any(self._influence.values()):
            for home, power in held.items():
                self._influence[power].append(their_place(home))
        for unit in position.units:
            place = their_place(unit.location.province)
            for power, places in self._influence.items():
                if place in places and power != unit.power:
                    places.remove(place)
            if place not in self._influence[unit.power]:
                self._influence[unit.power].append(place)


def _was_given(each: JudgedOrder) -> bool:
    """Whether a power gave that order: without one the package does the same as our rules.

    But for removals, which it chooses by another rule. What is not built is waived there without a
    word.
    """
    if isinstance(each.order, Waive):
        return False
    return not each.told.get("automatic") or isinstance(each.order, Remove)


def _press_by_turn(press: Sequence[Mapping[str, Any]]) -> dict[Turn, list[Mapping[str, Any]]]:
    found: dict[Turn, list[Mapping[str, Any]]] = {}
    for each in press:
        found.setdefault(turn_from_json(each["turn"]), []).append(each)
    return found


def _is_a_choice(board: Board, position: Position) -> bool:
    """Whether the package would stop here for orders."""
    match position.turn.phase:
        case Phase.MOVEMENT:
            return True
        case Phase.RETREAT:
            return any(out.retreats for out in position.dislodged)
        case Phase.ADJUSTMENT:
            return any(_builds(board, position, power)["count"] for power in board.powers)


def _builds(board: Board, position: Position, power: Power) -> Json:
    if position.turn.phase is not Phase.ADJUSTMENT:
        return {"count": 0, "homes": []}
    centers = sum(owner == power for owner in position.owners.values())
    units = sum(unit.power == power for unit in position.units)
    occupied = {unit.location.province for unit in position.units}
    homes = [
        their_place(home)
        for home in board.homes[power]
        if position.owners.get(home) == power and home not in occupied
    ]
    due = centers - units
    if due < 0:
        return {"count": due, "homes": []}
    return {"count": min(due, len(homes)), "homes": homes if due else []}
