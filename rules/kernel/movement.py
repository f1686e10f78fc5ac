"""Adjudicate a movement turn: decisions from partial knowledge, then circles and paradoxes.

Every decision is open until it is certain. A strength is kept as the least and the most it can be:
`least[p]` and `most[p]` count the supports for the unit in p that are sure and that are possible,
`least_foreign` and `most_foreign` leave out those given by the power of the unit that is attacked.
"""

from rules.kernel.codes import (
    CONVOY,
    FIELD_BITS,
    FINE,
    HOLD,
    KIND_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    NO,
    NO_SUCH_UNIT,
    OPEN,
    OTHER_SHIFT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    TARGET_SHIFT,
    YES,
)
from rules.kernel.tables import Tables

from .legality import long_integers
from .numbered_orders import NumberedOrders
from .state import integers, zeros


class Movement(NumberedOrders):
    """A state whose units are ordered and moved. All arrays are by province.

    A unit is known by its province. `moving` is the decision whether it leaves, `arriving` whether
    its convoy stands, `counting` whether its support is not cut.
    """

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        count = tables.provinces
        self.is_trusted = 0  # whether orders come from our own lists of legal ones
        self.order = long_integers(count)
        self.note = zeros(count + 1)
        self.note[count] = NO_SUCH_UNIT
        self.kind = zeros(count)
        self.goal = zeros(count)  # where a move or its support or convoy is aimed
        self.goal_place = zeros(count)  # the same with the mover's coast
        self.other = zeros(count)  # the unit that is supported or convoyed
        # The first unit ordered there, then `next_attacker`.
        self.attackers = integers([-1] * count)
        self.next_attacker = zeros(count)
        self.moving = zeros(count)
        self.arriving = zeros(count)
        self.counting = zeros(count)
        self.is_matched = bytearray(count)
        self.least = zeros(count)
        self.most = zeros(count)
        self.least_foreign = zeros(count)
        self.most_foreign = zeros(count)
        self.route_start = zeros(count)
        self.route_length = zeros(count)
        self.routes = zeros(count * count)
        self.route_end = 0
        self.marchers = zeros(count)  # the units that are told to move
        self.march_count = 0
        self.helpers = zeros(count)  # the units that support or convoy
        self.helper_count = 0
        self.todo = zeros(count)
        self.todo_count = 0
        self.reached = zeros(2 * count)  # decisions a decision rests on; paths after the others
        self.reached_count = 0
        self.marked = zeros(2 * count)
        self.mark = 0

    # Orders.

    def begin_for_all(self) -> None:
        """Get ready for orders to every unit; who is given none has that of a turn before."""
        if self.is_stale:
            self.list_units()
        self.route_end = 0

    def begin(self) -> None:
        """Let every unit hold."""
        self.begin_for_all()
        for index in range(self.unit_count):
            province = self.units[index]
            self.kind[province] = HOLD
            self.order[province] = self.unit[province] << MOVER_SHIFT
            self.note[province] = FINE

    def give(self, code: int) -> int:
        """Order a unit, later orders replacing earlier ones, and return its province.

        A unit whose order is illegal holds. Without such a unit nothing happens, and the place
        after the last province stands for it.
        """
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        if code < 0 or mover >= self.movers:
            return self.provinces
        province = self.mover_province[mover]
        if self.unit[province] != mover:
            return self.provinces
        kind = code & KIND_BITS
        target = (code >> TARGET_SHIFT) & FIELD_BITS
        rest = code >> OTHER_SHIFT
        note = FINE if self.is_trusted else self.judge_fields(kind, mover, target, rest)
        if note == FINE:
            self.order_unit(province, code)
        else:
            self.order[province] = code
            self.note[province] = note
            self.kind[province] = HOLD
        return province

    def order_unit(self, province: int, code: int) -> None:
        """Give the unit in a province an order that is known to be legal."""
        kind = code & KIND_BITS
        self.order[province] = code
        self.note[province] = FINE
        self.kind[province] = kind
        if kind == HOLD:
            return
        target = (code >> TARGET_SHIFT) & FIELD_BITS
        rest = code >> OTHER_SHIFT
        self.goal_place[province] = target
        self.goal[province] = self.province_of[target]
        if kind == MOVE_BY_CONVOY:
            self.keep_route(province, rest)
        elif kind > MOVE:
            self.other[province] = self.mover_province[rest & FIELD_BITS]

    def keep_route(self, province: int, number: int) -> None:
        """Remember the seas that the army passes."""
        length = self.unpack_path(province, self.goal[province], number)
        if self.route_end + length > self.provinces * self.provinces:
            self.route_end = 0
        self.route_start[province] = self.route_end
        self.route_length[province] = length
        for step in range(length):
            self.routes[self.route_end + step] = self.path[step]
        self.route_end += length

    # Matching of orders.

    def prepare(self) -> None:
        """Match the orders with each other and open the decisions."""
        self.open_orders(self.units, self.unit_count)

    def open_orders(self, units: list[int], count: int) -> None:
        """Match the orders of these units, as if there were no others, and open the decisions."""
        self.march_count = 0
        self.helper_count = 0
        for index in range(count):
            unit = units[index]
            kind = self.kind[unit]
            is_move = (kind == MOVE) | (kind == MOVE_BY_CONVOY)
            self.least[unit] = 0
            self.most[unit] = 0
            self.moving[unit] = NO
            self.attackers[unit] = -1
            self.attackers[self.goal[unit] if is_move else unit] = -1
            self.marchers[self.march_count] = unit
            self.march_count += is_move
            self.helpers[self.helper_count] = unit
            self.helper_count += (kind > MOVE) & (kind < MOVE_BY_CONVOY)
        for index in range(self.march_count):
            self.open_move(self.marchers[index])
            self.todo[index] = self.marchers[index]
        self.todo_count = self.march_count
        self.match_orders()

    def match_orders(self) -> None:
        """Match the opened orders with each other."""
        for index in range(self.helper_count):
            self.match(self.helpers[index])
        for index in range(self.march_count):
            unit = self.marchers[index]
            if self.kind[unit] == MOVE_BY_CONVOY:
                self.arriving[unit] = self.convoy_stands(unit)
        for index in range(self.helper_count):
            unit = self.helpers[index]
            if self.is_matched[unit] and self.kind[unit] != CONVOY:
                self.open_support(unit)

    def open_move(self, unit: int) -> None:
        """Enter a move among the attackers of its goal."""
        goal = self.goal[unit]
        self.next_attacker[unit] = self.attackers[goal]
        self.attackers[goal] = unit
        self.least_foreign[unit] = 0
        self.most_foreign[unit] = 0
        self.moving[unit] = OPEN
        self.arriving[unit] = YES

    def match(self, unit: int) -> None:
        """See whether the supported or convoyed unit was told to do what this order is about."""
        other = self.other[unit]
        kind = self.kind[unit]
        if kind == SUPPORT_HOLD:
            self.is_matched[unit] = self.moving[other] == NO
        elif kind == SUPPORT_MOVE:
            if self.note[other] == FINE:
                is_same = self.moving[other] == OPEN and self.goal[other] == self.goal[unit]
            else:
                is_same = bool(self.is_ordered_to(other, self.goal[unit]))
            self.is_matched[unit] = is_same
        elif kind == CONVOY:
            is_same = self.kind[other] == MOVE_BY_CONVOY and self.goal[other] == self.goal[unit]
            self.is_matched[unit] = is_same

    def is_ordered_to(self, unit: int, goal: int) -> int:
        """Whether the unit was told to go there, though that is not legal."""
        kind = self.order[unit] & KIND_BITS
        if kind != MOVE and kind != MOVE_BY_CONVOY:
            return 0
        target = (self.order[unit] >> TARGET_SHIFT) & FIELD_BITS
        return target < self.locations and self.province_of[target] == goal

    def is_on_route(self, fleet: int, army: int) -> int:
        """Whether the army passes the fleet."""
        first = self.route_start[army]
        for index in range(first, first + self.route_length[army]):
            if self.routes[index] == fleet:
                return 1
        return 0

    def has_route(self, army: int) -> int:
        """Whether every fleet that the army means to pass was told to convoy it there."""
        first = self.route_start[army]
        for index in range(first, first + self.route_length[army]):
            fleet = self.routes[index]
            if self.kind[fleet] != CONVOY or self.other[fleet] != army:
                return 0
            if self.goal[fleet] != self.goal[army]:
                return 0
        return 1

    def open_support(self, unit: int) -> None:
        """Count a support as possible, and as sure when nobody attacks the supporter."""
        other = self.other[unit]
        # A support for a move that turned out illegal is reported like others but helps nobody.
        if self.kind[unit] == SUPPORT_HOLD or self.moving[other] != NO:
            self.most[other] += 1
            if self.kind[unit] == SUPPORT_MOVE and self.is_foreign(unit):
                self.most_foreign[other] += 1
        self.counting[unit] = OPEN
        state = self.weigh_support(unit)
        if state == OPEN:
            self.todo[self.todo_count] = unit
            self.todo_count += 1
        else:
            self.settle_support(unit, state)

    def is_foreign(self, supporter: int) -> int:
        """Whether the support may help to dislodge the unit at its goal."""
        goal = self.goal[supporter]
        return self.unit[goal] < 0 or self.power[goal] != self.power[supporter]

    # Weighing of single decisions: YES, NO, or OPEN while it is uncertain.

    def weigh_support(self, unit: int) -> int:
        """Say whether a support counts: nobody cuts it, nobody dislodges the supporter."""
        attacker = self.attackers[unit]
        if attacker < 0:
            return YES
        aim = self.goal[unit] if self.kind[unit] == SUPPORT_MOVE else self.other[unit]
        state = YES
        while attacker >= 0:
            if self.moving[attacker] == YES:
                return NO
            if self.power[attacker] != self.power[unit] and self.arriving[attacker] != NO:
                if attacker == aim:
                    if self.moving[attacker] == OPEN:
                        state = OPEN
                elif self.arriving[attacker] == YES:
                    return NO
                else:
                    state = OPEN
            attacker = self.next_attacker[attacker]
        return state

    def settle_support(self, unit: int, state: int) -> None:
        """Decide a support and pass it on to the strength of the supported unit."""
        self.counting[unit] = state
        other = self.other[unit]
        is_move = self.kind[unit] == SUPPORT_MOVE
        if is_move and self.moving[other] == NO and self.note[other] != FINE:
            return
        is_foreign = is_move and self.is_foreign(unit)
        if state == YES:
            self.least[other] += 1
            if is_foreign:
                self.least_foreign[other] += 1
        else:
            self.most[other] -= 1
            if is_foreign:
                self.most_foreign[other] -= 1

    def convoy_stands(self, army: int) -> int:
        """Say whether every fleet of the route convoys the army, and none is dislodged."""
        if not self.has_route(army):
            return NO
        first = self.route_start[army]
        state = YES
        for index in range(first, first + self.route_length[army]):
            fleet = self.routes[index]
            attacker = self.attackers[fleet]
            while attacker >= 0:
                if self.moving[attacker] == YES:
                    return NO
                if self.moving[attacker] == OPEN and self.power[attacker] != self.power[fleet]:
                    state = OPEN
                attacker = self.next_attacker[attacker]
        return state

    def is_head_to_head(self, unit: int) -> int:
        """Whether the unit and the one at its goal are ordered into each other, both by land."""
        goal = self.goal[unit]
        return (
            self.unit[goal] >= 0
            and self.kind[goal] == MOVE
            and self.goal[goal] == unit
            and self.kind[unit] == MOVE
        )

    def weigh_move(self, unit: int) -> int:
        """Say whether a move succeeds: it beats what stands there and all others that go there."""
        if self.arriving[unit] == NO:
            return NO
        goal = self.goal[unit]
        low = 1 + self.least[unit]
        high = 1 + self.most[unit]
        hold_low = 0
        hold_high = 0
        if self.unit[goal] >= 0 and (self.moving[goal] != YES or self.is_head_to_head(unit)):
            is_own = self.power[goal] == self.power[unit]
            low = 0 if is_own else 1 + self.least_foreign[unit]
            if self.is_head_to_head(unit):
                hold_low = 1 + self.least[goal]
                hold_high = 1 + self.most[goal]
            elif self.kind[goal] == MOVE or self.kind[goal] == MOVE_BY_CONVOY:
                hold_high = 1
                hold_low = 1 if self.moving[goal] == NO else 0
            else:
                hold_low = 1 + self.least[goal]
                hold_high = 1 + self.most[goal]
            if hold_low:
                high = 0 if is_own else 1 + self.most_foreign[unit]
        if self.arriving[unit] == OPEN:
            low = 0
        if high <= hold_low:
            return NO
        state = YES if low > hold_high else OPEN
        rival = self.attackers[goal]
        while rival >= 0:
            if rival != unit:
                if high <= self.least_prevention(rival):
                    return NO
                if low <= self.most_prevention(rival):
                    state = OPEN
            rival = self.next_attacker[rival]
        return state

    def least_prevention(self, unit: int) -> int:
        """Return the least strength with which a move keeps others out of its goal."""
        if self.arriving[unit] != YES:
            return 0
        if self.is_head_to_head(unit) and self.moving[self.goal[unit]] != NO:
            return 0
        return 1 + self.least[unit]

    def most_prevention(self, unit: int) -> int:
        """Return the greatest strength with which a move may keep others out of its goal."""
        if self.arriving[unit] == NO:
            return 0
        if self.is_head_to_head(unit) and self.moving[self.goal[unit]] == YES:
            return 0
        return 1 + self.most[unit]

    # The loop.

    def resolve(self) -> None:
        """Decide everything."""
        self.prepare()
        self.decide()

    def decide(self) -> None:
        """Decide everything that was opened."""
        self.decide_certain()
        while self.todo_count:
            self.decide_smallest_set()
            self.decide_certain()

    def decide_certain(self) -> None:
        """Decide what is certain until nothing more is."""
        changed = 1
        while changed and self.todo_count:
            changed = 0
            kept = 0
            for index in range(self.todo_count):
                unit = self.todo[index]
                changed |= self.advance(unit)
                if self.is_open(unit):
                    self.todo[kept] = unit
                    kept += 1
            self.todo_count = kept

    def is_open(self, unit: int) -> int:
        """Whether something about the unit's order is still to be decided."""
        if self.kind[unit] == SUPPORT_HOLD or self.kind[unit] == SUPPORT_MOVE:
            return self.counting[unit] == OPEN
        return self.moving[unit] == OPEN or self.arriving[unit] == OPEN

    def advance(self, unit: int) -> int:
        """Try to decide about the unit's order, and say whether anything was."""
        if self.kind[unit] == SUPPORT_HOLD or self.kind[unit] == SUPPORT_MOVE:
            state = self.weigh_support(unit)
            if state != OPEN:
                self.settle_support(unit, state)
            return state != OPEN
        changed = 0
        if self.arriving[unit] == OPEN:
            self.arriving[unit] = self.convoy_stands(unit)
            changed = self.arriving[unit] != OPEN
        if self.moving[unit] == OPEN:
            self.moving[unit] = self.weigh_move(unit)
            changed |= self.moving[unit] != OPEN
        return changed

    # Circles and paradoxes. A decision is known by its unit, an open path by its unit plus the
    # number of provinces.

    def decide_smallest_set(self) -> None:
        """Settle the smallest set of open decisions that rest on no others."""
        best = -1
        best_size = 0
        for index in range(self.todo_count):
            unit = self.todo[index]
            if self.kind[unit] != MOVE_BY_CONVOY or self.moving[unit] == OPEN:
                self.collect(unit)
            else:
                self.collect(self.provinces + unit)
            if best < 0 or self.reached_count < best_size:
                best = self.reached[0]
                best_size = self.reached_count
        for index in range(self.todo_count):
            unit = self.todo[index]
            if self.kind[unit] == MOVE_BY_CONVOY and self.arriving[unit] == OPEN:
                self.collect(self.provinces + unit)
                if self.reached_count < best_size:
                    best = self.reached[0]
                    best_size = self.reached_count
        self.collect(best)
        if not self.fail_convoys():
            self.turn_circle()

    def fail_convoys(self) -> int:
        """Stop the convoys of a paradox (Szykman), DATC 6.F.14 and following; count them."""
        count = 0
        for index in range(self.reached_count):
            node = self.reached[index]
            if node >= self.provinces:
                self.arriving[node - self.provinces] = NO
                count += 1
        return count

    def turn_circle(self) -> None:
        """Let all moves of the set succeed: they go round in a circle, DATC 6.C."""
        for index in range(self.reached_count):
            unit = self.reached[index]
            if self.kind[unit] == MOVE or self.kind[unit] == MOVE_BY_CONVOY:
                self.moving[unit] = YES

    def collect(self, node: int) -> None:
        """Write all open decisions that one rests on, itself first, to `reached`."""
        self.mark += 1
        self.reached_count = 0
        self.reach(node)
        done = 0
        while done < self.reached_count:
            node = self.reached[done]
            done += 1
            if node >= self.provinces:
                self.reach_from_path(node - self.provinces)
            elif self.kind[node] == MOVE or self.kind[node] == MOVE_BY_CONVOY:
                self.reach_from_move(node)
            else:
                self.reach_from_support(node)

    def reach(self, node: int) -> None:
        """Add a decision to the set, once."""
        if self.marked[node] != self.mark:
            self.marked[node] = self.mark
            self.reached[self.reached_count] = node
            self.reached_count += 1

    def reach_attackers(self, province: int) -> None:
        """Add what it rests on whether a unit is dislodged: the moves against it."""
        attacker = self.attackers[province]
        while attacker >= 0:
            if self.moving[attacker] == OPEN and self.power[attacker] != self.power[province]:
                self.reach(attacker)
            attacker = self.next_attacker[attacker]

    def reach_from_path(self, army: int) -> None:
        """Add what a convoy rests on: that its fleets are not dislodged."""
        first = self.route_start[army]
        for index in range(first, first + self.route_length[army]):
            self.reach_attackers(self.routes[index])

    def reach_from_support(self, unit: int) -> None:
        """Add what a support rests on: attacks on the supporter, and the convoys in them."""
        self.reach_attackers(unit)
        aim = self.goal[unit] if self.kind[unit] == SUPPORT_MOVE else self.other[unit]
        attacker = self.attackers[unit]
        while attacker >= 0:
            is_enemy = self.power[attacker] != self.power[unit]
            if is_enemy and attacker != aim and self.arriving[attacker] == OPEN:
                self.reach(self.provinces + attacker)
            attacker = self.next_attacker[attacker]

    def reach_from_move(self, unit: int) -> None:
        """Add what a move rests on: its own strength and that of everything in its way."""
        goal = self.goal[unit]
        self.reach_strength(unit)
        if self.unit[goal] >= 0:
            is_mover = self.kind[goal] == MOVE or self.kind[goal] == MOVE_BY_CONVOY
            if self.is_head_to_head(unit) or not is_mover:
                self.reach_supports(goal)
            elif self.moving[goal] == OPEN:
                self.reach(goal)
        rival = self.attackers[goal]
        while rival >= 0:
            if rival != unit and self.arriving[rival] != NO:
                self.reach_strength(rival)
                if self.is_head_to_head(rival) and self.moving[goal] == OPEN:
                    self.reach(goal)
            rival = self.next_attacker[rival]

    def reach_strength(self, unit: int) -> None:
        """Add what the strength of a move rests on: its convoy and its supports."""
        if self.arriving[unit] == OPEN:
            self.reach(self.provinces + unit)
        self.reach_supports(unit)

    def reach_supports(self, unit: int) -> None:
        """Add the open supports for a unit."""
        for index in range(self.todo_count):
            supporter = self.todo[index]
            kind = self.kind[supporter]
            is_support = kind == SUPPORT_HOLD or kind == SUPPORT_MOVE
            if is_support and self.other[supporter] == unit and self.counting[supporter] == OPEN:
                self.reach(supporter)
