"""The MDF, DAIDE's map definition, as text: read it with line numbers, write it for any board.

`MDF ( power+ ) ( ( ( owner center+ )+ ) ( province+ ) ) ( ( province ( unit place* )+ )+ )`.
May raise BadInputError.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from attrs import Factory, define

from rules.board import Board
from rules.bracket_text import Group, Item, Source, Word, read_items, without_heading
from rules.places import Coast, Location, Power, Province

UNOWNED = "UNO"
PlaceName: TypeAlias = tuple[str, Coast | None]


@define
class MapDefinition:
    """The contents of an MDF by name; `lines` says where each name's own entry begins."""

    source: Source
    powers: list[str] = Factory(list)
    homes: dict[str, list[str]] = Factory(dict)
    centers: list[str] = Factory(list)
    others: list[str] = Factory(list)
    army: dict[str, list[str]] = Factory(dict)
    fleet: dict[PlaceName, list[PlaceName]] = Factory(dict)
    lines: dict[str, int] = Factory(dict)

    @property
    def provinces(self) -> list[str]:
        """All provinces, centers first."""
        return self.centers + self.others

    def coasts(self, province: str) -> list[Coast | None]:
        """Return the coasts where fleets may stand; `[None]` if there is only one, unnamed."""
        return [coast for name, coast in self.fleet if name == province]


def read_mdf(text: str, source: Source) -> MapDefinition:
    """Read an MDF; the board that it describes is checked later, as a whole."""
    definition = MapDefinition(source)
    whole = read_items(text, source)
    parts = list(without_heading(whole.items, "MDF"))
    parts += [None] * (3 - len(parts))  # type: ignore[list-item]  # a missing part is reported
    read_powers(definition, source.group(parts[0], whole.line, "the powers"))
    read_provinces(definition, source.group(parts[1], whole.line, "the provinces"))
    borders = source.group(parts[2], whole.line, "the borders of each province")
    entries = [
        source.group(item, borders.line, "a province and its borders") for item in borders.items
    ]
    add_unlisted(definition, entries)
    for entry in entries:
        read_borders(definition, entry)
    drop_sea_armies(definition)
    for name in definition.provinces:
        if name not in definition.army and not definition.coasts(name):
            line = definition.lines[name]
            raise source.fault(line, f"{name} has no borders; add them to the third part")
    return definition


def read_powers(definition: MapDefinition, group: Group) -> None:
    """Take in the first part."""
    for word in definition.source.words(group.items, group.line, "a power"):
        if word.text in definition.homes:
            raise definition.source.fault(word.line, f"power {word.text} is listed twice")
        definition.powers.append(word.text)
        definition.homes[word.text] = []


def read_provinces(definition: MapDefinition, group: Group) -> None:
    """Take in the second part: centers by home power, then the other provinces."""
    source = definition.source
    items = (*group.items, None, None)
    centers = source.group(items[0], group.line, "the supply centers")
    for item in centers.items:
        read_centers(definition, source.group(item, centers.line, "a power and its home centers"))
    others = source.group(items[1], group.line, "the provinces that are no supply centers")
    for word in source.words(others.items, others.line, "a province"):
        if word.text in definition.others:
            source.mended(word.line, f"{word.text} is listed twice; once is enough")
            continue
        if word.text in definition.lines:
            raise source.fault(word.line, f"{word.text} is listed as a center and as none")
        definition.lines[word.text] = word.line
        definition.others.append(word.text)


def read_centers(definition: MapDefinition, group: Group) -> None:
    """Take in one owner, or several in a bracket, and the home centers."""
    source = definition.source
    owner, *centers = group.items or (None,)
    owners = owner.items if isinstance(owner, Group) else (owner,)
    for item in owners:
        power = source.word(item, group.line, "a power or UNO")
        if power.text != UNOWNED and power.text not in definition.homes:
            raise source.fault(power.line, f"no such power: {power.text!r}")
        for word in source.words(tuple(centers), group.line, "a supply center"):
            # Some files repeat a shared center under each of its powers.
            if word.text not in definition.lines:
                definition.lines[word.text] = word.line
                definition.centers.append(word.text)
            if power.text != UNOWNED and word.text not in definition.homes[power.text]:
                definition.homes[power.text].append(word.text)


def read_borders(definition: MapDefinition, group: Group) -> None:
    """Take in where units can go from one province."""
    source = definition.source
    name, *entries = group.items or (None,)
    province = source.word(name, group.line, "a province")
    known_province(definition, province)
    if province.text in definition.army or definition.coasts(province.text):
        raise source.fault(province.line, f"the borders of {province.text} are given twice")
    definition.lines[province.text] = province.line
    for item in entries:
        entry = source.group(item, group.line, "a unit type and where it can go")
        read_entry(definition, province.text, entry)


def read_entry(definition: MapDefinition, province: str, entry: Group) -> None:
    """Take in `AMY place*`, `FLT place*` or `( FLT coast ) place*`."""
    source = definition.source
    unit, *targets = entry.items or (None,)
    kind, *coast = unit.items if isinstance(unit, Group) else (unit,)
    word = source.word(kind, entry.line, "AMY or FLT")
    places = proper_neighbors(definition, province, entry, targets)
    if word.text == "FLT" and len(coast) <= 1:
        here = province, read_coast(source, coast[0]) if coast else None
        definition.fleet[here] = places
    elif word.text == "AMY" and not coast:
        definition.army[province] = [name for name, _ in places]
    else:
        raise source.fault(word.line, f"expected AMY, FLT or ( FLT coast ), not {word.text}")


def proper_neighbors(
    definition: MapDefinition, province: str, entry: Group, targets: Sequence[Item]
) -> list[PlaceName]:
    """Read where a unit can go; a province borders no place twice, and never itself."""
    places: list[PlaceName] = []
    for item in targets:
        place = read_place(definition, item)
        if place[0] == province:
            definition.source.mended(item.line, f"{province} borders itself; that is left out")
        elif place in places:
            definition.source.mended(entry.line, f"{province} borders {place[0]} twice")
        else:
            places.append(place)
    return places


def add_unlisted(definition: MapDefinition, entries: Iterable[Group]) -> None:
    """Take a province that has borders but is in no list for one without a center."""
    for entry in entries:
        head = entry.items[0] if entry.items else None
        if isinstance(head, Word) and head.text not in definition.lines:
            text = f"{head.text} has borders but is in no list; taken for one without a center"
            definition.source.mended(head.line, text)
            definition.lines[head.text] = head.line
            definition.others.append(head.text)


def drop_sea_armies(definition: MapDefinition) -> None:
    """Drop the army list of a sea: one from which no army could come back to where it was."""
    entered = {name for neighbors in definition.army.values() for name in neighbors}
    for name, neighbors in [*definition.army.items()]:
        if neighbors and name not in entered and definition.coasts(name):
            text = f"no army can come to {name}, a sea; its list for armies is left out"
            definition.source.mended(definition.lines[name], text)
            del definition.army[name]


def read_place(definition: MapDefinition, item: Item) -> PlaceName:
    """Read `province` or `( province coast )`."""
    source = definition.source
    if isinstance(item, Word):
        return known_province(definition, item), None
    if len(item.items) != 2:
        raise source.fault(item.line, "expected ( province coast )")
    name = source.word(item.items[0], item.line, "a province")
    return known_province(definition, name), read_coast(source, item.items[1])


def read_coast(source: Source, item: Item) -> Coast:
    """Read the name of a coast."""
    word = source.word(item, item.line, "a coast such as NCS")
    try:
        return Coast(word.text)
    except ValueError:
        raise source.fault(word.line, f"no such coast: {word.text!r}") from None


def known_province(definition: MapDefinition, word: Word) -> str:
    """Return the name if the second part lists it."""
    if word.text not in definition.lines:
        raise definition.source.fault(word.line, f"no such province: {word.text!r}")
    return word.text


def write_mdf(board: Board) -> str:
    """Return the MDF of the board as DAIDE text, one province a line."""
    owners = [f"    ( {owner} {joined(centers)} )" for owner, centers in centers_by_home(board)]
    others = joined(province for province in board.provinces if not province.is_center)
    borders = [f"    ( {province} {borders_of(board, province)} )" for province in board.provinces]
    lines = [f"MDF ( {joined(board.powers)} )", "( (", *owners, f"  ) ( {others} ) )"]
    return "\n".join([*lines, "(", *borders, ")", ""])


def centers_by_home(board: Board) -> Iterator[tuple[str, list[Province]]]:
    """Group the centers by the powers whose home they are; neutral ones last."""
    groups: dict[tuple[Power, ...], list[Province]] = {(power,): [] for power in board.powers}
    for center in board.centers:
        owners = tuple(power for power in board.powers if center in board.homes[power])
        groups.setdefault(owners, []).append(center)
    neutral = groups.pop((), [])
    for owners, centers in groups.items():
        if centers:
            yield (joined(owners) if len(owners) == 1 else f"( {joined(owners)} )"), centers
    if neutral:
        yield UNOWNED, neutral


def borders_of(board: Board, province: Province) -> str:
    """Write where armies and fleets can go from the province."""
    entries = []
    if province in board.army_borders:
        entries.append(("AMY", [*map(Location, board.army_borders[province])]))
    for here, neighbors in board.fleet_borders.items():
        if here.province == province:
            unit = f"( FLT {here.coast.value} )" if here.coast else "FLT"
            entries.append((unit, [*neighbors]))
    return " ".join(f"( {' '.join([unit, *map(place_text, to)])} )" for unit, to in entries)


def place_text(location: Location) -> str:
    """Write a place as DAIDE does."""
    if location.coast is None:
        return location.province.name
    return f"( {location.province} {location.coast.value} )"


def joined(names: Iterable[object]) -> str:
    """Write names one after the other."""
    return " ".join(map(str, names))
