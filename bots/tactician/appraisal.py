"""What the outcome of a movement turn is worth to us: places, centers, units lost and won."""

from attrs import frozen

from bots.dumbbot.value_maps import ValueMap
from bots.kernel.foreseen import Worth
from bots.unit_places import UnitPlaces
from bots.view import GameView
from rules.kernel.codes import (
    FIELD_BITS,
    KIND_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    TARGET_SHIFT,
)
from rules.kernel.encode import codec_of
from rules.turns import Season


@frozen(kw_only=True)
class Weighing:
    """How much the parts of an outcome count; a good place for a unit counts 1."""

    fall_center: float = 2.0
    """A center won or lost in fall."""
    spring_center: float = 0.5
    """A unit in another's center in spring."""
    loss: float = 1.5
    """A unit of ours that is dislodged."""
    prey: float = 0.5
    """A unit of another power that is dislodged."""


class Appraiser:
    """Knows for each order what it is worth by its outcome; made for one turn."""

    def __init__(
        self, view: GameView, unit_places: UnitPlaces, values: ValueMap, weighing: Weighing
    ) -> None:
        codec = codec_of(view.board)
        self._tables = codec.tables
        self._provinces = len(codec.provinces)
        self._weighing = weighing
        is_fall = view.turn.season is Season.FALL
        self._center = weighing.fall_center if is_fall else weighing.spring_center
        owners = view.position.owners
        attitudes = view.beliefs.attitudes
        self._ours = {codec.province_index[each] for each in view.centers[view.power]}
        self._wishes = {
            codec.province_index[unit.location.province]: attitudes.get(unit.power, 1.0)
            for unit in view.position.units
        }
        """By province how gladly we see the unit there dislodged."""
        scale = _scale(view, unit_places, values)
        self._gains: dict[int, float] = {}
        """By mover what it is worth to us that it stands where it does."""
        for (kind, place), mover in codec.movers.items():
            gain = values.values[unit_places.index(kind, place)] / scale
            owner = owners.get(place.province)
            if place.province.is_center and owner != view.power:
                gain += self._center * (1.0 if owner is None else attitudes.get(owner, 1.0))
            self._gains[mover] = gain
        self._rows: dict[int, Worth] = {}
        self._foreign_rows: dict[int, Worth] = {}

    def row(self, code: int) -> Worth:
        """Return what an order of ours is worth by its outcome."""
        found = self._rows.get(code)
        if found is None:
            mover = code >> MOVER_SHIFT & FIELD_BITS
            here = there = self._gains[mover]
            if code & KIND_BITS in (MOVE, MOVE_BY_CONVOY):
                target = code >> TARGET_SHIFT & FIELD_BITS
                there = self._gains[target if mover < self._provinces else self._provinces + target]
            found = self._rows[code] = (there, here, -self._weighing.loss)
        return found

    def foreign_row(self, code: int) -> Worth:
        """Return what an order of another power is to us by its outcome."""
        found = self._foreign_rows.get(code)
        if found is None:
            harm = 0.0
            if code & KIND_BITS in (MOVE, MOVE_BY_CONVOY):
                goal = self._tables.province_of[code >> TARGET_SHIFT & FIELD_BITS]
                harm = -self._center if goal in self._ours else 0.0
            standing = self._tables.mover_province[code >> MOVER_SHIFT & FIELD_BITS]
            prey = self._weighing.prey * self._wishes.get(standing, 1.0)
            found = self._foreign_rows[code] = (harm, 0.0, prey)
        return found


def _scale(view: GameView, unit_places: UnitPlaces, values: ValueMap) -> float:
    """Return what the best place in reach of a unit is worth on the average."""
    best = [
        max(
            values.values[each]
            for each in (unit_places.of(unit), *unit_places.borders[unit_places.of(unit)])
        )
        for unit in view.units
    ]
    return max(1.0, sum(best) / max(1, len(best)))
