"""Plan orders by values in DumbBot's manner, for any power, with chance.

Units come in random order; each picks a good place next to it, waits for a unit of its own that
stands there, and supports where another one of its own already goes or stays.
"""

from typing import TYPE_CHECKING

from bots.kernel.habits import PLACE_BITS, PLACES, WHOLE
from rules.kernel.codes import (
    BUILD,
    FIELD_BITS,
    HOLD,
    KIND_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    OTHER_SHIFT,
    REMOVE,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    TARGET_SHIFT,
)

from .arrays import integers, long_integers, zeros
from .values import Values

if TYPE_CHECKING:
    from rules.kernel import simulator  # compiled, its .pxd says which

UNPLANNED = -1
GONE = -(1 << 62)
"""What is in place of the key of an option that is not there; less than any."""


class Planner(Values):
    """Plans for the units of a simulator. `plan[p]` is the code for the unit in province p."""

    def __init__(self, state: "simulator.Simulator") -> None:
        super().__init__(state)
        count = self.provinces
        self.plan = long_integers(count)
        self.fixed = long_integers(count)  # orders that are given whatever is planned, or -1
        self.has_fixed = 0
        # By province, the own unit that is planned to go there; and where units are planned to go.
        self.mover_to = integers([-1] * count)
        self.goals = zeros(count)
        self.goal_count = 0
        self.queue = zeros(count)
        self.queue_length = 0
        # By power and in the order of provinces: its units, as of the state's list of that number.
        self.troops = zeros(self.powers * count)
        self.troop_ends = zeros(self.powers)
        self.mustered = -1
        self.taken = zeros(count)
        self.options = zeros(self.choice + 1)  # movers, the best first
        self.weights = long_integers(self.choice + 1)  # what they are worth
        self.option_count = 0
        self.ranked = 0  # how many of them are in order
        self.looking = 0  # for which power
        self.looked_at = 0  # and for which unit
        self.last_key = 0  # of the last that is in order
        # By province: what its unit may be, as keys in which value and place are one number, in a
        # row with `room` for all of them; the two best of these; how many there are; and for which
        # mover, power and values, or -1.
        self.room = self.choice + 1
        self.keys = long_integers(count * self.room)
        self.best_keys = long_integers(count)
        self.second_keys = long_integers(count)
        self.key_counts = zeros(count)
        self.listed = long_integers(count)
        self.closed = bytearray(count)
        self.closed_for = -1
        self.alternative = zeros(self.powers)
        self.steepness = zeros(self.powers)
        for power in range(self.powers):
            self.set_chance(power, 500, 5000)
        self.clear_fixed()

    # What callers may set.

    def set_chance(self, power: int, alternative: int, steepness: int) -> None:
        """Say how a power picks, in thousandths.

        First how often it looks at its next best option, then how fast that becomes less likely
        with the distance in value.
        """
        self.check_power(power)
        self.alternative[power] = alternative
        self.steepness[power] = steepness

    def clear_fixed(self) -> None:
        """Forget the orders that are given whatever is planned."""
        for province in range(self.provinces):
            self.fixed[province] = UNPLANNED
        self.has_fixed = 0

    def fix(self, code: int) -> None:
        """Let plans contain this order, until `clear_fixed`."""
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        target = (code >> TARGET_SHIFT) & FIELD_BITS
        if code < 0 or mover >= self.movers or target >= self.locations:
            raise ValueError(f"{code} is no order of this map")
        self.fixed[self.state.mover_province[mover]] = code
        self.has_fixed = 1

    def close(self, province: int, power: int) -> None:
        """Let one power keep out of a province."""
        self.check_power(power)
        if not 0 <= province < self.provinces:
            raise IndexError(f"there is no province {province}, only {self.provinces}")
        self.closed[province] = 1
        self.closed_for = power

    # Movement.

    def begin_plan(self, power: int) -> None:
        """Line up the units of a power, and give the fixed orders."""
        if self.state.is_stale:
            self.state.list_units()
        for index in range(self.goal_count):
            self.mover_to[self.goals[index]] = -1
        self.goal_count = 0
        if self.mustered != self.state.listing:
            self.muster()
        first = power * self.provinces
        count = self.troop_ends[power] - first
        for index in range(count):
            self.plan[self.troops[first + index]] = UNPLANNED
            self.queue[index] = self.troops[first + index]
        self.queue_length = count
        if self.has_fixed:
            for index in range(count):
                if self.fixed[self.queue[index]] >= 0:
                    self.take(self.queue[index], self.fixed[self.queue[index]])

    def muster(self) -> None:
        """Sort the units by power."""
        self.mustered = self.state.listing
        for power in range(self.powers):
            self.troop_ends[power] = power * self.provinces
        for index in range(self.state.unit_count):
            province = self.state.units[index]
            power = self.state.power[province]
            self.troops[self.troop_ends[power]] = province
            self.troop_ends[power] += 1

    def take(self, unit: int, code: int) -> None:
        """Plan an order for the unit in a province."""
        self.plan[unit] = code
        kind = code & KIND_BITS
        if kind == MOVE or kind == MOVE_BY_CONVOY:
            goal = self.state.province_of[(code >> TARGET_SHIFT) & FIELD_BITS]
            self.mover_to[goal] = unit
            self.goals[self.goal_count] = goal
            self.goal_count += 1

    def shuffle(self) -> None:
        """Bring the units of the queue into random order."""
        for index in range(self.queue_length - 1, 0, -1):
            other = self.state.throw(index + 1)
            unit = self.queue[index]
            self.queue[index] = self.queue[other]
            self.queue[other] = unit

    def plan_power(self, power: int) -> None:
        """Plan an order for every unit of a power; the values must be there."""
        self.begin_plan(power)
        self.shuffle()
        index = 0
        waits = 3 * self.queue_length
        while index < self.queue_length:
            unit = self.queue[index]
            if self.plan[unit] >= 0:
                index += 1
                continue
            other = self.settle(power, unit, waits)
            if other < 0:
                index += 1
                continue
            waits -= 1
            self.wait_for(index, other)
        self.use_idle_units(power)

    def wait_for(self, index: int, other: int) -> None:
        """Put a unit of the queue behind another one, which comes later."""
        unit = self.queue[index]
        while self.queue[index + 1] != other:
            self.queue[index] = self.queue[index + 1]
            index += 1
        self.queue[index] = other
        self.queue[index + 1] = unit

    def settle(self, power: int, unit: int, waits: int) -> int:
        """Plan for one unit; return -1, or the unit of its own that it has to wait for."""
        self.list_options(power, unit)
        while self.option_count:
            place = self.pick_option(power)
            goal = self.state.mover_province[self.options[place]]
            if goal != unit and waits > 0 and self.is_own(power, goal) and self.plan[goal] < 0:
                return goal
            code = self.order_to(power, unit, self.options[place])
            if code >= 0:
                self.take(unit, code)
                return -1
            self.drop_option(place)
        self.plan[unit] = self.code_of(HOLD, unit, 0, 0)
        return -1

    def is_own(self, power: int, province: int) -> int:
        """Whether a unit of the power stands there."""
        return self.state.unit[province] >= 0 and self.state.power[province] == power

    # Where a unit may be.

    def list_options(self, power: int, unit: int) -> None:
        """Find the two best places where a unit may be; of equal ones the first listed is better.

        Few others are ever looked at, so that sorting all would be a waste. Who had to wait for
        another unit finds the same as before, but for what friends and closed places change.
        """
        mover = self.state.unit[unit]
        listed = (self.stamp * self.one * self.powers + power) * self.movers + mover
        if self.listed[unit] != listed:
            self.list_keys(power, unit)
            is_plain = power != self.closed_for and not self.is_choosy[power]
            self.listed[unit] = listed if is_plain else -1
        self.looking = power
        self.looked_at = unit
        self.option_count = self.key_counts[unit]
        self.ranked = 0
        self.add_option(mover, self.best_keys[unit])
        if self.option_count > 1:
            self.add_option(mover, self.second_keys[unit])

    def list_keys(self, power: int, unit: int) -> None:
        """Write down the keys of all places where a unit may be, and find the two best.

        No processor foresees which of two is larger, but it need not jump to take it.
        """
        mover = self.state.unit[unit]
        self.rate_options(power, mover)
        if self.is_choosy[power]:
            self.favor_options(power, mover)
        row = unit * self.room
        first = self.state.step_start[mover]
        count = 1 + self.state.step_start[mover + 1] - first
        best = self.whole(self.ratings[0]) * PLACES + (PLACES - 1)
        second = GONE
        self.keys[row] = best
        for number in range(1, count):
            key = self.whole(self.ratings[number]) * PLACES + (PLACES - 1 - number)
            self.keys[row + number] = key
            second = max(second, min(best, key))
            best = max(best, key)
        self.best_keys[unit] = best
        self.second_keys[unit] = second
        self.key_counts[unit] = count
        if power == self.closed_for:
            self.leave_out_closed(unit)

    def favor_options(self, power: int, mover: int) -> None:
        """Change the ratings by what a power wants more or less than others."""
        self.ratings[0] = self.wished(power, mover, self.ratings[0])
        first = self.state.step_start[mover]
        for step in range(self.state.step_start[mover + 1] - first):
            rating = self.ratings[step + 1]
            self.ratings[step + 1] = self.wished(power, self.paths[first + step], rating)

    def leave_out_closed(self, unit: int) -> None:
        """Find the two best keys among those of places that are not closed."""
        mover = self.state.unit[unit]
        row = unit * self.room
        best = self.keys[row]
        second = GONE
        count = 1
        first = self.state.step_start[mover]
        for step in range(self.state.step_start[mover + 1] - first):
            if self.closed[self.state.mover_province[self.paths[first + step]]]:
                continue
            key = self.keys[row + step + 1]
            count += 1
            second = max(second, min(best, key))
            best = max(best, key)
        self.best_keys[unit] = best
        self.second_keys[unit] = second
        self.key_counts[unit] = count

    def add_option(self, mover: int, key: int) -> None:
        """Add the next best option of a mover, given by its key."""
        number = PLACES - 1 - (key & (PLACES - 1))
        self.options[self.ranked] = mover
        if number:
            self.options[self.ranked] = self.paths[self.state.step_start[mover] + number - 1]
        self.weights[self.ranked] = key >> PLACE_BITS
        self.ranked += 1
        self.last_key = key

    def rank_options(self, count: int) -> None:
        """Let so many options be in order, the best first; of equal ones the first listed."""
        if self.ranked < count:
            self.rank_more(count)

    def rank_more(self, count: int) -> None:
        """Let more than two options be in order: the next is the best that is below the last."""
        mover = self.state.unit[self.looked_at]
        row = self.looked_at * self.room
        first = self.state.step_start[mover]
        has_closed = self.looking == self.closed_for
        while self.ranked < count:
            last = self.last_key
            key = self.keys[row]
            best = key if key < last else GONE
            for step in range(self.state.step_start[mover + 1] - first):
                if has_closed and self.closed[self.state.mover_province[self.paths[first + step]]]:
                    continue
                key = self.keys[row + step + 1]
                best = max(best, key if key < last else GONE)
            self.add_option(mover, best)

    def drop_option(self, place: int) -> None:
        """Forget one of the options that are in order."""
        self.option_count -= 1
        self.ranked -= 1
        for index in range(place, self.ranked):
            self.options[index] = self.options[index + 1]
            self.weights[index] = self.weights[index + 1]

    def pick_option(self, power: int) -> int:
        """Mostly pick the best option, sometimes the next if it is nearly as good."""
        place = 0
        self.rank_options(1)
        while place + 1 < self.option_count:
            self.rank_options(place + 2)
            value = self.weights[place]
            gap = value - self.weights[place + 1]
            left = WHOLE * value - self.steepness[power] * gap
            if value <= 0 or left <= 0:
                break
            # No quotient of doubles that hold such numbers exactly is rounded up to the next.
            share = self.whole(left / value)
            if self.state.throw(WHOLE) >= self.alternative[power] * share // WHOLE:
                break
            place += 1
        return place

    def code_of(self, kind: int, unit: int, target: int, other: int) -> int:
        """Return the code of an order for the unit in a province."""
        head = self.state.unit[unit]
        aim = target
        rest = other  # long enough to be shifted, as the other two
        return kind | head << MOVER_SHIFT | aim << TARGET_SHIFT | rest << OTHER_SHIFT

    def order_to(self, power: int, unit: int, mover: int) -> int:
        """Return the order that takes a unit to a place or helps there, -1 if it is pointless."""
        if mover == self.state.unit[unit]:
            return self.code_of(HOLD, unit, 0, 0)
        goal = self.state.mover_province[mover]
        if self.is_own(power, goal) and self.plan[goal] >= 0 and not self.leaves(goal):
            if self.has_strong_rivals(power, goal):
                return self.code_of(SUPPORT_HOLD, unit, 0, self.state.unit[goal])
            return UNPLANNED
        friend = self.mover_to[goal]
        if friend >= 0:
            if self.has_rivals(power, goal):
                return self.code_of(SUPPORT_MOVE, unit, goal, self.state.unit[friend])
            return UNPLANNED
        place = mover if mover < self.provinces else mover - self.provinces
        return self.code_of(MOVE, unit, place, 0)

    def leaves(self, unit: int) -> int:
        """Whether a unit is planned to go somewhere."""
        kind = self.plan[unit] & KIND_BITS
        return kind == MOVE or kind == MOVE_BY_CONVOY

    def use_idle_units(self, power: int) -> None:
        """Let units that would hold support the most valuable neighbour that may need it."""
        for index in range(self.queue_length):
            unit = self.queue[index]
            if (self.plan[unit] & KIND_BITS) != HOLD or self.fixed[unit] >= 0:
                continue
            mover = self.state.unit[unit]
            best = 0
            first = self.state.step_start[mover]
            for step in range(self.state.step_start[mover + 1] - first):
                province = self.state.province_of[self.state.steps[first + step]]
                code = self.help_at(power, unit, province)
                if code >= 0:
                    value = self.keys[unit * self.room + step + 1] >> PLACE_BITS
                    if value > best:
                        best = value
                        self.plan[unit] = code

    def help_at(self, power: int, unit: int, province: int) -> int:
        """Return the support that a unit may give there, -1 if none is needed."""
        friend = self.mover_to[province]
        if friend >= 0:
            if friend != unit and self.has_rivals(power, province):
                return self.code_of(SUPPORT_MOVE, unit, province, self.state.unit[friend])
        elif (
            self.is_own(power, province)
            and not self.leaves(province)
            and self.has_strong_rivals(power, province)
        ):
            return self.code_of(SUPPORT_HOLD, unit, 0, self.state.unit[province])
        return UNPLANNED

    # Retreats and adjustments: the best place that is left.

    def order_retreats(self) -> None:
        """Send every dislodged unit to its best place that no other of its power takes."""
        for province in range(self.provinces):
            self.taken[province] = -1
        for province in range(self.provinces):
            if self.state.out[province] >= 0:
                self.order_retreat(province)

    def order_retreat(self, province: int) -> None:
        """Send one dislodged unit away; without a place it is gone."""
        mover = self.state.out[province]
        power = self.state.out_power[province]
        base = 0 if mover < self.provinces else self.provinces
        first = self.state.step_start[mover]
        best = -1
        most = 0
        for step in range(self.state.step_start[mover + 1] - first):
            place = self.state.steps[first + step]
            is_open = self.state.retreat_open[province * self.choice + step]
            if not is_open or self.taken[self.state.province_of[place]] == power:
                continue
            value = self.value_at(power, base + place)
            if best < 0 or value > most:
                best = place
                most = value
        if best >= 0:
            self.taken[self.state.province_of[best]] = power
            self.state.give_retreat(mover << MOVER_SHIFT | RETREAT | best << TARGET_SHIFT)

    def order_adjustments(self) -> None:
        """Build where it is worth most, remove what stands where it is worth least."""
        for power in range(self.powers):
            while self.state.budget[power] > 0:
                mover = self.best_build(power)
                if mover < 0:
                    break
                self.state.give_adjustment(mover << MOVER_SHIFT | BUILD)
            while self.state.budget[power] < 0:
                self.state.give_adjustment(self.worst_unit(power) << MOVER_SHIFT | REMOVE)

    def best_build(self, power: int) -> int:
        """Return the most valuable mover that the power may build, or -1."""
        best = -1
        most = 0
        for home in range(self.state.home_start[power], self.state.home_start[power + 1]):
            province = self.state.homes[home]
            if not self.state.can_build(power, province):
                continue
            for index in range(
                self.state.build_start[province], self.state.build_start[province + 1]
            ):
                mover = self.state.builds[index]
                value = self.value_at(power, mover)
                if best < 0 or value > most:
                    best = mover
                    most = value
        return best

    def worst_unit(self, power: int) -> int:
        """Return the mover of the power that stands where it is worth least."""
        worst = -1
        least = 0
        for province in range(self.provinces):
            if self.is_own(power, province):
                mover = self.state.unit[province]
                value = self.value_at(power, mover)
                if worst < 0 or value < least:
                    worst = mover
                    least = value
        return worst

    # For callers from outside.

    def planned(self, power: int) -> list[int]:
        """Return the codes of the last plan of a power, by province."""
        return [
            self.plan[province]
            for province in range(self.provinces)
            if self.is_own(power, province)
        ]
