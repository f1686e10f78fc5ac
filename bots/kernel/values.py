"""What every place is worth to every power, fast enough to ask in each turn of a playout.

Worth spreads from the centers over the board in ten steps. The spreading is the same in every
position, so it is worked out once for each board: `spread` says how much of a center's worth is
felt by each mover. A map of values is then a sum over centers.

There are two ways to value. DUMBBOT wants the centers of large powers and defends its own against
large ones. WEAKEST, the weights of the papers' tree searchers, wants the centers of small powers
and defends where enemies stand next door.
"""

from typing import TYPE_CHECKING

from bots.kernel.habits import DUMBBOT, STYLES, WEAKEST, WHOLE
from rules.kernel.codes import AUTUMN, FALL

if TYPE_CHECKING:
    from rules.kernel import simulator  # compiled, its .pxd says which

from .arrays import integers, long_integers, zeros

ATTACK_IN_FALL = 6
DEFENCE_IN_FALL = 4
ATTACK = 7
DEFENCE = 3

# How much each step counts, first in spring, then in fall and winter.
OUTER_STEPS = (
    (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1),
    (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1),
)
# The tree searchers' paper multiplies by the weights while it spreads, so that a step counts by the
# product of all weights up to it. These are the products of DumbBot's, the last one a million;
# spring and fall differ in what is less than one.
INNER_STEPS = (
    (0, 5, 139, 1389, 8333, 41667, 166667, 500000, 1000000, 1000000),
    (0, 5, 139, 1389, 8333, 41667, 166667, 500000, 1000000, 1000000),
)
IMPULSE = 5**9
"""With this much at the start every step divides without remainder."""
DETAIL = 64


class Values:
    """The values of all movers for all powers, in the position of a simulator.

    `value_at(power, mover)` asks for one; `bearing[power * provinces + province]` counts the units
    of a power that stand there or can go there.
    """

    def __init__(self, state: "simulator.Simulator") -> None:
        self.state = state
        self.provinces = state.provinces
        self.locations = state.locations
        self.movers = state.movers
        self.powers = state.powers
        self.choice = state.choice
        tables = state.tables
        self.centers = integers(
            [province for province in range(self.provinces) if tables.is_center[province]]
        )
        self.center_total = sum(tables.is_center)
        self.valid_movers = sum(
            1
            for before, after in zip(tables.step_start, tables.step_start[1:], strict=False)
            if after > before
        )
        self.spread = long_integers(STYLES * 2 * self.center_total * self.movers)
        self.prices = long_integers(self.powers * self.center_total)
        self.base = 0
        self.values = long_integers(self.powers * self.movers)
        self.valued = zeros(self.powers * self.movers)
        self.stamp = 0
        self.bearing = zeros(self.powers * self.provinces)
        self.sizes = zeros(self.powers + 1)
        self.counts = zeros(self.powers + 1)
        self.is_due = zeros(self.powers)  # whether a power has a unit to retreat
        self.wishes = integers([WHOLE] * (self.powers * self.powers))
        self.level = long_integers(self.movers)
        self.following = long_integers(self.movers)
        self.sums = long_integers(self.movers)
        self._prepare()

    # Once for a board.

    def _prepare(self) -> None:
        for style in range(STYLES):
            for season in range(2):
                weights = (OUTER_STEPS if style == DUMBBOT else INNER_STEPS)[season]
                for number in range(self.center_total):
                    self._radiate(self.centers[number], style, weights)
                    first = (style * 2 + season) * self.movers * self.center_total + number
                    for mover in range(self.movers):
                        self.spread[first + mover * self.center_total] = self.sums[mover]

    def _radiate(self, center: int, style: int, weights: tuple[int, ...]) -> None:
        """Write to `sums` how much of a center's worth each mover feels."""
        for mover in range(self.movers):
            has_steps = self.state.step_start[mover + 1] > self.state.step_start[mover]
            is_here = has_steps and self.state.mover_province[mover] == center
            self.level[mover] = IMPULSE if is_here else 0
            self.sums[mover] = self.level[mover] * weights[0]
        for weight in weights[1:]:
            self.blur(style == WEAKEST)
            for mover in range(self.movers):
                self.level[mover] = self.following[mover] // 5
                self.sums[mover] += weight * self.level[mover]
        for mover in range(self.movers):
            self.sums[mover] = self.sums[mover] * DETAIL // IMPULSE

    def blur(self, keeps: int) -> None:
        """Add up what each mover and its neighbours have; `keeps` counts its own five times."""
        for mover in range(self.movers):
            total = self.level[mover] * (5 if keeps else 1)
            base = 0 if mover < self.provinces else self.provinces
            best = 0
            last = -1
            for index in range(self.state.step_start[mover], self.state.step_start[mover + 1]):
                place = self.state.steps[index]
                province = self.state.province_of[place]
                found = self.level[base + place]
                # A fleet that sees two coasts of a province counts it once, at its better coast.
                if province == last:
                    if found > best:
                        total += found - best
                        best = found
                else:
                    total += found
                    best = found
                    last = province
            self.following[mover] = total

    # Compiled, nothing looks at an index again: what callers say is checked where it comes in.

    def check_power(self, power: int) -> None:
        """Refuse the number of a power that is not there."""
        if not 0 <= power < self.powers:
            raise IndexError(f"there is no power {power}, only {self.powers}")

    # Once for a position.

    def set_wish(self, power: int, other: int, factor: int) -> None:
        """Say in thousandths how much a power wants what another one has."""
        self.check_power(power)
        self.check_power(other)
        self.wishes[power * self.powers + other] = factor

    def count_bearing(self) -> None:
        """Count for every power and province the units that stand there or can go there."""
        for index in range(self.powers * self.provinces):
            self.bearing[index] = 0
        if self.state.is_stale:
            self.state.list_units()
        for number in range(self.state.unit_count):
            province = self.state.units[number]
            mover = self.state.unit[province]
            base = self.state.power[province] * self.provinces
            self.bearing[base + province] += 1
            for index in range(self.state.near_start[mover], self.state.near_start[mover + 1]):
                self.bearing[base + self.state.near[index]] += 1

    def competition(self, power: int, province: int) -> int:
        """Return how many units that other power has there which has the most."""
        most = 0
        for other in range(self.powers):
            if other != power and self.bearing[other * self.provinces + province] > most:
                most = self.bearing[other * self.provinces + province]
        return most

    def threat(self, power: int, province: int, style: int) -> int:
        """Return how much there is to defend in a center of a power."""
        found = 0
        for other in range(self.powers):
            if other == power or not self.bearing[other * self.provinces + province]:
                continue
            if style == WEAKEST:
                found += self.bearing[other * self.provinces + province]
            elif self.sizes[other] > found:
                found = self.sizes[other]
        return found

    def count_sizes(self, style: int) -> None:
        """Work out how much a center of each power is worth, last of all one of nobody's."""
        for power in range(self.powers + 1):
            self.counts[power] = 0
        for number in range(self.center_total):
            owner = self.state.owner[self.centers[number]]
            self.counts[owner if owner >= 0 else self.powers] += 1
        for power in range(self.powers + 1):
            count = self.counts[power]
            if style == WEAKEST:
                self.sizes[power] = 6 - (count if power < self.powers else 0)
            else:
                self.sizes[power] = count * count + 4 * count + 16

    def value_all(self, style: int) -> None:
        """Get ready to value movers for every power in the present position."""
        self.survey_centers(style)
        for power in range(self.powers):
            self.price_centers(power, style)

    def value_retreats(self, style: int) -> None:
        """Get ready to value movers for those powers only that have units to retreat."""
        self.survey_centers(style)
        for power in range(self.powers):
            self.is_due[power] = 0
        for province in range(self.provinces):
            if self.state.out[province] >= 0 and not self.is_due[self.state.out_power[province]]:
                self.is_due[self.state.out_power[province]] = 1
                self.price_centers(self.state.out_power[province], style)

    def survey_centers(self, style: int) -> None:
        """Find out what the prices of centers rest on, for all powers alike."""
        self.count_bearing()
        self.count_sizes(style)
        season = 0 if self.state.season < FALL else 1
        self.base = (style * 2 + season) * self.movers * self.center_total
        self.stamp += 1

    def price_centers(self, power: int, style: int) -> None:
        """Write to `prices` what every center is worth to a power."""
        attack = ATTACK
        defence = DEFENCE
        if self.state.season == FALL or self.state.season == AUTUMN:
            attack = ATTACK_IN_FALL
            defence = DEFENCE_IN_FALL
        if style == WEAKEST:
            attack = 1
            defence = 1
        first = power * self.center_total
        for number in range(self.center_total):
            center = self.centers[number]
            owner = self.state.owner[center]
            if owner == power:
                price = defence * self.threat(power, center, style)
            else:
                price = attack * self.sizes[owner if owner >= 0 else self.powers]
                if owner >= 0 and self.wishes[power * self.powers + owner] != WHOLE:
                    price = self.scaled(price, self.wishes[power * self.powers + owner])
            self.prices[first + number] = price

    def value_at(self, power: int, mover: int) -> int:
        """Return what it is worth to a power to have this mover; worked out when first asked."""
        row = power * self.movers + mover
        if self.valued[row] != self.stamp:
            first = self.base + mover * self.center_total
            prices = power * self.center_total
            total = 0
            for number in range(self.center_total):
                total += self.prices[prices + number] * self.spread[first + number]
            self.values[row] = self.spared(power, self.state.mover_province[mover], total)
            self.valued[row] = self.stamp
        return self.values[row]

    def spared(self, power: int, province: int, value: int) -> int:
        """Scale the value of a place where a unit stands that we do not want as others."""
        if self.state.unit[province] < 0 or self.state.power[province] == power:
            return value
        wish = self.wishes[power * self.powers + self.state.power[province]]
        return value if wish == WHOLE else self.scaled(value, wish)

    def scaled(self, value: int, wish: int) -> int:
        """Return a value as much as it is wished for; C and Python divide alike above zero only."""
        return value * wish // WHOLE if value >= 0 else -(-value * wish // WHOLE)

    def total_value(self, power: int) -> int:
        """Return the sum of a power's values over all places where units may stand."""
        total = 0
        for mover in range(self.movers):
            if self.state.step_start[mover + 1] > self.state.step_start[mover]:
                total += self.value_at(power, mover)
        return total

    def values_of(self, power: int) -> list[int]:
        """Return a power's values by mover."""
        self.check_power(power)
        return [self.value_at(power, mover) for mover in range(self.movers)]
