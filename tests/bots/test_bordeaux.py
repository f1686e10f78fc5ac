from itertools import product

import pytest
from attrs import evolve

from bots.bordeaux.bordeaux import bordeaux
from bots.bordeaux.heights import Landscape
from bots.bordeaux.observation import CENTER_GAIN, UNIT_GAIN, Observer
from bots.bordeaux.regions import regions_of
from bots.bordeaux.tactic import Bordeaux
from bots.bordeaux.talk import BordeauxTalk
from bots.dumbbot.tactic import DumbBot
from bots.strategy import Bot
from grammar.messages import OrderOutcome
from grammar.press import Accept, Refuse
from rules.errors import BadInputError
from rules.kernel.encode import codec_of
from rules.legality import judge_order
from rules.notation import parse_province, parse_unit
from rules.orders import (
    Build,
    Disband,
    Move,
    Order,
    OrderNote,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
)
from rules.places import Power
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn
from server.settings import GameSettings
from tests.bots.in_memory import Room, press_heard
from tests.bots.positions import order, position, view_of
from tests.bots.talking import BOARD, ENGLAND, FRANCE, GERMANY, Talk, peace

CODEC = codec_of(BOARD)
SPRING, FALL = Turn(Season.SPRING, 1903), Turn(Season.FALL, 1903)
EVEN = [[1.0] * 7 for _ in range(7)]


def outcomes(where: Position, **orders: str) -> tuple[OrderOutcome, ...]:
    given: list[Order] = [
        order(where, BOARD.power(name), text)
        for name, texts in orders.items()
        for text in texts.split(", ")
    ]
    return tuple(OrderOutcome(where.turn, each, None) for each in given)


def watched(*seasons: tuple[Position, tuple[OrderOutcome, ...]]) -> Observer:
    """Return what somebody knows who has seen these turns."""
    observer = Observer()
    results: tuple[OrderOutcome, ...] = ()
    for where, given in seasons:
        observer.note(evolve(view_of(where), results=results))
        results = given
    last = evolve(seasons[-1][0], turn=Turn(Season.WINTER, 1999))
    observer.note(evolve(view_of(last), results=results))
    return observer


@pytest.mark.parametrize("power", BOARD.powers)
def test_every_order_is_legal_and_every_unit_has_one(power: Power) -> None:
    view = view_of(BOARD.start, power)
    given = Bordeaux().choose_orders(view)
    assert {each.unit for each in given if hasattr(each, "unit")} == set(view.units)
    for each in given:
        assert judge_order(BOARD, BOARD.start, each, power) is OrderNote.MIGHT_BE_VALID


def test_the_same_chances_give_the_same_orders() -> None:
    given = [Bordeaux().choose_orders(view_of(BOARD.start, seed=7)) for _ in range(2)]
    assert given[0] == given[1]


def test_without_time_there_are_orders_all_the_same() -> None:
    view = evolve(view_of(BOARD.start), seconds=0.0)
    assert len(Bordeaux().choose_orders(view)) == len(view.units)


def test_two_units_take_together_what_one_cannot() -> None:
    where = position(FRA="A BUR, A RUH", GER="A MUN")
    given = Bordeaux().choose_orders(view_of(where))
    assert {type(each) for each in given} == {Move, SupportMove}


def test_promises_are_kept_and_closed_provinces_are_not_entered() -> None:
    where = position(FRA="A BUR", GER="F KIE")
    held = order(where, FRANCE, "A BUR H")
    assert order(where, FRANCE, "A BUR - MUN") in Bordeaux().choose_orders(view_of(where))
    assert Bordeaux().choose_orders(view_of(where, promised=(held,))) == [held]
    closed = frozenset({parse_province(BOARD, "MUN")})
    given = Bordeaux().choose_orders(view_of(where, closed=closed))
    assert order(where, FRANCE, "A BUR - MUN") not in given


def test_the_negotiators_question_is_answered_by_the_core() -> None:
    where = position(FRA="A BUR", ENG="A RUH", GER="A MUN")
    tactic = Bordeaux()
    wanted = tactic.wanted_help(view_of(where, attitudes={ENGLAND: 0.1}), [ENGLAND])
    best = max(wanted, key=lambda each: each.gain)
    assert best.order == order(where, ENGLAND, "A RUH S A BUR - MUN")
    assert best.ours == order(where, FRANCE, "A BUR - MUN")
    assert best.gain > 0
    held = order(position(FRA="A BUR", GER="F KIE"), FRANCE, "A BUR H")
    free = view_of(position(FRA="A BUR", GER="F KIE"))
    assert tactic.loss_of(free, held) > 0  # type: ignore[arg-type]  # an order of movement


def test_nobody_is_asked_to_hold_up_a_unit_that_goes() -> None:
    where = position(FRA="A MUN, A BUR", ENG="A KIE", GER="A SIL, A BOH, A BER")

    def helped(mine: str) -> set[type[Order]]:
        view = view_of(where, promised=(order(where, FRANCE, mine),))
        wanted = Bordeaux().wanted_help(view, [ENGLAND])
        held = order(where, ENGLAND, "A KIE S A MUN")
        return {type(each.order) for each in wanted if each.order == held}

    # The first goal of the map's list, whose number is 0, as is the goal of those that stay.
    assert helped("A MUN - BOH") == set()
    assert helped("A MUN S A BUR - RUH") == {SupportHold}


def test_the_home_is_the_summit_and_units_raise_and_lower_it() -> None:
    def height(where: Position, name: str) -> float:
        state = CODEC.load(where, CODEC.new_simulator())
        power = CODEC.power_index[FRANCE]
        return Landscape(state, EVEN).height(power, CODEC.province_index[BOARD.province(name)])

    bare = position(GER="F KIE")
    assert height(bare, "PAR") > height(bare, "BUR") > height(bare, "MUN")
    assert height(position(FRA="A BUR", GER="F KIE"), "MUN") > height(bare, "MUN")
    assert height(position(GER="A BUR"), "PAR") < height(bare, "PAR")


def test_units_that_cannot_meet_are_in_different_regions() -> None:
    where = position(FRA="A BUR, A PAR, A SEV, F NTH")
    state = CODEC.load(where, CODEC.new_simulator())
    units = [CODEC.province_index[unit.location.province] for unit in where.units]
    named = [{BOARD.provinces[unit].name for unit in each} for each in regions_of(state, units)]
    assert {"SEV"} in named
    assert any({"BUR", "PAR"} <= each for each in named)
    crowd = position(FRA="A BUR, A PAR, A PIC, A GAS, A MAR, A BRE, A MUN, A RUH, A BEL, A SPA")
    state = CODEC.load(crowd, CODEC.new_simulator())
    units = [CODEC.province_index[unit.location.province] for unit in crowd.units]
    found = regions_of(state, units)
    assert max(map(len, found)) <= 6
    assert sorted(unit for region in found for unit in region) == sorted(units)


def test_attacks_make_hostile_and_support_makes_friendly() -> None:
    where = position(SPRING, FRA="A BUR", GER="A MUN, A RUH", ENG="A PIC")
    observer = watched((where, outcomes(where, GER="A MUN - BUR", ENG="A PIC S A BUR")))
    assert observer.friendliness(GERMANY, FRANCE) < 0 < observer.friendliness(ENGLAND, FRANCE)
    assert observer.friendliness(FRANCE, GERMANY) > 0, "it could have attacked and did not"
    assert observer.stab_limit(GERMANY) is None, "nobody was on good terms"


def test_who_turns_on_a_friend_has_a_stab_limit_and_it_only_falls() -> None:
    calm = [
        position(Turn(season, year), FRA="A BUR, A MAR", GER="A MUN, A RUH")
        for year, season in product((1902, 1903, 1904), (Season.SPRING, Season.FALL))
    ]
    peaceful = [(where, outcomes(where, GER="A MUN H")) for where in calm[:-1]]
    stab = (calm[-1], outcomes(calm[-1], GER="A MUN - BUR"))
    observer = watched(*peaceful, stab)
    assert observer.stab_limit(GERMANY) == UNIT_GAIN
    assert observer.stab_limit(FRANCE) is None
    observer.note_breach(GERMANY, CENTER_GAIN)
    assert observer.stab_limit(GERMANY) == UNIT_GAIN


def test_peace_is_refused_to_who_stabs_for_little() -> None:
    made = bordeaux()
    assert isinstance(made.negotiator, BordeauxTalk)
    talk = Talk(made.negotiator)
    proposal = peace(ENGLAND, FRANCE)
    assert talk.hear(ENGLAND, proposal) == [Accept(proposal)]
    assert isinstance(made.tactic, Bordeaux)
    made.tactic.observer.note_breach(GERMANY, UNIT_GAIN)
    other = peace(GERMANY, FRANCE)
    assert talk.hear(GERMANY, other) == [Refuse(other)]


def test_retreats_do_not_collide_and_keep_out_of_what_is_closed() -> None:
    units = [parse_unit(BOARD, FRANCE, text) for text in ("A BUR", "A GAS")]
    places = {each.province.name: each for each in BOARD.destinations(units[0])}
    outs = (
        DislodgedUnit(units[0], (places["PAR"], places["MUN"])),
        DislodgedUnit(units[1], (places["PAR"],)),
    )
    where = Position(Turn(Season.AUTUMN, 1903), (), outs, BOARD.start.owners)
    given = Bordeaux().choose_orders(view_of(where))
    assert given == [Retreat(units[0], places["MUN"]), Retreat(units[1], places["PAR"])]
    closed = frozenset({places["PAR"].province, places["MUN"].province})
    given = Bordeaux().choose_orders(view_of(where, closed=closed))
    assert given == [Disband(unit) for unit in units]


def test_it_builds_and_removes_as_many_as_it_must() -> None:
    winter = Turn(Season.WINTER, 1904)
    builds = Bordeaux().choose_orders(view_of(position(winter, GER="F KIE")))
    assert {each.unit.location.province for each in builds if isinstance(each, Build)} == set(
        BOARD.homes[FRANCE]
    )
    crowd = position(winter, GER="A MUN, A SIL, A PRU, A WAR, A STP")
    view = view_of(crowd, GERMANY)
    removed = Bordeaux().choose_orders(view)
    assert all(isinstance(each, Remove) for each in removed)
    assert len(set(removed)) == -view.adjustment > 0


def test_rounds_are_bounded() -> None:
    with pytest.raises(BadInputError, match="rounds: must be from 0 to 100, not 101"):
        Bordeaux(rounds=101)


def test_it_plays_and_talks_a_game_without_faults() -> None:
    bots = [bordeaux() for _ in range(3)] + [Bot(DumbBot()) for _ in range(4)]
    room = Room(bots, GameSettings(last_year=1903, level=20, press_rounds=6), seed=3)
    room.play()
    assert room.faults() == []
    assert press_heard(room)
