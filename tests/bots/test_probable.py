from time import process_time

import pytest
from attrs import evolve

from bots.dumbbot.tactic import DumbBot
from bots.probable.tactic import Probable
from bots.strategy import Bot
from rules.errors import BadInputError
from rules.kernel import IS_COMPILED
from rules.legality import judge_order
from rules.notation import parse_province
from rules.orders import Convoy, Move, MoveByConvoy, OrderNote, SupportMove
from rules.places import Power
from server.settings import GameSettings
from tests.bots.in_memory import Room
from tests.bots.positions import order, position, view_of
from tests.bots.talking import BOARD, ENGLAND, FRANCE


@pytest.mark.parametrize("power", BOARD.powers)
def test_every_order_is_legal_and_every_unit_has_one(power: Power) -> None:
    view = view_of(BOARD.start, power)
    given = Probable().choose_orders(view)
    assert {each.unit for each in given if hasattr(each, "unit")} == set(view.units)
    for each in given:
        assert judge_order(BOARD, BOARD.start, each, power) is OrderNote.MIGHT_BE_VALID


def test_the_same_chances_give_the_same_orders() -> None:
    given = [Probable().choose_orders(view_of(BOARD.start, seed=7)) for _ in range(2)]
    assert given[0] == given[1]


def test_without_time_there_are_orders_all_the_same() -> None:
    view = evolve(view_of(BOARD.start), seconds=0.0)
    assert len(Probable().choose_orders(view)) == len(view.units)


def test_an_empty_center_of_an_enemy_is_taken_in_fall() -> None:
    where = position(FRA="A BUR", GER="F KIE")
    assert order(where, FRANCE, "A BUR - MUN") in Probable().choose_orders(view_of(where))


def test_two_units_take_together_what_one_cannot() -> None:
    where = position(FRA="A BUR, A RUH", GER="A MUN")
    given = Probable().choose_orders(view_of(where))
    assert {type(each) for each in given} == {Move, SupportMove}


def test_an_army_crosses_the_sea() -> None:
    where = position(ENG="A YOR, F NTH", GER="F KIE")
    given = Probable().choose_orders(view_of(where, ENGLAND))
    assert {type(each) for each in given} == {MoveByConvoy, Convoy}


def test_promises_are_kept_and_closed_provinces_are_not_entered() -> None:
    where = position(FRA="A BUR", GER="F KIE")
    held = order(where, FRANCE, "A BUR H")
    assert Probable().choose_orders(view_of(where, promised=(held,))) == [held]
    closed = frozenset({parse_province(BOARD, "MUN")})
    given = Probable().choose_orders(view_of(where, closed=closed))
    assert order(where, FRANCE, "A BUR - MUN") not in given


def test_a_power_without_units_orders_nothing() -> None:
    assert Probable().choose_orders(view_of(position(GER="F KIE"))) == []


@pytest.mark.skipif(not IS_COMPILED, reason="the kernel is not compiled here")
def test_a_turn_costs_few_milliseconds() -> None:
    tactic, view = Probable(), view_of(BOARD.start)
    tactic.choose_orders(view)
    began = process_time()
    for _ in range(5):
        tactic.choose_orders(view)
    assert process_time() - began < 5 * 0.05


def test_rounds_are_bounded() -> None:
    with pytest.raises(BadInputError, match="rounds: must be from 0 to 1,000, not -1"):
        Probable(rounds=-1)


def test_it_is_better_than_dumbbot() -> None:
    settings = GameSettings(last_year=1908, seats={"bot 0": "FRA"})
    sizes = []
    for seed in range(3):
        bots = [Bot(Probable()), *(Bot(DumbBot()) for _ in range(6))]
        room = Room(bots, settings, seed=seed)
        owners = list(room.play().position.owners.values())
        assert room.faults() == []
        sizes.append(owners.count(FRANCE))
    assert sum(sizes) > 3 * 2 * len(BOARD.centers) / 7
