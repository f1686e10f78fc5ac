"""A tactic that foresees: it guesses what the others may order, and answers best.

The others are taken for DumbBots. What they may do is drawn a few times, and our orders are changed
one or two units at a time as long as that brings more on the average of these draws.
"""

from collections.abc import Collection, Iterable, Sequence
from math import inf
from time import monotonic

from attrs import evolve

from bots.bank.deals import Request
from bots.dumbbot import VARIANTS, DumbBot, best_first
from bots.dumbbot_moves import Planner
from bots.footings import Footings, footings_of
from bots.foresight.appraisal import Appraiser, Weighing
from bots.foresight.order_search import OrderSearch
from bots.foresight.scenarios import Scenarios
from bots.picking import CHANCES
from bots.strategy import Tactic
from bots.values import ValueMap
from bots.view import Beliefs, GameView
from rules.kernel.encode import codec_of
from rules.orders import Disband, MovementOrder, Order, Retreat
from rules.places import Power
from rules.position import Position
from rules.turns import Phase

_PROGRAM = VARIANTS["wide"]
_STARTS = 4
"""How many plans of DumbBot the search begins with."""
_SHARE = 0.4
"""Which part of the time a search may take: what is agreed in a turn makes another one."""


class Tactician(Tactic):
    """Plays the best answer to what the others are likely to do."""

    def __init__(self, *, scenarios: int = 10, weighing: Weighing | None = None) -> None:
        self._dumbbot = DumbBot("wide", program=evolve(_PROGRAM, removes_by_chance=False))
        self._scenarios = Scenarios(scenarios)
        self._weighing = weighing or Weighing()
        self._last: tuple[tuple[Position, Power, Beliefs], OrderSearch] | None = None

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Search in movement turns; otherwise do much as DumbBot does."""
        match view.phase:
            case Phase.MOVEMENT:
                return self._searched(view).orders()
            case Phase.RETREAT:
                return self._retreats(view)
            case Phase.ADJUSTMENT:
                return self._dumbbot.choose_orders(view)

    def worth(self, view: GameView) -> float:
        """Return what the orders that we would give now are likely to bring."""
        return self._searched(view).worth if view.phase is Phase.MOVEMENT else 0.0

    def loss_of(self, view: GameView, order: MovementOrder) -> float:
        """Return what it costs us if one of our units does this and not what we had in mind."""
        return self._searched(view).loss_of(order)

    def wanted_help(self, view: GameView, powers: Collection[Power]) -> list[Request]:
        """Return which supports of these powers would help us, each with its gain."""
        return self._searched(view).wanted_help(powers)

    def value_map(self, view: GameView) -> ValueMap:
        """Return what every footing is worth to us in this turn."""
        return self._dumbbot.value_map(view)

    def _searched(self, view: GameView) -> OrderSearch:
        """Return a finished search; what was found once in a turn is not searched again."""
        key = view.position, view.power, view.beliefs
        if self._last is None or self._last[0] != key:
            self._last = key, self._search(view)
        return self._last[1]

    def _search(self, view: GameView) -> OrderSearch:
        began = monotonic()
        footings = footings_of(view.board)
        codec = codec_of(view.board)
        values = self.value_map(view)
        appraiser = Appraiser(view, footings, values, self._weighing)
        search = OrderSearch(view, appraiser, self._scenarios.drawn(view))
        chance = CHANCES[_PROGRAM.valuation.arithmetic]
        starts = [Planner(footings, view, values, chance).plan() for _ in range(_STARTS)]
        limit = inf if view.seconds is None else view.seconds * _SHARE
        search.climb_from(
            [[codec.code(order) for order in plan] for plan in starts],
            is_late=lambda: monotonic() - began > limit,
        )
        return search

    def _retreats(self, view: GameView) -> list[Order]:
        footings = footings_of(view.board)
        values = self.value_map(view)
        orders: list[Order] = []
        taken = {
            footings.province_index[each]
            for each in view.beliefs.closed
            if each in footings.province_index
        }
        for out in view.dislodged:
            places = [footings.index(out.unit.kind, place) for place in out.retreats]
            place = _first_open(footings, best_first(places, values), taken)
            if place is None:
                orders.append(Disband(out.unit))
            else:
                taken.add(footings.province_of[place])
                orders.append(Retreat(out.unit, footings.locations[place]))
        return orders


def _first_open(
    footings: Footings, options: Iterable[tuple[int, int]], taken: set[int]
) -> int | None:
    return next((each for _, each in options if footings.province_of[each] not in taken), None)
