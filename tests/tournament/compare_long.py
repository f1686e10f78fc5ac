"""A long check of its own: equal bots compared again and again.

    python -m tests.tournament.compare_long [REPEATS [REAL]]

REPEATS (1000) comparisons on drawn scores, and REAL (0) of DumbBot with its twin, which is as
strong but has other luck, in real games on the small map, of at most 105 pairs.
"""

import sys
from collections.abc import Iterable
from random import Random

from rules.variants import load_board
from tests.tournament.equal_bots import finds_a_difference
from tests.tournament.playing import in_mode
from tournament.compare import Comparison, compare
from tournament.play_job import play_game
from tournament.pool import OnResult
from tournament.schedule import GameJob
from tournament.spec import Rules

POWERS = tuple(power.name for power in load_board("lagoon").powers)


class Here:
    """Plays games in this process, one after the other."""

    def play(self, jobs: Iterable[GameJob], on_result: OnResult) -> None:
        for job in jobs:
            on_result(play_game(in_mode(job, "in-process")))

    def close(self) -> None:
        """End nothing."""


def is_told_apart_from_its_twin(seed: int) -> bool:
    """Compare two bots that are equal, in real games."""
    comparison = Comparison(
        first="dumbbot",
        second="tests.tournament.equal_bots:Twin",
        against=("dumbbot",),
        powers=POWERS,
        rules=Rules(press_level=0, last_year=1904),
        variant="lagoon",
        seed=seed,
        most_pairs=105,
    )
    return compare(comparison, Here()).word != "no difference"


def main(repeats: int = 1000, real: int = 0) -> int:
    wrong = 0
    for number in range(repeats):
        wrong += finds_a_difference(Random(number))
        if number % 100 == 99:
            sys.stderr.write(f"{number + 1} comparisons: {wrong} found a difference\n")
    sys.stdout.write(f"{wrong} of {repeats} comparisons of equal bots found a difference\n")
    found = 0
    for seed in range(1, real + 1):
        found += is_told_apart_from_its_twin(seed)
        sys.stderr.write(f"{seed} real comparisons: {found} found a difference\n")
    if real:
        sys.stdout.write(f"{found} of {real} comparisons in real games found a difference\n")
    return 0 if wrong <= 0.05 * repeats and found <= max(1, 0.05 * real) else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
