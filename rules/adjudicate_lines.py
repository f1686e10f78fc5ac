"""Judge ordinary movement lines of `daide adjudicate` straight on the kernel.

Recorded games come by the ten thousand, and nearly all of their lines hold nothing but movement
orders in canonical text, one a unit. Those need no Unit and no Order: texts map to numbers and
back. For anything else `answer` returns None, and the caller takes the long way, which gives the
same answer for these lines too.
"""

from collections.abc import Mapping
from typing import Any

from rules.board import Board
from rules.errors import BadInputError
from rules.kernel.codes import FINE, MOVE_BY_CONVOY, MOVER_SHIFT, WINTER, kind_of, mover_of
from rules.kernel.encode import NOTES, RESULTS, SEASONS, codec_of
from rules.notation import OrderReader, format_order, format_unit
from rules.orders import Unit
from rules.position import Position
from rules.turns import Phase

MOST_TEXTS = 100_000
SEASON_NAMES = tuple(season.value for season in SEASONS)
MOVEMENT_SEASONS = {
    season.value: number for number, season in enumerate(SEASONS) if season.phase is Phase.MOVEMENT
}
DISLODGED = 8


def words_of(outcome: int) -> str:
    """Return the words for the outcome of a legal order."""
    result = RESULTS[outcome % DISLODGED]
    words = [result.value] if result else []
    return " ".join([*words, "RET"] if outcome & DISLODGED else words)


WORDS = {
    outcome: words_of(outcome)
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
        self._codes: dict[str, int] = {}

    def answer(self, data: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what is printed for a line, or None if it is not an ordinary one."""
        try:
            season, year = data["turn"]
            self._state.clear()
            self._state.set_turn(MOVEMENT_SEASONS[season], year)
            if data.get("phase", Phase.MOVEMENT.value) != Phase.MOVEMENT.value:
                return None
            units = self._place_units(data["units"])
            if units is None or not self._place_owners(data.get("centers", {})):
                return None
            rows = self._judge(units, data.get("orders", []))
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            return None  # the long way says what is wrong with it
        return None if rows is None else self._describe(rows, has_centers="centers" in data)

    def _place_units(self, by_power: Mapping[str, list[str]]) -> dict[int, str] | None:
        """Put the units on the board and return whose they are."""
        units: dict[int, str] = {}
        provinces = set()
        province_of = self._codec.tables.mover_province
        for name, texts in by_power.items():
            power = self._powers[name]
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
            for text in texts:
                self._state.set_owner(self._centers[text], self._powers[name])
                owned.add(text)
        return len(owned) == sum(map(len, by_power.values()))

    def _judge(
        self, units: Mapping[int, str], entries: list[Mapping[str, str]]
    ) -> list[dict[str, Any]] | None:
        """Adjudicate, and return the rows for the orders."""
        codes: list[int] = []
        rows: list[dict[str, Any]] = []
        rejected: list[dict[str, Any]] = []
        idle = set(units)
        for entry in entries:
            text, power = entry["order"], entry["power"]
            code = self._codes.get(text)
            if code is None:
                code = self._encode(text)
            mover = mover_of(code)
            if mover not in idle or units[mover] != power:
                return None
            note = self._state.note_for(code)
            if note == FINE:
                idle.remove(mover)
                codes.append(code)
                rows.append({"power": power, "order": text, "note": "MBV", "result": ""})
            elif kind_of(code) == MOVE_BY_CONVOY:
                return None  # what is wrong with its path has no number
            else:
                word = NOTES[note].value
                rejected.append({"power": power, "order": text, "note": word, "result": None})
        for mover in idle:
            codes.append(mover << MOVER_SHIFT)
            text = f"{self._texts[mover]} H"
            rows.append(
                {
                    "power": units[mover],
                    "order": text,
                    "note": "MBV",
                    "result": "",
                    "automatic": True,
                }
            )
        for row, outcome in zip(rows, self._state.judge_all(codes), strict=True):
            row["result"] = WORDS[outcome]
        return sorted(rows + rejected, key=row_order)

    def _encode(self, text: str) -> int:
        """Return the code of an order, if the text is exactly as we would write it."""
        order = self._reader.read(self._anybody, text)
        if format_order(order) != text:
            raise BadInputError(f"not the usual spelling: {text!r}")
        code = self._codec.code(order)
        if len(self._codes) >= MOST_TEXTS:
            self._codes.clear()
        self._codes[text] = code
        return code

    def _describe(self, rows: list[dict[str, Any]], *, has_centers: bool) -> dict[str, Any]:
        """Go to the next turn and return the whole answer."""
        state = self._state
        contested = self._contested()
        origins = self._origins()
        season = state.season
        state.apply_movement()
        state.next_turn()
        units: dict[str, list[str]] = {}
        owners: dict[str, list[str]] = {}
        for mover, power, owner, name in zip(
            state.all_units(), state.all_powers(), state.all_owners(), self._names, strict=True
        ):
            if mover >= 0:
                units.setdefault(self._power_names[power], []).append(self._texts[mover])
            if owner >= 0:
                owners.setdefault(self._power_names[owner], []).append(name)
        is_updated = state.season == WINTER or state.season < season
        return {
            "orders": rows,
            "units": {name: sorted(units[name]) for name in sorted(units)},
            "dislodged": [self._describe_dislodged(origin) for origin in origins],
            "contested": contested,
            "centers": {name: sorted(owners[name]) for name in sorted(owners)}
            if has_centers or is_updated
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


def row_order(row: Mapping[str, Any]) -> tuple[str, str]:
    """Sort key for the orders that are printed."""
    return row["power"], row["order"]
