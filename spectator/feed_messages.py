"""The events of the feed as the messages that an observer would have got from the server.

So whoever shows a game needs to know the language only, wherever the news come from. Raises
BadInputError for an event that does not fit the board.
"""

from collections.abc import Iterable

from daide.game_end import ending_note
from feed.events import (
    Event,
    GameEnded,
    OrdersJudged,
    PositionReached,
    PressSent,
)
from grammar.boards import now_message, outcomes_told, ownership_message
from grammar.messages import (
    DrawDeclared,
    OrderOutcome,
    PlayerSummary,
    PressReceived,
    ServerMessage,
    SoloDeclared,
    Summary,
)
from grammar.parse import HIGHEST_LEVEL, reader_for
from grammar.representation import Representation
from grammar.text import from_text
from rules.board import Board
from rules.errors import BadInputError
from rules.outcome import EndingKind, ending_from_json
from rules.position import Position
from rules.position_json import position_from_json, turn_from_json


class EventReader:
    """Reads the events of one game in their order."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._names = Representation.from_board(board)
        self._press = reader_for(HIGHEST_LEVEL, self._names)
        self._position: Position | None = None

    def messages(self, event: Event) -> list[ServerMessage]:
        """Return what the server told its observers in that moment."""
        match event:
            case PositionReached(told):
                self._position = position_from_json(self._board, told)
                return [ownership_message(self._board, self._position), now_message(self._position)]
            case OrdersJudged():
                return list(self._outcomes(event))
            case PressSent():
                return [self._said(event)]
            case GameEnded():
                return self._ending(event)
            case _:
                return []

    def _outcomes(self, event: OrdersJudged) -> Iterable[OrderOutcome]:
        turn = turn_from_json(event.turn)
        if self._position is None or self._position.turn != turn:
            return  # we came when the turn was being played
        yield from outcomes_told(self._board, self._position, turn, event.orders)

    def _said(self, event: PressSent) -> PressReceived:
        text = f"FRM ( {event.sender} ) ( {' '.join(event.recipients)} ) ( {event.text} )"
        read = self._press.server(from_text(text, self._names))
        if not isinstance(read, PressReceived):
            raise BadInputError(f"press: {event.text!r} cannot be read")
        return read

    def _ending(self, event: GameEnded) -> list[ServerMessage]:
        power = self._board.power
        powers = {each.name: each for each in self._board.powers}
        ending = ending_from_json(powers, event.ending)
        note = ending_note(ending)
        if ending.kind is EndingKind.ABORTED:
            return [note]
        declared: ServerMessage = (
            SoloDeclared(ending.winner) if ending.winner else DrawDeclared(ending.draw)
        )
        players = tuple(
            PlayerSummary(
                power(each["power"]),
                each["name"],
                each["version"],
                each["centers"],
                each["eliminated"],
            )
            for each in event.players
        )
        return [note, declared, Summary(turn_from_json(event.turn), players)]
