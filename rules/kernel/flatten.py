"""Flatten a board into the kernel's tables."""

from collections.abc import Mapping, Sequence

from rules.board import Board
from rules.kernel.tables import Tables
from rules.orders import UnitKind
from rules.places import Location

Movers = Mapping[tuple[UnitKind, Location], int]
FAR_AWAY = 9999


def flatten(board: Board, locations: Sequence[Location], movers: Movers) -> Tables:
    """Return the tables of a board whose locations and movers are numbered like this."""
    index = {province: number for number, province in enumerate(board.provinces)}
    place_index = {place: number for number, place in enumerate(locations)}
    count = len(board.provinces)
    steps: list[list[int]] = [[] for _ in range(count + len(locations))]
    for province, neighbors in board.army_borders.items():
        steps[index[province]] = sorted(index[neighbor] for neighbor in neighbors)
    for place, places in board.fleet_borders.items():
        steps[count + place_index[place]] = sorted(place_index[other] for other in places)
    province_of = [index[place.province] for place in locations]
    mover_province = [*range(count), *province_of]
    near = [sorted({province_of[place] for place in row}) for row in steps]
    around = [
        sorted({mover_province[mover] for mover, row in enumerate(near) if goal in row})
        for goal in range(count)
    ]
    seas = [
        [sea for sea in around[goal] if board.provinces[sea].is_sea and goal in near[count + sea]]
        for goal in range(count)
    ]
    step_start, flat_steps = flat(steps)
    near_start, flat_near = flat(near)
    around_start, flat_around = flat(around)
    sea_start, flat_seas = flat(seas)
    build_start, builds = flat(
        [
            sorted(number for (_, place), number in movers.items() if place.province == province)
            for province in board.provinces
        ]
    )
    alphabet = sorted(province.name for province in board.provinces)
    return Tables(
        provinces=count,
        locations=len(locations),
        powers=len(board.powers),
        centers_to_win=board.centers_to_win,
        province_of=province_of,
        mover_province=mover_province,
        is_sea=bytearray(province.is_sea for province in board.provinces),
        is_coastal=bytearray(province.is_coastal for province in board.provinces),
        is_center=bytearray(province.is_center for province in board.provinces),
        rank=[alphabet.index(province.name) for province in board.provinces],
        step_start=step_start,
        steps=flat_steps,
        near_start=near_start,
        near=flat_near,
        can_step=matrix(steps, len(locations)),
        can_reach=matrix(near, count),
        around_start=around_start,
        around=flat_around,
        sea_start=sea_start,
        seas=flat_seas,
        touches=matrix(seas, count),
        is_home=matrix(
            [[index[home] for home in board.homes.get(p, ())] for p in board.powers], count
        ),
        distance=[
            steps_away
            for power in board.powers
            for steps_away in distances(
                around, [index[home] for home in board.homes.get(power, ())]
            )
        ],
        build_start=build_start,
        builds=builds,
    )


def flat(rows: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Return where each row begins, and all rows in one."""
    starts = [0]
    values: list[int] = []
    for row in rows:
        values.extend(row)
        starts.append(len(values))
    return starts, values


def matrix(rows: Sequence[Sequence[int]], width: int) -> bytearray:
    """Return a flag for every row and column: whether the row lists the column."""
    flags = bytearray(len(rows) * width)
    for number, row in enumerate(rows):
        for column in row:
            flags[number * width + column] = 1
    return flags


def distances(around: Sequence[Sequence[int]], homes: Sequence[int]) -> list[int]:
    """Count the borders between each province and the nearest home, over land and sea alike."""
    found = [FAR_AWAY] * len(around)
    for home in homes:
        found[home] = 0
    ring = list(homes)
    while ring:
        following = []
        for here in ring:
            for neighbor in around[here]:
                if found[neighbor] == FAR_AWAY:
                    found[neighbor] = found[here] + 1
                    following.append(neighbor)
        ring = following
    return found
