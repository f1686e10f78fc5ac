"""Which movement orders may be tried, as notes for codes and as lists of codes."""

from array import array

from rules.kernel.codes import (
    CONVOY,
    FIELD_BITS,
    FINE,
    HOLD,
    KIND_BITS,
    MOST_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    NO_SUCH_ARMY,
    NO_SUCH_FLEET,
    NO_SUCH_UNIT,
    NOT_ADJACENT,
    NOT_AT_SEA,
    OTHER_SHIFT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    TARGET_SHIFT,
)
from rules.kernel.tables import Tables

from .state import COMPILED, State, integers, zeros

FIRST_ROOM = 4096


def long_integers(count: int) -> list[int]:
    """Return that many integers with room for codes."""
    return array("q", bytes(8 * count)) if COMPILED else [0] * count  # type: ignore[return-value]  # array when compiled


class Legality(State):
    """A state that knows what its units may try.

    The list of orders is in `found`, `found_count` long; when it has no room for all, `found_count`
    still says how many there are.
    """

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        count = tables.provinces
        self.room = FIRST_ROOM
        self.found_store = long_integers(self.room + 1)  # what can be sliced; see `add_if`
        self.found = self.found_store
        self.found_count = 0
        # By province, the first of a list of units that can go there: `caller`, `next_caller`.
        self.first_caller = zeros(count)
        self.caller = zeros(count * tables.largest_choice)
        self.next_caller = zeros(count * tables.largest_choice)
        # Fleets afloat next to each other form a group. By group: its fleets and its coasts.
        self.group = zeros(count)
        self.group_count = 0
        self.is_alone = bytearray(count)  # whether a fleet afloat has no other one next to it
        self.fleet_start = zeros(count + 1)
        self.fleets = zeros(count + 1)
        self.coast_start = zeros(count + 1)
        self.coasts = zeros(count * tables.largest_choice + 1)
        self._list_shores(tables)
        # By province: a bit for each group that touches it; none for places beyond the map.
        self.ports = long_integers(count + tables.largest_choice)
        self.reaches = long_integers(count)  # by coast: a bit for each fleet it can do without
        self.passengers = zeros(count)  # the armies next to a fleet afloat
        self.passenger_count = 0
        self.one = 1
        self.most_reaches = 1 << MOST_BITS - 1  # beyond it each convoy is tried on its own
        self.walk = zeros(count)
        self.walked = bytearray(count)

    def _list_shores(self, tables: Tables) -> None:
        """List for each sea what a fleet in it touches: coasts, and seas apart from them."""
        shores: list[int] = []
        straits: list[int] = []
        self.shore_start = zeros(tables.provinces + 1)
        self.strait_start = zeros(tables.provinces + 1)
        for sea in range(tables.provinces):
            fleet = tables.provinces + sea
            near = tables.near[tables.near_start[fleet] : tables.near_start[fleet + 1]]
            if tables.is_sea[sea]:
                shores.extend(each for each in near if not tables.is_sea[each])
                straits.extend(each for each in near if tables.is_sea[each])
            self.shore_start[sea + 1] = len(shores)
            self.strait_start[sea + 1] = len(straits)
        self.shores = integers(shores)
        self.straits = integers(straits)

    def make_room(self, room: int) -> None:
        """Make the list of orders that long."""
        self.room = room
        self.found_store = long_integers(room + 1)
        self.found = self.found_store

    # Notes, with the checks in the reference server's order.

    def has_mover(self, code: int) -> int:
        """Whether the unit that the code names is there."""
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        is_known = code >= 0 and mover < self.movers
        return is_known and self.unit[self.mover_province[mover]] == mover

    def mover_in(self, code: int) -> int:
        """Return the province of the mover that the code names."""
        return self.mover_province[(code >> MOVER_SHIFT) & FIELD_BITS]

    def judge(self, code: int) -> int:
        """Return the note for a movement order."""
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        if code < 0 or mover >= self.movers or self.unit[self.mover_province[mover]] != mover:
            return NO_SUCH_UNIT
        target = (code >> TARGET_SHIFT) & FIELD_BITS
        return self.judge_fields(code & KIND_BITS, mover, target, code >> OTHER_SHIFT)

    def judge_fields(self, kind: int, mover: int, target: int, rest: int) -> int:
        """Return the note for an order of a unit that is there, given the fields of its code."""
        if kind == HOLD:
            return FINE
        if kind == MOVE:
            if target < self.locations and self.can_step[mover * self.locations + target]:
                return FINE
            return NOT_ADJACENT
        if kind > MOVE_BY_CONVOY or target >= self.provinces:
            return NOT_ADJACENT
        if kind == MOVE_BY_CONVOY:
            return self.judge_move_by_convoy(mover, target, rest)
        other = rest & FIELD_BITS
        if other >= self.movers:
            return NO_SUCH_UNIT
        if kind == CONVOY:
            return self.judge_convoy(mover, other, target)
        if self.unit[self.mover_province[other]] != other:
            return NO_SUCH_UNIT
        if other == mover:
            return NOT_ADJACENT
        if kind == SUPPORT_HOLD:
            near = self.can_reach[mover * self.provinces + self.mover_province[other]]
            return FINE if near else NOT_ADJACENT
        return self.judge_support_move(mover, other, target)

    def judge_support_move(self, mover: int, other: int, goal: int) -> int:
        """Return the note for the support of a move to a province."""
        if not self.can_reach[mover * self.provinces + goal]:
            return NOT_ADJACENT
        if self.can_reach[other * self.provinces + goal]:
            return FINE
        if other < self.provinces and self.carries(other, goal, self.mover_province[mover]):
            return FINE
        return NOT_ADJACENT

    def judge_convoy(self, mover: int, other: int, goal: int) -> int:
        """Return the note for carrying an army to a province."""
        standing = self.unit[self.mover_province[other]]
        is_fleet_at_sea = mover >= self.provinces and bool(self.is_sea[self.mover_province[mover]])
        if standing != other:
            # An army that is named where a fleet stands is "no such army", DATC 6.A.7.
            is_mistaken = other < self.provinces and standing >= self.provinces
            return NO_SUCH_ARMY if is_mistaken and is_fleet_at_sea else NO_SUCH_UNIT
        if mover < self.provinces:
            return NO_SUCH_FLEET
        if not is_fleet_at_sea:
            return NOT_AT_SEA
        if standing >= self.provinces:
            return NO_SUCH_ARMY
        carried = self.carries_through(other, goal, self.mover_province[mover])
        return FINE if carried else NOT_ADJACENT

    def judge_move_by_convoy(self, mover: int, goal: int, number: int) -> int:
        """Return the note for a move along the numbered path."""
        if mover >= self.provinces:
            return NO_SUCH_ARMY
        if mover == goal or not self.is_coastal[goal]:
            return NOT_ADJACENT
        length = self.unpack_path(mover, goal, number)
        for step in range(length):
            if self.unit[self.path[step]] < 0:
                return NO_SUCH_FLEET
        return FINE if length else NOT_ADJACENT

    # Lists of legal orders.

    def add(self, code: int) -> None:
        """Append a code to the list, or only count it when there is no room."""
        if self.found_count < self.room:
            self.found[self.found_count] = code
        self.found_count += 1

    # What a unit does is by chance in a playout, and a branch that nobody foresees takes longer
    # than what is done in it. Hence lists to which all is written, and what belongs there counts.

    def add_if(self, code: int, is_wanted: bool) -> None:  # noqa: FBT001 - a number, compiled
        """Append a code that is wanted; one that is not only stands behind the list."""
        self.found[min(self.found_count, self.room)] = code
        self.found_count += is_wanted

    def survey(self) -> None:
        """Note who can go where and which fleets are neighbours, before orders are listed."""
        if self.is_stale:
            self.list_units()
        for province in range(self.provinces):
            self.first_caller[province] = -1
        entry = 0
        for index in range(self.unit_count):
            unit = self.units[self.unit_count - 1 - index]
            mover = self.unit[unit]
            for step in range(self.near_start[mover], self.near_start[mover + 1]):
                goal = self.near[step]
                self.caller[entry] = unit
                self.next_caller[entry] = self.first_caller[goal]
                self.first_caller[goal] = entry
                entry += 1
        self.group_fleets()

    def group_fleets(self) -> None:
        """Sort the fleets afloat into groups of neighbours, and find the armies they touch."""
        for province in range(self.provinces):
            self.group[province] = -1
            self.ports[province] = 0
        self.group_count = 0
        for index in range(self.unit_count):
            province = self.units[index]
            if self.is_sea[province] and self.group[province] < 0:
                self.group_around(province)
        self.passenger_count = 0
        for index in range(self.unit_count):
            army = self.units[index]
            self.passengers[self.passenger_count] = army
            self.passenger_count += (self.unit[army] == army) & (self.ports[army] != 0)

    def group_around(self, start: int) -> None:
        """Collect the fleets and the coasts of the group of the fleet in this sea."""
        group = self.group_count
        self.group_count += 1
        bit = self.one << (group % MOST_BITS)
        first = self.fleet_start[group]
        end = first + 1
        coast = self.coast_start[group]
        self.stamp += 1
        self.group[start] = group
        self.fleets[first] = start
        while first < end:
            fleet = self.fleets[first]
            first += 1
            for index in range(self.shore_start[fleet], self.shore_start[fleet + 1]):
                shore = self.shores[index]
                self.ports[shore] |= bit
                self.coasts[coast] = shore
                coast += self.seen[shore] != self.stamp
                self.seen[shore] = self.stamp
            for index in range(self.strait_start[fleet], self.strait_start[fleet + 1]):
                sea = self.straits[index]
                is_new = (self.unit[sea] >= 0) & (self.group[sea] < 0)
                self.is_alone[sea] = 0  # if there is a fleet at all
                self.group[sea] += is_new * (group + 1)  # from -1
                self.fleets[end] = sea
                end += is_new
        self.is_alone[start] = end - self.fleet_start[group] == 1
        self.fleet_start[group + 1] = end
        self.coast_start[group + 1] = coast

    def is_carried(self, army: int, goal: int, supporter: int) -> int:
        """Whether fleets other than the supporter could carry the army there."""
        common = self.ports[army] & self.ports[goal]
        if not common:
            return 0
        own = self.group[supporter]
        if self.group_count <= MOST_BITS:
            if own < 0 or common & ~(self.one << own):
                return 1
            if self.is_alone[supporter]:
                return 0
        return self.carries(army, goal, supporter)

    def list_orders(self, province: int) -> None:
        """Append every legal movement order of the unit there; call `survey` before."""
        mover = self.unit[province]
        head = mover << MOVER_SHIFT
        self.add(head | HOLD)
        for index in range(self.step_start[mover], self.step_start[mover + 1]):
            self.add(head | MOVE | self.steps[index] << TARGET_SHIFT)
        for index in range(self.near_start[mover], self.near_start[mover + 1]):
            self.list_supports(province, self.near[index])
        if mover >= self.provinces:
            if self.is_sea[province]:
                self.list_convoys(province)
        elif self.ports[province]:
            self.list_moves_by_convoy(province)

    def list_supports(self, province: int, goal: int) -> None:
        """Append the supports of the unit in `province` for what happens in `goal`."""
        head = self.unit[province] << MOVER_SHIFT
        if self.unit[goal] >= 0:
            self.add_pair(head | SUPPORT_HOLD, self.unit[goal])
        head |= SUPPORT_MOVE | goal << TARGET_SHIFT
        entry = self.first_caller[goal]
        while entry >= 0:
            if self.caller[entry] != province:
                self.add_pair(head, self.unit[self.caller[entry]])
            entry = self.next_caller[entry]
        if self.ports[goal]:
            self.list_convoy_supports(province, goal, head)

    def add_pair(self, head: int, other: int) -> None:
        """Append an order that names another mover."""
        self.add(head | other << OTHER_SHIFT)

    def list_convoy_supports(self, province: int, goal: int, head: int) -> None:
        """Append the supports for armies that only a convoy can bring to the goal."""
        ports = self.ports[goal]
        for index in range(self.passenger_count):
            army = self.passengers[index]
            if (
                self.ports[army] & ports
                and army != province
                and army != goal
                and not self.can_reach[army * self.provinces + goal]
                and self.is_carried(army, goal, province)
            ):
                self.add_pair(head, army)

    def list_convoys(self, province: int) -> None:
        """Append the convoys that the fleet in this sea may take part in.

        See `carries_through`: a pair of coasts is joined through the fleet when there is no other
        fleet without which it would reach neither of them.
        """
        group = self.group[province]
        needed = self.find_reaches(province, group)
        head = self.unit[province] << MOVER_SHIFT | CONVOY
        for index in range(self.coast_start[group], self.coast_start[group + 1]):
            army = self.coasts[index]
            if self.unit[army] != army:
                continue
            for other in range(self.coast_start[group], self.coast_start[group + 1]):
                goal = self.coasts[other]
                if goal == army or (self.reaches[army] | self.reaches[goal]) != needed:
                    continue
                if needed < self.most_reaches or self.carries_through(army, goal, province):
                    self.add_pair(head | goal << TARGET_SHIFT, army)

    def find_reaches(self, fleet: int, group: int) -> int:
        """Note for each coast without which others the fleet still reaches it; return them all."""
        for index in range(self.coast_start[group], self.coast_start[group + 1]):
            self.reaches[self.coasts[index]] = 0
        needed = self.one - 1
        bit = self.one
        for index in range(self.fleet_start[group], self.fleet_start[group + 1]):
            other = self.fleets[index]
            if other != fleet and bit < self.most_reaches:
                needed |= bit
                self.flood(fleet, other, bit)
                bit <<= 1
        return needed

    def flood(self, start: int, avoid: int, bit: int) -> None:
        """Set the bit of every coast that fleets afloat reach from the sea `start`."""
        self.stamp += 1
        self.seen[start] = self.stamp
        self.stack[0] = start
        depth = 1
        while depth:
            depth -= 1
            fleet = self.stack[depth]
            for index in range(self.shore_start[fleet], self.shore_start[fleet + 1]):
                self.reaches[self.shores[index]] |= bit
            depth = self.sail_on(fleet, avoid, depth)

    def sail_on(self, fleet: int, avoid: int, depth: int) -> int:
        """Put the fleets next to this one on the stack that are not seen yet; return its depth."""
        for index in range(self.strait_start[fleet], self.strait_start[fleet + 1]):
            sea = self.straits[index]
            is_new = (self.unit[sea] >= 0) & (self.seen[sea] != self.stamp) & (sea != avoid)
            self.seen[sea] = self.stamp
            self.stack[depth] = sea
            depth += is_new
        return depth

    def list_moves_by_convoy(self, province: int) -> None:
        """Append a move for every chain of fleets afloat and every coast it touches."""
        for index in range(self.sea_start[province], self.sea_start[province + 1]):
            sea = self.seas[index]
            if self.unit[sea] >= 0:
                self.walk_from(province, sea)

    def walk_from(self, army: int, first: int) -> None:
        """Append the moves of the army along every path that begins with this sea.

        The stack holds, for each sea of the path, which neighbour to try next.
        """
        self.walk[0] = first
        self.walked[first] = 1
        self.stack[0] = self.sea_start[first]
        depth = 1
        self.list_landings(army, depth)
        while depth:
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
                self.list_landings(army, depth)

    def list_landings(self, army: int, depth: int) -> None:
        """Append a move to every coast that the last sea of the path touches."""
        mover = self.unit[self.walk[depth - 1]]
        for step in range(depth):
            self.path[step] = self.walk[step]
        for index in range(self.near_start[mover], self.near_start[mover + 1]):
            goal = self.near[index]
            if self.is_coastal[goal] and goal != army:
                self.add_landing(army, goal, depth)

    def add_landing(self, army: int, goal: int, depth: int) -> None:
        """Append the move along the present path, if it is short enough for a code."""
        number = self.pack_path(army, goal, depth)
        if number >= 0:
            self.add(
                army << MOVER_SHIFT | MOVE_BY_CONVOY | goal << TARGET_SHIFT | number << OTHER_SHIFT
            )
