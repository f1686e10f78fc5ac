"""Find and load a map by whatever a user gives for `--variant`.

That is the name of a shipped map, a JSON file in our form, or a folder with the variant files of
other DAIDE servers. May raise BadInputError.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from string import ascii_uppercase, digits

from attrs import evolve

from rules.board import Board
from rules.board_checks import Flaw, flaws
from rules.bracket_text import Source, Word
from rules.errors import BadInputError
from rules.map_definition import MapDefinition, PlaceName, read_mdf, write_mdf
from rules.maps import load_map, load_map_file, map_names
from rules.numbering import usual_order
from rules.orders import Unit, UnitKind
from rules.places import Location, Power, Province, Terrain
from rules.position import Position, by_province
from rules.variant_files import (
    Numbers,
    find_files,
    read_nam,
    read_now,
    read_rem,
    read_sco,
    read_text,
)

# The words of the DAIDE language. A power or province of that name could not be told from the word
# in a message, yet real variants have some (BRA for Brazil is the opening bracket).
LANGUAGE_WORDS = """
    BRA KET AMY FLT CTO CVY HLD MTO SUP VIA DSB RTO BLD REM WVE MBV BPR CST ESC FAR HSC NAS NMB
    NMR NRN NRS NSA NSC NSF NSP NST NSU NVR NYU YSC SUC BNC CUT DSR FLD NSO RET NCS NEC ECS SEC
    SCS SWC WCS NWC SPR SUM FAL AUT WIN CCD DRW FRM GOF HLO HST HUH IAM LOD MAP MDF MIS NME NOT
    NOW OBS OFF ORD OUT PRN REJ SCO SLO SND SUB SVE THX TME YES ADM SMR AOA BTL ERR LVL MRT MTL
    NPB NPR PDA PTL RTL UNO DSD ALY AND BWX DMZ ELS EXP FCT FOR FWD HOW IDK IFF INS IOU OCC ORR
    PCE POB PPT PRP QRY SCD SRY SUG THK THN TRY UOM VSS WHT WHY XDO XOY YDO CHO BCC UNT CCL NAR
    WRT EPP LST SEL PNG PRB PRF VAR UHY HPY ANG ROF ULB UUB
"""
LANGUAGE = frozenset(LANGUAGE_WORDS.split())


def load_board(name_or_path: str | Path) -> Board:
    """Return a shipped map by name, else the variant that the path leads to."""
    path = Path(name_or_path)
    if str(name_or_path).lower() in map_names():
        return load_map(str(name_or_path).lower())
    if path.suffix.lower() == ".json":
        return load_map_file(path)
    if not path.exists() and path.name == str(name_or_path):
        shipped = ", ".join(map_names())
        raise BadInputError(f"no such variant: {path.name!r}; give a folder or one of {shipped}")
    return load_variant(path)


def load_variant(path: str | Path) -> Board:
    """Return the board of the variant files in a folder, or of one file name without its suffix.

    Without a `.mdf` the standard map is played; without a `.sco` every power owns the home centers
    that it shares with nobody. Powers and provinces come in the order of the `.rem`.
    """
    files = find_files(Path(path))
    if ".now" not in files:
        stem = next(iter(files.values())).stem
        raise BadInputError(f"{stem}.now is missing; it holds the starting units")
    if ".mdf" in files:
        source = Source(files[".mdf"].name)
        definition = read_mdf(read_text(files[".mdf"]), source)
    else:
        definition = read_mdf(write_mdf(load_map()), Source("the standard map"))
    names = Names(definition, numbers_for(files, definition), titles_for(files))
    board = board_without_start(definition, names, files[".now"].stem.lower())
    board = evolve(board, start=start_position(files, board, names))
    for flaw in flaws(board):
        raise fault_for(flaw, definition, names, files)
    return board


def numbers_for(files: Mapping[str, Path], definition: MapDefinition) -> Numbers | None:
    """Read the `.rem`, if there is one, and hold it against the map."""
    if ".rem" not in files:
        return None
    numbers = read_rem(read_text(files[".rem"]), Source(files[".rem"].name))
    if not numbers.lines:
        return None
    for is_power, listed in ((True, definition.powers), (False, definition.provinces)):
        table = numbers.powers if is_power else numbers.provinces
        for (kind, name), line in numbers.lines.items():
            if kind is is_power and name not in listed:
                text = f"{definition.source.name} does not have {name}; its number is left out"
                numbers.source.mended(line, text)
                table.pop(next(index for index, known in table.items() if known == name))
        for name in listed:
            if name not in table.values():
                last = max(numbers.lines.values())
                numbers.source.mended(last, f"there is no line for {name}; it is numbered last")
                table[max(table, default=-1) + 1] = name
    return numbers


def titles_for(files: Mapping[str, Path]) -> dict[str, list[str]]:
    """Read the `.nam`, if there is one; the standard map has its names without."""
    if ".nam" in files:
        return read_nam(read_text(files[".nam"]), Source(files[".nam"].name))
    if ".mdf" in files:
        return {}
    standard = load_map()
    powers = {f"{each.name}:": [each.title, each.adjective] for each in standard.powers}
    return powers | {each.name: [each.title] for each in standard.provinces}


class Names:
    """The powers and provinces of a variant by the names its files use."""

    def __init__(
        self, definition: MapDefinition, numbers: Numbers | None, titles: dict[str, list[str]]
    ) -> None:
        taken = set(LANGUAGE)
        codes = {name: free_code(name, taken) for name in definition.powers}
        self.powers = {name: power(codes[name], name, titles) for name in definition.powers}
        codes = {name: free_code(name, taken) for name in definition.provinces}
        self.provinces = {
            name: province(codes[name], name, definition, titles) for name in definition.provinces
        }
        self.numbers = numbers

    def powers_in_order(self) -> tuple[Power, ...]:
        """Return the powers by number, or as the map lists them."""
        if self.numbers:
            return tuple(self.powers[name] for _, name in sorted(self.numbers.powers.items()))
        return tuple(sorted(self.powers.values(), key=lambda power: power.name))

    def provinces_in_order(self) -> tuple[Province, ...]:
        """Return the provinces by number, or in the order of the standard map or our own."""
        if self.numbers:
            return tuple(self.provinces[name] for _, name in sorted(self.numbers.provinces.items()))
        standard = [province.name for province in load_map().provinces]
        if sorted(standard) == sorted(self.provinces):
            return tuple(self.provinces[name] for name in standard)
        return tuple(sorted(self.provinces.values(), key=usual_order))

    def location(self, place: PlaceName) -> Location:
        """Return the location for a name and coast."""
        return Location(self.provinces[place[0]], place[1])


def free_code(name: str, taken: set[str]) -> str:
    """Return the name, or a similar code if it is a word of the language or used already.

    On the wire names are numbers, so other programs never notice.
    """
    code = name
    if name in taken:
        similar = (name[:keep] + "".join(end) for keep, end in code_endings())
        code = next(candidate for candidate in similar if candidate not in taken)
    taken.add(code)
    return code


def code_endings() -> Iterable[tuple[int, tuple[str, ...]]]:
    """Yield how many letters to keep, and what to put behind them."""
    for keep in (2, 1):
        for end in product(digits[1:] + ascii_uppercase, repeat=3 - keep):
            yield keep, end


def power(code: str, name: str, titles: Mapping[str, list[str]]) -> Power:
    """Make a power with its full name, which is its code if nobody said more."""
    title, *adjective = titles.get(name + ":") or titles.get(name) or [name]
    return Power(code, title, adjective[0] if adjective else title)


def province(
    code: str, name: str, definition: MapDefinition, titles: Mapping[str, list[str]]
) -> Province:
    """Make a province; its borders say of what terrain it is."""
    coasts = definition.coasts(name)
    if name not in definition.army:
        terrain = Terrain.SEA
    elif not coasts:
        terrain = Terrain.INLAND
    else:
        terrain = Terrain.COASTAL if coasts == [None] else Terrain.MULTI_COAST
    return Province(code, terrain, name in definition.centers, titles.get(name, [name])[0])


def board_without_start(definition: MapDefinition, names: Names, title: str) -> Board:
    """Make the board of a map definition; nothing stands on it yet."""
    provinces = names.provinces
    return Board(
        name=title,
        title=title,
        powers=names.powers_in_order(),
        provinces=names.provinces_in_order(),
        homes={
            names.powers[owner]: tuple(provinces[name] for name in homes)
            for owner, homes in definition.homes.items()
        },
        army_borders={
            provinces[name]: tuple(provinces[neighbor] for neighbor in neighbors)
            for name, neighbors in definition.army.items()
        },
        fleet_borders={
            names.location(place): tuple(map(names.location, neighbors))
            for place, neighbors in definition.fleet.items()
        },
        start=load_map().start,
    )


def start_position(files: Mapping[str, Path], board: Board, names: Names) -> Position:
    """Put the starting units and owners on the board."""
    source = Source(files[".now"].name)
    start = read_now(read_text(files[".now"]), source)
    units = []
    for owner, kind, place in start.units:
        if place[0] not in names.provinces:
            raise source.fault(owner.line, f"no such province: {place[0]!r}")
        unit = Unit(known_power(names, owner, source), UnitKind(kind), names.location(place))
        check_place(board, unit, source, owner.line)
        units.append(unit)
    return Position(
        turn=start.turn,
        units=tuple(sorted(units, key=by_province)),
        dislodged=(),
        owners=start_owners(files, board, names),
    )


def check_place(board: Board, unit: Unit, source: Source, line: int) -> None:
    """Complain about a unit that cannot stand where it is put."""
    places = (
        board.fleet_borders
        if unit.kind is UnitKind.FLEET
        else {Location(province) for province in board.army_borders}
    )
    if unit.location not in places:
        kind = unit.kind.name.lower()
        hint = " without naming a coast" if unit.location.coast is None else ""
        hint = hint if unit.location.province.terrain is Terrain.MULTI_COAST else ""
        raise source.fault(line, f"no {kind} can stand in {unit.location}{hint}")


def start_owners(files: Mapping[str, Path], board: Board, names: Names) -> dict[Province, Power]:
    """Return who owns what at the start."""
    owners: dict[Province, Power] = {}
    if ".sco" not in files:
        for center in board.centers:
            claims = [power for power in board.powers if center in board.homes[power]]
            if len(claims) == 1:
                owners[center] = claims[0]
        return owners
    source = Source(files[".sco"].name)
    for owner, word in read_sco(read_text(files[".sco"]), source):
        if word.text not in names.provinces:
            raise source.fault(word.line, f"no such province: {word.text!r}")
        place = names.provinces[word.text]
        if not place.is_center:
            raise source.fault(word.line, f"{word.text} is no supply center")
        power = known_power(names, owner, source)
        if owners.get(place, power) != power:
            raise source.fault(word.line, f"{word.text} already belongs to {owners[place]}")
        if place in owners:
            source.mended(word.line, f"{word.text} is listed twice; once is enough")
        owners[place] = power
    return owners


def known_power(names: Names, word: Word, source: Source) -> Power:
    """Look up a power."""
    try:
        return names.powers[word.text]
    except KeyError:
        raise source.fault(word.line, f"no such power: {word.text!r}") from None


def fault_for(
    flaw: Flaw, definition: MapDefinition, names: Names, files: Mapping[str, Path]
) -> BadInputError:
    """Say in which file and line a flaw of the finished board is."""
    if flaw.field == "units":
        return BadInputError(f"{files['.now'].name}: {flaw.text}")
    originals = {place.name: name for name, place in names.provinces.items()}
    line = definition.lines.get(originals.get(flaw.name, flaw.name), 1)
    return definition.source.fault(line, flaw.text)
