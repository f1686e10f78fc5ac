from collections import Counter

import pytest
from attrs import define, evolve

from bots.diplominator.diplominator import (
    TACTIC,
    VARIANTS,
    Character,
    DiplominatorTalk,
    diplominator,
)
from bots.diplominator.hostility import Hostility, attacks_on, chances_against
from bots.dumbbot.tactic import DumbBot
from bots.dumbbot.value_maps import value_map
from bots.unit_places import unit_places_of
from bots.view import GameView
from grammar.messages import OrderOutcome, SendPress
from grammar.press import Accept, Draw, Not, Peace, Propose, Refuse, Solo, Understand
from rules.errors import BadInputError
from rules.orders import (
    Hold,
    Move,
    Order,
    OrderResult,
    Remove,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
)
from rules.places import Location, Power
from rules.position import Position
from rules.turns import Season, Turn
from tests.bots.talking import (
    BOARD,
    ENGLAND,
    FRANCE,
    GERMANY,
    OTHERS,
    Talk,
    in_turn,
    left_to,
    peace,
    recipients,
)

FOOTINGS = unit_places_of(BOARD)
VALUATION = TACTIC.valuation
ITALY = BOARD.power("ITA")


def army(power: Power, place: str) -> Unit:
    return Unit(power, UnitKind.ARMY, Location(BOARD.province(place)))


def move(unit: Unit, place: str) -> Move:
    return Move(unit, Location(BOARD.province(place)))


RUHR = army(GERMANY, "RUH")
MUNICH = army(GERMANY, "MUN")
PIEDMONT = army(ITALY, "PIE")
PARIS = army(FRANCE, "PAR")
GASCONY = army(FRANCE, "GAS")


def at_the_border(turn: Turn | None = None) -> Position:
    owners = {BOARD.province("PAR"): FRANCE, BOARD.province("MAR"): FRANCE}
    owners[BOARD.province("MUN")] = GERMANY
    owners[BOARD.province("ROM")] = ITALY
    units = (GASCONY, MUNICH, PARIS, PIEDMONT, RUHR, army(GERMANY, "BUR"))
    return Position(turn or Turn(Season.SPRING, 1905), units, (), owners)


# --- the enemy factor -----------------------------------------------------------------------------


def test_a_unit_next_to_several_of_our_provinces_is_one_chance() -> None:
    # Burgundy touches Paris, Marseilles and Gascony; Piedmont touches Marseilles; others nothing.
    assert chances_against(FRANCE, at_the_border(), FOOTINGS) == {GERMANY: 1, ITALY: 1}


def test_attacks_are_moves_into_our_provinces_and_their_support() -> None:
    burgundy = army(GERMANY, "BUR")
    orders: list[Order] = [
        move(burgundy, "PAR"),
        SupportMove(RUHR, burgundy, BOARD.province("PAR")),
        SupportMove(PIEDMONT, burgundy, BOARD.province("GAS")),
        move(MUNICH, "RUH"),
        SupportHold(MUNICH, burgundy),
    ]
    assert attacks_on(FRANCE, at_the_border(), orders) == {GERMANY: 2, ITALY: 1}


def test_our_own_moves_and_help_for_them_are_no_attacks() -> None:
    orders: list[Order] = [
        move(PARIS, "GAS"),
        SupportMove(PIEDMONT, GASCONY, BOARD.province("MAR")),
    ]
    assert +attacks_on(FRANCE, at_the_border(), orders) == Counter()


def test_the_enemy_factor_is_the_part_of_the_chances_that_was_used() -> None:
    hostility = Hostility(window=15)
    assert hostility.enemy_factor(GERMANY) == 0
    hostility.note(Counter({GERMANY: 2}), Counter({GERMANY: 1}))
    hostility.note(Counter({GERMANY: 3}), Counter({GERMANY: 1, ITALY: 2}))
    assert hostility.enemy_factor(GERMANY) == pytest.approx(0.4)
    # Without a chance every attack counts in full.
    assert hostility.enemy_factor(ITALY) == 2


def test_what_was_long_ago_is_forgotten() -> None:
    hostility = Hostility(window=15)
    hostility.note(Counter({GERMANY: 1}), Counter({GERMANY: 1}))
    for _ in range(14):
        hostility.note(Counter({GERMANY: 1}), Counter())
    assert hostility.enemy_factor(GERMANY) == pytest.approx(1 / 15)
    hostility.note(Counter({GERMANY: 1}), Counter())
    assert hostility.enemy_factor(GERMANY) == 0


# --- peace ----------------------------------------------------------------------------------------


@define
class Game(Talk):
    """A talk in which orders are given, too."""

    orders: tuple[Order, ...] = ()

    @property
    def view(self) -> GameView:
        results = tuple(
            OrderOutcome(Turn(Season.SPRING, 1905), order, OrderResult.SUCCEEDED)
            for order in self.orders
        )
        return evolve(super().view, results=results)

    @property
    def talk(self) -> DiplominatorTalk:
        assert isinstance(self.negotiator, DiplominatorTalk)
        return self.negotiator


def a_game(character: Character | None = None) -> Game:
    game = Game(DiplominatorTalk(character or Character()), at_the_border())
    game.open()
    return game


def test_peace_is_proposed_to_all_that_are_not_friends_every_movement_turn() -> None:
    game = Game(DiplominatorTalk())
    assert game.open() == [SendPress((power,), peace(FRANCE, power)) for power in OTHERS]
    game.agree(GERMANY)
    game.hear(ITALY, Understand(()))
    assert set(game.asked(in_turn(Season.FALL))) == set(OTHERS) - {GERMANY, ITALY}
    assert game.attitudes() == {GERMANY: 0.4}


def test_who_attacks_too_often_is_no_friend_any_more() -> None:
    game = a_game()
    game.agree(GERMANY, ITALY)
    game.orders = (move(army(GERMANY, "BUR"), "PAR"), Hold(PIEDMONT))
    asked = game.asked(at_the_border(Turn(Season.SUMMER, 1905)))
    assert asked == []
    assert game.talk.enemy_factor(GERMANY) == 1
    assert game.attitudes() == {ITALY: 0.4}
    # Told once more in fall, it is not counted once more.
    assert game.asked(at_the_border(Turn(Season.FALL, 1905))) == []
    assert game.talk.enemy_factor(GERMANY) == 1
    offer = peace(GERMANY, FRANCE)
    assert game.hear(GERMANY, offer) == [Refuse(offer)]


def test_the_released_program_accepts_everybody() -> None:
    game = a_game(Character(accepts_everybody=True))
    game.orders = (move(army(GERMANY, "BUR"), "PAR"),)
    game.open(at_the_border(Turn(Season.FALL, 1905)))
    offer = peace(GERMANY, FRANCE)
    assert game.hear(GERMANY, offer) == [Accept(offer)]
    game.confirm(GERMANY, Accept(offer))
    assert game.attitudes() == {GERMANY: 0.4}


def test_a_friend_who_ends_the_peace_is_believed() -> None:
    game = a_game()
    game.agree(GERMANY)
    war = Propose(Not(Peace((FRANCE, GERMANY))))
    assert game.hear(GERMANY, war) == [Accept(war)]
    assert game.attitudes() == {}


@pytest.mark.parametrize("press", [peace(FRANCE), peace(FRANCE, ITALY), Propose(Solo(GERMANY))])
def test_what_makes_no_sense_is_refused(press: Propose) -> None:
    assert a_game().hear(GERMANY, press) == [Refuse(press)]


# --- the stab -------------------------------------------------------------------------------------


def with_centers(own: int, largest_other: int, year: int = 1905) -> Position:
    """Return a spring in which France and Germany have so many centers, and England the rest."""
    centers = BOARD.centers
    owners = dict.fromkeys(centers[:own], FRANCE)
    owners |= dict.fromkeys(centers[own : own + largest_other], GERMANY)
    owners[centers[-1]] = ENGLAND
    units = (RUHR, PARIS, army(ENGLAND, "LVP"))
    return Position(Turn(Season.SPRING, year), units, (), owners)


@pytest.mark.parametrize(
    ("own", "other", "stabs"), [(9, 3, False), (10, 10, True), (10, 11, False), (12, 3, True)]
)
def test_it_stabs_with_ten_centers_if_nobody_has_more(own: int, other: int, *, stabs: bool) -> None:
    game = Game(DiplominatorTalk(), with_centers(9, 3))
    game.open()
    game.agree(GERMANY, ENGLAND)
    game.open(with_centers(own, other, 1906))
    assert game.talk.is_stabbing == stabs
    factor = 1.5 if stabs else 0.4
    assert game.attitudes() == {GERMANY: factor, ENGLAND: factor}


def test_at_nine_centers_it_goes_on_as_it_is_and_below_it_asks_for_peace() -> None:
    game = Game(DiplominatorTalk(), with_centers(10, 3))
    assert game.asked() == []
    offer = peace(GERMANY, FRANCE)
    assert game.hear(GERMANY, offer) == [Refuse(offer)]
    assert game.asked(with_centers(9, 3, 1906)) == []
    assert game.talk.is_stabbing
    assert set(game.asked(with_centers(8, 3, 1907))) == {GERMANY, ENGLAND}
    assert game.attitudes() == {}
    assert game.asked(with_centers(9, 3, 1908)) != []
    assert not game.talk.is_stabbing


def test_by_the_report_only_friends_are_stabbed_and_nobody_need_be_smaller() -> None:
    game = Game(DiplominatorTalk(VARIANTS["report"]), with_centers(9, 3))
    game.open()
    game.agree(GERMANY)
    assert game.asked(with_centers(10, 11, 1906)) == []
    assert game.attitudes() == {GERMANY: 1.5}
    refused, accepted = peace(GERMANY, FRANCE), peace(ENGLAND, FRANCE)
    assert game.hear(GERMANY, refused) == [Refuse(refused)]
    assert game.hear(ENGLAND, accepted) == [Accept(accepted)]
    assert game.attitudes() == {GERMANY: 1.5, ENGLAND: 0.4}
    # With nine it goes on, with eight it stops and asks again.
    assert game.asked(with_centers(9, 3, 1907)) == []
    assert game.attitudes() == {GERMANY: 1.5}
    assert GERMANY in game.asked(with_centers(8, 3, 1908))
    assert game.attitudes() == {}


def test_the_released_program_answers_yes_to_a_victim_and_stabs_it_all_the_same() -> None:
    game = Game(DiplominatorTalk(VARIANTS["0.2"]), with_centers(10, 3))
    game.open()
    offer = peace(GERMANY, FRANCE)
    assert game.hear(GERMANY, offer) == [Accept(offer)]
    game.confirm(GERMANY, Accept(offer))
    assert game.attitudes() == {GERMANY: 1.5, ENGLAND: 1.5}


@pytest.mark.parametrize("variant", ["report", "0.2"])
def test_the_published_ones_never_draw(variant: str) -> None:
    game = Game(DiplominatorTalk(VARIANTS[variant]), with_centers(4, 8, 1901))
    for year in range(1903, 1915):
        assert recipients(game.open(with_centers(4, 9, year)), Propose(Draw())) == []
        assert not game.negotiator.votes_for_draw(game.view)


def test_the_limits_can_be_chosen() -> None:
    game = Game(DiplominatorTalk(Character(stabs_at=5, relents_below=4)), with_centers(5, 3))
    game.open()
    assert game.talk.is_stabbing


# --- draws ----------------------------------------------------------------------------------------


def test_no_draw_in_the_first_years_and_then_for_who_is_below_the_mean() -> None:
    game = Game(DiplominatorTalk(), with_centers(4, 8, 1901))
    game.open()
    assert not game.negotiator.votes_for_draw(game.view)
    said = game.open(with_centers(4, 9, 1903))
    assert set(recipients(said, Propose(Draw()))) == {GERMANY, ENGLAND}
    assert game.negotiator.votes_for_draw(game.view)
    assert game.hear(GERMANY, Propose(Draw())) == [Accept(Propose(Draw()))]


def test_who_is_ahead_draws_only_when_nothing_has_changed_for_two_years() -> None:
    game = Game(DiplominatorTalk())
    for year, own, wants in [(1901, 7, 0), (1903, 8, 0), (1904, 8, 0), (1905, 8, 1), (1906, 9, 0)]:
        game.open(with_centers(own, 3, year))
        assert game.negotiator.votes_for_draw(game.view) == bool(wants), year


# --- the tactic -----------------------------------------------------------------------------------


def test_defence_weighs_less_than_for_dumbbot() -> None:
    power, position = FRANCE, at_the_border()
    mild = value_map(FOOTINGS, position, power, TACTIC.valuation)
    fierce = DumbBot().value_map(GameView(board=BOARD, power=power, position=position))
    paris = FOOTINGS.in_home(BOARD.province("PAR"))[0]
    assert mild.values[paris] < fierce.values[paris]
    weights = TACTIC.valuation.weights
    assert [weights[each].defence for each in (Season.SPRING, Season.FALL)] == [200, 300]
    assert [weights[each].attack for each in (Season.SPRING, Season.FALL)] == [700, 600]


def test_by_the_report_peace_is_about_home_centers_alone() -> None:
    owners = dict(BOARD.start.owners) | {BOARD.province("BEL"): GERMANY}
    position = evolve(BOARD.start, owners=owners, turn=Turn(Season.FALL, 1903))
    maps = {
        homes_only: value_map(
            FOOTINGS, position, FRANCE, VALUATION, {GERMANY: 0.0}, homes_only=homes_only
        ).values
        for homes_only in (False, True)
    }
    war = value_map(FOOTINGS, position, FRANCE, VALUATION).values
    belgium, munich = (FOOTINGS.in_home(BOARD.province(each))[0] for each in ("BEL", "MUN"))
    # Belgium is worth what is felt of its neighbours, or as much as in war but for those.
    assert maps[False][belgium] < 0.5 * war[belgium] < maps[True][belgium] < war[belgium]
    # A friend's unit in the way is no obstacle any more, its home center is worth little.
    assert maps[False][munich] < maps[True][munich] < 0.5 * war[munich]


def test_the_unit_of_the_lowest_value_is_always_removed() -> None:
    units = tuple(unit for unit in BOARD.start.units if unit.power == GERMANY)
    owners = {BOARD.province("BER"): GERMANY}
    position = Position(Turn(Season.WINTER, 1903), units, (), owners)
    view = GameView(board=BOARD, power=GERMANY, position=position)
    values = value_map(FOOTINGS, position, GERMANY, TACTIC.valuation).values
    worst = sorted(units, key=lambda unit: values[FOOTINGS.of(unit)])[:2]
    for _ in range(20):
        assert diplominator().tactic.choose_orders(view) == [Remove(unit) for unit in worst]


def test_a_variant_that_nobody_knows_is_refused() -> None:
    with pytest.raises(BadInputError, match="no such variant of diplominator: '1'; choose one of"):
        diplominator("1")


def test_only_the_living_count() -> None:
    game = Game(DiplominatorTalk())
    game.open()
    game.agree(GERMANY, ITALY)
    game.open(left_to(FRANCE, GERMANY, ENGLAND))
    assert game.attitudes() == {GERMANY: 0.4}
