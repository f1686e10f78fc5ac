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

from bots.kernel.habits import DUMBBOT, MOST_BEARERS, SIEVE, STYLES, TOGETHER, WEAKEST, WHOLE
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

    `value_at(power, mover)` asks for one. `count_bearing` counts in `bearing[province * powers +
    power]` the units of a power that stand there or can go there; planning does without.
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
        # By mover: its place in the rows of what is felt. All that cannot move share the last one,
        # where nothing is ever felt.
        self.spots = integers(self._list_spots())
        self.span = self.valid_movers + 1
        # By layer (style and season), center and spot.
        self.spread = doubles(STYLES * 2 * self.center_total * self.span)
        # By layer, owner (nobody after all powers, then fillers) and spot; and by layer and center
        # who owns it.
        self.owners = (self.powers + TOGETHER) // TOGETHER * TOGETHER
        self.shares = doubles(STYLES * 2 * self.owners * self.span)
        self.known = integers([self.powers] * (STYLES * 2 * self.center_total))
        # By owner: what a center is worth to the others. By spot: what is felt there of all centers
        # at these prices, as of the value with that stamp.
        self.offers = doubles(self.owners)
        self.common = doubles(self.span)
        self.summed = 0
        # By power: its threatened centers, where their spread begins, and their prices.
        self.threatened = zeros(self.powers * self.center_total + 1)
        self.prices = doubles(self.powers * self.center_total + 1)
        self.threatened_end = zeros(self.powers)
        self.priced = 0
        self.layer = 0
        self.one = 1  # long enough to be shifted
        self.attack = 0
        self.defence = 0
        self.style = 0
        self.is_choosy = zeros(self.powers)  # by power: whether it wants some centers more
        self.values = long_integers(self.powers * self.movers)
        self.valued = zeros(self.powers * self.movers)
        self.stamp = 0
        self.bearing = short_integers(self.powers * self.provinces)
        self.is_counted = 0
        # By province: a bit for every power that has a unit there, that of the worthiest lowest;
        # and the bits of those that have several.
        self.bearers = long_integers(self.provinces)
        self.pairs = long_integers(self.provinces)
        self.sizes = zeros(self.powers + 1)
        self.bits = long_integers(self.powers)  # by power, by its rank as of `rank_powers`
        # By the remainder of a bit: what a center of its power is worth, 0 without a bit.
        self.bit_sizes = zeros(SIEVE)
        self.ranking = integers(list(range(self.powers)))  # by size, as of `rank_powers`
        self.counts = zeros(self.powers + 1)
        self.wishes = integers([WHOLE] * (self.powers * self.powers))
        self.paths = integers(self._list_paths())  # by mover, with the state's `step_start`
        # By mover: the spots of itself and of what it would be, filled up with some of nothing.
        self.choice_start = zeros(self.movers + 1)
        self.choice_spots = integers(self._list_choices())
        self.ratings = doubles(self.choice + 1 + TOGETHER)  # of such a row, for the planner
        self.rank_powers()
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

    def _list_spots(self) -> list[int]:
        """Return numbers for the movers that can move, and for all others the number after them."""
        starts = self.state.step_start
        spots, count = [], 0
        for mover in range(self.movers):
            can_move = starts[mover + 1] > starts[mover]
            spots.append(count if can_move else self.valid_movers)
            count += can_move
        return spots

    def _list_choices(self) -> list[int]:
        """Return the rows of `choice_spots`, and note where each begins."""
        starts = self.state.step_start
        row: list[int] = []
        for mover in range(self.movers):
            row.append(self.spots[mover])
            row.extend(self.spots[each] for each in self.paths[starts[mover] : starts[mover + 1]])
            while len(row) % TOGETHER:  # the remainder of a negative number is another in C
                row.append(self.valid_movers)
            self.choice_start[mover + 1] = len(row)
        return row

    def _prepare(self) -> None:
        self.level = long_integers(self.movers)
        self.following = long_integers(self.movers)
        self.sums = long_integers(self.movers)
        for style in range(STYLES):
            for season in range(2):
                weights = (OUTER_STEPS if style == DUMBBOT else INNER_STEPS)[season]
                for number in range(self.center_total):
                    self._radiate(self.centers[number], style, weights)
                    self.layer = style * 2 + season
                    self._spread(self.layer, number)

    def _spread(self, layer: int, number: int) -> None:
        """Keep `sums` for one center, which is nobody's at first."""
        row = (layer * self.center_total + number) * self.span
        for mover in range(self.movers):
            self.spread[row + self.spots[mover]] = self.sums[mover]
        share = (layer * self.owners + self.powers) * self.span
        for spot in range(self.span):
            self.shares[share + spot] += self.spread[row + spot]

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

    def mark_bearers(self) -> None:
        """Note for every province which powers have one unit, or several, there or next to it."""
        for province in range(self.provinces):
            self.bearers[province] = 0
            self.pairs[province] = 0
        if self.state.is_stale:
            self.state.list_units()
        for number in range(self.state.unit_count):
            province = self.state.units[number]
            mover = self.state.unit[province]
            bit = self.bits[self.state.power[province]]
            self.mark_bearer(province, bit)
            for index in range(self.state.near_start[mover], self.state.near_start[mover + 1]):
                self.mark_bearer(self.state.near[index], bit)
        self.is_counted = 0

    def mark_bearer(self, province: int, bit: int) -> None:
        """Note a unit of the power with this bit."""
        before = self.bearers[province]
        self.pairs[province] |= before & bit
        self.bearers[province] = before | bit

    def count_bearing(self) -> None:
        """Count for every power and province the units that stand there or can go there."""
        self.mark_bearers()
        for index in range(self.powers * self.provinces):
            self.bearing[index] = 0
        for number in range(self.state.unit_count):
            province = self.state.units[number]
            mover = self.state.unit[province]
            power = self.state.power[province]
            self.bearing[province * self.powers + power] += 1
            for index in range(self.state.near_start[mover], self.state.near_start[mover + 1]):
                self.bearing[self.state.near[index] * self.powers + power] += 1
        self.is_counted = 1

    def has_rivals(self, power: int, province: int) -> int:
        """Whether some other power has a unit there or next to it."""
        return (self.bearers[province] & ~self.bits[power]) != 0

    def has_strong_rivals(self, power: int, province: int) -> int:
        """Whether some other power has several units there or next to it."""
        return (self.pairs[province] & ~self.bits[power]) != 0

    def competition(self, power: int, province: int) -> int:
        """Return how many units that other power has there which has the most, once counted."""
        most = 0
        first = province * self.powers
        if not self.bearers[province] & ~self.bits[power]:
            return 0
        for other in range(self.powers):
            if other != power:
                most = max(most, self.bearing[first + other])
        return most

    def threat(self, power: int, province: int) -> int:
        """Return how much there is to defend in a center of a power."""
        strangers = self.bearers[province] & ~self.bits[power]
        if self.style == WEAKEST:
            return self.count_strangers(power, province) if strangers else 0
        return self.bit_sizes[(strangers & -strangers) % SIEVE]

    def count_strangers(self, power: int, province: int) -> int:
        """Count the units of other powers that stand in a province or can go there."""
        count = 0
        for other in range(self.powers):
            if other != power:
                count += self.bearing[province * self.powers + other]
        return count

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
        for index in range(self.powers):
            power = self.ranking[index]
            self.bits[power] = self.one << min(index, MOST_BEARERS)
            self.bit_sizes[self.bits[power] % SIEVE] = self.sizes[power]

    def value_all(self, style: int) -> None:
        """Get ready to value movers for every power in the present position."""
        self.style = style
        self.layer = style * 2 if self.state.season < FALL else style * 2 + 1
        self.share_out()
        self.count_sizes(style)
        self.rank_powers()
        if style == WEAKEST:
            self.count_bearing()
        else:
            self.mark_bearers()
        self.stamp += 1
        self.attack = ATTACK
        self.defence = DEFENCE
        if self.state.season == FALL or self.state.season == AUTUMN:
            self.attack = ATTACK_IN_FALL
            self.defence = DEFENCE_IN_FALL
        if style == WEAKEST:
            self.attack = 1
            self.defence = 1
        for owner in range(self.powers + 1):
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
        row = (self.layer * self.center_total + number) * self.span
        giver = (self.layer * self.owners + before) * self.span
        taker = (self.layer * self.owners + after) * self.span
        for spot in range(self.span):
            felt = self.spread[row + spot]
            self.shares[giver + spot] -= felt
            self.shares[taker + spot] += felt

    def add_up(self) -> None:
        """Write to `common` what is felt of all centers, at their prices for others."""
        self.summed = self.stamp
        for spot in range(self.span):
            self.common[spot] = 0.0
        for owner in range(0, self.owners, TOGETHER):
            self.add_offers(owner, (self.layer * self.owners + owner) * self.span)

    def add_offers(self, owner: int, row: int) -> None:
        """Add what is felt of the centers of four owners; one by one it would take longer."""
        offer = self.offers[owner]
        second = self.offers[owner + 1]
        third = self.offers[owner + 2]
        fourth = self.offers[owner + 3]
        for spot in range(self.span):
            self.common[spot] += (
                offer * self.shares[row + spot]
                + second * self.shares[row + self.span + spot]
                + third * self.shares[row + 2 * self.span + spot]
                + fourth * self.shares[row + 3 * self.span + spot]
            )

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
                self.threatened[at] = (first + number) * self.span
                self.prices[at] = self.defence * found
                self.threatened_end[power] = at + (found > 0)

    def value_at(self, power: int, mover: int) -> int:
        """Return what it is worth to a power to have this mover; worked out when first asked."""
        row = power * self.movers + mover
        if self.valued[row] != self.stamp:
            self.valued[row] = self.stamp
            self.values[row] = self.make_value(power, mover)
        return self.values[row]

    def make_value(self, power: int, mover: int) -> int:
        """Work out a value: what all centers are worth to others, but for the power's own."""
        if self.priced != self.stamp:
            self.price_own_centers()
        spot = self.spots[mover]
        own = (self.layer * self.owners + power) * self.span + spot
        total = self.common[spot] if self.summed == self.stamp else self.sum_for(spot)
        total -= self.offers[power] * self.shares[own]
        for index in range(power * self.center_total, self.threatened_end[power]):
            total += self.prices[index] * self.spread[self.threatened[index] + spot]
        return self.wished(power, mover, total)

    def wished(self, power: int, mover: int, total: float) -> int:
        """Return a value with regard to whose centers and units are wanted more or less."""
        if not self.is_choosy[power]:
            return self.whole(total)
        total += self.favor(power, self.spots[mover])
        return self.spared(power, self.state.mover_province[mover], self.whole(total))

    def rate_options(self, power: int, mover: int) -> None:
        """Work out what it is worth to a power to have this mover, and to have it one step on.

        The values come to `ratings`, and up to three more that mean nothing.
        """
        if self.summed != self.stamp:
            self.add_up()
        if self.priced != self.stamp:
            self.price_own_centers()
        first = power * self.center_total
        end = self.threatened_end[power]
        own = (self.layer * self.owners + power) * self.span
        offer = self.offers[power]
        for at in range(self.choice_start[mover], self.choice_start[mover + 1], TOGETHER):
            one = self.choice_spots[at]
            two = self.choice_spots[at + 1]
            three = self.choice_spots[at + 2]
            four = self.choice_spots[at + 3]
            total = self.common[one] - offer * self.shares[own + one]
            second = self.common[two] - offer * self.shares[own + two]
            third = self.common[three] - offer * self.shares[own + three]
            fourth = self.common[four] - offer * self.shares[own + four]
            for index in range(first, end):
                price = self.prices[index]
                row = self.threatened[index]
                total += price * self.spread[row + one]
                second += price * self.spread[row + two]
                third += price * self.spread[row + three]
                fourth += price * self.spread[row + four]
            number = at - self.choice_start[mover]
            self.ratings[number] = total
            self.ratings[number + 1] = second
            self.ratings[number + 2] = third
            self.ratings[number + 3] = fourth

    def sum_for(self, spot: int) -> float:
        """Return what is felt in one spot of all centers, at their prices for others."""
        total = 0.0
        for owner in range(self.powers + 1):
            share = (self.layer * self.owners + owner) * self.span
            total += self.offers[owner] * self.shares[share + spot]
        return total

    def favor(self, power: int, spot: int) -> float:
        """Return how much more is felt in a spot of centers that a power wants more than others."""
        total = 0.0
        for owner in range(self.powers):
            wish = self.wishes[power * self.powers + owner]
            if wish != WHOLE and owner != power:
                price = self.attack * self.sizes[owner]
                share = (self.layer * self.owners + owner) * self.span
                total += (self.scaled(price, wish) - price) * self.shares[share + spot]
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
