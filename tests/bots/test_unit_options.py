"""What a unit may do together with others of its power, and nobody else's."""

import pytest

from bots.unit_options import UnitOptions
from bots.view import Beliefs, GameView
from rules.kernel import Simulator
from rules.kernel.codes import HOLD, MOVE, MOVE_BY_CONVOY, SUPPORT_HOLD, kind_of, target_of
from rules.kernel.encode import codec_of
from rules.maps import load_map
from rules.orders import Convoy, Hold, Order, SupportHold, SupportMove, Unit, UnitKind
from rules.places import Location
from rules.position import Position
from rules.turns import Season, Turn

BOARD = load_map()
CODEC = codec_of(BOARD)
ENGLAND, FRANCE = BOARD.power("ENG"), BOARD.power("FRA")


def unit(power: str, text: str) -> Unit:
    kind, place = text.split()
    return Unit(
        BOARD.power(power),
        UnitKind.ARMY if kind == "A" else UnitKind.FLEET,
        Location(BOARD.province(place)),
    )


UNITS = [
    unit("ENG", "A YOR"),
    unit("ENG", "F NTH"),
    unit("ENG", "F ECH"),
    unit("ENG", "A BEL"),
    unit("FRA", "A PIC"),
]


def state() -> Simulator:
    position = Position(Turn(Season.SPRING, 1902), tuple(UNITS), (), {})
    return CODEC.load_units(position, CODEC.new_simulator())


def index(name: str) -> int:
    return CODEC.province_index[BOARD.province(name)]


def options_of(name: str, *closed: str) -> UnitOptions:
    movers = [CODEC.mover(each) for each in UNITS if each.power == ENGLAND]
    return UnitOptions(state(), index(name), movers, {index(each) for each in closed})


def goals(options: UnitOptions) -> set[int]:
    return {goal for _, goal in options.moves}


def test_every_legal_order_for_ones_own_is_there_once() -> None:
    simulator, found = state(), options_of("BEL")
    helped = {CODEC.mover(each) for each in UNITS if each.power == ENGLAND}
    wanted = [
        code
        for code in simulator.legal(index("BEL"))
        if kind_of(code) in (HOLD, MOVE)
        or (kind_of(code) == SUPPORT_HOLD and code >> 24 & 1023 in helped)
    ]
    mine = [found.hold, *found.holds, *(code for code, _ in found.moves)]
    assert sorted(mine) == sorted(wanted)
    assert found.hold == CODEC.code(Hold(unit("ENG", "A BEL")))


def test_foreign_units_are_not_helped() -> None:
    found = options_of("BEL")
    french = CODEC.mover(unit("FRA", "A PIC"))
    assert all(mover != french for mover, _ in found.supports)
    assert CODEC.code(SupportHold(unit("ENG", "A BEL"), unit("FRA", "A PIC"))) not in found.holds


def test_supports_are_found_by_whom_they_help_and_where() -> None:
    found, fleet = options_of("ECH"), unit("ENG", "F NTH")
    army = unit("ENG", "A BEL")
    wanted = CODEC.code(SupportMove(unit("ENG", "F ECH"), army, BOARD.province("PIC")))
    assert found.supports[CODEC.mover(army), index("PIC")] == wanted
    assert (CODEC.mover(fleet), index("PIC")) not in found.supports


def test_voyages_cross_one_sea_and_fleets_carry_to_the_same_goals() -> None:
    army, fleet = options_of("YOR"), options_of("NTH")
    assert {sea for _, _, sea in army.voyages} == {index("NTH")}
    assert {kind_of(code) for code, _, _ in army.voyages} == {MOVE_BY_CONVOY}
    for code, goal, _ in army.voyages:
        assert CODEC.tables.province_of[target_of(code)] == goal
        carried = Convoy(unit("ENG", "F NTH"), unit("ENG", "A YOR"), BOARD.provinces[goal])
        assert fleet.convoys[army.mover, goal] == CODEC.code(carried)


def test_closed_provinces_are_neither_entered_nor_helped_into() -> None:
    before, after = options_of("BEL"), options_of("BEL", "PIC", "BUR")
    assert goals(before) - goals(after) == {index("PIC"), index("BUR")}
    assert all(goal not in (index("PIC"), index("BUR")) for _, goal in after.supports)
    barred = next(code for code, goal in before.moves if goal == index("PIC"))
    kept = after.moves[0][0]
    assert [after.open_to(each) for each in (barred, kept, None)] == [after.hold, kept, after.hold]
    assert after.open_to(before.hold) == before.hold


# --- what others have promised --------------------------------------------------------------------


@pytest.mark.parametrize("power", ["ENG", "FRA"])
def test_promised_help_is_counted_where_it_helps_us(power: str) -> None:
    army, fleet = unit("ENG", "A BEL"), unit("ENG", "F NTH")
    other = unit("FRA", "A PIC")
    expected: tuple[Order, ...] = (
        SupportMove(other, army, BOARD.province("HOL")),
        SupportMove(unit("FRA", "A RUH"), army, BOARD.province("HOL")),
        SupportHold(other, fleet),
        Hold(other),
        SupportHold(unit("ENG", "F ECH"), other),
    )
    position = Position(Turn(Season.SPRING, 1902), tuple(UNITS), (), {})
    view = GameView(
        board=BOARD,
        power=BOARD.power(power),
        position=position,
        beliefs=Beliefs(expected=expected),
    )
    found = {province.name: count for province, count in view.promised_help.items()}
    assert found == ({"HOL": 2, "NTH": 1} if power == "ENG" else {"PIC": 1})
