"""A long check of its own: games to the package `diplomacy` and back, judged by the package itself.

    python -m tests.exchange.round_trip_long [--games 1000] [--python PATH]

`--python` is an interpreter that has `diplomacy` installed, which is not one of our dependencies;
without it one is made for the time of the check. Our games (of RandomBots, DumbBots and BlabBots)
are exported, come back the same, and are read by the package and played again there: every phase
must lead to the same units, centers, retreats and results. Its own games, of random legal orders
with many supports and convoys, and press, are imported, and every difference is counted by reason.
Exit code 1 if there is a difference that no known reason explains.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        with their_python(folder, options.python) as python:
            there = ours_there(python, folder / "ours.jsonl", options.games)
            here = theirs_here(python, folder / "theirs.jsonl", options.games)
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


def ours_there(python: str, path: Path, games: int) -> bool:
    """Export games, and let the package play them again; say whether they came out the same."""
    with path.open("w") as out:
        for seed in range(games):
            record = random_record(seed)
            saved = saved_game(record)
            assert imported(saved).record == record, f"game {seed} did not come back the same"
            out.write(json.dumps(saved) + "\n")
            progress("exported", seed, games)
    print(f"{games} games exported, and all came back the same record", flush=True)  # noqa: T201
    return not subprocess.run([python, THEIR_CHECK, "replay", path], check=False).returncode


def theirs_here(python: str, path: Path, games: int) -> bool:
    """Import games of the package; say whether every difference has a known reason."""
    subprocess.run([python, THEIR_CHECK, "make", path, str(games)], check=True)
    turns = messages = 0
    reasons: Counter[str] = Counter()
    with path.open() as lines:
        for number, line in enumerate(lines):
            saved = json.loads(line)
            found = imported(saved)
            turns += len(found.record["turns"])
            messages += kept_messages(number, saved, found)
            for each in found.differences:
                reason = next((known for known in KNOWN if each.reason.startswith(known)), "")
                reasons[reason or f"not known: game {number}, {each}"] += 1
            progress("imported", number, games)
    total = sum(reasons.values())
    print(  # noqa: T201
        f"{games} games imported, {turns} turns, {messages} messages: {total} turns different"
    )
    for reason, count in reasons.most_common():
        print(f"  {count}: {reason}")  # noqa: T201
    return not any(reason.startswith("not known") for reason in reasons)


def kept_messages(
    number: int, saved: dict[str, list[dict[str, list[object]]]], found: Imported
) -> int:
    """Check that no message was lost, and return how many there are."""
    sent = sum(len(phase["messages"]) for phase in saved["phases"])
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
