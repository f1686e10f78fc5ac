"""Chances of orders: plain and compiled agree, and they are what one would expect."""

import pytest

from bots.kernel import Chances, Playouts
from bots.kernel.chances import Chances as PlainChances
from bots.kernel.habits import DUMBBOT
from bots.kernel.playouts import Playouts as PlainPlayouts
from bots.probable.changes import changes_of
from rules.kernel import IS_COMPILED
from rules.kernel.codes import FINE
from rules.kernel.encode import codec_of
from rules.kernel.simulator import Simulator as PlainSimulator
from rules.notation import parse_order
from rules.position import Position
from tests.bots.positions import position
from tests.bots.talking import BOARD

CODEC = codec_of(BOARD)
WORTH = 10.0


class Table:
    """A position in which only a few places are worth anything to anybody."""

    def __init__(self, where: Position, **worths: float) -> None:
        self.where = where
        self.game = Playouts(CODEC.new_simulator())
        CODEC.load(where, self.game.state)
        self.chances = Chances(self.game)
        self.chances.weigh(0.0, 0.0, 0.0)
        for mover, (_, place) in CODEC.mover_places.items():
            for power in range(self.game.powers):
                gain = worths.get(place.province.name, 0.0)
                self.chances.set_gain(power, mover, gain)
        self.chances.forget()

    def put(self, power: str, *orders: str) -> int:
        owner = BOARD.power(power)
        number = CODEC.power_index[owner]
        self.chances.face(number)
        for text in orders:
            self.chances.put(CODEC.code(parse_order(BOARD, self.where, owner, text)))
        return number

    def expect(self, power: str, share: float, *orders: str) -> None:
        """Mix orders into what is known of a power."""
        self.chances.blend(self.put(power, *orders), share)

    def judge(self, power: str, *orders: str) -> float:
        return self.chances.judge(self.put(power, *orders))


def test_a_move_to_an_empty_place_succeeds_unless_somebody_else_may_come() -> None:
    table = Table(position(FRA="A BUR", GER="A KIE"), RUH=WORTH)
    assert table.judge("FRA", "A BUR - RUH") == WORTH
    table.expect("GER", 0.25, "A KIE - RUH")
    assert table.judge("FRA", "A BUR - RUH") == pytest.approx(0.75 * WORTH)


def test_support_beats_one_that_holds_unless_it_is_cut() -> None:
    table = Table(position(FRA="A BUR, A RUH", GER="A MUN, A KIE"), MUN=WORTH)
    attack = ("A BUR - MUN", "A RUH S A BUR - MUN")
    assert table.judge("FRA", "A BUR - MUN", "A RUH H") == 0.0
    assert table.judge("FRA", *attack) == WORTH
    table.expect("GER", 0.5, "A MUN H", "A KIE - RUH")
    assert table.judge("FRA", *attack) == pytest.approx(0.5 * WORTH)


def test_who_is_attacked_does_not_cut_the_support_of_the_attack() -> None:
    table = Table(position(FRA="A BUR, A RUH", GER="A MUN"), MUN=WORTH)
    table.expect("GER", 1.0, "A MUN - RUH")
    assert table.judge("FRA", "A BUR - MUN", "A RUH S A BUR - MUN") == pytest.approx(WORTH)


def test_a_unit_that_may_leave_makes_room() -> None:
    table = Table(position(FRA="A BUR", GER="A MUN"), MUN=WORTH)
    table.expect("GER", 0.4, "A MUN - BOH")
    assert table.judge("FRA", "A BUR - MUN") == pytest.approx(0.4 * WORTH)


def test_support_protects_and_its_lack_costs_a_unit() -> None:
    table = Table(position(FRA="A BUR, A PAR", GER="A MUN, A RUH"))
    table.chances.weigh(0.0, 1.0, 0.0)
    table.expect("GER", 0.5, "A MUN - BUR", "A RUH S A MUN - BUR")
    assert table.judge("FRA", "A BUR H", "A PAR H") == pytest.approx(-0.5)
    assert table.judge("FRA", "A BUR H", "A PAR S A BUR") == pytest.approx(0.0)


def test_units_of_ours_do_not_bounce_swap_or_dislodge_each_other_for_profit() -> None:
    table = Table(position(FRA="A BUR, A RUH", GER="F KIE"), MUN=WORTH, BUR=1.0, RUH=1.0)
    assert table.judge("FRA", "A BUR - MUN", "A RUH - MUN") == 2.0
    assert table.judge("FRA", "A BUR - RUH", "A RUH - BUR") == 2.0
    assert table.judge("FRA", "A BUR - RUH", "A RUH H") == 2.0
    assert table.judge("FRA", "A BUR - RUH", "A RUH - MUN") == WORTH + 1.0


def test_a_voyage_needs_its_fleet() -> None:
    table = Table(position(ENG="A YOR, F NTH", GER="F KIE"), BEL=WORTH)
    assert table.judge("ENG", "A YOR - BEL VIA NTH", "F NTH H") == 0.0
    assert table.judge("ENG", "A YOR - BEL VIA NTH", "F NTH C A YOR - BEL") == WORTH


def test_an_empty_center_is_in_danger_unless_somebody_guards_it() -> None:
    table = Table(position(FRA="A PAR", GER="A BUR"))
    table.chances.weigh(1.0, 0.0, 0.0)
    table.expect("GER", 0.5, "A BUR - MAR")
    assert table.judge("FRA", "A PAR H") == pytest.approx(-0.5)


def test_climbing_finds_the_supported_attack() -> None:
    table = Table(position(FRA="A BUR, A RUH", GER="A MUN"), MUN=WORTH)
    number = table.put("FRA", "A BUR H", "A RUH H")
    french = [unit for unit in table.where.units if unit.power.name == "FRA"]
    units = sorted(CODEC.province_index[unit.location.province] for unit in french)
    changes = changes_of(table.game.state, units, (), ())
    found = table.chances.climb(number, changes.starts, changes.units, changes.codes, 3)
    assert found == WORTH
    for code in changes.codes:
        assert table.game.state.note_for(code) == FINE


@pytest.mark.skipif(not IS_COMPILED, reason="the kernel is not compiled here")
def test_plain_and_compiled_find_the_same() -> None:
    found = []
    for kind, playouts, state in (
        (Chances, Playouts, CODEC.new_simulator()),
        (PlainChances, PlainPlayouts, PlainSimulator(CODEC.tables)),
    ):
        game = playouts(state)
        CODEC.load(BOARD.start, state)
        state.seed(4)
        game.value(DUMBBOT)
        chances = kind(game)
        chances.weigh(2.0, 1.5, 0.5)
        chances.forget()
        for power in range(game.powers):
            for mover, value in enumerate(game.values_of(power)):
                chances.set_gain(power, mover, value / 1e6)
        worths = []
        for number in range(3):
            for power, owner in enumerate(CODEC.powers):
                units = sorted(
                    CODEC.province_index[unit.location.province]
                    for unit in BOARD.start.units
                    if unit.power == owner
                )
                changes = changes_of(state, units, (), ())
                chances.face(power)
                chances.take_plan(power)
                rows = changes.starts, changes.units, changes.codes
                worths.append(chances.climb(power, *rows, 1))
                chances.blend(power, 1.0 / (number + 1))
                worths += chances.ordered()
        found.append(worths)
    assert found[0] == found[1]
