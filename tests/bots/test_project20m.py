from random import Random

import pytest
from attrs import evolve

from bots.dumbbot.tactic import DumbBot
from bots.project20m.front import Front
from bots.project20m.tactic import Project20M
from bots.project20m.values import beaches, place_values
from bots.strategy import Bot
from bots.unit_places import unit_places_of
from rules.legality import judge_order
from rules.notation import parse_province
from rules.orders import Build, Convoy, Hold, Move, MoveByConvoy, OrderNote, SupportMove, UnitKind
from rules.places import Location, Power
from rules.turns import Season, Turn
from server.settings import GameSettings
from tests.bots.in_memory import Room
from tests.bots.positions import order, position, view_of
from tests.bots.talking import BOARD, ENGLAND, FRANCE, GERMANY

PLACES = unit_places_of(BOARD)
SPRING = Turn(Season.SPRING, 1904)


def province(name: str) -> int:
    return PLACES.province_index[parse_province(BOARD, name)]


def army_place(name: str) -> int:
    return PLACES.index(UnitKind.ARMY, Location(parse_province(BOARD, name)))


@pytest.mark.parametrize("power", BOARD.powers)
def test_every_order_is_legal_and_every_unit_has_one(power: Power) -> None:
    view = view_of(BOARD.start, power)
    given = Project20M().choose_orders(view)
    assert {each.unit for each in given if hasattr(each, "unit")} == set(view.units)
    for each in given:
        assert judge_order(BOARD, BOARD.start, each, power) is OrderNote.MIGHT_BE_VALID


def test_the_same_chances_give_the_same_orders_however_often_they_are_asked_for() -> None:
    tactic, view = Project20M(), view_of(BOARD.start, seed=7)
    first = tactic.choose_orders(view)
    assert tactic.choose_orders(evolve(view, random=Random(7))) == first
    assert Project20M().choose_orders(view_of(BOARD.start, seed=7)) == first


def test_an_army_feels_beaches_beyond_one_sea_but_not_beyond_two() -> None:
    here = army_place("LON")
    names = {PLACES.locations[each].province.name for each in beaches(PLACES, here)}
    assert {"NWY", "BEL", "HOL", "DEN", "BRE", "PIC"} <= names
    assert not names & {"LON", "YOR", "WAL", "SWE", "TUN"}


def test_neutral_centers_count_as_those_of_the_weakest_power() -> None:
    small = evolve(position(SPRING, FRA="A BUR", GER="A MUN"), owners={})
    owned = {center: GERMANY for center in BOARD.centers if center.name in ("MUN", "BER", "KIE")}
    values = {}
    for name, owners in (("neutral", {}), ("theirs", owned)):
        view = view_of(evolve(small, owners=owners))
        values[name] = place_values(view, Front(view).threatened)[army_place("RUH")]
    assert values["theirs"] > values["neutral"] > 0


def test_two_units_take_together_what_one_cannot() -> None:
    where = position(FRA="A BUR, A RUH", GER="A MUN")
    given = Project20M().choose_orders(view_of(where))
    assert {type(each) for each in given} == {Move, SupportMove}


def test_one_unit_alone_does_not_run_against_a_held_center() -> None:
    where = position(FRA="A BUR", GER="A MUN")
    assert order(where, FRANCE, "A BUR - MUN") not in Project20M().choose_orders(view_of(where))


def test_a_lacking_support_is_wanted_of_those_who_could_give_it() -> None:
    where = position(FRA="A BUR, A RUH", ENG="A TYR", GER="A MUN, A BER")
    wanted = Project20M().wanted_help(view_of(where), [ENGLAND])
    assert {each.partner for each in wanted} == {ENGLAND}
    (best,) = (each for each in wanted if isinstance(each.ours, Move))
    assert isinstance(best.order, SupportMove)
    assert best.order.destination == parse_province(BOARD, "MUN")
    assert best.gain == 1.0
    # Nobody is asked to help against its own power.
    assert Project20M().wanted_help(view_of(where), [GERMANY]) == []


def test_promised_help_is_counted_on() -> None:
    where = position(FRA="A BUR", ENG="A TYR", GER="A MUN")
    support = order(where, ENGLAND, "A TYR S A BUR - MUN")
    given = Project20M().choose_orders(view_of(where, expected=(support,)))
    assert given == [order(where, FRANCE, "A BUR - MUN")]


def test_promises_are_kept_and_closed_provinces_are_not_entered() -> None:
    where = position(FRA="A BUR", GER="F KIE")
    held = order(where, FRANCE, "A BUR H")
    assert Project20M().choose_orders(view_of(where)) == [order(where, FRANCE, "A BUR - MUN")]
    assert Project20M().choose_orders(view_of(where, promised=(held,))) == [held]
    closed = frozenset({parse_province(BOARD, "MUN")})
    given = Project20M().choose_orders(view_of(where, closed=closed))
    assert order(where, FRANCE, "A BUR - MUN") not in given


def test_who_guards_a_center_attacks_its_only_enemy() -> None:
    where = position(FRA="A PAR", GER="A BUR")
    closed = frozenset(parse_province(BOARD, name) for name in ("BRE", "GAS", "PIC"))
    given = Project20M().choose_orders(view_of(where, closed=closed))
    assert given == [order(where, FRANCE, "A PAR - BUR")]


def test_a_fleet_carries_an_army_to_a_center() -> None:
    where = position(ENG="A YOR, F NTH", GER="F KIE")
    given = Project20M().choose_orders(view_of(where, ENGLAND))
    assert {type(each) for each in given} == {MoveByConvoy, Convoy}


def test_a_unit_in_the_way_is_sent_on() -> None:
    where = position(SPRING, FRA="A MAR, A BUR", GER="F KIE")
    given = Project20M().choose_orders(view_of(where))
    goals = {each.destination.province for each in given if isinstance(each, Move)}
    assert parse_province(BOARD, "MUN") in goals
    assert not any(isinstance(each, Hold) for each in given)


def test_a_wish_that_failed_gives_way_now_and_then() -> None:
    where = position(SPRING, FRA="A BUR", GER="F KIE")
    later = evolve(where, turn=Turn(Season.SPRING, 1905))
    again = 0
    for seed in range(200):
        tactic = Project20M()
        first = tactic.choose_orders(view_of(where, seed=seed))
        again += tactic.choose_orders(view_of(later, seed=seed)) == first
    assert 160 <= again <= 195


def test_it_clearly_beats_dumbbot() -> None:
    settings = GameSettings(last_year=1908, seats={"bot 0": "FRA"})
    sizes = []
    for seed in range(3):
        bots = [Bot(Project20M()), *(Bot(DumbBot()) for _ in range(6))]
        room = Room(bots, settings, seed=seed)
        owners = list(room.play().position.owners.values())
        assert room.faults() == []
        sizes.append(owners.count(FRANCE))
    assert sum(sizes) > 3 * 2 * len(BOARD.centers) / 7


def test_it_builds_all_it_may() -> None:
    view = view_of(position(Turn(Season.WINTER, 1904), GER="F KIE"))
    homes = [
        each.unit.location.province
        for each in Project20M().choose_orders(view)
        if isinstance(each, Build)
    ]
    assert sorted(homes, key=str) == sorted(BOARD.homes[FRANCE], key=str)
