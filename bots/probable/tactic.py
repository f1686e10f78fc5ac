"""A tactic by probabilities, after the idea of KissMyBot and Albert.

For every power there are guesses how likely it attacks, leaves or holds each province. In turn each
power's orders are worked out anew against what is known of the others, a dozen times, and mixed
into the guesses; orders are judged by the probability that they succeed, not by counting units. In
the end we play what is best against the guesses.
"""

from collections.abc import Iterable, Sequence
from math import inf
from time import monotonic

from attrs import evolve, frozen

from bots.bot_text import check_range
from bots.dumbbot.tactic import VARIANTS, DumbBot
from bots.kernel import Chances
from bots.probable.changes import Changes, changes_of
from bots.search.scene import Scene, SceneMaker
from bots.strategy import Tactic
from bots.view import GameView
from rules.kernel.codes import FALL, mover_of
from rules.orders import Order
from rules.turns import Phase

_DRAWS = 24
"""How many plans in DumbBot's manner the first guesses of each power come from."""
_PRIOR = 6
"""How many rounds the first guesses count for."""
_STARTS = 4
"""From how many of our own plans we look for the best orders in the end."""
_PASSES = 3
_SHARE = 0.6
"""Which part of the time a turn may take."""


@frozen(kw_only=True)
class Weights:
    """How much things count; a good place for a unit counts 1."""

    fall_center: float = 2.0
    spring_center: float = 0.5
    loss: float = 1.5
    prey: float = 0.5


class Probable(Tactic):
    """Plays the best answer to probabilities that all powers have settled on."""

    def __init__(self, *, rounds: int = 12, weights: Weights | None = None) -> None:
        check_range("rounds", rounds, 0, 1000)
        self._rounds = rounds
        self._weights = weights or Weights()
        self._scenes = SceneMaker()
        self._dumbbot = DumbBot("wide", program=evolve(VARIANTS["wide"], removes_by_chance=False))

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Settle the probabilities in movement turns; otherwise do as DumbBot does."""
        if view.phase is not Phase.MOVEMENT:
            return self._dumbbot.choose_orders(view)
        began = monotonic()
        limit = inf if view.seconds is None else view.seconds * _SHARE
        scene = Scene(view, self._scenes.playouts(view.board))
        guesses = Guesses(scene, self._weights)
        for number in range(self._rounds):
            if monotonic() - began > limit:
                break
            guesses.improve(number)
        return scene.orders(guesses.best(_STARTS))


class Guesses:
    """What all powers may do in one turn, as tables of the kernel."""

    def __init__(self, scene: Scene, weights: Weights) -> None:
        self._scene = scene
        self._state = scene.game.state
        self._chances = Chances(scene.game)
        is_fall = self._state.season == FALL
        self._center = weights.fall_center if is_fall else weights.spring_center
        self._chances.weigh(self._center, weights.loss, weights.prey)
        self._units = scene.units_by_power()
        self._living = [power for power, units in enumerate(self._units) if units]
        self._changes = {power: self._changes_of(power) for power in self._living}
        self._last: dict[int, list[int]] = {}
        """The orders that each power was given last."""
        for power in self._living:
            self._value(power)
        self._begin()

    def improve(self, number: int) -> None:
        """Let every power in turn find better orders against the others."""
        for power in self._living:
            self._chances.face(power)
            self._put(self._last[power])
            self._climb(power, 1)
            self._last[power] = self._chances.ordered()
            self._chances.blend(power, 1.0 / (number + 1 + _PRIOR))

    def best(self, starts: int) -> list[int]:
        """Return our best orders, looking from where we are and from some other plans."""
        power = self._scene.power
        if power not in self._last:
            return []
        self._chances.face(power)
        found: list[tuple[float, list[int]]] = []
        for start in range(starts + 1):
            if start:
                self._draw(power)
            else:
                self._put(self._last[power])
            worth = self._climb(power, _PASSES)
            found.append((worth, self._chances.ordered()))
        return max(found, key=lambda each: each[0])[1]

    def _changes_of(self, power: int) -> Changes:
        codec, beliefs = self._scene.codec, self._scene.view.beliefs
        province = self._state.tables.mover_province
        fixed = {province[mover_of(code)] for code in self._fixed()}
        closed = (
            {codec.province_index.get(each, -1) for each in beliefs.closed}
            if power == self._scene.power
            else set()
        )
        return changes_of(self._state, self._units[power], closed, fixed)

    def _fixed(self) -> Iterable[int]:
        return (*self._scene.promised, *self._scene.expected)

    def _value(self, power: int) -> None:
        """Say what every place is worth to a power, by what the best place near by is worth."""
        values = self._scene.game.values_of(power)
        tables, owner = self._state.tables, self._state.owner
        best = [self._best_near(values, unit) for unit in self._units[power]]
        scale = max(1.0, sum(best) / len(best))
        for mover, value in enumerate(values):
            gain = value / scale
            province = tables.mover_province[mover]
            if tables.is_center[province] and owner[province] != power:
                gain += self._center * self._wish(power, owner[province])
            self._chances.set_gain(power, mover, gain)

    def _best_near(self, values: Sequence[int], unit: int) -> int:
        tables, mover = self._state.tables, self._state.unit[unit]
        base = 0 if mover < tables.provinces else tables.provinces
        steps = tables.steps[tables.step_start[mover] : tables.step_start[mover + 1]]
        return max(values[mover], *(values[base + place] for place in steps), 0)

    def _wish(self, power: int, owner: int) -> float:
        """Return how gladly a power takes a center: friends spare each other."""
        ours, powers = self._scene.power, self._scene.codec.powers
        attitudes = self._scene.view.beliefs.attitudes
        if owner < 0 or ours not in (power, owner):
            return 1.0
        attitude = attitudes.get(powers[owner if power == ours else power], 1.0)
        return attitude if power == ours else min(1.0, attitude)

    def _begin(self) -> None:
        """Guess first that all play in DumbBot's manner."""
        self._chances.forget()
        for number in range(_DRAWS):
            for power in self._living:
                self._chances.face(power)
                self._draw(power)
                self._chances.blend(power, 1.0 / (number + 1))
                self._last[power] = self._chances.ordered()

    def _draw(self, power: int) -> None:
        self._chances.take_plan(power)
        self._put(self._fixed())

    def _put(self, codes: Iterable[int]) -> None:
        for code in codes:
            self._chances.put(code)

    def _climb(self, power: int, passes: int) -> float:
        changes = self._changes[power]
        return self._chances.climb(power, changes.starts, changes.units, changes.codes, passes)
