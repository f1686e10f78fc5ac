"""A game that is seen from a server's port, told to the page: messages in, facts out. Sans-I/O.

Who comes late asks for what was played before, turn by turn, as far as the server tells it.
"""

import json
from collections.abc import Callable

from attrs import Factory, define

from daide.frames import tokens_to_bytes
from daide.game_end import EndingReader
from feed.events import GameEnded, Lobby, PhaseBegun, game_ended
from feed.facts import BookEnded, EventTold, Fact, GameOpened, PressTold, TurnTold
from grammar.boards import position_from
from grammar.messages import (
    AskHistory,
    ClientMessage,
    Hello,
    Now,
    OrderOutcome,
    Ownership,
    PressReceived,
    Rej,
    ServerMessage,
    Summary,
)
from grammar.representation import Representation
from grammar.write import write
from rules.adjudicate import adjudicate
from rules.board import Board
from rules.notation import OrderReader, format_order
from rules.orders import power_of
from rules.outcome import Ending
from rules.places import Power
from rules.position import Position
from rules.position_json import position_from_json, position_to_json
from rules.turns import Phase, Turn
from server.history import PlayedTurn
from server.record import played_to_json

_GAME = 1
_LIMITS = {Phase.MOVEMENT: "MTL", Phase.RETREAT: "RTL", Phase.ADJUSTMENT: "BTL"}


@define
class ObservedFacts:
    """Makes of a server's messages what its own page would be told."""

    name: str
    variant: str
    board: Board
    tell: Callable[[Fact], None]
    ask: Callable[[ClientMessage], None]
    hello: Hello | None = None
    is_over: bool = False
    _position: Position | None = None
    """Up to where the page knows the game."""
    _now: Position | None = None
    """Where we came in, while the page does not know how it began."""
    _present: Turn | None = None
    """The turn that is played now."""
    _ownership: Ownership | None = None
    _outcomes: list[OrderOutcome] = Factory(list)
    _last_words: tuple[Summary | None, list[OrderOutcome]] | None = None
    """What ended the game while the page did not know all of it yet."""
    _unread: list[PressReceived] = Factory(list)
    """Press that came before the page knew the turn it was said in."""
    _end: EndingReader = Factory(EndingReader)

    def receive(self, message: ServerMessage) -> None:
        """Take note of a message."""
        self._end.learn(message)
        match message:
            case Hello():
                self.hello = message
            case Ownership():
                self._ownership = message
            case OrderOutcome():
                self._outcomes.append(message)
            case PressReceived():
                self._unread.append(message)
                self._read_press()
            case Now() if self._ownership is not None:
                self._reach(position_from(message, self._ownership))
            case Rej(AskHistory()) if self._position is None and self._now is not None:
                self._open(self._now)
            case Rej(AskHistory()) if self._last_words is not None:
                self.leave()  # it tells no more
            case Summary():
                self._finish(message)
            case _:
                if self._end.ending is not None and self._last_words is None:
                    self._finish(None)
        if self._last_words is not None and not self._is_behind:
            self.leave()

    def leave(self) -> None:
        """Tell the end with what is known of the game: nothing more will come."""
        if self._last_words is not None:
            summary, self._outcomes = self._last_words
            self._end_with(summary)

    # --- turns ------------------------------------------------------------------------------------

    def _reach(self, position: Position) -> None:
        outcomes, self._outcomes = self._outcomes, []
        turn = outcomes[0].turn if outcomes else None
        if self._position is None:
            self._begin(position, is_told=turn is not None)
        elif turn == self._position.turn:
            self._play(outcomes, position)
        if self._present is None or position.turn.is_after(self._present):
            self._present = position.turn
        self._catch_up()

    def _begin(self, position: Position, *, is_told: bool) -> None:
        """Open the game with its first position, or ask for that."""
        is_first = position.turn == self.board.start.turn
        if is_first and not is_told:
            self._open(position)
        elif self._now is None:
            self._now = position
            self.ask(AskHistory())
        elif not is_told and self._now.turn.is_after(position.turn):
            self._open(position)  # the answer, of a game that began at another time

    def _open(self, position: Position) -> None:
        assert self.hello is not None
        self._position = position
        start = position_to_json(position)
        opened = GameOpened(
            game=_GAME,
            name=self.name,
            run="port",
            variant=self.variant,
            press_level=self.hello.level,
            has_partial_draws=self.hello.has("PDA"),
            start=start,
        )
        self.tell(opened)
        limits = {word: self.hello.option(word) for word in _LIMITS.values()}
        seats = len(self.board.powers)
        lobby = Lobby(
            stage="running",
            variant=self.variant,
            press_level=self.hello.level,
            limits={"movement": limits["MTL"], "retreat": limits["RTL"], "build": limits["BTL"]},
            last_year=None,
            seats=seats,
            players=seats,
        )
        self.tell(EventTold(_GAME, 0.0, lobby))
        phase = position.turn.phase
        begun = PhaseBegun(start["turn"], phase.value, self._seconds(phase))
        self.tell(EventTold(_GAME, 0.0, begun))

    def _seconds(self, phase: Phase) -> int | None:
        assert self.hello is not None
        return self.hello.option(_LIMITS[phase])

    def _play(
        self, outcomes: list[OrderOutcome], position: Position, *, goes_on: bool = True
    ) -> None:
        assert self._position is not None
        played = PlayedTurn(self._position.turn, tuple(outcomes), position)
        seconds = self._seconds(position.turn.phase) if goes_on else None
        self.tell(TurnTold(_GAME, 0.0, json.dumps(played_to_json(played)), goes_on, seconds))
        self._position = position

    def _catch_up(self) -> None:
        """Ask for the next turn that the page does not know; then what was said has its place."""
        if self._position is None:
            return
        if self._is_behind:
            self.ask(AskHistory(self._position.turn))
        else:
            self._read_press()

    def _read_press(self) -> None:
        if self._position is None or self._position.turn != self._present:
            return
        said, self._unread = self._unread, []
        names = Representation.from_board(self.board)
        for press in said:
            self.tell(PressTold(_GAME, 0.0, tokens_to_bytes(write(press, names))))

    # --- the end ----------------------------------------------------------------------------------

    @property
    def _is_behind(self) -> bool:
        """Whether there are turns that the page does not know yet."""
        position, present = self._position, self._present
        return position is None or (present is not None and present.is_after(position.turn))

    def _finish(self, summary: Summary | None) -> None:
        if self._end.ending is None:
            return
        outcomes = self._outcomes if self._last_words is None else self._last_words[1]
        self._last_words, self._outcomes = (summary, outcomes), []

    def _end_with(self, summary: Summary | None) -> None:
        ending = self._end.ending
        if self.is_over or self._position is None or ending is None:
            return
        self.is_over = True
        if self._outcomes and self._outcomes[0].turn == self._position.turn:
            # The results of the last turn are told without the position that nobody plays on from.
            before = position_from_json(self.board, position_to_json(self._position))
            reader = OrderReader(self.board, before)
            orders = [reader.read(*_ordered(each)) for each in self._outcomes]
            last = adjudicate(self.board, before, orders).position
            self._play(self._outcomes, last, goes_on=False)
        self.tell(EventTold(_GAME, 0.0, self._ended(ending, summary)))
        self.tell(BookEnded(_GAME, 0.0, is_drawn=bool(ending.draw)))

    def _ended(self, ending: Ending, summary: Summary | None) -> GameEnded:
        assert self._position is not None
        return game_ended(
            ending,
            self._position.turn,
            [
                {
                    "power": each.power.name,
                    "name": each.name,
                    "version": each.version,
                    "centers": each.centers,
                    "eliminated": each.eliminated,
                }
                for each in (summary.players if summary else ())
            ],
        )


def _ordered(outcome: OrderOutcome) -> tuple[Power, str]:
    return power_of(outcome.order), format_order(outcome.order)
