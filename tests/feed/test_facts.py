"""What a server tells its relay, and what the relay makes of it."""

import json
from typing import Any

import pytest

from daide.frames import tokens_to_bytes
from feed.events import (
    GameEnded,
    OrdersJudged,
    PhaseBegun,
    PlainEvent,
    PlayersSeated,
    PositionReached,
    PressSent,
    PromisesJudged,
    PromisesMade,
    told_from_bytes,
)
from feed.facts import (
    BookEnded,
    EventTold,
    Fact,
    GameForgotten,
    GameOpened,
    PressTold,
    TurnTold,
)
from feed.teller import Teller
from feed.wire import from_line, to_line
from grammar.text import from_text
from rules.maps import load_map
from rules.outcome import EndingJson
from rules.position_json import position_to_json

START = position_to_json(load_map("standard").start)
FALL: Any = START | {"turn": ["FAL", 1901]}
SPRING: Any = ["SPR", 1901]
ENDING: EndingJson = {"kind": "agreed-draw", "powers": ["FRA", "ENG"], "turn": ["SPR", 1901]}
OPENED = GameOpened(
    game=3,
    name="game-3",
    run="ab",
    variant="standard",
    press_level=10,
    has_partial_draws=False,
    start=START,
)
PLAYERS = PlayersSeated([{"power": "FRA", "name": "Ünder\tcover\n", "version": "1"}])
ORDERS: list[Any] = [
    {"power": "FRA", "order": "A PAR - BUR", "result": "BNC", "dislodged": False},
    {"power": "GER", "order": "A MUN - BUR", "result": "BNC", "dislodged": False},
]
TURN = json.dumps({"turn": SPRING, "orders": ORDERS, "position": FALL})
PLAIN: PlainEvent = GameEnded("draw", None, ["FRA"], ENDING, SPRING, [])
FACTS: list[Fact] = [
    OPENED,
    EventTold(3, 1.5, PLAYERS),
    EventTold(3, 1.5, PLAIN),
    PressTold(3, 2.0, b"\t\n\x00\xff"),
    PressTold(3, None, b"\x4a\x14"),
    TurnTold(3, 2.5, TURN, goes_on=True, seconds=60),
    TurnTold(3, 2.5, TURN, goes_on=True, seconds=None),
    TurnTold(3, None, TURN, goes_on=False, seconds=None),
    BookEnded(3, 9.0, is_drawn=True),
    BookEnded(3, 9.0, is_drawn=False),
    GameForgotten(3),
]


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: type(fact).__name__)
def test_a_fact_is_read_as_it_was_written(fact: Fact) -> None:
    line = to_line(fact)
    assert line.count(b"\n") == 1
    assert from_line(line) == fact


def press(text: str, *, time: float | None = 1.0) -> PressTold:
    return PressTold(3, time, tokens_to_bytes(from_text(text)))


def told(facts: list[Fact]) -> list[Any]:
    teller = Teller("s")
    letters = [letter for fact in facts for letter in teller.tell(fact)]
    read = [told_from_bytes(letter.payload) for letter in letters]
    for is_private in (False, True):
        numbers = [each.number for each in read if each.event.is_private is is_private]
        assert numbers == list(range(1, len(numbers) + 1))
    public = 0
    for each in read:
        assert each.after == (public if each.event.is_private else None)
        public += not each.event.is_private
    return [each.event for each in read]


def test_a_turn_is_told_as_its_orders_its_position_and_the_next_phase() -> None:
    reasons = [
        "bounced in Burgundy: the German army from Munich was as strong: both had strength 1",
        "bounced in Burgundy: the French army from Paris was as strong: both had strength 1",
    ]
    orders: list[Any] = [
        each | {"strength": 1, "reason": reason}
        for each, reason in zip(ORDERS, reasons, strict=True)
    ]
    assert told([OPENED, TurnTold(3, 1.0, TURN, goes_on=True, seconds=60)]) == [
        OrdersJudged(SPRING, orders, ["BUR"]),
        PositionReached(FALL),
        PhaseBegun(FALL["turn"], "movement", 60),
    ]
    assert len(told([OPENED, TurnTold(3, 1.0, TURN, goes_on=False)])) == 2


OFFER = "PRP ( PCE ( FRA GER ) )"
YES = f"FRM ( GER ) ( FRA ) ( YES ( {OFFER} ) )"


def test_press_is_told_in_text_and_english() -> None:
    (event,) = told([OPENED, press(f"FRM ( FRA ) ( GER ) ( {OFFER} )")])
    assert isinstance(event, PressSent)
    assert (event.turn, event.sender, event.recipients) == (SPRING, "FRA", ["GER"])
    assert event.text == OFFER
    assert "peace" in event.english


@pytest.mark.parametrize("time", [1.0, None], ids=["just said", "said before"])
def test_promises_are_judged_also_those_that_were_made_before(time: float | None) -> None:
    attack = [ORDERS[0] | {"order": "A PAR - MUN"}, ORDERS[1]]
    turn = json.dumps({"turn": SPRING, "orders": attack, "position": FALL})
    facts: list[Fact] = [
        OPENED,
        press(f"FRM ( FRA ) ( GER ) ( {OFFER} )", time=time),
        press(YES, time=time),
    ]
    events = told([*facts, TurnTold(3, 2.0, turn, goes_on=False)])
    said = [PressSent, PressSent, PromisesMade] if time else []
    assert [type(each) for each in events] == [
        *said,
        OrdersJudged,
        PositionReached,
        PromisesJudged,
    ]
    assert [(each["maker"], each["verdict"]) for each in events[-1].promises] == [
        ("FRA", "broken"),
        ("GER", "kept"),
    ]
    assert [(each["id"], each["sealed"]) for each in events[-1].promises] == [(1, 2), (2, 2)]
    assert [each["by"] for each in events[-1].stabs] == ["FRA"]


def test_press_is_counted_and_says_what_it_answers() -> None:
    offer = f"FRM ( FRA ) ( GER ENG ) ( {OFFER} )"
    refusal = f"FRM ( ENG ) ( FRA GER ) ( REJ ( {OFFER} ) )"
    puzzled = f"FRM ( GER ) ( FRA ) ( HUH ( ERR {OFFER} ) )"
    taken_back = f"FRM ( FRA ) ( GER ENG ) ( CCL ( {OFFER} ) )"
    other = "FRM ( RUS ) ( TUR ) ( YES ( PRP ( PCE ( RUS TUR ) ) ) )"
    said = [offer, refusal, puzzled, taken_back, other]
    events = told([OPENED, *(press(text) for text in said)])
    heard = [(each.id, each.answers) for each in events if isinstance(each, PressSent)]
    assert heard == [(1, None), (2, 1), (3, 1), (4, 1), (5, None)]


def test_an_answer_is_to_what_was_said_to_oneself() -> None:
    said = [
        "FRM ( FRA ) ( GER ) ( PRP ( DRW ) )",
        "FRM ( FRA ) ( ENG ) ( PRP ( DRW ) )",
        "FRM ( GER ) ( FRA ) ( REJ ( PRP ( DRW ) ) )",
    ]
    events = told([OPENED, *(press(text) for text in said)])
    assert [each.answers for each in events] == [None, None, 1]


def test_promises_that_are_called_off_are_told_at_once() -> None:
    over = "FRM ( FRA ) ( GER ) ( FCT ( NOT ( PCE ( FRA GER ) ) ) )"
    events = told([OPENED, press(f"FRM ( FRA ) ( GER ) ( {OFFER} )"), press(YES), press(over)])
    assert isinstance(events[-1], PromisesJudged)
    assert {each["verdict"] for each in events[-1].promises} == {"kept"}


def test_an_order_that_nobody_gave_says_so() -> None:
    held = [{"power": "FRA", "order": "A PAR H", "result": "SUC", "dislodged": False}]
    for given, reason in [(held, "held"), ([held[0] | {"automatic": True}], "for want of")]:
        turn = json.dumps({"turn": SPRING, "orders": given, "position": FALL})
        event = told([OPENED, TurnTold(3, 1.0, turn, goes_on=False)])[0]
        assert isinstance(event, OrdersJudged)
        assert reason in event.orders[0]["reason"]


def test_of_a_forgotten_game_nothing_is_known() -> None:
    teller = Teller("s")
    for fact in (OPENED, GameForgotten(3)):
        assert teller.tell(fact) == []
    with pytest.raises(KeyError):
        teller.tell(EventTold(3, 1.0, PLAYERS))
