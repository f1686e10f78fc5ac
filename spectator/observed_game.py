"""What an observer knows of a game, for those who show it: turn, centers, press, the result."""

from collections import Counter, deque
from itertools import takewhile

from attrs import Factory, define

from daide.game_end import EndingReader
from grammar.boards import now_message, ownership_message
from grammar.english import describe
from grammar.messages import Admin, Now, Ownership, PressReceived, ServerMessage, Summary
from grammar.shown import shown
from promises.book import PromiseBook
from promises.keeper import Bookkeeper
from promises.promise import Stab
from rules.board import Board
from rules.outcome import Ending
from rules.phrases import order_clause, power_name, turn_name
from rules.places import Power
from rules.position import Position
from rules.turns import Turn
from server.history import History

NEWS = 6


@define
class ObservedGame:
    """Learns from the messages of a server what there is to show."""

    keeper: Bookkeeper
    turn: Turn | None = None
    played: Turn | None = None
    """The last turn that was played."""
    phases: int = 0
    centers: Counter[Power] = Factory(Counter)
    units: Counter[Power] = Factory(Counter)
    news: deque[str] = Factory(lambda: deque(maxlen=NEWS))
    """What was said last, in the last turn that was played or since."""
    press_messages: int = 0
    summary: Summary | None = None
    _end: EndingReader = Factory(EndingReader)
    _turns: int = 0
    _said: int = 0
    _news_of: Turn | None = None

    @property
    def is_over(self) -> bool:
        """Whether the game has ended and everything about that has come."""
        return self.ending is not None

    @property
    def ending(self) -> Ending | None:
        """How the game ended, None while it is not over."""
        return self._end.ending

    @property
    def book(self) -> PromiseBook:
        """Who promised what, and who kept it."""
        return self.keeper.book

    def follow(self, history: History) -> None:
        """Learn what was played and said since we looked last, as one who sees everything."""
        if self.turn is None:
            self._see(history.board, history.start)
        for played in history.turns[self._turns :]:
            self._turns += 1
            said = history.press[self._said :]
            for relayed in takewhile(lambda each, turn=played.turn: each.turn == turn, said):  # type: ignore[misc]  # a default
                self.receive(relayed.press)
                self._said += 1
            for outcome in played.outcomes:
                self.receive(outcome)
            self._see(history.board, played.position)

    def _see(self, board: Board, position: Position) -> None:
        self.receive(ownership_message(board, position))
        self.receive(now_message(position))

    def receive(self, message: ServerMessage) -> bool:
        """Learn from a message; return whether a turn or the game has ended."""
        self.keeper.learn(message)
        self._end.learn(message)
        match message:
            case Now(turn, units):
                self.phases += self.turn is not None and turn != self.turn
                self._turn_to(turn)
                self.units = Counter(
                    unit.power if hasattr(unit, "power") else unit.unit.power for unit in units
                )
                return True
            case Ownership(holdings):
                self.centers = Counter(
                    {each.owner: len(each.centers) for each in holdings if each.owner is not None}
                )
            case PressReceived():
                self.press_messages += 1
                self._tell(describe(message))
            case Admin(name, text) if name != "Server":
                self._tell(shown(f"{name}: {text}"))
            case Summary():
                # The last turn is told in the summary, before its NOW.
                self.phases += message.turn != self.turn
                self.summary = message
                return True
            case _:
                pass
        return False

    def _turn_to(self, turn: Turn) -> None:
        """Go on to a turn; what was said before the one that is over is no news any more."""
        if turn == self.turn:
            return
        if self._news_of != self.turn:
            self.news.clear()
        self.played, self.turn = self.turn, turn

    def _tell(self, text: str) -> None:
        if self._news_of != self.turn:
            self.news.clear()
        self._news_of = self.turn
        self.news.append(text)


def stab_sentence(stab: Stab) -> str:
    """Say who stabbed whom, and how."""
    attack = f"{power_name(stab.by)} stabs {power_name(stab.victim)}"
    return f"{attack} in {turn_name(stab.turn)}: {order_clause(stab.order)}"
