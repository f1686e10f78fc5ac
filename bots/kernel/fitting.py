"""Sets of orders in which no order spoils another, found by a beam search.

Two units never go to the same province, nobody goes where one of our own stays, and supports and
convoys are for what the other unit does; where asked for, no two units exchange their places, which
both would bounce. A set grows unit by unit; the best few are kept.
"""

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
from rules.kernel.tables import Tables

from .arrays import integers, long_integers, zeros
from .chances import doubles
from .memory import Memory

UNKNOWN = 0.5
STAYS = -1
FREE = -2
WIDEST = 4096
"""How many sets can be kept."""
WITHOUT_PATH = (1 << OTHER_SHIFT) - 1
PATTERN_BITS = (1 << 34) - 1


class Fitting:
    """Lets sets of orders grow. Slots 0 to `width` - 1 and the next as many take turns."""

    def __init__(self, tables: Tables, *, has_convoys: bool, may_exchange: bool) -> None:
        self.has_convoys = has_convoys
        self.may_exchange = may_exchange
        self.provinces = tables.provinces
        self.locations = tables.locations
        self.movers = tables.movers
        self.mover_province = integers(tables.mover_province)
        self.province_of = integers(tables.province_of)
        self.units = 0
        self.width = 0
        self.begin(1, 1)

    def begin(self, units: int, width: int) -> None:
        """Begin with one empty set; `width` is how many are kept."""
        if units < 1 or width < 1 or units > self.provinces or width > WIDEST:
            raise ValueError("a set needs a unit, and there is not room for everything")
        if units > self.units or width != self.width:
            self.make_room(units, width)
        self.first = 0
        self.count = 1
        self.done = 0
        self.scores[0] = 0.0
        self.singles[0] = self.single_trusts[0] = self.pairs[0] = self.pair_trusts[0] = 0.0
        for province in range(self.provinces):
            self.goals[province] = 0
            self.stays[province] = 0
            self.wishes[province] = FREE
            self.given[province] = -1

    def make_room(self, units: int, width: int) -> None:
        """Get arrays for sets of so many units."""
        self.units = units
        self.width = width
        slots = 2 * width
        self.scores = doubles(slots)
        # The sums of which scores by patterns without features are made.
        self.singles = doubles(slots)
        self.single_trusts = doubles(slots)
        self.pairs = doubles(slots)
        self.pair_trusts = doubles(slots)
        # By slot and unit: the orders, and the numbers of their patterns.
        self.codes = long_integers(slots * units)
        self.numbers = zeros(slots * units)
        # By slot and province: whether somebody goes there or stays there, what the unit there is
        # told, and what others count on it for.
        self.goals = zeros(slots * self.provinces)
        self.stays = zeros(slots * self.provinces)
        self.wishes = zeros(slots * self.provinces)
        self.given = long_integers(slots * self.provinces)
        # The best sets of the next generation so far: of which slot, with which order.
        self.next_scores = doubles(width + 1)
        self.parents = zeros(width + 1)
        self.next_codes = long_integers(width + 1)
        self.next_numbers = zeros(width + 1)
        self.next_count = 0

    def grow(self, codes: list[int], scores: list[float]) -> int:
        """Add the next unit's order, the best first; return how many sets there are, 0 for none.

        If none of the orders fits, the sets stay as they are.
        """
        if len(codes) != len(scores):
            raise ValueError("each order needs a score")
        self.next_count = 0
        for slot in range(self.first, self.first + self.count):
            for index in range(len(codes)):
                code = codes[index]
                self.check(code)
                if self.fits(slot, code):
                    self.keep(slot, code, -1, self.scores[slot] + scores[index])
        return self.turn_over(0)

    def grow_pairs(self, codes: list[int], memory: Memory) -> int:
        """Add the next unit's order, as `grow`; the score is that of orders and pairs of them."""
        if memory is None:
            raise TypeError("a memory is needed")
        self.next_count = 0
        for code in codes:
            self.check(code)
            number = memory.find(pattern_of(code))
            for slot in range(self.first, self.first + self.count):
                if self.fits(slot, code):
                    self.add_up(slot, number, memory, 2 * self.width)
                    self.keep(slot, code, number, self.sum_score)
        return self.turn_over_pairs(memory)

    def force(self, code: int, score: float) -> None:
        """Add an order that need not fit; what others count on is forgotten."""
        self.check(code)
        self.next_count = 0
        for slot in range(self.first, self.first + self.count):
            self.keep(slot, code, -1, self.scores[slot] + score)
        self.turn_over(1)

    def sets(self) -> list[tuple[float, list[int]]]:
        """Return the sets and their scores, the best first."""
        found = []
        for slot in range(self.first, self.first + self.count):
            base = slot * self.units
            found.append(
                (self.scores[slot], [self.codes[base + index] for index in range(self.done)])
            )
        return found

    def check(self, code: int) -> None:
        """Refuse what is no order of a unit on this board, and one unit too many."""
        is_known = (
            code >= 0
            and code & KIND_BITS <= MOVE_BY_CONVOY
            and self.done < self.units
            and (code >> MOVER_SHIFT) & FIELD_BITS < self.movers
            and (code >> TARGET_SHIFT) & FIELD_BITS < self.locations
            and (code & KIND_BITS == MOVE_BY_CONVOY or code >> OTHER_SHIFT < self.movers)
        )
        if not is_known:
            raise ValueError("no order on this board")

    def moves(self, kind: int) -> int:
        """Whether a unit leaves its place by an order of this kind."""
        return 1 if kind == MOVE or (self.has_convoys and kind == MOVE_BY_CONVOY) else 0

    def fits(self, slot: int, code: int) -> int:
        """Whether an order spoils none of a set, and none of the set spoils it."""
        kind = code & KIND_BITS
        if not self.has_convoys and (kind == MOVE_BY_CONVOY or kind == CONVOY):
            return 0
        base = slot * self.provinces
        here = self.mover_province[(code >> MOVER_SHIFT) & FIELD_BITS]
        goal = STAYS
        if self.moves(kind):
            goal = self.province_of[(code >> TARGET_SHIFT) & FIELD_BITS]
            if self.goals[base + goal] or self.stays[base + goal]:
                return 0
            if not self.may_exchange and kind == MOVE and self.comes_from(base, goal, here):
                return 0
        elif self.goals[base + here]:
            return 0
        wish = self.wishes[base + here]
        if wish != FREE and wish != goal:
            return 0
        if kind == SUPPORT_HOLD or kind == SUPPORT_MOVE or kind == CONVOY:
            return self.serves(base, code)
        return 1

    def comes_from(self, base: int, place: int, goal: int) -> int:
        """Whether the unit of a place was told to go to `goal` over land."""
        its = self.given[base + place]
        if its < 0 or its & KIND_BITS != MOVE:
            return 0
        return 1 if self.province_of[(its >> TARGET_SHIFT) & FIELD_BITS] == goal else 0

    def serves(self, base: int, code: int) -> int:
        """Whether a support or convoy is for what the other unit does or still may do."""
        place = self.mover_province[(code >> OTHER_SHIFT) & FIELD_BITS]
        wish = self.wish_of(code)
        if self.wishes[base + place] != FREE and self.wishes[base + place] != wish:
            return 0
        its = self.given[base + place]
        if wish == STAYS:
            return 0 if its >= 0 and self.moves(its & KIND_BITS) else 1
        if self.stays[base + place]:
            return 0
        if its < 0:
            return 1
        return 1 if self.province_of[(its >> TARGET_SHIFT) & FIELD_BITS] == wish else 0

    def wish_of(self, code: int) -> int:
        """Return what a support or convoy is for: a province, or that the other unit stays."""
        if code & KIND_BITS == SUPPORT_HOLD:
            return STAYS
        return (code >> TARGET_SHIFT) & FIELD_BITS

    def keep(self, slot: int, code: int, number: int, score: float) -> None:
        """Note a set with one order more if it is among the best; among equals the first stay."""
        at = self.next_count
        while at > 0 and self.next_scores[at - 1] < score:
            at -= 1
        if at >= self.width:
            return
        if self.next_count < self.width:
            self.next_count += 1
        for index in range(self.next_count - 1, at, -1):
            self.next_scores[index] = self.next_scores[index - 1]
            self.parents[index] = self.parents[index - 1]
            self.next_codes[index] = self.next_codes[index - 1]
            self.next_numbers[index] = self.next_numbers[index - 1]
        self.next_scores[at] = score
        self.parents[at] = slot
        self.next_codes[at] = code
        self.next_numbers[at] = number

    def turn_over_pairs(self, memory: Memory) -> int:
        """Put the next generation into its slots, with the sums of which its scores are made."""
        after = self.width - self.first
        for index in range(self.next_count):
            self.add_up(self.parents[index], self.next_numbers[index], memory, after + index)
        return self.turn_over(0)

    def turn_over(self, is_forced: int) -> int:
        """Put the next generation into its slots; return how large it is."""
        if not self.next_count:
            return 0
        after = self.width - self.first
        for index in range(self.next_count):
            self.extend(self.parents[index], after + index, index, is_forced)
        self.first = after
        self.count = self.next_count
        self.done += 1
        return self.count

    def extend(self, slot: int, to: int, index: int, is_forced: int) -> None:
        """Copy a set with one order more."""
        code = self.next_codes[index]
        self.scores[to] = self.next_scores[index]
        for unit in range(self.done):
            self.codes[to * self.units + unit] = self.codes[slot * self.units + unit]
            self.numbers[to * self.units + unit] = self.numbers[slot * self.units + unit]
        self.codes[to * self.units + self.done] = code
        self.numbers[to * self.units + self.done] = self.next_numbers[index]
        old = slot * self.provinces
        new = to * self.provinces
        for province in range(self.provinces):
            self.goals[new + province] = self.goals[old + province]
            self.stays[new + province] = self.stays[old + province]
            self.given[new + province] = self.given[old + province]
            self.wishes[new + province] = FREE if is_forced else self.wishes[old + province]
        here = self.mover_province[(code >> MOVER_SHIFT) & FIELD_BITS]
        self.given[new + here] = code
        if not is_forced:
            self.mark(new, here, code)
            return
        self.singles[to] = self.singles[slot]
        self.single_trusts[to] = self.single_trusts[slot]
        self.pairs[to] = self.pairs[slot]
        self.pair_trusts[to] = self.pair_trusts[slot]

    def mark(self, base: int, here: int, code: int) -> None:
        """Mark where a unit goes or stays, and what it counts on."""
        kind = code & KIND_BITS
        if self.moves(kind):
            self.goals[base + self.province_of[(code >> TARGET_SHIFT) & FIELD_BITS]] = 1
            return
        self.stays[base + here] = 1
        if kind == SUPPORT_HOLD or kind == SUPPORT_MOVE or kind == CONVOY:
            place = self.mover_province[(code >> OTHER_SHIFT) & FIELD_BITS]
            self.wishes[base + place] = self.wish_of(code)

    def add_up(self, slot: int, number: int, memory: Memory, to: int) -> None:
        """Find the score of a set with one order more, and keep its sums in a slot if it has one.

        It is the mean of the orders' weights, averaged with the mean of those of known pairs.
        """
        total = UNKNOWN
        trust = 1.0
        pairs = self.pairs[slot]
        pair_trust = self.pair_trusts[slot]
        if number >= 0 and memory.ages[number]:
            total = memory.totals[number]
            trust = memory.trusts[number]
            base = slot * self.units
            for unit in range(self.done):
                other = self.numbers[base + unit]
                if other >= 0:
                    pair = memory.find(memory.pair_key(number, other))
                    if pair >= 0 and memory.ages[pair]:
                        pairs += memory.totals[pair]
                        pair_trust += memory.trusts[pair]
        total += self.singles[slot]
        trust += self.single_trusts[slot]
        self.sum_score = total / trust
        if pair_trust > 0:
            self.sum_score = (self.sum_score + pairs / pair_trust) / 2
        if to < 2 * self.width:
            self.singles[to] = total
            self.single_trusts[to] = trust
            self.pairs[to] = pairs
            self.pair_trusts[to] = pair_trust


def pattern_of(code: int) -> int:
    """Return the pattern of a concrete order: its code without the path of a convoy."""
    return code & (WITHOUT_PATH if code & KIND_BITS == MOVE_BY_CONVOY else PATTERN_BITS)
