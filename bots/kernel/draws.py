"""DumbBot's movement turn on integers: one unit after the other finds its place, with chance.

The chances are those of Python's own generator, whose state is taken over and can be given back, so
that the same seed draws the same plan wherever it is drawn.
"""

from array import array
from collections.abc import Sequence

from bots.kernel.deeds import GO, STAY
from rules.kernel.codes import (
    HOLD,
    MOVE,
    MOVER_SHIFT,
    OTHER_SHIFT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    TARGET_SHIFT,
)

from .arrays import integers, long_integers, zeros

# What a unit is told to do.
HELP_STAY = 2
HELP_GO = 3
PROMISED = 4  # something that was settled before
PROMISED_GO = 5

# How the chance to keep an option is worked out.
WRAPPING = 0
EXACT = 1
ROUNDED = 2

WORDS = 624
HALF_WAY = 397
WORD = 0xFFFFFFFF
TOP_BIT = 0x80000000
LOW_BITS = 0x7FFFFFFF
TWIST = 0x9908B0DF
MASK_B = 0x9D2C5680
MASK_C = 0xEFC60000
HALF_WORD = 1 << 31
MODIFIER = 500
ROUNDER = 6755399441055744.0
"""Added and taken away again, it leaves the nearest whole number of what was below 2**51."""
LARGEST_KEY = 32766
MOST_WAITS = 1000
NOBODY = -1


class Draws:
    """Plans for the units of one power; units are numbers, places those of `UnitPlaces`."""

    def __init__(
        self, places: Sequence[int], borders: Sequence[Sequence[int]], province_of: Sequence[int]
    ) -> None:
        count = len(places)
        known = len(province_of)
        named = [*places, *(place for row in borders for place in row)]
        if len(borders) != count or min(named, default=0) < 0 or max(named, default=0) >= known:
            raise ValueError("no such place")
        provinces = max(province_of) + 1
        if min(province_of) < 0 or provinces > known + 1:
            raise ValueError("no such province")
        self.count = count
        self.here = integers(list(places) or [0])
        self.province_of = integers(list(province_of))
        size = 0
        for row in borders:
            size += len(row) + 1
        self.make_room(count + 1, size + 1, provinces)
        at = 0
        for unit in range(count):
            self.starts[unit] = at
            self.near_counts[unit] = len(borders[unit])
            for place in borders[unit]:
                self.near[at] = place
                at += 1
            at += 1  # room for staying
        for unit in range(count):
            self.at[province_of[places[unit]]] = unit
        self.values = long_integers(len(province_of))
        self.option_values = long_integers(size + 1)
        self.left_values = long_integers(size + 1)
        self.left_count = 0
        self.keys = array("d", bytes(8 * (count + 1)))
        self.fixed_keys = array("d", bytes(8 * (count + 1)))
        self.waits = 0
        self.shuffles = 1
        self.alternative = 0.5
        self.faced_alone = 1
        self.arithmetic = EXACT
        self.words = long_integers(WORDS)
        self.word = WORDS

    def make_room(self, units: int, options: int, provinces: int) -> None:
        """Make the smaller arrays as parts of one: a planner lives for some plans only."""
        room = zeros(10 * units + 3 * options + 4 * provinces)
        self.starts = room[:units]
        self.near_counts = room[units : 2 * units]
        self.option_counts = room[2 * units : 3 * units]
        self.settled = room[3 * units : 4 * units]
        self.settled_goal = room[4 * units : 5 * units]
        self.kinds = room[5 * units : 6 * units]
        self.first = room[6 * units : 7 * units]
        self.second = room[7 * units : 8 * units]
        self.is_ordered = room[8 * units : 9 * units]
        self.numbers = room[9 * units : 10 * units]
        first = 10 * units
        self.near = room[first : first + options]
        self.options = room[first + options : first + 2 * options]
        self.left = room[first + 2 * options : first + 3 * options]
        first += 3 * options
        self.at = room[first : first + provinces]
        self.mover_to = room[first + provinces : first + 2 * provinces]
        self.competition = room[first + 2 * provinces : first + 3 * provinces]
        self.closed = room[first + 3 * provinces : first + 4 * provinces]
        for province in range(provinces):
            self.at[province] = NOBODY
            self.mover_to[province] = NOBODY

    # What is known beforehand.

    def set_habits(
        self, arithmetic: int, alternative: float, faced_alone: int, shuffles: int
    ) -> None:
        """Say how options are chosen."""
        self.arithmetic = arithmetic
        self.alternative = alternative
        self.faced_alone = faced_alone
        self.shuffles = shuffles
        for unit in range(self.count):
            self.fixed_keys[unit] = LARGEST_KEY - unit * LARGEST_KEY // (self.count + 1)

    def set_promise(self, unit: int, goal: int) -> None:
        """Settle a unit beforehand; the goal is a province, or less than 0 if it does not go."""
        if not 0 <= unit < self.count or goal >= len(self.at):
            raise ValueError("no such unit or province")
        self.settled[unit] = PROMISED_GO if goal >= 0 else PROMISED
        self.settled_goal[unit] = goal

    def value(
        self, values: list[int], competition: list[int], closed: Sequence[int], bonus: int
    ) -> None:
        """Say what places are worth and who competes, and list the options of all units."""
        if len(values) != len(self.values) or len(competition) > len(self.competition):
            raise ValueError("every place has a value, and every province its competition")
        for province in closed:
            if not 0 <= province < len(self.closed):
                raise ValueError("no such province")
        for place in range(len(values)):
            self.values[place] = values[place]
        for province in range(len(competition)):
            self.competition[province] = competition[province]
        for province in closed:
            self.closed[province] = 1
        for unit in range(self.count):
            self.list_options(unit, bonus)

    def list_options(self, unit: int, bonus: int) -> None:
        """List where a unit may be, the best first; of equal values the first one survives."""
        first = self.starts[unit]
        count = 0
        for index in range(self.near_counts[unit]):
            place = self.near[first + index]
            if not self.closed[self.province_of[place]]:
                count = self.insert(first, count, place, self.values[place])
        place = self.here[unit]
        self.option_counts[unit] = self.insert(first, count, place, self.values[place] + bonus)

    def insert(self, first: int, count: int, place: int, value: int) -> int:
        """Put an option where its value belongs; return how many there are then."""
        at = 0
        while at < count and self.option_values[first + at] > value:
            at += 1
        if at < count and self.option_values[first + at] == value:
            return count
        index = count
        while index > at:
            self.option_values[first + index] = self.option_values[first + index - 1]
            self.options[first + index] = self.options[first + index - 1]
            index -= 1
        self.option_values[first + at] = value
        self.options[first + at] = place
        return count + 1

    # Chance.

    def take_chances(self, state: tuple[int, ...]) -> None:
        """Take over the state of Python's generator: 624 words and how many are used up."""
        if len(state) != WORDS + 1 or min(state) < 0 or max(state) > WORD:
            raise ValueError("this is not the state of a generator")
        if state[WORDS] > WORDS:
            raise ValueError("this is not the place in the state of a generator")
        for index in range(WORDS):
            self.words[index] = state[index]
        self.word = state[WORDS]

    def chances(self) -> tuple[int, ...]:
        """Return the state, to be given back."""
        return (*[self.words[index] for index in range(WORDS)], self.word)

    def draw_word(self) -> int:
        """Return the next 32 bits of the Mersenne twister."""
        if self.word >= WORDS:
            self.twist()
        mixed = self.words[self.word]
        self.word += 1
        mixed ^= mixed >> 11
        mixed ^= (mixed << 7) & MASK_B
        mixed ^= (mixed << 15) & MASK_C
        mixed ^= mixed >> 18
        return mixed

    def twist(self) -> None:
        """Make the next words."""
        for index in range(WORDS):
            following = index + 1 if index + 1 < WORDS else 0
            other = index + HALF_WAY
            if other >= WORDS:
                other -= WORDS
            mixed = (self.words[index] & TOP_BIT) | (self.words[following] & LOW_BITS)
            made = self.words[other] ^ (mixed >> 1)
            if mixed & 1:
                made ^= TWIST
            self.words[index] = made
        self.word = 0

    def draw(self) -> float:
        """Return a number from 0 to 1, as `random()` does."""
        high = self.draw_word() >> 5
        low = self.draw_word() >> 6
        return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)

    def whole(self, number: float) -> float:
        """Return what is not negative without its fraction."""
        nearest = (number + ROUNDER) - ROUNDER
        return nearest - 1.0 if nearest > number else nearest

    def chance(self, value: int, following: int) -> float:
        """Return by how many per cent an option is kept; nothing below 0 makes a difference."""
        if value == 0:
            return 0.0
        product = value - following
        if self.arithmetic == WRAPPING:
            product = ((product + HALF_WORD) & WORD) - HALF_WORD
            product = ((product * MODIFIER + HALF_WORD) & WORD) - HALF_WORD
        else:
            product *= MODIFIER
        share = (product + 0.0) / value
        if share <= 0.0:
            return 0.0
        if self.arithmetic == ROUNDED:
            return (share + ROUNDER) - ROUNDER
        return self.whole(share)

    def pick(self) -> int:
        """Mostly pick the best option that is left, sometimes the next if it is nearly as good."""
        place = 0
        while place + 1 < self.left_count:
            if self.draw() >= self.alternative:
                break
            drawn = self.draw() * 100.0
            if drawn < self.chance(self.left_values[place], self.left_values[place + 1]):
                break
            place += 1
        return place

    # A plan.

    def plan(self) -> None:
        """Draw an order for every unit, into `kinds`, `first` and `second`."""
        for unit in range(self.count):
            key = self.fixed_keys[unit]
            if self.shuffles:
                key = self.whole(self.draw() * (LARGEST_KEY + 1.0))
            self.keys[unit] = key
            self.numbers[unit] = -unit
            self.is_ordered[unit] = 0
            self.mover_to[self.province_of[self.here[unit]]] = NOBODY
            for index in range(self.near_counts[unit]):
                place = self.near[self.starts[unit] + index]
                self.mover_to[self.province_of[place]] = NOBODY
        for unit in range(self.count):
            if self.settled[unit] == PROMISED_GO:
                self.mover_to[self.settled_goal[unit]] = NOBODY
        for unit in range(self.count):
            if self.settled[unit]:
                self.give(unit, self.settled[unit], 0, 0)
                if self.settled[unit] == PROMISED_GO:
                    self.mover_to[self.settled_goal[unit]] = unit
        self.waits = 0
        number = -self.count
        unit = self.next_unit()
        while unit != NOBODY:
            if not self.settle(unit):
                number -= 1
                self.numbers[unit] = number
            unit = self.next_unit()
        self.use_idle_units()

    def give(self, unit: int, kind: int, first: int, second: int) -> None:
        """Order a unit."""
        self.kinds[unit] = kind
        self.first[unit] = first
        self.second[unit] = second
        self.is_ordered[unit] = 1

    def next_unit(self) -> int:
        """Return the unit that comes next: with the largest key, among equal ones the latest."""
        best = NOBODY
        for unit in range(self.count):
            if self.is_ordered[unit]:
                continue
            if best == NOBODY or self.comes_before(unit, best):
                best = unit
        return best

    def comes_before(self, unit: int, other: int) -> int:
        """Whether a unit is before another one in the queue."""
        if self.keys[unit] != self.keys[other]:
            return self.keys[unit] > self.keys[other]
        return self.numbers[unit] < self.numbers[other]

    def settle(self, unit: int) -> int:
        """Order a unit; 0 if it has to wait for another one, its key lowered."""
        first = self.starts[unit]
        self.left_count = self.option_counts[unit]
        for index in range(self.left_count):
            self.left[index] = self.options[first + index]
            self.left_values[index] = self.option_values[first + index]
        while self.left_count:
            place = self.pick()
            if self.must_wait(unit, self.left[place]):
                return 0
            if self.order_to(unit, self.left[place]):
                return 1
            self.left_count -= 1
            for index in range(place, self.left_count):
                self.left[index] = self.left[index + 1]
                self.left_values[index] = self.left_values[index + 1]
        self.give(unit, STAY, 0, 0)
        return 1

    def must_wait(self, unit: int, place: int) -> int:
        """Whether a unit wants the place of another one that does not know yet what it does."""
        other = self.at[self.province_of[place]]
        if other == NOBODY or other == unit or self.is_ordered[other]:
            return 0
        self.waits += 1
        key = self.keys[other] - 1.0
        if key < 0.0 or self.waits > MOST_WAITS:
            return 0
        self.keys[unit] = key
        return 1

    def goes(self, unit: int) -> int:
        """Whether a unit is ordered to go somewhere."""
        return self.kinds[unit] == GO or self.kinds[unit] == PROMISED_GO

    def order_to(self, unit: int, place: int) -> int:
        """Send a unit to a place, or let it help there; 0 if it is pointless."""
        if place == self.here[unit]:
            self.give(unit, STAY, 0, 0)
            return 1
        province = self.province_of[place]
        standing = self.at[province]
        is_held = standing != NOBODY and standing != unit and self.is_ordered[standing]
        if is_held and not self.goes(standing):
            if self.competition[province] > self.faced_alone:
                self.give(unit, HELP_STAY, standing, 0)
                return 1
            return 0
        mover = self.mover_to[province]
        if mover != NOBODY:
            if self.competition[province]:
                self.give(unit, HELP_GO, mover, province)
                return 1
            return 0
        self.mover_to[province] = unit
        self.give(unit, GO, place, 0)
        return 1

    def use_idle_units(self) -> None:
        """Let units that would hold support the most valuable neighbour that may need it."""
        for unit in range(self.count):
            if self.kinds[unit] != STAY:
                continue
            best = 0
            for index in range(self.near_counts[unit]):
                place = self.near[self.starts[unit] + index]
                if self.values[place] <= best:
                    continue
                if self.help_at(unit, self.province_of[place]):
                    best = self.values[place]

    def help_at(self, unit: int, province: int) -> int:
        """Let a unit support what happens in a province; 0 if that needs no help."""
        mover = self.mover_to[province]
        if mover != NOBODY and self.competition[province] > 0:
            self.give(unit, HELP_GO, mover, province)
            return 1
        standing = self.at[province]
        if standing == NOBODY or self.goes(standing):
            return 0
        if self.competition[province] > 1:
            self.give(unit, HELP_STAY, standing, 0)
            return 1
        return 0

    def planned(self) -> list[tuple[int, int, int]]:
        """Return the last plan: by unit what to do, and two numbers that go with it."""
        return [
            (self.kinds[unit], self.first[unit], self.second[unit]) for unit in range(self.count)
        ]

    def planned_codes(
        self, movers: Sequence[int], armies: int, promised: Sequence[int]
    ) -> list[int]:
        """Return the codes of the last plan.

        `movers` are the numbers of the places in codes, `armies` the first that is no army's;
        `promised` are the codes of those units that were settled beforehand.
        """
        if len(movers) != len(self.province_of) or len(promised) != self.count:
            raise ValueError("every place has a mover, and every unit a code")
        return [self.code_of(unit, movers, armies, promised[unit]) for unit in range(self.count)]

    def code_of(self, unit: int, movers: Sequence[int], armies: int, promised: int) -> int:
        """Return the code for a unit in the last plan."""
        kind = self.kinds[unit]
        if kind >= PROMISED:
            return promised
        head = movers[self.here[unit]]
        head <<= MOVER_SHIFT
        if kind == STAY:
            return head | HOLD
        other = movers[self.first[unit] if kind == GO else self.here[self.first[unit]]]
        if kind == GO:
            if other >= armies:
                other -= armies
            return head | MOVE | other << TARGET_SHIFT
        other <<= OTHER_SHIFT
        if kind == HELP_STAY:
            return head | SUPPORT_HOLD | other
        goal = self.second[unit]
        return head | SUPPORT_MOVE | goal << TARGET_SHIFT | other
