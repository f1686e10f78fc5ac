"""What every place is worth to every power, fast enough to ask in each turn of a playout.

Worth spreads from the centers over the board in ten steps. The spreading is the same in every
position, so it is worked out once for each board: `spread` says how much of a center's worth is
felt by each mover. A map of values is then a sum over centers.

All centers of one owner have one price for the others. So `shares` keeps, for each mover, what it
feels of all centers of each owner, and is changed only where a center changes hands; a value is the
sum over owners, and over the own centers that are threatened, each at a price of its own. All of
these are whole numbers, and none is so large that a double would not hold it exactly, nor any sum
of them; doubles are what processors multiply two at a time.

There are two ways to value. DUMBBOT wants the centers of large powers and defends its own against
large ones. WEAKEST, the weights of the papers' tree searchers, wants the centers of small powers
and defends where enemies stand next door.
"""

from typing import TYPE_CHECKING

from bots.kernel.habits import DUMBBOT, STYLES, WEAKEST, WHOLE
from rules.kernel.codes import AUTUMN, FALL

if TYPE_CHECKING:
    from rules.kernel import simulator  # compiled, its .pxd says which

from .arrays import doubles, integers, long_integers, short_integers, zeros

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

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

    `value_at(power, mover)` asks for one; `bearing[province * powers + power]` counts the units of
    a power that stand there or can go there.
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
        # By layer (style and season), center and mover.
        self.spread = doubles(STYLES * 2 * self.center_total * self.movers)
        # By layer, owner (last of all nobody) and mover; and by layer and center who owns it.
        self.owners = self.powers + 1
        self.shares = doubles(STYLES * 2 * self.owners * self.movers)
        self.known = integers([self.powers] * (STYLES * 2 * self.center_total))
        # By owner: what a center is worth to the others. By mover: what it feels of all centers at
        # these prices, as of the value with that stamp.
        self.offers = doubles(self.owners)
        self.common = doubles(self.movers)
        self.summed = 0
        # By power: its threatened centers, where their spread begins, and their prices.
        self.threatened = zeros(self.powers * self.center_total + 1)
        self.prices = doubles(self.powers * self.center_total + 1)
        self.threatened_end = zeros(self.powers)
        self.priced = 0
        self.layer = 0
        self.attack = 0
        self.defence = 0
        self.style = 0
        self.is_choosy = zeros(self.powers)  # by power: whether it wants some centers more
        self.values = long_integers(self.powers * self.movers)
        self.valued = zeros(self.powers * self.movers)
        self.stamp = 0
        self.bearing = short_integers(self.powers * self.provinces)
        self.crowd = zeros(self.provinces)  # the same for all powers together
        self.sizes = zeros(self.powers + 1)
        self.ranking = integers(list(range(self.powers)))  # by size, as of `rank_powers`
        self.counts = zeros(self.powers + 1)
        self.wishes = integers([WHOLE] * (self.powers * self.powers))
        self.level = long_integers(self.movers)
        self.following = long_integers(self.movers)
        self.sums = long_integers(self.movers)
        self.paths = integers(self._list_paths())  # by mover, with the state's `step_start`
        self._prepare()

    # Once for a board.

    def _list_paths(self) -> list[int]:
        """Return what each mover would be after each of its steps."""
        state = self.state
        return [
            state.steps[index] + (0 if mover < self.provinces else self.provinces)
            for mover in range(self.movers)
            for index in range(state.step_start[mover], state.step_start[mover + 1])
        ]

    def _prepare(self) -> None:
        for style in range(STYLES):
            for season in range(2):
                weights = (OUTER_STEPS if style == DUMBBOT else INNER_STEPS)[season]
                for number in range(self.center_total):
                    self._radiate(self.centers[number], style, weights)
                    self.layer = style * 2 + season
                    self._spread(self.layer, number)

    def _spread(self, layer: int, number: int) -> None:
        """Keep `sums` for one center, which is nobody's at first."""
        row = (layer * self.center_total + number) * self.movers
        for mover in range(self.movers):
            self.spread[row + mover] = self.sums[mover]
        self.add_share(row, self.powers, 1.0)

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

    def whole(self, number: float) -> int:
        """Return a whole number that a double holds."""
        if cython.compiled:
            return cython.cast(cython.longlong, number)  # type: ignore[no-any-return]  # compiled: a C integer
        return int(number)

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
        self.is_choosy[power] = 0
        for owner in range(self.powers):
            if self.wishes[power * self.powers + owner] != WHOLE:
                self.is_choosy[power] = 1

    def count_bearing(self) -> None:
        """Count for every power and province the units that stand there or can go there."""
        for index in range(self.powers * self.provinces):
            self.bearing[index] = 0
        for province in range(self.provinces):
            self.crowd[province] = 0
        if self.state.is_stale:
            self.state.list_units()
        for number in range(self.state.unit_count):
            province = self.state.units[number]
            mover = self.state.unit[province]
            power = self.state.power[province]
            self.bearing[province * self.powers + power] += 1
            self.crowd[province] += 1
            for index in range(self.state.near_start[mover], self.state.near_start[mover + 1]):
                self.bearing[self.state.near[index] * self.powers + power] += 1
                self.crowd[self.state.near[index]] += 1

    def competition(self, power: int, province: int) -> int:
        """Return how many units that other power has there which has the most."""
        most = 0
        first = province * self.powers
        if self.crowd[province] == self.bearing[first + power]:
            return 0
        for other in range(self.powers):
            if other != power and self.bearing[first + other] > most:
                most = self.bearing[first + other]
        return most

    def threat(self, power: int, province: int) -> int:
        """Return how much there is to defend in a center of a power."""
        first = province * self.powers
        strangers = self.crowd[province] - self.bearing[first + power]
        if self.style == WEAKEST or not strangers:
            return strangers
        for index in range(self.powers):
            other = self.ranking[index]
            if other != power and self.bearing[first + other]:
                return self.sizes[other]
        return 0

    def count_sizes(self, style: int) -> None:
        """Work out how much a center of each power is worth, last of all one of nobody's."""
        for power in range(self.powers + 1):
            count = self.counts[power]
            if style == WEAKEST:
                self.sizes[power] = 6 - (count if power < self.powers else 0)
            else:
                self.sizes[power] = count * count + 4 * count + 16

    def rank_powers(self) -> None:
        """Sort the powers by what a center of theirs is worth, the most first."""
        for index in range(1, self.powers):
            power = self.ranking[index]
            at = index
            while at and self.sizes[self.ranking[at - 1]] < self.sizes[power]:
                self.ranking[at] = self.ranking[at - 1]
                at -= 1
            self.ranking[at] = power

    def value_all(self, style: int) -> None:
        """Get ready to value movers for every power in the present position."""
        self.count_bearing()
        self.style = style
        self.layer = style * 2 if self.state.season < FALL else style * 2 + 1
        self.share_out()
        self.count_sizes(style)
        self.rank_powers()
        self.stamp += 1
        self.attack = ATTACK
        self.defence = DEFENCE
        if self.state.season == FALL or self.state.season == AUTUMN:
            self.attack = ATTACK_IN_FALL
            self.defence = DEFENCE_IN_FALL
        if style == WEAKEST:
            self.attack = 1
            self.defence = 1
        for owner in range(self.owners):
            self.offers[owner] = self.attack * self.sizes[owner]

    def share_out(self) -> None:
        """Bring `shares` up to date with who owns what, and count the centers."""
        for power in range(self.powers + 1):
            self.counts[power] = 0
        first = self.layer * self.center_total
        for number in range(self.center_total):
            owner = self.state.owner[self.centers[number]]
            if owner < 0:
                owner = self.powers
            self.counts[owner] += 1
            if owner != self.known[first + number]:
                self.hand_over(number, self.known[first + number], owner)
                self.known[first + number] = owner

    def hand_over(self, number: int, before: int, after: int) -> None:
        """Take what is felt of a center from one owner's share, and add it to another's."""
        row = (self.layer * self.center_total + number) * self.movers
        self.add_share(row, before, -1.0)
        self.add_share(row, after, 1.0)

    def add_share(self, row: int, owner: int, factor: float) -> None:
        """Add a row of `spread` to an owner's share, or with a factor of -1 take it away."""
        share = (self.layer * self.owners + owner) * self.movers
        for mover in range(self.movers):
            self.shares[share + mover] += factor * self.spread[row + mover]

    def add_up(self) -> None:
        """Write to `common` what every mover feels of all centers, at their prices for others."""
        self.summed = self.stamp
        for mover in range(self.movers):
            self.common[mover] = 0.0
        for owner in range(self.owners):
            if self.counts[owner]:
                self.add_offer(self.offers[owner], owner)

    def add_offer(self, offer: float, owner: int) -> None:
        """Add what is felt of the centers of one owner."""
        share = (self.layer * self.owners + owner) * self.movers
        for mover in range(self.movers):
            self.common[mover] += offer * self.shares[share + mover]

    def price_own_centers(self) -> None:
        """List the centers of every power that are threatened, and what they are worth to it."""
        self.priced = self.stamp
        for power in range(self.powers):
            self.threatened_end[power] = power * self.center_total
        first = self.layer * self.center_total
        for number in range(self.center_total):
            power = self.known[first + number]
            if power < self.powers:
                found = self.threat(power, self.centers[number])
                at = self.threatened_end[power]
                self.threatened[at] = (first + number) * self.movers
                self.prices[at] = self.defence * found
                if found:
                    self.threatened_end[power] = at + 1

    def value_at(self, power: int, mover: int) -> int:
        """Return what it is worth to a power to have this mover; worked out when first asked."""
        row = power * self.movers + mover
        if self.valued[row] != self.stamp:
            self.valued[row] = self.stamp
            self.values[row] = self.make_value(power, mover)
        return self.values[row]

    def value_around(self, power: int, mover: int) -> None:
        """Work out what it is worth to a power to have this mover, and to have it one step on."""
        if self.summed != self.stamp:
            self.add_up()
        row = power * self.movers
        self.valued[row + mover] = self.stamp
        self.values[row + mover] = self.make_value(power, mover)
        for index in range(self.state.step_start[mover], self.state.step_start[mover + 1]):
            other = self.paths[index]
            self.valued[row + other] = self.stamp
            self.values[row + other] = self.make_value(power, other)

    def make_value(self, power: int, mover: int) -> int:
        """Work out a value: what all centers are worth to others, but for the power's own."""
        if self.priced != self.stamp:
            self.price_own_centers()
        own = (self.layer * self.owners + power) * self.movers + mover
        total = self.common[mover] if self.summed == self.stamp else self.sum_for(mover)
        total -= self.offers[power] * self.shares[own]
        for index in range(power * self.center_total, self.threatened_end[power]):
            total += self.prices[index] * self.spread[self.threatened[index] + mover]
        if not self.is_choosy[power]:
            return self.whole(total)
        total += self.favor(power, mover)
        return self.spared(power, self.state.mover_province[mover], self.whole(total))

    def sum_for(self, mover: int) -> float:
        """Return what one mover feels of all centers, at their prices for others."""
        total = 0.0
        for owner in range(self.owners):
            share = (self.layer * self.owners + owner) * self.movers
            total += self.offers[owner] * self.shares[share + mover]
        return total

    def favor(self, power: int, mover: int) -> float:
        """Return how much more a mover feels of centers that a power wants more than others."""
        total = 0.0
        for owner in range(self.powers):
            wish = self.wishes[power * self.powers + owner]
            if wish != WHOLE and owner != power:
                price = self.attack * self.sizes[owner]
                share = (self.layer * self.owners + owner) * self.movers
                total += (self.scaled(price, wish) - price) * self.shares[share + mover]
        return total

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
