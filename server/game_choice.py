"""LST, SEL and PNG, additions of Parlance: which games there are, and which one a client wants.

The host answers them, for a game knows of no other; a game that stands alone answers for itself.
They are no part of a game and not in its record.
"""

from collections.abc import Collection, Iterable
from typing import Protocol, TypeAlias

from grammar.messages import (
    AskGames,
    GameListed,
    GameStatus,
    Ping,
    Rej,
    SelectGame,
    ServerMessage,
    Yes,
)
from grammar.tokens import Word
from rules.outcome import Ending
from rules.places import Power
from server.answering import DescribedGame
from server.seat import Client
from server.stage import Stage

Choice: TypeAlias = AskGames | SelectGame | Ping
CHOICE_WORDS = frozenset((int(Word.LST), int(Word.SEL), int(Word.PNG)))


class ListedGame(DescribedGame, Protocol):
    """What a list of games tells of one; nothing is changed."""

    @property
    def is_paused(self) -> bool:
        """Whether its master has stopped it."""

    @property
    def is_held_up(self) -> bool:
        """Whether its clock stands still."""

    @property
    def ending(self) -> Ending | None:
        """How it ended."""

    @property
    def survivors(self) -> Collection[Power]:
        """The powers that are still in the game."""


def answers(
    message: Choice, games: Iterable[GameListed], current: str | None
) -> tuple[ServerMessage, ...]:
    """Return what a client is told that is in the current game, or has chosen it."""
    match message:
        case AskGames(name):
            found = tuple(game for game in games if name in (None, game.name))
            return found or (Rej(message),)
        case SelectGame(None):
            return (Rej(message) if current is None else SelectGame(current),)
        case SelectGame(name):
            is_chosen = current is not None and current == name
            return (Yes(message) if is_chosen else Rej(message),)
        case Ping():
            return (Yes(message),)


def listing(game: ListedGame) -> GameListed:
    """Return a game as it stands in the list."""
    return GameListed(
        game.name, players_needed(game), _status(game), game.board.name, game.settings.options
    )


def players_needed(game: ListedGame) -> int:
    """Return how many more may play: in free places, or for those who have gone."""
    match game.stage:
        case Stage.FORMING:
            return len(game.seats) - len(game.candidates())
        case Stage.RUNNING:
            return sum(game.seats[power].client is None for power in game.survivors)
        case Stage.ENDED:
            return 0


_OVER = {
    "solo": GameStatus.WON,
    "draw": GameStatus.DRAWN,
    "year-limit": GameStatus.DRAWN,
    "aborted": GameStatus.CLOSED,
}


def _status(game: ListedGame) -> GameStatus:
    if game.stage is Stage.FORMING:
        return GameStatus.FORMING
    if game.ending is not None:
        return _OVER[game.ending.outcome]
    if game.is_paused:
        return GameStatus.PAUSED
    if game.is_held_up:
        return GameStatus.HELD_UP
    return GameStatus.VACANT if players_needed(game) else GameStatus.PLAYED


def on_choice(game: ListedGame, sender: Client, message: Choice) -> None:
    """Answer for a game that stands alone."""
    game.send(sender, *answers(message, (listing(game),), game.name))
