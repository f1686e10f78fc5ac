"""One movement turn as a game: every power chooses one of its candidates, all at the same time.

What a joint choice is worth is what the network, or a count of centers, says of the position after
it. Retreats are DumbBot's; further movement turns may be played on by its planning before that.
"""

from array import array
from collections.abc import MutableSequence, Sequence

from bots.kernel.habits import BY_CENTERS, BY_NETWORK, DUMBBOT, WHOLE
from rules.kernel.codes import AUTUMN, SUMMER, WINTER

try:
    import cython
except ImportError:
    from rules.kernel import shim as cython

from .arrays import long_integers, zeros
from .network import Network
from .playouts import Playouts
from .regrets import Regrets

PEACE = 0.04
"""What it costs our judgement to have taken a center of a friend."""
KNOWN = 1 << 15
"""So many joint choices are remembered; a power of two."""
CHOICE_BITS = 7
KEY_BITS = 62
MIXER = 0x2545F4914F6CDD1D
WORD = 0xFFFFFFFF
SPAN = 4294967296.0


class Subgame:
    """The candidates of all powers, and the regrets for not playing them."""

    def __init__(self, game: Playouts, network: Network, room: int) -> None:
        self.game = game
        self.state = game.state
        self.network = network
        self.powers = game.powers
        self.provinces = game.provinces
        self.room = room
        self.regrets = Regrets(game.powers, room)
        self.stride = 0
        self.codes = long_integers(0)
        self.priors = array("d", bytes(8 * game.powers * room))
        """How usual each candidate is."""
        self.unit_counts = zeros(game.powers)
        self.choice = zeros(game.powers)
        self.origin = zeros(3 * game.provinces + 3)
        self.shares = array("d", bytes(8 * game.powers))
        self.judgement = BY_NETWORK
        self.movements = 0
        self.dice = 1
        self.seed = 1
        self.judged = 0
        """How many joint choices were judged so far."""
        # What joint choices of candidates are worth: policies come back to the same ones.
        bits = CHOICE_BITS * game.powers
        self.is_remembering = 1 if room <= 1 << CHOICE_BITS and bits <= KEY_BITS else 0
        self.known_keys = long_integers(KNOWN)
        self.known_in = zeros(KNOWN)
        self.known_shares = array("d", bytes(8 * KNOWN * game.powers))
        self.visit = 0
        self.trial = long_integers(game.provinces)
        self.trial_power = -1
        self.favour = -1
        """An order of one more unit that is given in any case, whatever its power has chosen."""
        self.answerer = 0

    # The candidates.

    def enter(self, origin: Sequence[int], judgement: int, movements: int, seed: int) -> None:
        """Begin with a position as `Playouts.save` gives it, and no candidates."""
        self.game.check_kept(origin)
        self.prepare(origin)
        self.begin_at(judgement, movements, seed)

    def prepare(self, origin: Sequence[int]) -> None:
        """Say where to find the position, and make room for the candidates of large powers."""
        self.origin = origin  # type: ignore[assignment]  # arrays and lists alike
        if not self.stride:
            self.stride = self.provinces
            self.codes = long_integers(self.powers * self.room * self.stride)

    def begin_at(self, judgement: int, movements: int, seed: int) -> None:
        """Begin with the position that is there now."""
        self.judgement = judgement
        self.movements = movements
        self.seed = seed
        self.dice = (seed & WORD) | 1
        self.trial_power = -1
        self.favour = -1
        self.forget()
        for power in range(self.powers):
            self.unit_counts[power] = 0
            self.choice[power] = 0
        for province in range(self.provinces):
            if self.origin[province] >= 0:
                self.unit_counts[self.origin[self.provinces + province]] += 1
        self.regrets.clear()

    def add(self, power: int, codes: Sequence[int], prior: float) -> int:
        """Add a candidate, codes for all units of the power; return its number."""
        if not 0 <= power < self.powers or len(codes) != self.unit_counts[power]:
            raise ValueError(f"{len(codes)} codes are no candidate of power {power}")
        if self.regrets.counts[power] >= self.room:
            raise ValueError(f"there is room for {self.room} candidates only")
        number = self.regrets.add(power)
        first = (power * self.room + number) * self.stride
        for index in range(self.unit_counts[power]):
            self.codes[first + index] = codes[index]
        self.priors[power * self.room + number] = prior
        return number

    def add_plan(self, power: int, prior: float) -> None:
        """Add the plan that the playouts have just made for the power."""
        number = self.regrets.add(power)
        at = (power * self.room + number) * self.stride
        for province in range(self.provinces):
            if self.game.is_own(power, province):
                self.codes[at] = self.game.plan[province]
                at += 1
        self.priors[power * self.room + number] = prior

    def give(self, power: int, number: int) -> None:
        """Order what a candidate says; the turn must have begun."""
        first = (power * self.room + number) * self.stride
        for index in range(self.unit_counts[power]):
            self.state.give(self.codes[first + index])

    def candidate(self, power: int, number: int) -> list[int]:
        """Return the codes of a candidate."""
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

    # One joint choice.

    def judge_choice(self, seed: int) -> None:
        """Play what everybody has chosen, and write to `shares` what it is worth to each."""
        self.game.go_to(self.origin)
        self.state.begin()
        self.state.is_trusted = 1
        for power in range(self.powers):
            if power == self.trial_power:
                for index in range(self.unit_counts[power]):
                    self.state.give(self.trial[index])
            elif self.regrets.counts[power]:
                self.give(power, self.choice[power])
        if self.favour >= 0:
            self.state.give(self.favour)
        self.state.is_trusted = 0
        self.state.end_phase()
        if self.state.season == SUMMER or self.state.season == AUTUMN:
            self.game.value_all(DUMBBOT)
            self.game.order_retreats()
            self.state.end_phase()
        if self.movements:
            self.state.seed(seed)
            self.game.run(self.movements)
        self.judge_position()
        self.judged += 1

    def recall_choice(self, seed: int) -> None:
        """Judge what everybody has chosen, unless it was judged before.

        Nothing but candidates may have been chosen, and chance must have no part in it.
        """
        if self.movements or self.favour >= 0 or not self.is_remembering:
            self.judge_choice(seed)
            return
        key = 0
        for power in range(self.powers):
            key = key << CHOICE_BITS | self.choice[power]
        slot = ((key ^ key >> 21 ^ key >> 42) * MIXER >> 32) & (KNOWN - 1)
        first = slot * self.powers
        if self.known_in[slot] == self.visit and self.known_keys[slot] == key:
            for power in range(self.powers):
                self.shares[power] = self.known_shares[first + power]
            return
        self.judge_choice(seed)
        self.known_in[slot] = self.visit
        self.known_keys[slot] = key
        for power in range(self.powers):
            self.known_shares[first + power] = self.shares[power]

    def forget(self) -> None:
        """Judge anew what was judged before, because something else has changed."""
        self.visit += 1

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
        with cython.nogil:
            for _ in range(iterations):
                self.iterate()

    def iterate(self) -> None:
        """Draw a choice of every power, and try every candidate of each against the others'."""
        self.regrets.begin()
        for power in range(self.powers):
            if self.regrets.counts[power]:
                self.choice[power] = self.regrets.draw(power, self.luck())
        seed = self.seed + self.regrets.iteration
        self.recall_choice(seed)
        for power in range(self.powers):
            if self.regrets.counts[power]:
                self.regrets.worths[power * self.room + self.choice[power]] = self.shares[power]
        for power in range(self.powers):
            if self.regrets.counts[power] > 1:
                self.try_all(power, seed)
        for power in range(self.powers):
            if self.regrets.counts[power]:
                self.regrets.learn(power)
        self.regrets.finish()

    def try_all(self, power: int, seed: int) -> None:
        """Find the worths of a power's candidates while the others do what they have drawn."""
        chosen = self.choice[power]
        for number in range(self.regrets.counts[power]):
            if number != chosen:
                self.choice[power] = number
                self.recall_choice(seed)
                self.regrets.worths[power * self.room + number] = self.shares[power]
        self.choice[power] = chosen

    # Best answers.

    def count_on(self, code: int) -> None:
        """Let a unit do this whatever its power chooses; a negative number takes it back."""
        self.favour = code

    def guess(self, usual: float, guesses: MutableSequence[int], count: int) -> None:
        """Draw what all powers may do, so many times, in rows of one number a power.

        Each power plays by its average policy, or with the chance `usual` as is usual.
        """
        for number in range(count):
            for power in range(self.powers):
                found = 0
                if self.regrets.counts[power]:
                    if self.luck() < usual:
                        found = self.draw_usual(power)
                    else:
                        found = self.regrets.draw_average(power, self.luck())
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
        """Try orders of the power that answers against guesses number `first` to `end`."""
        power = self.answerer
        self.check_answer(codes, guesses, first, end, scores)
        for index in range(self.unit_counts[power]):
            self.trial[index] = codes[index]
        self.trial_power = power
        with cython.nogil:
            for number in range(first, end):
                for other in range(self.powers):
                    self.choice[other] = guesses[number * self.powers + other]
                self.judge_choice(self.seed + number)
                scores[number] = self.shares[power]
        self.trial_power = -1

    def answer_by(
        self,
        candidate: int,
        guesses: Sequence[int],
        first: int,
        end: int,
        scores: MutableSequence[float],
    ) -> None:
        """Try a candidate of the power that answers against guesses number `first` to `end`."""
        power = self.answerer
        if not 0 <= candidate < self.regrets.counts[power]:
            raise ValueError(f"power {power} has no candidate {candidate}")
        self.check_answer(self.trial[: self.unit_counts[power]], guesses, first, end, scores)
        with cython.nogil:
            for number in range(first, end):
                for other in range(self.powers):
                    self.choice[other] = guesses[number * self.powers + other]
                self.choice[power] = candidate
                self.recall_choice(self.seed + number)
                scores[number] = self.shares[power]

    def check_answer(
        self,
        codes: Sequence[int],
        guesses: Sequence[int],
        first: int,
        end: int,
        scores: Sequence[float],
    ) -> None:
        """Refuse rows that are too short, and choices that nobody has."""
        if (
            len(codes) != self.unit_counts[self.answerer]
            or not 0 <= first <= end <= len(scores)
            or end * self.powers > len(guesses)
        ):
            raise ValueError("codes, guesses or scores are of another length")
        for index in range(first * self.powers, end * self.powers):
            most = self.regrets.counts[index % self.powers]
            if guesses[index] < 0 or (guesses[index] >= most and guesses[index] > 0):
                raise ValueError(f"power {index % self.powers} has no candidate {guesses[index]}")

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
        for power in range(self.powers):
            self.choice[power] = choice[power]
        self.judge_choice(self.seed)
        return list(self.shares)

    def judged_now(self) -> list[float]:
        """Return what the position on the board is worth to each power."""
        self.judge_position()
        return list(self.shares)
