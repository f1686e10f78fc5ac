"""Measure the package `pydip` on the opening; runs in an environment of its own, see rules.py.

It has no list of legal orders and no game loop, so only its resolver is measured: all 22 units of
the first turn, each told to move to a random neighbour.
"""

import json
import random
import time

from pydip.map.predefined import vanilla_dip  # type: ignore[import-not-found]  # a peer, perhaps not here
from pydip.player.command.command import (  # type: ignore[import-not-found]  # a peer, perhaps not here
    HoldCommand,
    MoveCommand,
)
from pydip.player.player import Player  # type: ignore[import-not-found]  # a peer, perhaps not here
from pydip.turn.resolve import resolve_turn  # type: ignore[import-not-found]  # a peer, perhaps not here

board = vanilla_dip.generate_map()
players = [
    Player(
        name,
        board,
        [{"territory_name": unit.position, "unit_type": unit.unit_type} for unit in units],
    )
    for name, units in vanilla_dip.generate_starting_player_units().items()
]


def orders(rng: random.Random) -> list[object]:
    """Tell every unit to move at random, or to hold where it cannot."""
    found: list[object] = []
    for player in players:
        for unit in player.units:
            neighbors = sorted(board.adjacency[unit.position])
            try:
                found.append(MoveCommand(player, unit, rng.choice(neighbors)))
            except AssertionError:
                found.append(HoldCommand(player, unit))
    return found


rng = random.Random(1)
sets = [orders(rng) for _ in range(20)]
best = float("inf")
for _ in range(3):
    start = time.perf_counter()
    for commands in sets:
        resolve_turn(board, commands)
    best = min(best, (time.perf_counter() - start) / len(sets))
print(json.dumps({"adjudication": best * 1e6}))
