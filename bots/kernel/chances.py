"""How likely orders succeed, when what the others do is known by probabilities only.

Each power has one mixture of order sets, kept as tables: how likely it attacks a province with at
most so much strength, how likely each of its units stays with how much strength, and where each
unit goes. A set of one power is judged against the tables of the others without any adjudication;
`climb` improves a set step by step, `blend` mixes it into the tables of its power.
"""

from array import array
from collections.abc import Sequence

from rules.kernel.codes import (
    CONVOY,
    FIELD_BITS,
    KIND_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    OTHER_SHIFT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    TARGET_SHIFT,
)

from .arrays import integers, long_integers, zeros
from .playouts import Playouts

LEVELS = 5
"""Strengths 0 to 3, and 4 or more."""
STRONGEST = 4
UNKNOWN = -1.0
LEAST_GAIN = 1e-9


class Chances:
    """Judges order sets in the position of a game's simulator.

    A set is kept by province, in `plan`; only the units of the power that is judged count there.
    """

    def __init__(self, game: Playouts) -> None:
        self.game = game
        self.provinces = game.provinces
        self.powers = game.powers
        self.movers = game.movers
        # By power, province and strength: how likely an attack there is no stronger.
        self.at_most = doubles(self.powers * self.provinces * LEVELS)
        # By province and strength: how likely the unit there stays with it; 0 means it is gone.
        self.stays = doubles(self.provinces * LEVELS)
        # By province and province: how likely the unit of the first one is ordered to the second.
        self.flow = doubles(self.provinces * self.provinces)
        self.gains = doubles(self.powers * self.movers)
        self.center_weight = 0.0
        self.loss = 0.0
        self.prey = 0.0
        self.plan = long_integers(self.provinces)
        self.units = zeros(self.provinces)
        self.unit_count = 0
        self.owned = zeros(self.provinces)
        self.owned_count = 0
        self.calm = doubles(self.provinces * LEVELS)
        # Of the set that is judged, by province.
        self.goal = zeros(self.provinces)
        self.comer = zeros(self.provinces)
        self.clash = zeros(self.provinces)
        self.helper = zeros(self.provinces)
        self.next_helper = zeros(self.provinces)
        self.carried = zeros(self.provinces)
        self.strength = doubles(self.provinces * LEVELS)
        self.success = doubles(self.provinces)
        self.beaten = doubles(self.provinces)
        self.saved = long_integers(self.provinces)
        self.around_start = integers(game.state.tables.around_start)
        self.around = integers(game.state.tables.around)

    # The tables.

    def weigh(self, center_weight: float, loss: float, prey: float) -> None:
        """Say what a center counts, a unit of ours that is lost, and one that others lose."""
        self.center_weight = center_weight
        self.loss = loss
        self.prey = prey

    def set_gain(self, power: int, mover: int, gain: float) -> None:
        """Say what it is worth to a power that a unit of its own stands there."""
        self.check_power(power)
        if not 0 <= mover < self.movers:
            raise ValueError("no such mover")
        self.gains[power * self.movers + mover] = gain

    def check_power(self, power: int) -> None:
        """Refuse what would read beyond the tables."""
        if not 0 <= power < self.powers:
            raise ValueError("no such power")

    def check_code(self, code: int) -> None:
        """Refuse an order whose parts are not on the board."""
        parts = code >> MOVER_SHIFT
        state = self.game.state
        if code < 0 or (parts & FIELD_BITS) >= self.movers:
            raise ValueError("no such mover")
        if ((code >> TARGET_SHIFT) & FIELD_BITS) >= state.locations:
            raise ValueError("no such location")
        kind = code & KIND_BITS
        if kind != MOVE_BY_CONVOY and ((code >> OTHER_SHIFT) & FIELD_BITS) >= self.movers:
            raise ValueError("no such mover to help")

    def forget(self) -> None:
        """Begin with units that all stay."""
        for index in range(self.powers * self.provinces * LEVELS):
            self.at_most[index] = 1.0
        for province in range(self.provinces):
            for other in range(self.provinces):
                self.flow[province * self.provinces + other] = 0.0
            for level in range(LEVELS):
                self.stays[province * LEVELS + level] = 1.0 if level == 1 else 0.0

    def face(self, power: int) -> None:
        """Get ready to judge sets of a power against the present tables of the others."""
        self.check_power(power)
        self.unit_count = 0
        self.owned_count = 0
        for province in range(self.provinces):
            self.goal[province] = -1
            self.comer[province] = -1
            self.clash[province] = 0
            if self.game.state.owner[province] == power:
                self.owned[self.owned_count] = province
                self.owned_count += 1
            if self.game.is_own(power, province):
                self.units[self.unit_count] = province
                self.unit_count += 1
            for level in range(LEVELS):
                chance = 1.0
                for other in range(self.powers):
                    if other != power:
                        at = (other * self.provinces + province) * LEVELS + level
                        chance *= self.at_most[at]
                self.calm[province * LEVELS + level] = chance

    def blend(self, power: int, share: float) -> None:
        """Mix the set in `plan` into the tables of a power; `face` must have been called."""
        self.judge(power)
        rest = 1.0 - share
        first = power * self.provinces * LEVELS
        for province in range(self.provinces):
            comer = self.comer[province]
            chance = 0.0
            for level in range(LEVELS):
                now = 1.0
                if comer >= 0:
                    if level > 0:
                        chance += self.strength[comer * LEVELS + level]
                    now = chance
                at = first + province * LEVELS + level
                self.at_most[at] = rest * self.at_most[at] + share * now
        for index in range(self.unit_count):
            self.blend_unit(self.units[index], share)

    def blend_unit(self, unit: int, share: float) -> None:
        """Mix where one unit goes, or how it stays, into the tables."""
        rest = 1.0 - share
        goal = self.goal[unit]
        for other in range(self.provinces):
            at = unit * self.provinces + other
            self.flow[at] = rest * self.flow[at] + (share if other == goal else 0.0)
        for level in range(LEVELS):
            now = self.strength[unit * LEVELS + level]
            if goal >= 0:
                now = 0.0
                if level == 0:
                    now = self.success[unit]
                elif level == 1:
                    now = 1.0 - self.success[unit]
            at = unit * LEVELS + level
            self.stays[at] = rest * self.stays[at] + share * now

    # Sets.

    def put(self, code: int) -> None:
        """Put an order into the set."""
        self.check_code(code)
        self.plan[self.game.state.mover_province[(code >> MOVER_SHIFT) & FIELD_BITS]] = code

    def take_plan(self, power: int) -> None:
        """Draw a set of the power in DumbBot's manner; the values must be there."""
        self.check_power(power)
        self.game.plan_power(power)
        for province in range(self.provinces):
            if self.game.is_own(power, province):
                self.plan[province] = self.game.plan[province]

    def ordered(self) -> list[int]:
        """Return the orders of the set, by province."""
        return [self.plan[self.units[index]] for index in range(self.unit_count)]

    def judge(self, power: int) -> float:
        """Return what the set in `plan` is worth to a power against the tables."""
        self.check_power(power)
        return self.expected(power)

    def expected(self, power: int) -> float:
        """Judge without a look at the power."""
        self.read_plan()
        total = 0.0
        for index in range(self.unit_count):
            self.add_up(self.units[index])
        for index in range(self.unit_count):
            unit = self.units[index]
            if self.goal[unit] >= 0:
                self.resolve(unit)
        for index in range(self.unit_count):
            total += self.worth_of(power, self.units[index])
        for index in range(self.owned_count):
            total -= self.center_weight * self.danger(self.owned[index])
        return total

    def read_plan(self) -> None:
        """See who goes where and who helps whom."""
        for index in range(self.unit_count):
            goal = self.goal[self.units[index]]
            if goal >= 0:
                self.comer[goal] = -1
                self.clash[goal] = 0
        for index in range(self.unit_count):
            unit = self.units[index]
            code = self.plan[unit]
            kind = code & KIND_BITS
            self.goal[unit] = -1
            self.helper[unit] = -1
            self.carried[unit] = 1
            self.success[unit] = UNKNOWN
            if kind == MOVE or kind == MOVE_BY_CONVOY:
                goal = self.game.state.province_of[(code >> TARGET_SHIFT) & FIELD_BITS]
                self.goal[unit] = goal
                self.carried[unit] = 1 if kind == MOVE else 0
                if self.comer[goal] >= 0:
                    self.clash[goal] = 1
                self.comer[goal] = unit
        for index in range(self.unit_count):
            self.read_help(self.units[index])

    def read_help(self, unit: int) -> None:
        """Note whom a unit supports or carries, if that one does what it is helped to do."""
        code = self.plan[unit]
        kind = code & KIND_BITS
        if kind != SUPPORT_HOLD and kind != SUPPORT_MOVE and kind != CONVOY:
            return
        other = self.game.state.mover_province[(code >> OTHER_SHIFT) & FIELD_BITS]
        if self.game.state.power[other] != self.game.state.power[unit]:
            return
        target = self.game.state.province_of[(code >> TARGET_SHIFT) & FIELD_BITS]
        if kind == SUPPORT_HOLD:
            if self.goal[other] < 0:
                self.next_helper[unit] = self.helper[other]
                self.helper[other] = unit
        elif self.goal[other] == target:
            if kind == CONVOY:
                self.carried[other] = 1
            else:
                self.next_helper[unit] = self.helper[other]
                self.helper[other] = unit

    def add_up(self, unit: int) -> None:
        """Work out with which strength a unit attacks or stays, and how likely."""
        base = unit * LEVELS
        for level in range(LEVELS):
            self.strength[base + level] = 0.0
        self.strength[base + 1] = 1.0
        helper = self.helper[unit]
        while helper >= 0:
            chance = self.uncut(helper, self.goal[unit])
            for level in range(STRONGEST, 1, -1):
                keeps = 1.0 if level == STRONGEST else 1.0 - chance
                self.strength[base + level] = (
                    keeps * self.strength[base + level] + chance * self.strength[base + level - 1]
                )
            self.strength[base + 1] *= 1.0 - chance
            helper = self.next_helper[helper]

    def uncut(self, helper: int, goal: int) -> float:
        """Return how likely nobody cuts a support; who is attacked by it does not cut it."""
        chance = 1.0
        own = self.game.state.power[helper]
        for index in range(self.around_start[helper], self.around_start[helper + 1]):
            province = self.around[index]
            if province == goal or self.game.state.unit[province] < 0:
                continue
            if self.game.state.power[province] != own:
                chance *= 1.0 - self.flow[province * self.provinces + helper]
        return chance

    def resolve(self, unit: int) -> None:
        """Work out how likely a move succeeds, after that of the unit before it."""
        if self.success[unit] >= 0.0:
            return
        goal = self.goal[unit]
        self.success[unit] = 0.0
        self.beaten[unit] = 0.0
        if self.clash[goal] or not self.carried[unit]:
            return
        left = 1.0
        is_foreign = 0
        if self.game.state.unit[goal] >= 0:
            if self.game.state.power[goal] != self.game.state.power[unit]:
                is_foreign = 1
                left = self.stays[goal * LEVELS]
            elif self.goal[goal] < 0 or self.goal[goal] == unit:
                return
            else:
                # A ring of our own units moves together unless somebody interferes.
                self.success[unit] = 1.0
                self.resolve(goal)
                left = self.success[goal]
        total = 0.0
        prey = 0.0
        weaker = left
        for level in range(1, LEVELS):
            chance = self.strength[unit * LEVELS + level] * self.calm[goal * LEVELS + level - 1]
            total += chance * weaker
            prey += chance * (weaker - left)
            if is_foreign:
                weaker += self.stays[goal * LEVELS + level]
        self.success[unit] = total
        self.beaten[unit] = prey

    def fall(self, unit: int) -> float:
        """Return how likely a unit that has not moved is dislodged."""
        if self.goal[unit] >= 0:
            return 1.0 - self.calm[unit * LEVELS + 1]
        chance = 0.0
        for level in range(1, LEVELS):
            chance += self.strength[unit * LEVELS + level] * (
                1.0 - self.calm[unit * LEVELS + level]
            )
        return chance

    def worth_of(self, power: int, unit: int) -> float:
        """Return what the order of one unit is likely to bring."""
        base = power * self.movers
        mover = self.game.state.unit[unit]
        if mover < 0:
            return 0.0
        falls = self.fall(unit)
        staying = (1.0 - falls) * self.gains[base + mover] - falls * self.loss
        if self.goal[unit] < 0:
            return staying
        target = (self.plan[unit] >> TARGET_SHIFT) & FIELD_BITS
        if mover >= self.provinces:
            target += self.provinces
        success = self.success[unit]
        return (
            success * self.gains[base + target]
            + (1.0 - success) * staying
            + self.prey * self.beaten[unit]
        )

    def danger(self, center: int) -> float:
        """Return how likely another power ends up in a center of ours."""
        comer = self.comer[center]
        entered = 1.0 - self.calm[center * LEVELS]
        if comer >= 0:
            entered = 0.0
            for level in range(1, LEVELS):
                entered += self.strength[comer * LEVELS + level] * (
                    1.0 - self.calm[center * LEVELS + level]
                )
        if self.game.state.unit[center] < 0:
            return entered
        if self.game.state.power[center] != self.game.state.owner[center]:
            # Another power is there already; what counts is whether we drive it out.
            return 1.0 if comer < 0 else 1.0 - self.success[comer]
        if self.goal[center] < 0:
            return self.fall(center)
        gone = self.success[center]
        return gone * entered + (1.0 - gone) * self.fall(center)

    def climb(
        self,
        power: int,
        starts: Sequence[int],
        units: Sequence[int],
        codes: Sequence[int],
        passes: int,
    ) -> float:
        """Improve the set in `plan` by changes as long as that helps; return its worth.

        Change n gives the units `units[starts[n]:starts[n + 1]]`, by province, new orders.
        """
        self.check_power(power)
        count = len(starts) - 1
        self.check_changes(count, starts, units, codes)
        best = self.expected(power)
        for _ in range(passes):
            before = best
            for number in range(count):
                first = starts[number]
                size = starts[number + 1] - first
                is_new = 0
                for step in range(size):
                    unit = units[first + step]
                    self.saved[step] = self.plan[unit]
                    if self.plan[unit] != codes[first + step]:
                        is_new = 1
                    self.plan[unit] = codes[first + step]
                if not is_new:
                    continue
                worth = self.expected(power)
                if worth > best + LEAST_GAIN:
                    best = worth
                else:
                    for step in range(size):
                        self.plan[units[first + step]] = self.saved[step]
            if best <= before + LEAST_GAIN:
                break
        return best

    def check_changes(
        self, count: int, starts: Sequence[int], units: Sequence[int], codes: Sequence[int]
    ) -> None:
        """Refuse changes that point beyond what is there."""
        if count < 0 or starts[0] != 0 or starts[count] > len(codes) or len(codes) != len(units):
            raise ValueError("starts point beyond the codes")
        for number in range(count):
            size = starts[number + 1] - starts[number]
            if size < 0 or size > self.provinces:
                raise ValueError("starts must rise")
        for index in range(starts[count]):
            if not 0 <= units[index] < self.provinces:
                raise ValueError("no such province")
            self.check_code(codes[index])


def doubles(count: int) -> "array[float]":
    """Return so many zeros."""
    return array("d", bytes(8 * count))
