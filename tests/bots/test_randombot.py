from random import Random

import pytest

from bots.randombot.tactic import RandomBot
from bots.view import GameView
from rules.legality import judge_order
from rules.maps import load_map
from rules.orders import Build, Order, OrderNote, Retreat, SupportHold, SupportMove, Waive
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn

BOARD = load_map()
FRANCE = BOARD.power("FRA")
UNITS = tuple(unit for unit in BOARD.start.units if unit.power == FRANCE)


def orders(position: Position, seed: int = 1) -> list[Order]:
    view = GameView(board=BOARD, power=FRANCE, position=position, random=Random(seed))
    return list(RandomBot().choose_orders(view))


def winter(units: int, centers: int) -> Position:
    owned = [center for center in BOARD.centers if BOARD.start.owners.get(center) != FRANCE]
    homes = [center for center in BOARD.centers if BOARD.start.owners.get(center) == FRANCE]
    owners = dict.fromkeys((homes + owned)[:centers], FRANCE)
    return Position(Turn(Season.WINTER, 1901), UNITS[:units], (), owners)


@pytest.mark.parametrize("seed", range(20))
def test_every_order_is_legal_and_every_unit_has_one(seed: int) -> None:
    given = orders(BOARD.start, seed)
    assert len(given) == len(UNITS)
    for order in given:
        assert judge_order(BOARD, BOARD.start, order, FRANCE) is OrderNote.MIGHT_BE_VALID


def test_units_that_stay_support_their_neighbours() -> None:
    given = [order for seed in range(200) for order in orders(BOARD.start, seed)]
    assert any(isinstance(order, SupportMove) for order in given)
    assert any(isinstance(order, SupportHold) for order in given)


def test_retreats_are_drawn_from_all_that_are_open() -> None:
    places = tuple(BOARD.destinations(UNITS[0])[:2])
    out = DislodgedUnit(UNITS[0], places)
    position = Position(Turn(Season.SUMMER, 1901), (), (out,), {})
    drawn = {orders(position, seed)[0] for seed in range(30)}
    assert drawn == {Retreat(UNITS[0], place) for place in places}


def test_builds_take_different_homes_and_the_rest_is_waived() -> None:
    given = orders(winter(0, 5))
    built = {order.unit.location.province for order in given if isinstance(order, Build)}
    assert len(built) == 3
    assert given.count(Waive(FRANCE)) == 2


def test_removals_are_of_different_units() -> None:
    given = orders(winter(3, 1))
    assert len(set(given)) == 2
