"""Plans drawn in DumbBot's manner: with Python's own chances, and plain as compiled."""

from random import Random

import pytest

from bots.dumbbot.tactic import VARIANTS
from bots.dumbbot.value_maps import value_map
from bots.kernel import Draws
from bots.kernel.deeds import GO
from bots.kernel.draws import EXACT, PROMISED, PROMISED_GO, ROUNDED, WRAPPING
from bots.kernel.draws import Draws as PlainDraws
from bots.unit_places import unit_places_of
from rules.kernel import IS_COMPILED
from tests.bots.talking import BOARD, GERMANY

PLACES = unit_places_of(BOARD)
UNITS = sorted(PLACES.of(unit) for unit in BOARD.start.units if unit.power == GERMANY)


def draws(kind: type[Draws], arithmetic: int = WRAPPING, seed: int = 1) -> Draws:
    made = kind(UNITS, [PLACES.borders[place] for place in UNITS], PLACES.province_of)
    made.set_habits(arithmetic, 0.5, 1, 1)
    values = value_map(PLACES, BOARD.start, GERMANY, VARIANTS["wide"].valuation)
    made.value(values.values, values.competition, [], 1)
    made.take_chances(Random(seed).getstate()[1])
    return made


def test_its_chances_are_those_of_python() -> None:
    random = Random(8)
    made = draws(Draws, seed=8)
    for _ in range(300):
        made.plan()
    state = made.chances()
    # Wherever it stands now, Python's generator comes there too, and goes on alike.
    for _ in range(100_000):
        if random.getstate()[1] == state:
            break
        random.random()
    else:
        pytest.fail("never came to the same state")


@pytest.mark.skipif(not IS_COMPILED, reason="the kernel is not compiled here")
@pytest.mark.parametrize("arithmetic", [WRAPPING, EXACT, ROUNDED])
def test_plain_and_compiled_draw_alike(arithmetic: int) -> None:
    found = []
    for kind in (Draws, PlainDraws):
        made = draws(kind, arithmetic)
        plans = []
        for _ in range(200):
            made.plan()
            plans.append(made.planned())
        found.append((plans, made.chances()))
    assert found[0] == found[1]
    assert len({tuple(plan) for plan in found[0][0]}) > 5


def test_what_is_promised_is_settled_before() -> None:
    made = draws(Draws)
    goal = PLACES.province_of[PLACES.borders[UNITS[0]][0]]
    made.set_promise(0, goal)
    made.set_promise(1, -1)
    for _ in range(50):
        made.plan()
        plan = made.planned()
        assert [told[0] for told in plan[:2]] == [PROMISED_GO, PROMISED]
        goals = [PLACES.province_of[first] for kind, first, _ in plan if kind == GO]
        assert goal not in goals


@pytest.mark.parametrize("kind", [Draws, PlainDraws])
def test_what_points_beyond_the_board_is_refused(kind: type[Draws]) -> None:
    with pytest.raises(ValueError, match="no such place"):
        kind([len(PLACES)], [()], PLACES.province_of)
    made = draws(kind)
    with pytest.raises(ValueError, match="no such unit"):
        made.set_promise(99, 0)
    with pytest.raises(ValueError, match="not the state"):
        made.take_chances((1, 2, 3))
    with pytest.raises(ValueError, match="every place has a value"):
        made.value([1], [], [], 0)
