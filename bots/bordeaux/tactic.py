"""The tactic of the Bordeaux Diplomat: what its strategic core finds best.

After Loeb and Hall's program of about 1990: iterated best responses of seven searches on a
partitioned map, spheres of influence, and what the orders of the others tell about them.
"""

from collections.abc import Callable, Collection, Sequence
from math import inf
from time import monotonic

from bots.banker.deals import Request
from bots.bordeaux.core import StrategicCore
from bots.bordeaux.heights import Landscape
from bots.bordeaux.observation import Observer
from bots.bordeaux.winter import best_builds, best_retreats, worst_units
from bots.bot_text import check_range
from bots.character import BALANCED, Character
from bots.search.scene import Scene, SceneMaker
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
from rules.orders import MovementOrder, Order
from rules.places import Power
from rules.position import Position
from rules.turns import Phase

_MOVES = (MOVE, MOVE_BY_CONVOY)
_SHARE = 0.4
"""Which part of the time a search may take: what is agreed in a turn makes another one."""
_LIKING = 0.15
"""How much less a power wants, for each unit of friendliness, of what another one has."""


class Bordeaux(Tactic):
    """Plays what seven searches that answer each other settle on."""

    def __init__(self, *, rounds: int = 3, character: Character = BALANCED) -> None:
        check_range("rounds", rounds, 0, 100)
        self.observer = Observer()
        self._rounds = rounds
        self._character = character
        self._scenes = SceneMaker()
        self._last: tuple[tuple[Position, Power, Beliefs], Scene, StrategicCore] | None = None

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        """Search, whatever the phase."""
        self.observer.note(view)
        if view.phase is Phase.MOVEMENT:
            scene, core = self._searched(view)
            return scene.orders(core.best())
        scene = Scene(view, self._scenes.playouts(view.board))
        self._last = None
        power = scene.power
        places = Landscape(scene.game.state, self._greed(scene)).worths(power)
        if view.phase is Phase.RETREAT:
            return best_retreats(scene, places)
        return worst_units(scene, places) if view.adjustment < 0 else best_builds(scene, places)

    def worth(self, view: GameView) -> float:
        """Return what the orders that we would give now are likely to bring."""
        return self._searched(view)[1].worth() if view.phase is Phase.MOVEMENT else 0.0

    def loss_of(self, view: GameView, order: MovementOrder) -> float:
        """Return what it costs us if one of our units does this and not what we had in mind."""
        scene, core = self._searched(view)
        return core.worth() - core.value_if(scene.codec.code(order))

    def wanted_help(self, view: GameView, powers: Collection[Power]) -> list[Request]:
        """Return which supports of these powers would help us, each with its gain."""
        scene, core = self._searched(view)
        ours = {mover_of(code): code for code in core.best()}
        state, codec = scene.game.state, scene.codec
        found = []
        for unit in view.position.units:
            if unit.power not in powers:
                continue
            for code in state.legal(codec.province_index[unit.location.province]):
                helped = self._helped(scene, code, ours)
                if helped is None:
                    continue
                gain = core.value_if(code, [helped]) - core.worth()
                if gain > 0:
                    units = {each.location.province: each for each in view.position.units}
                    order = codec.order(code, unit.power, units)
                    found.append(Request(order, codec.order(helped, view.power, units), gain))
        return found

    def _helped(self, scene: Scene, code: int, ours: dict[int, int]) -> int | None:
        """Return the order of ours that a support is for, None if it is for none."""
        kind, other = kind_of(code), other_of(code)
        if kind not in (SUPPORT_HOLD, SUPPORT_MOVE) or other not in ours:
            return None
        tables = scene.game.state.tables
        place = tables.mover_province[other]
        for option in scene.game.state.legal(place):
            if kind == SUPPORT_HOLD:
                return None if kind_of(ours[other]) in _MOVES else ours[other]
            is_move = kind_of(option) == MOVE
            if is_move and tables.province_of[target_of(option)] == target_of(code):
                return None if other in map(mover_of, scene.promised) else option
        return None

    def _searched(self, view: GameView) -> tuple[Scene, StrategicCore]:
        key = view.position, view.power, view.beliefs
        if self._last is None or self._last[0] != key:
            began = monotonic()
            limit = inf if view.seconds is None else view.seconds * _SHARE
            scene = Scene(view, self._scenes.playouts(view.board))
            core = StrategicCore(scene, self._greed(scene), 3.0 * (1.0 - self._character.risk))
            core.search(self._rounds, _clock(began, limit))
            self._last = key, scene, core
        return self._last[1:]

    def _greed(self, scene: Scene) -> list[list[float]]:
        """Return how gladly each power takes what each other one has: less of who it likes."""
        powers, attitudes = scene.codec.powers, scene.view.beliefs.attitudes
        greed = []
        for power in powers:
            row = []
            for other in powers:
                liking = _LIKING * self.observer.friendliness(power, other)
                wish = min(2.0, max(0.3, 1.0 - liking))
                if power == scene.view.power:
                    wish *= attitudes.get(other, 1.0) * (0.5 + self._character.aggression)
                elif other == scene.view.power:
                    wish *= min(1.0, attitudes.get(power, 1.0))
                row.append(wish)
            greed.append(row)
        return greed


def _clock(began: float, limit: float) -> Callable[[], bool]:
    return lambda: monotonic() - began > limit
