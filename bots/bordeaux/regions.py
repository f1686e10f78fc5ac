"""The partition of the map: units that cannot get in each other's way are searched apart."""

from collections.abc import Sequence

from rules.kernel import Simulator

_LARGEST = 6
"""A region with more units is cut where it is thinnest: at the unit with the fewest ties."""


def regions_of(state: Simulator, units: Sequence[int]) -> list[list[int]]:
    """Split the units of one power, given by province, into groups that share places to go."""
    tables = state.tables
    reach = {
        unit: {
            unit,
            *tables.near[
                tables.near_start[state.unit[unit]] : tables.near_start[state.unit[unit] + 1]
            ],
        }
        for unit in units
    }
    ties = {
        unit: {other for other in units if other != unit and reach[unit] & reach[other]}
        for unit in units
    }
    regions: list[list[int]] = []
    left = set(units)
    while left:
        # From the loosest end on, so that what is cut off holds together.
        region = [min(left, key=lambda unit: (len(ties[unit] & left), unit))]
        left.discard(region[0])
        while len(region) < _LARGEST:
            near = {other for unit in region for other in ties[unit]} & left
            if not near:
                break
            best = max(near, key=lambda unit: (len(ties[unit] & set(region)), -unit))
            region.append(best)
            left.discard(best)
        regions.append(sorted(region))
    return regions
