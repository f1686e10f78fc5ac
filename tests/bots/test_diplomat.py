import pytest
from attrs import evolve

from bots.banker.market import MarketTalk
from bots.diplomat.clusters import Clusters, JoinedPlan
from bots.diplomat.diplomat import diplomat
from bots.diplomat.tactic import Diplomat
from bots.project20m.front import Front
from rules.legality import judge_order
from rules.notation import parse_province
from rules.orders import Move, OrderNote, SupportMove
from rules.places import Power
from rules.turns import Season, Turn
from server.settings import GameSettings
from tests.bots.in_memory import Room, press_heard
from tests.bots.positions import order, position, view_of
from tests.bots.talking import BOARD, ENGLAND, FRANCE


@pytest.mark.parametrize("power", BOARD.powers)
def test_every_order_is_legal_and_every_unit_has_one(power: Power) -> None:
    view = view_of(BOARD.start, power)
    given = Diplomat().choose_orders(view)
    assert {each.unit for each in given if hasattr(each, "unit")} == set(view.units)
    for each in given:
        assert judge_order(BOARD, BOARD.start, each, power) is OrderNote.MIGHT_BE_VALID


def test_a_cluster_takes_together_what_one_unit_cannot() -> None:
    where = position(FRA="A BUR, A RUH", GER="A MUN")
    given = Diplomat().choose_orders(view_of(where))
    assert {type(each) for each in given} == {Move, SupportMove}


def test_no_unit_has_a_part_in_two_plans_and_no_target_two_plans() -> None:
    where = position(FRA="A BUR, A RUH, A PIC, A BEL, F NTH", GER="A MUN, A KIE, F HOL")
    view = view_of(where)
    front = Front(view)
    values = Diplomat()._dumbbot.value_map(view)
    joined = JoinedPlan(front, Clusters(front, values, 0.5))
    units = [unit for plan in joined.chosen for unit in plan.units]
    targets = [plan.target for plan in joined.chosen]
    assert len(set(units)) == len(units)
    assert len(set(targets)) == len(targets)
    assert joined.worth == sum(plan.chance * plan.prize for plan in joined.chosen)


def test_promises_are_kept_and_cost_what_the_plan_loses() -> None:
    where = position(FRA="A BUR", GER="F KIE")
    held = order(where, FRANCE, "A BUR H")
    assert Diplomat().choose_orders(view_of(where)) == [order(where, FRANCE, "A BUR - MUN")]
    assert Diplomat().choose_orders(view_of(where, promised=(held,))) == [held]
    assert Diplomat().loss_of(view_of(where), held) > 0  # type: ignore[arg-type]  # an order of movement


def test_closed_provinces_are_not_entered() -> None:
    where = position(FRA="A BUR", GER="F KIE")
    closed = frozenset({parse_province(BOARD, "MUN")})
    given = Diplomat().choose_orders(view_of(where, closed=closed))
    assert order(where, FRANCE, "A BUR - MUN") not in given


def test_help_is_wanted_where_it_changes_the_chance() -> None:
    where = position(FRA="A BUR", ENG="A TYR", GER="A MUN, A BER")
    support = order(where, ENGLAND, "A TYR S A BUR - MUN")
    view = view_of(where, expected=(support,))
    wanted = Diplomat().wanted_help(view_of(where), [ENGLAND])
    assert [each.order for each in wanted] == [support]
    assert wanted[0].ours == order(where, FRANCE, "A BUR - MUN")
    assert wanted[0].gain > 0
    assert Diplomat().worth(view) > Diplomat().worth(view_of(where))


def test_expected_help_makes_a_plan_good() -> None:
    where = position(Turn(Season.FALL, 1903), FRA="A BUR", ENG="A TYR", GER="A MUN")
    support = order(where, ENGLAND, "A TYR S A BUR - MUN")
    given = Diplomat().choose_orders(view_of(where, expected=(support,)))
    assert given == [order(where, FRANCE, "A BUR - MUN")]


def test_it_trades_on_the_market_without_faults() -> None:
    assert isinstance(diplomat().negotiator, MarketTalk)
    settings = GameSettings(last_year=1903, level=20, press_rounds=6)
    room = Room([diplomat() for _ in range(7)], settings, seed=2)
    room.play()
    assert room.faults() == []
    assert press_heard(room)


def test_without_units_there_is_nothing_to_order() -> None:
    view = evolve(view_of(position(GER="F KIE")))
    assert Diplomat().choose_orders(view) == []
