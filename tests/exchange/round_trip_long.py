"""A long check of its own: games to the package `diplomacy` and back, judged by the package itself.

    python -m tests.exchange.round_trip_long --python PATH --games 1000

`--python` is an interpreter that has `diplomacy` installed; it is not one of our dependencies. Our
games (of RandomBots and DumbBots) are exported, read by the package and played again there: every
phase must lead to the same units, centers and retreats. Its own games, of random legal orders with
convoys, are imported, and every difference is listed with its reason.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from exchange.from_diplomacy import imported
from exchange.to_diplomacy import saved_game
from tests.exchange.games import random_record

THEIR_CHECK = Path(__file__).with_name("their_check.py")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True)
    parser.add_argument("--games", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours.jsonl", Path(folder) / "theirs.jsonl"
        with ours.open("w") as out:
            for seed in range(options.games):
                record = random_record(seed)
                saved = saved_game(record)
                assert imported(saved).record == record, f"game {seed} did not come back the same"
                out.write(json.dumps(saved) + "\n")
                progress("exported", seed, options.games)
        done = subprocess.run(
            [options.python, str(THEIR_CHECK), str(ours), str(theirs), str(options.games)],
            check=False,
        )
        reasons: Counter[str] = Counter()
        turns = 0
        for number, line in enumerate(theirs.read_text().splitlines()):
            found = imported(json.loads(line))
            turns += len(found.record["turns"])
            reasons.update(each.reason for each in found.differences)
            for each in found.differences[:1]:
                print(f"\n{each}")  # noqa: T201
            progress("imported", number, options.games)
    print(  # noqa: T201
        f"\n{options.games} games imported, {turns} turns; differences: {dict(reasons) or 'none'}"
    )
    return done.returncode


def progress(word: str, number: int, total: int) -> None:
    if sys.stderr.isatty() or number % 100 == 99:
        sys.stderr.write(
            f"\r{word} {number + 1} of {total}" + ("" if sys.stderr.isatty() else "\n")
        )


if __name__ == "__main__":
    sys.exit(main())
