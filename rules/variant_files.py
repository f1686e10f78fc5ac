"""Read the variant files of DAIDE servers: `.mdf`, `.now`, `.sco`, `.rem` and `.nam`.

One file each for the map, the starting units, the starting owners, the token numbers and the full
names. Names are taken without regard to case. May raise BadInputError with file and line.
"""

import re
from pathlib import Path

from attrs import Factory, define

from rules.bracket_text import Group, Item, Source, Word, read_items, without_heading
from rules.errors import BadInputError, unreadable
from rules.map_definition import UNOWNED, PlaceName, read_coast
from rules.numbering import POWERS, PROVINCES
from rules.turns import SEASONS, YEARS, Turn

SUFFIXES = (".mdf", ".now", ".sco", ".rem", ".nam")
UNIT_WORDS = ("AMY", "FLT")
YEAR = re.compile(r"[0-9]{1,4}")
NUMBERED = re.compile(r"\s*([0-9A-Fa-f]{4})\s*[:= \t]\s*['\"]?(\w+)['\"]?\s*")


@define
class Numbers:
    """The names of a `.rem` in the order of their numbers, and the lines they stand in."""

    source: Source
    powers: dict[int, str] = Factory(dict)
    provinces: dict[int, str] = Factory(dict)
    lines: dict[tuple[bool, str], int] = Factory(dict)


@define
class Start:
    """The contents of a `.now`: the turn, and units as (power, AMY or FLT, place, line)."""

    turn: Turn
    units: list[tuple[Word, str, PlaceName]] = Factory(list)


def find_files(path: Path) -> dict[str, Path]:
    """Return the variant's files by suffix: of a folder, of one of its files, or of a stem."""
    if path.is_dir():
        folder, stem = path, only_stem(path)
    else:
        folder, stem = path.parent, path.stem if path.suffix.lower() in SUFFIXES else path.name
    found = {
        file.suffix.lower(): file
        for file in (sorted(folder.iterdir()) if folder.is_dir() else [])
        if file.suffix.lower() in SUFFIXES and file.stem.lower() == stem.lower()
    }
    if not found:
        raise BadInputError(f"no variant files (.mdf, .now, ...) at {path}")
    return found


def only_stem(folder: Path) -> str:
    """Return the one name that the variant files of a folder share."""
    files = [file for file in folder.iterdir() if file.suffix.lower() in SUFFIXES]
    stems = sorted({file.stem.lower() for file in files})
    if len(stems) == 1:
        return stems[0]
    if not stems:
        raise BadInputError(f"no variant files (.mdf, .now, ...) in the folder {folder}")
    listed = ", ".join(stems)
    raise BadInputError(f"several variants in {folder}: {listed}; give one, as {folder}/{stems[0]}")


def read_text(path: Path) -> str:
    """Return the text of a file; old ones are not always UTF-8."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def read_rem(text: str, source: Source) -> Numbers:
    """Read token numbers: a count, then a line `4100:AUS` for each power and province."""
    numbers = Numbers(source)
    for line, content in enumerate(text.splitlines(), start=1):
        # The count in the first line adds nothing, and edited files forget to change it.
        if not content.strip() or content.strip().startswith(("#", ";", "//")):
            continue
        if content.strip().isdecimal() and not numbers.lines:
            continue
        if not (match := NUMBERED.fullmatch(content)):
            raise source.fault(line, f"expected a number and a name as 4100:AUS, not {content!r}")
        add_number(numbers, int(match[1], 16), match[2].upper(), line)
    return numbers


def add_number(numbers: Numbers, token: int, name: str, line: int) -> None:
    """Take in one line of a `.rem`."""
    category, index = divmod(token, 256)
    if category != POWERS and category not in PROVINCES:
        text = f"{token:04X} is neither a power (41..) nor a province (50.. to 57..)"
        raise numbers.source.fault(line, text)
    # The category of a province is not trusted: real files give islands that of seas.
    is_power = category == POWERS
    table = numbers.powers if is_power else numbers.provinces
    if index in table:
        text = f"the last two digits of {token:04X} are those of {table[index]}"
        raise numbers.source.fault(line, f"{text}; number the names one after the other")
    if (is_power, name) in numbers.lines:
        raise numbers.source.fault(line, f"{name} has a number already")
    table[index] = name
    numbers.lines[is_power, name] = line


def read_nam(text: str, source: Source) -> dict[str, list[str]]:
    """Read full names: `AUS:Austria:Austrian` for a power, `BOH:Bohemia` for a province.

    A name may stand for a power and a province, so `AUS:` keys powers and `BOH` provinces.
    """
    names: dict[str, list[str]] = {}
    for line, content in enumerate(text.splitlines(), start=1):
        if not content.strip() or content.strip().startswith(("#", ";", "//")):
            continue
        code, *rest = (part.strip().strip("\"'") for part in content.split(":"))
        if not 1 <= len(rest) <= 2:
            raise source.fault(line, f"expected CODE:Name or CODE:Name:Adjective, not {content!r}")
        names[code.upper() + ":" * (len(rest) - 1)] = rest
    return names


def read_now(text: str, source: Source) -> Start:
    """Read the starting turn and units."""
    whole = read_items(text, source)
    items = (*without_heading(whole.items, "NOW"), None)
    turn = source.group(items[0], whole.line, "the first turn such as ( SPR 1901 )")
    start = Start(read_turn(turn, source))
    for item in items[1:-1]:
        start.units.append(read_unit(source.group(item, whole.line, "a unit"), source))
    return start


def read_turn(group: Group, source: Source) -> Turn:
    """Read `( SPR 1901 )`."""
    words = source.words(group.items, group.line, "a turn")
    if len(words) != 2:
        raise source.fault(group.line, "expected a season and a year such as ( SPR 1901 )")
    season, year = words
    if season.text not in SEASONS:
        raise source.fault(season.line, f"no such season: {season.text!r}")
    if not YEAR.fullmatch(year.text) or int(year.text) not in YEARS:
        raise source.fault(year.line, f"no such year: {year.text!r}")
    return Turn(SEASONS[season.text], int(year.text))


def read_unit(group: Group, source: Source) -> tuple[Word, str, PlaceName]:
    """Read `( power AMY province )` or `( power FLT ( province coast ) )`."""
    if len(group.items) != 3:
        raise source.fault(group.line, "expected a unit such as ( AUS AMY VIE )")
    power = source.word(group.items[0], group.line, "a power")
    kind = source.word(group.items[1], group.line, "AMY or FLT")
    if kind.text not in UNIT_WORDS:
        raise source.fault(kind.line, f"expected AMY or FLT, not {kind.text}")
    return power, kind.text, read_unit_place(group.items[2], source)


def read_unit_place(item: Item, source: Source) -> PlaceName:
    """Read `province` or `( province coast )`."""
    if isinstance(item, Word):
        return item.text, None
    if len(item.items) != 2:
        raise source.fault(item.line, "expected ( province coast )")
    name = source.word(item.items[0], item.line, "a province")
    return name.text, read_coast(source, item.items[1])


def read_sco(text: str, source: Source) -> list[tuple[Word, Word]]:
    """Read the starting owners as pairs of power and center; unowned centers are left out."""
    whole = read_items(text, source)
    owners: list[tuple[Word, Word]] = []
    for item in without_heading(whole.items, "SCO"):
        group = source.group(item, whole.line, "a power and its centers")
        words = source.words(group.items, group.line, "a power or a center")
        if words and words[0].text != UNOWNED:
            owners += [(words[0], center) for center in words[1:]]
    return owners
