"""Who can go where, counted once a turn: what coordination looks at."""

from bots.unit_places import unit_places_of
from bots.view import GameView
from rules.orders import Unit
from rules.places import Power
from rules.turns import Season


class Front:
    """Our units, and the hostile units that can enter each province."""

    def __init__(self, view: GameView) -> None:
        self.view = view
        self.unit_places = unit_places_of(view.board)
        index = self.unit_places.province_index
        self.units = sorted(view.units, key=self.unit_places.of)
        self.places = [self.unit_places.of(unit) for unit in self.units]
        self.provinces = [self.unit_places.province_of[place] for place in self.places]
        self.at = {province: unit for unit, province in enumerate(self.provinces)}
        self.reach = [frozenset(self.unit_places.reach[place]) for place in self.places]
        self.closed = {index[each] for each in view.beliefs.closed if each in index}
        self.owners = {index[center]: owner for center, owner in view.position.owners.items()}
        self.occupants: dict[int, Unit] = {}
        """The units of others by province, friends included."""
        self.threats: dict[int, list[Unit]] = {}
        """By province the hostile units that can enter it."""
        self.threatened: dict[int, Power] = {}
        """The largest power among them."""
        self._count_others()
        self.help = {
            self.unit_places.province_index[province]: count
            for province, count in view.promised_help.items()
        }
        self.targets = self._targets()

    def _count_others(self) -> None:
        sizes = {power: len(centers) for power, centers in self.view.centers.items()}
        friends = {power for power, wish in self.view.beliefs.attitudes.items() if wish < 1}
        bound = {getattr(order, "unit", None) for order in self.view.beliefs.expected}
        for unit in self.view.position.units:
            if unit.power == self.view.power:
                continue
            here = self.unit_places.of(unit)
            self.occupants[self.unit_places.province_of[here]] = unit
            if unit.power in friends or unit in bound:
                continue
            for province in dict.fromkeys(self.unit_places.reach[here]):
                self.threats.setdefault(province, []).append(unit)
                largest = self.threatened.get(province)
                if largest is None or sizes[largest] < sizes[unit.power]:
                    self.threatened[province] = unit.power

    def _targets(self) -> set[int]:
        """Find what is worth going to: foreign centers, own ones in danger, the way there."""
        goals = {
            center
            for center in self.unit_places.centers
            if not self.is_ours(center) or center in self.threats
        }
        if self.view.turn.season is not Season.SPRING:
            return goals
        return goals | {
            province
            for goal in goals
            for place in self.unit_places.in_province[goal]
            for province in self.unit_places.reach[place]
        }

    def is_ours(self, center: int) -> bool:
        """Whether we own a center."""
        return self.owners.get(center) == self.view.power

    def is_foreign_center(self, province: int) -> bool:
        """Whether there is a center that we do not own."""
        return self.unit_places.provinces[province].is_center and not self.is_ours(province)

    def resistance(self, province: int) -> int:
        """Count the hostile units that can enter a province."""
        return len(self.threats.get(province, ()))

    def needed(self, province: int) -> int:
        """Return how many supports make a move there safe.

        In an empty center of our own a bounce is as good as a success.
        """
        needed = self.resistance(province) + (province in self.occupants)
        if self.is_ours(province) and province not in self.occupants and province not in self.at:
            needed -= 1
        return max(0, needed - self.help.get(province, 0))

    def needed_to_stay(self, unit: int) -> int:
        """Return how many supports let a unit of ours keep its place whatever comes."""
        province = self.provinces[unit]
        return max(0, self.resistance(province) - 1 - self.help.get(province, 0))

    def strength(self, province: int) -> int:
        """Count our units that can enter a province."""
        return sum(province in reach for reach in self.reach)
