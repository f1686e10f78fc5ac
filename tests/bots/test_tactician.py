import pytest
from attrs import evolve

from bots.dumbbot.tactic import DumbBot
from bots.strategy import Bot
from bots.tactician.tactic import Tactician
from rules.legality import judge_order
from rules.notation import parse_province, parse_unit
from rules.orders import (
    Convoy,
    Disband,
    Move,
    MoveByConvoy,
    OrderNote,
    Retreat,
    SupportMove,
)
from rules.places import Power
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn
from server.settings import GameSettings
from tests.bots.in_memory import Room
from tests.bots.positions import order, position, view_of
from tests.bots.talking import BOARD, ENGLAND, FRANCE, GERMANY


@pytest.mark.parametrize("power", BOARD.powers)
def test_every_order_is_legal_and_every_unit_has_one(power: Power) -> None:
    view = view_of(BOARD.start, power)
    given = Tactician().choose_orders(view)
    assert [each.unit for each in given if hasattr(each, "unit")] == list(view.units)
    for each in given:
        assert judge_order(BOARD, BOARD.start, each, power) is OrderNote.MIGHT_BE_VALID


def test_the_same_chances_give_the_same_orders() -> None:
    given = [Tactician().choose_orders(view_of(BOARD.start, seed=7)) for _ in range(2)]
    assert given[0] == given[1]


def test_without_time_there_are_orders_all_the_same() -> None:
    view = evolve(view_of(BOARD.start), seconds=0.0)
    assert len(Tactician().choose_orders(view)) == len(view.units)


def test_asking_again_changes_nothing() -> None:
    tactic, view = Tactician(), view_of(BOARD.start)
    assert tactic.choose_orders(view) == tactic.choose_orders(view)


def test_an_empty_center_of_an_enemy_is_taken_in_fall() -> None:
    where = position(FRA="A BUR", GER="F KIE")
    assert order(where, FRANCE, "A BUR - MUN") in Tactician().choose_orders(view_of(where))


def test_two_units_take_together_what_one_cannot() -> None:
    where = position(FRA="A BUR, A RUH", GER="A MUN")
    given = Tactician().choose_orders(view_of(where))
    assert {type(each) for each in given} == {Move, SupportMove}
    (move,) = (each for each in given if isinstance(each, Move))
    assert move.destination.province == parse_province(BOARD, "MUN")


def test_an_army_crosses_the_sea() -> None:
    where = position(ENG="A YOR, F NTH", GER="F KIE")
    given = Tactician().choose_orders(view_of(where, ENGLAND))
    assert {type(each) for each in given} == {MoveByConvoy, Convoy}


def test_closed_provinces_are_not_entered() -> None:
    where = position(FRA="A BUR", GER="F KIE")
    closed = frozenset({parse_province(BOARD, "MUN")})
    given = Tactician().choose_orders(view_of(where, closed=closed))
    assert order(where, FRANCE, "A BUR - MUN") not in given


def test_promises_are_kept() -> None:
    where = position(FRA="A BUR", GER="F KIE")
    promise = order(where, FRANCE, "A BUR H")
    assert Tactician().choose_orders(view_of(where, promised=(promise,))) == [promise]


def test_promised_support_is_used() -> None:
    where = position(FRA="A BUR", ENG="A RUH", GER="A MUN")
    support = order(where, ENGLAND, "A RUH S A BUR - MUN")
    given = Tactician().choose_orders(view_of(where, expected=(support,)))
    assert given == [order(where, FRANCE, "A BUR - MUN")]


def test_the_help_that_is_wanted_is_the_one_that_takes_a_center() -> None:
    where = position(FRA="A BUR", ENG="A RUH, F NTH", GER="A MUN")
    view = view_of(where, attitudes={ENGLAND: 0.0})
    best = max(Tactician().wanted_help(view, [ENGLAND]), key=lambda each: each.gain)
    assert best.order == order(where, ENGLAND, "A RUH S A BUR - MUN")
    assert best.ours == order(where, FRANCE, "A BUR - MUN")
    assert Tactician().wanted_help(view, [GERMANY]) == []


def test_giving_up_a_center_costs_more_than_waiting_elsewhere() -> None:
    where = position(FRA="A BUR, A SPA", GER="F KIE")
    tactic, view = Tactician(), view_of(where)
    idle, greedy = (order(where, FRANCE, text) for text in ("A SPA H", "A BUR H"))
    assert tactic.loss_of(view, greedy) > tactic.loss_of(view, idle)  # type: ignore[arg-type]  # orders of movement


def test_a_retreat_keeps_out_of_closed_provinces() -> None:
    unit = parse_unit(BOARD, FRANCE, "A BUR")
    places = tuple(
        each for each in BOARD.destinations(unit) if each.province.name in ("PAR", "MUN")
    )
    where = Position(Turn(Season.AUTUMN, 1903), (), (DislodgedUnit(unit, places),), {})
    provinces = {place.province: place for place in places}
    for closed, other in (("PAR", "MUN"), ("MUN", "PAR")):
        view = view_of(where, closed=frozenset({parse_province(BOARD, closed)}))
        place = provinces[parse_province(BOARD, other)]
        assert Tactician().choose_orders(view) == [Retreat(unit, place)]
    assert Tactician().choose_orders(view_of(where, closed=frozenset(provinces))) == [Disband(unit)]


def test_it_is_better_than_dumbbot() -> None:
    settings = GameSettings(last_year=1906, seats={"bot 0": "TUR"})
    bots = [Bot(Tactician(scenarios=6)), *(Bot(DumbBot()) for _ in range(6))]
    game = Room(bots, settings, seed=2).play()
    sizes = sorted(list(game.position.owners.values()).count(power) for power in BOARD.powers)
    turkey = list(game.position.owners.values()).count(BOARD.power("TUR"))
    assert turkey == sizes[-1] > sizes[-2]
