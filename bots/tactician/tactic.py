"""A tactic that foresees: it guesses what the others may order, and answers best.

The others are taken for DumbBots. What they may do is drawn a few times, and our orders are changed
one or two units at a time as long as that brings more on the average of these draws.
"""

from collections.abc import Collection, Iterable, Sequence
from math import inf
from time import monotonic

from attrs import evolve

from bots.banker.deals import Request
from bots.bot_text import check_range
from bots.dumbbot.moves import MovePlanner
from bots.dumbbot.tactic import VARIANTS, DumbBot, best_first
from bots.dumbbot.value_maps import ValueMap
from bots.dumbbot.weighted_choice import CHANCES
from bots.strategy import Tactic
from bots.tactician.appraisal import Appraiser, Weighing
from bots.tactician.order_search import OrderSearch
from bots.tactician.scenarios import Scenarios
from bots.unit_places import UnitPlaces, unit_places_of
from bots.view import Beliefs, GameView
from rules.kernel import Simulator
from rules.kernel.encode import codec_of
from rules.orders import Disband, MovementOrder, Order, Retreat
from rules.places import Power
from rules.position import Position
from rules.turns import Phase

_PROGRAM = VARIANTS["wide"]
MOST_SCENARIOS = 10_000
_STARTS = 4
"""How many plans of DumbBot the search begins with."""
_SHARE = 0.4
"""Which part of the time a search may take: what is agreed in a turn makes another one."""


class Tactician(Tactic):
    """Plays the best answer to what the others are likely to do."""

    def __init__(self, *, scenarios: int = 10, weighing: Weighing | None = None) -> None:
        check_range("scenarios", scenarios, 1, MOST_SCENARIOS)
        self._dumbbot = DumbBot("wide", program=evolve(_PROGRAM, removes_by_chance=False))
        self._scenarios = Scenarios(scenarios)
        self._weighing = weighing or Weighing()
        self._state: Simulator | None = None
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
        """Return what every unit place is worth to us in this turn."""
        return self._dumbbot.value_map(view)

    def _searched(self, view: GameView) -> OrderSearch:
        """Return a finished search; what was found once in a turn is not searched again."""
        key = view.position, view.power, view.beliefs
        if self._last is None or self._last[0] != key:
            self._last = key, self._search(view)
        return self._last[1]

    def _search(self, view: GameView) -> OrderSearch:
        began = monotonic()
        unit_places = unit_places_of(view.board)
        values = self.value_map(view)
        appraiser = Appraiser(view, unit_places, values, self._weighing)
        search = OrderSearch(view, appraiser, self._scenarios.drawn(view), self._simulator(view))
        chance = CHANCES[_PROGRAM.valuation.arithmetic]
        planner = MovePlanner(unit_places, view, values, chance)
        starts = planner.planned_codes(_STARTS)
        limit = inf if view.seconds is None else view.seconds * _SHARE
        search.climb_from(
            starts,
            is_late=lambda: monotonic() - began > limit,
        )
        return search

    def _simulator(self, view: GameView) -> Simulator:
        """Return the one simulator of our searches: only the last search is ever asked again."""
        if self._state is None or self._state.tables is not codec_of(view.board).tables:
            self._state = codec_of(view.board).new_simulator()
        return self._state

    def _retreats(self, view: GameView) -> list[Order]:
        unit_places = unit_places_of(view.board)
        values = self.value_map(view)
        orders: list[Order] = []
        taken = {
            unit_places.province_index[each]
            for each in view.beliefs.closed
            if each in unit_places.province_index
        }
        for out in view.dislodged:
            places = [unit_places.index(out.unit.kind, place) for place in out.retreats]
            place = _first_open(unit_places, best_first(places, values), taken)
            if place is None:
                orders.append(Disband(out.unit))
            else:
                taken.add(unit_places.province_of[place])
                orders.append(Retreat(out.unit, unit_places.locations[place]))
        return orders


def _first_open(
    unit_places: UnitPlaces, options: Iterable[tuple[int, int]], taken: set[int]
) -> int | None:
    return next((each for _, each in options if unit_places.province_of[each] not in taken), None)
