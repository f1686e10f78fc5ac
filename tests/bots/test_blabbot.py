import pytest

from bots.blabbot import BlabTalk, blabbot
from bots.dumbbot.tactic import DumbBot
from bots.press_filter import not_understood
from bots.unit_places import unit_places_of
from bots.view import GameView
from grammar.messages import PressReceived, SendPress
from grammar.press import (
    Accept,
    Alliance,
    Cancel,
    Decline,
    Draw,
    GiveOrder,
    Not,
    NotUnderstood,
    Peace,
    Press,
    Propose,
    Refuse,
    Understand,
)
from grammar.representation import standard_representation
from rules.errors import BadInputError
from rules.orders import Hold
from rules.turns import Season
from tests.bots.talking import (
    AUSTRIA,
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

NAMES = standard_representation()


def a_talk(policy: str = "mac", *, factor: float = 0.4) -> Talk:
    talk = Talk(BlabTalk(policy, factor=factor))
    talk.open()
    return talk


def test_peace_is_proposed_to_each_power_in_a_message_of_its_own() -> None:
    said = Talk(BlabTalk()).open()
    assert said == [SendPress((power,), peace(FRANCE, power)) for power in OTHERS]


def test_a_yes_to_a_peace_that_we_have_not_proposed_makes_no_friend() -> None:
    talk = Talk(BlabTalk())
    talk.hear(ENGLAND, Accept(peace(FRANCE, ENGLAND)))
    assert talk.attitudes() == {}


@pytest.mark.parametrize(("years", "is_friend"), [(0, True), (1, True), (2, False)])
def test_an_answer_may_come_late_but_not_years_after(years: int, *, is_friend: bool) -> None:
    talk = a_talk()
    talk.position = in_turn(Season.WINTER, 1901 + years)
    talk.agree(ENGLAND)
    assert (ENGLAND in talk.attitudes()) is is_friend


def test_who_did_not_answer_is_asked_again_every_spring() -> None:
    talk = a_talk()
    talk.agree(ENGLAND)
    assert talk.asked(in_turn(Season.FALL)) == []
    strangers = [power for power in OTHERS if power != ENGLAND]
    assert talk.asked(in_turn(Season.SPRING, 1902)) == strangers


def test_who_understands_nothing_is_not_asked_again() -> None:
    talk = a_talk()
    assert talk.hear(ENGLAND, Understand(())) == []
    talk.hear(GERMANY, Understand(("PRP", "PCE")))
    asked = talk.asked(in_turn(Season.SPRING, 1902))
    assert ENGLAND not in asked
    assert GERMANY in asked


@pytest.mark.parametrize("season", [Season.SUMMER, Season.AUTUMN, Season.WINTER])
def test_nothing_is_proposed_but_in_movement_turns(season: Season) -> None:
    assert Talk(BlabTalk()).open(in_turn(season)) == []


def test_nothing_is_proposed_by_who_has_nothing_to_order() -> None:
    units = tuple(unit for unit in BOARD.start.units if unit.power != FRANCE)
    position = left_to(*BOARD.powers)
    without = type(position)(position.turn, units, (), position.owners)
    assert Talk(BlabTalk()).open(without) == []


def test_who_says_yes_is_a_friend_in_either_order_of_the_list() -> None:
    talk = a_talk()
    talk.hear(ENGLAND, Accept(peace(FRANCE, ENGLAND)))
    talk.hear(GERMANY, Accept(peace(GERMANY, FRANCE)))
    assert talk.negotiator.friends == {ENGLAND, GERMANY}


def test_a_yes_to_a_peace_of_others_makes_no_friend() -> None:
    talk = a_talk()
    talk.hear(ENGLAND, Accept(peace(ENGLAND, GERMANY)))
    talk.hear(ENGLAND, Accept(peace(FRANCE, GERMANY)))
    assert talk.negotiator.friends == set()


@pytest.mark.parametrize("offer", [peace(FRANCE, ENGLAND), peace(ENGLAND, FRANCE)])
def test_an_offer_is_accepted_and_counts_once_the_server_confirms(offer: Propose) -> None:
    talk = a_talk()
    assert talk.hear(ENGLAND, offer) == [Accept(offer)]
    assert talk.negotiator.friends == set()
    talk.confirm(ENGLAND, Accept(offer))
    assert talk.negotiator.friends == {ENGLAND}


def test_an_acceptance_that_the_server_refuses_makes_no_friend() -> None:
    talk = a_talk()
    offer = peace(ENGLAND, FRANCE)
    talk.hear(ENGLAND, offer)
    talk.confirm(ENGLAND, Accept(offer), accepted=False)
    talk.confirm(ENGLAND, Accept(offer))
    assert talk.negotiator.friends == set()


def test_whose_peace_was_just_accepted_is_spared_before_the_server_confirms() -> None:
    talk = a_talk()
    offer = peace(ENGLAND, FRANCE)
    talk.hear(ENGLAND, offer)
    assert talk.attitudes() == {ENGLAND: 0.4}
    talk.confirm(ENGLAND, Accept(offer), accepted=False)
    assert talk.attitudes() == {}


def test_an_offer_that_is_cancelled_before_the_confirmation_makes_no_friend() -> None:
    talk = a_talk()
    offer = peace(ENGLAND, FRANCE)
    talk.hear(ENGLAND, offer)
    assert talk.hear(ENGLAND, Cancel(offer)) == []
    talk.confirm(ENGLAND, Accept(offer))
    assert talk.negotiator.friends == set()


def test_a_longer_list_is_accepted_if_all_its_members_live() -> None:
    talk = a_talk()
    offer = peace(GERMANY, ENGLAND, FRANCE)
    assert talk.hear(ENGLAND, offer) == [Accept(offer)]
    talk.confirm(ENGLAND, Accept(offer))
    # Germany has not said a word yet.
    assert talk.negotiator.friends == {ENGLAND}
    talk.open(left_to(FRANCE, ENGLAND, AUSTRIA))
    assert talk.hear(AUSTRIA, peace(GERMANY, AUSTRIA, FRANCE)) == [
        Refuse(peace(GERMANY, AUSTRIA, FRANCE))
    ]


@pytest.mark.parametrize(
    ("press", "answer"),
    [
        (peace(FRANCE), Accept),
        (peace(FRANCE, FRANCE), Accept),
        (peace(ENGLAND), Decline),
        (peace(ENGLAND, GERMANY), Decline),
        (Propose(Alliance((ENGLAND, FRANCE), (GERMANY,))), Refuse),
        (Propose(Alliance((ENGLAND, AUSTRIA), (GERMANY,))), Decline),
        (Propose(Not(Peace((ENGLAND, FRANCE)))), Refuse),
        (Propose(Draw()), Refuse),
        (Propose(Draw((ENGLAND, FRANCE))), Refuse),
        (Propose(Not(Draw())), Refuse),
    ],
)
def test_every_proposal_has_an_answer_that_quotes_it(press: Propose, answer: type[Accept]) -> None:
    talk = a_talk()
    assert talk.hear(ENGLAND, press) == [answer(press)]
    talk.confirm(ENGLAND, answer(press))
    assert talk.negotiator.friends == set()


@pytest.mark.parametrize(
    "press",
    [
        Refuse(peace(FRANCE, ENGLAND)),
        Decline(peace(FRANCE, ENGLAND)),
        NotUnderstood((1, 2, 3)),
        Understand(("PRP",)),
        Accept(Propose(Draw())),
        Cancel(Accept(peace(FRANCE, ENGLAND))),
        Refuse(Accept(peace(FRANCE, ENGLAND))),
    ],
)
def test_replies_are_not_answered(press: Press) -> None:
    talk = a_talk()
    talk.agree(ENGLAND)
    assert talk.hear(ENGLAND, press) == []
    assert talk.negotiator.friends == {ENGLAND}


@pytest.mark.parametrize("factor", [0, 0.1, 0.4])
def test_friends_count_less_by_the_factor(factor: float) -> None:
    talk = a_talk(factor=factor)
    talk.agree(ENGLAND, GERMANY)
    assert talk.attitudes() == {ENGLAND: factor, GERMANY: factor}
    tactic = DumbBot()
    kind = GameView(
        board=BOARD,
        power=FRANCE,
        position=BOARD.start,
        beliefs=talk.negotiator.beliefs(talk.view),
    )
    plain, discounted = tactic.value_map(talk.view).values, tactic.value_map(kind).values
    assert plain != discounted
    munich = unit_places_of(BOARD).in_home(BOARD.province("MUN"))
    assert all(discounted[unit_place] < plain[unit_place] for unit_place in munich)


def test_the_dead_are_not_in_the_beliefs() -> None:
    talk = a_talk()
    talk.agree(ENGLAND, GERMANY)
    talk.open(left_to(FRANCE, ENGLAND, AUSTRIA))
    assert talk.attitudes() == {ENGLAND: 0.4}


def test_mac_drops_all_friends_when_nobody_else_is_left_and_never_makes_peace_again() -> None:
    talk = a_talk("mac")
    talk.agree(ENGLAND, GERMANY)
    assert talk.asked(left_to(FRANCE, ENGLAND, GERMANY)) == []
    assert talk.attitudes() == {}
    assert not talk.negotiator.votes_for_draw(talk.view)
    offer = peace(ENGLAND, FRANCE)
    assert talk.hear(ENGLAND, offer) == [Refuse(offer)]
    talk.agree(ENGLAND)
    assert talk.asked(left_to(FRANCE, ENGLAND, GERMANY, year=1906)) == []
    assert talk.attitudes() == {}


def test_mac_drops_them_also_when_the_last_stranger_becomes_a_friend() -> None:
    talk = a_talk("mac")
    talk.agree(*OTHERS[:-1])
    assert len(talk.attitudes()) == len(OTHERS) - 1
    talk.agree(OTHERS[-1])
    assert talk.attitudes() == {}


def test_joe_stays_honest_and_asks_for_a_draw_every_turn() -> None:
    talk = a_talk("joe")
    talk.agree(ENGLAND, GERMANY)
    assert not talk.negotiator.votes_for_draw(talk.view)
    for season in (Season.SPRING, Season.FALL):
        said = talk.open(left_to(FRANCE, ENGLAND, GERMANY, season=season))
        assert sorted(recipients(said, Propose(Draw())), key=str) == [ENGLAND, GERMANY]
        assert talk.negotiator.votes_for_draw(talk.view)
    assert talk.attitudes() == {ENGLAND: 0.4, GERMANY: 0.4}
    assert talk.hear(ENGLAND, Propose(Draw())) == [Accept(Propose(Draw()))]


def test_a_policy_that_nobody_knows_is_refused() -> None:
    with pytest.raises(BadInputError, match="no such variant of blabbot: 'max'; choose one of mac"):
        blabbot("max")


def test_an_order_proposal_is_not_understood() -> None:
    talk = BlabTalk()
    order = GiveOrder(Hold(BOARD.start.units[0]))
    received = PressReceived(ENGLAND, (FRANCE,), Propose(order))
    answers = [each.press for each in not_understood(received, talk.words, NAMES)]
    assert [type(answer) for answer in answers] == [NotUnderstood, Understand]
    assert answers[1] == Understand(tuple(talk.words))
