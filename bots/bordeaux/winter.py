"""Retreats searched to the end, and builds and removals with a look ahead."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product

from bots.search.scene import Scene
from rules.kernel import Simulator
from rules.orders import Build, Disband, Order, Remove, Retreat, Unit, UnitKind, Waive
from rules.places import Location

_AHEAD = (1.0, 0.8, 0.6, 0.4)
"""What a place counts that is so many steps away."""
_MOST = 20_000
"""More combinations than the board ever has; a map of somebody's own may have them."""


def best_retreats(scene: Scene, places: Mapping[int, float]) -> list[Order]:
    """Try all combinations of retreats, and take the one that is worth most."""
    outs = scene.view.dislodged
    closed = scene.view.beliefs.closed
    options: list[list[Location | None]] = [
        [None, *(place for place in out.retreats if place.province not in closed)] for out in outs
    ]
    best: Sequence[Location | None] = [None] * len(outs)
    most = -1.0
    for choice in islice(product(*options), _MOST):
        goals = [place.province for place in choice if place is not None]
        if len(set(goals)) < len(goals):
            continue
        worth = sum(
            0.1 + places.get(scene.codec.movers[out.unit.kind, place], 0.0)
            for out, place in zip(outs, choice, strict=True)
            if place is not None
        )
        if worth > most:
            best, most = choice, worth
    return [
        Disband(out.unit) if place is None else Retreat(out.unit, place)
        for out, place in zip(outs, best, strict=True)
    ]


def best_builds(scene: Scene, places: Mapping[int, float]) -> list[Order]:
    """Build where there is most to win within a few steps, not twice for the same prize."""
    view, state = scene.view, scene.game.state
    due = view.adjustment
    taken = {scene.codec.mover(unit) for unit in view.units}
    prizes = dict(places)
    for mover in taken:
        _use_up(state, mover, prizes)
    chosen: list[Order] = []
    homes = list(view.open_homes)
    while homes and len(chosen) < due:
        kinds = [
            (kind, place)
            for kind, place in scene.codec.movers
            if place.province in homes and kind in (UnitKind.ARMY, UnitKind.FLEET)
        ]
        kind, place = max(kinds, key=lambda each: _ahead(state, scene.codec.movers[each], prizes))
        chosen.append(Build(Unit(view.power, kind, place)))
        _use_up(state, scene.codec.movers[kind, place], prizes)
        homes.remove(place.province)
    return chosen + [Waive(view.power)] * (due - len(chosen))


def worst_units(scene: Scene, places: Mapping[int, float]) -> list[Order]:
    """Remove those who have least to win within a few steps."""
    state = scene.game.state
    units = sorted(
        scene.view.units, key=lambda unit: _ahead(state, scene.codec.mover(unit), places)
    )
    return [Remove(unit) for unit in units[: -scene.view.adjustment]]


def _ahead(state: Simulator, mover: int, places: Mapping[int, float]) -> float:
    """Return what a unit can come to, the best of each ring of places around it."""
    return sum(
        share * max((places.get(each, 0.0) for each in ring), default=0.0)
        for share, ring in zip(_AHEAD, _rings(state, mover), strict=False)
    )


def _use_up(state: Simulator, mover: int, prizes: dict[int, float]) -> None:
    """Halve the worth of the best place that a unit is likely to go for."""
    near = [each for ring in islice(_rings(state, mover), 2) for each in ring if each in prizes]
    if near:
        prizes[max(near, key=lambda each: (prizes[each], -each))] *= 0.5


def _rings(state: Simulator, mover: int) -> Iterator[Iterable[int]]:
    tables = state.tables
    base = 0 if mover < tables.provinces else tables.provinces
    seen, ring = {mover}, [mover]
    while ring:
        yield ring
        found = {
            base + place
            for each in ring
            for place in tables.steps[tables.step_start[each] : tables.step_start[each + 1]]
        } - seen
        seen |= found
        ring = sorted(found)
