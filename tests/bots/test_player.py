from collections.abc import Sequence
from random import Random

import pytest
from attrs import evolve

from bots.game_so_far import board_for
from bots.holdbot import HoldBot
from bots.player import Player
from bots.strategy import Bot, Negotiator, Tactic, as_bot
from bots.view import Beliefs, GameView
from grammar.boards import map_definition, now_message, ownership_message
from grammar.messages import (
    Admin,
    AskMapDefinition,
    CancelGo,
    CancelOrders,
    CivilDisorder,
    ClientMessage,
    DrawDeclared,
    Go,
    Hello,
    Huh,
    IAm,
    Loaded,
    LoadGame,
    Missing,
    Now,
    OrderAnswer,
    OrderOutcome,
    PressReceived,
    Rej,
    RequestDraw,
    Saved,
    SaveGame,
    SendPress,
    ServerMessage,
    SoloDeclared,
    SubmitOrders,
    TimeLeft,
    TimerStopped,
    VariantOption,
    Yes,
)
from grammar.press import Accept, Draw, NotUnderstood, Peace, Propose, Understand
from grammar.representation import standard_representation
from grammar.text import from_text
from grammar.write import write
from rules.maps import load_map
from rules.orders import (
    Build,
    Disband,
    Hold,
    Move,
    Order,
    OrderNote,
    OrderResult,
    Remove,
    Unit,
    UnitKind,
    Waive,
)
from rules.places import Location
from rules.position import DislodgedUnit, Position
from rules.turns import Season, Turn
from tests.bots.negotiators import Broken, Loudmouth, Peacemaker

BOARD = load_map()
FRANCE, ENGLAND = BOARD.power("FRA"), BOARD.power("ENG")
SPRING = BOARD.start.turn
UNITS = tuple(unit for unit in BOARD.start.units if unit.power == FRANCE)
PEACE = Propose(Peace((ENGLAND, FRANCE)))
OFFER = PressReceived(ENGLAND, (FRANCE,), PEACE)
ROUND_2 = Admin("Server", "press round 2")


class Wishful(Tactic):
    """Orders what it was told to, and remembers what it saw."""

    def __init__(self, *orders: Order) -> None:
        self.orders = orders
        self.views: list[GameView] = []

    def choose_orders(self, view: GameView) -> Sequence[Order]:
        self.views.append(view)
        return self.orders


def a_player(
    tactic: Tactic | None = None,
    negotiator: Negotiator | None = None,
    *,
    level: int = 0,
    options: Sequence[VariantOption] = (),
    think: float | None = None,
) -> Player:
    """Return a player to whom everything but the position has been told."""
    player = Player(Bot(tactic or HoldBot(), negotiator or Negotiator()), seed=1, think=think)
    hello = Hello(FRANCE, 4711, (VariantOption("LVL", level), *options))
    for message in (map_definition(BOARD), hello, ownership_message(BOARD, BOARD.start)):
        assert player.receive(message) == []
    return player


def now(position: Position = BOARD.start) -> Now:
    return now_message(position)


def in_season(season: Season, **changes: object) -> Position:
    return evolve(BOARD.start, turn=Turn(season, 1901), **changes)  # type: ignore[arg-type]  # as a position has them


def thank(player: Player, submitted: Sequence[ClientMessage]) -> None:
    """Take all orders of a SUB."""
    for message in submitted:
        if isinstance(message, SubmitOrders):
            for order in message.orders:
                assert player.receive(OrderAnswer(order, OrderNote.MIGHT_BE_VALID)) == []


def holds(turn: Turn | None = SPRING) -> SubmitOrders:
    return SubmitOrders(tuple(map(Hold, UNITS)), turn)


def to_england(press: Propose | Accept | NotUnderstood | Understand) -> SendPress:
    return SendPress((ENGLAND,), press)


# --- orders ---------------------------------------------------------------------------------------


def test_a_now_is_answered_with_a_complete_set_of_orders() -> None:
    assert a_player().receive(now()) == [holds()]


def test_illegal_orders_never_leave_the_house() -> None:
    paris = next(unit for unit in UNITS if unit.location.province.name == "PAR")
    moscow = Location(BOARD.province("MOS"))
    assert a_player(Wishful(Move(paris, moscow), Waive(FRANCE))).receive(now()) == [holds()]


def test_a_repeated_now_is_answered_again_with_the_same_chances() -> None:
    tactic = Wishful()
    player = a_player(tactic)
    assert player.receive(now()) == player.receive(now())
    first, second = (view.random.random() for view in tactic.views)
    assert first == second


def test_chances_depend_on_seed_power_and_turn() -> None:
    seen = set()
    for seed in (1, 2):
        for power in (FRANCE, ENGLAND):
            for season in (Season.SPRING, Season.FALL):
                tactic = Wishful()
                player = Player(as_bot(tactic), seed=seed)
                hello = Hello(power, 1, ())
                told = (map_definition(BOARD), hello, ownership_message(BOARD, BOARD.start))
                for message in (*told, now(in_season(season))):
                    player.receive(message)
                seen.add(tactic.views[0].random.random())
    assert len(seen) == 8


def test_a_refused_order_is_replaced_once() -> None:
    player = a_player()
    thank(player, player.receive(now()))
    bad = OrderAnswer(Move(UNITS[0], Location(BOARD.province("MOS"))), OrderNote.NOT_ADJACENT)
    replacement = player.receive(bad)
    assert replacement == [SubmitOrders((Hold(UNITS[0]),), SPRING)]
    thank(player, replacement)
    assert player.receive(bad) == []
    assert player.receive(Missing((UNITS[0], UNITS[1]))) == [
        SubmitOrders((Hold(UNITS[1]),), SPRING)
    ]


def test_orders_that_are_under_way_are_not_missing() -> None:
    player = a_player()
    player.receive(now())
    assert player.receive(Missing(UNITS)) == []


def test_a_refused_retreat_becomes_a_disbandment() -> None:
    out = DislodgedUnit(UNITS[0], (Location(BOARD.province("PIC")),))
    position = in_season(Season.SUMMER, units=UNITS[1:], dislodged=(out,))
    player = a_player()
    disband = SubmitOrders((Disband(UNITS[0]),), position.turn)
    assert player.receive(now(position)) == [disband]
    answer = OrderAnswer(Disband(UNITS[0]), OrderNote.NOT_VALID_RETREAT)
    assert player.receive(answer) == [disband]


def test_a_refused_build_becomes_a_waive_and_a_refused_waive_nothing() -> None:
    position = in_season(Season.WINTER, units=UNITS[1:])
    player = a_player(Wishful(Build(UNITS[0])))
    submitted = SubmitOrders((Build(UNITS[0]),), position.turn)
    assert player.receive(now(position)) == [submitted]
    assert player.receive(OrderAnswer(Build(UNITS[0]), OrderNote.NOT_EMPTY_CENTER)) == [
        SubmitOrders((Waive(FRANCE),), position.turn)
    ]
    assert player.receive(OrderAnswer(Waive(FRANCE), OrderNote.NO_MORE_BUILDS)) == []


def test_a_refused_removal_is_replaced_by_another_one() -> None:
    player = a_player()
    owners = {center: owner for center, owner in BOARD.start.owners.items() if center.name != "BRE"}
    position = in_season(Season.WINTER, owners=owners)
    player.receive(ownership_message(BOARD, position))
    [message] = player.receive(now(position))
    assert isinstance(message, SubmitOrders)
    [removal] = message.orders
    [other] = player.receive(OrderAnswer(removal, OrderNote.NO_SUCH_UNIT))
    assert isinstance(other, SubmitOrders)
    assert isinstance(other.orders[0], Remove)
    assert other.orders[0] != removal


def test_adjustments_that_are_missing_all_the_same_are_filled_up_once() -> None:
    player = a_player()
    position = in_season(Season.WINTER, units=UNITS[1:])
    thank(player, player.receive(now(position)))
    assert player.receive(Missing((), -1)) == [SubmitOrders((Waive(FRANCE),), position.turn)]
    assert player.receive(Missing((), -1)) == []


def test_who_comes_back_in_winter_takes_back_what_was_ordered_before() -> None:
    position = in_season(Season.WINTER, units=UNITS[1:])
    waive = SubmitOrders((Waive(FRANCE),), position.turn)
    player = a_player()
    assert player.receive(Yes(IAm(FRANCE, 4711))) == []
    assert player.receive(now(position)) == [CancelOrders(), waive]
    assert player.receive(now(position)) == [CancelOrders(), waive]


def test_a_server_that_does_not_know_the_turn_in_sub_gets_it_without() -> None:
    player = a_player()
    [submitted] = player.receive(now())
    assert player.receive(Huh(write(submitted))) == [holds(None)]
    assert player.receive(Huh(write(submitted))) == []
    assert player.receive(Huh(from_text("ERR NOW"))) == []
    fall = in_season(Season.FALL)
    assert player.receive(now(fall)) == [holds(None)]


def test_nothing_is_ordered_without_anything_to_order() -> None:
    assert a_player().receive(now(in_season(Season.AUTUMN))) == []
    abroad = tuple(unit for unit in BOARD.start.units if unit.power != FRANCE)
    player = a_player()
    gone = evolve(
        BOARD.start,
        units=abroad,
        owners={center: owner for center, owner in BOARD.start.owners.items() if owner != FRANCE},
    )
    player.receive(ownership_message(BOARD, gone))
    assert player.receive(now(gone)) == []


@pytest.mark.parametrize("end", [DrawDeclared(), SoloDeclared(ENGLAND)])
def test_nothing_is_ordered_after_the_end(end: ServerMessage) -> None:
    player = a_player()
    player.receive(end)
    assert player.receive(now()) == []
    assert player.table.is_over


def test_a_strategy_that_fails_plays_on_harmlessly() -> None:
    class Faulty(Tactic):
        def choose_orders(self, view: GameView) -> Sequence[Order]:
            raise ZeroDivisionError(view.power)

    player = a_player(Faulty(), Broken(), level=20)
    assert player.receive(now()) == [CancelGo(), holds(), Go()]
    assert player.receive(OFFER) == []
    assert player.failures >= 4


def test_orders_that_are_no_orders_at_all_do_no_harm() -> None:
    player = a_player(Wishful("hold everything"))  # type: ignore[arg-type]  # no real tactic
    assert player.receive(now()) == [holds()]
    assert player.failures == 1


# --- what a strategy sees -------------------------------------------------------------------------


def test_results_are_kept_from_the_last_movement_turn_on() -> None:
    tactic = Wishful()
    player = a_player(tactic)
    turns = (Turn(Season.SPRING, 1901), Turn(Season.SUMMER, 1901), Turn(Season.FALL, 1901))
    results = [OrderOutcome(turn, Hold(UNITS[0]), OrderResult.SUCCEEDED) for turn in turns]
    for result in results[:2]:
        player.receive(result)
    player.receive(now(in_season(Season.FALL)))
    player.receive(results[2])
    player.receive(now(in_season(Season.WINTER, units=UNITS[1:])))
    assert [list(view.results) for view in tactic.views] == [results[:2], results[2:]]


def test_who_comes_back_sees_each_result_once() -> None:
    tactic = Wishful()
    player = a_player(tactic)
    result = OrderOutcome(SPRING, Hold(UNITS[0]), OrderResult.SUCCEEDED)
    for message in (result, Yes(IAm(FRANCE, 4711)), result, now(in_season(Season.FALL))):
        player.receive(message)
    assert tactic.views[0].results == (result,)


def test_the_time_to_think_is_the_smaller_of_limit_and_deadline() -> None:
    limits = (VariantOption("MTL", 10),)
    for think, message, seconds in (
        (None, None, 9.0),
        (2.0, None, 2.0),
        (2.0, TimeLeft(1), 0.75),
        (None, TimerStopped(5), None),
    ):
        tactic = Wishful()
        player = a_player(tactic, options=limits, think=think)
        player.receive(now(), 100.0)
        if message is not None:
            player.receive(message, 100.0)
            player.receive(now(), 100.0)
        assert tactic.views[-1].seconds == seconds


def test_without_limits_nobody_waits() -> None:
    tactic = Wishful()
    a_player(tactic).receive(now())
    assert tactic.views[0].seconds is None


def test_the_board_is_numbered_as_the_tokens_are_whatever_the_order_of_the_mdf() -> None:
    definition = map_definition(BOARD)
    mixed = list(definition.borders)
    Random(1).shuffle(mixed)
    board = board_for(evolve(definition, borders=tuple(mixed)), standard_representation())
    assert board.provinces == BOARD.provinces


def test_a_server_that_does_not_tell_the_standard_map_can_be_played_with() -> None:
    player = Player(as_bot(HoldBot()))
    told = Rej(AskMapDefinition()), Hello(FRANCE, 1, ()), ownership_message(BOARD, BOARD.start)
    for message in told:
        player.receive(message)
    assert player.receive(now()) == [holds()]


def test_games_are_saved_but_not_loaded() -> None:
    player = a_player()
    assert player.receive(SaveGame("x")) == [Saved("x", done=True)]
    assert player.receive(LoadGame("x")) == [Loaded("x", done=False)]


# --- press ----------------------------------------------------------------------------------------


def test_a_bot_that_does_not_talk_only_submits_where_nobody_does() -> None:
    assert a_player(level=0).receive(now()) == [holds()]


def test_a_talker_holds_the_turn_speaks_submits_and_lets_go() -> None:
    player = a_player(negotiator=Peacemaker(), level=20)
    first, *said, orders, last = player.receive(now())
    assert (first, orders, last) == (CancelGo(), holds(), Go())
    assert len(said) == 6
    assert to_england(PEACE) in said


def test_a_talker_answers_press_and_lets_the_next_round_go() -> None:
    player = a_player(negotiator=Peacemaker(), level=20)
    player.receive(now())
    player.receive(Admin("Server", "press round 2"))
    assert player.receive(OFFER) == []
    # The tactic is asked again, because somebody is a friend now.
    answered = player.receive(Admin("Server", "press round 3"))
    assert answered == [to_england(Accept(PEACE)), holds(), Go()]
    assert player.receive(Admin("Server", "press round 4")) == [Go()]


def test_without_rounds_new_beliefs_are_ordered_at_once() -> None:
    player = a_player(negotiator=Peacemaker(), level=20)
    player.receive(now())
    assert player.receive(OFFER) == [to_england(Accept(PEACE)), holds()]


def test_answers_to_the_last_round_of_a_turn_are_not_given_in_the_next() -> None:
    player = a_player(negotiator=Peacemaker(), level=20)
    player.receive(now())
    player.receive(ROUND_2)
    player.receive(OFFER)
    player.receive(now(in_season(Season.FALL)))
    assert player.receive(ROUND_2) == [Go()]


def test_who_has_nothing_to_order_does_not_ask_to_be_waited_for() -> None:
    winter = now(in_season(Season.WINTER))
    player = a_player(negotiator=Peacemaker(), level=20)
    assert {type(message) for message in player.receive(winter)} == {SendPress}
    in_rounds = a_player(negotiator=Peacemaker(), level=20)
    in_rounds.receive(now())
    in_rounds.receive(ROUND_2)
    assert in_rounds.receive(winter) == []


@pytest.mark.parametrize("has_rounds", [False, True])
def test_what_is_believed_on_the_servers_word_is_ordered_at_once_but_in_rounds(
    has_rounds: bool,
) -> None:
    class Careful(Negotiator):
        is_sure = False

        def on_answer(self, view: GameView, sent: SendPress, *, accepted: bool) -> None:
            del view, sent
            self.is_sure = accepted

        def beliefs(self, view: GameView) -> Beliefs:
            del view
            return Beliefs(attitudes={ENGLAND: 0.4} if self.is_sure else {})

    player = a_player(negotiator=Careful(), level=20)
    player.receive(now())
    if has_rounds:
        player.receive(ROUND_2)
    assert player.receive(Yes(to_england(PEACE))) == ([] if has_rounds else [holds()])


def test_the_tactic_is_told_what_the_negotiator_believes() -> None:
    tactic = Wishful()
    player = a_player(tactic, Peacemaker(), level=20)
    player.receive(now())
    player.receive(OFFER)
    assert [view.beliefs for view in tactic.views] == [
        Beliefs(),
        Beliefs(attitudes={ENGLAND: 0.4}),
    ]


def test_press_is_opened_once_a_turn() -> None:
    player = a_player(negotiator=Peacemaker(), level=20)
    player.receive(now())
    assert player.receive(now()) == [CancelGo(), holds(), Go()]


def test_words_that_are_not_understood_are_answered_with_huh_and_try() -> None:
    player = a_player(negotiator=Peacemaker(), level=20)
    player.receive(now())
    player.receive(ROUND_2)
    press = from_text("PRP ( DRW )")
    player.receive(PressReceived(ENGLAND, (FRANCE,), Propose(Draw())))
    assert player.receive(Admin("Server", "press round 3")) == [
        to_england(NotUnderstood((*press[:2], *from_text("ERR"), *press[2:]))),
        to_england(Understand(("PRP", "PCE", "YES", "REJ"))),
        Go(),
    ]


def test_a_bot_that_does_not_talk_says_so_where_others_do() -> None:
    player = a_player(level=20)
    assert player.receive(now()) == [CancelGo(), holds(), Go()]
    assert player.receive(OFFER) == [
        to_england(NotUnderstood(from_text("ERR PRP ( PCE ( ENG FRA ) )"))),
        to_england(Understand(())),
    ]


@pytest.mark.parametrize("press", [NotUnderstood(from_text("ERR PRP")), Understand(("XDO",))])
def test_huh_and_try_are_never_answered_in_kind(press: NotUnderstood | Understand) -> None:
    player = a_player(negotiator=Negotiator(), level=20)
    player.receive(now())
    assert player.receive(PressReceived(ENGLAND, (FRANCE,), press)) == []


@pytest.mark.parametrize("level", [10, 15, 20, 8000, 9999])
def test_nothing_is_said_that_the_server_would_not_take(level: int) -> None:
    player = a_player(negotiator=Loudmouth(), level=level)
    first, *said, orders, last = player.receive(now())
    assert (first, orders, last) == (CancelGo(), holds(), Go())
    # Free text is fine at the level made for it.
    assert len(said) == (1 if level >= 8000 else 0)


def test_nobody_talks_where_the_options_forbid_it() -> None:
    position = in_season(Season.WINTER, units=UNITS[1:])
    waive = SubmitOrders((Waive(FRANCE),), position.turn)
    forbidden = a_player(negotiator=Peacemaker(), level=20, options=(VariantOption("NPB"),))
    assert forbidden.receive(now(position)) == [waive]
    level_0 = a_player(negotiator=Peacemaker())
    assert level_0.receive(now(position)) == [waive]


def test_a_talker_is_silent_where_it_orders_nothing_and_answers_later() -> None:
    player = a_player(negotiator=Peacemaker(), level=20)
    player.receive(now())
    player.receive(ROUND_2)
    assert player.receive(now(in_season(Season.AUTUMN))) == []
    assert player.receive(OFFER) == []
    position = in_season(Season.WINTER, units=UNITS[1:])
    first, answer, *rest = player.receive(now(position))
    assert (first, answer) == (CancelGo(), to_england(Accept(PEACE)))
    assert rest[-2:] == [SubmitOrders((Waive(FRANCE),), position.turn), Go()]


def test_the_absent_are_not_spoken_to() -> None:
    player = a_player(negotiator=Peacemaker(), level=20)
    player.receive(CivilDisorder(ENGLAND))
    recipients = {
        message.recipients for message in player.receive(now()) if isinstance(message, SendPress)
    }
    assert len(recipients) == 5
    assert (ENGLAND,) not in recipients


def test_a_negotiator_hears_what_became_of_its_press() -> None:
    negotiator = Peacemaker()
    player = a_player(negotiator=negotiator, level=20)
    player.receive(now())
    player.receive(Yes(to_england(PEACE)))
    player.receive(Rej(to_england(PEACE)))
    assert negotiator.confirmed == [(to_england(PEACE), True), (to_england(PEACE), False)]


def test_who_wants_a_draw_votes_for_it_also_without_press() -> None:
    class Peaceful(Negotiator):
        def votes_for_draw(self, view: GameView) -> bool:
            return view.power == FRANCE

    assert a_player(negotiator=Peaceful()).receive(now()) == [RequestDraw(), holds()]
    # In winter France has nothing to order, and nobody would wait for its vote.
    assert a_player(negotiator=Peaceful()).receive(now(in_season(Season.WINTER))) == []


def test_other_texts_of_the_server_are_no_rounds() -> None:
    player = a_player(negotiator=Peacemaker(), level=20)
    player.receive(now())
    for text in ("press round", "press round two", "hello"):
        assert player.receive(Admin("Server", text)) == []
    assert player.receive(Admin("England", "press round 2")) == []


def test_units_that_are_not_ours_are_not_ordered_when_they_are_missing() -> None:
    player = a_player()
    player.receive(now())
    foreign = Unit(ENGLAND, UnitKind.ARMY, Location(BOARD.province("LVP")))
    assert player.receive(OrderAnswer(Hold(foreign), OrderNote.NOT_YOUR_UNIT)) == []
