"""How many moves every unit place is away from every center."""

from collections import deque
from functools import cache

from bots.unit_places import UnitPlaces

OUT_OF_REACH = 1000


@cache
def distances_to(unit_places: UnitPlaces, center: int) -> tuple[int, ...]:
    """Return by unit place how many moves it takes to the center on the map of its kind."""
    found = [OUT_OF_REACH] * len(unit_places)
    waiting = deque(unit_places.in_province[center])
    for unit_place in waiting:
        found[unit_place] = 0
    while waiting:
        unit_place = waiting.popleft()
        for other in unit_places.borders[unit_place]:
            if found[other] == OUT_OF_REACH:
                found[other] = found[unit_place] + 1
                waiting.append(other)
    return tuple(found)
