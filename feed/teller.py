"""Makes the events of what a server tells, with everything that takes time.

Press is read and put into English, promises are judged, and each event gets its number and topic.
It runs in the relay, whose time is not the server's. Sans-I/O: facts in, letters out.
"""

import json
from functools import cache
from typing import Any, cast

from feed.events import (
    BookClosed,
    Event,
    OrdersJudged,
    PhaseBegun,
    PositionReached,
    PressSent,
    PromiseJson,
    PromisesJudged,
    StabJson,
    Told,
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
from feed.outbox import Letter
from feed.wire import event_letter
from grammar.english import describe
from grammar.messages import PressReceived
from grammar.parse import reader_for
from grammar.representation import Representation
from grammar.text import to_text
from grammar.tokens import tokens_from_bytes
from grammar.write import write_press
from promises.book import PromiseBook
from promises.export import book_to_json, promise_to_json, stab_to_json
from rules.board import Board
from rules.notation import OrderReader
from rules.position_json import PositionJson, position_from_json, turn_from_json
from rules.turns import Turn
from rules.variants import load_board


class Teller:
    """Tells of all games of a server."""

    def __init__(self, server: str) -> None:
        self._server = server
        self._games: dict[int, _Tale] = {}

    def tell(self, fact: Fact) -> list[Letter]:
        """Return the letters that a fact gives, none for one that was told before."""
        match fact:
            case GameOpened():
                self._games[fact.game] = _Tale(fact)
                return []
            case GameForgotten(game):
                self._games.pop(game, None)
                return []
        tale = self._games[fact.game]
        events = tale.learn(fact)
        time = fact.time
        if time is None:
            return []
        return [event_letter(self._server, tale.told(time, event)) for event in events]


class _Tale:
    """One game: where it stands, its book of promises, and how many events were told."""

    def __init__(self, opened: GameOpened) -> None:
        self._name, self._run = opened.name, opened.run
        self._board, self._names = _board(opened.variant)
        self._powers = {power.name: power for power in self._board.powers}
        self._reader = reader_for(
            opened.press_level, self._names, partial_draws=opened.has_partial_draws
        )
        self._book = PromiseBook(self._board)
        self._has_press = False
        self._position: PositionJson = opened.start
        self._number = 0

    def told(self, time: float, event: Event) -> Told:
        """Give an event its number."""
        self._number += 1
        return Told(self._name, self._run, self._number, time, event)

    def learn(self, fact: EventTold | PressTold | TurnTold | BookEnded) -> list[Event]:
        """Take note of something, and return the events of it."""
        match fact:
            case EventTold(event=event):
                return [event]
            case PressTold(tokens=tokens):
                return [self._hear(tokens)]
            case TurnTold(text=text):
                return self._play(json.loads(text), fact)
            case BookEnded(is_drawn=is_drawn):
                self._book.finish(self._turn, drawn=is_drawn)
                book = book_to_json(self._book, self._names)
                return [BookClosed(**cast("dict[str, Any]", book))]

    @property
    def _turn(self) -> Turn:
        return turn_from_json(self._position["turn"])

    def _hear(self, tokens: bytes) -> PressSent:
        message = self._reader.server(tokens_from_bytes(tokens))
        if not isinstance(message, PressReceived):
            raise TypeError(f"not press: {message}")
        self._has_press = True
        self._book.hear(self._turn, message.sender, message.recipients, message.press)
        return PressSent(
            turn=self._position["turn"],
            sender=message.sender.name,
            recipients=[power.name for power in message.recipients],
            text=to_text(write_press(message.press, self._names), self._names),
            english=describe(message),
        )

    def _play(self, turn: dict[str, Any], fact: TurnTold) -> list[Event]:
        orders = OrdersJudged(turn["turn"], turn["orders"])
        events: list[Event] = [orders, PositionReached(turn["position"])]
        if self._has_press:
            events += self._settle(orders)
        self._position = turn["position"]
        if fact.goes_on:
            phase = self._turn.phase
            events.append(PhaseBegun(self._position["turn"], phase.value, fact.seconds))
        return events

    def _settle(self, played: OrdersJudged) -> list[Event]:
        """Judge the promises; nobody has made any before the first press."""
        before = position_from_json(self._board, self._position)
        read = OrderReader(self._board, before).read
        orders = [read(self._powers[each["power"]], each["order"]) for each in played.orders]
        settled = self._book.settle(before, orders)
        stabs = [each for each in self._book.stabs if each.turn == before.turn]
        if not settled and not stabs:
            return []
        promises = [cast("PromiseJson", promise_to_json(each, self._names)) for each in settled]
        return [
            PromisesJudged(
                played.turn, promises, [cast("StabJson", stab_to_json(each)) for each in stabs]
            )
        ]


@cache
def _board(variant: str) -> tuple[Board, Representation]:
    """Load a map as the server does, with the numbers that the server gives to its names."""
    board = load_board(variant)
    return board, Representation.from_board(board)
