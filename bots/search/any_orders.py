"""Order sets of any legal orders, for players that know nothing of Diplomacy but its rules."""

from collections.abc import Sequence

from bots.search.proposals import OrderSet
from bots.search.scene import Scene
from rules.kernel.codes import MOVE, MOVE_BY_CONVOY, kind_of, mover_of, target_of

_TRIES = 4
"""How many draws there are for each order set that is wanted."""


def any_order_sets(scene: Scene, wanted: int, promises: Sequence[int] = ()) -> list[OrderSet]:
    """Draw different order sets for the position on the board, with what we have promised."""
    game = scene.game
    promised = {mover_of(code): code for code in promises}
    movers = [
        game.state.unit[place]
        for place in range(game.provinces)
        if game.state.unit[place] >= 0 and game.state.power[place] == scene.power
    ]
    places = map(scene.codec.tables.mover_province.__getitem__, movers)
    choices = [
        [promised[mover]] if mover in promised else _open(scene, game.state.legal(place))
        for mover, place in zip(movers, places, strict=True)
    ]
    found: dict[OrderSet, None] = {}
    for _ in range(_TRIES * wanted):
        if len(found) >= wanted:
            break
        found[tuple(map(scene.view.random.choice, choices))] = None
    return list(found)


def _open(scene: Scene, codes: Sequence[int]) -> list[int]:
    """Leave out what enters closed provinces; a hold always remains."""
    closed = {
        scene.codec.province_index[province]
        for province in scene.view.beliefs.closed
        if province in scene.codec.province_index
    }
    provinces = scene.codec.tables.province_of
    return [
        code
        for code in codes
        if not (kind_of(code) == MOVE and provinces[target_of(code)] in closed)
        and not (kind_of(code) == MOVE_BY_CONVOY and target_of(code) in closed)
    ]
