"""Count the legal movement orders of a unit and make one of them, without a list of all."""

from rules.kernel.codes import (
    CONVOY,
    HOLD,
    MOST_BITS,
    MOVE,
    MOVER_SHIFT,
    OTHER_SHIFT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    TARGET_SHIFT,
)

from .legality import Legality


class NumberedOrders(Legality):
    """A state that knows its units' orders by number, in the order in which they are listed."""

    def count_orders(self, province: int) -> int:
        """Count the legal orders of the unit there, for `order_at`; call `survey` before."""
        mover = self.unit[province]
        count = 1 + self.step_start[mover + 1] - self.step_start[mover]
        for index in range(self.near_start[mover], self.near_start[mover + 1]):
            goal = self.near[index]
            count += self.caller_count[goal] - 1
            if self.unit[goal] >= 0:
                count += 1
            if self.ports[goal]:
                count += self.count_ferried(province, goal)
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
        for index in range(self.near_start[mover], self.near_start[mover + 1]):
            goal = self.near[index]
            if self.unit[goal] >= 0:
                if not number:
                    other = self.unit[goal]  # long enough to be shifted
                    return head | SUPPORT_HOLD | other << OTHER_SHIFT
                number -= 1
            if number < self.caller_count[goal] - 1:
                other = self.unit[self.caller_at(province, goal, number)]
                return head | SUPPORT_MOVE | goal << TARGET_SHIFT | other << OTHER_SHIFT
            number -= self.caller_count[goal] - 1
            if self.ports[goal]:
                ferried = self.count_ferried(province, goal)
                if number < ferried:
                    other = self.ferried_at(province, goal, number)
                    return head | SUPPORT_MOVE | goal << TARGET_SHIFT | other << OTHER_SHIFT
                number -= ferried
        if mover >= self.provinces:
            return self.convoy_at(province, number)
        return self.move_by_convoy_at(province, number)

    def count_convoys(self, province: int) -> int:
        """Count what `list_convoys` lists."""
        if not self.is_alone(province):
            self.list_convoys(province)
            return self.found_count
        group = self.group[province]
        armies = 0
        for index in range(self.coast_start[group], self.coast_start[group + 1]):
            if self.unit[self.coasts[index]] == self.coasts[index]:
                armies += 1
        return armies * (self.coast_start[group + 1] - self.coast_start[group] - 1)

    def convoy_at(self, province: int, number: int) -> int:
        """Return one of the convoys that were counted."""
        if not self.is_alone(province):
            return self.found[number]
        group = self.group[province]
        first = self.coast_start[group]
        goals = self.coast_start[group + 1] - first - 1
        index = first
        while number >= goals or self.unit[self.coasts[index]] != self.coasts[index]:
            if self.unit[self.coasts[index]] == self.coasts[index]:
                number -= goals
            index += 1
        goal = self.coasts[first + number if first + number < index else first + number + 1]
        other = self.coasts[index]  # long enough to be shifted
        head = self.unit[province] << MOVER_SHIFT
        return head | CONVOY | goal << TARGET_SHIFT | other << OTHER_SHIFT

    def count_moves_by_convoy(self, province: int) -> int:
        """Count what `list_moves_by_convoy` lists."""
        count = 0
        for index in range(self.sea_start[province], self.sea_start[province + 1]):
            sea = self.seas[index]
            if self.unit[sea] >= 0:
                before = self.found_count
                if self.is_alone(sea):
                    count += self.count_landings(sea) - 1
                else:
                    self.walk_from(province, sea)
                self.passages[sea] = self.found_count - before
        return count + self.found_count

    def count_landings(self, sea: int) -> int:
        """Count the coasts that the fleet in a sea touches."""
        mover = self.unit[sea]
        count = 0
        for index in range(self.near_start[mover], self.near_start[mover + 1]):
            count += self.is_coastal[self.near[index]]
        return count

    def move_by_convoy_at(self, province: int, number: int) -> int:
        """Return one of the moves by convoy that were counted."""
        made = 0
        for index in range(self.sea_start[province], self.sea_start[province + 1]):
            sea = self.seas[index]
            if self.unit[sea] < 0:
                continue
            if not self.is_alone(sea):
                if number < self.passages[sea]:
                    return self.found[made + number]
                made += self.passages[sea]
                number -= self.passages[sea]
            elif number < self.count_landings(sea) - 1:
                self.walk[0] = sea
                self.found_count = 0
                self.list_landings(province, 1)
                return self.found[number]
            else:
                number -= self.count_landings(sea) - 1
        return self.unit[province] << MOVER_SHIFT

    def caller_at(self, province: int, goal: int, number: int) -> int:
        """Return one of the units that can go to the goal, leaving out that in `province`."""
        entry = self.first_caller[goal]
        while number or self.caller[entry] == province:
            if self.caller[entry] != province:
                number -= 1
            entry = self.next_caller[entry]
        return self.caller[entry]

    def find_ferried(self, goal: int) -> None:
        """List the armies that only a convoy can bring to the goal."""
        count = 0
        for index in range(self.passenger_count):
            army = self.passengers[index]
            if (
                self.ports[army] & self.ports[goal]
                and army != goal
                and not self.can_reach[army * self.provinces + goal]
            ):
                self.ferried[goal * self.provinces + count] = army
                count += 1
        self.ferried_count[goal] = count

    def count_ferried(self, province: int, goal: int) -> int:
        """Count the armies whose move by convoy to the goal the unit in `province` may support."""
        if self.ferried_count[goal] < 0:
            self.find_ferried(goal)
        if self.group[province] < 0 and self.group_count <= MOST_BITS:
            return self.ferried_count[goal]  # it can go there itself, so it is not among them
        count = 0
        first = goal * self.provinces
        own = self.group[province]
        is_crowded = own < 0 or self.group_count > MOST_BITS
        if is_crowded or self.fleet_start[own + 1] - self.fleet_start[own] >= MOST_BITS:
            for index in range(first, first + self.ferried_count[goal]):
                count += self.is_carried(self.ferried[index], goal, province)
            return count
        if self.linked != province:
            self.link_without(province)
        others = self.ports[goal] & ~(self.one << own)
        for index in range(first, first + self.ferried_count[goal]):
            army = self.ferried[index]
            if self.ports[army] & others or self.reaches[army] & self.reaches[goal]:
                count += 1
        return count

    def link_without(self, fleet: int) -> None:
        """Note for each coast which fleets of the group reach it without this one."""
        group = self.group[fleet]
        for index in range(self.coast_start[group], self.coast_start[group + 1]):
            self.reaches[self.coasts[index]] = 0
        bit = self.one
        for index in range(self.fleet_start[group], self.fleet_start[group + 1]):
            if self.fleets[index] != fleet:
                self.flood(self.fleets[index], fleet, bit)
                bit <<= 1
        self.linked = fleet

    def ferried_at(self, province: int, goal: int, number: int) -> int:
        """Return one of the armies that were counted."""
        at = goal * self.provinces
        while number or not self.is_carried(self.ferried[at], goal, province):
            number -= self.is_carried(self.ferried[at], goal, province)
            at += 1
        return self.ferried[at]
