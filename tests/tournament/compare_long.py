"""A long check of its own: equal bots compared again and again."""

import sys
from random import Random

from tests.tournament.equal_bots import finds_a_difference


def main(repeats: int = 1000) -> int:
    wrong = 0
    for number in range(repeats):
        wrong += finds_a_difference(Random(number))
        if number % 100 == 99:
            sys.stderr.write(f"{number + 1} comparisons: {wrong} found a difference\n")
    sys.stdout.write(f"{wrong} of {repeats} comparisons of equal bots found a difference\n")
    return 0 if wrong <= 0.05 * repeats else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
