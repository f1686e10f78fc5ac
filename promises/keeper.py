"""A promise book that is kept from the messages of a server."""

from grammar.boards import position_from
from grammar.messages import (
    DrawDeclared,
    IAm,
    Now,
    OrderOutcome,
    Ownership,
    PressReceived,
    SendPress,
    ServerMessage,
    SoloDeclared,
    Summary,
    Yes,
)
from promises.book import PromiseBook
from rules.board import Board
from rules.orders import Order
from rules.places import Power
from rules.position import Position


class Bookkeeper:
    """Keeps the book of a player, or of an observer who sees all press."""

    def __init__(self, board: Board, power: Power | None = None) -> None:
        self.book = PromiseBook(board)
        self._power = power
        """Whose client we are; None for an observer."""
        self._ownership: Ownership | None = None
        self._position: Position | None = None
        self._orders: list[Order] = []
        self._is_drawn = False

    def learn(self, message: ServerMessage) -> None:
        """Take note of a message."""
        match message:
            case PressReceived(sender, recipients, press) if self._position is not None:
                self.book.hear(self._position.turn, sender, recipients, press)
            case Yes(SendPress(recipients, press)) if self._power and self._position:
                self.book.hear(self._position.turn, self._power, recipients, press)
            case OrderOutcome(turn, order) if self._position and turn == self._position.turn:
                self._orders.append(order)
            case Ownership():
                self._ownership = message
            case Now() if self._ownership is not None:
                self._on_now(position_from(message, self._ownership))
            case Yes(IAm()):
                # Who comes back is told the last results once more.
                self._orders.clear()
            case DrawDeclared():
                self._is_drawn = True
            case Summary(turn):
                self._settle()
                self.book.finish(turn, drawn=self._is_drawn)
            case SoloDeclared():
                self._settle()

    def _on_now(self, position: Position) -> None:
        if self._position is None or position.turn != self._position.turn:
            self._settle()
        self._position = position

    def _settle(self) -> None:
        if self._position is not None and self._orders:
            self.book.settle(self._position, self._orders)
        self._orders = []
