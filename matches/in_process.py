"""A whole game in one process: a server's game and its bots, joined by a queue.

No sockets and no clock, so it is fast; the messages are the same as over TCP, and so is the result,
because press goes in rounds and every bot's chances come from its own seed. A bot that never
returns blocks its process: whoever cannot trust its bots plays over TCP.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import Factory, define, evolve

from bots.player import Player
from daide.session import Session
from grammar.messages import ClientMessage, Name, ServerMessage
from grammar.write import write
from matches.finished_game import BotFault, FaultKind, FinishedGame, finished
from matches.match import Match
from server.effects import Drop, Effect, Send
from server.game import Game
from server.history import History
from server.inputs import Batch, Commanded, Connected, Input, Received, apply
from server.record import GameRecord
from server.seat import ClientId
from server.stage import Stage

OnTurn: TypeAlias = Callable[[History], None]
"""Is called after every turn with all that was played so far."""

IN_PROCESS = "in-process"


def do_nothing(_: History) -> None:
    """Let a turn go by."""


@define(eq=False)
class Member:
    """A player, and the session that speaks for it before the game has begun."""

    player: Player
    session: Session = Factory(Session)

    def receive(self, message: ServerMessage, now: float) -> list[ClientMessage]:
        """Take a message of the game and return the answers."""
        return [*self.session.receive(message), *self.player.receive(message, now)]


class JoinedGame:
    """A game and its players; what they say is taken in turn."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.now = 0.0
        self.members: dict[ClientId, Member] = {}
        self.batches: list[Batch] = []
        """What has happened to the game."""
        self._waiting: deque[tuple[ClientId, ClientMessage]] = deque()

    def enter(self, number: ClientId, member: Member, name: Name) -> None:
        """Let a player ask for its place."""
        self.members[number] = member
        self._happen(Connected(number))
        self._say(number, member.session.introduce(name))

    def play(self, on_turn: OnTurn = do_nothing) -> Game:
        """Go on until the game is over, or nobody has anything to say."""
        game, turns = self.game, 0
        while self._waiting and game.stage is not Stage.ENDED:
            self.step()
            if len(game.history.turns) != turns:
                turns = len(game.history.turns)
                on_turn(game.history)
        return game

    def step(self) -> None:
        """Let the game hear one message."""
        number, message = self._waiting.popleft()
        if number in self.members:
            self._happen(Received(number, write(message, self.game.representation)))

    def abort(self) -> None:
        """End the game without a result."""
        self._happen(Commanded("close"))

    def _happen(self, happened: Input) -> None:
        self.batches.append(Batch(self.now, (happened,)))
        self._carry_out(apply(self.game, happened, self.now))

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(to, message):
                    for number in to:
                        self._tell(number, message)
                case Drop(number):
                    self.members.pop(number, None)

    def _tell(self, number: ClientId, message: ServerMessage) -> None:
        for said in self.members[number].receive(message, self.now):
            self._say(number, said)

    def _say(self, number: ClientId, message: ClientMessage) -> None:
        self._waiting.append((number, message))


def play_in_process(match: Match, on_turn: OnTurn = do_nothing) -> FinishedGame:
    """Play a game to its end; one in which nobody has anything to say any more is aborted."""
    started = time.monotonic()
    setup = match.setup
    game = setup.new_game()
    joined = JoinedGame(game)
    players: dict[str, Player] = {}
    for number, power in enumerate(match.players, start=1):
        bot = match.make_bot(power)
        seed = match.seed_of(power)
        players[power] = Player(bot, seed=seed, think=match.think, names=game.representation)
        name = Name(match.seat_name(power), bot.tactic.version)
        joined.enter(number, Member(players[power]), name)
    joined.play(on_turn)
    why = ""
    if game.stage is not Stage.ENDED:
        why = f"nobody has anything to say in {game.position.turn}"
        joined.abort()
    faults = tuple(
        BotFault(power, FaultKind.FAILED, game.position.turn, tuple(player.failure_log.kinds))
        for power, player in players.items()
        if player.failures
    )
    return evolve(
        finished(match, game, GameRecord(setup, tuple(joined.batches))),
        mode=IN_PROCESS,
        seconds=time.monotonic() - started,
        faults=faults,
        why_aborted=why,
    )
