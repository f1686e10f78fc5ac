"""Measure the package `diplomacy`; runs in an environment of its own, see rules.py."""

import json
import random
import time

from diplomacy import Game

RUNS = 3


def play(last_year: int) -> dict[str, float]:
    """Play a random game and return seconds per movement turn, per list of orders, and in all."""
    rng, game = random.Random(1), Game()
    judging, listing = [], []
    begin = time.perf_counter()
    while not game.is_game_done and int(game.get_current_phase()[1:5]) <= last_year:
        start = time.perf_counter()
        possible = game.get_all_possible_orders()
        listing.append(time.perf_counter() - start)
        for power in game.powers:
            places = game.get_orderable_locations(power)
            game.set_orders(power, [rng.choice(possible[place]) for place in places])
        is_movement = game.get_current_phase().endswith("M")
        start = time.perf_counter()
        game.process()
        if is_movement:
            judging.append(time.perf_counter() - start)
    return {
        "adjudication": sum(judging) / len(judging),
        "legal orders": sum(listing) / len(listing),
        "game": time.perf_counter() - begin,
    }


short = [play(1907) for _ in range(RUNS)]
figures = {name: min(run[name] for run in short) for name in ("adjudication", "legal orders")}
figures["game"] = min(play(1920)["game"] for _ in range(2))
print(json.dumps({name: seconds * 1e6 for name, seconds in figures.items()}))
