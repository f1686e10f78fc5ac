"""What was played: the results of every turn, for ORD, HST and late comers."""

from collections import deque

from attrs import Factory, define, frozen

from grammar.messages import OrderOutcome, PressReceived
from promises.book import PromiseBook
from rules.board import Board
from rules.position import Position
from rules.turns import Phase, Turn


@frozen
class PlayedTurn:
    """One processed turn: its orders with results, and the position that followed."""

    turn: Turn
    outcomes: tuple[OrderOutcome, ...]
    position: Position


@frozen
class RelayedPress:
    """Press as it went out, and the turn it was said in."""

    turn: Turn
    press: PressReceived


@define
class History:
    """The starting position, and all turns and all press since."""

    board: Board
    start: Position
    turns: list[PlayedTurn] = Factory(list)
    press: list[RelayedPress] = Factory(list)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.turns[-1].position if self.turns else self.start

    def find(self, turn: Turn) -> PlayedTurn | None:
        """Return a turn that was played."""
        return next((played for played in self.turns if played.turn == turn), None)

    def latest_outcomes(self) -> tuple[OrderOutcome, ...]:
        """Return the results of the last movement turn and of the turns after it."""
        latest: tuple[OrderOutcome, ...] = ()
        for played in reversed(self.turns):
            latest = played.outcomes + latest
            if played.turn.phase is Phase.MOVEMENT:
                break
        return latest


def promise_book(history: History) -> PromiseBook:
    """Return who promised what, and who kept it, up to now; `finish` it when the game is over."""
    book = PromiseBook(history.board)
    said = deque(history.press)
    before = history.start
    for played in history.turns:
        _hear(book, said, played.turn)
        book.settle(before, [outcome.order for outcome in played.outcomes])
        before = played.position
    _hear(book, said, before.turn)
    return book


def _hear(book: PromiseBook, said: deque[RelayedPress], turn: Turn) -> None:
    while said and said[0].turn == turn:
        press = said.popleft().press
        book.hear(turn, press.sender, press.recipients, press.press)
