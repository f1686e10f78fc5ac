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
    {"power": "FRA", "order": "A PAR - BUR", "result": "SUC", "dislodged": False},
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
    assert [each.number for each in read] == list(range(1, len(read) + 1))
    return [each.event for each in read]


def test_a_turn_is_told_as_its_orders_its_position_and_the_next_phase() -> None:
    assert told([OPENED, TurnTold(3, 1.0, TURN, goes_on=True, seconds=60)]) == [
        OrdersJudged(SPRING, ORDERS),
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
    assert [type(each) for each in events] == [PressSent] * (2 if time else 0) + [
        OrdersJudged,
        PositionReached,
        PromisesJudged,
    ]
    assert [(each["maker"], each["verdict"]) for each in events[-1].promises] == [
        ("FRA", "broken"),
        ("GER", "kept"),
    ]
    assert [each["by"] for each in events[-1].stabs] == ["FRA"]


def test_of_a_forgotten_game_nothing_is_known() -> None:
    teller = Teller("s")
    for fact in (OPENED, GameForgotten(3)):
        assert teller.tell(fact) == []
    with pytest.raises(KeyError):
        teller.tell(EventTold(3, 1.0, PLAYERS))
