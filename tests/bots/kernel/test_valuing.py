"""Value maps on integers: plain and compiled agree, and what makes no sense is refused."""

from random import Random

import pytest

from bots.dumbbot.value_maps import FALL_WEIGHTS
from bots.kernel import Spreading, Valuing
from bots.kernel.spreading import DOWN, EXACTLY, TOWARD_ZERO
from bots.kernel.spreading import Spreading as PlainSpreading
from bots.kernel.valuing import Valuing as PlainValuing
from bots.unit_places import unit_places_of
from tests.bots.talking import BOARD

PLACES = unit_places_of(BOARD)
ROOM = PLACES.province_of, PLACES.reach, PLACES.centers, len(BOARD.powers)
Found = tuple[list[int], tuple[list[int], list[int]]]


def compiled() -> Valuing:
    return Valuing(Spreading(PLACES.sources, PLACES.twins), *ROOM)


def plain() -> PlainValuing:
    return PlainValuing(PlainSpreading(PLACES.sources, PLACES.twins), *ROOM)


def value(valuing: Valuing | PlainValuing, seed: int) -> Found:
    """Draw a position and value it in some way."""
    random = Random(seed)
    by_province = {PLACES.province_of[place]: place for place in random.sample(range(100), 34)}
    units = list(by_province.values())
    powers = [random.randrange(7) for _ in units]
    owners = [random.randrange(-1, 7) for _ in PLACES.centers]
    valuing.stand(units, powers, owners)
    sign = random.choice((1, -1))
    sizes = [sign * random.randrange(400) for _ in range(7)]
    attacks = [sign * random.choice((0.5, 1.0)) * random.randrange(400) for _ in owners]
    ours = random.randrange(7)
    valuing.weigh(ours, sizes, attacks, FALL_WEIGHTS.attack, FALL_WEIGHTS.defence)
    rounding = random.choice((DOWN, EXACTLY)) if sign > 0 else TOWARD_ZERO
    valuing.spread(FALL_WEIGHTS.steps, rounding)
    valuing.scale([random.choice((1.0, 0.25)) for _ in range(7)])
    valuing.count_presence(ours, random.randrange(2))
    return valuing.values(random.randrange(2), random.randrange(2)), valuing.presence()


def test_plain_and_compiled_value_alike() -> None:
    one, other = compiled(), plain()
    found = [value(one, seed) for seed in range(40)]
    assert found == [value(other, seed) for seed in range(40)]
    assert len({tuple(values) for values, _ in found}) == 40


def test_what_counts_out_occupants_leaves_no_trace() -> None:
    valuing = compiled()
    valuing.stand(PLACES.standing(BOARD.start).places, [0] * 22, [-1] * 34)
    valuing.count_presence(1, 1)
    before = valuing.presence()
    valuing.count_presence(1, 0)
    assert valuing.presence() != before
    valuing.count_presence(1, 1)
    assert valuing.presence() == before


def test_numbers_wrap_at_32_bits_if_asked() -> None:
    valuing = compiled()
    valuing.stand([], [], [-1] * 34)
    valuing.weigh(0, [0] * 7, [2e6] * 34, 1000.0, 0.0)
    valuing.spread((1,), DOWN)
    valuing.count_presence(0, 1)
    wide, wrapped = valuing.values(0, 0), valuing.values(1, 0)
    assert max(wide) == 2_000_000_000
    assert wrapped == wide
    valuing.weigh(0, [0] * 7, [3e6] * 34, 1000.0, 0.0)
    valuing.spread((1,), DOWN)
    assert max(valuing.values(0, 0)) == 3_000_000_000
    assert min(valuing.values(1, 0)) == 3_000_000_000 - 2**32


@pytest.mark.parametrize("make", [compiled, plain])
def test_what_makes_no_sense_is_refused(make: type[Valuing]) -> None:
    valuing = make()  # type: ignore[call-arg]  # each with its own defaults
    with pytest.raises(ValueError, match="no such unit: 9999 of power 0"):
        valuing.stand([9999], [0], [-1] * 34)
    with pytest.raises(ValueError, match="no such unit: 0 of power 7"):
        valuing.stand([0], [7], [-1] * 34)
    with pytest.raises(ValueError, match="no such owner: 7"):
        valuing.stand([], [], [7] * 34)
    with pytest.raises(ValueError, match="every center has an owner"):
        valuing.stand([], [], [-1])
    with pytest.raises(ValueError, match="more units than provinces"):
        valuing.stand([0] * 200, [0] * 200, [-1] * 34)
    with pytest.raises(ValueError, match="no such power"):
        valuing.weigh(7, [0] * 7, [0.0] * 34, 1.0, 1.0)
    with pytest.raises(ValueError, match="no such power"):
        valuing.count_presence(-1, 1)
    with pytest.raises(ValueError, match="every power has a size"):
        valuing.weigh(0, [0], [0.0] * 34, 1.0, 1.0)
    with pytest.raises(ValueError, match="a wish for each power"):
        valuing.scale([1.0])
    with pytest.raises(ValueError, match="one step at least"):
        valuing.spread((), DOWN)
