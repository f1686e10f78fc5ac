"""A game as a subscriber knows it: rebuilt from events alone, in the form of the record."""

from typing import Any

from attrs import Factory, define

from feed.events import (
    BookClosed,
    GameEnded,
    Lobby,
    OrderJson,
    OrdersJudged,
    PhaseBegun,
    PlayersSeated,
    PositionReached,
    PressSent,
    PromisesJudged,
    Told,
)
from rules.position_json import PositionJson


@define
class GameStory:
    """Gathers the events of one game; what comes twice counts once."""

    lobby: Lobby | None = None
    players: PlayersSeated | None = None
    start: PositionJson | None = None
    turns: list[dict[str, Any]] = Factory(list)
    """Each turn as in the record: `turn`, `orders` and the `position` that followed."""
    press: list[PressSent] = Factory(list)
    book: BookClosed | None = None
    result: GameEnded | None = None
    missed: int = 0
    """How many events of this game were published and have not come."""
    _run: str = ""
    _number: int = 0
    _orders: OrdersJudged | None = None

    @property
    def is_over(self) -> bool:
        """Whether the result is known."""
        return self.result is not None

    def receive(self, told: Told) -> bool:
        """Learn from an event; return whether it was new."""
        if told.run != self._run:
            # The server was started again: the numbers begin anew, the game goes on.
            self._run, self._number = told.run, 0
            self._orders = None
        if told.number <= self._number:
            return False
        self.missed += told.number - self._number - 1
        self._number = told.number
        self._learn(told)
        return True

    def _learn(self, told: Told) -> None:
        match told.event:
            case Lobby():
                self.lobby = told.event
            case PlayersSeated():
                self.players = told.event
            case PositionReached(position):
                self._reach(position)
            case OrdersJudged():
                self._orders = told.event
            case PressSent():
                self.press.append(told.event)
            case BookClosed():
                self.book = told.event
            case GameEnded():
                self.result = told.event
            case PhaseBegun() | PromisesJudged():
                pass  # the orders and the book say the same

    def _reach(self, position: PositionJson) -> None:
        if self._orders is not None:
            orders: list[OrderJson] = self._orders.orders
            turn = {"turn": self._orders.turn, "orders": orders, "position": position}
            self.turns.append(turn)
            self._orders = None
        elif self.start is None:
            self.start = position
