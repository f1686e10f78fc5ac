"""Count the legal movement orders of a unit and throw dice for one of them, without a list of all.

Armies that a fleet could take on board are *passengers*; a mask has a bit for each of them.
"""

from rules.kernel.codes import (
    CONVOY,
    HOLD,
    LARGEST_PATH,
    MOST_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    OTHER_SHIFT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    TARGET_SHIFT,
)
from rules.kernel.tables import Tables

from .legality import Legality, long_integers
from .state import integers, zeros

WORD = 0xFFFFFFFF
# The lower half of all groups of so many bits.
TWOS = 0x5555555555555555
FOURS = 0x3333333333333333
EIGHTS = 0x0F0F0F0F0F0F0F0F


class NumberedOrders(Legality):
    """A state that knows its units' orders by number, in the order in which they are listed."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        count = tables.provinces
        # Rows of neighbours are filled up to the length of the longest with places that are not on
        # the map, where nothing can be supported: loops that are all as long end as foreseen.
        filled = count + tables.largest_choice
        # By province, with `around_start`: the units that can go there, in order, and where their
        # row ends.
        self.caller_end = zeros(count)
        # By province: the supports that every unit next to it may give there, but for convoys by
        # sea; with them, as far as units on land are concerned; and the passengers in them.
        self.offers = zeros(filled)
        self.land_offers = zeros(filled)
        self.carried = long_integers(count)
        # How many supports one unit may give for the first of its neighbours, the first two, ...
        self.tally = zeros(tables.largest_choice + 1)
        self.seat = zeros(count)  # by province of a passenger: its number
        self.group_passengers = long_integers(count)
        self.is_crowded = 0  # whether there is more than masks have room for
        self.needed = 0  # what a convoy through the fleet that was last counted needs
        self.linked = -1  # the fleet that `link_without` was last asked about
        # Without one fleet of a group the others fall into parts. By coast: a bit for each part.
        self.links = long_integers(count)
        self.part_passengers = long_integers(count)
        self.passages = zeros(count)  # by sea: how many moves of an army begin there
        self.landed = 0  # where the last walk of `count_passages` ended: how long it is
        self.dice_a = 0
        self.dice_b = 0
        self.dice_c = 0
        self.dice_d = 0
        self._number_tables(tables)

    def _number_tables(self, tables: Tables) -> None:
        count = tables.provinces
        around: list[set[int]] = [set() for _ in range(count)]
        landings = [0] * tables.movers
        rows: list[int] = []
        for mover in range(tables.movers):
            near = tables.near[tables.near_start[mover] : tables.near_start[mover + 1]]
            rows += [*near, *range(count + len(near), count + self.choice)]
            for goal in near:
                around[goal].add(tables.mover_province[mover])
                landings[mover] += tables.is_coastal[goal]
        self.rows = integers(rows)  # by mover: its neighbours, filled up
        # By province: where a row begins that has room for all units that can go there.
        starts = [0]
        places = 0
        for neighbors in around:
            places += len(neighbors)
            starts.append(places)
        self.around_start = integers(starts)
        self.callers = zeros(places + 1)
        self.landings = integers(landings)  # by mover: the coasts that it touches
        most = 1
        for sea in range(count):
            most = max(most, 1 + tables.sea_start[sea + 1] - tables.sea_start[sea])
        length = 1
        while most ** (length + 1) <= LARGEST_PATH and length < count:
            length += 1
        self.sure_length = length  # paths up to it are never too long for a code

    def number_orders(self) -> None:
        """Note what the numbers of orders depend on, before orders are counted."""
        if self.is_stale:
            self.list_units()
        self.linked = -1
        self.group_fleets()
        for province in range(self.provinces):
            self.caller_end[province] = self.around_start[province]
            self.carried[province] = 0
        for index in range(self.unit_count):
            unit = self.units[index]
            mover = self.unit[unit]
            for near in range(self.near_start[mover], self.near_start[mover + 1]):
                goal = self.near[near]
                self.callers[self.caller_end[goal]] = unit
                self.caller_end[goal] += 1
        for province in range(self.provinces):
            callers = self.caller_end[province] - self.around_start[province]
            self.offers[province] = callers - 1 + (self.unit[province] >= 0)
            self.land_offers[province] = self.offers[province]
        self.is_crowded = (
            self.group_count > MOST_BITS
            or self.passenger_count > MOST_BITS
            or self.choice > MOST_BITS
        )
        if self.passenger_count and not self.is_crowded:
            self.find_carried()
            for index in range(self.coast_start[self.group_count]):
                coast = self.coasts[index]
                self.land_offers[coast] = self.offers[coast] + self.count_bits(self.carried[coast])

    def find_carried(self) -> None:
        """Note for each coast the passengers that only a convoy can bring there."""
        for index in range(self.passenger_count):
            self.seat[self.passengers[index]] = index
        for group in range(self.group_count):
            mask = self.one - 1
            for index in range(self.coast_start[group], self.coast_start[group + 1]):
                mask |= self.seat_of(self.coasts[index])
            self.group_passengers[group] = mask
            for index in range(self.coast_start[group], self.coast_start[group + 1]):
                self.carried[self.coasts[index]] |= mask
        for index in range(self.passenger_count):
            army = self.passengers[index]
            others = ~(self.one << index)
            self.carried[army] &= others
            for near in range(self.near_start[army], self.near_start[army + 1]):
                self.carried[self.near[near]] &= others

    def seat_of(self, province: int) -> int:
        """Return the bit of the passenger in a coastal province, 0 if none is there."""
        return -(self.unit[province] == province) & (self.one << self.seat[province])

    def count_bits(self, mask: int) -> int:
        """Count the passengers in a mask."""
        if not mask:
            return 0
        # Sums of two bits, of four, of eight, then of all; loops end where nobody foresees it.
        mask -= (mask >> 1) & TWOS
        mask = (mask & FOURS) + ((mask >> 2) & FOURS)
        mask = (mask + (mask >> 4)) & EIGHTS
        mask += mask >> 8
        mask += mask >> 16
        return (mask + (mask >> 32)) & 127

    # All orders of a unit.

    def count_orders(self, province: int) -> int:
        """Count the legal orders of the unit there, for `order_at`; `number_orders` before."""
        mover = self.unit[province]
        count = 1 + self.step_start[mover + 1] - self.step_start[mover]
        row = mover * self.choice
        supports = 0
        if self.group[province] < 0 and not self.is_crowded:
            for step in range(self.choice):
                supports += self.land_offers[self.rows[row + step]]
                self.tally[step + 1] = supports
        else:
            for step in range(self.choice):
                goal = self.rows[row + step]
                supports += self.offers[goal]
                if self.ports[goal]:
                    supports += self.count_ferried(province, goal)
                self.tally[step + 1] = supports
        count += supports
        # What goes by sea is last in the list. Where fleets are together it is made after all.
        self.found_count = 0
        if mover >= self.provinces:
            if self.is_sea[province]:
                count += self.count_convoys(province)
        elif self.ports[province]:
            count += self.count_moves_by_convoy(province)
        return count

    def order_at(self, province: int, number: int) -> int:
        """Return one of the orders that were counted just before."""
        mover = self.unit[province]
        head = mover << MOVER_SHIFT
        if not number:
            return head | HOLD
        number -= 1
        first = self.step_start[mover]
        if number < self.step_start[mover + 1] - first:
            return head | MOVE | self.steps[first + number] << TARGET_SHIFT
        number -= self.step_start[mover + 1] - first
        step = 0
        for index in range(self.choice):
            step += number >= self.tally[index + 1]
        number -= self.tally[step]
        if step < self.choice:
            return head | self.support_at(province, self.rows[mover * self.choice + step], number)
        if mover >= self.provinces:
            return self.convoy_at(province, number)
        return self.move_by_convoy_at(province, number)

    def support_at(self, province: int, goal: int, number: int) -> int:
        """Return one of the supports for what happens in a goal, but for who gives it."""
        others = self.offers[goal]
        if self.unit[goal] >= 0:
            if not number:
                other = self.unit[goal]  # long enough to be shifted
                return SUPPORT_HOLD | other << OTHER_SHIFT
            number -= 1
            others -= 1
        if number < others:
            other = self.unit[self.caller_at(province, goal, number)]
        else:
            other = self.ferried_at(province, goal, number - others)
        return SUPPORT_MOVE | goal << TARGET_SHIFT | other << OTHER_SHIFT

    def caller_at(self, province: int, goal: int, number: int) -> int:
        """Return one of the units that can go to the goal, leaving out that in `province`."""
        index = self.around_start[goal] + number
        index += self.callers[index] >= province  # who asks is one of them
        return self.callers[index]

    # Supports for armies that come by sea.

    def count_ferried(self, province: int, goal: int) -> int:
        """Count the armies whose move by convoy to the goal the unit in `province` may support."""
        if not self.is_crowded:
            return self.count_bits(self.find_ferried(province, goal))
        count = 0
        for index in range(self.passenger_count):
            count += self.is_ferried(self.passengers[index], goal, province)
        return count

    def is_ferried(self, army: int, goal: int, supporter: int) -> int:
        """Whether only a convoy without the supporter brings the army to the goal."""
        if army == goal or army == supporter or self.can_reach[army * self.provinces + goal]:
            return 0
        return self.is_carried(army, goal, supporter)

    def ferried_at(self, province: int, goal: int, number: int) -> int:
        """Return one of the armies that were counted."""
        index = 0
        if self.is_crowded:
            while number or not self.is_ferried(self.passengers[index], goal, province):
                number -= self.is_ferried(self.passengers[index], goal, province)
                index += 1
            return self.passengers[index]
        mask = self.find_ferried(province, goal)
        while number:
            mask &= mask - 1
            number -= 1
        while not mask & (self.one << index):
            index += 1
        return self.passengers[index]

    def find_ferried(self, province: int, goal: int) -> int:
        """Return the passengers whose move to the goal the unit in `province` may support."""
        mask = self.carried[goal]
        own = self.group[province]
        if not mask or own < 0:
            return mask  # who can go there itself is not among them
        allowed = self.one - 1
        groups = self.ports[goal] & ~(self.one << own)
        group = 0
        while groups:
            if groups & 1:
                allowed |= self.group_passengers[group]
            groups >>= 1
            group += 1
        if not self.is_alone[province]:
            if self.linked != province:
                self.link_without(province)
            parts = self.links[goal]
            part = 0
            while parts:
                if parts & 1:
                    allowed |= self.part_passengers[part]
                parts >>= 1
                part += 1
        return mask & allowed

    def link_without(self, fleet: int) -> None:
        """Note for each coast which parts of the fleet's group reach it without this one."""
        group = self.group[fleet]
        for index in range(self.coast_start[group], self.coast_start[group + 1]):
            self.links[self.coasts[index]] = 0
        self.stamp += 1
        self.seen[fleet] = self.stamp
        part = 0
        for index in range(self.fleet_start[group], self.fleet_start[group + 1]):
            if self.seen[self.fleets[index]] != self.stamp:
                self.link_part(self.fleets[index], part)
                part += 1
        self.linked = fleet

    def link_part(self, start: int, part: int) -> None:
        """Note the coasts and the passengers of the fleets that hang together with this one."""
        bit = self.one << part
        mask = self.one - 1
        self.seen[start] = self.stamp
        self.stack[0] = start
        depth = 1
        while depth:
            depth -= 1
            fleet = self.stack[depth]
            for index in range(self.shore_start[fleet], self.shore_start[fleet + 1]):
                shore = self.shores[index]
                self.links[shore] |= bit
                mask |= self.seat_of(shore)
            depth = self.sail_on(fleet, -1, depth)
        self.part_passengers[part] = mask

    # Convoys.

    def count_convoys(self, province: int) -> int:
        """Count what `list_convoys` lists."""
        group = self.group[province]
        self.needed = 0
        if not self.passenger_count:
            return 0
        if not self.is_crowded and not self.group_passengers[group]:
            return 0
        if not self.is_alone[province]:
            self.needed = self.find_reaches(province, group)
        count = 0
        for index in range(self.coast_start[group], self.coast_start[group + 1]):
            army = self.coasts[index]
            if self.unit[army] == army:
                count += self.count_goals(army, group)
        return count

    def count_goals(self, army: int, group: int) -> int:
        """Count the coasts to which the fleet that was asked about last may convoy an army.

        Without each other fleet of the group it must still reach one of the two.
        """
        missing = self.needed & ~self.reaches[army]
        first = self.coast_start[group]
        end = self.coast_start[group + 1]
        if not missing:
            return end - first - 1
        count = 0
        for index in range(first, end):
            count += (self.reaches[self.coasts[index]] & missing) == missing
        return count

    def convoy_at(self, province: int, number: int) -> int:
        """Return one of the convoys that were counted."""
        group = self.group[province]
        index = self.coast_start[group]
        army = -1
        while army < 0:
            if self.unit[self.coasts[index]] == self.coasts[index]:
                goals = self.count_goals(self.coasts[index], group)
                if number < goals:
                    army = self.coasts[index]
                number -= goals
            index += 1
        number += goals
        missing = self.needed & ~self.reaches[army]
        index = self.coast_start[group] - 1
        while number >= 0:
            index += 1
            goal = self.coasts[index]
            number -= goal != army and (self.reaches[goal] & missing) == missing
        other = army  # long enough to be shifted
        head = self.unit[province] << MOVER_SHIFT
        return head | CONVOY | self.coasts[index] << TARGET_SHIFT | other << OTHER_SHIFT

    # Moves by convoy.

    def count_moves_by_convoy(self, province: int) -> int:
        """Count what `list_moves_by_convoy` lists."""
        count = 0
        for index in range(self.sea_start[province], self.sea_start[province + 1]):
            sea = self.seas[index]
            if self.unit[sea] >= 0:
                if self.is_alone[sea]:
                    self.passages[sea] = self.landings[self.unit[sea]] - 1
                elif self.is_small(sea):
                    self.passages[sea] = self.count_passages(province, sea, -1)
                else:
                    before = self.found_count
                    self.walk_from(province, sea)
                    self.passages[sea] = self.found_count - before
                count += self.passages[sea]
        return count

    def is_small(self, sea: int) -> int:
        """Whether no path through the fleet's group is too long for a code."""
        group = self.group[sea]
        return self.fleet_start[group + 1] - self.fleet_start[group] <= self.sure_length

    def move_by_convoy_at(self, province: int, number: int) -> int:
        """Return one of the moves by convoy that were counted."""
        made = 0
        for index in range(self.sea_start[province], self.sea_start[province + 1]):
            sea = self.seas[index]
            if self.unit[sea] < 0:
                continue
            if number < self.passages[sea]:
                if self.is_small(sea):
                    return self.passage_at(province, sea, number)
                return self.found[made + number]
            number -= self.passages[sea]
            if not self.is_small(sea):
                made += self.passages[sea]
        return self.unit[province] << MOVER_SHIFT

    def passage_at(self, army: int, sea: int, number: int) -> int:
        """Return one of the moves along the paths that begin with a sea."""
        number -= self.count_passages(army, sea, number)
        last = self.unit[self.walk[self.landed - 1]]
        index = self.near_start[last]
        while 1:
            goal = self.near[index]
            index += 1
            if self.is_coastal[goal] and goal != army:
                if not number:
                    break
                number -= 1
        for step in range(self.landed):
            self.path[step] = self.walk[step]
        path = self.pack_path(army, goal, self.landed)
        head = self.unit[army] << MOVER_SHIFT | MOVE_BY_CONVOY
        return head | goal << TARGET_SHIFT | path << OTHER_SHIFT

    def count_landings(self, army: int, sea: int) -> int:
        """Count the coasts to which an army may go from a sea."""
        mover = self.unit[sea]
        return self.landings[mover] - self.can_reach[mover * self.provinces + army]

    def count_passages(self, army: int, first: int, number: int) -> int:
        """Count the moves along every path that begins with a sea, in the order of `walk_from`.

        With a number, stop where the path of that move is in `walk`, `landed` long, and count
        those along the paths before.
        """
        self.walk[0] = first
        self.stack[0] = self.sea_start[first]
        self.walked[first] = 1
        depth = 1
        self.landed = 0
        count = 0
        more = self.count_landings(army, first)
        while depth:
            if 0 <= number < count + more and not self.landed:
                self.landed = depth
                break
            count += more
            more = 0
            here = self.walk[depth - 1]
            index = self.stack[depth - 1]
            if index == self.sea_start[here + 1]:
                self.walked[here] = 0
                depth -= 1
                continue
            self.stack[depth - 1] = index + 1
            sea = self.seas[index]
            if self.unit[sea] >= 0 and not self.walked[sea]:
                self.walk[depth] = sea
                self.walked[sea] = 1
                self.stack[depth] = self.sea_start[sea]
                depth += 1
                more = self.count_landings(army, sea)
        for step in range(self.landed):
            self.walked[self.walk[step]] = 0
        return count

    # Dice: Marsaglia's xorshift with 128 bits, small and the same in C and in Python.

    def roll(self) -> int:
        """Return the next 32 bits."""
        mixed = (self.dice_a ^ (self.dice_a << 11)) & WORD
        self.dice_a = self.dice_b
        self.dice_b = self.dice_c
        self.dice_c = self.dice_d
        self.dice_d = self.dice_d ^ (self.dice_d >> 19) ^ mixed ^ (mixed >> 8)
        return self.dice_d

    def throw(self, count: int) -> int:
        """Throw dice for one of so many, numbered from 0; there are fewer than 32 bits can count.

        Processors divide 32 bits several times as fast as 64.
        """
        dice = self.roll()
        return dice % count

    def draw_order(self, province: int) -> int:
        """Throw dice for a legal movement order of the unit there; call `number_orders` before."""
        count = min(self.room, self.count_orders(province))
        return self.order_at(province, self.throw(count))
