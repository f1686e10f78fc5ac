"""Order sets like another one: what searches try must be legal, whole and true to its word."""

from random import Random

import pytest

from bots.kernel import Playouts
from bots.search.proposals import SPREADS, Variations, draw
from bots.search.scene import Scene
from bots.view import Beliefs
from rules.kernel.codes import (
    CONVOY,
    MOVE,
    MOVE_BY_CONVOY,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    kind_of,
    mover_of,
    other_of,
    target_of,
)
from rules.kernel.encode import codec_of
from rules.legal_orders import legal_orders
from rules.legality import Judge
from rules.orders import OrderNote
from rules.places import Power
from rules.position import Position
from rules.turns import Phase
from tests.bots.positions import BOARD, order, position, view

CODEC = codec_of(BOARD)
GAME = Playouts(CODEC.new_simulator())
TABLES = CODEC.tables


def movement_positions(count: int) -> list[Position]:
    """Return positions of a game by dice."""
    state = CODEC.load(BOARD.start, CODEC.new_simulator())
    state.seed(6)
    found = [BOARD.start]
    while len(found) < count:
        state.step_by_dice()
        found.append(CODEC.position(state))
    return [each for each in found if each.turn.phase is Phase.MOVEMENT]


POSITIONS = movement_positions(30)


def varied(
    where: Position, power: Power, beliefs: Beliefs | None = None, times: int = 40
) -> tuple[Scene, list[tuple[int, ...]]]:
    """Return order sets, each varied from the one before."""
    scene = Scene(view(power.name, where, seed=3, beliefs=beliefs), GAME)
    found = [max(draw(GAME, scene.power, 9, SPREADS).items(), key=lambda each: each[1])[0]]
    variations = Variations(scene)
    if not variations.has_any:
        return scene, found
    while len(found) < times:
        found.append(variations.vary(found[-1]))
    return scene, found


@pytest.mark.parametrize("number", range(0, len(POSITIONS), 3))
def test_every_unit_has_one_legal_order(number: int) -> None:
    where = POSITIONS[number]
    for power in BOARD.powers:
        seen = view(power.name, where)
        if not seen.units:
            continue
        scene, found = varied(where, power, times=15)
        judge = Judge(BOARD, where)
        for codes in found:
            orders = scene.orders(codes)
            assert {each.unit for each in orders} == set(seen.units)  # type: ignore[union-attr]  # of that kind
            notes = {judge.judge(each, power, ()) for each in orders}
            assert notes == {OrderNote.MIGHT_BE_VALID}


def assert_fits(codes: tuple[int, ...]) -> None:
    """Assert that supports and convoys of our own units are for what those do."""
    given = {mover_of(code): code for code in codes}
    for code in codes:
        helped = (
            given.get(other_of(code))
            if kind_of(code) in (SUPPORT_HOLD, SUPPORT_MOVE, CONVOY)
            else None
        )
        if helped is None:
            continue
        moves = kind_of(helped) in (MOVE, MOVE_BY_CONVOY)
        goal = (
            TABLES.province_of[target_of(helped)] if kind_of(helped) == MOVE else target_of(helped)
        )
        if kind_of(code) == SUPPORT_HOLD:
            assert not moves
        else:
            assert moves
            assert goal == target_of(code)


@pytest.mark.parametrize("number", range(1, len(POSITIONS), 3))
def test_supports_and_convoys_fit_what_they_are_for(number: int) -> None:
    where = POSITIONS[number]
    for power in BOARD.powers:
        if view(power.name, where).units:
            for codes in varied(where, power, times=15)[1][1:]:
                assert_fits(codes)


def test_what_was_promised_is_in_every_set() -> None:
    random = Random(2)
    for where in POSITIONS[:6]:
        for power in BOARD.powers:
            options = legal_orders(BOARD, where, power)
            if not options:
                continue
            promised = random.choice(random.choice(list(options.values())))
            scene, found = varied(where, power, Beliefs(promised=(promised,)), times=12)
            assert all(promised in scene.orders(codes) for codes in found)


def test_closed_provinces_are_not_entered() -> None:
    where = position(FRA="A PAR, A MAR, F BRE", GER="A MUN")
    burgundy = BOARD.province("BUR")
    beliefs = Beliefs(closed=frozenset({burgundy}))
    scene, found = varied(where, BOARD.power("FRA"), beliefs, times=60)
    entered = {
        TABLES.province_of[target_of(code)]
        for codes in found[1:]
        for code in codes
        if kind_of(code) == MOVE
    }
    assert entered
    assert CODEC.province_index[burgundy] not in entered
    assert scene.promised == ()


def test_much_is_tried() -> None:
    _, found = varied(BOARD.start, BOARD.power("RUS"), times=200)
    assert len(set(found)) > 60


def test_a_convoy_is_tried_with_its_fleet() -> None:
    where = position(ENG="A YOR, F NTH", GER="F KIE")
    _, found = varied(where, BOARD.power("ENG"), times=200)
    kinds = [{kind_of(code) for code in codes} for codes in found]
    assert sum({MOVE_BY_CONVOY, CONVOY} <= each for each in kinds) > 5
    # A fleet that carries nobody holds instead.
    assert not any(CONVOY in each and MOVE_BY_CONVOY not in each for each in kinds)


def test_an_army_whose_fleet_does_something_else_stays() -> None:
    where = position(GER="A LVN, F BAL, F KIE", ENG="F DEN")
    judge, germany = Judge(BOARD, where), BOARD.power("GER")
    scene, found = varied(where, germany, times=400)
    sailing = [codes for codes in found if MOVE_BY_CONVOY in map(kind_of, codes)]
    assert len(sailing) > 5
    assert all(CONVOY in map(kind_of, codes) for codes in sailing)
    # A fleet cannot support whom it alone can carry: the server would refuse that.
    orders = [order for codes in found for order in scene.orders(codes)]
    assert {judge.judge(each, germany, ()) for each in orders} == {OrderNote.MIGHT_BE_VALID}


def test_somebody_with_one_choice_has_none() -> None:
    where = position(FRA="A PAR", GER="A MUN")
    promised = order(where, BOARD.power("FRA"), "A PAR H")
    scene = Scene(view("FRA", where, beliefs=Beliefs(promised=(promised,))), GAME)
    assert not Variations(scene).has_any
    assert Variations(scene, CODEC.power_index[BOARD.power("GER")]).has_any
