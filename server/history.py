"""What was played: the results of every turn, for ORD, HST and late comers."""

from collections import deque
from collections.abc import Iterable

from attrs import Factory, define, frozen

from grammar.messages import OrderOutcome, PlayerSummary, PressReceived, Summary
from promises.book import PromiseBook
from rules.board import Board
from rules.orders import Order
from rules.outcome import Ending, center_counts
from rules.position import Position
from rules.turns import Phase, Season, Turn
from server.seat import Seat


@frozen
class PlayedTurn:
    """One processed turn: its orders with results, and the position that followed."""

    turn: Turn
    outcomes: tuple[OrderOutcome, ...]
    position: Position
    automatic: frozenset[Order] = frozenset()
    """Those of the orders that nobody gave."""


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

    @property
    def positions(self) -> list[Position]:
        """The position at the start and after every turn."""
        return [self.start, *(played.position for played in self.turns)]

    @property
    def last_played(self) -> Turn:
        """The last turn that was played; the first one of the game if none was."""
        return self.turns[-1].turn if self.turns else self.start.turn

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


def summary_message(
    board: Board, position: Position, seats: Iterable[Seat], ending: Ending
) -> Summary:
    """Return the SMR: who played, and with how many centers they ended.

    It names the winter of the year that ended the game, though nobody had anything to adjust and
    the position is that of the next spring already; a draw by vote comes in the middle of a turn.
    """
    turn = position.turn
    if turn.year > ending.year and ending.kind.is_at_year_end:
        turn = Turn(Season.WINTER, ending.year)
    counts = center_counts(board, position.owners)
    return Summary(
        turn,
        tuple(
            PlayerSummary(
                seat.power,
                seat.name or " ",
                seat.version or " ",
                counts[seat.power],
                seat.eliminated_in if counts[seat.power] == 0 else None,
            )
            for seat in seats
        ),
    )
