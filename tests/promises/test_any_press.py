"""Laws of the promise book, whatever is said and ordered in whatever phase."""

from random import Random

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from grammar.press import Accept, Arrangement, GiveOrder, Insist, Not, Press, Propose
from grammar.representation import standard_representation
from grammar.tables import LEVELS
from promises.agreeing import promised_order
from promises.book import PromiseBook
from promises.export import book_to_json
from promises.promise import Kind, Verdict
from rules.kernel.encode import codec_of
from rules.legal_orders import legal_adjustments, legal_orders
from rules.legality import Judge
from rules.maps import load_map
from rules.orders import Order, OrderNote, Waive, power_of
from rules.places import Power
from rules.position import Position
from rules.turns import Phase
from tests.grammar.strategies import press

BOARD = load_map()
CODEC = codec_of(BOARD)
NAMES = standard_representation()
TURNS = 24
powers = st.sampled_from(BOARD.powers)


@frozen
class Said:
    """A message, and who of its recipients says yes to it."""

    sender: Power
    recipients: tuple[Power, ...]
    press: Press
    agreeing: tuple[Power, ...]


def orders_in(position: Position, random: Random) -> list[Order]:
    """Return legal orders for everything that can be ordered."""
    if position.turn.phase is not Phase.ADJUSTMENT:
        return [random.choice(orders) for orders in legal_orders(BOARD, position).values()]
    found: list[Order] = []
    judge = Judge(BOARD, position)
    for power in BOARD.powers:
        wanted = legal_adjustments(BOARD, position, power)
        random.shuffle(wanted)
        given: list[Order] = []
        for order in wanted:
            if judge.judge(order, power, given) is OrderNote.MIGHT_BE_VALID:
                given.append(order)
        found += given
    return found


def positions(seed: int) -> list[Position]:
    """Return a game by dice, turn by turn."""
    state = CODEC.load(BOARD.start, CODEC.new_simulator())
    state.seed(seed)
    found = [BOARD.start]
    for _ in range(TURNS):
        state.step_by_dice()
        found.append(CODEC.position(state))
    return found


GAMES = {seed: positions(seed) for seed in range(4)}
PHASES = {
    phase: [
        (seed, number)
        for seed, game in GAMES.items()
        for number, position in enumerate(game)
        if position.turn.phase is phase
    ]
    for phase in Phase
}


def told(book: PromiseBook, position: Position, said: Said) -> None:
    """Let a book hear a message, and the answers of those who agree."""
    turn = position.turn
    book.hear(turn, said.sender, said.recipients, said.press)
    if isinstance(said.press, Propose | Insist):
        for power in said.agreeing:
            others = [each for each in (said.sender, *said.recipients) if each != power]
            book.hear(turn, power, others, Accept(said.press))


@st.composite
def messages(draw: st.DrawFn, position: Position) -> Said:
    """Draw a message: of the whole language, or a proposal of an order that can be given."""
    sender, *recipients = draw(st.lists(powers, min_size=2, max_size=4, unique=True))
    random = draw(st.randoms(use_true_random=False))
    said: Press
    if draw(st.booleans()):
        order = draw(st.sampled_from(orders_in(position, random) or [Waive(sender)]))
        arrangement: Arrangement = GiveOrder(order)
        said = Propose(Not(arrangement) if draw(st.booleans()) else arrangement)
        owner = power_of(order)
        recipients = [owner] if owner != sender else recipients
    else:
        said = draw(st.sampled_from(sorted(LEVELS)).flatmap(press))
    agreeing = recipients if draw(st.booleans()) else recipients[1:]
    return Said(sender, tuple(recipients), said, tuple(agreeing))


@pytest.mark.parametrize("phase", Phase)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_every_promise_is_judged_by_what_was_ordered(phase: Phase, data: st.DataObject) -> None:
    seed, number = data.draw(st.sampled_from(PHASES[phase]))
    position = GAMES[seed][number]
    book = PromiseBook(BOARD)
    for said in data.draw(st.lists(messages(position), min_size=1, max_size=6)):
        told(book, position, said)
    orders = orders_in(position, data.draw(st.randoms(use_true_random=False)))
    feared = {id(promise) for _, promise, _ in book.would_break(position, orders)}
    before = list(book.promises)
    book.settle(position, orders)
    for promise, judged in zip(before, book.promises, strict=True):
        breaks = judged.verdict is Verdict.BROKEN
        if id(promise) in feared:
            assert breaks, judged
        if breaks and judged.breach is not None:
            assert id(promise) in feared
            assert judged.breach in orders
            assert power_of(judged.breach) == judged.maker
        if judged.kind is Kind.ORDER and judged.verdict is Verdict.KEPT:
            is_wanted = isinstance(judged.arrangement, GiveOrder)
            assert (promised_order(judged.arrangement) in orders) is is_wanted
    for stab in book.stabs:
        assert stab.order in orders
        assert power_of(stab.order) == stab.by
    book.finish(position.turn)
    assert not list(book.open_promises())
    assert all(each.ended == position.turn for each in book.promises)
    assert Verdict.OPEN not in {each.verdict for each in book.promises}
    kinds = book_to_json(book, NAMES)
    assert len(kinds["promises"]) == len(book.promises)
