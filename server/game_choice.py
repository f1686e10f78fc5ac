"""LST, SEL and PNG, additions of Parlance: which games there are, and which one a client wants.

The host answers them, for a game knows of no other; a game that stands alone answers for itself.
They are no part of a game and not in its record.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

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
from server.seat import Client
from server.stage import Stage

if TYPE_CHECKING:
    from server.game import Game

Choice: TypeAlias = AskGames | SelectGame | Ping
CHOICE_WORDS = frozenset((int(Word.LST), int(Word.SEL), int(Word.PNG)))


def answers(
    message: Choice, games: Sequence["Game"], current: "Game | None"
) -> tuple[ServerMessage, ...]:
    """Return what a client is told that is in the current game, or has chosen it."""
    match message:
        case AskGames(name):
            found = tuple(listing(game) for game in games if name in (None, game.name))
            return found or (Rej(message),)
        case SelectGame(None):
            return (Rej(message) if current is None else SelectGame(current.name),)
        case SelectGame(name):
            is_chosen = current is not None and current.name == name
            return (Yes(message) if is_chosen else Rej(message),)
        case Ping():
            return (Yes(message),)


def listing(game: "Game") -> GameListed:
    """Return a game as it stands in the list."""
    return GameListed(
        game.name, _players_needed(game), _status(game), game.board.name, game.settings.options
    )


def _players_needed(game: "Game") -> int:
    match game.stage:
        case Stage.FORMING:
            return len(game.seats) - len(game.candidates())
        case Stage.RUNNING:
            return sum(game.seats[power].client is None for power in game.survivors)
        case Stage.ENDED:
            return 0


def _status(game: "Game") -> GameStatus:
    if game.stage is Stage.FORMING:
        return GameStatus.FORMING
    if game.stage is Stage.ENDED:
        return GameStatus.DRAWN if game.winner is None else GameStatus.WON
    if game.is_paused:
        return GameStatus.PAUSED
    if game.timer.is_stopped:
        return GameStatus.HELD_UP
    return GameStatus.VACANT if _players_needed(game) else GameStatus.PLAYED


def on_choice(game: "Game", sender: Client, message: Choice) -> None:
    """Answer for a game that stands alone."""
    game.send(sender, *answers(message, (game,), game))
