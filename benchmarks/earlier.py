"""How much faster the kernel is than that of an earlier commit, as ratios in one run.

    python -m benchmarks.earlier [--commit 0514888] [--runs 5]

The earlier commit is taken from git and compiled in a folder of its own. Then both are measured by
turns, the same work by the same seeds, in CPU time; the best run of each counts. Both must come to
the same results, or there is nothing to compare. The commit that is named here is the last one
before the work on variations and playouts began.

Variations are compared with whole order sets in a batch where a kernel knows no variations. A
second core is measured by the clock, which says something only on a machine with two idle cores, so
two processes that only count are measured beside it: what this machine gives at the moment.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Callable
from pathlib import Path
from time import process_time

from bots.kernel import Playouts
from rules import kernel
from rules.kernel.encode import codec_of
from rules.maps import load_map

ROOT = Path(__file__).resolve().parent.parent
BEFORE = "0514888"
GAMES = 100
SHORT = 300
SETS = 200
CHANGES = 2
REPEATS = 20
LONG_GAME = 40
"""Movement turns of a long game by the policies; a short playout has two."""

WORK = {
    "variations": "order set, one of many that differ in two orders from a plan",
    "dice": "game to 1920 by dice",
    "short": "playout of two movement turns by DumbBot's planning, from 1907 on",
    "long": "game of 40 movement turns by DumbBot's planning",
}
Measured = dict[str, tuple[float, str]]


def main() -> None:
    """Compare, or measure the checkout that this was started in."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--commit", default=BEFORE)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure()))
        return
    with tempfile.TemporaryDirectory() as folder:
        check_out(options.commit, Path(folder))
        rounds = [(ask(Path(folder)), ask(ROOT)) for _ in range(options.runs)]
    show(rounds)
    show_second_core()


def check_out(commit: str, folder: Path) -> None:
    """Put an earlier commit into a folder, and compile it there."""
    packed = subprocess.run(
        ["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True
    )
    subprocess.run(["tar", "x"], cwd=folder, input=packed.stdout, check=True)
    compiling = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(compiling, cwd=folder, check=True, capture_output=True)


def ask(folder: Path) -> Measured:
    """Measure a checkout in a process of its own."""
    program = [sys.executable, str(Path(__file__)), "--measure"]
    path = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(program, cwd=folder, env=path, check=True, stdout=subprocess.PIPE)
    found: dict[str, list[float | str]] = json.loads(done.stdout)
    return {name: (float(each[0]), str(each[1])) for name, each in found.items()}


def show(rounds: list[tuple[Measured, Measured]]) -> None:
    """Print the best of each, and how many times as fast the later one is."""
    for name, what in WORK.items():
        results = {each[name][1] for pair in rounds for each in pair}
        if len(results) > 1:
            sys.exit(f"the two come to different results: {what}")
        before, now = (min(pair[place][name][0] for pair in rounds) for place in (0, 1))
        print(f"{before:8.2f} us {now:8.2f} us {before / now:5.2f} times as fast   {what}")


def show_second_core() -> None:
    """Print what a second thread is worth to playouts, and a second process to anything."""
    from benchmarks.search import second_core, second_process  # noqa: PLC0415 - earlier ones differ

    worth, cost = second_core()
    print(f"second thread of playouts: {worth:.2f} by the clock, CPU time a game {cost:.2f} times")
    print(f"second process that only counts: {second_process():.2f} by the clock")


# What is measured. Everything that is imported above is that of the checkout, by PYTHONPATH.


def measure() -> Measured:
    """Return microseconds, and what came of it, for each kind of work."""
    return {
        "variations": judge_variations(),
        "dice": play_by_dice(),
        "short": play_by_policies(13, SHORT, 2),
        "long": play_by_policies(0, GAMES, LONG_GAME),
    }


def clock(action: Callable[[], object], count: int) -> float:
    """Return the microseconds of CPU time of one of so many; the first call warms up."""
    action()
    started = process_time()
    action()
    return (process_time() - started) * 1e6 / count


def judge_variations() -> tuple[float, str]:
    """Judge order sets that differ in a few orders, as quickly as this kernel can."""
    codec, rng = codec_of(load_map()), random.Random(1)
    state = codec.load(codec.board.start, codec.new_simulator())
    state.seed(1)
    while state.year < 1905 or state.season:
        state.step_by_dice()
    lists = state.legal_all()
    plan = [rng.choice(found) for found in lists]
    sets = [[rng.choice(found) for found in rng.sample(lists, CHANGES)] for _ in range(SETS)]
    units = [province for province, mover in enumerate(state.all_units()) if mover >= 0]
    if hasattr(kernel, "Variations"):
        made = kernel.Variations(state)
        flat = [code for codes in (plan, *sets) for code in codes]
        made.take(flat, [0, *range(len(plan), len(flat) + 1, CHANGES)])
        outcomes = bytearray(made.count * state.provinces)

        def judge() -> None:
            for _ in range(REPEATS):
                made.choose([0])
                made.judge_all(outcomes)

        spent = clock(judge, SETS * REPEATS)
        rows = [
            [outcomes[number * state.provinces + unit] for unit in units]
            for number in range(1, SETS + 1)
        ]
        return spent, repr(rows)
    codes = array("q", [code for changes in sets for code in (*plan, *changes)])
    size = len(plan) + CHANGES
    starts = array("i", range(0, len(codes) + 1, size))
    whole = bytearray(len(codes))

    def judge_whole() -> None:
        for _ in range(REPEATS):
            state.judge_batch(codes, starts, whole)  # type: ignore[arg-type]  # arrays when compiled

    spent = clock(judge_whole, SETS * REPEATS)
    return spent, repr([list(whole[size * n : size * n + len(plan)]) for n in range(SETS)])


def play_by_dice() -> tuple[float, str]:
    """Play games by dice, each with dice of its own."""
    codec = codec_of(load_map())
    state = codec.new_simulator()
    spent, results = 0.0, []
    for seed in range(GAMES):
        codec.load(codec.board.start, state)
        state.seed(seed)
        started = process_time()
        state.play(1920, 10**6)
        spent += process_time() - started
        results.append((state.all_units(), state.all_owners()))
    return spent * 1e6 / GAMES, repr(results)


def play_by_policies(movements: int, count: int, depth: int) -> tuple[float, str]:
    """Play on from a position that is so many movement turns old."""
    game, kept = staged(movements)
    game.aim(kept, depth, 0)
    scores = array("d", bytes(8 * count))
    starts = array("i", bytes(4 * (count + 1)))
    spent = clock(lambda: game.weigh(array("q"), array("q"), starts, 1, scores), count)
    return spent, repr(scores)


def staged(movements: int) -> tuple[Playouts, list[int]]:
    """Return playouts, and a position of a game that is so many movement turns old."""
    codec = codec_of(load_map())
    game = Playouts(codec.new_simulator())
    codec.load(codec.board.start, game.state)
    game.state.seed(3)
    game.run(movements)
    game.settle_turn()
    return game, game.save()


if __name__ == "__main__":
    main()
