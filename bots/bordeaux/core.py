"""The strategic core: best moves for every power, by seven searches that poll each other.

It does not care which power it plays for. The units of each power are searched region by region;
each search takes what the others have found so far for granted, a few times round.
"""

from collections.abc import Callable, Iterable, Sequence

from bots.bordeaux.heights import Landscape
from bots.bordeaux.regions import regions_of
from bots.kernel import Foreseen
from bots.kernel.habits import BY_VALUES
from bots.probable.changes import Changes, changes_of
from bots.search.scene import Scene
from rules.kernel.codes import (
    mover_of,
)

_LOSS = 1.5
_PREY = 0.5
_HARM = 2.0
"""What a unit of ours, of theirs, and an enemy in a center of ours count."""
_NEVER = 10**6
_LEAST_GAIN = 1e-6
_DRAWS = 3
"""So many plans in DumbBot's manner are what the searches begin with."""


class StrategicCore:
    """The searches of one movement turn."""

    def __init__(self, scene: Scene, greed: Sequence[Sequence[float]], loss: float = _LOSS) -> None:
        self._scene = scene
        self._game = scene.game
        self._state = scene.game.state
        self._loss = loss
        self._powers = range(len(scene.codec.powers))
        self._units = scene.units_by_power()
        self._living = [power for power in self._powers if self._units[power]]
        landscape = Landscape(self._state, greed)
        self._places = {power: landscape.worths(power) for power in self._living}
        self._scale = {power: self._best_near(power) for power in self._living}
        self._changes = {power: self._regional_changes(power) for power in self._living}
        self._known: dict[int, list[dict[int, int]]] = {}
        """By power what it was found to order in the last rounds, by unit, the latest last."""
        self._best: list[int] = []
        self._foreseen: Foreseen | None = None

    def search(self, rounds: int, is_late: Callable[[], bool]) -> None:
        """Let all powers answer each other, and find our own best orders last."""
        self._draw()
        for _ in range(rounds):
            for power in self._living:
                if is_late():
                    break
                plan = self._answer(power, self._known[power][-1])
                self._known[power] = [*self._known[power][-_DRAWS:], plan]
        ours = self._scene.power
        if ours in self._known:
            for _ in range(1 if is_late() else 2):
                self._known[ours].append(self._answer(ours, self._known[ours][-1]))
            self._best = list(self._known[ours][-1].values())
            self._foreseen = self._foresee(ours)
            self._foreseen.attempt(self._best, _NEVER, 0.0, 0.0)

    def best(self) -> list[int]:
        """Return our orders."""
        return self._best

    def worth(self) -> float:
        """Return what our orders bring on the average of what the others may do."""
        if self._foreseen is None:
            return 0.0
        return self._foreseen.best_total() / self._count(self._scene.power)

    def value_if(self, order: int, ours: Iterable[int] = ()) -> float:
        """Return our worth if one more order is given: X supports Y, or one of ours is bound."""
        if self._foreseen is None:
            return 0.0
        by_unit = {self._unit_of(code): code for code in self._best}
        for code in ours:
            by_unit[self._unit_of(code)] = code
        if self._unit_of(order) in by_unit:
            by_unit[self._unit_of(order)] = order
        total = self._foreseen.total_with(list(by_unit.values()), order)
        return total / self._count(self._scene.power)

    # --- one search -------------------------------------------------------------------------------

    def _answer(self, power: int, start: dict[int, int]) -> dict[int, int]:
        """Return the best orders of a power against what is known of the others."""
        foreseen = self._foresee(power)
        plan = dict(start)
        foreseen.attempt(list(plan.values()), 0, 1.0, _LEAST_GAIN)
        for changes in self._changes[power]:
            for number in range(len(changes.starts) - 1):
                first, end = changes.starts[number], changes.starts[number + 1]
                tried = dict(plan)
                tried.update(zip(changes.units[first:end], changes.codes[first:end], strict=True))
                if tried != plan and foreseen.attempt(list(tried.values()), 0, 1.0, _LEAST_GAIN):
                    plan = tried
        return plan

    def _foresee(self, power: int) -> Foreseen:
        others = [other for other in self._living if other != power]
        count = self._count(power)
        scenarios = [
            [code for other in others for code in self._of_round(other, number).values()]
            for number in range(count)
        ]
        foreseen = Foreseen(self._state, scenarios)
        tables = self._state.tables
        places, scale = self._places[power], self._scale[power]
        foreseen.price(
            [places.get(mover, 0.0) / scale for mover in range(tables.movers)],
            [-_HARM if owner == power else 0.0 for owner in self._state.all_owners()],
            [_PREY] * tables.provinces,
            self._loss,
        )
        return foreseen

    def _of_round(self, other: int, number: int) -> dict[int, int]:
        """Return what a power was found to order lately, the latest first."""
        known = self._known[other]
        return known[len(known) - 1 - number % len(known)]

    def _count(self, power: int) -> int:
        others = [len(self._known[other]) for other in self._living if other != power]
        return max(others, default=1)

    # --- what orders are worth --------------------------------------------------------------------

    def _best_near(self, power: int) -> float:
        places, tables = self._places[power], self._state.tables
        best = []
        for unit in self._units[power]:
            mover = self._state.unit[unit]
            base = 0 if mover < tables.provinces else tables.provinces
            steps = tables.steps[tables.step_start[mover] : tables.step_start[mover + 1]]
            near = (base + place for place in steps)
            best.append(max(places.get(each, 0.0) for each in (mover, *near)))
        return max(0.01, sum(best) / len(best))

    # --- preparing --------------------------------------------------------------------------------

    def _regional_changes(self, power: int) -> list[Changes]:
        codec, beliefs = self._scene.codec, self._scene.view.beliefs
        fixed = {self._unit_of(code) for code in self._fixed()}
        closed: set[int] = set()
        if power == self._scene.power:
            closed = {codec.province_index.get(each, -1) for each in beliefs.closed}
        return [
            changes_of(self._state, region, closed, fixed)
            for region in regions_of(self._state, self._units[power])
        ]

    def _fixed(self) -> tuple[int, ...]:
        return (*self._scene.promised, *self._scene.expected)

    def _unit_of(self, code: int) -> int:
        return self._state.tables.mover_province[mover_of(code)]

    def _draw(self) -> None:
        """Begin with plans in DumbBot's manner; what is promised and expected is among them."""
        for power in self._powers:
            self._game.set_policy(power, BY_VALUES)
        self._known = {power: [] for power in self._living}
        for _ in range(_DRAWS):
            self._game.plan_all()
            for power in self._living:
                codes = self._game.planned(power)
                self._known[power].append({self._unit_of(code): code for code in codes})
