"""What the server has told a bot so far, and the views made of it."""

from functools import cache
from random import Random

from attrs import evolve

from bots.view import NEUTRAL_BELIEFS, Beliefs, GameView, Survey
from daide.followed_game import FollowedGame
from grammar.boards import board_from, position_from
from grammar.messages import (
    Admin,
    AskMapDefinition,
    BackInOrder,
    CivilDisorder,
    Hello,
    IAm,
    MapDefinition,
    Now,
    OrderOutcome,
    Ownership,
    PressReceived,
    Rej,
    ServerMessage,
    Yes,
)
from grammar.representation import Representation, standard_representation
from grammar.tokens import Token
from grammar.vocabulary import newer_words_in
from grammar.write import write_press
from promises.book import PromiseBook
from promises.keeper import Bookkeeper
from rules.board import Board
from rules.maps import load_map
from rules.places import Power
from rules.position import Position
from rules.turns import Phase

_SERVER = "Server"
_ROUND = "press round "


class GameSoFar(FollowedGame):
    """One game from the seat of one power; `learn` is its only way in."""

    def __init__(self, names: Representation) -> None:
        super().__init__()
        self.names = names
        self.board: Board | None = None
        self.position: Position | None = None
        self.results: list[OrderOutcome] = []
        self.inbox: list[PressReceived] = []
        self.press_round = 1
        self.has_rounds = False
        """Whether this server has been seen to relay press in rounds."""
        self.absent: set[Power] = set()
        """Powers without a client, whom press does not reach."""
        self.newer_words: dict[Power, frozenset[Token]] = {}
        """The words that came after the original documents, by the powers that have used them."""
        self._ownership: Ownership | None = None
        self._survey: Survey | None = None
        self._keeper: Bookkeeper | None = None

    @property
    def is_playing(self) -> bool:
        """Whether we know all we need, the game goes on, and we are in it."""
        if self.board is None or self.position is None or self.is_over or self.power is None:
            return False
        return self.power.name in self._surveyed(self.board, self.position).living

    def learn(self, message: ServerMessage) -> None:
        """Remember what a message says."""
        super().learn(message)
        if self._keeper is not None:
            self._keeper.learn(message)
        match message:
            case MapDefinition():
                self.board = board_for(message, self.names)
            case Rej(AskMapDefinition()) if self.names is standard_representation():
                # A server may keep to itself what everybody knows.
                self.board = load_map("standard")
            case Hello():
                self._greet(message)
            case Ownership():
                self._ownership = message
            case Now() if self._ownership is not None:
                self._begin_turn(position_from(message, self._ownership))
            case OrderOutcome():
                self._note_result(message)
            case Admin() if is_round_marker(message):
                self.press_round, self.has_rounds = int(message.text.split()[-1]), True
            case PressReceived(sender, _, press):
                used = newer_words_in(write_press(press, self.names))
                if used:
                    self.newer_words[sender] = self.newer_words.get(sender, frozenset()) | used
            case CivilDisorder(power):
                self.absent.add(power)
            case BackInOrder(power):
                self.absent.discard(power)
            case Yes(IAm()):
                # Who comes back is told the results once more.
                self.results.clear()

    def view(
        self,
        random: Random,
        *,
        seconds: float | None = None,
        beliefs: Beliefs = NEUTRAL_BELIEFS,
    ) -> GameView:
        """Return what a strategy is to see; only while `is_playing`."""
        assert self.board is not None
        assert self.position is not None
        assert self.hello is not None
        assert self.hello.power is not None
        return GameView(
            board=self.board,
            power=self.hello.power,
            position=self.position,
            level=self.hello.level,
            options=self.hello.options,
            results=tuple(self.results),
            inbox=tuple(self.inbox),
            book=self._keeper.book if self._keeper else PromiseBook(self.board),
            press_round=self.press_round,
            beliefs=beliefs,
            random=random,
            seconds=seconds,
            known=self._surveyed(self.board, self.position),
        )

    def _surveyed(self, board: Board, position: Position) -> Survey:
        """Return what follows from the position; asked with every message."""
        known = self._survey
        if known is None or known.position is not position or known.board is not board:
            known = self._survey = Survey(board, position)
        return known

    def _greet(self, hello: Hello) -> None:
        # Nobody talks at level 0; who comes back is greeted once more.
        if hello.level and self._keeper is None and self.board is not None:
            self._keeper = Bookkeeper(self.board, hello.power)

    def _begin_turn(self, position: Position) -> None:
        if self.position is None or position.turn != self.position.turn:
            self.inbox.clear()
            self.press_round = 1
        self.position = position

    def _note_result(self, result: OrderOutcome) -> None:
        if result.turn.phase is Phase.MOVEMENT and self.results:
            last = self.results[-1].turn
            if last != result.turn:
                self.results.clear()
        self.results.append(result)


def is_round_marker(message: Admin) -> bool:
    """Whether the server says that a round of press has ended and another one begins."""
    number = message.text.removeprefix(_ROUND)
    return message.name == _SERVER and message.text.startswith(_ROUND) and number.isdecimal()


@cache
def board_for(definition: MapDefinition, names: Representation) -> Board:
    """Return the board of an MDF, its provinces in the order of their numbers.

    An MDF may list them in any order, but ties are broken by number.
    """
    board = board_from(definition)
    ordered = sorted(board.provinces, key=lambda each: names.province_tokens[each.name] & 0xFF)
    return evolve(board, provinces=tuple(ordered))
