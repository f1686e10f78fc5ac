"""The board as a landscape: the home is the summit, and units raise or lower what is near.

A power's height in a province says how far its sphere reaches: high at home, higher next to its own
units, lower next to those of others. A unit is worth most where the wall should stand: in centers
of others, in centers of its own that are in danger, and at the foot of what can be taken next.
"""

from collections.abc import Sequence

from rules.kernel import Simulator
from rules.kernel.codes import FALL

_SUMMIT = 4.0
_FALL_CENTER = 2.5
_SPRING_CENTER = 1.2
_GUARD = 0.6
"""What it is worth to stand in a center of our own, for each enemy that can enter it."""
_NEXT_CENTER = 0.5
"""What it is worth to stand next to a center of others."""
_OUTWARD = 0.08
"""What every step from home is worth, up to a few, so that the wall moves outward."""
_FARTHEST = 4
_SLOPE = 0.1
"""How much easier a center is taken for each unit of height."""


class Landscape:
    """The heights of all provinces for all powers, in the position of a simulator."""

    def __init__(self, state: Simulator, greed: Sequence[Sequence[float]]) -> None:
        self._state = state
        self._tables = state.tables
        self._greed = greed
        """By power and power, how gladly the first one takes what the second one owns."""
        self._center = _FALL_CENTER if state.season == FALL else _SPRING_CENTER
        count = self._tables.provinces
        self._near = [[0] * count for _ in range(self._tables.powers)]
        """By power and province how many units of the power stand there or can go there."""
        for province in range(count):
            mover = state.unit[province]
            if mover >= 0:
                near = self._near[state.power[province]]
                near[province] += 1
                for other in set(self._near_to(mover)):
                    near[other] += 1

    def _near_to(self, mover: int) -> Sequence[int]:
        tables = self._tables
        return tables.near[tables.near_start[mover] : tables.near_start[mover + 1]]

    def height(self, power: int, province: int) -> float:
        """Return how far a province lies within the sphere of a power."""
        steps = self._tables.distance[power * self._tables.provinces + province]
        own = self._near[power][province]
        return _SUMMIT / (1 + max(0, steps)) + own - self.pressure(power, province)

    def pressure(self, power: int, province: int) -> int:
        """Count the units of that other power which has the most of them there."""
        return max(near[province] for other, near in enumerate(self._near) if other != power)

    def center_worth(self, power: int, province: int) -> float:
        """Return what it is worth to a power to stand in a center of another one, or of nobody."""
        owner = self._state.owner[province]
        if not self._tables.is_center[province] or owner == power:
            return 0.0
        greed = 1.0 if owner < 0 else self._greed[power][owner]
        return greed * max(0.2, 1.0 + _SLOPE * self.height(power, province))

    def worths(self, power: int) -> dict[int, float]:
        """Return by mover what it is worth to a power that a unit of its own stands there."""
        tables = self._tables
        centers = [self.center_worth(power, each) for each in range(tables.provinces)]
        found = {}
        for mover in range(tables.movers):
            near = set(self._near_to(mover))
            if not near:
                continue
            province = tables.mover_province[mover]
            steps = tables.distance[power * tables.provinces + province]
            worth = self._center * centers[province] + _OUTWARD * min(max(0, steps), _FARTHEST)
            worth += _NEXT_CENTER * sum(sorted((centers[each] for each in near), reverse=True)[:3])
            if self._state.owner[province] == power:
                worth += _GUARD * self.pressure(power, province)
            found[mover] = worth
        return found
