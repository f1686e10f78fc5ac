"""What the search says of deals: what our orders are worth, what a promise costs, whose help pays.

All worths are shares of the sum of squares, in units of a good place for a unit.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random
from typing import TypeAlias

from attrs import evolve

from bots.banker.deals import Request
from bots.search.budget import Patience
from bots.search.proposals import OrderSet
from bots.search.scene import Scene
from bots.searchbot.equilibrium import Answering, Equilibrium
from bots.searchbot.tactic import EquilibriumSearcher
from bots.strategy import Tactic
from bots.view import Beliefs, GameView
from rules.kernel.codes import (
    MOVE,
    MOVE_BY_CONVOY,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
    mover_of,
    other_of,
    target_of,
)
from rules.orders import MovementOrder, Order, Unit
from rules.places import Power
from rules.position import Position
from rules.turns import Phase

UNIT = 0.03
"""Which share of the sum of squares a good place for a unit is about worth."""
_Legal: TypeAlias = Callable[[int], Sequence[int]]
PART = 0.25
"""How much of a turn's thinking one question may take."""


class Advice:
    """One search, ready to be asked."""

    def __init__(self, scene: Scene, equilibrium: Equilibrium, answering: Answering) -> None:
        self._scene = scene
        self._subgame = equilibrium.subgame
        self._answering = answering
        self._best = answering.ranked[0]
        self._index = {mover_of(code): at for at, code in enumerate(self._best.orders)}

    @property
    def worth(self) -> float:
        """What our best orders are worth."""
        return self._best.mean / UNIT

    def loss_of(self, order: MovementOrder) -> float:
        """Return how much less we have if one of our units does this instead."""
        code = self._scene.codec.code(order)
        if mover_of(code) not in self._index:
            return 0.0
        return (self._best.mean - self._answering.mean_of(self._with(code))) / UNIT

    def wanted_help(self, powers: Collection[Power]) -> list[Request]:
        """Return the supports by units of these powers that bring us something."""
        found = []
        codec = self._scene.codec
        units = {unit.location.province: unit for unit in self._scene.view.position.units}
        for unit, support, ours in self._supports(powers):
            self._subgame.count_on(support)
            gain = (self._answering.mean_of(self._with(ours)) - self._best.mean) / UNIT
            self._subgame.count_on(-1)
            if gain > 0:
                asked = codec.order(support, unit.power, units)
                found.append(Request(asked, codec.order(ours, self._scene.view.power, units), gain))
        return found

    def _supports(self, powers: Collection[Power]) -> Iterator[tuple[Unit, int, int]]:
        """Give supports for our units, each with our order that it is for."""
        state = self._scene.codec.load(self._scene.view.position, self._scene.codec.new_simulator())
        fixed = {mover_of(code) for code in self._scene.promised}
        for unit in self._scene.view.position.units:
            if unit.power not in powers:
                continue
            for support in state.legal(self._scene.codec.province_index[unit.location.province]):
                mover = other_of(support)
                if kind_of(support) not in (SUPPORT_HOLD, SUPPORT_MOVE) or mover not in self._index:
                    continue
                current = self._best.orders[self._index[mover]]
                ours = self._supported(state.legal, current, support, is_free=mover not in fixed)
                if ours is not None:
                    yield unit, support, ours

    def _supported(self, legal: _Legal, current: int, support: int, *, is_free: bool) -> int | None:
        """Return the order of ours that a support is for, None if there is none."""
        moves = kind_of(current) in (MOVE, MOVE_BY_CONVOY)
        if kind_of(support) == SUPPORT_HOLD:
            return None if moves else current
        tables = self._scene.codec.tables
        goal = target_of(support)
        if moves and tables.province_of[target_of(current)] == goal:
            return current
        closed = {
            self._scene.codec.province_index.get(each) for each in self._scene.view.beliefs.closed
        }
        if not is_free or goal in closed:
            return None
        options = legal(tables.mover_province[mover_of(current)])
        return next(
            (
                code
                for code in options
                if kind_of(code) == MOVE and tables.province_of[target_of(code)] == goal
            ),
            None,
        )

    def _with(self, code: int) -> OrderSet:
        orders = list(self._best.orders)
        orders[self._index[mover_of(code)]] = code
        return tuple(orders)


class Counsel(Tactic):
    """SearchBot that can also be asked; questions have a search of their own."""

    def __init__(
        self, player: EquilibriumSearcher, adviser: EquilibriumSearcher, patience: Patience
    ) -> None:
        self._player = player
        self._adviser = adviser
        self._patience = patience
        self.version = player.version
        self._last: tuple[tuple[Position, Power, Beliefs], Advice] | None = None

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Search as SearchBot does."""
        return self._player.choose_orders(view)

    def worth(self, view: GameView) -> float:
        """Return what the orders that we would give now are worth."""
        return self._advice(view).worth if view.phase is Phase.MOVEMENT and view.units else 0.0

    def loss_of(self, view: GameView, order: MovementOrder) -> float:
        """Return what it costs us if one of our units does this and not what we had in mind."""
        return self._advice(view).loss_of(order)

    def wanted_help(self, view: GameView, powers: Collection[Power]) -> list[Request]:
        """Return which supports of these powers would help us, each with its gain."""
        return self._advice(view).wanted_help(powers) if view.units else []

    def projected(self, view: GameView) -> float:
        """Return the share of the sum of squares that the value expects for us."""
        # The adviser's search may still be asked in this turn.
        return self._player.projected(view)

    def _advice(self, view: GameView) -> Advice:
        """Return a finished search; what was asked once in a turn is not searched again."""
        key = view.position, view.power, view.beliefs
        if self._last is None or self._last[0] != key:
            self._last = key, self._search(view)
        return self._last[1]

    def _search(self, view: GameView) -> Advice:
        # Chances of its own, so that questions change nothing about the orders.
        seeded = evolve(view, random=Random(f"{view.turn} {view.power}"))  # noqa: S311 - for play
        budget = self._patience.start(view.seconds, part=PART)
        scene, equilibrium = self._adviser.explore(seeded, budget)
        return Advice(scene, equilibrium, equilibrium.answer(budget))
