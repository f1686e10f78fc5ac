"""Maps and variants: those we ship, those of other servers, and broken ones."""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from rules.board import Board
from rules.board_checks import flaws
from rules.errors import BadInputError, MendedInputWarning
from rules.map_definition import write_mdf
from rules.maps import FOLDER, announced_name, board_from_json, load_map, map_names
from rules.numbering import power_numbers, province_numbers
from rules.orders import UnitKind
from rules.places import Coast, Location, Terrain
from rules.variant_writer import write_variant
from rules.variants import LANGUAGE, load_board, load_variant

DATA = Path(__file__).parents[1] / "data"
CREEK = DATA / "variants" / "creek"
PATCHED = DATA / "variants" / "patched"


def facts(board: Board) -> dict[str, object]:
    """Return all that matters of a board, in a form that compares."""
    return {
        "powers": [(power.name, power.title, power.adjective) for power in board.powers],
        "provinces": [(p.name, p.terrain, p.is_center, p.title) for p in board.provinces],
        "homes": {power: frozenset(homes) for power, homes in board.homes.items()},
        "army": {place: frozenset(to) for place, to in board.army_borders.items()},
        "fleet": {place: frozenset(to) for place, to in board.fleet_borders.items()},
        "start": board.start,
    }


def as_sets(text: str) -> object:
    """Return a bracketed text without the order of the entries inside a bracket."""
    levels: list[list[object]] = [[]]
    for piece in re.findall(r"[()]|\w+", text):
        if piece == "(":
            levels.append([])
        elif piece == ")":
            done = levels.pop()
            levels[-1].append(frozenset(Counter(done).items()))
        else:
            levels[-1].append(piece)
    return levels[0]


@pytest.mark.parametrize("name", map_names())
class TestEveryShippedMap:
    def test_has_no_flaws(self, name: str) -> None:
        assert list(flaws(load_map(name))) == []

    def test_uses_no_word_of_the_language_as_a_name(self, name: str) -> None:
        board = load_map(name)
        names = {power.name for power in board.powers} | {p.name for p in board.provinces}
        assert not names & LANGUAGE

    def test_can_be_travelled_from_end_to_end(self, name: str) -> None:
        board = load_map(name)
        reached = {board.provinces[0]}
        edges = [(a, b) for a, to in board.army_borders.items() for b in to]
        edges += [(a.province, b.province) for a, to in board.fleet_borders.items() for b in to]
        for _ in board.provinces:
            reached |= {there for here, there in edges if here in reached}
        assert reached == set(board.provinces)

    def test_survives_being_written_and_read_as_variant_files(
        self, name: str, tmp_path: Path
    ) -> None:
        board = load_map(name)
        write_variant(board, tmp_path)
        assert facts(load_variant(tmp_path)) == facts(board)

    def test_writes_the_same_mdf_after_a_round_trip(self, name: str, tmp_path: Path) -> None:
        write_variant(load_map(name), tmp_path)
        again = write_mdf(load_variant(tmp_path))
        assert as_sets(again) == as_sets(write_mdf(load_map(name)))

    def test_is_called_like_its_file(self, name: str) -> None:
        assert load_map(name).name == name


def test_the_standard_map_writes_the_known_mdf() -> None:
    text = write_mdf(load_map())
    assert len(re.findall(r"[()]|\w+", text)) == 1281
    assert as_sets(text) == as_sets((DATA / "standard.mdf").read_text())


def test_the_standard_map_has_the_known_numbers() -> None:
    board = load_map()
    powers, provinces = power_numbers(board), province_numbers(board)
    assert powers[0x4100].name == "AUS"
    known = {0x5000: "BOH", 0x521C: "NTH", 0x574A: "STP"}
    assert {number: provinces[number].name for number in known} == known


def test_the_small_boards_have_what_they_are_made_for() -> None:
    lagoon, winds = load_map("lagoon"), load_map("fourwinds")
    assert (len(lagoon.powers), len(lagoon.provinces), lagoon.centers_to_win) == (3, 11, 5)
    assert lagoon.army_borders[lagoon.province("TOR")] == ()
    assert lagoon.province("SPT").terrain is Terrain.MULTI_COAST
    assert (len(winds.powers), len(winds.provinces), winds.centers_to_win) == (4, 35, 10)
    assert all(winds.province("KEL") in homes for homes in winds.homes.values())
    assert len(winds.start.units) < len(winds.start.owners)


class TestVariantFolder:
    def test_powers_and_provinces_come_in_the_order_of_their_numbers(self) -> None:
        board = load_variant(CREEK)
        assert [power.name for power in board.powers] == ["ELM", "OAK"]
        assert [p.name for p in board.provinces] == [
            *("FEN", "HUT", "CRK", "LAK", "ISL", "BR1", "PON", "BOG")
        ]

    def test_terrain_follows_the_map_and_not_the_number(self) -> None:
        board = load_variant(CREEK)
        assert board.province("ISL").terrain is Terrain.COASTAL
        assert province_numbers(board)[0x5504].name == "ISL"

    def test_a_name_that_is_a_word_of_the_language_gets_another_code(self) -> None:
        assert load_variant(CREEK).province("BR1").title == "Bramble"

    def test_homes_may_be_shared_and_centers_neutral(self) -> None:
        board = load_variant(CREEK)
        homes = {power.name: {home.name for home in board.homes[power]} for power in board.powers}
        assert homes == {"OAK": {"HUT", "BR1", "ISL"}, "ELM": {"PON", "ISL"}}
        assert board.centers_to_win == 3

    def test_the_start_comes_from_now_and_sco(self) -> None:
        board = load_variant(CREEK)
        assert str(board.start.turn) == "SPR 1801"
        fleets = [unit for unit in board.start.units if unit.kind is UnitKind.FLEET]
        assert [unit.location for unit in fleets] == [Location(board.province("BOG"), Coast.NORTH)]
        assert {c.name: p.name for c, p in board.start.owners.items()} == {
            "HUT": "OAK",
            "BR1": "OAK",
            "BOG": "OAK",
            "PON": "ELM",
        }

    def test_without_sco_powers_own_the_homes_they_share_with_nobody(self, tmp_path: Path) -> None:
        folder = copied(tmp_path)
        (folder / "creek.sco").unlink()
        owners = load_variant(folder).start.owners
        assert {c.name: p.name for c, p in owners.items()} == {
            "HUT": "OAK",
            "BR1": "OAK",
            "PON": "ELM",
        }

    def test_without_rem_and_nam_it_still_loads(self, tmp_path: Path) -> None:
        folder = copied(tmp_path)
        (folder / "creek.rem").unlink()
        (folder / "creek.nam").unlink()
        board = load_variant(folder)
        assert [power.name for power in board.powers] == ["ELM", "OAK"]
        assert board.province("BR1").title == "BRA"

    def test_without_mdf_the_standard_map_is_played(self, tmp_path: Path) -> None:
        (tmp_path / "rome.now").write_text("NOW (SPR 1898) (ITA FLT rom) (RUS FLT (STP SCS))")
        (tmp_path / "rome.sco").write_text("SCO (ITA rom) (RUS stp)")
        board = load_variant(tmp_path)
        for fact in ("powers", "provinces", "homes", "army", "fleet"):
            assert facts(board)[fact] == facts(load_map())[fact]
        assert len(board.start.owners) == 2

    def test_a_folder_of_many_variants_wants_one_named(self, tmp_path: Path) -> None:
        folder = copied(tmp_path)
        (folder / "Other.now").write_text("NOW (SPR 1901)")
        with pytest.raises(BadInputError, match=r"several variants .* creek, other"):
            load_variant(folder)
        assert load_variant(folder / "CREEK").name == "creek"
        assert load_variant(folder / "creek.mdf").name == "creek"


def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CREEK, tmp_path / "variant"))


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        ("mdf", "(LAK(FLT Bra", "(LAK((FLT Bra", r"creek.mdf, line 9: this '\(' is never closed"),
        ("mdf", "(AMY Hut Pon))\n)", "(AMY Hut Pon))\n))", r"creek.mdf, line 17: a '\)' without"),
        ("mdf", "(Fen (AMY", "(Fen (ARM", "creek.mdf, line 16: expected AMY, FLT or"),
        ("mdf", "(AMY Hut Pon)", "(AMY Hut Pxn)", "creek.mdf, line 16: no such province: 'PXN'"),
        ("mdf", "(AMY Hut Pon)", "(AMY Hut)", "creek.mdf, line 11: army border from PON to FEN"),
        ("mdf", "(AMY Hut Pon)", "(AMY Hut Pon LAK)", "line 16: armies cannot stand in LAK"),
        ("mdf", "CRK (Bog NCS)", "CRK Bog", "line 14: .* BOG; name one of its coasts NCS SCS"),
        ("mdf", "CRK (Bog NCS)", "CRK (Bog NXS)", "line 14: no such coast: 'NXS'"),
        ("mdf", "  (Isl(AMY)(FLT LAK CRK))\n", "", "line 5: ISL has no borders"),
        ("mdf", "( UNO Bog )", "( OHM Bog )", "line 6: no such power: 'OHM'"),
        ("NOW", "(elm AMY Pon)", "(elm AMY LAK)", "creek.NOW, line 4: no army can stand in LAK"),
        ("NOW", "(elm AMY Pon)", "(elm FLT Bog)", "line 4: no fleet .* without naming a coast"),
        ("NOW", "(elm AMY Pon)", "(elm AMY Hut)", "creek.NOW: there are two units in HUT"),
        ("NOW", "(elm AMY Pon)", "(ohm AMY Pon)", "creek.NOW, line 4: no such power: 'OHM'"),
        ("NOW", "SPR 1801", "SPR MMI", "creek.NOW, line 1: no such year: 'MMI'"),
        ("NOW", "SPR 1801", "SPR 9000", "creek.NOW, line 1: no such year: '9000'"),
        ("NOW", "SPR 1801", "SPR 0", "creek.NOW, line 1: no such year: '0'"),
        ("NOW", "SPR 1801", "XMAS 1801", "creek.NOW, line 1: no such season: 'XMAS'"),
        ("sco", "(elm Pon)", "(elm Fen)", "creek.sco, line 2: FEN is no supply center"),
        ("sco", "(elm Pon)", "(elm Pon Hut)", "creek.sco, line 2: HUT already belongs to OAK"),
        ("mdf", "( LAK Crk\n", "( LAK Crk Pon\n", "line 7: PON is listed as a center and as none"),
        ("rem", "5707:Bog", "5706:Bog", "creek.rem, line 11: the last two digits of 5706"),
        ("rem", "5707:Bog", "4807:Bog", "creek.rem, line 11: 4807 is neither a power"),
        ("rem", "5707:Bog", "57:Bog", "creek.rem, line 11: expected a number and a name"),
        ("nam", "Fen:Fens", "Fens", "creek.nam, line 11: expected CODE:Name"),
    ],
)
def test_a_broken_variant_file_is_named_with_its_line(
    tmp_path: Path, file: str, old: str, new: str, complaint: str
) -> None:
    folder = copied(tmp_path)
    path = folder / f"creek.{file}"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(BadInputError, match=complaint):
        load_variant(folder)


def test_what_does_no_harm_is_mended_with_a_warning_that_names_the_line() -> None:
    with pytest.warns(MendedInputWarning) as caught:
        board = load_variant(PATCHED)
    assert [str(warning.message) for warning in caught] == [
        "patched.mdf, line 3: FEN is listed twice; once is enough",
        "patched.mdf, line 10: DAM has borders but is in no list; taken for one without a center",
        "patched.mdf, line 4: HUT borders itself; that is left out",
        "patched.mdf, line 5: FEN borders PON twice",
        "patched.mdf, line 7: BOG borders itself; that is left out",
        "patched.mdf, line 9: no army can come to LAK, a sea; its list for armies is left out",
        "patched.rem, line 10: patched.mdf does not have WAY; its number is left out",
        "patched.rem, line 10: there is no line for DAM; it is numbered last",
        "patched.sco, line 1: HUT is listed twice; once is enough",
    ]
    assert list(flaws(board)) == []
    assert [p.name for p in board.provinces] == ["FEN", "HUT", "LAK", "ISL", "PON", "BOG", "DAM"]
    assert board.province("LAK").terrain is Terrain.SEA
    assert board.province("ISL").terrain is Terrain.COASTAL
    assert board.province("DAM").terrain is Terrain.INLAND
    hut, fen, dam = map(board.province, ("HUT", "FEN", "DAM"))
    assert board.army_borders[hut] == (fen, dam)


def test_a_number_that_is_missing_comes_last(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    path = folder / "creek.rem"
    path.write_text(path.read_text().replace("5505:Bra\n", "").replace("4100:elm\n", ""))
    with pytest.warns(MendedInputWarning, match=r"creek.rem, line 9: there is no line for"):
        board = load_variant(folder)
    assert board.provinces[-1].name == "BR1"
    assert [power.name for power in board.powers] == ["OAK", "ELM"]


def test_a_command_says_in_one_line_what_was_mended() -> None:
    line = '{"turn": ["SPR", 1901], "units": {}, "orders": []}'
    command = [sys.executable, "-m", "cli", "adjudicate", "--variant", str(PATCHED)]
    done = subprocess.run(command, input=line, capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 1
    remarks = [text for text in done.stderr.splitlines() if "patched" in text]
    assert len(remarks) == 9
    assert all(text.startswith("daide adjudicate: patched.") for text in remarks)


class TestAnnouncedName:
    def test_standard_borders_with_other_units_are_announced_as_standard(self) -> None:
        rome = load_variant(DATA / "variants" / "rome")
        assert rome.name == "rome"
        assert announced_name(rome) == "standard"
        fleets = [unit for unit in rome.start.units if unit.kind is UnitKind.FLEET]
        assert Location(rome.province("ROM")) in [unit.location for unit in fleets]

    @pytest.mark.parametrize("name", map_names())
    def test_shipped_maps_have_their_own_names(self, name: str) -> None:
        assert announced_name(load_map(name)) == name

    @pytest.mark.parametrize(
        "changes",
        [
            {"( ITA NAP ROM VEN )": "( ITA ROM VEN ) ( UNO NAP )"},
            {"( ROM ( AMY": "( ROM ( AMY MUN", "( MUN ( AMY": "( MUN ( AMY ROM"},
            {"ITA RUS TUR )": "ITA RUS TUR ZZZ )"},
        ],
        ids=["homes", "borders", "powers"],
    )
    def test_another_map_keeps_its_own(self, tmp_path: Path, changes: dict[str, str]) -> None:
        text = " ".join(write_mdf(load_map()).split())
        for old, new in changes.items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        (tmp_path / "odd.mdf").write_text(text)
        (tmp_path / "odd.now").write_text("NOW ( SPR 1901 ) ( ITA AMY ROM )")
        assert announced_name(load_variant(tmp_path)) == "odd"


def test_a_folder_without_a_start_says_which_file_is_missing(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "creek.NOW").unlink()
    with pytest.raises(BadInputError, match=r"creek.now is missing"):
        load_variant(folder)


def lagoon_with(*path: str, value: object) -> dict[str, Any]:
    """Return the JSON of the lagoon with one field changed, or taken out for None."""
    data: dict[str, Any] = json.loads((FOLDER / "lagoon.json").read_text())
    node = data
    for key in path[:-1]:
        node = node[key]
    if value is None:
        del node[path[-1]]
    else:
        node[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "complaint"),
    [
        (("title",), None, "mine.json: the field 'title' is missing"),
        (("start",), ["SPR"], "field start: expected a season and a year"),
        (("start",), ["SPR", True], "field start: expected a season and a year"),
        (("start",), ["SPR", 8192], "field start: expected a season and a year"),
        (("powers", "AMB", "homes"), None, "field powers.AMB: the field 'homes' is missing"),
        (("powers", "AMB", "homes"), "GUM", "field powers.AMB.homes: expected a list"),
        (("powers", "AMB", "homes"), ["MOR"], "field powers.AMB.homes: MOR is no supply center"),
        (("powers", "AMB", "units"), ["A XXX"], "field powers.AMB.units: no such province: 'XXX'"),
        (("powers", "AMB", "units"), ["A NLA"], "powers.AMB.units: no army can stand in NLA"),
        (("powers", "AMB", "units"), ["F SPT"], "powers.AMB.units: no fleet .* coasts NCS SCS"),
        (("powers", "AMB", "units"), ["A REE"], "units: there are two units in REE"),
        (("powers", "AMB", "units"), ["Z REE"], "expected a unit such as"),
        (("powers", "AMB", "centers"), ["REE"], "centers: REE already belongs to|COR.centers: REE"),
        (("provinces", "MOR", "army"), ["NAC"], "NAC.*|OYS.army: army border from OYS to MOR"),
        (("provinces", "MOR", "army"), [1], "field provinces.MOR.army: expected text in quotes"),
        (("provinces", "MOR", "army"), None, "field provinces.MOR: neither 'army' nor 'fleet'"),
        (("provinces", "TOR", "fleet"), ["NLA/XCS"], "provinces.TOR.fleet: no such coast: 'XCS'"),
        (("provinces", "TOR", "fleet"), ["NLA"], "SLA.fleet: fleet border from SLA to TOR"),
        (("provinces", "TOR", "title"), 3, "field provinces.TOR.title: expected text"),
    ],
)
def test_a_broken_json_map_is_named_with_its_field(
    path: tuple[str, ...], value: object, complaint: str
) -> None:
    with pytest.raises(BadInputError, match=complaint):
        board_from_json(lagoon_with(*path, value=value), "mine.json")


class TestLoadBoard:
    def test_takes_the_name_of_a_shipped_map_in_any_case(self) -> None:
        assert load_board("Lagoon") is load_map("lagoon")

    def test_takes_a_folder(self) -> None:
        assert load_board(str(CREEK)).name == "creek"

    def test_takes_a_json_file(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.json"
        path.write_text(json.dumps(lagoon_with("title", value="Mine")))
        assert load_board(path).title == "Mine"

    def test_names_the_line_of_broken_json(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.json"
        path.write_text('{"name": "x",\n oops}')
        with pytest.raises(BadInputError, match=r"mine.json, line 2: "):
            load_board(path)

    def test_says_that_brackets_are_nested_too_deeply(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.json"
        path.write_text("[" * 100_000)
        with pytest.raises(BadInputError, match=r"mine.json: nested too deeply"):
            load_board(path)

    def test_lists_the_maps_when_there_is_no_such_thing(self) -> None:
        with pytest.raises(BadInputError, match=r"no such variant: 'atlantis'.*fourwinds, lagoon"):
            load_board("atlantis")
        with pytest.raises(BadInputError, match="no variant files"):
            load_board("no/such/folder")
