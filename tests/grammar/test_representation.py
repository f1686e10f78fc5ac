"""Representation messages: which powers and provinces a game has, and under which numbers."""

import pytest

from grammar import messages as m
from grammar.parse import HIGHEST_LEVEL, Garbled, Sender, parse, reader_for
from grammar.press import AskOrder
from grammar.representation import (
    BadRepresentationError,
    Representation,
    standard_representation,
)
from grammar.text import from_text, to_text
from grammar.write import write
from grammar.writer import UnknownNameError
from rules.maps import load_map
from rules.orders import Unit, UnitKind
from rules.places import Location, Power, Province, Terrain
from rules.turns import Season, Turn

SMALL = (
    (0x4100, "NRD"),
    (0x4101, "SUD"),
    (0x5100, "ALF"),
    (0x5201, "BTA"),
    (0x5502, "GMM"),
)


def test_empty_message_stands_for_the_standard_map() -> None:
    assert Representation.from_entries(()) is standard_representation()
    assert standard_representation().entries() == ()


def test_full_list_of_the_standard_map_is_accepted_in_any_order() -> None:
    entries = standard_representation().all_entries()
    assert len(entries) == 7 + 75
    assert Representation.from_entries(entries) is standard_representation()
    assert Representation.from_entries(reversed(entries)) is standard_representation()


def test_powers_come_first_and_provinces_by_number() -> None:
    names = [name for _, name in standard_representation().all_entries()]
    assert names[:8] == ["AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR", "BOH"]
    assert names[-1] == "STP"


def test_numbers_of_a_board_are_those_of_its_representation() -> None:
    names = Representation.from_board(load_map("standard"))
    assert names.power_tokens["RUS"] == 0x4105
    assert names.province_tokens["STP"] == 0x574A
    assert names.provinces[0x574A].terrain is Terrain.MULTI_COAST


def test_other_map_is_read_and_listed_again() -> None:
    names = Representation.from_entries(SMALL)
    assert names.entries() == SMALL
    assert names.powers == {0x4100: Power("NRD"), 0x4101: Power("SUD")}
    assert names.provinces[0x5201].is_sea
    assert not names.provinces[0x5201].is_center
    assert names.provinces[0x5502].is_center
    assert names.provinces[0x5502].terrain is Terrain.COASTAL


@pytest.mark.parametrize(
    ("category", "terrain", "is_center"),
    [
        (0x50, Terrain.INLAND, False),
        (0x51, Terrain.INLAND, True),
        (0x52, Terrain.SEA, False),
        (0x53, Terrain.SEA, True),
        (0x54, Terrain.COASTAL, False),
        (0x55, Terrain.COASTAL, True),
        (0x56, Terrain.MULTI_COAST, False),
        (0x57, Terrain.MULTI_COAST, True),
    ],
)
def test_category_tells_terrain_and_center(
    category: int, terrain: Terrain, *, is_center: bool
) -> None:
    names = Representation.from_entries([(0x4100, "ONE"), (category << 8, "ABC")])
    province = names.provinces[category << 8]
    assert (province.terrain, province.is_center) == (terrain, is_center)


def test_names_may_hold_digits_and_repeat_standard_ones() -> None:
    names = Representation.from_entries([(0x4100, "P1A"), (0x5100, "ENG"), (0x5201, "M25")])
    assert names.province_tokens == {"ENG": 0x5100, "M25": 0x5201}


def test_256_provinces_are_accepted() -> None:
    provinces = [(0x5000 | index, f"{index:03X}") for index in range(256)]
    names = Representation.from_entries([(0x4100, "ONE"), *provinces])
    assert len(names.provinces) == 256


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ([(0x4100, "ONE"), (0x4200, "TWO")], "'TWO' has the token 0x4200"),
        ([(0x4100, "ONE"), (0x5800, "TWO")], "'TWO' has the token 0x5800"),
        ([(0x4100, "ONE"), (0x0001, "TWO")], "'TWO' has the token 0x0001"),
        ([(0x4100, "one")], "'one' is not three capital letters or digits"),
        ([(0x4100, "ON")], "'ON' is not three"),
        ([(0x4100, "FOUR")], "'FOUR' is not three"),
        ([(0x4100, "A B")], "'A B' is not three"),
        ([(0x4100, "ÄÖÜ")], "'ÄÖÜ' is not three"),
        ([(0x4100, "PRP")], "'PRP' is a word of the language"),
        ([(0x4100, "ONE"), (0x5100, "NCS")], "'NCS' is a word of the language"),
        ([(0x4100, "ONE"), (0x5100, "ONE")], "a name is listed twice"),
        ([(0x4100, "ONE"), (0x4100, "TWO")], "numbers of the powers do not run from 0"),
        ([(0x4101, "ONE")], "numbers of the powers do not run from 0"),
        ([(0x4100, "ONE"), (0x5101, "ABC")], "numbers of the provinces do not run from 0"),
        (
            [(0x4100, "ONE"), (0x5100, "ABC"), (0x5200, "DEF")],
            "numbers of the provinces do not run from 0",
        ),
    ],
)
def test_each_breach_of_the_rules_is_named(entries: list[tuple[int, str]], why: str) -> None:
    with pytest.raises(BadRepresentationError, match=why):
        Representation.from_entries(entries)


def test_standard_names_are_unknown_where_another_map_is_listed() -> None:
    names = Representation.from_entries(SMALL)
    text = "IAM ( NRD ) ( 1 )"
    assert parse(from_text(text, names), representation=names) == m.IAm(Power("NRD"), 1)
    foreign = from_text("IAM ( ITA ) ( 1 )")
    assert parse(foreign, representation=names) == Garbled(foreign, 2)


def test_messages_about_another_map_are_read_and_written_with_its_numbers() -> None:
    names = Representation.from_entries(SMALL)
    text = "NOW ( SPR 1 ) ( NRD AMY ALF ) ( SUD FLT BTA )"
    tokens = from_text(text, names)
    now = parse(tokens, 0, sender=Sender.SERVER, representation=names)
    assert isinstance(now, m.Now)
    assert now.units[0] == Unit(Power("NRD"), UnitKind.ARMY, Location(Province("ALF")))
    assert write(now, names) == tokens
    assert to_text(write(now, names), names) == text


def test_centers_of_another_map_are_told_by_their_category() -> None:
    names = Representation.from_entries(SMALL)
    tokens = from_text("SCO ( NRD ALF BTA )", names)
    fault = parse(tokens, 0, sender=Sender.SERVER, representation=names)
    assert fault == Garbled(tokens, 4)


def test_writing_a_power_or_province_that_the_game_does_not_have_names_it() -> None:
    names = Representation.from_entries(SMALL)
    with pytest.raises(UnknownNameError, match="no such power in this game: 'ENG'"):
        write(m.IAm(Power("ENG"), 1), names)
    unit = Unit(Power("NRD"), UnitKind.ARMY, Location(Province("LON")))
    with pytest.raises(UnknownNameError, match="no such province in this game: 'LON'"):
        write(m.Now(Turn(Season.SPRING, 1), (unit,)), names)


def test_provinces_of_different_maps_keep_apart_though_they_share_a_name() -> None:
    sea = Representation.from_entries([(0x4100, "NRD"), (0x5200, "ALF")])
    land = Representation.from_entries([(0x4100, "NRD"), (0x5000, "ALF")])
    units = []
    for names in (sea, land):
        read = reader_for(HIGHEST_LEVEL, names).press(from_text("WHT ( NRD AMY ALF )", names))
        assert isinstance(read, AskOrder)
        units.append(read.unit)
    assert [unit.location.province.is_sea for unit in units] == [True, False]
