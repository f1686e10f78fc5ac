"""A whole game in one process: a server's game and its bots, joined by a queue.

No sockets and no clock, so it is fast; the messages are the same as over TCP, and so is the result,
because press goes in rounds and every bot's chances come from its own seed. A bot that never
returns blocks its process: whoever calls this from a tournament watches the turns that go by.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeAlias

from bots.player import Player
from bots.registry import ENTRIES, make_bot
from daide.session import Session
from grammar.messages import ClientMessage, Name
from grammar.write import write
from rules.variants import load_board
from server.effects import Effect, Send
from server.game import Game
from server.seat import ClientId
from server.settings import GameSettings
from server.stage import Stage
from tournament.outcome import Line, fault, game_line
from tournament.schedule import GameJob

OnTurn: TypeAlias = Callable[[], None]

IN_PROCESS, PROCESSES = "in-process", "processes"


class GameStuckError(Exception):
    """The game cannot come to its end; the text says why."""


def mode_of(job: GameJob) -> str:
    """Return how a job is played: `auto` trusts the bots that we ship to share a process."""
    if job.mode != "auto":
        return job.mode
    parts = (part for power in job.players for part in job.bot_of(power).split("+"))
    names = {part.partition("/")[0] for part in parts}
    return IN_PROCESS if names <= set(ENTRIES) else PROCESSES


def settings_of(job: GameJob) -> GameSettings:
    """Return how the server is to host the game: no deadlines, and every bot has its power."""
    rules = job.rules
    return GameSettings(
        level=rules.press_level,
        press_rounds=rules.press_rounds if rules.press_level else None,
        last_year=rules.last_year,
        years_without_change=rules.years_without_change,
        power_in_name=True,
        linger=0.0,
    )


def do_nothing() -> None:
    """Let a turn go by."""


class Arena:
    """A game and its players; what they say is taken in turn."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._members: dict[ClientId, tuple[Session, Player]] = {}
        self._waiting: deque[tuple[ClientId, ClientMessage]] = deque()

    def enter(self, name: Name, player: Player) -> None:
        """Let a player ask for its place."""
        number = len(self._members) + 1
        session = Session()
        self._members[number] = session, player
        self._carry_out(self.game.connect(number, 0.0))
        self._waiting.append((number, session.introduce(name)))

    def play(self, on_turn: OnTurn = do_nothing) -> None:
        """Go on until nobody has anything to say."""
        game, turns = self.game, 0
        while self._waiting and game.stage is not Stage.ENDED:
            number, message = self._waiting.popleft()
            tokens = write(message, game.representation)
            self._carry_out(game.receive(number, tokens, 0.0))
            if len(game.history.turns) != turns:
                turns = len(game.history.turns)
                on_turn()

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send):
                for number in effect.to:
                    session, player = self._members[number]
                    said = [*session.receive(effect.message), *player.receive(effect.message)]
                    self._waiting.extend((number, message) for message in said)


def play_in_process(job: GameJob, on_turn: OnTurn = do_nothing) -> Line:
    """Play a game and return its line; raises GameStuckError if it does not end."""
    board = load_board(job.variant)
    game = Game(board, settings_of(job), name=f"game-{job.number}", seed=job.seed)
    arena = Arena(game)
    players: dict[str, Player] = {}
    for power in job.players:
        bot = make_bot(job.bot_of(power))
        player = Player(
            bot, seed=job.seed_of(power), think=job.rules.think, names=game.representation
        )
        players[power] = player
        arena.enter(Name(f"{power}:{job.bot_of(power)}", bot.tactic.version), player)
    arena.play(on_turn)
    if game.stage is not Stage.ENDED:
        raise GameStuckError(f"nobody has anything to say in {game.position.turn}")
    faults = [
        fault(power, "failed", game.position.turn)
        for power, player in players.items()
        if player.failures
    ]
    return game_line(job, game, mode=IN_PROCESS, faults=faults)
