"""A bot at work, without I/O: a server's messages and the time go in, our messages come out.

Each NOW is answered with a complete set of orders. A bot that talks asks with NOT ( GOF ) to be
waited for, says what it has to say, submits, and lets the turn go with GOF; when the server marks
a new round of press it has heard the answers, and does the same once more. It talks only in turns
in which it has something to order: no other turn waits for its NOT ( GOF ), and what it said would
be heard or not as the machines happen to run. Chances are drawn from the seed, the power and the
turn, so that a turn is played alike whenever it is told.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

import structlog

from bots.completing import complete, harmless_order, units_due
from bots.contract import beliefs_of, chosen_orders, press_of, used, vote_of
from bots.failures import FailureLog
from bots.game_so_far import GameSoFar, is_round_marker
from bots.press_filter import Listeners, may_talk, not_understood, sendable
from bots.strategy import Bot, Negotiator
from bots.view import NEUTRAL_BELIEFS, Beliefs, GameView
from grammar.messages import (
    Admin,
    CancelGo,
    CancelOrders,
    ClientMessage,
    Go,
    Huh,
    IAm,
    Loaded,
    LoadGame,
    Missing,
    Now,
    OrderAnswer,
    PressReceived,
    Prn,
    Rej,
    RequestDraw,
    Saved,
    SaveGame,
    SendPress,
    ServerMessage,
    SubmitOrders,
    TimeLeft,
    TimerStopped,
    Yes,
)
from grammar.representation import Representation, standard_representation
from grammar.tokens import Word
from rules.notation import format_order
from rules.orders import Order, OrderNote, Remove, Unit, Waive
from rules.turns import Phase, Turn

Result = TypeVar("Result")

_LIMITS = {Phase.MOVEMENT: "MTL", Phase.RETREAT: "RTL", Phase.ADJUSTMENT: "BTL"}
# What is kept back of a deadline for the way to the server; of a short one a quarter.
_RESERVE = 1.0

log = structlog.get_logger(__name__)


class Player:
    """Plays one power of one game."""

    def __init__(
        self,
        bot: Bot,
        *,
        seed: int = 0,
        think: float | None = None,
        names: Representation | None = None,
    ) -> None:
        self.failure_log = FailureLog()
        """The exceptions that the strategy has raised."""
        self.table = GameSoFar(names or standard_representation())
        self._bot = bot
        self._seed = seed
        self._think = think
        self._now = 0.0
        self._deadline: float | None = None
        self._turn: Turn | None = None
        self._is_back = False
        self._beliefs = NEUTRAL_BELIEFS
        self._submitted: tuple[Order, ...] = ()
        self._unanswered = 0
        """How many of our orders the server has not judged yet."""
        self._replaced: set[Unit | None] = set()
        self._unheard: list[PressReceived] = []
        """Press of turns in which we do not talk, to be answered when we do."""
        self._held_back: list[ClientMessage] = []
        """Answers that wait for the next round, and are lost if there is none."""
        self._press_random = self._random("press")
        self._names_turn = True
        """Whether SUB says for which turn it is; very old servers do not know that form."""

    @property
    def failures(self) -> int:
        """How often the strategy has raised an exception."""
        return self.failure_log.count

    def receive(self, message: ServerMessage, now: float = 0.0) -> list[ClientMessage]:
        """Take a message of the server and return our answers; `now` is in seconds."""
        self._now = now
        self.table.learn(message)
        match message:
            case TimeLeft(seconds):
                self._deadline = now + seconds
            case TimerStopped():
                self._deadline = None
            case SaveGame(game):
                return [Saved(game, done=True)]
            case LoadGame(game):
                return [Loaded(game, done=False)]
            case Yes(IAm()):
                self._is_back = True
            case _ if self.table.is_playing:
                return self._play(message)
        return []

    def _play(self, message: ServerMessage) -> list[ClientMessage]:
        match message:
            case Now():
                return self._on_now()
            case OrderAnswer(order, note):
                self._unanswered = max(0, self._unanswered - 1)
                if note is not OrderNote.MIGHT_BE_VALID:
                    return self._on_refusal(order, note)
            case Missing():
                return self._on_missing(message)
            case PressReceived():
                return self._on_press(message)
            case Admin() if is_round_marker(message):
                return self._on_round()
            case Yes(SendPress() as sent) | Rej(SendPress() as sent):
                return self._on_press_answer(sent, accepted=isinstance(message, Yes))
            case Huh(tokens):
                return self._on_huh(tokens)
            case Rej(refused):
                if isinstance(refused, SubmitOrders):
                    self._unanswered = max(0, self._unanswered - len(refused.orders))
                log.info("refused by the server", kind=type(refused).__name__)
            case Prn():
                log.warning("not understood by the server", kind="brackets")
        return []

    # --- a turn -----------------------------------------------------------------------------------

    def _on_now(self) -> list[ClientMessage]:
        is_new = self.table.turn != self._turn
        if is_new:
            self._begin_turn()
        replies: list[ClientMessage] = []
        view = self._press_view()
        talker = self._talker(view)
        # Nobody waits for those who have nothing to order: their GOF could come in the next turn,
        # and be taken for that turn's.
        is_waited_for = talker is not None and view.has_orders_due
        if is_waited_for:
            replies.append(CancelGo())
        if talker is not None and is_new:
            if is_waited_for:
                replies += self._late_answers(talker)
            replies += self._said(lambda: talker.open_turn(view), "open_turn")
        # The last order may end the turn, so the vote comes before it.
        if is_new and self._wants_draw(view):
            replies.append(RequestDraw())
        replies += self._order(again=not is_new or self._is_back)
        self._is_back = False
        if is_waited_for:
            replies.append(Go())
        return replies

    def _begin_turn(self) -> None:
        assert self.table.hello is not None
        assert self.table.turn is not None
        self._turn = self.table.turn
        self._submitted = ()
        self._unanswered = 0
        self._replaced.clear()
        self._held_back.clear()
        self._press_random = self._random("press")
        limit = self.table.hello.option(_LIMITS[self._turn.phase])
        self._deadline = self._now + limit if limit else None

    def _order(self, *, again: bool = False) -> list[ClientMessage]:
        """Return the SUB of this turn; with `again` the server may have orders of ours already."""
        self._beliefs = self._believed()
        view = self._order_view()
        if not view.has_orders_due:
            return []
        wanted: Sequence[Order] = self._ask(lambda: chosen_orders(self._bot.tactic, view), ())
        completed = self._ask(
            lambda: used(wanted, lambda orders: complete(view, orders), "choose_orders"), None
        ) or complete(view, ())
        for order, note in completed.refused:
            _log_refusal("order left out", order, note)
        self._submitted = completed.orders
        # Where orders add up, the old ones have to go first.
        is_adding = again and view.phase is Phase.ADJUSTMENT
        cancel: list[ClientMessage] = [CancelOrders()] if is_adding else []
        return [*cancel, self._submission(completed.orders)]

    def _submission(self, orders: Sequence[Order]) -> SubmitOrders:
        self._unanswered += len(orders)
        return SubmitOrders(tuple(orders), self._turn if self._names_turn else None)

    # --- orders that the server does not like -----------------------------------------------------

    def _on_refusal(self, order: Order, note: OrderNote) -> list[ClientMessage]:
        """Replace an order that we thought legal; each unit once, so that it comes to an end."""
        _log_refusal("order refused by the server", order, note)
        view = self._order_view()
        if view.phase is Phase.ADJUSTMENT:
            replacement = self._other_adjustment(view, order)
        else:
            unit = None if isinstance(order, Waive) else order.unit
            replacement = self._harmless(view, [unit] if unit in units_due(view) else [])
        return [self._submission(replacement)] if replacement else []

    def _on_missing(self, missing: Missing) -> list[ClientMessage]:
        if self._unanswered:
            # It was sent before our orders had arrived, because of a GOF that came late.
            return []
        view = self._order_view()
        if missing.adjustments is not None:
            # After a refusal the replacement is on its way already.
            is_due = view.phase is Phase.ADJUSTMENT and not self._replaced
            orders = list(complete(view, ()).orders[: abs(missing.adjustments)]) if is_due else []
            self._replaced.add(None)
        else:
            units = [each if isinstance(each, Unit) else each.unit for each in missing.units]
            orders = self._harmless(view, units)
        return [self._submission(orders)] if orders else []

    def _harmless(self, view: GameView, units: Sequence[Unit | None]) -> list[Order]:
        left = [unit for unit in units if unit is not None and unit not in self._replaced]
        self._replaced.update(left)
        return [harmless_order(view, unit) for unit in left]

    def _other_adjustment(self, view: GameView, order: Order) -> list[Order]:
        if not isinstance(order, Remove):
            self._replaced.add(None)
            return [] if isinstance(order, Waive) else [Waive(view.power)]
        tried = {each.unit for each in self._submitted if isinstance(each, Remove)}
        tried |= {unit for unit in self._replaced if unit is not None}
        unit = next((unit for unit in view.units if unit not in tried), None)
        self._replaced.add(unit)
        return [] if unit is None else [Remove(unit)]

    def _on_huh(self, tokens: Sequence[int]) -> list[ClientMessage]:
        log.warning("not understood by the server", first=f"{tokens[0]:#06x}" if tokens else "")
        is_ours = bool(tokens) and tokens[0] == Word.SUB and self._submitted
        if not is_ours or not self._names_turn:
            return []
        self._names_turn = False
        return [self._submission(self._submitted)]

    # --- press ------------------------------------------------------------------------------------

    def _on_press(self, received: PressReceived) -> list[ClientMessage]:
        view, negotiator = self._press_view(), self._bot.negotiator
        if not may_talk(view):
            return []
        if not self.table.has_rounds:
            return [*self._answers(negotiator, received), *self._reconsider()]
        if not view.has_orders_due:
            self._unheard.append(received)
            return []
        # Said now, after the last round of a turn, they would come in the next turn.
        self._held_back += self._answers(negotiator, received)
        return []

    def _answers(self, negotiator: Negotiator, received: PressReceived) -> list[ClientMessage]:
        huh = not_understood(received, negotiator.words, self.table.names)
        if huh:
            return self._said(lambda: huh, "")
        self.table.inbox.append(received)
        view = self._press_view()
        return self._said(lambda: negotiator.on_press(view, received), "on_press")

    def _late_answers(self, negotiator: Negotiator) -> list[ClientMessage]:
        unheard, self._unheard = self._unheard, []
        return [answer for each in unheard for answer in self._answers(negotiator, each)]

    def _on_round(self) -> list[ClientMessage]:
        answers = self._held_back
        self._held_back = []
        return [*answers, *self._reconsider(), Go()]

    def _reconsider(self) -> list[ClientMessage]:
        """Order anew if what we believe has changed."""
        return [] if self._believed() == self._beliefs else self._order(again=True)

    def _on_press_answer(self, sent: SendPress, *, accepted: bool) -> list[ClientMessage]:
        view = self._press_view()
        talker = self._talker(view)
        if talker is None:
            return []
        self._ask(lambda: talker.on_answer(view, sent, accepted=accepted), None)
        # With rounds we have let the turn go by now, and are silent until the next one begins.
        return [] if self.table.has_rounds else self._reconsider()

    def _said(self, speak: Callable[[], object], method: str) -> list[ClientMessage]:
        view, names = self._press_view(), self.table.names
        listeners = Listeners(self.table.absent, self.table.newer_words)

        def fit(press: Sequence[SendPress]) -> list[SendPress]:
            return sendable(press, view, names, listeners)

        press: list[SendPress] = self._ask(lambda: used(press_of(speak(), method), fit, method), [])
        # With rounds nobody listens to those who have nothing to order.
        return [*press] if view.has_orders_due or not self.table.has_rounds else []

    def _talker(self, view: GameView) -> Negotiator | None:
        return self._bot.negotiator if may_talk(view) else None

    def _believed(self) -> Beliefs:
        view = self._press_view()
        return self._ask(lambda: beliefs_of(self._bot.negotiator, view), NEUTRAL_BELIEFS)

    def _wants_draw(self, view: GameView) -> bool:
        # Nobody waits for those without orders; a late vote would be one for the next turn.
        is_in_time = view.phase is Phase.MOVEMENT or view.has_orders_due
        if not is_in_time:
            return False
        return self._ask(lambda: vote_of(self._bot.negotiator, view), otherwise=False)

    # --- what a strategy gets ---------------------------------------------------------------------

    def _press_view(self) -> GameView:
        return self.table.view(self._press_random, seconds=self._seconds(), beliefs=self._beliefs)

    def _order_view(self) -> GameView:
        # Of its own seed: what was said must not change the chances of what is ordered.
        random = self._random("orders")
        return self.table.view(random, seconds=self._seconds(), beliefs=self._beliefs)

    def _random(self, purpose: str) -> Random:
        power = self.table.power
        return Random(f"{self._seed} {power} {self._turn} {purpose}")  # noqa: S311 - for play

    def _seconds(self) -> float | None:
        """How long a strategy may think: as long as it is told to, within the deadline."""
        if self._deadline is None:
            return self._think
        left = max(0.0, self._deadline - self._now)
        left -= min(_RESERVE, left / 4)
        return left if self._think is None else min(self._think, left)

    def _ask(self, question: Callable[[], Result], otherwise: Result) -> Result:
        """Ask the strategy; its bugs must not cost it the game."""
        try:
            return question()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the author has not thought of
            # To leave would be to end whoever plays the game: in one process, all of it.
            failure = self.failure_log.note(error, self._turn)
            if failure is not None:
                # No traceback: the way from here to the author's lines is ours.
                log.error(  # noqa: TRY400 - the text says it all
                    "the strategy failed",
                    turn=failure.turn,
                    error=failure.error,
                    where=" < ".join(reversed(failure.where)),
                )
            return otherwise


def _log_refusal(event: str, order: Order, note: OrderNote) -> None:
    """Tell the author which order it was, and why."""
    from grammar.english import NOTES  # noqa: PLC0415 - most bots need no English

    log.warning(event, order=format_order(order), note=note.value, why=NOTES[note])
