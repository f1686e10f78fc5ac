"""Tells the feed what happens in the games: the same facts that clients get, as events."""

import secrets
from collections.abc import Callable
from typing import Any, cast

from attrs import define

from feed.events import (
    BookClosed,
    Event,
    GameEnded,
    Lobby,
    PhaseBegun,
    PlayersSeated,
    PositionReached,
    PressSent,
    PromiseJson,
    PromisesJudged,
    StabJson,
    Told,
)
from feed.outbox import Letter
from feed.wire import TurnTold, event_letter
from grammar.english import describe
from grammar.text import to_text
from grammar.write import write_press
from promises.book import PromiseBook
from promises.export import book_to_json, promise_to_json, stab_to_json
from rules.outcome import center_counts
from rules.position_json import TurnJson, position_to_json
from rules.turns import Turn
from server.game import Game
from server.history import PlayedTurn, promise_book
from server.observers import Handled
from server.room import Room
from server.stage import Stage
from server.store import GameId


@define
class _Progress:
    """What has been told of a game."""

    turn: TurnJson
    book: PromiseBook
    turns: int = 0
    press: int = 0
    number: int = 0
    lobby: tuple[Stage, int] | None = None
    has_begun: bool = False
    has_ended: bool = False


class Reporter:
    """Makes events of what rooms do, and letters of the events."""

    def __init__(self, server: str, send: Callable[[Letter | TurnTold], None]) -> None:
        self._server = server
        self._send = send
        self._run = secrets.token_hex(4)
        self._games: dict[GameId, _Progress] = {}

    # --- what a room does -------------------------------------------------------------------------

    def opened(self, room: Room) -> None:
        """Tell of a game; of a restored one also how it stands."""
        history = room.game.history
        self._games[room.number] = _Progress(
            _turn(room.game.position.turn),
            promise_book(history),
            turns=len(history.turns),
            press=len(history.press),
        )
        self._tell_lobby(room, room.time())
        self._tell_start(room, room.time())

    def handled(self, room: Room, what: Handled) -> None:
        """Tell what was said and played, in its order."""
        self._tell_start(room, what.time)
        for turn in what.turns:
            self._tell_press(room, what.time)
            self._tell_turn(room, what.time, turn)
        self._tell_press(room, what.time)
        self._tell_end(room, what.time)
        self._tell_lobby(room, what.time)

    def closed(self, room: Room) -> None:
        """Forget a game."""
        self._games.pop(room.number, None)

    # --- what is told -----------------------------------------------------------------------------

    def _tell_lobby(self, room: Room, time: float) -> None:
        progress = self._games[room.number]
        lobby = room.stage, _players_in(room.game)
        if lobby != progress.lobby:
            progress.lobby = lobby
            self._tell(room, time, _lobby(room.game))

    def _tell_start(self, room: Room, time: float) -> None:
        progress = self._games[room.number]
        if room.stage is Stage.FORMING or progress.has_begun:
            return
        progress.has_begun = True
        self._tell(room, time, _players(room.game))
        played = room.game.history
        # A restored game goes on from where it is, a new one from its beginning.
        start = played.start if progress.turn == _turn(played.start.turn) else played.position
        self._tell(room, time, PositionReached(position_to_json(start)))
        self._tell_phase(room, time, start.turn)

    def _tell_phase(self, room: Room, time: float, turn: Turn) -> None:
        phase = turn.phase
        seconds = room.game.settings.limit(phase)
        self._tell(room, time, PhaseBegun(_turn(turn), phase.value, seconds))

    def _tell_turn(self, room: Room, time: float, text: str) -> None:
        progress = self._games[room.number]
        name = room.game.name
        self._send(TurnTold(self._server, name, self._run, progress.number + 1, time, text))
        progress.number += 2
        turns = room.game.history.turns
        played = turns[progress.turns]
        if progress.press:
            self._tell_promises(room, time, played)
        progress.turns += 1
        progress.turn = _turn(played.position.turn)
        if room.stage is Stage.RUNNING and progress.turns == len(turns):
            self._tell_phase(room, time, played.position.turn)

    def _tell_promises(self, room: Room, time: float, played: PlayedTurn) -> None:
        progress, history = self._games[room.number], room.game.history
        before = history.turns[progress.turns - 1].position if progress.turns else history.start
        book = progress.book
        settled = book.settle(before, [outcome.order for outcome in played.outcomes])
        stabs = [each for each in book.stabs if each.turn == played.turn]
        if settled or stabs:
            names = room.game.representation
            event = PromisesJudged(
                _turn(played.turn),
                [cast("PromiseJson", promise_to_json(each, names)) for each in settled],
                [cast("StabJson", stab_to_json(each)) for each in stabs],
            )
            self._tell(room, time, event)

    def _tell_press(self, room: Room, time: float) -> None:
        """Tell what was said in the present turn and has not been told."""
        progress, names = self._games[room.number], room.game.representation
        for relayed in room.game.history.press[progress.press :]:
            if _turn(relayed.turn) != progress.turn:
                return
            progress.press += 1
            press = relayed.press
            progress.book.hear(relayed.turn, press.sender, press.recipients, press.press)
            event = PressSent(
                turn=progress.turn,
                sender=press.sender.name,
                recipients=[power.name for power in press.recipients],
                text=to_text(write_press(press.press, names), names),
                english=describe(press),
            )
            self._tell(room, time, event)

    def _tell_end(self, room: Room, time: float) -> None:
        progress = self._games[room.number]
        if room.stage is Stage.ENDED and not progress.has_ended:
            progress.has_ended = True
            self._tell(room, time, _result(room.game))
            progress.book.finish(room.game.position.turn, drawn=bool(room.game.draw))
            book = book_to_json(progress.book, room.game.representation)
            self._tell(room, time, BookClosed(**cast("dict[str, Any]", book)))

    def _tell(self, room: Room, time: float, event: Event) -> None:
        progress = self._games[room.number]
        progress.number += 1
        told = Told(room.game.name, self._run, progress.number, time, event)
        self._send(event_letter(self._server, told))


def _turn(turn: Turn) -> TurnJson:
    return [turn.season.value, turn.year]


def _players_in(game: Game) -> int:
    match game.stage:
        case Stage.FORMING:
            return len(game.candidates())
        case Stage.RUNNING:
            return sum(seat.client is not None for seat in game.seats.values())
        case Stage.ENDED:
            return len(game.seats)


def _lobby(game: Game) -> Lobby:
    settings = game.settings
    return Lobby(
        stage=game.stage.value,
        variant=game.board.name,
        press_level=settings.level,
        limits={
            "movement": settings.movement_limit,
            "retreat": settings.retreat_limit,
            "build": settings.build_limit,
        },
        last_year=settings.last_year,
        seats=len(game.seats),
        players=_players_in(game),
    )


def _players(game: Game) -> PlayersSeated:
    return PlayersSeated(
        [
            {"power": seat.power.name, "name": seat.name, "version": seat.version}
            for seat in game.seats.values()
        ]
    )


def _result(game: Game) -> GameEnded:
    counts = center_counts(game.board, game.position.owners)
    return GameEnded(
        outcome="solo" if game.winner else "draw",
        winner=game.winner.name if game.winner else None,
        draw=[power.name for power in game.draw],
        turn=_turn(game.position.turn),
        players=[
            {
                "power": power.name,
                "name": seat.name,
                "version": seat.version,
                "centers": counts[power],
                "eliminated": None if counts[power] else seat.eliminated_in,
            }
            for power, seat in game.seats.items()
        ],
    )
