"""Measure the rules engine, plain and compiled, beside the peers.

    python -m benchmarks.adjudication                    our own figures
    python -m benchmarks.adjudication --peers            beside the peers, installed for the run
    python -m benchmarks.adjudication --peers --json

The work is the movement turns of random games to 1908; every engine plays random games of its own,
so the positions are alike and not the same. All figures are microseconds, the best of three runs.
"""

import argparse
import itertools
import json
import random
import subprocess
import sys
import tempfile
import time
import venv
from array import array
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from rules.adjudicate import adjudicate
from rules.board import Board
from rules.kernel import IS_COMPILED, Simulator, Variations
from rules.kernel.encode import Codec, codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.kernel.variations import Variations as PlainVariations
from rules.maps import load_map
from rules.position import Position
from rules.resolution import Resolution

if TYPE_CHECKING:
    from rules.orders import Order

PEERS = {"diplomacy": "peer_diplomacy.py", "pydip": "peer_pydip.py"}
PACKAGES = {"diplomacy": "diplomacy==1.1.2", "pydip": "pydip==0.1.8"}
AS_PEERS = {
    "batch": "adjudication",
    "values": "adjudication",
    "variations": "adjudication",
    "playout": "game",
}
RUNS = 3
VARIATIONS = 200
CHANGES = 2
"""In how many orders each variation differs from the plan."""

Work = list[tuple[Position, list[int]]]
Figures = dict[str, float]


def main() -> None:
    """Print the figures and their ratios to the peers."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", action="store_true", help="install the peers and measure them")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    board = load_map()
    found = {"plain": measure(board, PlainSimulator, 10, 2)}
    if IS_COMPILED:
        found["compiled"] = measure(board, Simulator, 300, 100)
    found["values"] = {"adjudication": measure_values(board, lambda done: done.position)}
    found["values, reports"] = {"adjudication": measure_values(board, lambda done: done.reports)}
    peers = measure_peers() if options.peers else {}
    if options.json:
        print(json.dumps({"microseconds": found, "peers": peers}))
        return
    show(found, peers)


def movement_work(board: Board) -> Work:
    """Return the movement turns of a random game with random legal orders."""
    codec, rng = codec_of(board), random.Random(1)
    state = codec.load(board.start, codec.new_simulator())
    state.seed(1)
    work: Work = []
    while state.year < 1908:
        if state.season in (0, 2):
            orders = [rng.choice(found) for found in state.legal_all()]
            work.append((codec.position(state), orders))
        state.step_by_dice()
    return work


def best(action: Callable[[], float]) -> float:
    """Return the best of some runs; the others were disturbed."""
    return round(min(action() for _ in range(RUNS)) * 1e6, 2)


def clock(action: Callable[[], object], repeats: int) -> float:
    """Return the seconds that one call takes, of this process alone."""
    start = time.process_time()
    for _ in range(repeats):
        action()
    return (time.process_time() - start) / repeats


def measure(board: Board, kernel: type[Simulator], repeats: int, games: int) -> Figures:
    """Measure one kernel."""
    codec, work = codec_of(board), movement_work(board)
    state = kernel(codec.tables)

    def over_work(action: Callable[[list[int]], object]) -> float:
        total = 0.0
        for position, orders in work:
            codec.load(position, state)
            total += clock(lambda orders=orders: action(orders), repeats)  # type: ignore[misc]  # one each
        return total / len(work)

    return {
        "adjudication": best(lambda: over_work(state.judge_all)),
        "batch": best(lambda: batch(codec, state, work, max(1, repeats // 50))),
        "variations": best(lambda: variations(codec, state, work, max(1, repeats // 50))),
        "legal orders": best(lambda: over_work(lambda _: state.legal_arrays())),
        "game": best(
            lambda: clock(lambda: game_from_python(board, codec, state), max(1, games // 5))
        ),
        "playout": best(lambda: clock(lambda: playout(board, codec, state), games)),
    }


def varied(codec: Codec, state: Simulator, work: Work) -> tuple[list[int], list[list[int]]]:
    """Load a position, and return a plan for it and the orders in which variations differ."""
    position, orders = work[len(work) // 2]
    lists, rng = codec.load(position, state).legal_all(), random.Random(2)
    sets = [[rng.choice(found) for found in rng.sample(lists, CHANGES)] for _ in range(VARIATIONS)]
    return orders, sets


def batch(codec: Codec, state: Simulator, work: Work, repeats: int) -> float:
    """Return the time per adjudication when many whole sets are judged in one call."""
    orders, sets = varied(codec, state, work)
    codes = array("q", [code for changes in sets for code in (*orders, *changes)])
    starts = array("i", range(0, len(codes) + 1, len(orders) + CHANGES))
    outcomes = bytearray(len(codes))
    return clock(lambda: state.judge_batch(codes, starts, outcomes), repeats) / VARIATIONS  # type: ignore[arg-type]  # arrays when compiled


def variations(codec: Codec, state: Simulator, work: Work, repeats: int) -> float:
    """Return the time per adjudication when the same sets are judged as variations of the plan."""
    orders, sets = varied(codec, state, work)
    is_plain = isinstance(state, PlainSimulator)  # always, where mypy sees no compiled kernel
    made = (PlainVariations if is_plain else Variations)(state)
    flat = [code for changes in (orders, *sets) for code in changes]
    made.take(flat, [0, *range(len(orders), len(flat) + 1, CHANGES)])
    outcomes = bytearray(made.count * state.provinces)

    def judge() -> None:
        made.choose([0])
        made.judge_all(outcomes)

    return clock(judge, repeats) / VARIATIONS


def game_from_python(board: Board, codec: Codec, state: Simulator) -> None:
    """Play a random game to 1920 with the choice of orders made in Python."""
    roll = random.Random(1).random
    codec.load(board.start, state)
    while state.year <= 1920 and state.winner < 0:
        codes, starts = state.legal_arrays()
        state.step(
            [
                codes[start + int(roll() * (end - start))]
                for start, end in itertools.pairwise(starts)
            ]
        )


def playout(board: Board, codec: Codec, state: Simulator) -> None:
    """Play a random game to 1920 in one call."""
    codec.load(board.start, state)
    state.seed(1)
    state.play(1920, 10**6)


def measure_values(board: Board, look: Callable[[Resolution], object]) -> float:
    """Measure `adjudicate` on values until what the caller looks at is there."""
    codec = codec_of(board)
    work: list[tuple[Position, list[Order]]] = []
    for position, orders in movement_work(board):
        units = {unit.location.province: unit for unit in position.units}
        by_mover = {codec.mover(unit): unit.power for unit in position.units}
        work.append(
            (position, [codec.order(code, by_mover[code >> 4 & 1023], units) for code in orders])
        )
    return best(
        lambda: (
            sum(
                clock(lambda turn=turn: look(adjudicate(board, *turn)), 10)  # type: ignore[misc]  # one each
                for turn in work
            )
            / len(work)
        )
    )


def measure_peers() -> dict[str, Figures]:
    """Install each peer on its own and let it measure itself."""
    found = {}
    for name, script in PEERS.items():
        with tempfile.TemporaryDirectory() as folder:
            venv.create(folder, with_pip=True)
            python = str(Path(folder) / "bin" / "python")
            pip = [python, "-m", "pip", "install", "--quiet", PACKAGES[name], "setuptools"]
            subprocess.run(pip, check=True, stdout=sys.stderr)
            program = str(Path(__file__).with_name(script))
            done = subprocess.run([python, program], check=True, capture_output=True, text=True)
            found[name] = json.loads(done.stdout)
    return found


def show(found: dict[str, Figures], peers: dict[str, Figures]) -> None:
    """Print a table, with how many times as fast as each peer we are."""
    for engine, figures in {**found, **peers}.items():
        for name, figure in figures.items():
            line = f"{engine:10} {name:14} {figure:12.2f} us {1e6 / figure:12.0f} /s"
            if engine in found:
                for peer, theirs in peers.items():
                    other = theirs.get(AS_PEERS.get(name, name))
                    line += f"   {other / figure:8.1f} x {peer}" if other else ""
            print(line)


if __name__ == "__main__":
    main()
