"""Judge ordinary lines of `daide adjudicate` straight on the kernel.

Recorded games come by the ten thousand, and nearly all of their lines hold nothing but movement
orders, or builds and removals that are due. Those need no Unit and no Order: texts map to numbers
and back. For anything else, such as what is wrong with a path or a field, `answer` returns None,
and the caller takes the long way, which gives the same answer for these lines too.
"""

from collections.abc import Mapping
from functools import cache
from operator import itemgetter
from typing import Any

from rules.board import Board
from rules.kernel.codes import (
    FINE,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    WAIVE,
    WINTER,
    kind_of,
    mover_of,
)
from rules.kernel.encode import NOTES, RESULTS, SEASONS, codec_of
from rules.notation import OrderReader, format_order, format_unit
from rules.orders import OrderNote, OrderResult, Unit
from rules.position import Position
from rules.turns import Phase, is_year

MOST_TEXTS = 100_000
row_order = itemgetter("power", "order")
"""Sort key for the orders that are printed."""
SEASON_NAMES = tuple(season.value for season in SEASONS)
ORDINARY_SEASONS = {
    season.value: number
    for number, season in enumerate(SEASONS)
    if season.phase is not Phase.RETREAT
}
WAIVED = "WVE"
DISLODGED = 8
DONE = OrderResult.SUCCEEDED.value
NOT_THERE = OrderNote.NO_SUCH_UNIT.value
NOT_NOW = OrderNote.NOT_THIS_SEASON.value
NOT_YOURS = OrderNote.NOT_YOUR_UNIT.value


@cache
def result_words(result: OrderResult | OrderNote | None, dislodged: bool) -> str:  # noqa: FBT001 - a cache key
    """Return the result as in an ORD message."""
    words = [result.value] if result else []
    return " ".join([*words, "RET"] if dislodged else words)


WORDS = {
    outcome: result_words(RESULTS[outcome % DISLODGED], outcome >= DISLODGED)
    for outcome in range(2 * DISLODGED)
    if outcome % DISLODGED < len(RESULTS)
}


class BulkJudge:
    """Answers lines for one board."""

    def __init__(self, board: Board) -> None:
        self._codec = codec_of(board)
        self._state = self._codec.new_simulator()
        self._reader = OrderReader(board, Position(board.start.turn, (), (), {}))
        self._anybody = board.powers[0]
        self._powers = {power.name: index for index, power in enumerate(board.powers)}
        self._power_names = [power.name for power in board.powers]
        self._names = [province.name for province in board.provinces]
        self._centers = {
            name: index
            for index, name in enumerate(self._names)
            if board.provinces[index].is_center
        }
        self._texts = {
            mover: format_unit(Unit(self._anybody, kind, place))
            for (kind, place), mover in self._codec.movers.items()
        }
        self._movers = {text: mover for mover, text in self._texts.items()}
        self._codes: dict[str, tuple[int, str]] = {}

    def answer(self, data: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what is printed for a line, or None if it is not an ordinary one."""
        try:
            name, year = data["turn"]
            if not is_year(year):
                return None
            season = ORDINARY_SEASONS[name]
            phase = SEASONS[season].phase.value
            self._state.clear()
            self._state.set_turn(season, year)
            if data.get("phase", phase) != phase:
                return None
            units = self._place_units(data["units"])
            entries = data.get("orders", [])
            if units is None or not self._place_owners(data.get("centers", {})):
                return None
            if type(entries) is not list:
                return None
            judge = self._adjust if season == WINTER else self._judge
            rows = judge(units, entries)
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            return None  # the long way says what is wrong with it
        if rows is None:
            return None
        has_centers = "centers" in data
        if season == WINTER:
            return self._describe_position(rows, [], [], has_centers=has_centers)
        return self._describe(rows, has_centers=has_centers)

    def _place_units(self, by_power: Mapping[str, list[str]]) -> dict[int, str] | None:
        """Put the units on the board and return whose they are."""
        units: dict[int, str] = {}
        provinces = set()
        province_of = self._codec.tables.mover_province
        for name, texts in by_power.items():
            power = self._powers[name]
            if type(texts) is not list:
                return None
            for text in texts:
                mover = self._movers[text]
                self._state.place_unit(mover, power)
                units[mover] = name
                provinces.add(province_of[mover])
        is_crowded = len(provinces) < sum(map(len, by_power.values()))
        return None if is_crowded else units

    def _place_owners(self, by_power: Mapping[str, list[str]]) -> bool:
        """Give the centers to their owners and say whether each has only one."""
        owned = set()
        for name, texts in by_power.items():
            power = self._powers[name]
            if type(texts) is not list:
                return False
            for text in texts:
                self._state.set_owner(self._centers[text], power)
                owned.add(text)
        return len(owned) == sum(map(len, by_power.values()))

    def _judge(
        self, units: Mapping[int, str], entries: list[Mapping[str, str]]
    ) -> list[dict[str, Any]] | None:
        """Adjudicate, and return the rows for the orders."""
        given: dict[int, tuple[int, dict[str, Any]]] = {}  # by mover: the order that counts
        rows: list[dict[str, Any]] = []
        for entry in entries:
            code, text = self._read(entry["order"])
            power = entry["power"]
            mover = mover_of(code)
            row: dict[str, Any] = {"power": power, "order": text, "note": "MBV", "result": None}
            rows.append(row)
            if power not in self._powers:
                return None
            if kind_of(code) > MOVE_BY_CONVOY:
                row["note"] = NOT_NOW
            elif units.get(mover) == power:
                note = self._state.note_for(code)
                if note == FINE:
                    given[mover] = code, row
                elif kind_of(code) == MOVE_BY_CONVOY:
                    return None  # what is wrong with its path has no number
                else:
                    row["note"] = NOTES[note].value
            else:
                row["note"] = NOT_YOURS if mover in units else NOT_THERE
        for mover, power in units.items():
            if mover not in given:
                text = f"{self._texts[mover]} H"
                row = {"power": power, "order": text, "note": "MBV", "automatic": True}
                given[mover] = mover << MOVER_SHIFT, row
                rows.append(row)
        outcomes = self._state.judge_all([code for code, _ in given.values()])
        for (_, row), outcome in zip(given.values(), outcomes, strict=True):
            row["result"] = WORDS[outcome]
        return sorted(rows, key=row_order)

    def _adjust(
        self, units: Mapping[int, str], entries: list[Mapping[str, str]]
    ) -> list[dict[str, Any]] | None:
        """Build and remove what is ordered and what is owed, and return the rows for the orders."""
        state = self._state
        state.start_phase()
        rows: list[dict[str, Any]] = []
        for entry in entries:
            code, text = self._read(entry["order"])
            name = entry["power"]
            power = self._powers[name]
            if text == WAIVED:
                code = power << MOVER_SHIFT | WAIVE
            due = state.budget[power]
            state.give_any(code)
            if state.budget[power] == due:
                return None  # it is not allowed, or not that power's
            rows.append({"power": name, "order": text, "note": "MBV", "result": DONE})
        owed = [
            (name, WAIVED) for name, at in self._powers.items() for _ in range(state.budget[at])
        ]
        left = set(state.all_units())
        state.step([])
        gone = left.difference(state.all_units())
        owed += [(units[mover], f"{self._texts[mover]} REM") for mover in gone]
        rows += [
            {"power": name, "order": text, "note": "MBV", "result": DONE, "automatic": True}
            for name, text in owed
        ]
        return sorted(rows, key=row_order)

    def _read(self, text: str) -> tuple[int, str]:
        """Return the code of an order, and its text as we would write it."""
        found = self._codes.get(text)
        if found is None:
            order = self._reader.read(self._anybody, text)
            found = self._codec.code(order), format_order(order)
            if len(self._codes) >= MOST_TEXTS:
                self._codes.clear()
            self._codes[text] = found
        return found

    def _describe(self, rows: list[dict[str, Any]], *, has_centers: bool) -> dict[str, Any]:
        """Go to the next turn and return the whole answer."""
        state = self._state
        contested = self._contested()
        origins = self._origins()
        season = state.season
        state.apply_movement()
        state.next_turn()
        is_updated = state.season == WINTER or state.season < season
        dislodged = [self._describe_dislodged(origin) for origin in origins]
        return self._describe_position(
            rows, dislodged, contested, has_centers=has_centers or is_updated
        )

    def _describe_position(
        self,
        rows: list[dict[str, Any]],
        dislodged: list[dict[str, Any]],
        contested: list[str],
        *,
        has_centers: bool,
    ) -> dict[str, Any]:
        """Return the whole answer, for the turn that the kernel has come to."""
        state = self._state
        units: dict[str, list[str]] = {}
        owners: dict[str, list[str]] = {}
        for mover, power, owner, name in zip(
            state.all_units(), state.all_powers(), state.all_owners(), self._names, strict=True
        ):
            if mover >= 0:
                units.setdefault(self._power_names[power], []).append(self._texts[mover])
            if owner >= 0:
                owners.setdefault(self._power_names[owner], []).append(name)
        return {
            "orders": rows,
            "units": {name: sorted(units[name]) for name in sorted(units)},
            "dislodged": dislodged,
            "contested": contested,
            "centers": {name: sorted(owners[name]) for name in sorted(owners)}
            if has_centers
            else None,
            "turn": [SEASON_NAMES[state.season], state.year],
        }

    def _contested(self) -> list[str]:
        flags = bytes(self._state.is_contested)
        if not any(flags):
            return []
        return sorted(name for name, flag in zip(self._names, flags, strict=True) if flag)

    def _origins(self) -> list[tuple[int, int, bool]]:
        """Return for each dislodged unit: where it stood, where its attacker came from and how."""
        state = self._state
        found = []
        for province in state.all_dislodged():
            origin = state.conqueror[province]
            found.append((province, origin, state.kind[origin] == MOVE_BY_CONVOY))
        found.sort(key=lambda entry: self._names[entry[0]])
        return found

    def _describe_dislodged(self, origin: tuple[int, int, bool]) -> dict[str, Any]:
        province, attacker, is_convoyed = origin
        out = self._codec.dislodged_unit(self._state, province)
        return {
            "power": out.unit.power.name,
            "unit": format_unit(out.unit),
            "attacker_from": self._names[attacker],
            "attacker_convoyed": is_convoyed,
            "retreats": [str(place) for place in out.retreats],
        }
