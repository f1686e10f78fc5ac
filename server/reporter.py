"""Tells the feed's relay what happens in the games: the same facts that clients get.

This runs between the messages of clients, so it hands on what is there anyway; what takes time,
press in English or who kept a promise, is for the relay to find out.
"""

import json
import secrets
from asyncio import get_running_loop
from collections.abc import Callable, Mapping

from attrs import define

from daide.connection import WrittenMessage
from daide.frames import tokens_to_bytes
from feed.events import (
    GameEnded,
    Lobby,
    PhaseBegun,
    PlainEvent,
    PlayersSeated,
    PositionReached,
    Waiting,
    WaitingFor,
    game_ended,
)
from feed.facts import (
    BookEnded,
    EventTold,
    Fact,
    GameForgotten,
    GameOpened,
    PressTold,
    TurnTold,
)
from grammar.write import write
from rules.outcome import Ending, center_counts
from rules.places import Power
from rules.position import Position
from rules.position_json import position_to_json, turn_to_json
from rules.turns import Turn
from server.game import Game
from server.history import RelayedPress
from server.observers import Handled, ObservedRoom
from server.record import played_to_json
from server.stage import Stage
from server.store import GameId

LOOK_AFTER = 0.5
"""Seconds after which we tell who is waited for."""
_NOTHING_WRITTEN: Mapping[int, WrittenMessage] = {}


@define
class _Progress:
    """What has been told of a game."""

    room: ObservedRoom
    turns: int
    press: int
    lobby: tuple[Stage, int] | None = None
    has_begun: bool = False
    has_ended: bool = False
    awaited: tuple[Turn, list[Power]] | None = None
    """Who was waited for, as it was told last."""
    is_looked_at: bool = False
    """Whether we shall see soon who is waited for."""

    @property
    def position(self) -> Position:
        """Where the game stands after what has been told."""
        history = self.room.game.history
        return history.turns[self.turns - 1].position if self.turns else history.start


class Reporter:
    """Makes facts of what rooms do."""

    def __init__(
        self, variant: str, send: Callable[[Fact], None], *, tells_all: bool = False
    ) -> None:
        self._variant = variant
        self._send = send
        self._tells_all = tells_all
        """Whether a game that is not new is told from its beginning, also where nobody spoke."""
        self._run = secrets.token_hex(4)
        self._games: dict[GameId, _Progress] = {}

    # --- what a room does -------------------------------------------------------------------------

    def opened(self, room: ObservedRoom) -> None:
        """Tell of a game; of a restored one also how it stands."""
        history = room.game.history
        progress = _Progress(room, turns=len(history.turns), press=len(history.press))
        self._games[room.number] = progress
        self._introduce(progress)

    def handled(self, room: ObservedRoom, what: Handled) -> None:
        """Tell what was said and played, in its order."""
        progress = self._games[room.number]
        if not progress.has_begun:
            self._tell_start(progress, what.time)
        history = room.game.history
        if what.turns or len(history.press) > progress.press:
            written = {id(press): text for press, text in what.said} or _NOTHING_WRITTEN
            for turn in what.turns:
                self._tell_press(progress, what.time, written)
                self._tell_turn(progress, what.time, turn)
            self._tell_press(progress, what.time, written)
        self._tell_end(progress, what.time)
        self._tell_lobby(progress, what.time)
        if room.stage is Stage.RUNNING and not progress.is_looked_at:
            # Bots are done before anybody could look.
            progress.is_looked_at = True
            get_running_loop().call_later(LOOK_AFTER, self._tell_waiting, progress)

    def _tell_waiting(self, progress: _Progress) -> None:
        progress.is_looked_at = False
        room = progress.room
        if room.stage is not Stage.RUNNING or self._games.get(room.number) is not progress:
            return
        turn, powers = room.game.position.turn, _awaited(room.game)
        if progress.position.turn != turn or progress.awaited == (turn, powers):
            return
        progress.awaited = turn, powers
        time, told = room.time(), turn_to_json(turn)
        self._tell(progress, time, Waiting(told, len(powers)))
        self._tell(progress, time, WaitingFor(told, [power.name for power in powers]))

    def closed(self, room: ObservedRoom) -> None:
        """Forget a game."""
        if self._games.pop(room.number, None) is not None:
            self._send(GameForgotten(room.number))

    def retell(self) -> None:
        """Tell a relay that knows nothing how all games stand; for subscribers it is a new run."""
        self._run = secrets.token_hex(4)
        for progress in self._games.values():
            progress.lobby = progress.awaited = None
            progress.has_begun = False
            self._introduce(progress)

    # --- what is told -----------------------------------------------------------------------------

    def _introduce(self, progress: _Progress) -> None:
        """Tell what the relay must know of a game, and then how it stands."""
        room = progress.room
        settings, history = room.game.settings, room.game.history
        said = history.press[: progress.press]
        # Without press there are no promises, and what was played before concerns nobody.
        is_whole = bool(said) or self._tells_all
        start = history.start if is_whole else progress.position
        opened = GameOpened(
            game=room.number,
            name=room.game.name,
            run=self._run,
            variant=self._variant,
            press_level=settings.level,
            has_partial_draws=settings.partial_draws,
            start=position_to_json(start),
        )
        self._send(opened)
        if is_whole:
            self._tell_history(progress, said)
        time = room.time()
        self._tell_lobby(progress, time)
        self._tell_start(progress, time)
        if progress.has_ended:
            progress.has_ended = False
            self._tell_end(progress, time)

    def _tell_history(self, progress: _Progress, said: list[RelayedPress]) -> None:
        game, number = progress.room.game, progress.room.number
        place = 0
        for played in game.history.turns[: progress.turns]:
            while place < len(said) and said[place].turn == played.turn:
                self._send(PressTold(number, None, _tokens(game, said[place])))
                place += 1
            self._send(TurnTold(number, None, json.dumps(played_to_json(played))))
        for relayed in said[place:]:
            self._send(PressTold(number, None, _tokens(game, relayed)))

    def _tell_lobby(self, progress: _Progress, time: float) -> None:
        game = progress.room.game
        lobby = game.stage, _players_in(game)
        if lobby != progress.lobby:
            progress.lobby = lobby
            self._tell(progress, time, _lobby(game))

    def _tell_start(self, progress: _Progress, time: float) -> None:
        game = progress.room.game
        if game.stage is Stage.FORMING:
            return
        progress.has_begun = True
        self._tell(progress, time, _players(game))
        # A restored game goes on from where it is, a new one from its beginning.
        start = progress.position
        self._tell(progress, time, PositionReached(position_to_json(start)))
        if not progress.has_ended:
            phase = start.turn.phase
            seconds = game.settings.limit(phase)
            left = None if seconds is None else game.timer.remaining(time)
            turn = turn_to_json(start.turn)
            self._tell(progress, time, PhaseBegun(turn, phase.value, seconds, left))

    def _tell_turn(self, progress: _Progress, time: float, text: str) -> None:
        room = progress.room
        progress.turns += 1
        is_last = progress.turns == len(room.game.history.turns)
        goes_on = room.stage is Stage.RUNNING and is_last
        seconds = room.game.settings.limit(progress.position.turn.phase)
        self._send(TurnTold(room.number, time, text, goes_on, seconds))

    def _tell_press(
        self, progress: _Progress, time: float, written: Mapping[int, WrittenMessage]
    ) -> None:
        """Tell what was said in the present turn and has not been told."""
        room = progress.room
        press = room.game.history.press
        turn = progress.position.turn
        while progress.press < len(press) and press[progress.press].turn == turn:
            relayed = press[progress.press]
            progress.press += 1
            message = written.get(id(relayed.press))
            tokens = message.body if message else _tokens(room.game, relayed)
            self._send(PressTold(room.number, time, tokens))

    def _tell_end(self, progress: _Progress, time: float) -> None:
        game = progress.room.game
        if game.ending is not None and not progress.has_ended:
            progress.has_ended = True
            self._tell(progress, time, _result(game, game.ending))
            self._send(BookEnded(progress.room.number, time, is_drawn=bool(game.ending.draw)))

    def _tell(self, progress: _Progress, time: float, event: PlainEvent) -> None:
        self._send(EventTold(progress.room.number, time, event))


def _tokens(game: Game, relayed: RelayedPress) -> bytes:
    """Write press that went to nobody, or long ago."""
    return tokens_to_bytes(write(relayed.press, game.representation))


def _awaited(game: Game) -> list[Power]:
    return [power for power in game.survivors if game.is_awaited(game.seats[power])]


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


def _result(game: Game, ending: Ending) -> GameEnded:
    counts = center_counts(game.board, game.position.owners)
    return game_ended(
        ending,
        game.position.turn,
        [
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
