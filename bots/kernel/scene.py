"""What is seen of an order: its features, packed into one integer (`bots.patterns.features`).

A vector has two bits for the type of the order and two for each field; 0 says that the field means
nothing here.
"""

from typing import TYPE_CHECKING

from rules.kernel.codes import (
    CONVOY,
    FALL,
    FIELD_BITS,
    HOLD,
    KIND_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    OTHER_SHIFT,
    SPRING,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    TARGET_SHIFT,
)

from .arrays import zeros

if TYPE_CHECKING:
    from rules.kernel import simulator  # compiled, its .pxd says which

YOU = 1
ENEMY = 2
NOBODY = 3
NONE_NEAR = 1
YOU_NEAR = 2
ENEMY_NEAR = 3
FAR = 99


class Scene:
    """One movement turn, looked at by any power; it holds until the simulator goes on.

    Wide scenes also have what the paper has not: the season, how many steps a unit is from a center
    that is not its own power's, and whether a move changes that.
    """

    def __init__(self, state: "simulator.Simulator", *, is_wide: bool) -> None:
        self.state = state
        self.is_wide = is_wide
        self.provinces = state.provinces
        self.powers = state.powers
        self.movers = state.movers
        # By province, and by power and province: how many units could go there.
        self.total = zeros(self.provinces)
        self.own = zeros(self.powers * self.provinces)
        self.is_measured = zeros(self.powers)
        self.distances = zeros(self.powers * self.movers if is_wide else 1)
        self.edge = zeros(self.movers)
        for province in range(self.provinces):
            if self.state.unit[province] >= 0:
                self.count_near(self.state.unit[province], self.state.power[province])

    def count_near(self, mover: int, power: int) -> None:
        """Count one unit where it could go."""
        for index in range(self.state.near_start[mover], self.state.near_start[mover + 1]):
            self.total[self.state.near[index]] += 1
            self.own[power * self.provinces + self.state.near[index]] += 1

    def own_choices(self) -> list[list[list[int]]]:
        """Return by power and unit the legal orders that concern no foreign unit."""
        if self.state.season != SPRING and self.state.season != FALL:
            raise ValueError("this is no movement turn")
        codes, starts = self.state.legal_arrays()
        found: list[list[list[int]]] = [[] for _ in range(self.powers)]
        number = 0
        for province in range(self.provinces):
            if self.state.unit[province] < 0:
                continue
            power = self.state.power[province]
            own: list[int] = []
            for index in range(starts[number], starts[number + 1]):
                code = codes[index]
                if self.is_own(power, code):
                    own.append(code)
            found[power].append(own)
            number += 1
        return found

    def is_own(self, power: int, code: int) -> int:
        """Whether an order concerns no unit of another power."""
        kind = code & KIND_BITS
        if kind != SUPPORT_HOLD and kind != SUPPORT_MOVE and kind != CONVOY:
            return 1
        place = self.state.mover_province[(code >> OTHER_SHIFT) & FIELD_BITS]
        return 1 if self.state.power[place] == power else 0

    def vector(self, power: int, code: int) -> int:
        """Return the features of an order of that power."""
        if not self.is_known(power, code):
            raise ValueError("no order on this board")
        found = self.narrow(power, code)
        if not self.is_wide:
            return found
        if not self.is_measured[power]:
            self.measure(power)
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        base = power * self.movers
        here = self.distances[base + mover]
        nearest = min(here, 2) + 1
        found |= ((1 if self.state.season == SPRING else 2) << 26) | (nearest << 28)
        if code & KIND_BITS != MOVE:
            return found
        goal = (code >> TARGET_SHIFT) & FIELD_BITS
        if mover >= self.provinces:
            goal += self.provinces
        there = self.distances[base + goal]
        change = 1 if there < here else 2 if there == here else 3
        return found | (change << 30)

    def is_known(self, power: int, code: int) -> int:
        """Whether there is such a power, and what an order of units names is on the board."""
        kind = code & KIND_BITS
        if power < 0 or power >= self.powers or code < 0 or kind > MOVE_BY_CONVOY:
            return 0
        if (code >> MOVER_SHIFT) & FIELD_BITS >= self.movers:
            return 0
        target = (code >> TARGET_SHIFT) & FIELD_BITS
        if kind == MOVE or kind == MOVE_BY_CONVOY:
            return 1 if target < self.state.locations else 0
        if kind == HOLD:
            return 1
        other = (code >> OTHER_SHIFT) & FIELD_BITS
        return 1 if target < self.provinces and other < self.movers else 0

    def measure(self, power: int) -> None:
        """Find by mover how many steps it is from a center that the power does not own."""
        base = power * self.movers
        self.is_measured[power] = 1
        end = 0
        for mover in range(self.movers):
            place = self.state.mover_province[mover]
            self.distances[base + mover] = FAR
            if self.state.is_center[place] and self.state.owner[place] != power:
                self.distances[base + mover] = 0
                self.edge[end] = mover
                end += 1
        first = 0
        while first < end:
            mover = self.edge[first]
            first += 1
            offset = 0 if mover < self.provinces else self.provinces
            for index in range(self.state.step_start[mover], self.state.step_start[mover + 1]):
                place = offset + self.state.steps[index]
                if self.distances[base + place] == FAR:
                    self.distances[base + place] = self.distances[base + mover] + 1
                    self.edge[end] = place
                    end += 1

    def narrow(self, power: int, code: int) -> int:
        """Return the features that the paper has."""
        kind = code & KIND_BITS
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        target = (code >> TARGET_SHIFT) & FIELD_BITS
        here = self.state.mover_province[mover]
        found = (1 if mover < self.provinces else 2) << 2
        found |= self.place(power, here) << 4
        found |= self.adjacent(power, here, 0) << 8
        if kind == HOLD:
            return found
        if kind == MOVE or kind == MOVE_BY_CONVOY:
            goal = self.state.province_of[target]
            return found | 1 | (self.target(power, goal, 1 if kind == MOVE else 0) << 10)
        other = (code >> OTHER_SHIFT) & FIELD_BITS
        its_place = self.state.mover_province[other]
        found |= 3 if kind == CONVOY else 2
        if kind == SUPPORT_HOLD:
            goal = its_place
            present = 1
            act = 1
        else:
            # The supporter sees the goal, and so does who goes there over land.
            goal = target
            act = 2
            present = self.state.can_reach[other * self.provinces + goal]
            if kind == SUPPORT_MOVE:
                present += 1
        found |= self.target(power, goal, present) << 10
        found |= (1 if other < self.provinces else 2) << 18
        found |= (self.place(power, its_place) >> 2) << 20
        sees_other = self.state.can_reach[mover * self.provinces + its_place]
        found |= self.adjacent(power, its_place, sees_other) << 22
        return found | (act << 24)

    def place(self, power: int, province: int) -> int:
        """Return two fields: center or not, and who controls it."""
        if not self.state.is_center[province]:
            return 2
        owner = self.state.owner[province]
        return 1 | ((YOU if owner == power else NOBODY if owner < 0 else ENEMY) << 2)

    def target(self, power: int, province: int, sees: int) -> int:
        """Return four fields: those of the place, who is there, and who is next to it."""
        occupied = 1
        if self.state.unit[province] >= 0:
            occupied = 2 if self.state.power[province] == power else 3
        near = self.adjacent(power, province, sees)
        return self.place(power, province) | (occupied << 4) | (near << 6)

    def adjacent(self, power: int, province: int, without: int) -> int:
        """Say who else is next to a province; `without` counts units of the order itself."""
        total = self.total[province] - without
        if total <= 0:
            return NONE_NEAR
        own = self.own[power * self.provinces + province] - without
        return YOU_NEAR if own == total else ENEMY_NEAR
