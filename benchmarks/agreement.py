"""Compare the resolvers on as many generated turns as wanted; exit 1 when they differ.

python -m benchmarks.agreement                         5,000 turns against the second resolver,
                                                       20,000 plain against compiled,
                                                       10,000 with ten variations each
python -m benchmarks.agreement --small 100000 --first 7000
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator

from rules.kernel import IS_COMPILED
from rules.maps import load_map
from tests.rules.agreement import BOARDS, Kernels, Shortcuts, dense_cases, disagreement, small_cases
from tests.rules.positions import Case

SHOWN = 5


def main() -> int:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--small", type=int, default=5_000, help="turns for the second resolver")
    parser.add_argument("--dense", type=int, default=20_000, help="turns for the two kernels")
    parser.add_argument("--first", type=int, default=0, help="the seed to begin with")
    parser.add_argument("--varied", type=int, default=10_000, help="turns for variations of plans")
    options = parser.parse_args()
    small = small_cases(options.small, first=options.first)
    found = compare("engine and second resolver", small, options.small, disagreement)
    shortcuts = {name: Shortcuts(load_map(name)) for name in BOARDS}
    found += compare(
        "variations and whole plans",
        dense_cases(options.varied, first=options.first),
        options.varied,
        lambda case: shortcuts[case.board.name].disagreement(case),
    )
    if IS_COMPILED:
        kernels = {name: Kernels(load_map(name)) for name in BOARDS}
        dense = dense_cases(options.dense, first=options.first)
        found += compare(
            "plain and compiled kernel",
            dense,
            options.dense,
            lambda case: kernels[case.board.name].disagreement(case),
        )
    else:
        print("the kernel is not compiled here: nothing to compare the plain one with")
    return 1 if found else 0


def compare(
    title: str, cases: Iterator[Case], count: int, judge: Callable[[Case], str | None]
) -> int:
    """Judge all cases, showing progress and the first disagreements; count those."""
    found = 0
    start = time.perf_counter()
    for number, case in enumerate(cases, start=1):
        if text := judge(case):
            found += 1
            if found <= SHOWN:
                print(f"\n{text}")
        if sys.stderr.isatty() and number % 100 == 0:
            print(f"\r{title}: {number} of {count}", end="\r", file=sys.stderr, flush=True)
    seconds = time.perf_counter() - start
    print(f"{title}: {found} of {count} turns differ ({seconds:.0f} s)")
    return found


if __name__ == "__main__":
    sys.exit(main())
