"""Tells the feed what happens in the games: the same facts that clients get, as events."""

import secrets
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from attrs import define

from feed.events import (
    Event,
    GameEnded,
    Lobby,
    OrdersJudged,
    PhaseBegun,
    PlayersSeated,
    PositionReached,
    PressSent,
    Told,
)
from feed.outbox import Letter
from feed.topics import game_topic
from grammar.english import describe
from grammar.messages import OrderOutcome, PressReceived
from grammar.text import to_text
from grammar.write import write_press
from rules.outcome import center_counts
from rules.position_json import TurnJson, position_to_json
from rules.turns import Turn
from server.effects import Send
from server.game import Game
from server.observers import Handled
from server.room import Room
from server.stage import Stage
from server.store import GameId

EXPIRES = 7 * 24 * 3600
"""How long a broker keeps what it retains of a game, in seconds."""


@define
class _Progress:
    """What has been told of a game."""

    turn: TurnJson
    number: int = 0
    lobby: Lobby | None = None
    has_begun: bool = False
    has_ended: bool = False


class Reporter:
    """Makes events of what rooms do, and letters of the events."""

    def __init__(self, server: str, send: Callable[[Letter], None]) -> None:
        self._server = server
        self._send = send
        self._run = secrets.token_hex(4)
        self._games: dict[GameId, _Progress] = {}

    # --- what a room does -------------------------------------------------------------------------

    def opened(self, room: Room) -> None:
        """Tell of a game; of a restored one also how it stands."""
        self._games[room.number] = _Progress(_turn(room.game.position.turn))
        self._tell_lobby(room, room.time())
        self._tell_start(room, room.time())

    def handled(self, room: Room, what: Handled) -> None:
        """Tell what was said and played, in its order."""
        self._tell_start(room, what.time)
        turns = deque(what.turns)
        for effect in what.effects:
            match effect:
                case Send(_, OrderOutcome(turn=turn)) if turns and turns[0]["turn"] == _turn(turn):
                    self._tell_turn(room, what.time, turns.popleft())
                case Send(_, PressReceived() as press):
                    self._tell_press(room, what.time, press)
        for left in turns:
            self._tell_turn(room, what.time, left)
        self._tell_end(room, what.time)
        self._tell_lobby(room, what.time)

    def closed(self, room: Room) -> None:
        """Forget a game."""
        self._games.pop(room.number, None)

    # --- what is told -----------------------------------------------------------------------------

    def _tell_lobby(self, room: Room, time: float) -> None:
        progress = self._games[room.number]
        lobby = _lobby(room.game)
        if lobby != progress.lobby:
            progress.lobby = lobby
            self._tell(room, time, lobby)

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

    def _tell_turn(self, room: Room, time: float, turn: Mapping[str, Any]) -> None:
        progress = self._games[room.number]
        position = turn["position"]
        self._tell(room, time, OrdersJudged(turn["turn"], turn["orders"]))
        self._tell(room, time, PositionReached(position))
        progress.turn = position["turn"]
        reached = room.game.position.turn
        if room.stage is Stage.RUNNING and _turn(reached) == progress.turn:
            self._tell_phase(room, time, reached)

    def _tell_press(self, room: Room, time: float, press: PressReceived) -> None:
        event = PressSent(
            turn=self._games[room.number].turn,
            sender=press.sender.name,
            recipients=[power.name for power in press.recipients],
            text=to_text(
                write_press(press.press, room.game.representation), room.game.representation
            ),
            english=describe(press),
        )
        self._tell(room, time, event)

    def _tell_end(self, room: Room, time: float) -> None:
        progress = self._games[room.number]
        if room.stage is Stage.ENDED and not progress.has_ended:
            progress.has_ended = True
            self._tell(room, time, _result(room.game))

    def _tell(self, room: Room, time: float, event: Event) -> None:
        progress = self._games[room.number]
        progress.number += 1
        told = Told(room.game.name, self._run, progress.number, time, event)
        topic = game_topic(self._server, room.game.name, event)
        expires = EXPIRES if event.is_retained else None
        self._send(Letter(topic, told.to_bytes(), event.is_retained, expires))


def _turn(turn: Turn) -> TurnJson:
    return [turn.season.value, turn.year]


def _lobby(game: Game) -> Lobby:
    settings = game.settings
    match game.stage:
        case Stage.FORMING:
            players = len(game.candidates())
        case Stage.RUNNING:
            players = sum(seat.client is not None for seat in game.seats.values())
        case Stage.ENDED:
            players = len(game.seats)
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
        players=players,
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
