"""Play whole turns: retreats, adjustments, ownership, batches and playouts."""

from rules.kernel.codes import (
    AUTUMN,
    BUILD,
    DISBAND,
    FALL,
    FIELD_BITS,
    KIND_BITS,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    PATH_BROKEN,
    REMOVE,
    RETREAT,
    SPRING,
    SUMMER,
    TARGET_SHIFT,
    WAIVE,
    WINTER,
    YES,
)
from rules.kernel.tables import Tables

from .legality import long_integers
from .state import integers, zeros
from .verdicts import Verdicts

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

WORD = 0xFFFFFFFF


class Simulator(Verdicts):
    """A game on one board, stepped with order codes or by dice.

    An outcome is one byte: bits 0 to 2 result, bit 3 dislodged, bits 4 to 6 note (see `codes`).
    """

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self.retreat_to = integers([-1] * tables.provinces)
        self.arrivals = zeros(tables.provinces)
        self.start_store = zeros(tables.provinces + tables.powers + 1)
        self.starts = self.start_store
        self.budget = zeros(tables.powers)
        self.center_count = zeros(tables.powers)
        self.plan = long_integers(tables.provinces)
        self.goers = zeros(tables.provinces)  # the units whose move succeeds
        self.seed(0)

    def copy(self, other: "Simulator | None") -> None:
        """Take over the position of another simulator; nobody may be dislodged there."""
        if other is None or other.tables is not self.tables:
            raise ValueError("a position is copied from a simulator of the same map")
        self.take_over(other)

    def take_over(self, other: "Simulator") -> None:
        """Copy a position of the same map."""
        for province in range(self.provinces):
            self.unit[province] = other.unit[province]
            self.power[province] = other.power[province]
            self.owner[province] = other.owner[province]
            self.out[province] = -1
        self.season = other.season
        self.year = other.year
        self.winner = other.winner
        self.out_count = 0
        self.is_stale = 1

    # Codes.

    def note_for(self, code: int) -> int:
        """Return the note for a movement order."""
        return self.judge(code)

    def number_of_path(self, start: int, goal: int, seas: list[int]) -> int:
        """Return the packed path, or less than 0: too long for a code, or not connected."""
        self.check_province(start)
        self.check_province(goal)
        if len(seas) > self.provinces:
            return PATH_BROKEN
        for step in range(len(seas)):
            self.path[step] = seas[step]
        return self.pack_path(start, goal, len(seas))

    def seas_of_path(self, start: int, goal: int, number: int) -> list[int]:
        """Return the seas of a packed path; none if it is not a path."""
        self.check_province(start)
        self.check_province(goal)
        length = self.unpack_path(start, goal, number)
        return [self.path[step] for step in range(length)]

    # Movement.

    def judge_all(self, codes: list[int]) -> bytes:
        """Adjudicate movement orders and return their outcomes; the position stays."""
        self.begin()
        places = [self.give(code) for code in codes]
        self.adjudicate_given()
        return bytes([self.outcome_of(place) for place in places])

    def adjudicate_given(self) -> None:
        """Adjudicate the movement orders given since `start_phase`; the position stays.

        Besides, say which provinces are contested: the quicker ways ask for that when needed.
        """
        self.resolve()
        self.conclude()
        self.find_contested()

    def judge_batch(self, codes: list[int], starts: list[int], outcomes: bytearray) -> None:
        """Adjudicate many sets of orders for the one position, without the interpreter's lock.

        Set n is `codes[starts[n]:starts[n + 1]]`; its outcomes go to the same places in `outcomes`.
        """
        last = 0
        for index in range(len(starts)):
            if not last <= starts[index] <= len(codes):
                raise ValueError(f"starts must rise from 0 to the number of codes: {starts[index]}")
            last = starts[index]
        if len(outcomes) < len(codes):
            raise ValueError(f"there is room for {len(outcomes)} outcomes, not for {len(codes)}")
        sets = len(starts) - 1
        with cython.nogil:
            for number in range(sets):
                self.judge_slice(codes, starts[number], starts[number + 1], outcomes)

    def judge_slice(self, codes: list[int], first: int, end: int, outcomes: bytearray) -> None:
        """Adjudicate one set of a batch."""
        self.begin()
        for index in range(first, end):
            self.give(codes[index])
        self.resolve()
        self.conclude()
        for index in range(first, end):
            place = self.provinces
            if self.has_mover(codes[index]):
                place = self.mover_in(codes[index])
            outcomes[index] = self.outcome_of(place)

    def outcome_of(self, place: int) -> int:
        """Return the outcome of the order for the unit in a province."""
        return self.result[place] | self.is_dislodged[place] << 3 | self.note[place] << 4

    def apply_movement(self) -> None:
        """Move the units and work out who may retreat where."""
        self.move_in(self)

    def move_in(self, after: "Simulator") -> None:
        """Move the units of a simulator that holds the same position as this one, or is it."""
        after.is_stale = 1
        after.out_count = 0
        going = 0
        for index in range(self.unit_count):
            province = self.units[index]
            self.goers[going] = province
            going += self.moving[province] == YES
            if self.is_dislodged[province]:
                after.out[province] = self.unit[province]
                after.out_power[province] = self.power[province]
                after.out_count += 1
        for index in range(going):
            province = self.goers[index]
            self.arrivals[index] = self.power[province]
            is_army = self.unit[province] < self.provinces
            place = self.goal_place[province]
            self.plan[index] = place if is_army else self.provinces + place
        if after.out_count:
            self.find_contested()
            for index in range(self.unit_count):
                province = self.units[index]
                if self.is_dislodged[province]:
                    after.unit[province] = -1
        for index in range(going):
            after.unit[self.goers[index]] = -1
        for index in range(going):
            goal = self.goal[self.goers[index]]
            after.unit[goal] = self.plan[index]
            after.power[goal] = self.arrivals[index]
        if after.out_count:
            for index in range(self.unit_count):
                if self.is_dislodged[self.units[index]]:
                    self.find_retreats(self.units[index], after)

    def find_retreats(self, province: int, after: "Simulator") -> None:
        """Mark where the unit dislodged from the province may go."""
        mover = after.out[province]
        origin = self.conqueror[province]
        if self.kind[origin] == MOVE_BY_CONVOY:
            origin = -1
        first = self.step_start[mover]
        for step in range(self.step_start[mover + 1] - first):
            goal = self.province_of[self.steps[first + step]]
            is_free = after.unit[goal] < 0 and not self.is_contested[goal] and goal != origin
            after.retreat_open[province * self.choice + step] = is_free

    # Retreats.

    def give_retreat(self, code: int) -> None:
        """Note where a dislodged unit wants to go, if it may."""
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        if code < 0 or mover >= self.movers or (code & KIND_BITS) != RETREAT:
            return
        province = self.mover_province[mover]
        if self.out[province] != mover:
            return
        target = (code >> TARGET_SHIFT) & FIELD_BITS
        first = self.step_start[mover]
        for step in range(self.step_start[mover + 1] - first):
            is_open = self.retreat_open[province * self.choice + step]
            if is_open and self.steps[first + step] == target:
                self.retreat_to[province] = target

    def apply_retreats(self) -> None:
        """Move those who retreat alone; the others are gone."""
        for province in range(self.provinces):
            self.arrivals[province] = 0
        for province in range(self.provinces):
            if self.out[province] >= 0 and self.retreat_to[province] >= 0:
                self.arrivals[self.province_of[self.retreat_to[province]]] += 1
        for province in range(self.provinces):
            if self.out[province] >= 0:
                place = self.retreat_to[province]
                if place >= 0 and self.arrivals[self.province_of[place]] == 1:
                    is_army = self.out[province] < self.provinces
                    goal = self.province_of[place]
                    self.unit[goal] = place if is_army else self.provinces + place
                    self.power[goal] = self.out_power[province]
                self.out[province] = -1
                self.retreat_to[province] = -1
        self.out_count = 0

    def list_retreats(self, province: int) -> None:
        """Append the orders that the unit dislodged from the province may be given."""
        mover = self.out[province]
        self.add(mover << MOVER_SHIFT | DISBAND)
        first = self.step_start[mover]
        for step in range(self.step_start[mover + 1] - first):
            if self.retreat_open[province * self.choice + step]:
                target = self.steps[first + step]
                self.add(mover << MOVER_SHIFT | RETREAT | target << TARGET_SHIFT)

    # Adjustments.

    def count_budgets(self) -> int:
        """Work out how many units each power must build or remove; say whether anybody must."""
        if self.is_stale:
            self.list_units()
        for power in range(self.powers):
            self.center_count[power] = 0
            self.budget[power] = 0
        for index in range(self.center_total):
            owner = self.owner[self.centers[index]]
            if owner >= 0:
                self.center_count[owner] += 1
        for index in range(self.unit_count):
            self.budget[self.power[self.units[index]]] -= 1
        is_due = 0
        for power in range(self.powers):
            self.budget[power] += self.center_count[power]
            if self.budget[power]:
                is_due = 1
        return is_due

    def can_build(self, power: int, province: int) -> int:
        """Whether the power may build there."""
        return (
            self.owner[province] == power
            and self.unit[province] < 0
            and self.is_home[power * self.provinces + province]
        )

    def give_adjustment(self, code: int) -> None:
        """Carry out a build, removal or waive, if it is allowed."""
        kind = code & KIND_BITS
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        if code < 0 or mover >= self.movers:
            return
        if kind == WAIVE:
            if mover < self.powers and self.budget[mover] > 0:
                self.budget[mover] -= 1
            return
        province = self.mover_province[mover]
        if kind == REMOVE and self.unit[province] == mover:
            if self.budget[self.power[province]] < 0:
                self.budget[self.power[province]] += 1
                self.unit[province] = -1
                self.is_stale = 1
        elif kind == BUILD:
            self.build(mover, province)

    def build(self, mover: int, province: int) -> None:
        """Build a unit for the owner of the center, if it is allowed."""
        power = self.owner[province]
        if power < 0 or self.budget[power] <= 0 or not self.can_build(power, province):
            return
        for index in range(self.build_start[province], self.build_start[province + 1]):
            if self.builds[index] == mover:
                self.unit[province] = mover
                self.power[province] = power
                self.budget[power] -= 1
                self.is_stale = 1

    def remove_automatically(self) -> None:
        """Remove what is too many: far from home first, fleets first, then by the alphabet."""
        for power in range(self.powers):
            while self.budget[power] < 0:
                self.unit[self.most_distant(power)] = -1
                self.budget[power] += 1

    def most_distant(self, power: int) -> int:
        """Return the province of the unit that is removed next."""
        best = -1
        for province in range(self.provinces):
            if self.unit[province] < 0 or self.power[province] != power:
                continue
            if best < 0 or self.goes_before(power, province, best):
                best = province
        return best

    def goes_before(self, power: int, province: int, best: int) -> int:
        """Whether one unit is removed before another."""
        base = power * self.provinces
        distance = self.distance[base + province]
        best_distance = self.distance[base + best]
        if distance != best_distance:
            return distance > best_distance
        is_fleet = self.unit[province] >= self.provinces
        best_is_fleet = self.unit[best] >= self.provinces
        if is_fleet != best_is_fleet:
            return is_fleet
        return self.rank[province] < self.rank[best]

    def list_adjustments(self, power: int) -> None:
        """Append the orders that the power may be given now; none when nothing is due."""
        if self.budget[power] > 0:
            self.add(power << MOVER_SHIFT | WAIVE)
            for home in range(self.home_start[power], self.home_start[power + 1]):
                province = self.homes[home]
                if self.can_build(power, province):
                    for index in range(self.build_start[province], self.build_start[province + 1]):
                        self.add(self.builds[index] << MOVER_SHIFT | BUILD)
        elif self.budget[power] < 0:
            for province in range(self.provinces):
                is_own = (self.unit[province] >= 0) & (self.power[province] == power)
                self.add_if(self.unit[province] << MOVER_SHIFT | REMOVE, is_own)

    # Turns.

    def finish_year(self) -> None:
        """Give the centers to who stands in them, and see whether somebody has won."""
        for index in range(self.center_total):
            province = self.centers[index]
            is_taken = self.unit[province] >= 0
            self.owner[province] = self.power[province] if is_taken else self.owner[province]
        is_due = self.count_budgets()
        self.find_winner()
        if is_due:
            self.season = WINTER
        else:
            self.season = SPRING
            self.year += 1

    def find_winner(self) -> None:
        """Look for a power with enough centers and more than any other."""
        best = 0
        self.winner = -1
        for power in range(self.powers):
            count = self.center_count[power]
            if count > best:
                best = count
                self.winner = power if count >= self.centers_to_win else -1
            elif count == best:
                self.winner = -1

    def next_turn(self) -> None:
        """Go to the next turn in which somebody has something to order."""
        self.is_stale = 1
        if self.season == WINTER:
            self.season = SPRING
            self.year += 1
        elif self.out_count:
            self.season = SUMMER if self.season == SPRING else AUTUMN
        elif self.season == SPRING or self.season == SUMMER:
            self.season = FALL
        else:
            self.finish_year()

    def start_phase(self) -> None:
        """Get ready for the orders of this turn."""
        if self.season == SPRING or self.season == FALL:
            self.begin()
        elif self.season == WINTER:
            self.count_budgets()

    def give_any(self, code: int) -> None:
        """Take an order for this turn."""
        if self.season == SPRING or self.season == FALL:
            self.give(code)
        elif self.season == WINTER:
            self.give_adjustment(code)
        else:
            self.give_retreat(code)

    def end_phase(self) -> None:
        """Adjudicate what was ordered and go to the next turn."""
        if self.season == SPRING or self.season == FALL:
            self.resolve()
            self.conclude()
            self.apply_movement()
        elif self.season == WINTER:
            self.remove_automatically()
        else:
            self.apply_retreats()
        self.next_turn()

    def step(self, codes: list[int]) -> None:
        """Adjudicate one turn of any phase; orders that are not allowed are passed over."""
        self.start_phase()
        for code in codes:
            self.give_any(code)
        self.end_phase()

    # Lists for callers.

    def all_units(self) -> list[int]:
        """Return the mover in each province, or -1."""
        return [self.unit[province] for province in range(self.provinces)]

    def all_powers(self) -> list[int]:
        """Return whose unit is in each province; without one the number means nothing."""
        return [self.power[province] for province in range(self.provinces)]

    def all_owners(self) -> list[int]:
        """Return who owns the center in each province, or -1."""
        return [self.owner[province] for province in range(self.provinces)]

    def all_dislodged(self) -> list[int]:
        """Return the provinces whose units were dislodged in the turn just adjudicated."""
        return [
            self.units[index]
            for index in range(self.unit_count)
            if self.is_dislodged[self.units[index]]
        ]

    def legal(self, place: int) -> list[int]:
        """Return the orders for the unit in a province, or in an adjustment turn for a power."""
        if not 0 <= place < (self.powers if self.season == WINTER else self.provinces):
            raise IndexError(f"nobody can be ordered in place {place}")
        self.prepare_lists()
        self.found_count = 0
        self.list_any(place)
        if self.found_count > self.room:
            self.make_room(2 * self.found_count)
            return self.legal(place)
        return [self.found[index] for index in range(self.found_count)]

    def legal_all(self) -> list[list[int]]:
        """Return the lists of `legal` for all that have something to order."""
        codes, starts = self.legal_arrays()
        rows = list(codes)
        return [rows[starts[index] : starts[index + 1]] for index in range(len(starts) - 1)]

    def legal_arrays(self) -> tuple[list[int], list[int]]:
        """Return all legal orders in a row, and where each unit's or power's orders begin.

        The second ends with the number of orders. Compiled, both are of type `array`; this is the
        quickest form.
        """
        count = self.list_everything()
        if self.found_count > self.room:
            self.make_room(2 * self.found_count)
            count = self.list_everything()
        return self.found_store[: self.found_count], self.start_store[: count + 1]

    def list_everything(self) -> int:
        """List all legal orders, with the beginnings in `starts`; count units or powers."""
        self.prepare_lists()
        self.found_count = 0
        count = 0
        self.starts[0] = 0
        for place in range(self.powers if self.season == WINTER else self.provinces):
            self.list_any(place)
            if self.found_count > self.starts[count]:
                count += 1
                self.starts[count] = self.found_count
        return count

    def prepare_lists(self) -> None:
        """Find out what the lists of orders depend on."""
        if self.season == SPRING or self.season == FALL:
            self.survey()
        elif self.season == WINTER:
            self.count_budgets()

    def list_any(self, place: int) -> None:
        """Append the orders for a unit or a power."""
        if self.season == WINTER:
            self.list_adjustments(place)
        elif self.season == SUMMER or self.season == AUTUMN:
            if self.out[place] >= 0:
                self.list_retreats(place)
        elif self.unit[place] >= 0:
            self.list_orders(place)

    # Dice.

    def seed(self, seed: int) -> None:
        """Begin a repeatable sequence."""
        self.dice_a = seed & WORD
        self.dice_b = (seed >> 32) & WORD
        self.dice_c = 0x2545F491
        self.dice_d = 0x1B873593
        for _ in range(16):
            self.roll()

    def pick(self) -> int:
        """Throw dice for one of the orders just listed."""
        return self.found[self.throw(min(self.room, self.found_count))]

    def step_by_dice(self) -> None:
        """Order everybody by dice and adjudicate the turn."""
        if self.season == SPRING or self.season == FALL:
            self.order_by_dice()
        elif self.season == WINTER:
            self.count_budgets()
            self.adjust_by_dice()
        else:
            self.retreat_by_dice()
        self.end_phase()

    def order_by_dice(self) -> None:
        """Pick a movement order for every unit."""
        self.number_orders()
        self.begin_for_all()
        for index in range(self.unit_count):
            unit = self.units[index]
            self.order_unit(unit, self.draw_order(unit))

    def retreat_by_dice(self) -> None:
        """Pick a retreat for every dislodged unit."""
        for province in range(self.provinces):
            if self.out[province] >= 0:
                self.found_count = 0
                self.list_retreats(province)
                self.give_retreat(self.pick())

    def adjust_by_dice(self) -> None:
        """Pick adjustments until nothing is due."""
        for power in range(self.powers):
            while self.budget[power]:
                self.found_count = 0
                self.list_adjustments(power)
                self.give_adjustment(self.pick())

    def play(self, last_year: int, most_phases: int) -> int:
        """Play by dice to a solo, the end of the year or so many phases; return the phases."""
        phases = 0
        with cython.nogil:
            while self.winner < 0 and self.year <= last_year and phases < most_phases:
                self.step_by_dice()
                phases += 1
        return phases
