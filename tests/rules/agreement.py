"""Put the engine beside the second resolver, and the plain kernel beside the compiled one."""

from collections.abc import Iterator
from itertools import accumulate
from random import Random
from typing import Any

from rules.adjudicate import adjudicate
from rules.board import Board
from rules.kernel import Simulator, Variations
from rules.kernel.codes import mover_of
from rules.kernel.encode import codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.kernel.variations import Variations as PlainVariations
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


class Shortcuts:
    """Variations of one plan beside whole adjudications, for one board.

    Half of the plan is disturbed at random and each candidate mends or disturbs some of it, so that
    circles, convoys and paradoxes come into being and pass away from one variation to the next.
    """

    def __init__(self, board: Board) -> None:
        self.codec = codec_of(board)
        self.plain = board.name == "lagoon"
        kernel = PlainSimulator if self.plain else Simulator
        self.judge, self.whole, self.after = (kernel(self.codec.tables) for _ in range(3))
        self.variations = (PlainVariations if self.plain else Variations)(self.judge)

    def disagreement(self, case: Case) -> str | None:
        """Say where the two differ: in the outcome of an order, or in the position afterwards."""
        good = [self.codec.code(order) for order in case.orders]
        random = Random(sum(good))
        lists = self.codec.load(case.position, self.whole).legal_all()
        plan = [self.disturbed(code, lists, random, 0.4) for code in good]
        candidates = [
            random.sample(found, random.randint(0, len(found)))
            for found in ([self.disturbed(code, lists, random, 0.15) for code in good],) * 6
        ]
        candidates += [plan, good, [], [*good, *reversed(plan)]]
        flat = [code for found in candidates for code in found]
        ends = list(accumulate(map(len, candidates), initial=0))
        self.codec.load(case.position, self.judge)
        self.variations.take(flat, ends)
        self.variations.choose([6])
        rows = bytearray(len(candidates) * self.judge.provinces)
        self.variations.judge_all(rows)
        for number, candidate in enumerate(candidates):
            row = rows[number * self.judge.provinces :][: self.judge.provinces]
            if text := self.difference(case, [*plan, *candidate], row, number):
                return f"{case}\ncandidate {number}: {text}"
        return None

    def difference(self, case: Case, orders: list[int], row: bytearray, number: int) -> str | None:
        """Say where one variation differs from the same orders judged as a whole."""
        self.codec.load(case.position, self.whole)
        self.whole.judge_all(orders)
        for unit in case.position.units:
            place = self.codec.tables.mover_province[self.codec.mover(unit)]
            given = row[place]
            wanted = (
                self.whole.result[place]
                | self.whole.is_dislodged[place] << 3
                | self.whole.note[place] << 4
            )
            if given != wanted:
                return f"{name_of(unit)} has {given:#x}, not {wanted:#x}"
        self.codec.load(case.position, self.whole).step(orders)
        self.variations.vary(number)
        self.variations.lay(self.after)
        given_after, wanted_after = (self.codec.position(it) for it in (self.after, self.whole))
        return None if given_after == wanted_after else f"{given_after}, not {wanted_after}"

    @staticmethod
    def disturbed(code: int, lists: list[list[int]], random: Random, chance: float) -> int:
        """Now and then return another order for the same unit, at times not a legal one."""
        if random.random() > chance:
            return code
        if random.random() < 0.1:
            return code ^ 1 << random.randrange(14, 30)
        mine = next(found for found in lists if mover_of(found[0]) == mover_of(code))
        return random.choice(mine)


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
