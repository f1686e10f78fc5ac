"""Adjudicate many plans for one position that differ in a few orders.

Orders touch one another only where they name the same place. The plan that all variations come from
falls into parts of the board that have nothing to do with each other; a variation is judged only in
those parts that its orders name, everywhere else the plan's own results stand.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rules.kernel.codes import MOVE, MOVE_BY_CONVOY, SUPPORT_HOLD

if TYPE_CHECKING:
    from rules.kernel import simulator  # compiled, its .pxd says which

from .legality import long_integers
from .state import zeros

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython


class Variations:
    """Candidates for a simulator's position, and a plan that is made of some of them.

    A candidate is any number of orders, commonly those of one power. `choose` joins candidates to a
    plan; `judge` says what comes of the plan when one candidate takes the place of what the plan
    has for the same units. A unit that has no order holds.
    """

    def __init__(self, state: "simulator.Simulator") -> None:
        self.state = state
        count = state.provinces
        self.count = 0
        self.codes = long_integers(1)
        self.starts = zeros(1)
        # The plan by province: its orders as the simulator keeps them, and what comes of them.
        self.order = long_integers(count)
        self.note = zeros(count)
        self.kind = zeros(count)
        self.goal = zeros(count)
        self.goal_place = zeros(count)
        self.other = zeros(count)
        self.route_start = zeros(count)
        self.route_length = zeros(count)
        self.route_end = 0
        self.moving = zeros(count)
        self.arriving = zeros(count)
        self.conqueror = zeros(count)
        self.is_dislodged = bytearray(count)
        self.outcome = bytearray(count)
        # By province: one province that stands for its part; by that one: the units of the part.
        self.part = zeros(count)
        self.first_unit = zeros(count)
        self.next_unit = zeros(count)
        self.mark = 0
        self.marked = zeros(count)
        self.changed = zeros(count)
        self.changed_count = 0
        self.affected = zeros(count)
        self.affected_count = 0

    def take(self, codes: Sequence[int], starts: Sequence[int]) -> None:
        """Take candidates for the simulator's position; n is `codes[starts[n]:starts[n + 1]]`."""
        last = 0
        for start in starts:
            if not last <= start <= len(codes):
                raise ValueError(f"starts must rise from 0 to the number of codes: {start}")
            last = start
        if not len(starts):
            raise ValueError("starts must have an entry for the end")
        kept = long_integers(len(codes) + 1)
        for index in range(len(codes)):
            kept[index] = codes[index]
        begins = zeros(len(starts))
        for index in range(len(starts)):
            begins[index] = starts[index]
        self.codes = kept
        self.starts = begins
        self.count = len(starts) - 1
        self.changed_count = 0
        self.affected_count = 0

    def choose(self, numbers: Sequence[int]) -> None:
        """Make these candidates together the plan, and judge it."""
        for number in numbers:
            if not 0 <= number < self.count:
                raise ValueError(f"there is no candidate {number}")
        self.state.begin()
        for number in numbers:
            for index in range(self.starts[number], self.starts[number + 1]):
                self.state.give(self.codes[index])
        self.judge_plan()

    def judge_plan(self) -> None:
        """Judge the orders that were given, and remember everything about them."""
        self.changed_count = 0
        self.affected_count = 0
        self.state.resolve()
        self.state.conclude()
        self.route_end = self.state.route_end
        for province in range(self.state.provinces):
            self.outcome[province] = 0
            self.conqueror[province] = self.state.conqueror[province]
        for index in range(self.state.unit_count):
            self.keep(self.state.units[index])
        self.divide()

    def keep(self, unit: int) -> None:
        """Remember a unit's order and what came of it."""
        self.order[unit] = self.state.order[unit]
        self.note[unit] = self.state.note[unit]
        self.kind[unit] = self.state.kind[unit]
        self.goal[unit] = self.state.goal[unit]
        self.goal_place[unit] = self.state.goal_place[unit]
        self.other[unit] = self.state.other[unit]
        self.route_start[unit] = self.state.route_start[unit]
        self.route_length[unit] = self.state.route_length[unit]
        self.moving[unit] = self.state.moving[unit]
        self.arriving[unit] = self.state.arriving[unit]
        self.is_dislodged[unit] = self.state.is_dislodged[unit]
        self.outcome[unit] = self.state.outcome_of(unit)

    # The parts of the board.

    def divide(self) -> None:
        """Find out which units of the plan may have to do with each other."""
        for province in range(self.state.provinces):
            self.part[province] = province
            self.first_unit[province] = -1
        for index in range(self.state.unit_count):
            unit = self.state.units[index]
            kind = self.kind[unit]
            if kind == MOVE or kind == MOVE_BY_CONVOY:
                self.join(unit, self.goal[unit])
            if kind >= SUPPORT_HOLD and kind != MOVE_BY_CONVOY:
                self.join(unit, self.other[unit])
            if kind == MOVE_BY_CONVOY:
                first = self.route_start[unit]
                for step in range(first, first + self.route_length[unit]):
                    self.join(unit, self.state.routes[step])
        for province in range(self.state.provinces):
            self.part[province] = self.part_of(province)
        for index in range(self.state.unit_count):
            unit = self.state.units[index]
            part = self.part[unit]
            self.next_unit[unit] = self.first_unit[part]
            self.first_unit[part] = unit

    def join(self, province: int, other: int) -> None:
        """Make one part of two."""
        self.part[self.part_of(other)] = self.part_of(province)

    def part_of(self, province: int) -> int:
        """Return the province that stands for the part."""
        while self.part[province] != province:
            self.part[province] = self.part[self.part[province]]
            province = self.part[province]
        return province

    # One variation.

    def vary(self, number: int) -> int:
        """Judge the plan with this candidate, for `lay`; say whether any order differs.

        None differs in a candidate that is not there: this is called where nothing can be raised.
        """
        self.go_back()
        if not 0 <= number < self.count:
            return 0
        return self.judge(number)

    def judge(self, number: int) -> int:
        """Judge the parts of the plan that this candidate touches; say whether any order differs.

        Elsewhere the simulator may still have what came of the variation before.
        """
        self.take_orders_back()
        for index in range(self.starts[number], self.starts[number + 1]):
            self.change(self.codes[index])
        return self.judge_changes()

    def judge_changes(self) -> int:
        """Judge the parts of the plan that the changed orders touch; say whether there are any."""
        self.affected_count = 0
        if not self.changed_count:
            return 0
        self.find_affected()
        self.state.open_orders(self.affected, self.affected_count)
        self.state.decide()
        self.state.conclude_units(self.affected, self.affected_count)
        return 1

    def change(self, code: int) -> None:
        """Give an order, unless the plan has the same for the unit."""
        if not self.state.has_mover(code):
            return
        unit = self.state.mover_in(code)
        if self.state.order[unit] != code:
            self.state.give(code)
            self.changed[self.changed_count] = unit
            self.changed_count += 1
            if self.changed_count == self.state.provinces:
                self.changed_count = self.unique_changes()

    def unique_changes(self) -> int:
        """Keep each changed unit once; only a candidate that repeats itself needs it."""
        self.mark += 1
        kept = 0
        for index in range(self.changed_count):
            unit = self.changed[index]
            if self.marked[unit] != self.mark:
                self.marked[unit] = self.mark
                self.changed[kept] = unit
                kept += 1
        return kept

    def find_affected(self) -> None:
        """List the units of all parts that the changed orders name."""
        self.mark += 1
        for index in range(self.changed_count):
            unit = self.changed[index]
            self.affect(unit)
            kind = self.state.kind[unit]
            if kind == MOVE:
                self.affect(self.state.goal[unit])
            elif kind == MOVE_BY_CONVOY:
                self.affect(self.state.goal[unit])
                first = self.state.route_start[unit]
                for step in range(first, first + self.state.route_length[unit]):
                    self.affect(self.state.routes[step])
            elif kind:
                self.affect(self.state.other[unit])

    def affect(self, province: int) -> None:
        """Add the units of a part, once."""
        part = self.part[province]
        if self.marked[part] == self.mark:
            return
        self.marked[part] = self.mark
        unit = self.first_unit[part]
        while unit >= 0:
            self.affected[self.affected_count] = unit
            self.affected_count += 1
            unit = self.next_unit[unit]

    # Back to the plan.

    def go_back(self) -> None:
        """Let the simulator hold the plan and its results again."""
        for index in range(self.affected_count):
            self.reset(self.affected[index])
        self.affected_count = 0
        self.take_orders_back()

    def reset(self, unit: int) -> None:
        """Let the plan's results stand for a unit and where it goes."""
        self.state.moving[unit] = self.moving[unit]
        self.state.arriving[unit] = self.arriving[unit]
        self.state.is_dislodged[unit] = self.is_dislodged[unit]
        self.state.conqueror[unit] = self.conqueror[unit]
        if self.kind[unit] == MOVE or self.kind[unit] == MOVE_BY_CONVOY:
            self.state.conqueror[self.goal[unit]] = self.conqueror[self.goal[unit]]

    def take_orders_back(self) -> None:
        """Give the units their orders of the plan."""
        for index in range(self.changed_count):
            self.take_back(self.changed[index])
        self.changed_count = 0
        self.state.route_end = self.route_end

    def take_back(self, unit: int) -> None:
        """Give a unit its order of the plan."""
        self.state.order[unit] = self.order[unit]
        self.state.note[unit] = self.note[unit]
        self.state.kind[unit] = self.kind[unit]
        self.state.goal[unit] = self.goal[unit]
        self.state.goal_place[unit] = self.goal_place[unit]
        self.state.other[unit] = self.other[unit]
        self.state.route_start[unit] = self.route_start[unit]
        self.state.route_length[unit] = self.route_length[unit]

    # For callers.

    def judge_all(self, outcomes: bytearray) -> None:
        """Judge the plan with each candidate in turn, without the interpreter's lock.

        `outcomes[n * provinces + p]` is the outcome (see `Simulator`) of the order for the unit in
        province p when candidate n is played; 0 where there is no unit.
        """
        if len(outcomes) < self.count * self.state.provinces:
            raise ValueError("outcomes must have a place for each candidate and province")
        self.repeat_outcomes(outcomes)
        with cython.nogil:
            for number in range(self.count):
                self.write_outcomes(number, outcomes)
            for index in range(self.state.unit_count):
                self.reset(self.state.units[index])
            self.take_orders_back()
            self.affected_count = 0

    def repeat_outcomes(self, outcomes: bytearray) -> None:
        """Write the outcomes of the plan for every candidate."""
        done = self.state.provinces
        total = self.count * done
        if total:
            outcomes[:done] = self.outcome
        while done < total:
            more = min(done, total - done)
            outcomes[done : done + more] = outcomes[:more]
            done += more

    def write_outcomes(self, number: int, outcomes: bytearray) -> None:
        """Write in what one variation differs."""
        first = number * self.state.provinces
        if self.judge(number):
            for index in range(self.affected_count):
                unit = self.affected[index]
                outcomes[first + unit] = self.state.outcome_of(unit)

    def lay(self, after: "simulator.Simulator | None") -> None:
        """Put what follows from the variation that was judged last into another simulator.

        It is the next turn of the game, a turn of retreats where units were dislodged. A simulator
        of another map is left as it is.
        """
        if after is None or after.provinces != self.state.provinces:
            return
        after.take_over(self.state)
        self.state.move_in(after)
        after.next_turn()
