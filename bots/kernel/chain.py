"""What each unit of a power may do by the order rules of the papers' tree searchers.

The first rule that fits is the only one for a unit: in a center that is not its power's it holds;
else it supports what earlier units may do in a center next to it, a move there or a hold; else it
goes to a center next to it that its power neither owns nor occupies; else it goes anywhere or
holds. What earlier units may do counts, not what they will: a support may fit nothing.
"""

from typing import TYPE_CHECKING

from bots.kernel.habits import FRIENDLY
from rules.kernel.codes import HOLD, KIND_BITS, MOVE, SUPPORT_HOLD, SUPPORT_MOVE

if TYPE_CHECKING:
    from rules.kernel import simulator  # compiled, its .pxd says which

from .arrays import long_integers, zeros
from .planner import Planner


class Chain(Planner):
    """Lists options: those of unit n begin at `n * width` and are `link_counts[n]` many."""

    def __init__(self, state: "simulator.Simulator") -> None:
        super().__init__(state)
        self.width = self.choice + self.provinces + 1
        self.own_units = zeros(self.provinces)
        self.own_count = 0
        self.link_codes = long_integers(self.provinces * self.width)
        self.link_goals = zeros(self.provinces * self.width)
        self.link_counts = zeros(self.provinces)

    def list_own_units(self, power: int) -> None:
        """Line up the power's units."""
        self.own_count = 0
        for province in range(self.provinces):
            if self.is_own(power, province):
                self.own_units[self.own_count] = province
                self.own_count += 1

    def is_target(self, power: int, province: int) -> int:
        """Whether a center is neither the power's nor a friend's, nor held by its own unit."""
        owner = self.state.owner[province]
        if not self.state.is_center[province] or owner == power or self.is_own(power, province):
            return 0
        return owner < 0 or self.wishes[power * self.powers + owner] >= FRIENDLY

    def is_conquering(self, power: int, unit: int) -> int:
        """Whether a unit stands in a center that is not its power's."""
        return self.state.is_center[unit] and self.state.owner[unit] != power

    def list_links(self, power: int, prunes: int) -> None:
        """List the options of all units; to prune, the values must have been made."""
        self.list_own_units(power)
        threshold = self.total_value(power) if prunes else 0
        for number in range(self.own_count):
            self.link_counts[number] = 0
            self.list_unit_links(power, number)
            if prunes:
                self.prune_links(power, number, threshold)

    def list_unit_links(self, power: int, number: int) -> None:
        """List the options of one unit, given those of the earlier ones."""
        unit = self.own_units[number]
        if self.has_fixed and self.fixed[unit] >= 0:
            self.add_link(number, self.fixed[unit], self.state.unit[unit])
        elif self.is_conquering(power, unit):
            self.add_hold_link(number)
        else:
            self.add_support_links(number)
            if not self.link_counts[number]:
                self.add_move_links(power, number, 1)
            if not self.link_counts[number]:
                self.add_move_links(power, number, 0)
                self.add_hold_link(number)

    def add_link(self, number: int, code: int, goal: int) -> None:
        """Add an option once; `goal` is the mover that the unit, or the supported one, would be."""
        first = number * self.width
        count = self.link_counts[number]
        for index in range(first, first + count):
            if self.link_codes[index] == code:
                return
        if count < self.width:
            self.link_codes[first + count] = code
            self.link_goals[first + count] = goal
            self.link_counts[number] = count + 1

    def add_hold_link(self, number: int) -> None:
        """Let a unit hold."""
        unit = self.own_units[number]
        self.add_link(number, self.code_of(HOLD, unit, 0, 0), self.state.unit[unit])

    def add_move_links(self, power: int, number: int, only_targets: int) -> None:
        """Let a unit go to the centers next to it, or anywhere."""
        unit = self.own_units[number]
        mover = self.state.unit[unit]
        base = 0 if mover < self.provinces else self.provinces
        for index in range(self.state.step_start[mover], self.state.step_start[mover + 1]):
            place = self.state.steps[index]
            province = self.state.province_of[place]
            if only_targets and not self.is_target(power, province):
                continue
            if self.closed_for == power and self.closed[province]:
                continue
            self.add_link(number, self.code_of(MOVE, unit, place, 0), base + place)

    def add_support_links(self, number: int) -> None:
        """Let a unit support what earlier ones may do in the centers that it reaches."""
        unit = self.own_units[number]
        mover = self.state.unit[unit]
        for earlier in range(number):
            first = earlier * self.width
            other = self.state.unit[self.own_units[earlier]]
            for index in range(first, first + self.link_counts[earlier]):
                kind = self.link_codes[index] & KIND_BITS
                goal = self.state.mover_province[self.link_goals[index]]
                if (kind != MOVE and kind != HOLD) or not self.state.is_center[goal]:
                    continue
                if goal == unit or not self.state.can_reach[mover * self.provinces + goal]:
                    continue
                code = self.code_of(SUPPORT_HOLD, unit, 0, other)
                if kind == MOVE:
                    code = self.code_of(SUPPORT_MOVE, unit, goal, other)
                self.add_link(number, code, self.link_goals[index])

    def worthiest_link(self, power: int, number: int) -> int:
        """Return which option of a unit has the highest weight."""
        first = number * self.width
        best = 0
        for option in range(1, self.link_counts[number]):
            value = self.value_at(power, self.link_goals[first + option])
            if value > self.value_at(power, self.link_goals[first + best]):
                best = option
        return best

    def prune_links(self, power: int, number: int, threshold: int) -> None:
        """Drop what is worth less than the mean of all places, but never all."""
        first = number * self.width
        best = self.worthiest_link(power, number)
        kept = 0
        for option in range(self.link_counts[number]):
            value = self.value_at(power, self.link_goals[first + option])
            if value * self.valid_movers >= threshold or option == best:
                self.link_codes[first + kept] = self.link_codes[first + option]
                self.link_goals[first + kept] = self.link_goals[first + option]
                kept += 1
        self.link_counts[number] = kept

    def plan_worthiest_links(self, power: int) -> None:
        """Plan the order set of the chain with the highest sum of weights; those must be there."""
        self.begin_plan(power)
        self.list_links(power, 1)
        for number in range(self.own_count):
            unit = self.own_units[number]
            best = self.worthiest_link(power, number)
            self.plan[unit] = self.link_codes[number * self.width + best]
