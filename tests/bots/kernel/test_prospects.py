"""What candidates lead to: the same as playing each of them whole, in one thread or in two."""

from array import array
from itertools import accumulate
from threading import Thread

import pytest

from bots.kernel import Playouts, Prospects
from bots.kernel.habits import DUMBBOT
from bots.kernel.playouts import Playouts as PlainPlayouts
from bots.kernel.prospects import Prospects as PlainProspects
from rules.kernel import IS_COMPILED, Variations
from rules.kernel.encode import Codec, codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.kernel.variations import Variations as PlainVariations
from rules.maps import load_map

SEED = 5
EACH = 6

needs_compiler = pytest.mark.skipif(not IS_COMPILED, reason="the kernel is not compiled here")


class Table:
    """A position after some turns, candidates for every power, the first of each as the plan."""

    def __init__(self, movements: int, *, board: str = "standard") -> None:
        self.codec: Codec = codec_of(load_map(board))
        self.game = Playouts(self.codec.new_simulator())
        self.codec.load(self.codec.board.start, self.game.state)
        self.game.state.seed(movements)
        self.game.run(movements)
        self.game.settle_turn()
        self.kept = self.game.save()
        self.game.value(DUMBBOT)
        powers = range(self.game.powers)
        self.candidates = [self.game.sample(power) for power in powers for _ in range(EACH)]
        self.powers = [power for power in powers for _ in range(EACH)]
        self.plan = [power * EACH for power in powers]

    def prospects(self, *, plain: bool = False) -> Prospects:
        codec = self.codec
        made = Prospects(Playouts(codec.new_simulator()), Variations(codec.new_simulator()))
        kept = self.kept
        if plain:
            judge, player = PlainSimulator(codec.tables), PlainSimulator(codec.tables)
            made = PlainProspects(PlainPlayouts(player), PlainVariations(judge))
            kept = list(kept)
        flat = array("q", [code for orders in self.candidates for code in orders])
        starts = array("i", accumulate(map(len, self.candidates), initial=0))
        made.take(kept, flat, starts, self.powers)
        made.choose(self.plan)
        return made

    def whole(self, number: int, movements: int) -> float:
        """Play the plan with one candidate, all of it given and judged anew."""
        orders = {power: self.candidates[chosen] for power, chosen in enumerate(self.plan)} | {
            self.powers[number]: self.candidates[number]
        }
        self.game.restore(self.kept)
        self.game.state.step([code for found in orders.values() for code in found])
        self.game.state.seed(SEED)
        self.game.run(movements)
        return self.game.share(self.powers[number])


def weighed(prospects: Prospects, movements: int, first: int = 0, end: int = -1) -> list[float]:
    end = prospects.count if end < 0 else end
    scores = array("d", [-1.0] * prospects.count)
    prospects.weigh(movements, SEED, first, end, scores)
    return list(scores)


@pytest.mark.parametrize("movements", [0, 2])
@pytest.mark.parametrize("played", [0, 5, 14])
def test_candidates_are_worth_what_playing_them_whole_gives(played: int, movements: int) -> None:
    table = Table(played)
    scores = weighed(table.prospects(), movements)
    assert scores == [table.whole(number, movements) for number in range(len(scores))]
    assert len(set(scores)) > 3


def test_a_new_plan_needs_no_new_candidates() -> None:
    table = Table(9)
    prospects = table.prospects()
    weighed(prospects, 1)
    table.plan = [number + 3 for number in table.plan]
    prospects.choose(table.plan)
    assert weighed(prospects, 1) == weighed(table.prospects(), 1)


def test_two_threads_find_what_one_finds() -> None:
    table = Table(8)
    halves = [table.prospects(), table.prospects()]
    middle = halves[0].count // 2
    found = array("d", bytes(8 * halves[0].count))
    threads = [
        Thread(target=half.weigh, args=(2, SEED, first, end, found))
        for half, first, end in zip(halves, (0, middle), (middle, halves[0].count), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(found) == weighed(table.prospects(), 2)


@needs_compiler
def test_plain_and_compiled_weigh_alike() -> None:
    table = Table(4)
    assert weighed(table.prospects(), 1) == weighed(table.prospects(plain=True), 1)


def test_what_does_not_fit_is_refused() -> None:
    table = Table(0)
    prospects = table.prospects()
    scores = array("d", [0.0] * (prospects.count - 1))
    with pytest.raises(ValueError, match="room for 41 candidates, not for 42"):
        prospects.weigh(0, SEED, 0, prospects.count, scores)
    for first, end in ((-1, 3), (3, 2), (0, 43)):
        with pytest.raises(ValueError, match=f"candidates {first} to {end} are not among the 42"):
            prospects.weigh(0, SEED, first, end, scores)
    with pytest.raises(ValueError, match="no candidate 42"):
        prospects.choose([42])
    with pytest.raises(ValueError, match="there is no power 7"):
        prospects.take(table.kept, array("q"), array("i", [0, 0]), [7])
    with pytest.raises(ValueError, match="there are 1 candidates, but 2 powers"):
        prospects.take(table.kept, array("q"), array("i", [0, 0]), [1, 2])
    for starts in ([0, 2], [1, 0], [-1]):
        with pytest.raises(ValueError, match="starts must rise"):
            prospects.take(table.kept, array("q", [0]), array("i", starts), [0] * (len(starts) - 1))
