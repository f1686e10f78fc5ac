"""One game as it is told: facts of the server in, events out, with everything that takes time.

Press is read and put into English, turns are judged once more to say why each order came out as it
did, and the promise book is kept. Whoever tells of games, a relay or the page, has one for each.
"""

import json
from functools import cache
from typing import Any, cast

from feed.events import (
    BookClosed,
    Event,
    OrderJson,
    OrdersJudged,
    PhaseBegun,
    PositionReached,
    PressSent,
    PromiseJson,
    PromisesJudged,
    PromisesMade,
    StabJson,
)
from feed.facts import BookEnded, EventTold, GameOpened, PressTold, TurnTold
from feed.threads import Threads
from grammar.english import describe
from grammar.english_press import arrangement_phrase
from grammar.messages import PressReceived
from grammar.parse import reader_for
from grammar.representation import Representation
from grammar.text import to_text
from grammar.tokens import tokens_from_bytes
from grammar.write import write_press
from promises.book import PromiseBook
from promises.export import book_to_json, promise_to_json, stab_to_json
from promises.promise import Promise, Stab, Verdict
from rules.board import Board
from rules.judged_again import JudgedTurn, judged_again
from rules.orders import Order
from rules.position import Position
from rules.position_json import PositionJson, driven_out_to_json, position_from_json, turn_from_json
from rules.turns import Turn
from rules.variants import load_board


class EventMaker:
    """Where a game stands, its press by number, and its book of promises."""

    def __init__(self, opened: GameOpened) -> None:
        self.name, self.run = opened.name, opened.run
        self.board, self._names = _board(opened.variant)
        self._reader = reader_for(
            opened.press_level, self._names, partial_draws=opened.has_partial_draws
        )
        self._book = PromiseBook(self.board)
        self._known: list[Promise] = []
        """The promises as they were told last."""
        self._known_stabs: list[Stab] = []
        self._sealed: list[int] = []
        """For each promise the press that made it."""
        self._threads = Threads()
        self._position: PositionJson = opened.start

    def learn(self, fact: EventTold | PressTold | TurnTold | BookEnded) -> list[Event]:
        """Take note of something, and return the events of it."""
        match fact:
            case EventTold(event=event):
                return [event]
            case PressTold(tokens=tokens):
                return self._hear(tokens)
            case TurnTold(text=text):
                return self._play(json.loads(text), fact)
            case BookEnded(is_drawn=is_drawn):
                self._book.finish(self._turn, drawn=is_drawn)
                book = book_to_json(self._book, self._names)
                return [*self._changes(), BookClosed(**cast("dict[str, Any]", book))]

    @property
    def _turn(self) -> Turn:
        return turn_from_json(self._position["turn"])

    def would_break(self, orders: list[Order]) -> list[tuple[int, Promise, Order]]:
        """Return the promises that orders of the present turn would break, by their numbers."""
        before = position_from_json(self.board, self._position)
        found = self._book.would_break(before, orders)
        return [(place + 1, promise, order) for place, promise, order in found]

    # --- press ------------------------------------------------------------------------------------

    def _hear(self, tokens: bytes) -> list[Event]:
        message = self._reader.server(tokens_from_bytes(tokens))
        if not isinstance(message, PressReceived):
            raise TypeError(f"not press: {message}")
        sender, recipients, press = message.sender, message.recipients, message.press
        number, answered = self._threads.hear(sender, recipients, press)
        self._book.hear(self._turn, sender, recipients, press)
        said = PressSent(
            turn=self._position["turn"],
            sender=sender.name,
            recipients=[power.name for power in recipients],
            text=to_text(write_press(press, self._names), self._names),
            english=describe(message),
            id=number,
            answers=answered,
        )
        return [said, *self._changes()]

    # --- turns ------------------------------------------------------------------------------------

    def _play(self, turn: dict[str, Any], fact: TurnTold) -> list[Event]:
        before = position_from_json(self.board, self._position)
        judged = judged_again(self.board, before, turn["orders"])
        events: list[Event] = [
            OrdersJudged(
                turn["turn"],
                _reasoned(judged),
                [province.name for province in judged.resolution.contested],
                driven_out_to_json(judged.resolution),
            ),
            PositionReached(turn["position"]),
            *self._settle(before, list(judged.orders)),
        ]
        self._position = turn["position"]
        if fact.goes_on:
            phase = self._turn.phase
            events.append(PhaseBegun(self._position["turn"], phase.value, fact.seconds))
        return events

    def _settle(self, before: Position, orders: list[Order]) -> list[Event]:
        """Judge the promises; nobody has made any before the first press."""
        if not self._threads.count:
            return []
        self._book.settle(before, orders)
        return self._changes()

    # --- the book ---------------------------------------------------------------------------------

    def _changes(self) -> list[Event]:
        """Tell what is new in the book."""
        turn, book = self._position["turn"], self._book
        made: list[PromiseJson] = []
        judged: list[PromiseJson] = []
        self._sealed += [self._threads.count] * (len(book.promises) - len(self._sealed))
        for place, promise in enumerate(book.promises):
            if place < len(self._known) and self._known[place] is promise:
                continue
            (made if promise.verdict is Verdict.OPEN else judged).append(self._promise(place))
        stabs = [
            cast("StabJson", stab_to_json(stab))
            for place, stab in enumerate(book.stabs)
            if place >= len(self._known_stabs) or self._known_stabs[place] is not stab
        ]
        self._known, self._known_stabs = [*book.promises], [*book.stabs]
        events: list[Event] = [PromisesMade(turn, made)] if made else []
        return [*events, PromisesJudged(turn, judged, stabs)] if judged or stabs else events

    def _promise(self, place: int) -> PromiseJson:
        promise = self._book.promises[place]
        fields: dict[str, Any] = {
            "id": place + 1,
            "sealed": self._sealed[place],
            **promise_to_json(promise, self._names),
            "english": arrangement_phrase(promise.arrangement),
        }
        return cast("PromiseJson", fields)


def _reasoned(judged: JudgedTurn) -> list[OrderJson]:
    """Add to each order why it came out so; the server's word on the result stands."""
    told = zip(judged.told, judged.reports, judged.reasons, strict=True)
    return [
        cast(
            "OrderJson",
            {**each, "strength": report.strength if report else None, "reason": reason},
        )
        for each, report, reason in told
    ]


@cache
def _board(variant: str) -> tuple[Board, Representation]:
    """Load a map as the server does, with the numbers that the server gives to its names."""
    board = load_board(variant)
    return board, Representation.from_board(board)
