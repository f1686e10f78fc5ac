"""Who can go where, as Project20M counts it: held against the board itself."""

from random import Random

import pytest
from attrs import evolve

from bots.project20m.front import Front
from bots.view import Beliefs
from rules.kernel.encode import codec_of
from rules.orders import SupportHold, SupportMove
from rules.places import Power
from rules.position import Position
from rules.turns import Phase, Season, Turn
from tests.bots.positions import BOARD, FALL, order, position, view

FRANCE, GERMANY, ENGLAND = (BOARD.power(name) for name in ("FRA", "GER", "ENG"))


def province(front: Front, name: str) -> int:
    return front.unit_places.province_index[BOARD.province(name)]


def movement_positions() -> list[Position]:
    codec = codec_of(BOARD)
    state = codec.load(BOARD.start, codec.new_simulator())
    state.seed(21)
    found = [BOARD.start]
    for _ in range(30):
        state.step_by_dice()
        found.append(codec.position(state))
    return [each for each in found if each.turn.phase is Phase.MOVEMENT]


def can_enter(where: Position, power: Power, name: str) -> int:
    """Count the units of a power that could go to a province, by the board."""
    goal = BOARD.province(name)
    return sum(
        any(place.province == goal for place in BOARD.destinations(unit))
        for unit in where.units
        if unit.power == power
    )


@pytest.mark.parametrize("where", movement_positions()[::3])
def test_threats_and_strength_are_counted_as_the_board_has_it(where: Position) -> None:
    random = Random(5)
    for power in BOARD.powers:
        front = Front(view(power.name, where))
        for each in random.sample(BOARD.provinces, 25):
            number = province(front, each.name)
            others = sum(
                can_enter(where, other, each.name) for other in BOARD.powers if other != power
            )
            assert front.resistance(number) == others
            assert front.strength(number) == can_enter(where, power, each.name)
            assert (number in front.threatened) is (others > 0)


def test_friends_and_those_with_agreed_orders_are_no_threat() -> None:
    where = position(FRA="A PAR", GER="A BUR, A MUN", ENG="A PIC")
    helper = order(where, GERMANY, "A BUR H")
    beliefs = Beliefs(attitudes={ENGLAND: 0.4}, expected=(helper,))
    plain, calmer = Front(view("FRA", where)), Front(view("FRA", where, beliefs=beliefs))
    paris = province(plain, "PAR")
    assert (plain.resistance(paris), calmer.resistance(paris)) == (2, 0)
    burgundy = province(plain, "BUR")
    assert calmer.resistance(burgundy) == plain.resistance(burgundy) - 1
    # They stand where they stand all the same.
    assert burgundy in calmer.occupants


@pytest.mark.parametrize(
    ("units", "owners", "name", "needed"),
    [
        ({"FRA": "A PAR"}, "FRA PAR", "BUR", 0),
        ({"FRA": "A PAR", "GER": "A MUN"}, "FRA PAR", "BUR", 1),
        ({"FRA": "A PAR", "GER": "A MUN, A RUH"}, "FRA PAR", "BUR", 2),
        ({"FRA": "A PAR", "GER": "A BUR"}, "FRA PAR", "BUR", 1),
        ({"FRA": "A PAR", "GER": "A BUR, A MUN"}, "FRA PAR", "BUR", 2),
        # In an empty center of our own a bounce is as good.
        ({"FRA": "A GAS", "GER": "A BUR"}, "FRA PAR", "PAR", 0),
        ({"FRA": "A GAS", "GER": "A BUR, A PIC"}, "FRA PAR", "PAR", 1),
        ({"FRA": "A GAS", "GER": "A BUR, A PIC"}, "", "PAR", 2),
    ],
)
def test_so_many_supports_make_a_move_safe(
    units: dict[str, str], owners: str, name: str, needed: int
) -> None:
    front = Front(view("FRA", position(FALL, owners, **units)))
    assert front.needed(province(front, name)) == needed


def test_promised_help_counts_for_moves_and_for_staying() -> None:
    where = position(FRA="A PAR, A MAR", GER="A MUN, A RUH", ENG="A PIC, A GAS")
    units = {unit.location.province.name: unit for unit in where.units}
    move = SupportMove(units["PIC"], units["PAR"], BOARD.province("BUR"))
    stay = SupportHold(units["GAS"], units["MAR"])
    front = Front(view("FRA", where, beliefs=Beliefs(expected=(move, stay))))
    alone = Front(view("FRA", where))
    burgundy, marseilles = province(front, "BUR"), alone.at[province(alone, "MAR")]
    # Neither of the helpers is a threat any more, and one of them helps.
    assert alone.needed(burgundy) - front.needed(burgundy) == 3
    assert front.needed_to_stay(marseilles) == 0


def test_what_is_worth_going_to_is_wider_in_spring() -> None:
    where = position(FRA="A PAR", GER="A MUN", owners="FRA PAR MAR BRE, GER MUN")
    fall = Front(view("FRA", where))
    spring = Front(view("FRA", evolve(where, turn=Turn(Season.SPRING, 1903))))
    assert province(fall, "MUN") in fall.targets
    assert province(fall, "BUR") not in fall.targets
    assert province(spring, "BUR") in spring.targets
    assert fall.targets < spring.targets
    # Nobody comes near Brest, so nobody has to guard it.
    assert province(fall, "BRE") not in fall.targets
