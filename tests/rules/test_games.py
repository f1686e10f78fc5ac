"""Whole games by dice on every shipped map, through the kernels and through `adjudicate`."""

from collections.abc import Iterator
from random import Random

import pytest

from rules.adjudicate import adjudicate
from rules.kernel import Simulator
from rules.kernel.encode import Codec, codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.legality import adjustment_due
from rules.maps import load_map, map_names
from rules.orders import Order
from rules.places import Power
from rules.position import Position
from rules.turns import Phase

LAST_YEAR = 1920
MOST_PHASES = 200


@pytest.mark.parametrize("name", map_names())
def test_a_game_by_dice_is_the_same_on_both_kernels(name: str) -> None:
    codec = codec_of(load_map(name))
    for seed in range(10):
        ends: list[Position] = []
        for kind in (PlainSimulator, Simulator):
            state = codec.load(codec.board.start, kind(codec.tables))
            state.seed(seed)
            state.play(LAST_YEAR, MOST_PHASES)
            ends.append(codec.position(state))
        assert ends[0] == ends[1]
        assert ends[0].turn.year > codec.board.start.turn.year


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", map_names())
def test_adjudicate_and_kernel_play_the_same_game(name: str, seed: int) -> None:
    codec = codec_of(load_map(name))
    random, position = Random(seed), codec.board.start
    kernel = codec.load(position, codec.new_simulator())
    while position.turn.year <= LAST_YEAR:
        orders = [
            random.choice(choices)
            for power in codec.powers
            for choices in choices_of(codec, kernel, position, power)
        ]
        kernel.step([codec.code(order) for order in orders])
        position = adjudicate(codec.board, position, orders).position
        assert position == codec.position(kernel)


def choices_of(
    codec: Codec, kernel: Simulator, position: Position, power: Power
) -> Iterator[list[Order]]:
    """Yield what each unit of a power may be told; in winter, the power's choices so many times."""
    if position.turn.phase is Phase.ADJUSTMENT:
        places = [codec.power_index[power]] * abs(adjustment_due(position, power))
    else:
        waiting = [out.unit for out in position.dislodged] or position.units
        mine = [unit.location.province for unit in waiting if unit.power == power]
        places = [codec.province_index[province] for province in mine]
    units = {unit.location.province: unit for unit in position.units}
    for place in places:
        yield [codec.order(code, power, units) for code in kernel.legal(place)]
