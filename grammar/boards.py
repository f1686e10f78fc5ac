"""Between boards and the messages that describe them: MDF, SCO and NOW."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from attrs import evolve

from grammar.messages import (
    Borders,
    HomeCenters,
    MapDefinition,
    Now,
    OrderOutcome,
    OwnedCenters,
    Ownership,
    ProvinceBorders,
)
from rules.board import Board
from rules.notation import OrderReader
from rules.orders import OrderNote, OrderResult, Unit, UnitKind
from rules.places import Location, Power, Province, Terrain
from rules.position import DislodgedUnit, Position, by_province
from rules.turns import Season, Turn


@cache
def map_definition(board: Board) -> MapDefinition:
    """Return the MDF of a board; every client asks for it."""
    return MapDefinition(
        powers=board.powers,
        homes=tuple(_homes(board)),
        other_provinces=tuple(each for each in board.provinces if not each.is_center),
        borders=tuple(
            ProvinceBorders(province, tuple(_borders(board, province)))
            for province in board.provinces
        ),
    )


def _homes(board: Board) -> Iterable[HomeCenters]:
    """Group the centers by the powers whose home they are, neutral ones last."""
    groups: dict[tuple[Power, ...], list[Province]] = {(power,): [] for power in board.powers}
    for center in board.centers:
        powers = tuple(power for power in board.powers if center in board.homes.get(power, ()))
        groups.setdefault(powers, []).append(center)
    neutral = groups.pop((), [])
    for powers, centers in (*groups.items(), ((), neutral)):
        if centers:
            yield HomeCenters(powers, tuple(centers))


def _borders(board: Board, province: Province) -> Iterable[Borders]:
    if province in board.army_borders:
        neighbors = tuple(Location(each) for each in board.army_borders[province])
        yield Borders(UnitKind.ARMY, None, neighbors)
    for location, destinations in board.fleet_borders.items():
        if location.province == province:
            yield Borders(UnitKind.FLEET, location.coast, destinations)


def now_message(position: Position) -> Now:
    """Return the NOW of a position."""
    return Now(position.turn, (*position.units, *position.dislodged))


def ownership_message(board: Board, position: Position) -> Ownership:
    """Return the SCO of a position: every center once, owners without any left out."""
    by_owner: dict[Power | None, list[Province]] = {power: [] for power in (*board.powers, None)}
    for center in board.centers:
        by_owner[position.owners.get(center)].append(center)
    return Ownership(
        tuple(OwnedCenters(owner, tuple(owned)) for owner, owned in by_owner.items() if owned)
    )


def board_from(definition: MapDefinition) -> Board:
    """Build the board that an MDF describes; its starting position is empty.

    The borders decide the terrain: the categories of some old variants are wrong.
    """
    centers = {center for home in definition.homes for center in home.centers}
    provinces = {
        entry.province: evolve(
            entry.province, terrain=_terrain(entry.borders), is_center=entry.province in centers
        )
        for entry in definition.borders
    }

    def known(location: Location) -> Location:
        return Location(provinces[location.province], location.coast)

    army = {
        provinces[entry.province]: tuple(
            provinces[location.province] for location in borders.destinations
        )
        for entry in definition.borders
        for borders in entry.borders
        if borders.kind is UnitKind.ARMY
    }
    fleet = {
        Location(provinces[entry.province], borders.coast): tuple(
            known(location) for location in borders.destinations
        )
        for entry in definition.borders
        for borders in entry.borders
        if borders.kind is UnitKind.FLEET
    }
    homes = {
        power: tuple(
            provinces[center]
            for home in definition.homes
            if power in home.powers
            for center in home.centers
        )
        for power in definition.powers
    }
    return Board(
        name="unnamed",
        powers=definition.powers,
        provinces=tuple(provinces.values()),
        homes=homes,
        army_borders=army,
        fleet_borders=fleet,
        start=Position(Turn(Season.SPRING, 1901), (), (), {}),
    )


def _terrain(borders: tuple[Borders, ...]) -> Terrain:
    kinds = {each.kind for each in borders}
    if UnitKind.ARMY not in kinds:
        return Terrain.SEA
    if UnitKind.FLEET not in kinds:
        return Terrain.INLAND
    has_coasts = any(each.coast is not None for each in borders)
    return Terrain.MULTI_COAST if has_coasts else Terrain.COASTAL


def position_from(now: Now, ownership: Ownership) -> Position:
    """Build the position that a NOW and the last SCO describe."""
    units = [unit for unit in now.units if isinstance(unit, Unit)]
    dislodged = [unit for unit in now.units if isinstance(unit, DislodgedUnit)]
    owners = {
        center: holding.owner
        for holding in ownership.holdings
        if holding.owner is not None
        for center in holding.centers
    }
    return Position(
        turn=now.turn,
        units=tuple(sorted(units, key=by_province)),
        dislodged=tuple(sorted(dislodged, key=lambda out: by_province(out.unit))),
        owners=owners,
    )


def outcomes_told(
    board: Board, position: Position, turn: Turn, rows: Iterable[Mapping[str, Any]]
) -> Iterator[OrderOutcome]:
    """Read the orders of a turn with their results, as records and events write them."""
    reader = OrderReader(board, position)
    for told in rows:
        order = reader.read(board.power(told["power"]), told["order"])
        result: OrderResult | OrderNote | None = None
        if text := told.get("note"):
            result = OrderNote(text)
        elif text := told.get("result"):
            result = OrderResult(text)
        yield OrderOutcome(turn, order, result, told["dislodged"])
