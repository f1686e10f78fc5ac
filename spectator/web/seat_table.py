"""What lies before somebody who plays in the browser: position, orders, press, votes. Sans-I/O.

It learns from the messages of the server, as every client does, so it says "saved" only of what
the game has said MBV to.
"""

from typing import Any

from attrs import Factory, define

from daide.followed_game import FollowedGame
from grammar.boards import position_from
from grammar.messages import (
    CancelDraw,
    CancelGo,
    CancelOrders,
    Go,
    Hello,
    Now,
    OrderAnswer,
    Ownership,
    PressReceived,
    RequestDraw,
    ServerMessage,
    Yes,
)
from grammar.press import NotUnderstood, Understand
from rules.board import Board
from rules.legality import adjustments_due
from rules.notation import format_order
from rules.orders import Build, Order, OrderNote, Remove, Waive
from rules.outcome import survivors
from rules.places import Power
from rules.position import Position
from rules.position_json import turn_to_json
from rules.turns import Phase
from spectator.web.board_document import legal_of


@define
class SeatTable:
    """One seat of one game."""

    board: Board
    position: Position | None = None
    orders: list[Order] = Factory(list)
    """Those that the game has."""
    is_ready: bool = False
    votes_draw: bool = False
    is_away: bool = False
    number: int = 0
    """Grows with every change: of two documents the one with the greater number is the newer."""
    deaf: dict[Power, str] = Factory(dict)
    _ownership: Ownership | None = None
    _followed: FollowedGame = Factory(FollowedGame)

    @property
    def hello(self) -> Hello | None:
        """What the server has said at the start, None before it."""
        return self._followed.hello

    @property
    def power(self) -> Power | None:
        """Whose seat it is, None before the start."""
        return self._followed.power

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._followed.is_over

    @property
    def level(self) -> int:
        """The press level."""
        return self.hello.level if self.hello else 0

    def learn(self, message: ServerMessage) -> bool:
        """Take note of a message; return whether a new turn has begun."""
        self.number += 1
        self._followed.learn(message)
        match message:
            case Ownership():
                self._ownership = message
            case Now() if self._ownership is not None:
                return self._begin(position_from(message, self._ownership))
            case OrderAnswer(order, OrderNote.MIGHT_BE_VALID):
                self._save(order)
            case Yes(CancelOrders(order)):
                self.orders = [each for each in self.orders if order and each != order]
            case Yes(Go()):
                self.is_ready = True
            case Yes(CancelGo()):
                self.is_ready = False
            case Yes(RequestDraw()):
                self.votes_draw = True
            case Yes(CancelDraw()):
                self.votes_draw = False
            case PressReceived(sender, _, NotUnderstood()):
                self.deaf[sender] = "did not understand our press"
            case PressReceived(sender, _, Understand(words)):
                self.deaf[sender] = f"understands {' '.join(words) or 'no press'}"
        return False

    def leave(self) -> None:
        """Take note that the connection to the game is lost."""
        self.number += 1
        self.is_away = not self.is_over

    def _begin(self, position: Position) -> bool:
        is_new = self.position is None or self.position.turn != position.turn
        self.position = position
        if is_new:
            self.orders, self.is_ready, self.votes_draw = [], False, False
        return is_new and not self.is_over

    def _save(self, order: Order) -> None:
        if not isinstance(order, Build | Remove | Waive):
            self.orders = [each for each in self.orders if getattr(each, "unit", 0) != order.unit]
        self.orders.append(order)

    # --- questions --------------------------------------------------------------------------------

    @property
    def is_out(self) -> bool:
        """Whether the power has lost everything."""
        if self.position is None or self.power is None:
            return False
        return self.power not in survivors(self.board, self.position)

    @property
    def state(self) -> str:
        """How things are, in a word of docs/page-data.md."""
        if self.is_over:
            return "over"
        if self.is_away:
            return "away"
        if self.power is None or self.position is None:
            return "waiting"
        return "out" if self.is_out else "playing"

    @property
    def has_something_due(self) -> bool:
        """Whether there is something to order in this turn."""
        return bool(self.legal())

    def legal(self) -> dict[str, list[str]]:
        """Return the legal orders by unit."""
        if self.position is None or self.power is None:
            return {}
        return legal_of(self.board, self.position, self.power)

    def silence(self) -> str | None:
        """Return why nothing can be said now, None if something can."""
        if self.hello is None or self.position is None:
            return "the game has not begun"
        if self.is_over:
            return "the game is over"
        if not self.level:
            return "this game is played without press"
        if self.is_out:
            return "your power is out of the game"
        options = {each.word for each in self.hello.options}
        phase = self.position.turn.phase
        if phase is Phase.RETREAT and "NPR" in options:
            return "there is no press in retreat turns"
        if phase is Phase.ADJUSTMENT and "NPB" in options:
            return "there is no press in build turns"
        return None

    @property
    def listeners(self) -> list[str]:
        """The powers that can be spoken to."""
        if self.position is None:
            return []
        alive = survivors(self.board, self.position)
        return [power.name for power in alive if power != self.power]

    def to_json(self, *, with_legal: bool = True) -> dict[str, Any]:
        """Write the seat as the page gets it."""
        document: dict[str, Any] = {"number": self.number, "state": self.state}
        if self.power is not None:
            document["power"] = self.power.name
        if self.position is not None:
            turn = self.position.turn
            document |= {"turn": turn_to_json(turn), "phase": turn.phase.value}
            if with_legal:
                document["legal"] = self.legal()
            if turn.phase is Phase.ADJUSTMENT and self.power is not None:
                count = adjustments_due(self.position).get(self.power.name, 0)
                if count:
                    kind = "build" if count > 0 else "remove"
                    document["due"] = {"kind": kind, "count": abs(count)}
        note = OrderNote.MIGHT_BE_VALID.value
        why = self.silence()
        return document | {
            "orders": [{"order": format_order(each), "note": note} for each in self.orders],
            "ready": self.is_ready,
            "draw": self.votes_draw,
            "draw_may": self.state == "playing",
            "press": {
                "level": self.level,
                "may": why is None,
                "why": why,
                "to": self.listeners,
                "deaf": {power.name: text for power, text in self.deaf.items()},
            },
        }
