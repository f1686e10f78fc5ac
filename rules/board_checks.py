"""Find what makes a board unplayable, whatever kind of file it came from."""

from collections import Counter
from collections.abc import Iterator

from attrs import frozen

from rules.board import Board
from rules.orders import Unit, UnitKind
from rules.places import Location, Province

MOST_PROVINCES = 256  # DAIDE numbers them with one byte
CODE_LENGTH = 3


@frozen
class Flaw:
    """One fault: the power or province it is about, the field of its entry, and what to mend."""

    name: str
    field: str
    text: str


def flaws(board: Board) -> Iterator[Flaw]:
    """Yield every fault of the board; none means it can be played."""
    yield from name_flaws(board)
    yield from army_flaws(board)
    yield from fleet_flaws(board)
    yield from center_flaws(board)
    yield from unit_flaws(board)


def name_flaws(board: Board) -> Iterator[Flaw]:
    """Check the three-letter codes and how many there are."""
    names = [power.name for power in board.powers]
    names += [province.name for province in board.provinces]
    for name in names:
        if len(name) != CODE_LENGTH or not (name.isascii() and name.isalnum() and name.isupper()):
            yield Flaw(name, "", f"the code {name!r} must be three of A-Z and 0-9")
    for name, times in Counter(names).items():
        if times > 1:
            yield Flaw(name, "", f"{name} names a power and a province; rename one")
    if len(board.provinces) > MOST_PROVINCES:
        last = board.provinces[MOST_PROVINCES].name
        yield Flaw(last, "", f"{last} is one province too many; the limit is {MOST_PROVINCES}")


def army_flaws(board: Board) -> Iterator[Flaw]:
    """Check that armies can go back where they came from."""
    borders = [(here, there) for here, to in board.army_borders.items() for there in to]
    # A border to nowhere comes first: it explains the missing way back that would follow.
    for here, there in borders:
        if there == here:
            yield Flaw(here.name, "army", f"{here} borders itself")
        elif there not in board.army_borders:
            yield Flaw(here.name, "army", f"armies cannot stand in {there}")
    for here, there in borders:
        if here not in board.army_borders.get(there, (here,)):
            yield one_way(here.name, "army", here, there)


def fleet_flaws(board: Board) -> Iterator[Flaw]:
    """Check that fleets can go back where they came from, coast by coast."""
    borders = [(here, there) for here, to in board.fleet_borders.items() for there in to]
    for here, there in borders:
        if there.province == here.province:
            yield Flaw(here.province.name, "fleet", f"{here.province} borders itself")
        elif there not in board.fleet_borders:
            text = f"fleets cannot stand in {there}{coasts_hint(board, there.province)}"
            yield Flaw(here.province.name, "fleet", text)
    for here, there in borders:
        if here not in board.fleet_borders.get(there, (here,)):
            yield one_way(here.province.name, "fleet", here, there)


def one_way(name: str, field: str, here: object, there: object) -> Flaw:
    """Describe a border that only one side knows."""
    text = f"{field} border from {here} to {there}, but none back; add it or remove this one"
    return Flaw(name, field, text)


def coasts_hint(board: Board, province: Province) -> str:
    """Name the coasts to choose from, if there are any."""
    coasts = [
        place.coast.value
        for place in board.fleet_borders
        if place.province == province and place.coast
    ]
    return f"; name one of its coasts {' '.join(coasts)}" if coasts else ""


def center_flaws(board: Board) -> Iterator[Flaw]:
    """Check that homes and possessions are supply centers."""
    for power in board.powers:
        for home in board.homes[power]:
            if not home.is_center:
                yield Flaw(power.name, "homes", f"{home} is no supply center")
    for center, power in board.start.owners.items():
        if not center.is_center:
            yield Flaw(power.name, "centers", f"{center} is no supply center")
    if not board.centers:
        yield Flaw(board.powers[0].name if board.powers else "", "centers", "there are no centers")


def unit_flaws(board: Board) -> Iterator[Flaw]:
    """Check that units stand where they may, one in a province."""
    taken: dict[Province, Unit] = {}
    for unit in board.start.units:
        if not can_stand(board, unit):
            kind = unit.kind.name.lower()
            hint = coasts_hint(board, unit.location.province) if kind == "fleet" else ""
            yield Flaw(unit.power.name, "units", f"no {kind} can stand in {unit.location}{hint}")
        if unit.location.province in taken:
            text = f"there are two units in {unit.location.province}"
            yield Flaw(unit.power.name, "units", text)
        taken[unit.location.province] = unit


def can_stand(board: Board, unit: Unit) -> bool:
    """Whether the unit may be where it is."""
    if unit.kind is UnitKind.FLEET:
        return unit.location in board.fleet_borders
    return unit.location in map(Location, board.army_borders)
