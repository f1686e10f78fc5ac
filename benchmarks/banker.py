"""How long a game of seven bankers takes, in CPU seconds, against an older checkout of this tree.

    git worktree add --detach ../before COMMIT
    (cd ../before && python setup.py build_ext --inplace)
    python -m benchmarks.banker --before ../before --games 3 --last-year 1910

Both play the same seeds by turns, each game in a process of its own that has played a short game
before; the games must be the same, turn by turn and word by word.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
GAME = """
import hashlib, json, sys, time
from matches.in_process import play_in_process
from matches.match import Match
from rules.maps import load_map

def game(seed, year):
    players = {power.name: "banker" for power in load_map().powers}
    return play_in_process(Match(players=players, seed=seed, last_year=year))

game(0, 1901)
began = time.process_time()
done = game(int(sys.argv[1]), int(sys.argv[2]))
spent = time.process_time() - began
told = "\\n".join(map(repr, [*done.turns, *done.press]))
print(json.dumps([spent, hashlib.sha256(told.encode()).hexdigest()]))
"""


def played(tree: Path, seed: int, year: int) -> tuple[float, str]:
    """Play a game with the code of a tree; return its CPU seconds and what came of it."""
    done = subprocess.run(
        [sys.executable, "-c", GAME, str(seed), str(year)],
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(tree), "PYTHONHASHSEED": "0"},
    )
    spent, told = json.loads(done.stdout)
    return spent, told


def main() -> int:
    """Print both figures and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True, metavar="TREE")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--last-year", type=int, default=1910)
    options = parser.parse_args()
    old = new = 0.0
    for seed in range(1, options.games + 1):
        before, told = played(options.before.resolve(), seed, options.last_year)
        after, again = played(HERE, seed, options.last_year)
        if told != again:
            print(f"seed {seed}: the games differ")
            return 1
        old, new = old + before, new + after
        print(f"seed {seed}: {before:.2f} s before, {after:.2f} s now, the same game")
    print(f"{old / options.games:.2f} s before, {new / options.games:.2f} s now: {old / new:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
