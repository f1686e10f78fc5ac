"""Play on from a position, every power by a policy of its own, and say what has come of it."""

from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING

from bots.kernel.habits import (
    ANY_ORDERS,
    BY_VALUES,
    DUMBBOT,
    FAR_SCRAMBLE,
    FRIENDLY,
    GRAB_OR_ANY,
    GRAB_OR_HOLD,
    POLICIES,
    RANDOMBOT,
    SCRAMBLE,
    STYLES,
    WEAKEST,
    WHOLE,
    WORTHIEST,
    WORTHIEST_LINKS,
)
from rules.kernel.codes import (
    AUTUMN,
    FALL,
    HOLD,
    MOVE,
    SPRING,
    SUMMER,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    WINTER,
)

if TYPE_CHECKING:
    from rules.kernel import simulator  # compiled, its .pxd says which

from .arrays import integers, zeros
from .chain import Chain

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

MOST_MOVEMENTS = 1000
STAKE = 100
"""What a center counts for its owner."""
OCCUPIED = 70
"""How much of it goes to another power whose unit stands in it before the fall is over."""


class Playouts(Chain):
    """Plays positions of one simulator on. `policies[power]` says how each power plays."""

    def __init__(self, state: "simulator.Simulator") -> None:
        super().__init__(state)
        self.policies = zeros(self.powers)
        self.wants_any = 0
        self.worthiest = WORTHIEST
        self.stakes = zeros(self.powers)
        self.friend = integers([-1] * self.provinces)  # who owns a center that we want less
        self.friend_part = zeros(self.provinces)  # and how much of it stays that power's
        self.searcher = -1
        self.origin = zeros(3 * self.provinces + 3)
        self.movements = 0
        self.judged = 0
        self.is_aimed = 0
        self.phases = 0
        """How many phases were simulated so far."""
        for power in range(self.powers):
            self.set_policy(power, BY_VALUES)

    def reset(self) -> None:
        """Forget what callers have set, so that another position can be looked at."""
        self.play_as_published(0)
        self.clear_fixed()
        self.searcher = -1
        self.closed_for = -1
        for province in range(self.provinces):
            self.closed[province] = 0
            self.friend[province] = -1
        for power in range(self.powers):
            self.set_policy(power, BY_VALUES)
            self.set_chance(power, 500, 5000)
            for other in range(self.powers):
                self.set_wish(power, other, WHOLE)

    def play_as_published(self, is_published: int) -> None:
        """Let policies do as the paper says: want any center, and go by its order rules."""
        self.wants_any = is_published
        self.worthiest = WORTHIEST_LINKS if is_published else WORTHIEST

    def spare(self, power: int) -> None:
        """Let a power count the centers that others have now by its wishes when it takes them."""
        self.check_power(power)
        self.searcher = power
        for province in range(self.provinces):
            owner = self.state.owner[province]
            self.friend[province] = -1
            if owner >= 0 and owner != power:
                wish = self.wishes[power * self.powers + owner]
                if wish < WHOLE:
                    self.friend[province] = owner
                    self.friend_part[province] = WHOLE - wish

    def set_policy(self, power: int, policy: int) -> None:
        """Say how a power plays in movement turns."""
        self.check_power(power)
        if not 0 <= policy < POLICIES:
            raise ValueError(f"there is no policy {policy}")
        self.policies[power] = policy

    # Positions between movement turns, as one row of integers.

    def save(self) -> list[int]:
        """Return the position; there must be no dislodged units."""
        made = zeros(3 * self.provinces + 3)
        self.write(made, 0)
        return made

    def write(self, rows: MutableSequence[int], first: int) -> None:
        """Save the position among others, from `first` on."""
        for province in range(self.provinces):
            rows[first + province] = self.state.unit[province]
            rows[first + self.provinces + province] = self.state.power[province]
            rows[first + 2 * self.provinces + province] = self.state.owner[province]
        rows[first + 3 * self.provinces] = self.state.season
        rows[first + 3 * self.provinces + 1] = self.state.year
        rows[first + 3 * self.provinces + 2] = self.state.winner

    def restore(self, kept: Sequence[int]) -> None:
        """Go back to a position that was saved."""
        self.check_kept(kept)
        self.go_to(kept)

    def check_kept(self, kept: Sequence[int]) -> None:
        """Refuse what `save` cannot have made on this map."""
        count = self.provinces
        if len(kept) != 3 * count + 3:
            raise ValueError(f"a position has {3 * count + 3} numbers, not {len(kept)}")
        is_fine = 0 <= kept[3 * count] <= WINTER and -1 <= kept[3 * count + 2] < self.powers
        for province in range(count):
            mover = kept[province]
            owner = kept[2 * count + province]
            if mover >= 0:
                holder = kept[count + province]
                if (
                    mover >= self.movers
                    or not 0 <= holder < self.powers
                    or self.state.mover_province[mover] != province
                ):
                    is_fine = False
            if mover < -1 or not -1 <= owner < self.powers:
                is_fine = False
        if not is_fine:
            raise ValueError("these numbers are no position of this map")

    def go_to(self, kept: Sequence[int]) -> None:
        """Put a position on the board that is known to be one."""
        self.put(kept, self.state)

    def put(self, kept: Sequence[int], state: "simulator.Simulator") -> None:
        """Put a position that is known to be one on any board of this map."""
        for province in range(self.provinces):
            state.unit[province] = kept[province]
            state.power[province] = kept[self.provinces + province]
            state.owner[province] = kept[2 * self.provinces + province]
            state.out[province] = -1
        state.season = kept[3 * self.provinces]
        state.year = kept[3 * self.provinces + 1]
        state.winner = kept[3 * self.provinces + 2]
        state.out_count = 0
        state.is_stale = 1

    # Plans, for callers.

    def value(self, style: int) -> None:
        """Value the position for every power; `sample` and `values_of` rest on it."""
        if not 0 <= style < STYLES:
            raise ValueError(f"there is no way to value {style}")
        self.value_all(style)

    def sample(self, power: int) -> list[int]:
        """Return a plan of the power, by DumbBot's planning with the values that were last made."""
        self.check_power(power)
        self.plan_power(power)
        return self.planned(power)

    def predict(self, power: int, policy: int) -> list[int]:
        """Return what all other powers do when they play by a policy that needs no values."""
        if not 0 <= policy < WORTHIEST and policy != RANDOMBOT:
            raise ValueError(f"policy {policy} is none that needs no values")
        self.state.number_orders()
        found = []
        for other in range(self.powers):
            if other != power:
                self.plan_simply(other, policy)
                found.extend(self.planned(other))
        return found

    def draw_policies(self, power: int) -> None:
        """Let each other power be RandomBot, or go for the worthiest, or grab, by lot."""
        for other in range(self.powers):
            if other != power:
                number = self.state.throw(3)
                self.policies[other] = GRAB_OR_HOLD
                if number == 0:
                    self.policies[other] = RANDOMBOT
                elif number == 1:
                    self.policies[other] = self.worthiest

    # One turn.

    def plan_all(self) -> None:
        """Plan for every power by its policy."""
        needs_values = 0
        needs_weights = 0
        needs_lists = 0
        for power in range(self.powers):
            policy = self.policies[power]
            if policy == BY_VALUES:
                needs_values = 1
            elif policy == WORTHIEST or policy == WORTHIEST_LINKS:
                needs_weights = 1
            elif policy == ANY_ORDERS or policy == GRAB_OR_ANY:
                needs_lists = 1
        if needs_lists:
            self.state.number_orders()
        if needs_weights:
            self.value_all(WEAKEST)
            for power in range(self.powers):
                if self.policies[power] == WORTHIEST:
                    self.plan_worthiest(power)
                elif self.policies[power] == WORTHIEST_LINKS:
                    self.plan_worthiest_links(power)
        if needs_values:
            self.value_all(DUMBBOT)
        for power in range(self.powers):
            if self.policies[power] == BY_VALUES:
                self.plan_power(power)
            elif self.policies[power] != WORTHIEST and self.policies[power] != WORTHIEST_LINKS:
                self.plan_simply(power, self.policies[power])

    def give_plans(self) -> None:
        """Order what was planned for everybody; only fixed orders may be illegal."""
        if self.has_fixed:
            self.state.begin()
            for index in range(self.state.unit_count):
                self.state.give(self.plan[self.state.units[index]])
            return
        self.state.begin_for_all()
        for index in range(self.state.unit_count):
            unit = self.state.units[index]
            self.state.order_unit(unit, self.plan[unit])

    def step_by_policies(self) -> None:
        """Play one turn of any phase."""
        if self.state.season == SPRING or self.state.season == FALL:
            self.plan_all()
            self.give_plans()
        else:
            self.value_all(DUMBBOT)
            if self.state.season == WINTER:
                self.state.count_budgets()
                self.order_adjustments()
            else:
                self.order_retreats()
        self.state.end_phase()
        self.phases += 1

    def settle_turn(self) -> None:
        """Play retreats and adjustments until the next movement turn."""
        while self.state.winner < 0 and not (
            self.state.season == SPRING or self.state.season == FALL
        ):
            self.step_by_policies()

    def run(self, movements: int) -> None:
        """Play so many movement turns, with what belongs to them but the last adjustments."""
        while self.state.winner < 0:
            if self.state.season != SUMMER and self.state.season != AUTUMN:
                if movements <= 0:
                    break
                if self.state.season != WINTER:
                    movements -= 1
            self.step_by_policies()

    # The simpler policies.

    def plan_simply(self, power: int, policy: int) -> None:
        """Plan by a policy that needs no values."""
        self.begin_plan(power)
        for index in range(self.queue_length):
            unit = self.queue[index]
            if self.plan[unit] >= 0:
                continue
            if policy == ANY_ORDERS:
                self.take(unit, self.state.draw_order(unit))
            elif policy == RANDOMBOT:
                self.take(unit, self.random_step(power, unit))
            else:
                self.take(unit, self.grab(power, unit, policy))

    def is_wanted(self, power: int, province: int) -> int:
        """Whether the simpler policies go there: to other powers' centers, or to any at all."""
        if not self.wants_any:
            return self.is_target(power, province)
        owner = self.state.owner[province]
        if not self.state.is_center[province]:
            return 0
        return owner < 0 or self.wishes[power * self.powers + owner] >= FRIENDLY

    def grab(self, power: int, unit: int, policy: int) -> int:
        """Return an order of those policies that go for the centers next to a unit."""
        if self.is_conquering(power, unit) and (policy >= SCRAMBLE or not self.wants_any):
            return self.code_of(HOLD, unit, 0, 0)
        place = self.random_target(power, unit)
        if place >= 0:
            return self.go_or_help(unit, place, policy >= SCRAMBLE)
        if policy == GRAB_OR_HOLD:
            return self.code_of(HOLD, unit, 0, 0)
        if policy == GRAB_OR_ANY:
            return self.state.draw_order(unit)
        if policy == FAR_SCRAMBLE:
            place = self.random_approach(power, unit)
        if place < 0:
            mover = self.state.unit[unit]
            first = self.state.step_start[mover]
            count = self.state.step_start[mover + 1] - first
            if not count:
                return self.code_of(HOLD, unit, 0, 0)
            place = self.state.steps[first + self.state.throw(count)]
        return self.code_of(MOVE, unit, place, 0)

    def go_or_help(self, unit: int, place: int, helps: int) -> int:
        """Return a move, or the support for a unit that already goes there."""
        goal = self.state.province_of[place]
        friend = self.mover_to[goal]
        if helps and friend >= 0:
            return self.code_of(SUPPORT_MOVE, unit, goal, self.state.unit[friend])
        return self.code_of(MOVE, unit, place, 0)

    def random_target(self, power: int, unit: int) -> int:
        """Return the location of one of the centers next to a unit, or -1."""
        mover = self.state.unit[unit]
        found = -1
        count = 0
        for index in range(self.state.step_start[mover], self.state.step_start[mover + 1]):
            if self.is_wanted(power, self.state.province_of[self.state.steps[index]]):
                count += 1
                if self.state.throw(count) == 0:
                    found = self.state.steps[index]
        return found

    def random_approach(self, power: int, unit: int) -> int:
        """Return a location from which there is one step to a center, or -1."""
        mover = self.state.unit[unit]
        base = 0 if mover < self.provinces else self.provinces
        found = -1
        count = 0
        for index in range(self.state.step_start[mover], self.state.step_start[mover + 1]):
            place = self.state.steps[index]
            is_near = 0
            for step in range(
                self.state.step_start[base + place], self.state.step_start[base + place + 1]
            ):
                if self.is_wanted(power, self.state.province_of[self.state.steps[step]]):
                    is_near = 1
            if is_near:
                count += 1
                if self.state.throw(count) == 0:
                    found = place
        return found

    def random_step(self, power: int, unit: int) -> int:
        """Return RandomBot's order: any place next to it, or stay and help."""
        mover = self.state.unit[unit]
        first = self.state.step_start[mover]
        count = self.state.step_start[mover + 1] - first
        number = self.state.throw(count + 1)
        if number < count:
            return self.code_of(MOVE, unit, self.state.steps[first + number], 0)
        for step in range(first, first + count):
            province = self.state.province_of[self.state.steps[step]]
            friend = self.mover_to[province]
            if friend >= 0:
                return self.code_of(SUPPORT_MOVE, unit, province, self.state.unit[friend])
            is_settled = self.is_own(power, province) and self.plan[province] >= 0
            if is_settled and not self.leaves(province):
                return self.code_of(SUPPORT_HOLD, unit, 0, self.state.unit[province])
        return self.code_of(HOLD, unit, 0, 0)

    def plan_worthiest(self, power: int) -> None:
        """Plan the orders with the highest sum of weights; the weights must be there."""
        self.begin_plan(power)
        for index in range(self.queue_length):
            unit = self.queue[index]
            if self.plan[unit] >= 0:
                continue
            if self.is_conquering(power, unit):
                self.plan[unit] = self.code_of(HOLD, unit, 0, 0)
                continue
            self.list_options(power, unit)
            self.rank_options(1)
            mover = self.options[0]
            goal = self.state.mover_province[mover]
            if mover == self.state.unit[unit]:
                self.plan[unit] = self.code_of(HOLD, unit, 0, 0)
            elif self.is_own(power, goal) and self.plan[goal] >= 0 and not self.leaves(goal):
                self.plan[unit] = self.code_of(SUPPORT_HOLD, unit, 0, self.state.unit[goal])
            else:
                place = mover if mover < self.provinces else mover - self.provinces
                self.take(unit, self.go_or_help(unit, place, 1))

    # What came of it.

    def holdings(self, power: int) -> int:
        """Return how many centers a power owns or stands in."""
        self.check_power(power)
        count = 0
        for number in range(self.center_total):
            center = self.centers[number]
            if self.state.owner[center] == power or self.is_own(power, center):
                count += 1
        return count

    def share(self, power: int) -> float:
        """Return the power's share of the sum of squares, 1 or 0 if somebody has won.

        A center in which another power stands before the fall is over is divided.
        """
        self.check_power(power)
        return self.share_of(power)

    def share_of(self, power: int) -> float:
        """Return the share of a power that is known to be one."""
        if self.state.winner >= 0:
            return 1.0 if self.state.winner == power else 0.0
        for other in range(self.powers):
            self.stakes[other] = 0
        for number in range(self.center_total):
            self.stake(self.centers[number])
        total = 0
        for other in range(self.powers):
            total += self.stakes[other] * self.stakes[other]
        return self.stakes[power] * self.stakes[power] * 1.0 / total if total else 0.0

    def stake(self, center: int) -> None:
        """Count a center for who owns it and who stands in it."""
        owner = self.state.owner[center]
        holder = self.state.power[center] if self.state.unit[center] >= 0 else -1
        if owner >= 0:
            self.credit(center, owner, STAKE)
        if holder >= 0 and holder != owner:
            self.credit(center, holder, OCCUPIED)
            if owner >= 0:
                self.credit(center, owner, -OCCUPIED)

    def credit(self, center: int, power: int, amount: int) -> None:
        """Give a power its part of a center; what we take from a friend counts for less."""
        if power == self.searcher and self.friend[center] >= 0:
            part = amount * self.friend_part[center]
            part = part // WHOLE if part >= 0 else -(-part // WHOLE)
            self.stakes[self.friend[center]] += part
            amount -= part
        self.stakes[power] += amount

    def aim(self, kept: Sequence[int], movements: int, power: int) -> None:
        """Say for `weigh` where to begin, how many turns to play on, and whose share counts."""
        self.check_kept(kept)
        self.check_power(power)
        self.check_movements(movements)
        for index in range(len(kept)):
            self.origin[index] = kept[index]
        self.is_aimed = 1
        self.movements = movements
        self.judged = power

    def check_movements(self, movements: int) -> None:
        """Refuse to play on for longer than anybody would wait."""
        if not 0 <= movements <= MOST_MOVEMENTS:
            raise ValueError(f"{movements} turns cannot be played on, only 0 to {MOST_MOVEMENTS}")

    def check_sets(self, starts: Sequence[int], codes: int, room: int) -> None:
        """Refuse sets that are not there, or more than there is room for, or no aim at all."""
        if not self.is_aimed:
            raise ValueError("nobody has said where to begin; call `aim` first")
        if not len(starts) or len(starts) - 1 > room:
            raise ValueError(f"there is room for {room} sets of orders, not for {len(starts) - 1}")
        before = 0
        for index in range(len(starts)):
            if not before <= starts[index] <= codes:
                raise ValueError(f"set {index} of {codes} orders cannot begin at {starts[index]}")
            before = starts[index]

    def weigh(
        self,
        ours: Sequence[int],
        theirs: Sequence[int],
        starts: Sequence[int],
        first_seed: int,
        scores: MutableSequence[float],
    ) -> None:
        """Try our orders against many sets of orders of the others and play on.

        Set n is `theirs[starts[n]:starts[n + 1]]`; ours replace what it has for the same units. The
        turns after it are played by the policies, with dice that begin with `first_seed` + n. What
        came of it is in `scores[n]`.
        """
        sets = len(starts) - 1
        self.check_sets(starts, len(theirs), len(scores))
        has_fixed = self.has_fixed
        self.has_fixed = 0
        with cython.nogil:
            for number in range(sets):
                self.go_to(self.origin)
                self.state.seed(first_seed + number)
                self.state.begin()
                for index in range(starts[number], starts[number + 1]):
                    self.state.give(theirs[index])
                for index in range(len(ours)):
                    self.state.give(ours[index])
                self.state.end_phase()
                self.phases += 1
                self.run(self.movements)
                scores[number] = self.share_of(self.judged)
        self.has_fixed = has_fixed
