"""A saved game of the package `diplomacy` as a record, judged once more on the way.

Every turn is adjudicated again from its own position and orders; where that leads elsewhere than
the saved game went, the difference is listed with a reason and the saved game is believed. A saved
game that was made of a record gives back that record.

Raises BadInputError that names the phase.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from attrs import Factory, define, frozen

from exchange.differences import Difference, Played, difference_of, distance
from exchange.diplomacy_names import (
    WAIVE,
    our_place,
    our_power,
    our_unit,
    their_unit,
)
from exchange.endings import LAST_PHASE, ending_of, is_unplayed
from exchange.messages import is_of_players, our_press
from exchange.their_results import JudgedOrder, their_results
from exchange.their_shape import check_phase, name_of
from rules.adjudicate import adjudicate
from rules.board import Board
from rules.errors import BadInputError
from rules.notation import format_order
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
    power_of,
)
from rules.outcome import Ending
from rules.places import Location, Power, Province
from rules.position import DislodgedUnit, Position, by_province
from rules.position_json import position_to_json, turn_from_json, turn_to_json
from rules.resolution import OrderReport, Resolution
from rules.turns import Phase, Season, Turn, turn_from_code
from rules.variants import load_board
from server.record import GameSetup, declared, public_setup
from server.record_file import RECORD_FORMAT
from server.settings import GameSettings

Json = dict[str, Any]
MISSHAPEN = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What comes of values that are not what a saved game has in their place."""
MOST_TRIALS = 64
"""How many choices of convoy routes are tried for one turn."""
SHORTEST = 3
"""So many words has the shortest order of a unit, `A PAR H`."""
_RESULTS = {
    "bounce": "BNC",
    "cut": "CUT",
    "disrupted": "DSR",
    "void": "NSO",
    "no convoy": "NSO",
}


@frozen
class Imported:
    """A record, and what was different on the way to it."""

    record: Json
    differences: tuple[Difference, ...]
    unheard: int = 0
    """Messages of nobody at the table, such as SYSTEM, which are left out."""


def imported(saved: Mapping[str, Any]) -> Imported:
    """Return the record of a saved game."""
    if saved.get("map", "standard") != "standard":
        raise BadInputError(f"map: only standard can be imported, not {saved['map']!r}")
    phases = saved.get("phases")
    if phases is None and "turns" in saved:
        raise BadInputError("this is a record of ours already; it needs no import")
    if not isinstance(phases, list) or not phases:
        raise BadInputError("phases: there are none; is it a saved game of the package diplomacy?")
    reader = _Reader(load_board("standard"))
    for number, phase in enumerate(phases):
        _of_phase(phase, number, check_phase, phase)
    for number, phase in enumerate(phases):
        following = phases[number + 1] if number + 1 < len(phases) else None
        _of_phase(phase, number, reader.read, phase, following)
    if isinstance(saved.get("daide"), dict):
        try:
            own = _own_record(saved)
        except MISSHAPEN:
            raise BadInputError(
                "daide: parts of it are missing or wrong; take the key out"
            ) from None
        return Imported(own, tuple(reader.differences))
    record = reader.record(str(saved.get("id") or "imported"))
    return Imported(record, tuple(reader.differences), reader.unheard)


def _of_phase(phase: object, number: int, do: Callable[..., None], *arguments: object) -> None:
    """Do something with a phase; what is wrong with it is told with its name."""
    try:
        do(*arguments)
    except BadInputError as error:
        raise BadInputError(f"phases: {name_of(phase, number)}: {error}") from None
    except MISSHAPEN as error:
        told = f"phases: {name_of(phase, number)}: a value does not fit: {error}"
        raise BadInputError(told) from None


def _own_record(saved: Mapping[str, Any]) -> Json:
    """Put the record together again that the saved game was made of."""
    extras = [phase["daide"] for phase in saved["phases"]]
    turns = [
        played
        for extra in extras
        for played in (*extra["skipped"], extra["played"])
        if played is not None
    ]
    press = [each for extra in extras for each in extra["press"]]
    return {**saved["daide"], "turns": turns, "press": press}


@define
class _Reader:
    """Reads phase by phase."""

    board: Board
    turns: list[Json] = Factory(list)
    press: list[Json] = Factory(list)
    unheard: int = 0
    differences: list[Difference] = Factory(list)
    start: Position | None = None
    last: Position | None = None
    is_over: bool = False
    ending: Ending | None = None
    _is_cut_short: bool = False
    """Whether the game ended before the orders of the last turn were judged."""

    def read(self, phase: Mapping[str, Any], following: Mapping[str, Any] | None) -> None:
        position = self._standing(phase)
        self.start = self.start or position
        messages = phase.get("messages") or ()
        self.press += our_press(self.board, messages, position.turn)
        self.unheard += sum(not is_of_players(each) for each in messages)
        self.is_over = phase["name"] == LAST_PHASE
        if following is None:
            self.last = position
            played = turn_from_json(self.turns[-1]["turn"]) if self.turns else None
            self.ending = ending_of(self.board, position, phase, played)
            return
        if is_unplayed(phase, following):
            self.last, self._is_cut_short = position, True
            return
        goal = _position(self.board, following, position)
        if not goal.turn.is_after(position.turn) or goal.turn.year > position.turn.year + 1:
            raise BadInputError(f"{following['name']} cannot be the next phase")
        self._play(phase, position, goal)
        self.last = goal

    def _standing(self, phase: Mapping[str, Any]) -> Position:
        if self._is_cut_short:
            assert self.last is not None
            return self.last
        return _position(self.board, phase, self.last)

    def _play(self, phase: Mapping[str, Any], position: Position, goal: Position) -> None:
        orders = _Orders(self.board, position, phase)
        results = phase.get("results") or {}
        best: tuple[tuple[int, int], Played] | None = None
        for given in orders.readings():
            resolution = adjudicate(self.board, position, given)
            reached = self._skipped(resolution.position, goal)[-1]
            played = Played(phase["name"], position, given, resolution, reached, results)
            words = _other_words(position.turn.phase, resolution, results)
            off = distance(reached, goal), len(words)
            if best is None or off < best[0]:
                best = off, played
            if off == (0, 0):
                break
        assert best is not None
        (off_by, _), played = best
        turns = self._turns(played, goal, results)
        if off_by:
            self.differences.append(difference_of(played, goal))
            turns[-1]["position"] = position_to_json(goal)
        self.turns += turns

    def _skipped(self, position: Position, goal: Position) -> list[Position]:
        """Play the turns that the package leaves out because there is nothing to choose."""
        found = [position]
        while goal.turn.is_after(found[-1].turn):
            found.append(adjudicate(self.board, found[-1], ()).position)
        return found

    def _turns(
        self, played: Played, goal: Position, results: Mapping[str, Sequence[Any]]
    ) -> list[Json]:
        """Write a phase, and those that the package leaves out."""
        turns = [_written(played.position.turn, played.resolution, results)]
        for position in self._skipped(played.resolution.position, goal)[:-1]:
            resolution = adjudicate(self.board, position, ())
            turns.append(_written(position.turn, resolution, {}))
        return turns

    def record(self, name: str) -> Json:
        """Return the record of everything read."""
        assert self.start is not None
        assert self.last is not None
        level = 8000 if self.press else 0
        setup = GameSetup(name, "standard", GameSettings(level=level), seed=0)
        return {
            "format": RECORD_FORMAT,
            "setup": public_setup(setup),
            "stage": "ended" if self.is_over or self.ending else "playing",
            **declared(self.ending),
            "players": {
                power.name: {"name": power.title, "version": ""} for power in self.board.powers
            },
            "eliminated": {},
            "messages": [],
            "press": self.press,
            "start": position_to_json(self.start),
            "turns": self.turns,
            "promises": [],
            "offers": [],
            "stabs": [],
        }


# --- positions ------------------------------------------------------------------------------------


def _position(board: Board, phase: Mapping[str, Any], before: Position | None = None) -> Position:
    name, state = phase["name"], phase["state"]
    turn = _turn_after(before, state) if name == LAST_PHASE else turn_from_code(name)
    units, dislodged = [], []
    for theirs, texts in state["units"].items():
        power = our_power(board, theirs)
        for text in texts:
            unit = our_unit(board, power, text)
            if not text.startswith("*"):
                units.append(unit)
                continue
            places = state["retreats"][theirs].get(text[1:], [])
            retreats = sorted((our_place(board, place) for place in places), key=str)
            dislodged.append(DislodgedUnit(unit, tuple(retreats)))
    for (place, is_out), count in Counter(
        (unit.location.province.name, is_out)
        for is_out, those in ((False, units), (True, [out.unit for out in dislodged]))
        for unit in those
    ).items():
        if count > 1:
            raise BadInputError(f"state.units: {count} {'dislodged ' * is_out}units in {place}")
    return Position(
        turn,
        tuple(sorted(units, key=by_province)),
        tuple(sorted(dislodged, key=lambda out: by_province(out.unit))),
        _owners(board, state["centers"]),
    )


def _owners(board: Board, centers: Mapping[str, Sequence[str]]) -> dict[Province, Power]:
    owners: dict[Province, Power] = {}
    for theirs, names in centers.items():
        for name in names:
            center = our_place(board, name).province
            if not center.is_center:
                raise BadInputError(f"state.centers.{theirs}: {name} is no center")
            if center in owners:
                raise BadInputError(f"state.centers.{theirs}: {name} has two owners")
            owners[center] = our_power(board, theirs)
    return owners


_WITHOUT_RETREATS = {
    Season.SPRING: Season.FALL,
    Season.SUMMER: Season.FALL,
    Season.FALL: Season.WINTER,
    Season.AUTUMN: Season.WINTER,
    Season.WINTER: Season.SPRING,
}


def _turn_after(before: Position | None, state: Mapping[str, Any]) -> Turn:
    """Return the turn in which a finished game stands: its state no longer says so."""
    if before is None:
        raise BadInputError(f"the game is {state.get('name')} before its first turn")
    season, year = before.turn.season, before.turn.year
    return Turn(_WITHOUT_RETREATS[season], year + (season is Season.WINTER))


# --- orders ---------------------------------------------------------------------------------------


class _Orders:
    """The orders of one phase, in every way in which its convoys may be meant."""

    def __init__(self, board: Board, position: Position, phase: Mapping[str, Any]) -> None:
        self._board = board
        self._position = position
        standing = [*position.units, *(out.unit for out in position.dislodged)]
        self._units = {their_unit(unit): unit for unit in standing}
        self._out = {their_unit(out.unit): out.unit for out in position.dislodged}
        self._given: list[Order] = []
        self._voyages: list[tuple[Unit, Province]] = []
        self._walks: list[tuple[Unit, Province]] = []
        """Armies that go to a neighbour, by land unless fleets carry them."""
        results = phase.get("results") or {}
        for theirs, texts in (phase.get("orders") or {}).items():
            power = our_power(board, theirs)
            for text in texts or ():
                if position.turn.phase is not Phase.ADJUSTMENT or not _is_void(text, results):
                    self._read(power, text)

    def readings(self) -> Iterator[list[Order]]:
        """Yield the orders with each choice of routes."""
        ways = [
            *((army, goal, self._routes(army, goal)) for army, goal in self._voyages),
            *((army, goal, [(), *self._carried(army, goal)]) for army, goal in self._walks),
        ]
        for chosen in islice(product(*(routes for *_, routes in ways)), MOST_TRIALS):
            moves = [
                self._voyage(army, goal, route)
                for (army, goal, _), route in zip(ways, chosen, strict=True)
            ]
            yield [*self._given, *moves]

    def _voyage(self, army: Unit, goal: Province, route: tuple[Province, ...]) -> Order:
        if route:
            return MoveByConvoy(army, goal, route)
        # Without a fleet the package goes by land where it can, whatever VIA says.
        return Move(army, Location(goal)) if self._is_near(army, goal) else Hold(army)

    def _read(self, power: Power, text: str) -> None:
        words = text.split()
        if words == [WAIVE]:
            self._given.append(Waive(power))
            return
        if len(words) < SHORTEST:
            raise BadInputError(f"not an order: {text!r}")
        unit = self._unit(power, f"{words[0]} {words[1]}")
        match words[2:]:
            case ["H"]:
                self._given.append(Hold(unit))
            case ["-", goal, *via]:
                self._move(unit, our_place(self._board, goal), by_sea=bool(via))
            case ["S", kind, place]:
                self._given.append(SupportHold(unit, self._unit(power, f"{kind} {place}")))
            case ["S", kind, place, "-", goal, *_]:
                helped = self._unit(power, f"{kind} {place}")
                where = our_place(self._board, goal).province
                self._given.append(SupportMove(unit, helped, where))
            case ["C", kind, place, "-", goal, *_]:
                army = self._unit(power, f"{kind} {place}")
                self._given.append(Convoy(unit, army, our_place(self._board, goal).province))
            case ["R", goal]:
                out = self._out.get(their_unit(unit), unit)
                self._given.append(Retreat(out, our_place(self._board, goal)))
            case ["B"]:
                made = our_unit(self._board, power, f"{words[0]} {words[1]}")
                self._given.append(Build(made))
            case ["D"]:
                is_retreat = self._position.turn.phase is Phase.RETREAT
                out = self._out.get(their_unit(unit), unit)
                self._given.append(Disband(out) if is_retreat else Remove(unit))
            case _:
                raise BadInputError(f"not an order: {text!r}")

    def _unit(self, power: Power, text: str) -> Unit:
        return self._units.get(text) or our_unit(self._board, power, text)

    def _move(self, unit: Unit, place: Location, *, by_sea: bool) -> None:
        if unit.kind is UnitKind.ARMY:
            place = Location(place.province)
            if by_sea or not self._is_near(unit, place.province):
                self._voyages.append((unit, place.province))
            else:
                self._walks.append((unit, place.province))
            return
        if place not in self._board.fleet_borders.get(unit.location, ()):
            # A coast that is not said is the only one there is.
            borders = self._board.fleet_borders.get(unit.location, ())
            open_to = [each for each in borders if each.province == place.province]
            place = open_to[0] if len(open_to) == 1 else place
        self._given.append(Move(unit, place))

    def _routes(self, army: Unit, goal: Province) -> list[tuple[Province, ...]]:
        """Return the ways over the fleets that carry this army, else over any; shortest first."""
        fleets = {
            unit.location.province
            for unit in self._position.units
            if unit.kind is UnitKind.FLEET and unit.location.province.is_sea
        }
        found = self._carried(army, goal) or self._paths(army, goal, fleets)[:1]
        return [*found, ()] if self._is_near(army, goal) else found or [()]

    def _carried(self, army: Unit, goal: Province) -> list[tuple[Province, ...]]:
        """Return the ways over the fleets that carry this army, shortest first."""
        carriers = {
            order.unit.location.province
            for order in self._given
            if isinstance(order, Convoy) and order.convoyed == army and order.destination == goal
        }
        return self._paths(army, goal, carriers) if carriers else []

    def _is_near(self, army: Unit, goal: Province) -> bool:
        return goal in self._board.army_borders.get(army.location.province, ())

    def _paths(self, army: Unit, goal: Province, seas: set[Province]) -> list[tuple[Province, ...]]:
        found: list[tuple[Province, ...]] = []
        queue: list[tuple[Province, ...]] = [
            (sea,) for sea in sorted(seas, key=str) if self._touches(army.location.province, sea)
        ]
        while queue and len(found) < MOST_TRIALS:
            path = queue.pop(0)
            if self._touches(goal, path[-1]):
                found.append(path)
            queue += [
                (*path, sea)
                for sea in sorted(seas - set(path), key=str)
                if self._touches(sea, path[-1])
            ]
        return found

    def _touches(self, here: Province, sea: Province) -> bool:
        return any(
            each.province == here for each in self._board.fleet_borders.get(Location(sea), ())
        )


def _is_void(text: str, results: Mapping[str, Sequence[Any]]) -> bool:
    """Whether the package passed over an adjustment, because there were too many."""
    unit = " ".join(text.split()[:2])
    return any(str(each) == "void" for each in results.get(unit, ()))


def _words(phase: Phase, resolution: Resolution) -> dict[str, list[str]]:
    """Return what the package would say of our results."""
    judged = [JudgedOrder(report.order, "", _told(report, {})) for report in resolution.reports]
    return their_results(judged, phase)


def _other_words(
    phase: Phase, resolution: Resolution, results: Mapping[str, Sequence[Any]]
) -> dict[str, Sequence[Any]]:
    """Return the results that the saved game tells otherwise."""
    ours = _words(phase, resolution)
    return {
        unit: told
        for unit, told in results.items()
        if sorted(ours.get(unit, ())) != sorted(str(each) for each in told if str(each))
    }


def _written(turn: Turn, resolution: Resolution, results: Mapping[str, Sequence[Any]]) -> Json:
    other = _other_words(turn.phase, resolution, results)
    return {
        "turn": turn_to_json(turn),
        "orders": [_told(report, other) for report in resolution.reports],
        "position": position_to_json(resolution.position),
    }


def _told(report: OrderReport, results: Mapping[str, Sequence[Any]]) -> Json:
    """Write an order with the result of the saved game, or ours where that has none."""
    order = report.order
    theirs = None if isinstance(order, Waive) else results.get(their_unit(order.unit))
    result, dislodged = report.result, report.dislodged
    row: Json = {"power": power_of(order).name, "order": format_order(order)}
    if isinstance(result, OrderNote):
        row["note"] = result.value
    elif theirs is not None and isinstance(order, Move | MoveByConvoy | SupportHold | SupportMove):
        words = [str(each) for each in theirs]
        dislodged = "dislodged" in words
        row["result"] = next((_RESULTS[word] for word in words if word in _RESULTS), "SUC")
        if dislodged and row["result"] == "SUC":
            row["result"] = None
    else:
        row["result"] = result.value if result else None
    row["dislodged"] = dislodged
    return {**row, "automatic": True} if report.automatic else row
