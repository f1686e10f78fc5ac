"""What the units of one power may do, each option with the facts by which a policy judges it.

Options are holds, moves, supports of own units, and convoys of own armies by one own fleet. A fact
is a number; those here do not depend on what the power's other units do. What an option is about is
its `goal`: the province where a unit goes or stays, or which it supports or is carried to.
"""

from bots.kernel.deeds import (
    BACK_GO,
    BACK_STAY,
    BEARING,
    CARRY,
    DEEDS,
    GO,
    GOALS,
    HERE,
    MOST_OPTIONS,
    OCCUPANTS,
    OWN_SIZES,
    PLANNED,
    RANKED,
    RANKS,
    RELATIONS,
    SIZED,
    SOURCES,
    STATIC,
    STAY,
    STEPS,
    THEIR_SIZES,
)
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
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    TARGET_SHIFT,
)

from .arrays import integers, long_integers, zeros
from .playouts import Playouts


class Choices:
    """The options of a power's units: those of unit n are `first[n]` to `first[n + 1]`."""

    def __init__(self, game: Playouts) -> None:
        if game is None:
            raise TypeError("choices are listed for playouts")
        self.game = game
        self.state = game.state
        self.powers = game.powers
        self.provinces = game.provinces
        self.locations = game.locations
        self.movers = game.movers
        self.power = 0
        self.season = 0
        self.unit_count = 0
        self.units = zeros(self.provinces)
        """By unit, its province."""
        self.number_at = integers([-1] * self.provinces)
        """By province, which unit of ours stands there."""
        self.first = zeros(self.provinces + 1)
        self.count = 0
        self.codes = long_integers(MOST_OPTIONS)
        self.deeds = zeros(MOST_OPTIONS)
        self.goals = zeros(MOST_OPTIONS)
        self.partners = zeros(MOST_OPTIONS)
        """The unit that is helped, or that carries or is carried; -1 without one."""
        self.tails = zeros(MOST_OPTIONS)
        self.slots = zeros(MOST_OPTIONS)
        self.facts = zeros(MOST_OPTIONS * STATIC)
        self.slot_total = 0
        self.go_slot = integers([-1] * (self.movers * self.locations))
        self.back_slot = integers([-1] * (self.movers * self.provinces))
        self.carry_slot = integers([-1] * (self.movers * self.provinces))
        self.stay_slot = integers([-1] * self.movers)
        self.slot_deeds = zeros(MOST_OPTIONS)
        self.slot_movers = zeros(MOST_OPTIONS)
        self.slot_goals = zeros(MOST_OPTIONS)
        self._number_slots()
        # Where the facts of each kind begin.
        self.owner_base = self.powers * 2 * self.slot_total
        self.holder_base = self.owner_base + self.powers * (self.powers + 1) * DEEDS
        self.mark_base = self.holder_base + self.powers * (self.powers + 1) * DEEDS
        self.source_base = self.mark_base + GOALS
        self.rank_base = self.source_base + SOURCES
        self.size_base = self.rank_base + RANKED
        self.planned_base = self.size_base + SIZED
        self.here_base = self.planned_base + PLANNED
        self.fact_total = self.here_base + HERE

    # Once for a board: every unit in every place with every goal has a slot of its own.

    def _number_slots(self) -> None:
        state = self.state
        for mover in range(self.movers):
            if state.step_start[mover + 1] == state.step_start[mover]:
                continue
            self.stay_slot[mover] = self._new_slot(STAY, mover, 0)
            for index in range(state.step_start[mover], state.step_start[mover + 1]):
                at = mover * self.locations + state.steps[index]
                if self.go_slot[at] < 0:
                    self.go_slot[at] = self._new_slot(GO, mover, state.steps[index])
            for index in range(state.near_start[mover], state.near_start[mover + 1]):
                at = mover * self.provinces + state.near[index]
                if self.back_slot[at] < 0:
                    self.back_slot[at] = self._new_slot(BACK_GO, mover, state.near[index])
            if mover < self.provinces:
                self._number_passages(mover)

    def _number_passages(self, army: int) -> None:
        state = self.state
        for index in range(state.sea_start[army], state.sea_start[army + 1]):
            sea = state.seas[index]
            for goal in range(self.provinces):
                at = army * self.provinces + goal
                if self.is_passage(army, sea, goal) and self.carry_slot[at] < 0:
                    self.carry_slot[at] = self._new_slot(CARRY, army, goal)

    def _new_slot(self, deed: int, mover: int, goal: int) -> int:
        slot = self.slot_total
        if slot >= len(self.slot_deeds):
            raise ValueError("this map is too large for a policy")
        self.slot_deeds[slot] = deed
        self.slot_movers[slot] = mover
        self.slot_goals[slot] = goal
        self.slot_total += 1
        return slot

    def slot_list(self) -> list[tuple[int, int, int]]:
        """Return what each slot stands for: what is done, by which mover, and where."""
        return [
            (self.slot_deeds[slot], self.slot_movers[slot], self.slot_goals[slot])
            for slot in range(self.slot_total)
        ]

    def is_passage(self, army: int, sea: int, goal: int) -> int:
        """Whether a fleet in one sea carries an army to a place that it cannot go to on foot."""
        return (
            goal != army
            and self.state.is_coastal[goal]
            and self.state.touches[goal * self.provinces + sea]
            and not self.state.can_reach[army * self.provinces + goal]
        )

    # Once for a power in a position.

    def list_choices(self, power: int) -> None:
        """List the options of all units of a power; the values and bearings must be there."""
        self.power = power
        self.season = 1 if self.state.season >= FALL else 0
        for number in range(self.unit_count):
            self.number_at[self.units[number]] = -1
        if self.state.is_stale:
            self.state.list_units()
        count = 0
        for index in range(self.state.unit_count):
            province = self.state.units[index]
            if self.state.power[province] == power:
                self.units[count] = province
                self.number_at[province] = count
                count += 1
        self.unit_count = count
        self.count = 0
        for number in range(count):
            self.first[number] = self.count
            self.list_unit(self.units[number])
        self.first[count] = self.count

    def list_unit(self, unit: int) -> None:
        """List the options of one unit."""
        if not self.game.is_counted:
            self.game.count_bearing()
        self.game.list_options(self.power, unit)
        self.game.rank_options(self.game.option_count)
        if self.game.has_fixed and self.game.fixed[unit] >= 0:
            self.add_fixed(unit, self.game.fixed[unit])
            return
        mover = self.state.unit[unit]
        self.add(self.game.code_of(HOLD, unit, 0, 0), STAY, unit, -1, self.stay_slot[mover])
        for index in range(self.state.step_start[mover], self.state.step_start[mover + 1]):
            place = self.state.steps[index]
            goal = self.state.province_of[place]
            if not self.is_closed(goal):
                slot = self.go_slot[mover * self.locations + place]
                self.add(self.game.code_of(MOVE, unit, place, 0), GO, goal, -1, slot)
        for index in range(self.state.near_start[mover], self.state.near_start[mover + 1]):
            self.add_supports(unit, self.state.near[index])
        if mover < self.provinces:
            self.add_journeys(unit)
        elif self.state.is_sea[unit]:
            self.add_convoys(unit)

    def is_closed(self, goal: int) -> int:
        """Whether the power keeps out of a province."""
        return self.game.closed_for == self.power and self.game.closed[goal]

    def add_fixed(self, unit: int, code: int) -> None:
        """Add the only option of a unit whose order was promised."""
        kind = code & KIND_BITS
        mover = self.state.unit[unit]
        target = (code >> TARGET_SHIFT) & FIELD_BITS
        partner = self.state.mover_province[(code >> OTHER_SHIFT) & FIELD_BITS]
        if kind == MOVE or kind == MOVE_BY_CONVOY:
            self.add(code, GO, self.state.province_of[target], -1, self.stay_slot[mover])
        elif kind == SUPPORT_HOLD:
            self.add(code, BACK_STAY, partner, partner, self.stay_slot[mover])
        elif kind == SUPPORT_MOVE:
            self.add(code, BACK_GO, target, partner, self.stay_slot[mover])
        else:
            self.add(code, STAY, unit, -1, self.stay_slot[mover])

    def add_supports(self, unit: int, goal: int) -> None:
        """Let a unit support what others of its power do in a province."""
        slot = self.back_slot[self.state.unit[unit] * self.provinces + goal]
        if self.number_at[goal] >= 0:
            other = self.state.unit[goal]
            self.add(self.game.code_of(SUPPORT_HOLD, unit, 0, other), BACK_STAY, goal, goal, slot)
        if self.is_closed(goal):
            return
        for number in range(self.unit_count):
            place = self.units[number]
            other = self.state.unit[place]
            if (
                place != unit
                and place != goal
                and self.state.can_reach[other * self.provinces + goal]
            ):
                self.add(
                    self.game.code_of(SUPPORT_MOVE, unit, goal, other), BACK_GO, goal, place, slot
                )

    def add_journeys(self, army: int) -> None:
        """Let an army be carried by one fleet."""
        for index in range(self.state.sea_start[army], self.state.sea_start[army + 1]):
            sea = self.state.seas[index]
            if self.number_at[sea] < 0:
                continue
            for goal in range(self.provinces):
                if self.is_passage(army, sea, goal) and not self.is_closed(goal):
                    slot = self.carry_slot[army * self.provinces + goal]
                    self.add(self.journey(army, sea, goal), CARRY, goal, sea, slot)

    def journey(self, army: int, sea: int, goal: int) -> int:
        """Return the code of a move by convoy through one sea."""
        self.state.path[0] = sea
        path = self.state.pack_path(army, goal, 1)
        head = self.state.unit[army]
        aim = goal
        kind = MOVE_BY_CONVOY
        return kind | head << MOVER_SHIFT | aim << TARGET_SHIFT | path << OTHER_SHIFT

    def add_convoys(self, sea: int) -> None:
        """Let a fleet carry an army."""
        for number in range(self.unit_count):
            army = self.units[number]
            if self.state.unit[army] != army or not self.state.touches[army * self.provinces + sea]:
                continue
            for goal in range(self.provinces):
                if self.is_passage(army, sea, goal) and not self.is_closed(goal):
                    slot = self.carry_slot[army * self.provinces + goal]
                    self.add(self.game.code_of(CONVOY, sea, goal, army), CARRY, goal, army, slot)

    # One option.

    def add(self, code: int, deed: int, goal: int, partner: int, slot: int) -> None:
        """Add an option with its facts, as long as there is room; there always is for a hold."""
        at = self.count
        if at >= MOST_OPTIONS - (self.provinces if deed != STAY else 0):
            return
        self.codes[at] = code
        self.deeds[at] = deed
        self.goals[at] = goal
        self.partners[at] = partner
        self.slots[at] = slot
        self.count += 1
        unit = self.state.mover_province[(code >> MOVER_SHIFT) & FIELD_BITS]
        head = deed * 2 + self.season
        base = at * STATIC
        owner = self.state.owner[goal]
        holder = self.state.power[goal] if self.state.unit[goal] >= 0 else -1
        ours = min(self.game.bearing[goal * self.game.powers + self.power], BEARING - 1)
        theirs = min(self.game.competition(self.power, goal), BEARING - 1)
        standing = 0
        if holder >= 0:
            standing = 1 if holder == self.power else 2
        self.tails[at] = (BEARING if standing == 2 else 0) + theirs
        self.facts[base] = (self.power * 2 + self.season) * self.slot_total + slot
        mark = head * RELATIONS + self.relation(goal)
        mark = (mark * OCCUPANTS + standing) * BEARING + ours
        self.facts[base + 1] = self.mark_base + mark * BEARING + theirs
        self.facts[base + 2] = self.source_base + self.source(head, unit)
        self.facts[base + 3] = self.rank_base + self.rank(head, goal)
        pair = (self.power * (self.powers + 1) + owner + 1) * DEEDS + deed
        self.facts[base + 4] = self.owner_base + pair
        pair = (self.power * (self.powers + 1) + holder + 1) * DEEDS + deed
        self.facts[base + 5] = self.holder_base + pair
        self.facts[base + 6] = self.size_base + self.sized(deed, owner)

    def relation(self, province: int) -> int:
        """Return whose center a province is."""
        if not self.state.is_center[province]:
            return 0
        owner = self.state.owner[province]
        if owner == self.power:
            return 1
        return 2 if owner >= 0 else 3

    def source(self, head: int, unit: int) -> int:
        """Return the fact of where a unit stands."""
        ours = min(self.game.bearing[unit * self.game.powers + self.power], BEARING - 1)
        theirs = min(self.game.competition(self.power, unit), BEARING - 1)
        return ((head * RELATIONS + self.relation(unit)) * BEARING + ours) * BEARING + theirs

    def rank(self, head: int, goal: int) -> int:
        """Return how DumbBot values the goal among the places of the unit that was last listed.

        Places of the same value have the same rank, however the map is numbered.
        """
        at = 0
        while (
            at < self.game.option_count and self.state.mover_province[self.game.options[at]] != goal
        ):
            at += 1
        rank = RANKS - 1
        step = STEPS - 1
        if at < self.game.option_count:
            rank = at
            while rank > 0 and self.game.weights[rank - 1] == self.game.weights[at]:
                rank -= 1
            if self.game.weights[0] > 0:
                step = STEPS - 1 - self.game.weights[at] * (STEPS - 1) // self.game.weights[0]
        if rank >= RANKS:
            rank = RANKS - 1
        return (head * RANKS + rank) * STEPS + step

    def sized(self, deed: int, owner: int) -> int:
        """Return how large we are, and whoever owns the goal."""
        size = self.game.counts[self.power]
        ours = 0
        if size > 10:
            ours = 3
        elif size > 6:
            ours = 2
        elif size > 3:
            ours = 1
        theirs = 0
        if owner >= 0 and owner != self.power:
            other = self.game.counts[owner]
            theirs = 2
            if other >= 12:
                theirs = 4
            elif other > size:
                theirs = 3
            elif other < size:
                theirs = 1
        return (deed * OWN_SIZES + ours) * THEIR_SIZES + theirs
