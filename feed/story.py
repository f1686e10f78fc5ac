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
    PromisesMade,
    Told,
    Waiting,
    WaitingFor,
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
    _numbers: dict[bool, int] = Factory(dict)
    """The number of the last public and of the last private event."""
    _orders: OrdersJudged | None = None

    @property
    def is_over(self) -> bool:
        """Whether the result is known."""
        return self.result is not None

    def receive(self, told: Told) -> bool:
        """Learn from an event; return whether it was new."""
        if told.run != self._run:
            # The server was started again: the numbers begin anew, the game goes on.
            self._run, self._numbers = told.run, {}
            self._orders = None
        last = self._numbers.get(told.event.is_private, 0)
        if told.number <= last:
            return False
        self.missed += told.number - last - 1
        self._numbers[told.event.is_private] = told.number
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
            case PhaseBegun() | PromisesMade() | PromisesJudged() | Waiting() | WaitingFor():
                pass  # the orders and the book say the same

    def _reach(self, position: PositionJson) -> None:
        if self._orders is not None:
            orders = [_as_recorded(each) for each in self._orders.orders]
            turn = {"turn": self._orders.turn, "orders": orders, "position": position}
            self.turns.append(turn)
            self._orders = None
        elif self.start is None:
            self.start = position


def _as_recorded(order: OrderJson) -> dict[str, Any]:
    """Return an order without what the events add to the record."""
    return {name: value for name, value in order.items() if name not in ("strength", "reason")}
