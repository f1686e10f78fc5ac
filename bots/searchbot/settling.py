"""Retreats, builds and removals: every combination is tried, and the worthiest one ordered."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

from bots.kernel import Subgame
from bots.view import GameView
from rules.kernel.codes import (
    BUILD,
    DISBAND,
    REMOVE,
    RETREAT,
    WAIVE,
    kind_of,
    pack,
    target_of,
)
from rules.kernel.encode import codec_of
from rules.orders import Order
from rules.turns import Phase

MOST = 400
"""So many combinations are tried at most; more come only where many units retreat or go."""


def settle(view: GameView, subgame: Subgame) -> list[Order]:
    """Return our orders for a retreat or adjustment turn."""
    codec = codec_of(view.board)
    power = codec.power_index[view.power]
    subgame.game.reset()
    state = codec.load(view.position, subgame.state)
    options = _retreats(view, subgame) if view.phase is Phase.RETREAT else _adjustments(view, power)
    best: Sequence[int] | None = None
    most = -1.0
    for codes in islice(options, MOST):
        codec.load(view.position, state)
        worth = subgame.settle(power, list(codes))[power]
        # Where nobody is left nothing can be compared: any combination does.
        if best is None or worth > most:
            best, most = codes, worth
    return [codec.order(code, view.power) for code in best or ()]


def _retreats(view: GameView, subgame: Subgame) -> Iterator[Sequence[int]]:
    """Give what our dislodged units can do together; no two go to the same place."""
    codec, tables = codec_of(view.board), subgame.state.tables
    closed = {codec.province_index.get(each, -1) for each in view.beliefs.closed}
    choices = []
    for out in view.dislodged:
        mover = codec.mover(out.unit)
        places = [codec.location_index[place] for place in out.retreats]
        choices.append(
            [
                *(
                    pack(RETREAT, mover, place)
                    for place in places
                    if tables.province_of[place] not in closed
                ),
                pack(DISBAND, mover),
            ]
        )
    for codes in product(*choices):
        goals = [tables.province_of[target_of(code)] for code in codes if kind_of(code) == RETREAT]
        if len(set(goals)) == len(goals):
            yield codes


def _adjustments(view: GameView, power: int) -> Iterator[Sequence[int]]:
    """Give what we can build or remove."""
    codec = codec_of(view.board)
    if view.adjustment < 0:
        movers = [codec.mover(unit) for unit in view.units]
        for gone in combinations(movers, -view.adjustment):
            yield [pack(REMOVE, mover) for mover in gone]
        return
    tables = codec.tables
    homes = [codec.province_index[home] for home in view.open_homes]
    builds = {
        home: tables.builds[tables.build_start[home] : tables.build_start[home + 1]]
        for home in homes
    }
    count = min(view.adjustment, len(homes))
    waives = [pack(WAIVE, power)] * (view.adjustment - count)
    for chosen in combinations(homes, count):
        for built in product(*(builds[home] for home in chosen)):
            yield [*(pack(BUILD, mover) for mover in built), *waives]
