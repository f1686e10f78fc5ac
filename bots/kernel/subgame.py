"""One movement turn as a game: every power chooses one of its candidates, all at the same time.

What a joint choice is worth is what the network, or a count of centers, says of the position after
it. Retreats are DumbBot's; further movement turns may be played on by its planning before that.
"""

from array import array
from collections.abc import MutableSequence, Sequence
from typing import TYPE_CHECKING

from bots.kernel.habits import BY_CENTERS, BY_NETWORK, DUMBBOT, WHOLE
from rules.kernel.codes import (
    AUTUMN,
    FALL,
    FIELD_BITS,
    HOLD,
    KIND_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    MOVER_SHIFT,
    OTHER_SHIFT,
    SPRING,
    SUMMER,
    TARGET_SHIFT,
    WINTER,
)

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

if TYPE_CHECKING:
    from rules.kernel import simulator, variations  # compiled, its .pxd says which

from .arrays import long_integers, zeros
from .network import Network
from .outcomes import Outcomes
from .playouts import Playouts
from .regrets import Regrets

PEACE = 0.04
"""What it costs our judgement to have taken a center of a friend."""
WORD = 0xFFFFFFFF
SPAN = 4294967296.0
MOST_ITERATIONS = 1 << 20


class Subgame:
    """The candidates of all powers, and the regrets for not playing them.

    `judged` adjudicates them and must have a simulator of its own.
    """

    def __init__(
        self, game: Playouts, network: Network, judged: "variations.Variations", room: int
    ) -> None:
        if judged.state is game.state or judged.state.tables is not game.state.tables:
            raise ValueError("choices are judged on a simulator of their own, of the same map")
        if network.state is not game.state:
            raise ValueError("this network is of another game than the search")
        self.game = game
        self.variations = judged
        self.turn = judged.state
        self.state = game.state
        self.network = network
        self.powers = game.powers
        self.provinces = game.provinces
        self.room = room
        self.regrets = Regrets(game.powers, room)
        self.outcomes = Outcomes(game.provinces, game.powers)
        self.stride = 0
        self.codes = long_integers(0)
        self.priors = array("d", bytes(8 * game.powers * room))
        """How usual each candidate is."""
        self.unit_counts = zeros(game.powers)
        self.choice = zeros(game.powers)
        self.kept = zeros(3 * game.provinces + 3)
        self.origin = self.kept
        self.is_entered = 0
        self.shares = array("d", bytes(8 * game.powers))
        self.judgement = BY_NETWORK
        self.movements = 0
        self.dice = 1
        self.seed = 1
        self.judged = 0
        """How many joint choices were judged so far."""
        self.planned = array("d", bytes(8 * game.powers))
        """What the joint choice is worth that others are variations of."""
        self.favour = -1
        """An order of one more unit that is given in any case, whatever its power has chosen."""
        self.answerer = 0

    # The candidates.

    def enter(self, origin: Sequence[int], judgement: int, movements: int, seed: int) -> None:
        """Begin with a position as `Playouts.save` gives it, and no candidates."""
        self.game.check_kept(origin)
        self.game.check_movements(movements)
        if not BY_CENTERS <= judgement <= BY_NETWORK:
            raise ValueError(f"there is no way to judge {judgement}")
        for index in range(len(origin)):
            self.kept[index] = origin[index]
        self.prepare(self.kept)
        self.begin_at(judgement, movements, seed)
        self.is_entered = 1

    def check_entered(self) -> None:
        """Refuse to judge before there is a position."""
        if not self.is_entered:
            raise ValueError("there is no position; call `enter` first")
        season = self.origin[3 * self.provinces]
        if season != SPRING and season != FALL:
            raise ValueError("only movement turns have candidates")

    def check_effort(self, candidates: int, iterations: int) -> None:
        """Refuse to let each power think of more candidates than fit, or nearly for ever."""
        if not 0 < candidates <= self.room:
            raise ValueError(f"there is room for 1 to {self.room}, not for {candidates}")
        if not 0 <= iterations <= MOST_ITERATIONS:
            raise ValueError(f"{iterations} iterations are none or too many")

    def prepare(self, origin: list[int]) -> None:
        """Say where to find the position, and make room for the candidates of large powers."""
        self.origin = origin
        if not self.stride:
            self.stride = self.provinces
            self.codes = long_integers(self.powers * self.room * self.stride)

    def begin_at(self, judgement: int, movements: int, seed: int) -> None:
        """Begin with the position that is there now."""
        self.judgement = judgement
        self.movements = movements
        self.seed = seed
        self.dice = (seed & WORD) | 1
        self.favour = -1
        for power in range(self.powers):
            self.unit_counts[power] = 0
            self.choice[power] = 0
        for province in range(self.provinces):
            if self.origin[province] >= 0:
                self.unit_counts[self.origin[self.provinces + province]] += 1
        self.game.put(self.origin, self.turn)
        self.outcomes.forget()
        self.regrets.clear()

    def add(self, power: int, codes: Sequence[int], prior: float) -> int:
        """Add a candidate, codes for all units of the power; return its number."""
        if not 0 <= power < self.powers or len(codes) != self.unit_counts[power]:
            raise ValueError(f"{len(codes)} codes are no candidate of power {power}")
        self.check_entered()
        for index in range(self.unit_counts[power]):
            self.check_code(codes[index])
        if self.regrets.counts[power] >= self.room:
            raise ValueError(f"there is room for {self.room} candidates only")
        number = self.regrets.grow(power)
        first = (power * self.room + number) * self.stride
        for index in range(self.unit_counts[power]):
            self.codes[first + index] = codes[index]
        self.priors[power * self.room + number] = prior
        return number

    def check_code(self, code: int) -> None:
        """Refuse what is no order of this map: candidates are given without a judge."""
        if not self.is_order(code):
            raise ValueError(f"{code} is no movement order of this map")

    def is_order(self, code: int) -> int:
        """Whether all that an order names is on the map."""
        kind = code & KIND_BITS
        mover = (code >> MOVER_SHIFT) & FIELD_BITS
        target = (code >> TARGET_SHIFT) & FIELD_BITS
        if code < 0 or kind > MOVE_BY_CONVOY or mover >= self.state.movers:
            return 0
        if kind == HOLD:
            return 1
        if kind == MOVE:
            if target >= self.state.locations:
                return 0
            return self.state.can_step[mover * self.state.locations + target]
        if target >= self.provinces:
            return 0
        if kind == MOVE_BY_CONVOY:
            return mover < self.provinces
        return ((code >> OTHER_SHIFT) & FIELD_BITS) < self.state.movers

    def add_plan(self, power: int, prior: float) -> None:
        """Add the plan that the playouts have just made for the power."""
        number = self.regrets.grow(power)
        at = (power * self.room + number) * self.stride
        for province in range(self.provinces):
            if self.game.is_own(power, province):
                self.codes[at] = self.game.plan[province]
                at += 1
        self.priors[power * self.room + number] = prior

    def give(self, power: int, number: int, state: "simulator.Simulator") -> None:
        """Order what a candidate says; the turn must have begun."""
        first = (power * self.room + number) * self.stride
        for index in range(self.unit_counts[power]):
            state.give(self.codes[first + index])

    def candidate(self, power: int, number: int) -> list[int]:
        """Return the codes of a candidate."""
        if not 0 <= power < self.powers or not 0 <= number < self.regrets.counts[power]:
            raise IndexError(f"power {power} has no candidate {number}")
        first = (power * self.room + number) * self.stride
        return [self.codes[first + index] for index in range(self.unit_counts[power])]

    def open(self) -> None:
        """Let every power begin with all of its candidates alike."""
        self.regrets.restart()

    # Dice of our own: those of the position belong to the turns that are played on.

    def luck(self) -> float:
        """Return a number from 0 to 1."""
        mixed = self.dice
        mixed ^= (mixed << 13) & WORD
        mixed ^= mixed >> 17
        mixed ^= (mixed << 5) & WORD
        self.dice = mixed
        return mixed / SPAN

    # Joint choices. One that only one power changes is judged where the change touches it.

    def begin_choice(self, but: int) -> None:
        """Order what everybody but one power has chosen."""
        self.turn.begin()
        self.turn.is_trusted = 1
        for power in range(self.powers):
            if power != but and self.regrets.counts[power]:
                self.give(power, self.choice[power], self.turn)
        self.turn.is_trusted = 0

    def judge_plan(self, seed: int) -> None:
        """Judge the orders that were given, and let variations be judged by what they change."""
        self.turn.is_trusted = 1
        if self.favour >= 0:
            self.turn.give(self.favour)
        self.turn.is_trusted = 0
        self.variations.judge_plan()
        self.judge_outcome(seed)
        for power in range(self.powers):
            self.planned[power] = self.shares[power]

    def judge_variation(self, power: int, codes: Sequence[int], first: int, seed: int) -> None:
        """Judge the plan with other orders for a power, those that begin at `first`."""
        self.variations.go_back()
        self.turn.is_trusted = 1
        for index in range(first, first + self.unit_counts[power]):
            self.variations.change(codes[index])
        if self.favour >= 0:
            self.variations.change(self.favour)
        self.turn.is_trusted = 0
        if self.variations.judge_changes():
            self.judge_outcome(seed)
        else:
            for other in range(self.powers):
                self.shares[other] = self.planned[other]

    def judge_outcome(self, seed: int) -> None:
        """Write to `shares` what the orders that were judged last are worth to each."""
        self.judged += 1
        if self.movements:
            self.play_outcome()
            self.state.seed(seed)
            self.game.run(self.movements)
            self.judge_position()
            return
        key = self.outcomes.key_of(self.turn)
        slot = self.outcomes.slot_of(key)
        first = slot * self.powers
        if self.outcomes.keys[slot] == key:
            for power in range(self.powers):
                self.shares[power] = self.outcomes.worths[first + power]
            return
        self.play_outcome()
        self.judge_position()
        self.outcomes.keys[slot] = key
        for power in range(self.powers):
            self.outcomes.worths[first + power] = self.shares[power]

    def play_outcome(self) -> None:
        """Play what follows from the orders that were judged last, retreats included."""
        self.variations.lay(self.state)
        if self.state.season == SUMMER or self.state.season == AUTUMN:
            self.game.value_all(DUMBBOT)
            self.game.order_retreats()
            self.state.end_phase()

    def judge_position(self) -> None:
        """Write to `shares` what the position on the board is worth to each."""
        if self.state.winner >= 0:
            for power in range(self.powers):
                self.shares[power] = 1.0 if power == self.state.winner else 0.0
        elif self.judgement == BY_NETWORK:
            self.network.judge()
            for power in range(self.powers):
                self.shares[power] = self.network.shares[power]
            self.keep_peace()
        else:
            self.count_centers()

    def count_centers(self) -> None:
        """Share by the squares of centers, of those owned or of those that will be."""
        if self.judgement == BY_CENTERS:
            for power in range(self.powers):
                self.game.stakes[power] = 0
            for number in range(self.game.center_total):
                owner = self.state.owner[self.game.centers[number]]
                if owner >= 0:
                    self.game.stakes[owner] += 1
        else:
            self.game.share_of(0)
        total = 0.0
        for power in range(self.powers):
            total += self.game.stakes[power] * 1.0 * self.game.stakes[power]
        for power in range(self.powers):
            self.shares[power] = self.game.stakes[power] * 1.0 * self.game.stakes[power] / total

    def keep_peace(self) -> None:
        """Let us like it less to have a center of a friend."""
        power = self.game.searcher
        if power < 0:
            return
        for number in range(self.game.center_total):
            center = self.game.centers[number]
            if self.game.friend[center] >= 0 and (
                self.state.owner[center] == power or self.game.is_own(power, center)
            ):
                self.shares[power] -= PEACE * self.game.friend_part[center] / WHOLE

    # The equilibrium.

    def run(self, iterations: int) -> None:
        """Let all powers learn for so many iterations."""
        self.check_entered()
        with cython.nogil:
            for _ in range(iterations):
                self.iterate()

    def iterate(self) -> None:
        """Draw a choice of every power, and try every candidate of each against the others'."""
        self.regrets.begin()
        for power in range(self.powers):
            if self.regrets.counts[power]:
                self.choice[power] = self.regrets.pick(power, self.luck())
        seed = self.seed + self.regrets.iteration
        self.begin_choice(-1)
        self.judge_plan(seed)
        for power in range(self.powers):
            if self.regrets.counts[power]:
                self.regrets.worths[power * self.room + self.choice[power]] = self.shares[power]
        for power in range(self.powers):
            if self.regrets.counts[power] > 1:
                self.try_all(power, seed)
        for power in range(self.powers):
            if self.regrets.counts[power]:
                self.regrets.study(power)
        self.regrets.finish()

    def try_all(self, power: int, seed: int) -> None:
        """Find the worths of a power's candidates while the others do what they have drawn."""
        chosen = self.choice[power]
        for number in range(self.regrets.counts[power]):
            if number != chosen:
                first = (power * self.room + number) * self.stride
                self.judge_variation(power, self.codes, first, seed)
                self.regrets.worths[power * self.room + number] = self.shares[power]

    # Best answers.

    def count_on(self, code: int) -> None:
        """Let a unit do this whatever its power chooses; a negative number takes it back."""
        if code >= 0:
            self.check_code(code)
        self.favour = code

    def guess(self, usual: float, guesses: MutableSequence[int], count: int) -> None:
        """Draw what all powers may do, so many times, in rows of one number a power.

        Each power plays by its average policy, or with the chance `usual` as is usual.
        """
        if count < 0 or count * self.powers > len(guesses):
            raise ValueError(f"there is no room for {count} guesses in {len(guesses)} numbers")
        for number in range(count):
            for power in range(self.powers):
                found = 0
                if self.regrets.counts[power]:
                    if self.luck() < usual:
                        found = self.draw_usual(power)
                    else:
                        found = self.regrets.pick_average(power, self.luck())
                guesses[number * self.powers + power] = found

    def draw_usual(self, power: int) -> int:
        """Return a candidate by how usual it is."""
        first = power * self.room
        last = self.regrets.counts[power] - 1
        total = 0.0
        for number in range(last + 1):
            total += self.priors[first + number]
        luck = self.luck() * total
        for number in range(last):
            luck -= self.priors[first + number]
            if luck < 0.0:
                return number
        return last

    def answer(
        self,
        codes: Sequence[int],
        guesses: Sequence[int],
        first: int,
        end: int,
        scores: MutableSequence[float],
    ) -> None:
        """Try order sets of the power that answers against guesses number `first` to `end`.

        The order sets stand in `codes` one after the other, and so do their rows of `scores`, each
        as long as there are guesses.
        """
        power = self.answerer
        sets = self.check_answer(codes, guesses, first, end, scores)
        units = self.unit_counts[power]
        count = len(scores) // sets
        with cython.nogil:
            for number in range(first, end):
                for other in range(self.powers):
                    self.choice[other] = guesses[number * self.powers + other]
                self.begin_choice(power)
                self.turn.is_trusted = 1
                for index in range(units):
                    self.turn.give(codes[index])
                self.turn.is_trusted = 0
                self.judge_plan(self.seed + number)
                scores[number] = self.shares[power]
                for place in range(1, sets):
                    self.judge_variation(power, codes, place * units, self.seed + number)
                    scores[place * count + number] = self.shares[power]

    def check_answer(
        self,
        codes: Sequence[int],
        guesses: Sequence[int],
        first: int,
        end: int,
        scores: Sequence[float],
    ) -> int:
        """Count the order sets; refuse rows that are too short, and choices that nobody has."""
        self.check_entered()
        units = self.unit_counts[self.answerer]
        sets = len(codes) // units if units else 1
        if (
            not sets
            or len(codes) != sets * units
            or len(scores) % sets
            or not 0 <= first <= end <= len(scores) // sets
            or end * self.powers > len(guesses)
        ):
            raise ValueError("codes, guesses or scores are of another length")
        for index in range(first * self.powers, end * self.powers):
            most = self.regrets.counts[index % self.powers]
            if guesses[index] < 0 or (guesses[index] >= most and guesses[index] > 0):
                raise ValueError(f"power {index % self.powers} has no candidate {guesses[index]}")
        for index in range(sets * units):
            self.check_code(codes[index])
        return sets

    def let_answer(self, power: int) -> None:
        """Say whose orders `answer` tries."""
        if not 0 <= power < self.powers:
            raise ValueError(f"there is no power {power}")
        self.answerer = power

    # Retreats and adjustments.

    def settle(self, power: int, codes: Sequence[int]) -> list[float]:
        """Play the retreat or adjustment turn on the board, and return what came of it to each.

        The power does what the codes say, the others go by DumbBot's values.
        """
        if self.state.season == SPRING or self.state.season == FALL:
            raise ValueError("a movement turn is not settled; it has candidates")
        self.state.start_phase()
        self.game.value_all(DUMBBOT)
        if self.state.season == WINTER:
            for code in codes:
                self.state.give_adjustment(code)
            self.game.order_adjustments()
        else:
            self.game.order_retreats()
            for province in range(self.provinces):
                if self.state.out[province] >= 0 and self.state.out_power[province] == power:
                    self.state.retreat_to[province] = -1
            for code in codes:
                self.state.give_retreat(code)
        self.state.end_phase()
        self.judge_position()
        return list(self.shares)

    def worths(self) -> list[float]:
        """Return what the position on the board is worth to each power."""
        self.judge_position()
        return list(self.shares)

    def worth_of(self, choice: Sequence[int]) -> list[float]:
        """Return what a joint choice is worth to each power."""
        self.check_entered()
        if len(choice) != self.powers:
            raise ValueError(f"{len(choice)} choices of {self.powers} powers")
        for power in range(self.powers):
            if not 0 <= choice[power] < max(self.regrets.counts[power], 1):
                raise ValueError(f"power {power} has no candidate {choice[power]}")
        for power in range(self.powers):
            self.choice[power] = choice[power]
        self.begin_choice(-1)
        self.judge_plan(self.seed)
        return list(self.shares)
