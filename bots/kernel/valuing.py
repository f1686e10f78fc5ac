"""Value maps of a position: who bears on what, which centers attract, and how far that is felt.

What DumbBot and all who value as it does ask in every turn, for one power after the other.
"""

from array import array
from collections.abc import Sequence

from .arrays import integers, zeros
from .spreading import Spreading, starts_of

OCCUPATION_WEIGHT = 1000
"""The weight of strength, of competition, and of defence in winter."""
WORD = 0xFFFFFFFF
HALF_WORD = 1 << 31


class Valuing:
    """Values the places of one board, numbered as in `UnitPlaces`, for a position at a time.

    `reach` is by place the provinces that a unit there can enter; one that it sees two coasts of
    counts twice, as in DumbBot.
    """

    def __init__(
        self,
        spreading: Spreading,
        province_of: Sequence[int],
        reach: Sequence[Sequence[int]],
        centers: Sequence[int],
        powers: int,
    ) -> None:
        known = [each for row in reach for each in row]
        provinces = max(province_of) + 1
        if len(province_of) != spreading.places or len(reach) != spreading.places or powers < 1:
            raise ValueError("every place has a province, and what is in reach of it")
        if not all(0 <= each < provinces for each in (*province_of, *known, *centers)):
            raise ValueError("no such province")
        self.spreading = spreading
        self.places = spreading.places
        self.provinces = provinces
        self.powers = powers
        self.province_of = integers(list(province_of))
        self.reach_starts = integers(starts_of(reach))
        self.reach = integers([*known, 0])
        self.centers = integers([*centers, 0])
        self.center_count = len(centers)
        # The position.
        self.unit_count = 0
        self.unit_places = zeros(provinces)
        self.unit_powers = zeros(provinces)
        self.owners = integers([-1] * (len(centers) + 1))
        self.bearing = zeros(powers * provinces)
        # One map.
        self.is_threatened = zeros(provinces)
        self.threats = array("d", bytes(8 * provinces))
        self.defences = array("d", bytes(8 * provinces))
        self.worths = array("d", bytes(8 * provinces))
        self.totals = array("d", bytes(8 * self.places))
        self.strength = zeros(provinces)
        self.competition = zeros(provinces)

    # The position.

    def stand(self, places: list[int], powers: list[int], owners: list[int]) -> None:
        """Say where units stand and whose they are, and who owns each center; -1 is nobody."""
        if len(places) > self.provinces or len(powers) != len(places):
            raise ValueError("there are more units than provinces, or not as many powers")
        if len(owners) != self.center_count:
            raise ValueError("every center has an owner, or -1")
        self.unit_count = 0
        for index in range(len(places)):
            if not 0 <= places[index] < self.places or not 0 <= powers[index] < self.powers:
                raise ValueError(f"no such unit: {places[index]} of power {powers[index]}")
            self.unit_places[index] = places[index]
            self.unit_powers[index] = powers[index]
        for index in range(self.center_count):
            if not -1 <= owners[index] < self.powers:
                raise ValueError(f"no such owner: {owners[index]}")
            self.owners[index] = owners[index]
        self.unit_count = len(places)
        self.count_bearing()

    def count_bearing(self) -> None:
        """Count by power and province the units that stand there or can go there."""
        for index in range(self.powers * self.provinces):
            self.bearing[index] = 0
        for index in range(self.unit_count):
            place = self.unit_places[index]
            first = self.unit_powers[index] * self.provinces
            self.bearing[first + self.province_of[place]] += 1
            for near in range(self.reach_starts[place], self.reach_starts[place + 1]):
                self.bearing[first + self.reach[near]] += 1

    # One map.

    def weigh(
        self,
        power: int,
        sizes: list[int],
        attacks: list[float],
        attack: float,
        defence: float,
    ) -> None:
        """Begin a map for a power: find out what its interest in each province is.

        `sizes` is what each power counts as a threat, `attacks` what each center of another power
        is worth; `attack` and `defence` are the weights of the two.
        """
        if not 0 <= power < self.powers:
            raise ValueError("no such power")
        if len(sizes) != self.powers or len(attacks) != self.center_count:
            raise ValueError("every power has a size, and every center its worth")
        for province in range(self.provinces):
            self.is_threatened[province] = 0
            self.defences[province] = 0.0
            self.worths[province] = 0.0
        for index in range(self.unit_count):
            if self.unit_powers[index] != power:
                self.threaten(self.unit_places[index], sizes[self.unit_powers[index]])
        for index in range(self.center_count):
            center = self.centers[index]
            if self.owners[index] == power:
                if self.is_threatened[center]:
                    self.defences[center] = self.threats[center]
                self.worths[center] = self.defences[center] * defence
            else:
                self.worths[center] = attacks[index] * attack

    def threaten(self, place: int, size: float) -> None:
        """Let a unit threaten what it can enter; the largest of several powers counts."""
        for near in range(self.reach_starts[place], self.reach_starts[place + 1]):
            province = self.reach[near]
            if not self.is_threatened[province] or size > self.threats[province]:
                self.is_threatened[province] = 1
                self.threats[province] = size

    def spread(self, steps: tuple[int, ...], rounding: int) -> None:
        """Let the interests spread over the board."""
        if not steps:
            raise ValueError("there is one step at least")
        weight: float = steps[0]
        for place in range(self.places):
            worth = self.worths[self.province_of[place]]
            self.spreading.level[place] = worth
            self.totals[place] = weight * worth
        for number in range(1, len(steps)):
            self.spreading.step(rounding)
            weight = steps[number]
            self.spreading.add(self.totals, weight)

    def scale(self, wishes: list[float]) -> None:
        """Scale what is felt where units stand, by how much we want what their powers have."""
        if len(wishes) != self.powers:
            raise ValueError("there is a wish for each power")
        for index in range(self.unit_count):
            wish: float = wishes[self.unit_powers[index]]
            if wish != 1.0:
                province = self.province_of[self.unit_places[index]]
                for place in range(self.places):
                    if self.province_of[place] == province:
                        self.totals[place] *= wish

    def count_presence(self, power: int, counts_occupant: int) -> None:
        """Count in each province our units that bear on it, and the most of any other power.

        Whether the unit of another power that stands there counts, can be chosen.
        """
        if not 0 <= power < self.powers:
            raise ValueError("no such power")
        if not counts_occupant:
            self.count_occupants(power, -1)
        for province in range(self.provinces):
            most = 0
            for other in range(self.powers):
                if other != power and self.bearing[other * self.provinces + province] > most:
                    most = self.bearing[other * self.provinces + province]
            self.competition[province] = most
            self.strength[province] = self.bearing[power * self.provinces + province]
        if not counts_occupant:
            self.count_occupants(power, 1)

    def count_occupants(self, power: int, change: int) -> None:
        """Count the units of others in or out where they stand."""
        for index in range(self.unit_count):
            if self.unit_powers[index] != power:
                province = self.province_of[self.unit_places[index]]
                self.bearing[self.unit_powers[index] * self.provinces + province] += change

    def values(self, wraps: int, is_winter: int) -> list[int]:
        """Return what each place is worth in the end: what is felt there, and who is near.

        In winter defence takes the place of presence; numbers may wrap at 32 bits.
        """
        return [self.value_at(place, wraps, is_winter) for place in range(self.places)]

    def value_at(self, place: int, wraps: int, is_winter: int) -> int:
        """Return what one place is worth."""
        province = self.province_of[place]
        extra = 0.0
        if is_winter:
            extra = OCCUPATION_WEIGHT * self.defences[province]
        else:
            extra = OCCUPATION_WEIGHT * (self.strength[province] - self.competition[province])
        value = int(self.totals[place] + extra)
        if wraps:
            value = ((value + HALF_WORD) & WORD) - HALF_WORD
        return value

    def presence(self) -> tuple[list[int], list[int]]:
        """Return by province the strength of the power, and its competition."""
        return list(self.strength), list(self.competition)
