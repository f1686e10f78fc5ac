"""A program's place in a game, without I/O: messages and lines go in, lines and messages come out.

The program hears every message of the server as a line of DAIDE text, and what it writes goes to
the server. Looked after for it: a line that no server could read is answered with HUH or PRN like
a server would, and goes no further; an order that the server refuses is replaced by a harmless one,
which the program may replace in turn; when its time is up, what it has not ordered is ordered for
it; and a turn with press goes on once its orders are given.
"""

from random import Random

from attrs import frozen

from bots.completing import complete, harmless_order, units_due
from bots.game_so_far import GameSoFar, is_round_marker
from bots.press_filter import may_talk
from bots.view import GameView
from grammar.messages import (
    Admin,
    CancelGo,
    ClientMessage,
    Go,
    Missing,
    Now,
    OrderAnswer,
    ServerMessage,
    SubmitOrders,
    TimeLeft,
    TimerStopped,
)
from grammar.parse import HIGHEST_LEVEL, Garbled, Unbalanced, reader_for
from grammar.representation import Representation
from grammar.text import NotTextError, from_text, to_line, to_text
from grammar.write import write
from rules.orders import Order, OrderNote, Waive
from rules.turns import Phase, Turn

RESERVE = 0.25
"""Which part of a deadline is kept for the way to the server, up to a second."""
ANSWER_TIME = 0.2
"""How long a program may think about the answers of a round of press."""
GRACE = 2.0
"""How long a program that has begun to order may take for what it has left out."""
_NO_CHANCE = Random(0)  # noqa: S311 - nothing here is left to chance
_LIMITS = {Phase.MOVEMENT: "MTL", Phase.RETREAT: "RTL", Phase.ADJUSTMENT: "BTL"}


@frozen
class Said:
    """What follows from one thing that happened."""

    lines: tuple[str, ...] = ()
    """For the program."""
    messages: tuple[ClientMessage, ...] = ()
    """For the server."""
    complaint: str = ""
    """For the author of the program: what was wrong with a line or an order."""


class TextSeat:
    """One power of one game, played by a program. Times are seconds of any clock."""

    def __init__(self, names: Representation, *, patience: float) -> None:
        self.table = GameSoFar(names)
        self.deadline: float | None = None
        """When `on_time` wants to be called."""
        self.overdue = 0
        """How often the program's time was up."""
        self._names = names
        self._reader = reader_for(HIGHEST_LEVEL, names)
        self._patience = patience
        self._latest = 0.0
        """When the patience with the present turn ends."""
        self._reserve = 0.0
        """The seconds of the present turn's limit that are kept for the way."""
        self._turn: Turn | None = None
        self._orders: list[Order] = []
        self._is_holding_up = False
        """Whether the server waits for our GOF."""

    # --- from the server --------------------------------------------------------------------------

    def on_message(self, message: ServerMessage, now: float) -> Said:
        """Hand a message on, and answer it where the program need not."""
        self.table.learn(message)
        line = (to_line(write(message, self._names), self._names),)
        if not self.table.is_playing:
            return Said(line)
        match message:
            case Now(turn) if turn != self._turn:
                return Said(line, self._begin_turn(turn, now))
            case TimeLeft(seconds) if self.deadline is not None:
                self._limit(now, seconds)
            case TimerStopped() if self.deadline is not None:
                self.deadline = self._latest = now + self._patience
            case Missing() if self.deadline is not None and self._orders:
                # It may go on ordering, a unit a line; one that has forgotten a unit will not.
                self.deadline = min(self.deadline, now + GRACE)
            case Admin() if is_round_marker(message):
                self.deadline = now + ANSWER_TIME
                self._is_holding_up = True
            case OrderAnswer(order, note) if note is not OrderNote.MIGHT_BE_VALID:
                return self._on_refusal(line, order, note)
        return Said(line)

    def _begin_turn(self, turn: Turn, now: float) -> tuple[ClientMessage, ...]:
        self._turn = turn
        self._orders = []
        self.deadline = None
        self._is_holding_up = False
        view = self._view()
        if not view.has_orders_due:
            return ()
        assert self.table.hello is not None
        self.deadline = self._latest = now + self._patience
        self._reserve = 0.0
        if limit := self.table.hello.option(_LIMITS[turn.phase]):
            self._limit(now, limit)
        if not may_talk(view):
            return ()
        self._is_holding_up = True
        return (CancelGo(),)

    def _limit(self, now: float, seconds: float) -> None:
        # Whoever asks how much is left must not put its time off by that, however often it asks.
        self._reserve = max(self._reserve, min(1.0, RESERVE * seconds))
        self.deadline = min(self._latest, now + seconds - self._reserve)

    def _on_refusal(self, line: tuple[str, ...], order: Order, note: OrderNote) -> Said:
        text = to_text(write(SubmitOrders((order,)), self._names), self._names)
        why = f"refused with {note.value}: {text}"
        if order in self._orders:
            self._orders.remove(order)
        view = self._view()
        unit = None if isinstance(order, Waive) else order.unit
        if view.phase is Phase.ADJUSTMENT or unit not in units_due(view):
            return Said(line, (), why)
        harmless = harmless_order(view, unit)
        if harmless == order:
            return Said(line, (), why)
        return Said(line, (SubmitOrders((harmless,), self._turn),), why)

    # --- from the program -------------------------------------------------------------------------

    def on_line(self, text: str) -> Said:
        """Take a line of the program."""
        try:
            tokens = from_text(text, self._names)
        except NotTextError as error:
            return Said(("HUH ( ERR )",), (), f"{text!r}: {error}")
        if not tokens:
            return Said()
        match self._reader.client(tokens):
            case Unbalanced() | Garbled() as bad:
                answer = bad.answer()
                lines = (to_line(write(answer, self._names), self._names),) if answer else ()
                return Said(lines, (), f"not a message of a client: {text!r}")
            case SubmitOrders(orders) as message:
                return Said((), self._on_orders(message, orders))
            case Go():
                return Said((), self._finish())
            case CancelGo() as message:
                self._is_holding_up = False
                return Said((), (message,))
            case message:
                return Said((), (message,))

    def _on_orders(
        self, message: SubmitOrders, orders: tuple[Order, ...]
    ) -> tuple[ClientMessage, ...]:
        self._orders += orders
        if message.turn is None:
            # So that what comes too late is not taken for the next turn's.
            message = SubmitOrders(orders, self._turn)
        if not self.table.is_playing or not self._has_all():
            return (message,)
        return (message, *self._let_go())

    def _let_go(self) -> tuple[ClientMessage, ...]:
        self.deadline = None
        if not self._is_holding_up:
            return ()
        self._is_holding_up = False
        return (Go(),)

    def _has_all(self) -> bool:
        view = self._view()
        if view.phase is Phase.ADJUSTMENT:
            return len(self._orders) >= abs(view.adjustment)
        ordered = {order.unit for order in self._orders if not isinstance(order, Waive)}
        return ordered.issuperset(units_due(view))

    # --- time -------------------------------------------------------------------------------------

    def on_time(self, now: float) -> Said:
        """Order what the program has not, if its time is up."""
        if self.deadline is None or now < self.deadline or not self.table.is_playing:
            return Said()
        if self._has_all():
            return Said((), self._let_go())
        self.overdue += 1
        why = f"no orders in time in {self._turn}: what was missing was given for the program"
        return Said((), (*self._rest(), *self._let_go()), why)

    def _finish(self) -> tuple[ClientMessage, ...]:
        """Order what the program has left to us, and let the turn go on."""
        rest = self._rest() if self.table.is_playing else ()
        self.deadline = None
        self._is_holding_up = False
        return (*rest, Go())

    def _rest(self) -> tuple[ClientMessage, ...]:
        """Return harmless orders for everything that has none."""
        view = self._view()
        if not view.has_orders_due or self._has_all():
            return ()
        wanted = complete(view, self._orders).orders
        orders = tuple(order for order in wanted if order not in self._orders)
        self._orders += orders
        return (SubmitOrders(orders, self._turn),) if orders else ()

    def _view(self) -> GameView:
        return self.table.view(_NO_CHANCE)
