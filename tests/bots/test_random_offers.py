from random import Random

from attrs import Factory, define

from bots.randombot.offers import RandomOffers
from bots.randombot.tactic import RandomBot
from bots.view import GameView
from grammar.messages import PressReceived
from grammar.press import (
    Accept,
    Arrangement,
    Decline,
    Demilitarize,
    GiveOrder,
    Peace,
    Press,
    Propose,
    Refuse,
    Solo,
)
from rules.legality import judge_order
from rules.notation import parse_order, parse_province
from rules.orders import Order, OrderNote
from rules.places import Power
from tests.bots.talking import BOARD, ENGLAND, FRANCE, GERMANY


def order(text: str, power: Power = FRANCE) -> Order:
    return parse_order(BOARD, BOARD.start, power, text)


@define
class Talk:
    seed: int
    offers: RandomOffers = Factory(RandomOffers)

    def view(self, level: int = 20) -> GameView:
        random = Random(self.seed)
        return GameView(board=BOARD, power=FRANCE, position=BOARD.start, level=level, random=random)

    def answer(self, arrangement: Arrangement) -> type[Press]:
        received = PressReceived(ENGLAND, (FRANCE,), Propose(arrangement))
        (said,) = self.offers.on_press(self.view(), received)
        return type(said.press)


def answers(arrangement: Arrangement) -> list[type[Press]]:
    return [Talk(seed).answer(arrangement) for seed in range(200)]


def test_deals_are_about_orders_of_the_listener_and_zones_of_both() -> None:
    offered = [each for seed in range(50) for each in RandomOffers().open_turn(Talk(seed).view())]
    assert len(offered) == 100
    kinds = set()
    for each in offered:
        (power,) = each.recipients
        assert isinstance(each.press, Propose)
        kinds.add(type(each.press.arrangement))
        match each.press.arrangement:
            case GiveOrder(asked):
                assert judge_order(BOARD, BOARD.start, asked, power) is OrderNote.MIGHT_BE_VALID
            case Demilitarize(powers, _):
                assert powers == (FRANCE, power)
    assert kinds == {GiveOrder, Demilitarize}


def test_below_level_20_nothing_is_offered() -> None:
    assert RandomOffers().open_turn(Talk(1).view(level=10)) == ()


def test_half_of_what_can_be_done_is_accepted() -> None:
    for arrangement in (
        GiveOrder(order("A PAR - BUR")),
        Demilitarize((ENGLAND, FRANCE), (parse_province(BOARD, "ECH"),)),
        Peace((ENGLAND, FRANCE)),
    ):
        given = answers(arrangement)
        assert 70 < given.count(Accept) < 130
        assert given.count(Accept) + given.count(Refuse) == 200


def test_what_does_not_concern_us_is_declined_and_nonsense_refused() -> None:
    assert set(answers(GiveOrder(order("A MUN H", GERMANY)))) == {Decline}
    assert set(answers(Peace((ENGLAND, GERMANY)))) == {Decline}
    assert set(answers(Solo(ENGLAND))) == {Refuse}
    assert set(answers(GiveOrder(order("A PAR - MOS")))) == {Refuse}


def test_deals_are_obeyed() -> None:
    talk = next(
        each for each in map(Talk, range(50)) if each.answer(Peace((ENGLAND, FRANCE))) is Accept
    )
    promise = order("A PAR S A MAR - BUR")
    while talk.answer(GiveOrder(promise)) is not Accept:
        talk.seed += 1
    beliefs = talk.offers.beliefs(talk.view())
    assert beliefs.promised == (promise,)
    assert parse_province(BOARD, "LON") in beliefs.closed
    for seed in range(20):
        view = GameView(
            board=BOARD,
            power=FRANCE,
            position=BOARD.start,
            beliefs=beliefs,
            random=Random(seed),
        )
        given = RandomBot().choose_orders(view)
        assert promise in given


def test_what_was_closed_is_not_entered() -> None:
    talk = Talk(0)
    zone = Demilitarize((ENGLAND, FRANCE), tuple(BOARD.provinces))
    while talk.answer(zone) is not Accept:
        talk.seed += 1
    beliefs = talk.offers.beliefs(talk.view())
    view = GameView(board=BOARD, power=FRANCE, position=BOARD.start, beliefs=beliefs)
    assert all(
        type(each).__name__ in ("Hold", "SupportHold") for each in RandomBot().choose_orders(view)
    )


def test_a_unit_is_promised_once() -> None:
    for seed in range(50):
        talk = Talk(seed)
        if talk.answer(GiveOrder(order("A PAR - BUR"))) is Accept:
            assert talk.answer(GiveOrder(order("A PAR - PIC"))) is Refuse
