"""Positions and orders judged, one JSON object a line, as `daide adjudicate` does."""

import json
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, TextIO

from rules.adjudicate import adjudicate
from rules.adjudicate_lines import BulkJudge, result_words, row_order
from rules.board import Board
from rules.errors import BadInputError
from rules.kernel.encode import codec_of
from rules.legality import Judge, Notes
from rules.notation import (
    OrderReader,
    format_order,
    parse_location,
    parse_province,
    parse_unit,
)
from rules.orders import Order, OrderNote, Unit, power_of
from rules.places import Location, Power, Province
from rules.position import DislodgedUnit, Position, by_province
from rules.position_json import centers_to_json, driven_out_to_json, turn_to_json, units_to_json
from rules.resolution import OrderReport, Resolution
from rules.turns import Phase, Season, Turn, turn_of

FIELDS = frozenset(("turn", "phase", "units", "centers", "dislodged", "contested", "orders"))
ALIKE = 0.8


def run(
    board: Board,
    lines: Iterable[str],
    output: TextIO,
    *,
    explain: bool = False,
    notes: Notes = Notes.CASES,
) -> int:
    """Answer every line at once, so that the input may be endless."""
    code = 0
    bulk = BulkJudge(board) if notes is Notes.CASES and not explain else None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        answer: dict[str, Any]
        try:
            data = read_line(line)
            check_fields(data)
            answer = (bulk and bulk.answer(data)) or answer_line(
                board, data, explain=explain, notes=notes
            )
        except BadInputError as error:
            answer = {"error": f"line {number}: {error}"}
            code = 1
        output.write(json.dumps(answer) + "\n")
        output.flush()
    return code


def read_line(line: str) -> dict[str, Any]:
    """Read the JSON object of a line; bytes that were no UTF-8 stand in it as lone surrogates."""
    try:
        if not line.isascii():
            line.encode()
        data = json.loads(line)
    except UnicodeEncodeError as error:
        byte = ord(line[error.start]) & 0xFF
        raise BadInputError(
            f"not UTF-8: byte 0x{byte:02x} at column {error.start + 1}; save the line as UTF-8"
        ) from None
    except RecursionError:
        raise BadInputError("brackets are nested too deeply") from None
    except json.JSONDecodeError as error:
        raise BadInputError(f"not JSON: {error.msg} at column {error.colno}") from None
    except ValueError:
        raise BadInputError("a number has thousands of digits") from None
    if not isinstance(data, dict):
        raise BadInputError("not a JSON object")
    return data


def check_fields(data: Mapping[str, Any]) -> None:
    """Refuse a line that lacks what it needs, or has it under a name that is nearly right.

    Other fields are the user's own, such as the number of a case.
    """
    if wrong := misspelt(frozenset(data)):
        raise BadInputError(f"no such field: {wrong[0]!r} (did you mean {wrong[1]!r}?)")
    turn = data.get("turn")
    if "centers" not in data and isinstance(turn, list) and turn[:1] == [Season.WINTER.value]:
        raise BadInputError("the field 'centers' is missing: who may have how many units?")


@lru_cache(maxsize=256)
def misspelt(names: frozenset[str]) -> tuple[str, str] | None:
    """Return a field that is nearly a missing one, and that one; kept, as lines are alike."""
    strange = names - FIELDS
    for name in sorted(FIELDS - names) if strange else ():
        if alike := get_close_matches(name, sorted(strange), 1, ALIKE):
            return alike[0], name
    return None


def answer_line(
    board: Board, data: Mapping[str, Any], *, explain: bool, notes: Notes = Notes.CASES
) -> dict[str, Any]:
    """Judge one line."""
    position = read_position(board, data)
    submitted = Submission(board, position, data, notes)
    resolution = adjudicate(board, position, submitted.accepted, explain=explain)
    return {
        "orders": submitted.describe(resolution, explain=explain),
        "units": units_to_json(resolution.position.units),
        "dislodged": driven_out_to_json(resolution),
        "contested": [province.name for province in resolution.contested],
        # Where nothing was said of centers, nothing is known of them before they are counted.
        "centers": centers_to_json(resolution.position.owners)
        if "centers" in data or resolution.ownership_updated
        else None,
        "turn": turn_to_json(resolution.position.turn),
    }


# Reading.


def field(data: Mapping[str, Any], name: str, kind: type, default: Any = None) -> Any:  # noqa: ANN401 - of the kind asked for
    """Return a field of the input after a look at its type."""
    value = data.get(name, default)
    if value is None and default is None:
        raise BadInputError(f"the field {name!r} is missing")
    if not isinstance(value, kind):
        wanted = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}[kind]
        raise BadInputError(f"the field {name!r} must be {wanted}, not {value!r}")
    return value


def read_position(board: Board, data: Mapping[str, Any]) -> Position:
    """Read everything but the orders."""
    turn = read_turn(data)
    units = read_units(board, data)
    owners = read_owners(board, data)
    dislodged: tuple[DislodgedUnit, ...] = ()
    if turn.phase is Phase.RETREAT:
        dislodged = read_dislodged(board, data, {unit.location.province for unit in units})
    return Position(turn, units, dislodged, owners)


def read_turn(data: Mapping[str, Any]) -> Turn:
    """Read the turn, and compare it with the phase when that is given."""
    value = field(data, "turn", list)
    turn = turn_of(value)
    if turn is None:
        raise BadInputError(f"the field 'turn' must be like ['SPR', 1901], not {value!r}")
    phase = data.get("phase", turn.phase.value)
    if phase != turn.phase.value:
        raise BadInputError(f"the field 'phase' is {phase!r}, but {turn} is a {turn.phase.value}")
    return turn


def read_units(board: Board, data: Mapping[str, Any]) -> tuple[Unit, ...]:
    """Read the units on the board."""
    units: dict[Province, Unit] = {}
    for name, texts in field(data, "units", dict).items():
        power = board.power(name)
        for text in texts if isinstance(texts, list) else [texts]:
            unit = read_unit(board, power, text)
            province = unit.location.province
            if province in units:
                raise BadInputError(f"two units in a province: {province.name!r} in 'units'")
            units[province] = unit
    return tuple(sorted(units.values(), key=by_province))


def read_unit(board: Board, power: Power, text: object) -> Unit:
    """Read one unit."""
    if not isinstance(text, str):
        raise BadInputError(f"not a unit: {text!r}; write it like 'A MUN' or 'F STP/NCS'")
    return known_unit(board, power, text)


@lru_cache(maxsize=65536)
def known_unit(board: Board, power: Power, text: str) -> Unit:
    """Read a unit that can stand there; always the same value, so that it is found quickly."""
    codec = codec_of(board)
    return codec.unit(*codec.numbers(parse_unit(board, power, text)))


def read_owners(board: Board, data: Mapping[str, Any]) -> dict[Province, Power]:
    """Read who owns which center."""
    owners: dict[Province, Power] = {}
    for name, provinces in field(data, "centers", dict, {}).items():
        power = board.power(name)
        for text in provinces if isinstance(provinces, list) else [provinces]:
            province = known_center(board, str(text))
            if province in owners:
                raise BadInputError(f"two owners of a center: {text!r} in 'centers'")
            owners[province] = power
    return owners


@lru_cache(maxsize=4096)
def known_center(board: Board, text: str) -> Province:
    """Read a center."""
    province = parse_province(board, text)
    if not province.is_center:
        raise BadInputError(f"not a supply center: {text!r} in 'centers'")
    return province


def read_dislodged(
    board: Board, data: Mapping[str, Any], occupied: set[Province]
) -> tuple[DislodgedUnit, ...]:
    """Read the dislodged units, working out where they may go when that is not given."""
    contested = {parse_province(board, str(text)) for text in field(data, "contested", list, [])}
    found: dict[Province, DislodgedUnit] = {}
    for entry in field(data, "dislodged", list, []):
        if not isinstance(entry, dict):
            raise BadInputError(f"the field 'dislodged' must list objects, not {entry!r}")
        power = board.power(field(entry, "power", str))
        unit = read_unit(board, power, field(entry, "unit", str))
        province = unit.location.province
        if province in found:
            raise BadInputError(f"two units in a province: {province.name!r} in 'dislodged'")
        if "retreats" in entry:
            places = [parse_location(board, str(text)) for text in field(entry, "retreats", list)]
        else:
            places = free_places(board, unit, entry, occupied | contested)
        found[province] = DislodgedUnit(unit, tuple(sorted(places, key=str)))
    return tuple(found[province] for province in sorted(found, key=str))


def free_places(
    board: Board, unit: Unit, entry: Mapping[str, Any], closed: set[Province]
) -> list[Location]:
    """Return where a unit may retreat, given where its attacker came from."""
    origin = parse_province(board, field(entry, "attacker_from", str))
    if not field(entry, "attacker_convoyed", bool, default=False):
        closed = closed | {origin}
    return [place for place in board.destinations(unit) if place.province not in closed]


# Orders and what came of them.


class Submission:
    """The orders of one line, as a server without AOA takes them."""

    def __init__(
        self, board: Board, position: Position, data: Mapping[str, Any], notes: Notes
    ) -> None:
        reader, judge = OrderReader(board, position), Judge(board, position, notes=notes)
        self.entries: list[tuple[Power, Order, OrderNote]] = []
        accepted: dict[Power, list[Order]] = {}
        for entry in field(data, "orders", list, []):
            if not isinstance(entry, dict):
                raise BadInputError(f"the field 'orders' must list objects, not {entry!r}")
            power = board.power(field(entry, "power", str))
            order = reader.read(power, field(entry, "order", str))
            earlier = accepted.setdefault(power, [])
            note = judge.judge(order, power, earlier)
            if note is OrderNote.MIGHT_BE_VALID:
                earlier.append(order)
            self.entries.append((power, order, note))

    @property
    def accepted(self) -> list[Order]:
        """The orders that count."""
        return [order for _, order, note in self.entries if note is OrderNote.MIGHT_BE_VALID]

    def describe(self, resolution: Resolution, *, explain: bool) -> list[dict[str, Any]]:
        """Return every order with note and result, those that the rules gave among them."""
        given = {id(report.order): report for report in resolution.reports if not report.automatic}
        rows = [
            row(power, order, note, given.get(id(order)), explain=explain)
            for power, order, note in self.entries
        ]
        for report in resolution.reports:
            if report.automatic:
                order = report.order
                note = OrderNote.MIGHT_BE_VALID
                rows.append(row(power_of(order), order, note, report, explain=explain))
        return sorted(rows, key=row_order)


def row(
    power: Power,
    order: Order,
    note: OrderNote,
    report: OrderReport | None,
    *,
    explain: bool,
) -> dict[str, Any]:
    """Return one order as it is printed; without a report it was rejected or replaced."""
    found: dict[str, Any] = {
        "power": power.name,
        "order": format_order(order),
        "note": note.value,
        "result": result_words(report.result, report.dislodged) if report else None,
    }
    if report and report.automatic:
        found["automatic"] = True
    if report and explain:
        found["explanation"] = report.explanation
    return found
