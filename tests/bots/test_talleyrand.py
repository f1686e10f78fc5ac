"""Talleyrand as France: what its search says of deals, and when it leaves a friend."""

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
from attrs import evolve

from bots.banker.deals import subject
from bots.registry import make_bot
from bots.strategy import Bot
from bots.talleyrand.counsel import Counsel
from bots.talleyrand.statecraft import Alarm, can_dash, runaway
from bots.talleyrand.talk import StateTalk
from bots.talleyrand.talleyrand import talleyrand
from bots.view import Beliefs, GameView
from grammar.messages import PressReceived
from grammar.press import Accept, Not, Peace, Propose, Refuse
from matches import play
from rules.errors import BadInputError
from rules.notation import parse_order, parse_province, parse_unit
from rules.orders import MovementOrder, SupportMove
from rules.places import Power
from rules.position import Position
from rules.turns import Season, Turn
from tests.bots.talking import AUSTRIA, BOARD, ENGLAND, FRANCE, GERMANY

FRONT = {
    FRANCE: ("A BUR", "A GAS", "F MAO"),
    ENGLAND: ("A RUH", "F NTH", "A PIC"),
    GERMANY: ("A MUN", "A BER", "F KIE"),
}


def position(
    owned: Mapping[Power, int] | None = None, season: Season = Season.FALL, year: int = 1905
) -> Position:
    """Return three powers at the front, with so many centers each beside their homes."""
    units = [parse_unit(BOARD, power, text) for power, texts in FRONT.items() for text in texts]
    owners = {
        center: owner for center, owner in BOARD.start.owners.items() if owner in (owned or FRONT)
    }
    free = iter(center for center in BOARD.centers if center not in owners)
    sizes = Counter(owners.values())
    for power, count in (owned or {}).items():
        for _ in range(count - sizes[power]):
            owners[next(free)] = power
    return Position(Turn(season, year), tuple(units), (), owners)


def seen(at: Position, beliefs: Beliefs | None = None) -> GameView:
    return GameView(
        board=BOARD,
        power=FRANCE,
        position=at,
        level=20,
        beliefs=beliefs or Beliefs(),
        random=Random(1),
    )


def made(
    *, honesty: float = 1.0, stab_gain: float = 1.0, partner_gain: float = 2.0
) -> tuple[Counsel, StateTalk]:
    bot = talleyrand(iterations=40, honesty=honesty, stab_gain=stab_gain, partner_gain=partner_gain)
    assert isinstance(bot.tactic, Counsel)
    assert isinstance(bot.negotiator, StateTalk)
    return bot.tactic, bot.negotiator


def peace(power: Power) -> Peace:
    return Peace((FRANCE, power))


def make_friends(talk: StateTalk, view: GameView, *powers: Power) -> None:
    for power in powers:
        talk.on_press(view, PressReceived(power, (FRANCE,), Propose(peace(power))))
    assert talk.friends == set(powers)


# --- what the search says -------------------------------------------------------------------------


def test_help_that_takes_a_center_is_wanted_most() -> None:
    counsel, _ = made()
    wanted = counsel.wanted_help(seen(position()), {ENGLAND})
    best = max(wanted, key=lambda request: request.gain)
    assert subject(best.order).power == ENGLAND
    assert isinstance(best.order, SupportMove)
    assert best.order.destination == parse_province(BOARD, "MUN")
    assert best.order.supported == subject(best.ours)
    assert all(request.gain > 0 for request in wanted)


def test_nobody_else_is_asked() -> None:
    counsel, _ = made()
    assert {r.partner for r in counsel.wanted_help(seen(position()), {ENGLAND})} <= {ENGLAND}
    assert counsel.wanted_help(seen(position()), set()) == []


def test_what_is_closed_is_not_asked_for() -> None:
    counsel, _ = made()
    beliefs = Beliefs(closed=frozenset({parse_province(BOARD, "MUN")}))
    for request in counsel.wanted_help(seen(position(), beliefs), {ENGLAND}):
        assert getattr(request.ours, "destination", None) is None or (
            request.ours.destination.province.name != "MUN"  # type: ignore[union-attr]  # a move
        )


def test_a_useless_order_costs_something_and_the_own_plan_nothing() -> None:
    counsel, _ = made()
    at = position()
    view = seen(at)
    counsel.worth(view)
    away = parse_order(BOARD, at, FRANCE, "A GAS - SPA")
    best = parse_order(BOARD, at, FRANCE, "F MAO - POR")
    assert isinstance(away, MovementOrder)
    assert isinstance(best, MovementOrder)
    assert counsel.loss_of(view, away) >= 0
    assert counsel.worth(view) > 0


def test_what_is_asked_changes_nothing_about_the_orders() -> None:
    plain, asked = made()[0], made()[0]
    at = position()
    asked.wanted_help(seen(at), {ENGLAND})
    asked.worth(seen(at))
    assert asked.choose_orders(seen(at)) == plain.choose_orders(seen(at))


def test_a_look_at_the_game_leaves_the_advice_of_the_turn_as_it_was() -> None:
    counsel, _ = made()
    at = position()
    order = parse_order(BOARD, at, FRANCE, "A GAS - SPA")
    assert isinstance(order, MovementOrder)
    before = counsel.loss_of(seen(at), order)
    counsel.projected(seen(BOARD.start))
    assert counsel.loss_of(seen(at), order) == before


def test_more_centers_are_worth_more() -> None:
    counsel, _ = made()
    few = counsel.projected(seen(position({FRANCE: 4, ENGLAND: 8, GERMANY: 8})))
    many = counsel.projected(seen(position({FRANCE: 14, ENGLAND: 8, GERMANY: 8})))
    assert 0 <= few < many <= 1


# --- friends --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "leader"),
    [
        ({FRANCE: 5, ENGLAND: 13, GERMANY: 8}, ENGLAND),
        ({FRANCE: 5, ENGLAND: 12, GERMANY: 8}, None),
        ({FRANCE: 13, ENGLAND: 13, GERMANY: 8}, None),
    ],
)
def test_who_is_about_to_win_is_seen(sizes: dict[Power, int], leader: Power | None) -> None:
    assert runaway(seen(position(sizes)), Alarm()) == leader


@pytest.mark.parametrize(("own", "expected"), [(13, False), (14, True)])
def test_our_own_victory_is_seen(own: int, expected: bool) -> None:
    assert can_dash(seen(position({FRANCE: own, GERMANY: 9})), Alarm()) is expected


def test_a_friend_who_is_about_to_win_is_left_and_told_so() -> None:
    _, talk = made(stab_gain=100.0, partner_gain=100.0)
    make_friends(talk, seen(position(season=Season.SPRING)), ENGLAND, GERMANY)
    after = seen(position({FRANCE: 5, ENGLAND: 14, GERMANY: 8}))
    talk.notice(after)
    assert ENGLAND not in talk.friends
    assert GERMANY in talk.friends
    assert talk.on_press(after, PressReceived(ENGLAND, (FRANCE,), Propose(peace(ENGLAND))))[
        0
    ].press == Refuse(Propose(peace(ENGLAND)))


def test_nobody_stands_in_the_way_of_a_victory() -> None:
    _, talk = made(stab_gain=100.0, partner_gain=100.0)
    make_friends(talk, seen(position(season=Season.SPRING)), GERMANY)
    talk.notice(seen(position({FRANCE: 15, GERMANY: 9, ENGLAND: 8})))
    assert GERMANY not in talk.friends


@pytest.mark.parametrize(("gain", "stays"), [(-100.0, False), (100.0, True)])
def test_a_friend_is_left_for_enough_gain_only(gain: float, stays: bool) -> None:
    _, talk = made(stab_gain=gain, partner_gain=gain)
    make_friends(talk, seen(position(season=Season.SPRING)), GERMANY)
    talk.notice(seen(position({FRANCE: 8, GERMANY: 8, ENGLAND: 8})))
    assert (GERMANY in talk.friends) is stays


def test_peace_that_is_over_is_ended_with_a_notice_by_the_honest_only() -> None:
    for honesty, told in ((1.0, True), (0.0, False)):
        _, talk = made(stab_gain=-100.0, partner_gain=-100.0, honesty=honesty)
        before, after = seen(position(season=Season.SPRING)), seen(position())
        make_friends(talk, before, GERMANY)
        for view in (before, after):
            view.book.hear(before.turn, FRANCE, (GERMANY,), Propose(peace(GERMANY)))
            view.book.hear(before.turn, GERMANY, (FRANCE,), Accept(Propose(peace(GERMANY))))
        said = [each.press for each in talk.open_turn(after)]
        assert (Propose(Not(peace(GERMANY))) in said) is told


# --- the end --------------------------------------------------------------------------------------


def test_a_draw_is_welcome_to_who_has_little_to_hope_for() -> None:
    _, talk = made()
    talk.notice(seen(position(season=Season.SPRING, year=1901)))
    assert talk.votes_for_draw(seen(position({FRANCE: 3, ENGLAND: 14, GERMANY: 14}, year=1908)))


def test_no_draw_in_the_first_years_nor_close_to_the_victory() -> None:
    _, talk = made()
    talk.notice(seen(position(season=Season.SPRING, year=1901)))
    assert not talk.votes_for_draw(seen(position({FRANCE: 3, ENGLAND: 14, GERMANY: 14}, year=1902)))
    assert not talk.votes_for_draw(seen(position({FRANCE: 16, ENGLAND: 9, GERMANY: 9}, year=1908)))


# --- in games -------------------------------------------------------------------------------------


@pytest.mark.parametrize("others", ["blabbot", "dumbbot", "banker", "randombot"])
def test_games_with_strangers_are_played_without_a_fault(others: str) -> None:
    line_up = ["talleyrand/iterations=16", *([others] * 5), "diplominator"]
    game = play(line_up, seed=3, last_year=1902)
    assert not game.faults


def test_the_same_seed_plays_the_same_game_with_the_same_press() -> None:
    first, second = (play(["talleyrand/iterations=12"] * 7, seed=5, last_year=1902) for _ in "ab")
    assert first.positions == second.positions
    assert first.press == second.press
    assert first.press


def test_other_maps_are_played_too() -> None:
    assert not play(
        ["talleyrand/iterations=12"] * 3, variant="lagoon", seed=1, last_year=1903
    ).faults


@pytest.mark.parametrize("text", ["talleyrand/honesty=2", "talleyrand/iterations=0"])
def test_impossible_traits_are_refused(text: str) -> None:
    with pytest.raises(BadInputError):
        make_bot(text)


def test_it_has_a_name_at_the_table() -> None:
    bot = make_bot("talleyrand")
    assert isinstance(bot, Bot)
    assert evolve(seen(position()), power=AUSTRIA).units == ()
