"""Put the engine beside the second resolver, and the plain kernel beside the compiled one."""

from collections.abc import Iterator
from typing import Any

from rules.adjudicate import adjudicate
from rules.board import Board
from rules.kernel import Simulator
from rules.kernel.encode import codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.maps import load_map
from rules.orders import Waive
from rules.resolution import Resolution
from tests.rules.oracle import resolve
from tests.rules.positions import Case, generate, name_of

BOARDS = ("lagoon", "fourwinds", "standard")
SMALL = 10  # units; the second resolver tries every combination of moves
DENSE = 30


def small_cases(count: int, *, first: int = 0) -> Iterator[Case]:
    """Yield turns that the second resolver can judge, on all boards in turn."""
    for seed in range(first, first + count):
        yield generate(load_map(BOARDS[seed % len(BOARDS)]), seed, most_units=SMALL)


def dense_cases(count: int, *, first: int = 0) -> Iterator[Case]:
    """Yield crowded turns, mostly on the standard map."""
    for seed in range(first, first + count):
        name = BOARDS[seed % len(BOARDS)] if seed % 2 else "standard"
        yield generate(load_map(name), seed, most_units=DENSE)


def disagreement(case: Case) -> str | None:
    """Say where engine and second resolver differ, if they do."""
    verdict = resolve(case.board, case.orders)
    resolution = adjudicate(case.board, case.position, list(case.orders))
    wanted: dict[str, Any] = {
        "results": {unit: (r, unit in verdict.dislodged) for unit, r in verdict.results.items()},
        "dislodged": {
            unit: (*attack, verdict.retreats[unit]) for unit, attack in verdict.dislodged.items()
        },
        "contested": set(verdict.contested),
    }
    given = facts(resolution)
    if given == wanted:
        return None
    return (
        f"{case}\nsecond resolver: {differing(wanted, given)}\nengine: {differing(given, wanted)}"
    )


def differing(mine: dict[str, Any], theirs: dict[str, Any]) -> str:
    """Write down what one side says and the other does not."""
    lines = [f"contested {', '.join(sorted(map(str, mine['contested'])))}"]
    lines += [
        f"{name_of(unit)} {mine[part].get(unit)}"
        for unit in mine["results"]
        for part in ("results", "dislodged")
        if mine[part].get(unit) != theirs[part].get(unit)
    ]
    return "; ".join(lines)


class Kernels:
    """The plain and the compiled kernel for one board."""

    def __init__(self, board: Board) -> None:
        self.codec = codec_of(board)
        self.kernels = PlainSimulator(self.codec.tables), Simulator(self.codec.tables)

    def disagreement(self, case: Case) -> str | None:
        """Say where the two differ: in the outcome of an order, or in the position afterwards."""
        codes = [self.codec.code(order) for order in case.orders]
        outcomes, positions = [], []
        for kernel in self.kernels:
            outcomes.append(self.codec.load(case.position, kernel).judge_all(codes))
            self.codec.load(case.position, kernel).step(codes)
            positions.append(self.codec.position(kernel))
        if outcomes[0] == outcomes[1] and positions[0] == positions[1]:
            return None
        return f"{case}\nplain: {outcomes[0].hex(' ')}\ncompiled: {outcomes[1].hex(' ')}"


def facts(resolution: Resolution) -> dict[str, Any]:
    """Return what a resolution says, in a form that compares."""
    return {
        "results": {
            report.order.unit: (report.result, report.dislodged)
            for report in resolution.reports
            if not isinstance(report.order, Waive)
        },
        "dislodged": {
            out.unit: (out.attacker_from, out.attacker_convoyed, frozenset(out.retreats))
            for out in resolution.dislodgements
        },
        "contested": set(resolution.contested),
    }
