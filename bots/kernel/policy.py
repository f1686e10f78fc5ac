"""What a power is likely to order, by a small model that was learned from games with search.

Units come in random order. Each option of a unit has a score: the weights of its facts, and how
well the vector of what it does goes with that of the position. The chance of an option grows with
its score (a softmax). An option that spoils what was chosen before is left out, and a support or a
convoy binds the unit that it is for, so that order sets fit together.

Weights are whole numbers, `UNIT` of them to one, so that sums are exact and all builds draw alike.
"""

from array import array
from collections.abc import Sequence

from bots.kernel.deeds import (
    BACK_GO,
    BACK_STAY,
    CARRY,
    COUNTS,
    GO,
    MOST_OPTIONS,
    STAGES,
    STATIC,
    STAY,
    TAILS,
)
from bots.kernel.facts import MOST_HIDDEN, UNIT
from bots.kernel.habits import COLDEST, HOTTEST, MOST_HEATS

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

if not cython.compiled:
    from math import exp

from .arrays import integers, zeros
from .choices import Choices
from .network import Network
from .playouts import Playouts

FREE = -1
STAYS = -2
UNCHOSEN = 0
STAYING = 1
LEAVING = 2
SPAN = 4294967296.0
ROLLS = 1000


class Policy(Choices):
    """Draws order sets of one power after the other, into the plan of the playouts."""

    def __init__(self, game: Playouts, hidden: int) -> None:
        if not 0 <= hidden <= MOST_HIDDEN:
            raise ValueError(f"there cannot be {hidden} hidden numbers, only 0 to {MOST_HIDDEN}")
        super().__init__(game)
        self.hidden = hidden
        self.network = Network(game, 1)
        self.inputs = self.network.inputs
        # Where the parts of the weights begin: facts of the position, powers, slots, facts.
        self.power_base = self.inputs * hidden
        self.slot_base = self.power_base + self.powers * hidden
        self.fact_base = self.slot_base + self.slot_total * hidden
        self.weight_count = self.fact_base + self.fact_total
        self.weights = array("f", bytes(4 * self.weight_count))
        self.sums = array("d", bytes(8 * hidden))
        """Of the rows of the position."""
        self.mood = array("d", bytes(8 * hidden))
        """The same for the power that is looked at, what is below zero left out."""
        self.scores = array("d", bytes(8 * MOST_OPTIONS))
        self.chances = array("d", bytes(8 * MOST_OPTIONS))
        self.heat = 1.0
        """Above 1 what is less likely comes more often."""
        # What was chosen so far. By province of a unit of ours:
        self.stage = zeros(self.provinces)
        self.wish = integers([FREE] * self.provinces)
        """Where others count on it to go, or that it stays."""
        self.chosen = zeros(self.provinces)
        """Which option it has, by unit."""
        self.held = zeros(self.provinces)
        self.goer = integers([-1] * self.provinces)
        """By province, the unit of ours that goes there or is counted on to."""
        self.backed = zeros(self.provinces)
        self.order = zeros(self.provinces)
        self.freed = zeros(self.provinces)
        self.permitted = zeros(MOST_OPTIONS)
        self.is_near = bytearray(self.provinces * self.provinces)
        """Whether two provinces are at most two steps from each other."""
        self._measure()
        self.bold = 500
        """How often in a thousand a variation begins with any option, however unlikely."""
        self.loose = 600
        """How often a unit near it chooses anew."""

    def _measure(self) -> None:
        tables, count = self.state.tables, self.provinces
        around = [
            set(tables.around[tables.around_start[place] : tables.around_start[place + 1]])
            for place in range(count)
        ]
        for place in range(count):
            for other in around[place].union(*(around[each] for each in around[place])):
                self.is_near[place * count + other] = 1

    def load(self, weights: Sequence[int]) -> None:
        """Take over all weights."""
        if len(weights) != self.weight_count:
            raise ValueError(f"{len(weights)} weights, not {self.weight_count}")
        for index in range(self.weight_count):
            self.weights[index] = weights[index] / UNIT

    # The position, and one power in it.

    def look(self) -> None:
        """Take in the position on the board; its values must have been made."""
        self.network.list_facts()
        for index in range(self.hidden):
            self.sums[index] = 0.0
        for number in range(self.network.active_count):
            first = self.network.active[number] * self.hidden
            for index in range(self.hidden):
                self.sums[index] += self.weights[first + index]

    def list_scores(self, power: int) -> None:
        """List the options of a power, and their scores as far as they do not depend on others."""
        self.list_choices(power)
        first = self.power_base + power * self.hidden
        for index in range(self.hidden):
            mood = self.sums[index] + self.weights[first + index]
            self.mood[index] = max(mood, 0.0)
        for option in range(self.count):
            score = 0.0
            for number in range(STATIC):
                score += self.weights[self.fact_base + self.facts[option * STATIC + number]]
            first = self.slot_base + self.slots[option] * self.hidden
            for index in range(self.hidden):
                score += self.mood[index] * self.weights[first + index]
            self.scores[option] = score

    # One order set.

    def begin(self) -> None:
        """Forget what was chosen, and bring the units into random order."""
        for province in range(self.provinces):
            self.goer[province] = -1
            self.backed[province] = 0
            self.held[province] = 0
            self.stage[province] = UNCHOSEN
            self.wish[province] = FREE
        for number in range(self.unit_count):
            self.order[number] = number
            self.chosen[number] = -1
        for number in range(self.unit_count - 1, 0, -1):
            other = self.state.throw(number + 1)
            unit = self.order[number]
            self.order[number] = self.order[other]
            self.order[other] = unit
        if self.game.has_fixed:
            for number in range(self.unit_count):
                if self.game.fixed[self.units[number]] >= 0:
                    self.choose(number, self.first[number])

    def choose(self, number: int, option: int) -> None:
        """Let a unit take an option, and others do what it counts on."""
        unit = self.units[number]
        goal = self.goals[option]
        partner = self.partners[option]
        deed = self.deeds[option]
        self.chosen[number] = option
        self.stage[unit] = STAYING
        if deed == GO:
            self.stage[unit] = LEAVING
            self.goer[goal] = unit
        elif deed == BACK_STAY:
            self.held[partner] += 1
            self.wish[partner] = STAYS
        elif deed == BACK_GO:
            self.backed[goal] += 1
            self.wish[partner] = goal
            self.goer[goal] = partner
        elif deed == CARRY:
            army = unit
            fleet = partner
            if self.state.unit[unit] != unit:
                army = partner
                fleet = unit
            self.goer[goal] = army
            self.stage[army] = LEAVING
            self.stage[fleet] = STAYING
            self.join(self.number_at[partner], goal, unit)

    def join(self, number: int, goal: int, partner: int) -> None:
        """Let the other unit of a convoy take its part."""
        for option in range(self.first[number], self.first[number + 1]):
            if (
                self.deeds[option] == CARRY
                and self.goals[option] == goal
                and self.partners[option] == partner
            ):
                self.chosen[number] = option

    def is_permitted(self, number: int, option: int) -> int:
        """Whether an option fits what was chosen so far."""
        unit = self.units[number]
        deed = self.deeds[option]
        goal = self.goals[option]
        partner = self.partners[option]
        wish = self.wish[unit]
        if wish == STAYS and (deed == GO or deed == CARRY):
            return deed == CARRY and self.state.unit[unit] != unit and self.may_sail(partner, goal)
        if wish >= 0:
            if deed == GO:
                return goal == wish
            return (
                deed == CARRY
                and goal == wish
                and self.state.unit[unit] == unit
                and self.is_idle(partner)
            )
        if deed == STAY:
            return 1
        if deed == GO:
            return self.may_go(unit, goal)
        if deed == BACK_STAY:
            return self.stage[partner] != LEAVING and self.wish[partner] < 0
        if deed == BACK_GO:
            return self.may_back(unit, partner, goal)
        if self.state.unit[unit] == unit:
            return self.may_sail(unit, goal) and self.is_idle(partner)
        return self.may_sail(partner, goal)

    def may_go(self, unit: int, goal: int) -> int:
        """Whether a unit does not get into the way of others of its power."""
        if self.goer[goal] >= 0 or self.number_at[goal] < 0:
            return self.goer[goal] < 0
        # Who stays there stays, and two units do not change places.
        return self.stage[goal] != STAYING and self.wish[goal] != STAYS and self.goer[unit] != goal

    def may_back(self, unit: int, partner: int, goal: int) -> int:
        """Whether a unit does or may still do what it is to be supported for."""
        if goal == unit or (self.goer[goal] >= 0 and self.goer[goal] != partner):
            return 0
        if self.goer[goal] == partner:
            return 1
        return (
            self.stage[partner] == UNCHOSEN
            and self.wish[partner] == FREE
            and self.is_free(self.number_at[partner])
            and self.may_go(partner, goal)
        )

    def is_free(self, number: int) -> int:
        """Whether a unit may still choose."""
        return self.chosen[number] < 0

    def is_idle(self, fleet: int) -> int:
        """Whether a fleet can be asked to carry an army."""
        return self.stage[fleet] == UNCHOSEN and self.wish[fleet] == FREE

    def may_sail(self, army: int, goal: int) -> int:
        """Whether an army can be carried to a place."""
        if self.stage[army] != UNCHOSEN:
            return 0
        if self.wish[army] >= 0:
            return self.wish[army] == goal
        return self.wish[army] == FREE and self.may_go(army, goal)

    def planned_fact(self, option: int) -> int:
        """Return the fact of an option and what our other units do there."""
        deed = self.deeds[option]
        goal = self.goals[option]
        partner = self.partners[option]
        stage = 0
        count = self.backed[goal]
        if deed == STAY or deed == BACK_STAY:
            count = self.held[goal]
            if deed == BACK_STAY:
                stage = 1 if self.stage[partner] == STAYING else 0
        elif deed == GO:
            if self.number_at[goal] >= 0:
                stage = 2 if self.stage[goal] == LEAVING else 1
        elif deed == BACK_GO:
            stage = 1 if self.stage[partner] == LEAVING else 0
        if count >= COUNTS:
            count = COUNTS - 1
        return (
            self.planned_base
            + ((deed * STAGES + stage) * COUNTS + count) * TAILS
            + self.tails[option]
        )

    def here_fact(self, unit: int, option: int) -> int:
        """Return the fact of an option and what our other units do where the unit is."""
        count = self.held[unit]
        if count >= COUNTS:
            count = COUNTS - 1
        comes = 1 if self.goer[unit] >= 0 else 0
        return self.here_base + (self.deeds[option] * 2 + comes) * COUNTS + count

    def weigh(self, number: int) -> float:
        """Write to `chances` those of a unit's options; return their sum, which is not 1 yet."""
        unit = self.units[number]
        first = self.first[number]
        end = self.first[number + 1]
        highest = -1e9
        for option in range(first, end):
            self.permitted[option] = self.is_permitted(number, option)
            if self.permitted[option]:
                score = (
                    self.scores[option]
                    + self.weights[self.fact_base + self.planned_fact(option)]
                    + self.weights[self.fact_base + self.here_fact(unit, option)]
                )
                self.chances[option] = score
                highest = max(score, highest)
        total = 0.0
        for option in range(first, end):
            if self.permitted[option]:
                self.chances[option] = exp((self.chances[option] - highest) / self.heat)
                total += self.chances[option]
            else:
                self.chances[option] = 0.0
        return total

    def pick(self, number: int) -> int:
        """Draw an option of a unit by its chances; -1 if it has none."""
        total = self.weigh(number)
        luck = self.state.roll() / SPAN * total
        found = -1
        for option in range(self.first[number], self.first[number + 1]):
            if self.permitted[option]:
                found = option
                luck -= self.chances[option]
                if luck < 0.0:
                    break
        return found

    def complete(self) -> None:
        """Let all units choose that have not, and write the plan."""
        for index in range(self.unit_count):
            number = self.order[index]
            if self.chosen[number] >= 0:
                continue
            option = self.pick(number)
            if option < 0:
                option = self.first[number]
            self.choose(number, option)
        for number in range(self.unit_count):
            self.game.plan[self.units[number]] = self.codes[self.chosen[number]]

    def draw(self) -> None:
        """Draw an order set of the power whose options are listed."""
        self.begin()
        self.complete()

    # Variations of an order set.

    def vary(self) -> None:
        """Change the plan: a unit does something else, and who has to do with it chooses anew."""
        self.begin()
        for number in range(self.unit_count):
            self.freed[number] = 0
        moved = self.state.throw(self.unit_count)
        self.free_around(moved)
        for number in range(self.unit_count):
            if not self.freed[number] and self.chosen[number] < 0:
                option = self.option_of(number, self.game.plan[self.units[number]])
                if option >= 0 and self.is_permitted(number, option):
                    self.choose(number, option)
        if self.chosen[moved] < 0 and self.state.throw(ROLLS) < self.bold:
            option = self.any_option(moved)
            if option >= 0:
                self.choose(moved, option)
        self.complete()

    def free_around(self, moved: int) -> None:
        """Free a unit, some of those near it, and all who help one that is free."""
        self.freed[moved] = 1
        place = self.units[moved]
        for number in range(self.unit_count):
            near = self.is_near[place * self.provinces + self.units[number]]
            if near and self.state.throw(ROLLS) < self.loose:
                self.freed[number] = 1
        changed = 1
        while changed:
            changed = 0
            for number in range(self.unit_count):
                if not self.freed[number] and self.helps_freed(number):
                    self.freed[number] = 1
                    changed = 1

    def helps_freed(self, number: int) -> int:
        """Whether a unit's order is for a unit that chooses anew, or is none of its options."""
        option = self.option_of(number, self.game.plan[self.units[number]])
        if option < 0:
            return 1
        partner = self.partners[option]
        return partner >= 0 and self.number_at[partner] >= 0 and self.freed[self.number_at[partner]]

    def option_of(self, number: int, code: int) -> int:
        """Return the option of a unit that has this code, or -1."""
        for option in range(self.first[number], self.first[number + 1]):
            if self.codes[option] == code:
                return option
        return -1

    def any_option(self, number: int) -> int:
        """Return an option of a unit that fits, whichever it is; -1 if there is none."""
        found = -1
        count = 0
        for option in range(self.first[number], self.first[number + 1]):
            if self.is_permitted(number, option):
                count += 1
                if self.state.throw(count) == 0:
                    found = option
        return found

    # For callers.

    def check_heats(self, heats: Sequence[float]) -> None:
        """Refuse temperatures at which nothing can be drawn."""
        if not 0 < len(heats) <= MOST_HEATS:
            raise ValueError(f"there cannot be {len(heats)} temperatures, only 1 to {MOST_HEATS}")
        for heat in heats:
            if not COLDEST <= heat <= HOTTEST:
                raise ValueError(f"a temperature of {heat} is not from {COLDEST} to {HOTTEST}")

    def enter(self, power: int) -> None:
        """Get ready to draw for a power in the position on the board, whose values are made."""
        self.game.check_power(power)
        self.look()
        self.list_scores(power)

    def sample(self) -> list[int]:
        """Return an order set of the power that was entered, codes by province."""
        self.draw()
        return self.game.planned(self.power)

    def odds(self, place: int) -> list[tuple[int, float]]:
        """Return the orders of the unit in a province and their chances, if it chooses first."""
        if not 0 <= place < self.provinces or self.number_at[place] < 0:
            raise ValueError(f"the power that was entered has no unit in place {place}")
        number = self.number_at[place]
        self.begin()
        total = self.weigh(number)
        return [
            (self.codes[option], self.chances[option] / total)
            for option in range(self.first[number], self.first[number + 1])
        ]
