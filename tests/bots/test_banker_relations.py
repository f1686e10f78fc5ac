"""Where a banker stands with the others: what is near, what lies between, whom it turns on."""

from random import Random

import pytest
from attrs import evolve

from bots.banker.relations import (
    Manners,
    Prospects,
    buffers,
    near_units,
    next_victim,
    provinces_of,
)
from bots.unit_places import unit_places_of
from bots.view import GameView
from rules.orders import UnitKind
from rules.places import Location, Power, Province
from rules.position import Position
from tests.bots.positions import BOARD, FALL, owners_of, position, view

PLACES = unit_places_of(BOARD)
ENGLAND, FRANCE, GERMANY, ITALY = (BOARD.power(name) for name in ("ENG", "FRA", "GER", "ITA"))


def steps_to(where: GameView, steps: int) -> set[Province]:
    """Walk every unit step by step, as the board has it."""
    here = {(unit.kind, unit.location) for unit in where.units}
    for _ in range(steps):
        for kind, place in list(here):
            if kind is UnitKind.FLEET:
                here |= {(kind, to) for to in BOARD.fleet_borders[place]}
            else:
                here |= {(kind, Location(to)) for to in BOARD.army_borders[place.province]}
    return {place.province for _, place in here}


@pytest.mark.parametrize("steps", range(5))
@pytest.mark.parametrize("power", ["ENG", "RUS", "TUR"])
def test_what_is_near_is_what_units_can_come_to(power: str, steps: int) -> None:
    seen = view(power)
    assert near_units(PLACES, seen, steps) == steps_to(seen, steps)


def test_coasts_part_what_a_fleet_comes_to() -> None:
    south = view("RUS", position(RUS="F STP/SCS"))
    north = view("RUS", position(RUS="F STP/NCS"))
    names = [{each.name for each in near_units(PLACES, each, 1)} for each in (south, north)]
    assert names == [{"STP", "FIN", "LVN", "GOB"}, {"STP", "BAR", "NWY"}]


def test_prospects_count_centers_by_owner() -> None:
    where = position(FRA="A BUR", owners="FRA PAR MAR, GER MUN, ENG BEL")
    prospects = Prospects(view("FRA", where), 1)
    counts = [prospects.centers_of(power) for power in (FRANCE, GERMANY, ENGLAND, ITALY, None)]
    assert counts == [2, 1, 1, 0, 0]
    assert prospects.open_to([]) == 2
    assert prospects.open_to([GERMANY]) == 1
    assert prospects.open_to([GERMANY, ENGLAND]) == 0
    assert Prospects(view("FRA", where), 2).centers_of(None) > 0


def test_a_powers_provinces_are_its_centers_and_its_units() -> None:
    where = position(GER="A RUH", ITA="A VEN", owners="GER MUN, ITA ROM")
    found = provinces_of([GERMANY], view("FRA", where))
    assert {each.name for each in found} == {"RUH", "MUN"}
    assert provinces_of([], view("FRA", where)) == set()
    assert provinces_of([ENGLAND], view("FRA", where)) == set()


def test_buffers_are_empty_and_border_homes_of_both() -> None:
    # Burgundy lies between Paris, Marseilles and Munich; nothing else borders homes of both.
    where = position(GER="A BER", FRA="A BRE", owners="FRA PAR MAR BRE, GER MUN BER KIE")
    assert [each.name for each in buffers(view("FRA", where), GERMANY)] == ["BUR"]
    occupied = position(ITA="A BUR", owners="FRA PAR MAR BRE, GER MUN BER KIE")
    assert buffers(view("FRA", occupied), GERMANY) == []
    lost = position(GER="A BER", owners="FRA PAR MAR BRE, GER BER KIE")
    assert buffers(view("FRA", lost), GERMANY) == []


@pytest.mark.parametrize("seed", range(20))
def test_buffers_are_the_same_from_both_sides(seed: int) -> None:
    random = Random(seed)
    owners = dict(BOARD.start.owners)
    for center in random.sample(list(owners), 6):
        owners[center] = random.choice(BOARD.powers)
    where = evolve(BOARD.start, owners=owners)
    one, other = random.sample(BOARD.powers, 2)
    found = buffers(view(one.name, where), other)
    assert found == buffers(view(other.name, where), one)
    assert not any(each.is_center for each in found)


def surrounded() -> Position:
    """Return a fall in which France has three units, and around it all is taken."""
    return evolve(
        position(FALL, FRA="A BUR, A GAS, A PIC", GER="A RUH", ENG="F NTH", ITA="A PIE"),
        owners=owners_of(
            {
                "FRA": ["PAR", "MAR", "BRE", "SPA", "POR"],
                "GER": ["MUN", "HOL", "KIE", "BER", "DEN"],
                "ENG": ["BEL", "LON"],
                "ITA": ["ROM", "VEN"],
            }
        ),
    )


def victim(friends: set[Power], partners: set[Power] | None = None, **manners: int) -> Power | None:
    return next_victim(
        view("FRA", surrounded()), friends, partners or set(), Manners(reach=2, **manners)
    )


def test_nobody_is_attacked_while_there_is_something_else_to_win() -> None:
    assert victim({ENGLAND, GERMANY, ITALY}, units_per_prize=1000) is not None
    assert victim({ENGLAND}, units_per_prize=1000) is None
    assert victim(set()) is None


def test_the_victim_is_the_friend_with_most_to_win_for_least_resistance() -> None:
    seen = view("FRA", surrounded())
    prospects = Prospects(seen, 2)
    friends = {ENGLAND, GERMANY, ITALY}
    worth = {
        power: prospects.centers_of(power) / (1 + len(seen.centers[power])) for power in friends
    }
    assert victim(friends) == max(friends, key=lambda power: worth[power])


def test_partners_are_left_in_peace_as_long_as_there_are_strangers() -> None:
    friends = {ENGLAND, GERMANY, ITALY}
    first = victim(friends)
    assert first is not None
    second = victim(friends, {first})
    assert second not in (None, first)
    assert victim(friends, friends) in friends


def test_a_partner_that_is_larger_is_never_the_victim() -> None:
    where = surrounded()
    owners = {center: GERMANY for center in where.owners if where.owners[center] != FRANCE}
    alone = evolve(where, owners={**where.owners, **owners})
    seen = view(
        "FRA", evolve(alone, units=tuple(u for u in where.units if u.power in (FRANCE, GERMANY)))
    )
    assert len(seen.centers[GERMANY]) > len(seen.centers[FRANCE])
    assert next_victim(seen, {GERMANY}, {GERMANY}, Manners()) is None
    assert next_victim(seen, {GERMANY}, set(), Manners()) == GERMANY
