"""Which movement orders may be tried, as notes for codes and as lists of codes."""

from array import array

from rules.kernel.codes import (
    CONVOY,
    FIELD_BITS,
    FINE,
    HOLD,
    KIND_BITS,
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
    return array("q", bytes(8 * count)) if COMPILED else [0] * count  # type: ignore[return-value]


class Legality(State):
    """A state that knows what its units may try.

    The list of orders is in `found`, `found_count` long; when it has no room for all, `found_count`
    still says how many there are.
    """

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        count = tables.provinces
        self.room = FIRST_ROOM
        self.found = long_integers(self.room)
        self.found_count = 0
        self.harbor = integers([-1] * count)  # by sea: the group of fleets afloat it belongs to
        self.harbor_touches = bytearray(count * count)  # group by province
        self.harbor_count = 0
        self.walk = zeros(count)
        self.walked = bytearray(count)

    def make_room(self, room: int) -> None:
        """Make the list of orders that long."""
        self.room = room
        self.found = long_integers(room)

    # Notes, with the checks in the reference server's order.

    def has_mover(self, code: int) -> int:
        """Whether the unit that the code names is there."""
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        is_known = code >= 0 and mover < self.movers
        return is_known and self.unit[self.mover_province[mover]] == mover

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
        # An army that is named where a fleet stands is "no such army", DATC 6.A.7.
        is_mistaken = other < self.provinces and standing >= self.provinces
        if standing != other and not is_mistaken:
            return NO_SUCH_UNIT
        if mover < self.provinces:
            return NO_SUCH_FLEET
        if not self.is_sea[self.mover_province[mover]]:
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

    def group_fleets(self) -> None:
        """Sort the fleets afloat into groups of neighbours, and note which coasts each touches."""
        self.harbor_count = 0
        for province in range(self.provinces):
            self.harbor[province] = -1
        for province in range(self.provinces):
            if self.is_sea[province] and self.unit[province] >= 0 and self.harbor[province] < 0:
                self.group_around(province)

    def group_around(self, start: int) -> None:
        """Collect the group of the fleet in this sea."""
        group = self.harbor_count
        self.harbor_count += 1
        for province in range(self.provinces):
            self.harbor_touches[group * self.provinces + province] = 0
        self.harbor[start] = group
        self.stack[0] = start
        depth = 1
        while depth:
            depth -= 1
            here = self.stack[depth]
            mover = self.unit[here]
            for index in range(self.near_start[mover], self.near_start[mover + 1]):
                neighbor = self.near[index]
                if not self.is_sea[neighbor]:
                    self.harbor_touches[group * self.provinces + neighbor] = 1
                elif self.unit[neighbor] >= 0 and self.harbor[neighbor] < 0:
                    self.harbor[neighbor] = group
                    self.stack[depth] = neighbor
                    depth += 1

    def is_carried(self, army: int, goal: int, supporter: int) -> int:
        """Whether fleets other than the supporter could carry the army there."""
        for group in range(self.harbor_count):
            base = group * self.provinces
            if self.harbor_touches[base + army] and self.harbor_touches[base + goal]:
                if self.harbor[supporter] != group:
                    return 1
                if self.carries(army, goal, supporter):
                    return 1
        return 0

    def list_orders(self, province: int) -> None:
        """Append every legal movement order of the unit there; call `group_fleets` before."""
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
        elif self.is_coastal[province] and self.harbor_count:
            self.list_moves_by_convoy(province)

    def list_supports(self, province: int, goal: int) -> None:
        """Append the supports of the unit in `province` for what happens in `goal`."""
        head = self.unit[province] << MOVER_SHIFT
        if self.unit[goal] >= 0:
            self.add_pair(head | SUPPORT_HOLD, self.unit[goal])
        head |= SUPPORT_MOVE | goal << TARGET_SHIFT
        for index in range(self.around_start[goal], self.around_start[goal + 1]):
            other = self.unit[self.around[index]]
            if (
                other >= 0
                and self.around[index] != province
                and self.can_reach[other * self.provinces + goal]
            ):
                self.add_pair(head, other)
        if self.harbor_count and self.is_coastal[goal]:
            self.list_convoy_supports(province, goal, head)

    def add_pair(self, head: int, other: int) -> None:
        """Append an order that names another mover."""
        self.add(head | other << OTHER_SHIFT)

    def list_convoy_supports(self, province: int, goal: int, head: int) -> None:
        """Append the supports for armies that only a convoy can bring to the goal."""
        for army in range(self.provinces):
            if (
                self.unit[army] == army
                and self.is_coastal[army]
                and army not in (province, goal)
                and not self.can_reach[army * self.provinces + goal]
                and self.is_carried(army, goal, province)
            ):
                self.add_pair(head, army)

    def list_convoys(self, province: int) -> None:
        """Append the convoys that the fleet in this sea may take part in."""
        base = self.harbor[province] * self.provinces
        head = self.unit[province] << MOVER_SHIFT | CONVOY
        for army in range(self.provinces):
            if self.unit[army] != army or not self.harbor_touches[base + army]:
                continue
            for goal in range(self.provinces):
                if self.harbor_touches[base + goal] and self.carries_through(army, goal, province):
                    self.add_pair(head | goal << TARGET_SHIFT, army)

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
