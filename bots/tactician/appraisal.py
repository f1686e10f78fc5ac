"""What the outcome of a movement turn is worth to us: places, centers, units lost and won."""

from attrs import frozen

from bots.dumbbot.value_maps import ValueMap
from bots.unit_places import UnitPlaces
from bots.view import GameView
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
    """Knows what outcomes are worth to us in one turn, in the form of `Foreseen.price`."""

    def __init__(
        self, view: GameView, unit_places: UnitPlaces, values: ValueMap, weighing: Weighing
    ) -> None:
        attitudes, owners = view.beliefs.attitudes, view.position.owners
        is_fall = view.turn.season is Season.FALL
        center = weighing.fall_center if is_fall else weighing.spring_center
        prizes = [0.0] * len(unit_places.provinces)
        self.harms = [0.0] * len(unit_places.provinces)
        """By province what it is to us that another power moves in."""
        for at in unit_places.centers:
            owner = owners.get(unit_places.provinces[at])
            if owner == view.power:
                self.harms[at] = -center
            else:
                prizes[at] = center * (1.0 if owner is None else attitudes.get(owner, 1.0))
        self.preys = [weighing.prey] * len(unit_places.provinces)
        """By province how gladly we see a unit there dislodged."""
        standing = unit_places.standing(view.position)
        wishes = [attitudes.get(power, 1.0) for power in view.board.powers]
        for place, power in zip(standing.places, standing.powers, strict=True):
            self.preys[unit_places.province_of[place]] = weighing.prey * wishes[power]
        self.loss = weighing.loss
        scale = _scale(view, unit_places, values)
        self.gains = [0.0] * unit_places.mover_count
        """By mover what it is worth to us that it stands where it does."""
        for mover, province, value in zip(
            unit_places.movers, unit_places.province_of, values.values, strict=True
        ):
            self.gains[mover] = value / scale + prizes[province]


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
