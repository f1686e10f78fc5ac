"""Phases a second of the games for learning programs: `python -m benchmarks.learning [--json]`.

Random legal actions, chosen outside of the time that is measured; CPU time of this process. The
kernel's own playouts, which choose by dice without leaving it, stand beside it.
"""

import argparse
import json
import time
from typing import Any

import numpy as np

from learning import DiplomacyEnvironment, GameBatch
from rules.kernel.encode import codec_of
from rules.maps import load_map

PHASES = 2000
GAMES = 16


def environment(phases: int, *, press: bool) -> float:
    """Return phases a second through PettingZoo's API."""
    env = DiplomacyEnvironment(last_year=1915, press=press)
    random = np.random.default_rng(1)
    spent = 0.0
    for _ in range(phases):
        if not env.agents:
            started = time.process_time()
            env.reset()
            spent += time.process_time() - started
        actions = actions_of(env, random)
        started = time.process_time()
        env.step(actions)
        spent += time.process_time() - started
    return phases / spent


def actions_of(env: DiplomacyEnvironment, random: np.random.Generator) -> dict[str, Any]:
    """Return a legal action for everybody."""
    counts = np.minimum(env.game.counts, env.width)
    chosen = (random.random(counts.shape) * counts).astype(np.int64)
    rows = {agent: chosen[env.possible_agents.index(agent)] for agent in env.agents}
    if not isinstance(env.action_space(env.possible_agents[0]).sample(), dict):
        return rows
    silence = np.zeros(env.game.powers, dtype=np.int64)
    return {agent: {"orders": row, "words": silence} for agent, row in rows.items()}


def batch(phases: int, games: int) -> float:
    """Return phases a second of many games in step."""
    played = GameBatch(games, last_year=1915)
    random = np.random.default_rng(1)
    spent = 0.0
    for _ in range(phases // games):
        actions = played.sample(random)
        started = time.process_time()
        played.step(actions)
        spent += time.process_time() - started
    return phases // games * games / spent


def playouts(phases: int) -> float:
    """Return phases a second of the kernel alone."""
    codec = codec_of(load_map())
    state = codec.new_simulator()
    done, number = 0, 0
    started = time.process_time()
    while done < phases:
        codec.load(codec.board.start, state)
        state.seed(number)
        done += state.play(1915, 10**6)
        number += 1
    return done / (time.process_time() - started)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--phases", type=int, default=PHASES, metavar="N")
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help="in a batch")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = {
        "environment": environment(options.phases, press=False),
        "environment with press": environment(options.phases, press=True),
        f"batch of {options.games}": batch(4 * options.phases, options.games),
        "playouts of the kernel": playouts(50 * options.phases),
    }
    if options.json:
        print(json.dumps(figures))
        return
    for name, rate in figures.items():
        print(f"{name:<24} {rate:>10,.0f} phases a second")


if __name__ == "__main__":
    main()
