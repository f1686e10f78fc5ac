"""A long check of its own: games to the package `diplomacy` and back, judged by the package itself.

    python -m tests.exchange.round_trip_long [--games 1000] [--first 0] [--python PATH]

`--python` is an interpreter that has `diplomacy` installed, which is not one of our dependencies;
without it one is made for the time of the check. Our games (of RandomBots, DumbBots and BlabBots)
are exported, come back the same, and are read by the package and played again there: every phase
must lead to the same units, centers, retreats and results. Its own games, of random legal orders
with many supports and convoys, and press, are imported, and every difference is counted by reason.
Exit code 1 if there is a difference that no known reason explains. A thousand games are some 25
minutes of CPU time: `--first` is the seed of the first game, so that they can be played in parts,
and `--only ours` or `--only theirs` does one half.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from exchange.differences import DISRUPTED, HEAD_TO_HEAD, OWN_UNIT, REMOVALS, RETREATS
from exchange.from_diplomacy import Imported, imported
from exchange.to_diplomacy import saved_game
from tests.exchange.games import random_record

THEIR_CHECK = Path(__file__).with_name("their_check.py")
KNOWN = (OWN_UNIT, RETREATS, DISRUPTED, HEAD_TO_HEAD, REMOVALS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", help="an interpreter with the package (default: a new one)")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--only", choices=("ours", "theirs"), help="one half of it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        with their_python(folder, options.python) as python:
            seeds = range(options.first, options.first + options.games)
            ours, theirs = folder / "ours.jsonl", folder / "theirs.jsonl"
            there = options.only == "theirs" or ours_there(python, ours, seeds)
            here = options.only == "ours" or theirs_here(python, theirs, seeds)
    return 0 if there and here else 1


@contextmanager
def their_python(folder: Path, given: str | None) -> Iterator[str]:
    """Give an interpreter that has the package."""
    if given is None:
        tell("installing the package diplomacy in an environment of its own")
        subprocess.run([sys.executable, "-m", "venv", folder / "their"], check=True)
        given = str(folder / "their" / "bin" / "python")
        subprocess.run([given, "-m", "pip", "install", "--quiet", "diplomacy"], check=True)
    yield given


def ours_there(python: str, path: Path, seeds: range) -> bool:
    """Export games, and let the package play them again; say whether they came out the same."""
    with path.open("w") as out:
        for number, seed in enumerate(seeds):
            record = random_record(seed)
            saved = saved_game(record)
            assert imported(saved).record == record, f"game {seed} did not come back the same"
            out.write(json.dumps(saved) + "\n")
            progress("exported", number, len(seeds))
    print(f"{len(seeds)} games exported, and all came back the same record", flush=True)  # noqa: T201 - its result
    return not subprocess.run([python, THEIR_CHECK, "replay", path], check=False).returncode


def theirs_here(python: str, path: Path, seeds: range) -> bool:
    """Import games of the package; say whether every difference has a known reason."""
    span = (str(seeds.start), str(seeds.stop))
    subprocess.run([python, THEIR_CHECK, "make", path, *span], check=True)
    turns = messages = 0
    reasons: Counter[str] = Counter()
    with path.open() as lines:
        for number, line in enumerate(lines):
            saved = json.loads(line)
            found = imported(saved)
            assert messages_of(saved_game(found.record)) == messages_of(saved), f"game {number}"
            turns += len(found.record["turns"])
            messages += kept_messages(number, saved, found)
            for each in found.differences:
                reason = next((known for known in KNOWN if each.reason.startswith(known)), "")
                reasons[reason or f"not known: game {number}, {each}"] += 1
            progress("imported", number, len(seeds))
    total = sum(reasons.values())
    print(  # noqa: T201 - its result
        f"{len(seeds)} games imported, {turns} turns, {messages} messages: {total} turns different"
    )
    for reason, count in reasons.most_common():
        print(f"  {count}: {reason}")  # noqa: T201 - its result
    return not any(reason.startswith("not known") for reason in reasons)


def messages_of(saved: Mapping[str, list[Any]]) -> list[dict[str, object]]:
    """Return what was said, by whom, to whom and when."""
    return [message for phase in saved["phases"] for message in phase["messages"]]


def kept_messages(number: int, saved: Mapping[str, list[Any]], found: Imported) -> int:
    """Check that no message was lost, and return how many there are."""
    sent = len(messages_of(saved))
    assert sent == len(found.record["press"]), f"game {number}: {sent} messages"
    return sent


def progress(word: str, number: int, total: int) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{word} {number + 1} of {total}" + "\n" * (number + 1 == total))
    elif number % 100 == 99:
        tell(f"{word} {number + 1} of {total}")


def tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
