"""What the other powers may order: draws of DumbBot's plans, as codes of the kernel."""

from collections.abc import Sequence
from random import Random

from attrs import evolve

from bots.dumbbot.moves import MovePlanner
from bots.dumbbot.tactic import VARIANTS
from bots.dumbbot.value_maps import value_map
from bots.dumbbot.weighted_choice import CHANCES
from bots.unit_places import unit_places_of
from bots.view import NEUTRAL_BELIEFS, GameView
from rules.kernel.codes import mover_of
from rules.kernel.encode import codec_of
from rules.orders import Waive
from rules.places import Power
from rules.position import Position

_PROGRAM = VARIANTS["classic"]


class Scenarios:
    """Draws what the others may do; the draws of a turn are kept as long as they fit."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._position: Position | None = None
        self._power: Power | None = None
        self._seed = 0.0
        self._plans: dict[tuple[Power, float], list[list[int]]] = {}

    def drawn(self, view: GameView) -> list[list[int]]:
        """Return some sets of orders of all other powers, with the expected orders in each."""
        if (self._position, self._power) != (view.position, view.power):
            self._position, self._power = view.position, view.power
            self._plans.clear()
            self._seed = view.random.random()
        codec = codec_of(view.board)
        expected = [
            codec.code(order) for order in view.beliefs.expected if not isinstance(order, Waive)
        ]
        plans = [self._plans_of(view, power) for power in view.survivors if power != view.power]
        return [
            _replaced([code for plan in plans for code in plan[number]], expected)
            for number in range(self._count)
        ]

    def _plans_of(self, view: GameView, power: Power) -> list[list[int]]:
        # Who is a friend to us wants as little of ours as we want of its own.
        greed = min(1.0, view.beliefs.attitudes.get(power, 1.0))
        key = power, greed
        if key not in self._plans:
            self._plans[key] = self._draw(view, power, greed)
        return self._plans[key]

    def _draw(self, view: GameView, power: Power, greed: float) -> list[list[int]]:
        unit_places = unit_places_of(view.board)
        attitudes = {view.power: greed} if greed < 1 else {}
        values = value_map(unit_places, view.position, power, _PROGRAM.valuation, attitudes)
        # Of its own seed, so that a plan does not depend on who was guessed before.
        random = Random(f"{self._seed} {power}")  # noqa: S311 - for play
        theirs = evolve(view, power=power, beliefs=NEUTRAL_BELIEFS, random=random)
        planner = MovePlanner(unit_places, theirs, values, CHANCES[_PROGRAM.valuation.arithmetic])
        return planner.planned_codes(self._count, goes_on=False)


def _replaced(codes: Sequence[int], expected: Sequence[int]) -> list[int]:
    """Let units do what is expected of them."""
    by_mover = {mover_of(code): code for code in (*codes, *expected)}
    return list(by_mover.values())
