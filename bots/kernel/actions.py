"""List the order sets of one power for a tree search, and choose among tried ones.

CHAINED, as the paper has it, combines what `chain` lists for each unit in all ways. FITTED is ours:
a unit in a center that is not its power's holds; else it goes to a center next to it that is
neither owned nor occupied, or supports an earlier unit that goes to or holds a center; one that can
do neither goes anywhere or holds; and no two units go to the same province.
"""

from array import array
from collections.abc import Sequence
from math import log, sqrt

from bots.kernel.habits import CHAINED, WEAKEST
from rules.kernel.codes import HOLD, KIND_BITS, MOVE, SUPPORT_HOLD, SUPPORT_MOVE

from .arrays import long_integers, zeros
from .playouts import Playouts

MIXER = 1000003
MOST_ACTIONS = 4096
SLOTS = 8192
"""How many order sets the table can tell apart; a power of two well above any cap."""
LARGEST_HASH = (1 << 40) - 1
FEW = 1024
"""Below it the roots of visits are looked up."""
TRIES = 4
"""How many draws there are for each order set that is wanted by lot."""


class Actions:
    """Lists order sets, each as many codes in a row as the power has units."""

    def __init__(self, game: Playouts) -> None:
        if game is None:
            raise TypeError("order sets are listed for playouts")
        self.game = game
        self.width = self.game.width
        self.units = self.game.own_units
        self.unit_count = 0
        self.rules = CHAINED
        self.chosen = long_integers(game.provinces)
        self.goals = zeros(game.provinces)
        self.option_codes = long_integers(game.provinces * self.width)
        self.option_goals = zeros(game.provinces * self.width)
        self.option_counts = zeros(game.provinces)
        self.room = 0
        self.found_store = long_integers(0)
        self.found = self.found_store
        self.worth_store = long_integers(0)
        self.worths = self.worth_store
        self.count = 0
        self.cap = 0
        self.prunes = 0
        self.threshold = 0
        self.power = 0
        self.sums = long_integers(0)
        self.parents = zeros(0)
        self.choices = zeros(0)
        self.next_parent = zeros(self.width)
        self.slots = long_integers(SLOTS)
        self.inverse_roots = array("d", [0.0, *(1.0 / sqrt(number) for number in range(1, FEW))])

    def list_actions(
        self, power: int, cap: int, prunes: int, rules: int
    ) -> tuple[list[int], list[int]]:
        """Return up to `cap` order sets in a row, and what each is worth.

        When it is pruned, orders to places below the mean weight are left out. If there are more,
        they are drawn by lot; but of CHAINED ones that are pruned the worthiest are listed, and of
        FITTED ones the worthiest is among them.
        """
        self.game.check_power(power)
        if not 0 < cap <= MOST_ACTIONS:
            raise ValueError(f"{cap} order sets cannot be listed, only 1 to {MOST_ACTIONS}")
        self.rules = rules
        self.power = power
        self.cap = cap
        self.prunes = prunes
        self.game.list_own_units(power)
        self.unit_count = self.game.own_count
        room = (cap + 1) * (self.unit_count + 1)
        if room > self.room:
            self.room = room
            self.found_store = long_integers(self.room)
            self.found = self.found_store
            self.parents = zeros(room)
            self.choices = zeros(room)
        if cap >= len(self.worth_store):
            self.worth_store = long_integers(cap + 1)
            self.worths = self.worth_store
            self.sums = long_integers(cap + 1)
        self.list_all()
        return self.found_store[: self.count * self.unit_count], self.worth_store[: self.count]

    def list_all(self) -> None:
        """Fill the lists."""
        if self.prunes:
            self.game.value_all(WEAKEST)
            self.threshold = self.game.total_value(self.power)
        self.count = 0
        if self.rules == CHAINED:
            self.copy_links()
            if self.prunes:
                self.list_best()
                return
        self.descend(0)
        if self.count > self.cap:
            self.draw_all()

    def copy_links(self) -> None:
        """Take the options of all units from the chain, whatever the others do."""
        self.game.list_links(self.power, self.prunes)
        for depth in range(self.unit_count):
            self.option_counts[depth] = self.game.link_counts[depth]
            first = depth * self.width
            for index in range(first, first + self.option_counts[depth]):
                self.option_codes[index] = self.game.link_codes[index]
                self.option_goals[index] = self.game.link_goals[index]

    def list_best(self) -> None:
        """List the worthiest order sets of all, the best first.

        A set is worth the sum of its orders, so the best sets of the first units, each with one
        more order, are all that the best sets of one more unit can be made of.
        """
        count = 1
        self.worths[0] = 0
        for depth in range(self.unit_count):
            count = self.merge(depth, count)
        self.count = count
        for number in range(count):
            place = number
            for back in range(self.unit_count):
                depth = self.unit_count - 1 - back
                row = depth * (self.cap + 1) + place
                code = self.option_codes[depth * self.width + self.choices[row]]
                self.found[number * self.unit_count + depth] = code
                place = self.parents[row]

    def merge(self, depth: int, count: int) -> int:
        """Add the orders of one more unit to the best sets so far, and keep the best of those."""
        options = self.option_counts[depth]
        for option in range(options):
            self.next_parent[option] = 0
        wanted = min(self.cap, count * options)
        for number in range(wanted):
            best = -1
            most = 0
            for option in range(options):
                parent = self.next_parent[option]
                if parent >= count:
                    continue
                goal = self.option_goals[depth * self.width + option]
                worth = self.worths[parent] + self.game.value_at(self.power, goal)
                if best < 0 or worth > most:
                    best = option
                    most = worth
            row = depth * (self.cap + 1) + number
            self.parents[row] = self.next_parent[best]
            self.choices[row] = best
            self.sums[number] = most
            self.next_parent[best] += 1
        for number in range(wanted):
            self.worths[number] = self.sums[number]
        return wanted

    def descend(self, depth: int) -> None:
        """Combine what the units from this one on may do."""
        if depth == self.unit_count:
            self.keep()
            return
        self.list_options(depth)
        for number in range(self.option_counts[depth]):
            self.choose(depth, number)
            self.descend(depth + 1)
            if self.count > self.cap:
                return

    def draw_all(self) -> None:
        """List order sets by lot instead, no two the same."""
        for slot in range(SLOTS):
            self.slots[slot] = 0
        self.count = 0
        tries = TRIES * self.cap
        while tries and self.count < self.cap:
            is_first = self.prunes and tries == TRIES * self.cap
            tries -= 1
            for depth in range(self.unit_count):
                self.list_options(depth)
                number = self.game.state.throw(self.option_counts[depth])
                if is_first:
                    number = self.worthiest(depth)
                self.choose(depth, number)
            if self.is_new():
                self.keep()

    def worthiest(self, depth: int) -> int:
        """Return the option with the highest weight."""
        best = 0
        first = depth * self.width
        for number in range(self.option_counts[depth]):
            value = self.game.value_at(self.power, self.option_goals[first + number])
            if value > self.game.value_at(self.power, self.option_goals[first + best]):
                best = number
        return best

    def is_new(self) -> int:
        """Whether the chosen orders were not drawn before; from now on they were."""
        mixed = 1
        for depth in range(self.unit_count):
            mixed = ((mixed * MIXER) ^ self.chosen[depth]) & LARGEST_HASH
        slot = mixed & (SLOTS - 1)
        while self.slots[slot]:
            if self.slots[slot] == mixed + 1:
                return 0
            slot = (slot + 1) & (SLOTS - 1)
        self.slots[slot] = mixed + 1
        return 1

    def keep(self) -> None:
        """Add the chosen orders to the list."""
        worth = 0
        for depth in range(self.unit_count):
            self.found[self.count * self.unit_count + depth] = self.chosen[depth]
            if self.prunes:
                worth += self.game.value_at(self.power, self.goals[depth])
        self.worths[self.count] = worth
        self.count += 1

    def choose(self, depth: int, number: int) -> None:
        """Let a unit take one of its options."""
        self.chosen[depth] = self.option_codes[depth * self.width + number]
        self.goals[depth] = self.option_goals[depth * self.width + number]

    # What one unit may do, given what the earlier ones do.

    def list_options(self, depth: int) -> None:
        """List the options of a unit, unless they are there already."""
        if self.rules == CHAINED:
            return
        unit = self.units[depth]
        self.option_counts[depth] = 0
        if self.game.has_fixed and self.game.fixed[unit] >= 0:
            self.add(depth, self.game.fixed[unit], self.game.state.unit[unit])
        elif self.game.is_conquering(self.power, unit):
            self.add_hold(depth)
        else:
            self.add_moves(depth, 1)
            self.add_supports(depth)
            if not self.option_counts[depth]:
                self.add_moves(depth, 0)
                self.add_hold(depth)
            if self.prunes:
                self.prune(depth)

    def add(self, depth: int, code: int, goal: int) -> None:
        """Add an option; `goal` is the mover that the unit, or the supported one, would be."""
        at = depth * self.width + self.option_counts[depth]
        self.option_codes[at] = code
        self.option_goals[at] = goal
        self.option_counts[depth] += 1

    def add_hold(self, depth: int) -> None:
        """Let a unit hold."""
        unit = self.units[depth]
        self.add(depth, self.game.code_of(HOLD, unit, 0, 0), self.game.state.unit[unit])

    def add_moves(self, depth: int, only_targets: int) -> None:
        """Let a unit go to the centers next to it, or anywhere."""
        unit = self.units[depth]
        mover = self.game.state.unit[unit]
        base = 0 if mover < self.game.provinces else self.game.provinces
        for index in range(
            self.game.state.step_start[mover], self.game.state.step_start[mover + 1]
        ):
            place = self.game.state.steps[index]
            province = self.game.state.province_of[place]
            if only_targets and not self.game.is_target(self.power, province):
                continue
            if self.game.closed_for == self.power and self.game.closed[province]:
                continue
            if not self.is_claimed(depth, province):
                self.add(depth, self.game.code_of(MOVE, unit, place, 0), base + place)

    def is_claimed(self, depth: int, province: int) -> int:
        """Whether an earlier unit goes there."""
        for earlier in range(depth):
            goal = self.game.state.mover_province[self.goals[earlier]]
            if goal == province and (self.chosen[earlier] & KIND_BITS) == MOVE:
                return 1
        return 0

    def add_supports(self, depth: int) -> None:
        """Let a unit support earlier ones that go to or hold a center."""
        unit = self.units[depth]
        mover = self.game.state.unit[unit]
        for earlier in range(depth):
            kind = self.chosen[earlier] & KIND_BITS
            goal = self.game.state.mover_province[self.goals[earlier]]
            if (kind != MOVE and kind != HOLD) or not self.game.state.is_center[goal]:
                continue
            if goal == unit or not self.game.state.can_reach[mover * self.game.provinces + goal]:
                continue
            other = self.game.state.unit[self.units[earlier]]
            if kind == MOVE:
                code = self.game.code_of(SUPPORT_MOVE, unit, goal, other)
            else:
                code = self.game.code_of(SUPPORT_HOLD, unit, 0, other)
            self.add(depth, code, self.goals[earlier])

    def prune(self, depth: int) -> None:
        """Drop what is worth less than the mean, but never all."""
        first = depth * self.width
        best = self.worthiest(depth)
        kept = 0
        for number in range(self.option_counts[depth]):
            value = self.game.value_at(self.power, self.option_goals[first + number])
            if value * self.game.valid_movers >= self.threshold or number == best:
                self.option_codes[first + kept] = self.option_codes[first + number]
                self.option_goals[first + kept] = self.option_goals[first + number]
                kept += 1
        self.option_counts[depth] = kept

    # The tree.

    def best_child(
        self, rewards: Sequence[float], visits: Sequence[int], count: int, exploration: float
    ) -> int:
        """Return the child with the highest upper bound; every one must have been visited."""
        if not 0 < count <= min(len(rewards), len(visits)):
            raise ValueError(f"there are no {count} children")
        total = 0
        for child in range(count):
            if visits[child] < 1:
                raise ValueError(f"child {child} was never visited")
            total += visits[child]
        scale = exploration * sqrt(2.0 * log(total))
        best = 0
        highest = -1.0
        for child in range(count):
            if visits[child] < FEW:
                bound = rewards[child] / visits[child] + scale * self.inverse_roots[visits[child]]
            else:
                bound = rewards[child] / visits[child] + scale / sqrt(visits[child])
            if bound > highest:
                highest = bound
                best = child
        return best

    def follow(self, kept: list[int], ours: list[int], number: int, theirs: list[int]) -> None:
        """Play order set `number` of `ours` and their orders, to the next movement turn."""
        game = self.game
        game.restore(kept)
        count = self.count_units(kept)
        if number < 0 or (number + 1) * count > len(ours):
            raise IndexError(f"there is no order set {number}")
        state = game.state
        state.begin()
        for index in range(len(theirs)):
            state.give(theirs[index])
        for index in range(number * count, (number + 1) * count):
            state.give(ours[index])
        state.end_phase()
        game.phases += 1
        game.settle_turn()

    def count_units(self, kept: list[int]) -> int:
        """Count the units of the power whose actions are listed, in a saved position."""
        count = 0
        for province in range(self.game.provinces):
            if kept[province] >= 0 and kept[self.game.provinces + province] == self.power:
                count += 1
        return count
