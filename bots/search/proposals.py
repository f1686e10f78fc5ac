"""Order sets that are worth a try: drawn from DumbBot's planning, and variations of a good one."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from bots.kernel import Playouts
from bots.kernel.habits import DUMBBOT
from bots.search.scene import Scene
from rules.kernel.codes import (
    CONVOY,
    HOLD,
    KIND_BITS,
    MOVE,
    MOVE_BY_CONVOY,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
    mover_of,
    other_of,
    pack,
    path_of,
    target_of,
)

OrderSet = tuple[int, ...]
"""The codes of all units of one power, by province."""

SPREADS = ((500, 5000), (500, 1500), (700, 400))
"""How far planning strays from the best place: as DumbBot does, wider, nearly at random."""
NARROW, WIDE, _ = SPREADS


def draw(
    game: Playouts, power: int, draws: int, spreads: Sequence[tuple[int, int]]
) -> Counter[OrderSet]:
    """Draw plans of a power, equally many with each spread, and count how often each came.

    The values must be those of the position.
    """
    found: Counter[OrderSet] = Counter()
    for spread in spreads:
        game.set_chance(power, *spread)
        for _ in range(draws // len(spreads)):
            found[tuple(game.sample(power))] += 1
    game.set_chance(power, *NARROW)
    return found


class Variations:
    """Changes an order set a little: one unit does something else, its neighbours adapt.

    It is one of ours, or of the power that is named.
    """

    def __init__(self, scene: Scene, power: int | None = None) -> None:
        self._game = scene.game
        self._power = scene.power if power is None else power
        self._random: Random = scene.view.random
        self._kept = (*scene.promised, *scene.expected)
        self._tables = scene.codec.tables
        self._closed = {
            scene.codec.province_index[province]
            for province in scene.view.beliefs.closed
            if province in scene.codec.province_index and self._power == scene.power
        }
        game = scene.game
        promised = {mover_of(code) for code in self._kept}
        self._own = {
            place: game.state.unit[place]
            for place in range(game.provinces)
            if game.state.unit[place] >= 0 and game.state.power[place] == self._power
        }
        self._movers = {mover: place for place, mover in self._own.items()}
        self._places = [place for place, mover in self._own.items() if mover not in promised]
        self._choices = {place: self._useful(game.state.legal(place)) for place in self._places}
        self._neighbors = {place: self._near(place) for place in self._own}

    @property
    def has_any(self) -> bool:
        """Whether there is a unit that could do something else."""
        return any(len(choices) > 1 for choices in self._choices.values())

    def _near(self, place: int) -> list[int]:
        """Return our units that could take part in what the unit there does."""
        tables = self._tables
        around = tables.around
        ring = set(around[tables.around_start[place] : tables.around_start[place + 1]])
        for each in tuple(ring):
            ring.update(around[tables.around_start[each] : tables.around_start[each + 1]])
        return sorted(ring & set(self._places) - {place})

    def _useful(self, codes: Sequence[int]) -> list[int]:
        """Leave out what helps others, enters closed provinces or needs their fleets."""
        return [code for code in codes if self._is_useful(code)]

    def _is_useful(self, code: int) -> bool:
        kind = kind_of(code)
        if kind == MOVE:
            return self._tables.province_of[target_of(code)] not in self._closed
        if kind in {SUPPORT_HOLD, SUPPORT_MOVE}:
            return other_of(code) in self._movers
        if kind == MOVE_BY_CONVOY:
            return target_of(code) not in self._closed and bool(self._fleets(code))
        return kind == HOLD

    def _fleets(self, code: int) -> list[int]:
        """Return the places of the fleets of a move by convoy; none unless all are ours."""
        seas = self._game.state.seas_of_path(mover_of(code), target_of(code), path_of(code))
        return seas if all(sea in self._own for sea in seas) else []

    def vary(self, orders: OrderSet) -> OrderSet:
        """Return another order set like this one; by chance it may be the same."""
        game, random = self._game, self._random
        place = random.choice(self._places)
        free = {each for each in self._neighbors[place] if random.random() < 0.6}
        game.clear_fixed()
        for at, code in zip(self._own, orders, strict=True):
            if at != place and at not in free:
                game.fix(code)
        if random.random() < 0.8:
            self._force(random.choice(self._choices[place]))
        self._keep()
        game.set_chance(self._power, *random.choice(SPREADS))
        changed = tuple(game.sample(self._power))
        game.set_chance(self._power, *NARROW)
        game.clear_fixed()
        self._keep()
        return self._mended(changed)

    def _keep(self) -> None:
        """Fix what was promised, and what the others are expected to do."""
        for code in self._kept:
            self._game.fix(code)

    def _force(self, code: int) -> None:
        """Fix an order, with the convoys or the move that it needs."""
        self._game.fix(code)
        kind = kind_of(code)
        if kind == MOVE_BY_CONVOY:
            for sea in self._fleets(code):
                army, goal = mover_of(code), target_of(code)
                self._game.fix(pack(CONVOY, self._own[sea], goal, army))
        elif kind == SUPPORT_MOVE:
            other, goal = other_of(code), target_of(code)
            moves = [
                each
                for each in self._choices.get(self._movers[other], ())
                if each & KIND_BITS == MOVE and self._tables.province_of[target_of(each)] == goal
            ]
            if moves:
                self._game.fix(moves[0])

    def _mended(self, orders: OrderSet) -> OrderSet:
        """Let supports and convoys that fit nothing follow what their unit does, or hold."""
        given = {mover_of(code): code for code in orders}
        # An army whose fleet does something else stays first, so that nobody supports its journey.
        given = {mover: self._grounded(code, given) for mover, code in given.items()}
        return tuple(self._mend(code, given) for code in given.values())

    def _grounded(self, code: int, given: dict[int, int]) -> int:
        """Let an army hold that its own fleets do not carry."""
        if kind_of(code) != MOVE_BY_CONVOY or code in self._kept:
            return code
        army, goal = mover_of(code), target_of(code)
        fleets = [self._own[sea] for sea in self._fleets(code)]
        carried = [given[fleet] == pack(CONVOY, fleet, goal, army) for fleet in fleets]
        return code if carried and all(carried) else pack(HOLD, army)

    def _mend(self, code: int, given: dict[int, int]) -> int:
        kind = kind_of(code)
        if kind not in {SUPPORT_HOLD, SUPPORT_MOVE, CONVOY} or code in self._kept:
            return code
        mover, helped = mover_of(code), given.get(other_of(code))
        if helped is None:
            return code
        goal = self._tables.province_of[target_of(helped)]
        moves = kind_of(helped) in {MOVE, MOVE_BY_CONVOY}
        if kind == CONVOY:
            fits = kind_of(helped) == MOVE_BY_CONVOY and goal == target_of(code)
            return code if fits else pack(HOLD, mover)
        if moves and self._tables.can_reach[mover * self._tables.provinces + goal]:
            if goal == self._tables.mover_province[mover]:
                return pack(HOLD, mover)
            return pack(SUPPORT_MOVE, mover, goal, other_of(code))
        here = self._tables.mover_province[other_of(code)]
        if not moves and self._tables.can_reach[mover * self._tables.provinces + here]:
            return pack(SUPPORT_HOLD, mover, 0, other_of(code))
        return pack(HOLD, mover)


def refresh(game: Playouts, root: Sequence[int]) -> None:
    """Go back to the root and its values, which simulations have replaced."""
    game.restore(root)
    game.value(DUMBBOT)
