"""The banker and the market as France, with England as a friend and Germany at war with both."""

import pytest
from attrs import Factory, define

from bots.banker.banker import banker
from bots.banker.deals import Deal, Request
from bots.banker.ledger import RAW_TERMS
from bots.banker.market import MarketTalk
from bots.banker.negotiator import BankTalk
from bots.banker.policy import Policy
from bots.tactician.tactic import Tactician
from bots.view import Beliefs, GameView
from grammar.messages import PressReceived, SendPress
from grammar.press import (
    Accept,
    Alliance,
    AllOf,
    Arrangement,
    Cancel,
    Decline,
    Demilitarize,
    Draw,
    GiveOrder,
    NoArrangement,
    Not,
    Peace,
    Press,
    Propose,
    Refuse,
    Solo,
    StateFact,
    Understand,
)
from promises.book import PromiseBook
from rules.errors import BadInputError
from rules.notation import parse_order, parse_province, parse_unit
from rules.orders import Order, Unit
from rules.places import Power, Province
from rules.position import Position
from rules.turns import Season, Turn
from tests.bots.talking import AUSTRIA, BOARD, ENGLAND, FRANCE, GERMANY, OTHERS, peace

FRONT = {
    FRANCE: ("A BUR", "A GAS", "F MAO"),
    ENGLAND: ("A RUH", "F NTH", "A PIC"),
    GERMANY: ("A MUN", "A BER", "F KIE"),
}


def in_front(season: Season = Season.FALL, year: int = 1903) -> Position:
    """Return a position in which three powers have all the centers."""
    units = [parse_unit(BOARD, power, text) for power, texts in FRONT.items() for text in texts]
    owners = dict(BOARD.start.owners)
    spread = [FRANCE, ENGLAND]
    for number, center in enumerate(BOARD.centers):
        if owners.get(center) not in FRONT:
            owners[center] = spread[number % 2]
    return Position(Turn(season, year), tuple(units), (), owners)


def order(text: str, power: Power = FRANCE) -> Order:
    return parse_order(BOARD, in_front(), power, text)


def unit(text: str, power: Power = FRANCE) -> Unit:
    return parse_unit(BOARD, power, text)


def province(name: str) -> Province:
    return parse_province(BOARD, name)


@define
class Bank:
    """A banker of France, and what is said to it."""

    talk: BankTalk = Factory(lambda: BankTalk(Tactician(scenarios=4)))
    position: Position = Factory(in_front)
    book: PromiseBook = Factory(lambda: PromiseBook(BOARD))
    level: int = 20

    @property
    def view(self) -> GameView:
        return GameView(
            board=BOARD, power=FRANCE, position=self.position, level=self.level, book=self.book
        )

    def open(self, position: Position | None = None) -> list[SendPress]:
        self.position = position or self.position
        said = list(self.talk.open_turn(self.view))
        for each in said:
            self.book.hear(self.view.turn, FRANCE, each.recipients, each.press)
        return said

    def hear(self, sender: Power, press: Press) -> list[SendPress]:
        self.book.hear(self.view.turn, sender, (FRANCE,), press)
        answers = list(self.talk.on_press(self.view, PressReceived(sender, (FRANCE,), press)))
        for each in answers:
            self.book.hear(self.view.turn, FRANCE, each.recipients, each.press)
        return answers

    def answer(self, sender: Power, arrangement: Arrangement) -> type[Press]:
        """Return which word a proposal is answered with; it quotes the proposal."""
        proposal = Propose(arrangement)
        (said,) = self.hear(sender, proposal)
        assert said.recipients == (sender,)
        assert isinstance(said.press, Accept | Refuse | Decline)
        assert said.press.press == proposal
        return type(said.press)

    def befriend(self, *powers: Power) -> "Bank":
        for power in powers:
            assert self.answer(power, Peace((power, FRANCE))) is Accept
        return self

    def beliefs(self) -> Beliefs:
        return self.talk.beliefs(self.view)


def bank(**policy: float) -> Bank:
    return Bank(BankTalk(Tactician(scenarios=4), Policy(**policy)))  # type: ignore[arg-type]  # as a policy has them


class Generous(BankTalk):
    """A banker that gives whatever it may."""

    def is_worth_it(self, sender: Power, price: float, cost: float) -> bool:
        del sender, price, cost
        return True


def generous(**policy: float) -> Bank:
    return Bank(Generous(Tactician(scenarios=4), Policy(**policy)))  # type: ignore[arg-type]  # as a policy has them


def said_to(said: list[SendPress], power: Power) -> list[Press]:
    return [each.press for each in said if each.recipients == (power,)]


# --- peace ----------------------------------------------------------------------------------------


def test_peace_is_offered_to_everybody() -> None:
    said = Bank(position=BOARD.start).open()
    assert [each.press for each in said] == [peace(FRANCE, power) for power in OTHERS]


def test_the_provinces_of_a_friend_are_closed() -> None:
    closed = Bank().befriend(ENGLAND).beliefs().closed
    assert {province("LON"), province("RUH"), province("NTH")} <= closed
    assert not {province("MUN"), province("PAR"), province("BUR")} & closed


def test_nothing_is_closed_without_friends() -> None:
    assert Bank().beliefs().closed == frozenset()


def test_who_stands_in_our_center_is_a_friend_no_more_and_is_told() -> None:
    trio = Bank().befriend(ENGLAND)
    units = tuple(each for each in trio.position.units if each != unit("A PIC", ENGLAND))
    invaded = Position(
        Turn(Season.SPRING, 1904),
        (*units, unit("A PAR", ENGLAND)),
        (),
        trio.position.owners,
    )
    said = trio.open(invaded)
    assert trio.talk.friends == set()
    assert Propose(Not(Peace((ENGLAND, FRANCE)))) in said_to(said, ENGLAND)


def test_a_cheat_gives_no_notice() -> None:
    trio = bank(honesty=0).befriend(ENGLAND)
    units = tuple(each for each in trio.position.units if each != unit("A PIC", ENGLAND))
    invaded = Position(
        Turn(Season.SPRING, 1904), (*units, unit("A PAR", ENGLAND)), (), trio.position.owners
    )
    said = trio.open(invaded)
    assert trio.talk.friends == set()
    assert not any(
        isinstance(each, Propose) and isinstance(each.arrangement, Not)
        for each in said_to(said, ENGLAND)
    )


def test_a_broken_peace_is_found_in_the_book_and_not_renewed_at_once() -> None:
    trio = Bank().befriend(ENGLAND)
    trio.book.settle(trio.position, [order("A PIC - BRE", ENGLAND)])
    trio.open(in_front(Season.SPRING, 1904))
    assert trio.talk.friends == set()
    assert trio.answer(ENGLAND, Peace((ENGLAND, FRANCE))) is Refuse
    trio.position = in_front(Season.SPRING, 1907)
    assert trio.answer(ENGLAND, Peace((ENGLAND, FRANCE))) is Accept


def test_who_says_that_peace_is_over_is_believed() -> None:
    trio = Bank().befriend(ENGLAND)
    assert trio.answer(ENGLAND, Not(Peace((FRANCE, ENGLAND)))) is Accept
    assert trio.beliefs().closed == frozenset()


def test_with_nothing_else_to_win_a_friend_is_left() -> None:
    trio = Bank().befriend(ENGLAND, GERMANY)
    said = trio.open(in_front(Season.SPRING, 1904))
    left = {ENGLAND, GERMANY} - trio.talk.friends
    assert len(left) == 1
    (victim,) = left
    assert Propose(Not(Peace((victim, FRANCE)))) in said_to(said, victim)


# --- orders that others ask for -------------------------------------------------------------------


def test_support_against_an_enemy_is_given_and_charged() -> None:
    trio = generous().befriend(ENGLAND)
    wanted = order("A BUR S A RUH - MUN")
    assert trio.answer(ENGLAND, GiveOrder(wanted)) is Accept
    assert wanted in trio.beliefs().promised
    assert trio.talk.ledger.account(ENGLAND).balance < 0


def test_a_favour_that_costs_more_than_it_is_worth_is_refused() -> None:
    talk = BankTalk(Tactician(scenarios=4))
    assert talk.is_worth_it(ENGLAND, 100, 99)
    assert not talk.is_worth_it(ENGLAND, 100, 101)


def test_a_debtor_at_its_limit_is_refused() -> None:
    talk = BankTalk(Tactician(scenarios=4))
    talk.ledger.charge(ENGLAND, 600)
    assert not talk.is_worth_it(ENGLAND, 100, 0)


@pytest.mark.parametrize(
    "text",
    [
        "A BUR S A PIC - PAR",  # our own center
        "F MAO - ECH",  # no use to anybody but it may be asked of a friend only
    ],
)
def test_strangers_are_refused(text: str) -> None:
    assert Bank().answer(ENGLAND, GiveOrder(order(text))) is Refuse


def test_help_into_our_own_places_is_refused() -> None:
    trio = Bank().befriend(ENGLAND)
    assert trio.answer(ENGLAND, GiveOrder(order("A BUR S A PIC - PAR"))) is Refuse


def test_help_against_a_friend_is_refused() -> None:
    trio = generous().befriend(ENGLAND, GERMANY)
    assert trio.answer(ENGLAND, GiveOrder(order("A BUR S A RUH - MUN"))) is Refuse


def test_an_order_that_is_not_legal_is_refused() -> None:
    trio = Bank().befriend(ENGLAND)
    assert trio.answer(ENGLAND, GiveOrder(order("A GAS S A RUH - MUN"))) is Refuse


def test_a_unit_is_promised_once() -> None:
    trio = generous().befriend(ENGLAND)
    first, second = order("A BUR S A RUH - MUN"), order("A BUR S A RUH")
    assert trio.answer(ENGLAND, GiveOrder(first)) is Accept
    assert trio.answer(ENGLAND, GiveOrder(second)) is Refuse
    assert trio.answer(ENGLAND, GiveOrder(first)) is Accept
    assert trio.beliefs().promised == (first,)


def test_orders_of_third_powers_are_none_of_our_business() -> None:
    assert Bank().answer(ENGLAND, GiveOrder(order("A MUN H", GERMANY))) is Decline


def test_a_friend_who_says_what_it_will_do_is_counted_on() -> None:
    trio = Bank().befriend(ENGLAND)
    told = order("A RUH - HOL", ENGLAND)
    assert trio.answer(ENGLAND, GiveOrder(told)) is Accept
    assert trio.beliefs().expected == (told,)


def test_a_fact_about_its_own_order_is_counted_on_too_and_not_answered() -> None:
    trio = Bank().befriend(ENGLAND)
    told = order("A RUH - HOL", ENGLAND)
    assert trio.hear(ENGLAND, StateFact(GiveOrder(told))) == []
    assert trio.beliefs().expected == (told,)


def test_an_enemy_is_not_believed() -> None:
    trio = Bank()
    told = order("A MUN - TYR", GERMANY)
    assert trio.answer(GERMANY, GiveOrder(told)) is Refuse
    assert trio.beliefs().expected == ()


def test_what_the_server_did_not_pass_on_is_no_promise() -> None:
    trio = generous().befriend(ENGLAND)
    wanted = GiveOrder(order("A BUR S A RUH - MUN"))
    trio.answer(ENGLAND, wanted)
    answer = SendPress((ENGLAND,), Accept(Propose(wanted)))
    trio.talk.on_answer(trio.view, answer, accepted=False)
    assert trio.beliefs().promised == ()
    assert trio.talk.ledger.account(ENGLAND).balance == pytest.approx(0)


def test_a_promise_stands_when_the_proposal_is_taken_back_too_late() -> None:
    trio = generous().befriend(ENGLAND)
    wanted = GiveOrder(order("A BUR S A RUH - MUN"))
    trio.answer(ENGLAND, wanted)
    assert trio.hear(ENGLAND, Cancel(Propose(wanted))) == []
    assert trio.beliefs().promised == (wanted.order,)


def test_who_was_promised_an_order_may_let_us_off() -> None:
    trio = generous().befriend(ENGLAND)
    wanted = GiveOrder(order("A BUR S A RUH - MUN"))
    trio.answer(ENGLAND, wanted)
    assert trio.answer(ENGLAND, Not(wanted)) is Accept
    assert trio.beliefs().promised == ()


def test_all_parts_must_be_acceptable() -> None:
    trio = Bank().befriend(ENGLAND)
    told = GiveOrder(order("A RUH - HOL", ENGLAND))
    zone = Demilitarize((FRANCE, ENGLAND), (province("ECH"),))
    assert trio.answer(ENGLAND, AllOf((told, Solo(ENGLAND)))) is Refuse
    assert trio.beliefs().expected == ()
    assert trio.answer(ENGLAND, AllOf((told, zone))) is Accept
    assert trio.beliefs().expected == (told.order,)
    assert province("ECH") in trio.beliefs().closed


def test_two_orders_for_one_unit_are_refused() -> None:
    trio = Bank().befriend(ENGLAND)
    parts = [GiveOrder(order(text, ENGLAND)) for text in ("A RUH - HOL", "A RUH H")]
    assert trio.answer(ENGLAND, AllOf(tuple(parts))) is Refuse


# --- what we ask for ------------------------------------------------------------------------------


def asking() -> tuple[Bank, Request]:
    trio = Bank().befriend(ENGLAND)
    said = trio.open(in_front(Season.FALL, 1904))
    orders = [each.press.arrangement for each in said if isinstance(each.press, Propose)]
    assert any(isinstance(each, GiveOrder) for each in orders)
    return trio, next(iter(trio.talk.deals.asked.values()))


def test_friends_are_asked_for_support() -> None:
    _, request = asking()
    assert request.partner == ENGLAND
    assert request.gain >= Policy().least_gain


def test_promised_support_is_counted_on_and_our_part_is_done() -> None:
    trio, request = asking()
    trio.hear(ENGLAND, Accept(Propose(GiveOrder(request.order))))
    assert trio.beliefs().expected == (request.order,)
    assert trio.beliefs().promised == (request.ours,)


def test_refused_support_is_not_counted_on() -> None:
    trio, request = asking()
    trio.hear(ENGLAND, Refuse(Propose(GiveOrder(request.order))))
    assert trio.beliefs().expected == ()
    assert request.order not in [each.order for each in trio.talk.deals.asked.values()]


def test_a_yes_that_nobody_asked_for_counts_for_nothing() -> None:
    trio = Bank().befriend(ENGLAND)
    assert trio.hear(ENGLAND, Accept(Propose(GiveOrder(order("A RUH H", ENGLAND))))) == []
    assert trio.beliefs().expected == ()


@pytest.mark.parametrize("is_kept", [True, False])
def test_the_book_says_who_kept_their_word(is_kept: bool) -> None:
    trio, request = asking()
    trio.hear(ENGLAND, Accept(Propose(GiveOrder(request.order))))
    given = request.order if is_kept else order("A RUH H", ENGLAND)
    trio.book.settle(trio.position, [given])
    trio.open(in_front(Season.SPRING, 1905))
    account = trio.talk.ledger.account(ENGLAND)
    assert (account.made, account.kept) == (1, int(is_kept))
    assert (account.balance > 0) == is_kept


def test_who_does_not_know_orders_is_not_asked_for_any() -> None:
    trio = Bank().befriend(ENGLAND)
    trio.hear(ENGLAND, Understand(("PRP", "PCE", "YES")))
    said = trio.open(in_front(Season.FALL, 1904))
    assert said_to(said, ENGLAND) == []


def test_below_level_20_there_is_no_business() -> None:
    trio = Bank(level=10).befriend(ENGLAND)
    assert said_to(trio.open(in_front(Season.FALL, 1904)), ENGLAND) == []


def test_of_two_who_ask_each_other_one_gives_way() -> None:
    """France comes after England on the board, and before Germany."""
    for partner, answer in ((ENGLAND, Accept), (GERMANY, Refuse)):
        trio = generous().befriend(partner)
        hold = order("A BUR H")
        trio.talk.deals.asked[unit("A MUN", GERMANY)] = Request(
            order("A MUN S A BUR", GERMANY), hold, 1.0
        )
        assert trio.answer(partner, GiveOrder(order("A BUR S A GAS"))) is answer


# --- honesty --------------------------------------------------------------------------------------


def test_a_saint_means_every_promise_and_a_cheat_none() -> None:
    view = Bank().view
    assert bank(honesty=1).talk.means_it(view)
    assert not bank(honesty=0).talk.means_it(view)


def test_a_cheat_keeps_what_costs_little() -> None:
    talk = bank(honesty=0).talk
    deal = Deal(order("A BUR H"), ENGLAND, 100, is_firm=False)
    assert talk.keeps(deal, loss=0.1, worth=2.0)
    assert not talk.keeps(deal, loss=0.3, worth=2.0)


@pytest.mark.parametrize(("temptation", "is_kept"), [(-9, False), (9, True)])
def test_a_cheats_promise_shows_in_its_orders_only_if_it_is_cheap(
    temptation: float,
    is_kept: bool,
) -> None:
    trio = generous(honesty=0, temptation=temptation).befriend(ENGLAND)
    wanted = order("A BUR S A RUH - MUN")
    assert trio.answer(ENGLAND, GiveOrder(wanted)) is Accept
    assert (wanted in trio.beliefs().promised) == is_kept


@pytest.mark.parametrize("honesty", [-0.1, 1.1])
def test_honesty_is_from_0_to_1(honesty: float) -> None:
    with pytest.raises(BadInputError, match="honesty: must be from 0 to 1"):
        banker(honesty=honesty)


def test_the_variant_is_the_currency() -> None:
    negotiator = banker("raw").negotiator
    assert isinstance(negotiator, BankTalk)
    assert negotiator.policy.terms == RAW_TERMS
    with pytest.raises(BadInputError, match="no such variant of banker: 'gold'"):
        banker("gold")


# --- zones, alliances, and the rest ---------------------------------------------------------------


def test_a_zone_is_agreed_with_a_friend_and_kept() -> None:
    trio = Bank().befriend(ENGLAND)
    assert trio.answer(ENGLAND, Demilitarize((ENGLAND, FRANCE), (province("ECH"),))) is Accept
    assert province("ECH") in trio.beliefs().closed


@pytest.mark.parametrize("name", ["BUR", "SPA"])
def test_where_we_stand_and_centers_stay_open(name: str) -> None:
    trio = Bank().befriend(ENGLAND)
    assert trio.answer(ENGLAND, Demilitarize((ENGLAND, FRANCE), (province(name),))) is Refuse


def test_a_zone_ends_when_its_partner_says_so() -> None:
    trio = Bank().befriend(ENGLAND)
    zone = Demilitarize((ENGLAND, FRANCE), (province("ECH"),))
    trio.answer(ENGLAND, zone)
    assert trio.answer(ENGLAND, NoArrangement(zone)) is Accept
    assert province("ECH") not in trio.beliefs().closed


def test_homes_that_meet_are_kept_apart() -> None:
    trio = Bank(position=BOARD.start).befriend(ENGLAND)
    offered = [
        each.arrangement
        for each in said_to(trio.open(), ENGLAND)
        if isinstance(each, Propose) and isinstance(each.arrangement, Demilitarize)
    ]
    assert offered == [Demilitarize((FRANCE, ENGLAND), (province("ECH"),))]
    assert province("ECH") in trio.beliefs().closed
    trio.hear(ENGLAND, Refuse(Propose(offered[0])))
    assert province("ECH") not in trio.beliefs().closed


def test_an_alliance_against_an_enemy_makes_us_want_more_of_it() -> None:
    trio = Bank().befriend(ENGLAND)
    assert trio.answer(ENGLAND, Alliance((ENGLAND, FRANCE), (GERMANY,))) is Accept
    assert trio.beliefs().attitudes[GERMANY] > 1


def test_an_alliance_that_we_have_proposed_is_one_when_it_is_accepted() -> None:
    trio = Bank(position=BOARD.start).befriend(ENGLAND)
    trio.talk.pacts[GERMANY] = set()
    trio.hear(ENGLAND, Accept(Propose(Alliance((FRANCE, ENGLAND), (GERMANY,)))))
    assert trio.beliefs().attitudes[GERMANY] > 1


@pytest.mark.parametrize(
    "arrangement",
    [
        Peace((FRANCE, GERMANY)),
        Alliance((FRANCE, ENGLAND), (GERMANY,)),
        Demilitarize((FRANCE, ENGLAND), tuple(BOARD.provinces)),
    ],
)
def test_a_yes_to_what_we_have_not_proposed_binds_nobody(arrangement: Arrangement) -> None:
    trio = Bank().befriend(ENGLAND)
    before = trio.beliefs()
    assert trio.hear(GERMANY, Accept(Propose(arrangement))) == []
    assert trio.hear(ENGLAND, Accept(Propose(arrangement))) == []
    after = trio.beliefs()
    assert (after.closed, set(after.attitudes)) == (before.closed, {ENGLAND})


@pytest.mark.parametrize(
    ("arrangement", "answer"),
    [
        (Alliance((ENGLAND, FRANCE), (GERMANY,)), Refuse),  # no friend
        (Alliance((ENGLAND, GERMANY), (FRANCE,)), Refuse),
        (Alliance((ENGLAND, GERMANY), (AUSTRIA,)), Decline),
        (Demilitarize((ENGLAND, GERMANY), (province("HOL"),)), Decline),
        (Peace((ENGLAND, GERMANY)), Decline),
        (Not(Peace((ENGLAND, GERMANY))), Decline),
        (Solo(ENGLAND), Refuse),
        (Solo(FRANCE), Refuse),
        (Draw(), Refuse),
        (Not(Draw()), Refuse),
        (NoArrangement(Solo(ENGLAND)), Refuse),
    ],
)
def test_strangers_get_an_answer_to_everything(
    arrangement: Arrangement, answer: type[Press]
) -> None:
    assert Bank().answer(ENGLAND, arrangement) is answer


# --- the market -----------------------------------------------------------------------------------


def traders() -> Bank:
    return Bank(MarketTalk(Tactician(scenarios=4))).befriend(ENGLAND, GERMANY)


def lot(helper: str, power: Power, gain: float = 1.0) -> Request:
    return Request(order(f"{helper} S A BUR", power), order("A BUR H"), gain)


def test_everybody_who_could_help_is_asked() -> None:
    offers = [lot("A RUH", ENGLAND), lot("A MUN", GERMANY)]
    assert traders().talk.chosen(offers) == offers


def test_the_more_reliable_helper_is_taken() -> None:
    market = traders().talk
    for kept, power in ((False, ENGLAND), (True, GERMANY)):
        market.ledger.settle(power, 100, kept=kept)
    english, german = lot("A RUH", ENGLAND), lot("A MUN", GERMANY)
    assert market.taken(english, 100) == []
    assert market.taken(german, 100) == [english.order]
    assert market.deals.expected == (german.order,)


def test_a_less_reliable_helper_is_sent_away() -> None:
    market = traders().talk
    market.ledger.settle(GERMANY, 100, kept=False)
    english, german = lot("A RUH", ENGLAND), lot("A MUN", GERMANY)
    market.taken(english, 100)
    assert market.taken(german, 100) == [german.order]
    assert market.deals.expected == (english.order,)


def test_an_iou_is_worth_less_than_its_price() -> None:
    market = traders().talk
    assert market.is_worth_it(ENGLAND, 100, 40)
    assert not market.is_worth_it(ENGLAND, 100, 60)


def test_debts_are_paid() -> None:
    market = traders().talk
    market.ledger.account(ENGLAND).balance = 150
    assert market.is_worth_it(ENGLAND, 100, 90)


def test_promises_are_kept_as_long_as_the_partner_is_worth_more() -> None:
    market = traders().talk
    deal = Deal(order("A BUR H"), ENGLAND, 100, is_firm=False)
    assert market.keeps(deal, loss=0.9, worth=3)
    assert not market.keeps(deal, loss=1.1, worth=3)
    market.ledger.charge(ENGLAND, 100)
    assert market.keeps(deal, loss=1.1, worth=3)
