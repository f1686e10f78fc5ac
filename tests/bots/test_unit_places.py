"""The numbered unit places of a board say what the board says."""

import pytest

from bots.unit_places import UnitPlaces, unit_places_of
from rules.board import Board
from rules.maps import load_map, map_names
from rules.orders import Unit, UnitKind
from rules.places import Coast, Location
from tests.bots.positions import BOARD


@pytest.fixture(params=map_names())
def places(request: pytest.FixtureRequest) -> UnitPlaces:
    return unit_places_of(load_map(request.param))


def named(places: UnitPlaces, numbers: tuple[int, ...]) -> list[tuple[UnitKind, Location]]:
    return [(places.kinds[each], places.locations[each]) for each in numbers]


def test_every_place_of_a_unit_has_one_number(places: UnitPlaces) -> None:
    board: Board = places.board
    keys = list(zip(places.kinds, places.locations, strict=True))
    assert len(set(keys)) == len(keys) == len(places)
    assert set(keys) == {(UnitKind.ARMY, Location(each)) for each in board.army_borders} | {
        (UnitKind.FLEET, each) for each in board.fleet_borders
    }
    for number, (kind, place) in enumerate(keys):
        assert places.index(kind, place) == number
        assert places.of(Unit(board.powers[0], kind, place)) == number
        assert number in places.in_home(place.province)
        assert places.provinces[places.province_of[number]] == place.province
    assert sorted(each for group in places.in_province for each in group) == list(range(len(keys)))


def test_borders_are_those_of_the_board_and_go_both_ways(places: UnitPlaces) -> None:
    board = places.board
    for number, (kind, place) in enumerate(zip(places.kinds, places.locations, strict=True)):
        unit = Unit(board.powers[0], kind, place)
        there = [location for _, location in named(places, places.borders[number])]
        assert set(there) == set(board.destinations(unit))
        assert {places.kinds[each] for each in places.borders[number]} <= {kind}
        assert list(places.borders[number]) == sorted(places.borders[number])
        assert all(number in places.borders[each] for each in places.borders[number])
        reached = [places.province_index[each.province] for each in there]
        assert sorted(places.reach[number]) == sorted(reached)


def test_numbers_go_by_province_then_armies_before_fleets_then_coasts() -> None:
    places = unit_places_of(BOARD)
    assert list(places.province_of) == sorted(places.province_of)
    spain = [
        (kind, place.coast) for kind, place in named(places, places.in_home(BOARD.province("SPA")))
    ]
    assert spain == [
        (UnitKind.ARMY, None),
        (UnitKind.FLEET, Coast.NORTH),
        (UnitKind.FLEET, Coast.SOUTH),
    ]


def test_a_province_with_two_coasts_in_reach_comes_twice() -> None:
    places = unit_places_of(BOARD)
    ocean = places.index(UnitKind.FLEET, Location(BOARD.province("MAO")))
    spain = places.province_index[BOARD.province("SPA")]
    assert places.reach[ocean].count(spain) == 2


def test_what_is_summed_up_counts_every_neighbouring_province_once(places: UnitPlaces) -> None:
    for number, sources in enumerate(places.sources):
        assert sources[0] == number
        members = [
            places.twins[each - len(places)] if each >= len(places) else (each,)
            for each in sources[1:]
        ]
        assert sorted(each for group in members for each in group) == list(places.borders[number])
        provinces = [{places.province_of[each] for each in group} for group in members]
        assert all(len(each) == 1 for each in provinces)
        assert len(set().union(*provinces)) == len(members)
    assert len(set(places.twins)) == len(places.twins)


def test_who_stands_where_is_found_once_for_a_position(places: UnitPlaces) -> None:
    start = places.board.start
    standing = places.standing(start)
    assert places.standing(start) is standing
    for unit, place, power in zip(start.units, standing.places, standing.powers, strict=True):
        assert places.locations[place] == unit.location
        assert places.board.powers[power] == unit.power
    for center, owner in zip(places.board.centers, standing.owners, strict=True):
        expected = start.owners.get(center)
        assert (places.board.powers[owner] if owner >= 0 else None) == expected
    assert sum(standing.sizes) == len(start.owners)
