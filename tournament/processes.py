"""A whole game over TCP: the server in this process, every bot in one of its own.

A bot that crashes, is sent away by the server or does not answer is noted among the faults of the
game, and its power goes on in civil disorder; if that happens before the game has begun, a HoldBot
takes its seat. So the game always comes to its end.
"""

import asyncio
from collections.abc import Mapping
from time import monotonic

from attrs import evolve

from bots.registry import make_bot
from matches.options import PlayOptions, bot_arguments
from rules.board import Board
from rules.places import Power
from rules.turns import Turn
from server.config import ServerConfig
from server.game import Game
from server.host import Host
from server.limits import Limits
from server.link import Leaving
from server.listener import Listener
from server.member import Member
from server.settings import AbsentPolicy
from server.stage import Stage
from server.store import Store
from tournament.arena import PROCESSES, GameStuckError, OnTurn, do_nothing, settings_of
from tournament.bot_process import BotProcess, start_bot
from tournament.outcome import Line, fault, game_line
from tournament.schedule import GameJob

STAND_IN = "holdbot"
LOOK = 0.1
# Eight programs that start at once on a busy machine take their time.
STARTING = 30.0
FAREWELL = 10.0


def play_in_processes(job: GameJob, on_turn: OnTurn = do_nothing) -> Line:
    """Play a game and return its line; raises GameStuckError if it does not end."""
    config = ServerConfig(
        port=0,
        variant=job.variant,
        store=":memory:",
        seed=job.seed,
        settings=evolve(settings_of(job), absent=AbsentPolicy.DEFAULT_ORDERS),
        limits=Limits(grace=0.1),
    )
    store = Store(":memory:")
    try:
        host = WatchedHost(config, store)
        listener = Listener(host)
        _, port = listener.bind()
        table = BotTable(job, host.board, port)
        _import_ours(job)
        try:
            # Before there is a loop: a bot must not inherit it.
            table.start()
            game = asyncio.run(_serve(host, listener, table, on_turn))
        finally:
            table.end()
        return game_line(job, game, mode=PROCESSES, faults=table.faults)
    finally:
        store.close()


def _import_ours(job: GameJob) -> None:
    """Import the bots that we ship once for all games; others come with their own process."""
    for text in {job.bot_of(power) for power in job.players}:
        if ":" not in text:
            make_bot(text)


async def _serve(
    host: "WatchedHost", listener: Listener, table: "BotTable", on_turn: OnTurn
) -> Game:
    hosting = asyncio.create_task(host.run(), name="tournament.host")
    try:
        game = host.new_room().game
        host.watch = Watch(game, table)
        await listener.start()
        await host.watch.play(on_turn)
    finally:
        host.stop()
        await listener.stop()
        await hosting
    return game


class WatchedHost(Host):
    """A host that tells who leaves a game before its end, and why, in the moment it happens."""

    watch: "Watch | None" = None

    def leave(self, member: Member, why: Leaving) -> None:
        """Take out a connection that has ended."""
        if self.watch is not None and member.room is not None:
            client = member.room.game.clients.get(member.number)
            if client is not None and client.power is not None:
                self.watch.lose(client.power, why)
        super().leave(member, why)


class BotTable:
    """The bots of one game as processes; to be ended."""

    def __init__(self, job: GameJob, board: Board, port: int) -> None:
        self.job = job
        self.faults: list[Line] = []
        self.bots: dict[Power, BotProcess] = {}
        self._options = play_options(job, board)
        self._port = port

    def start(self) -> None:
        """Let all bots come to the table."""
        for power, bot in self._options.players.items():
            self.seat(power, bot)

    def seat(self, power: Power, bot: str) -> None:
        """Start a bot for a power."""
        self.bots[power] = start_bot(bot_arguments(self._options, power, bot, self._port))

    def remove(self, power: Power, what: str, turn: Turn) -> None:
        """End a bot and say why."""
        self.faults.append(fault(power.name, what, turn))
        self.bots[power].end()

    def end(self) -> None:
        """End the bots that still run."""
        for process in self.bots.values():
            process.end()


class Watch:
    """Sees that a game comes to its end, whatever its bots do."""

    def __init__(self, game: Game, table: BotTable) -> None:
        self._game = game
        self._table = table
        self._replaced: set[Power] = set()
        """Powers whose bot was lost before the game began."""
        self._lost: set[Power] = set()
        """Powers whose bot was lost in the game."""

    def lose(self, power: Power, why: Leaving) -> None:
        """Take note that the connection of a bot has ended, and see that it does not come back."""
        if self._game.stage is not Stage.RUNNING or power in self._lost:
            return
        if why is Leaving.FINAL_MESSAGE:
            self._give_up(power, "left")
        else:
            self._give_up(power, "sent away" if why.is_misconduct else "crashed")

    async def play(self, on_turn: OnTurn) -> None:
        """Wait until the game is over and the bots have left."""
        game, turns = self._game, 0
        seen, since = self._progress(), monotonic()
        while game.stage is not Stage.ENDED:
            await asyncio.sleep(LOOK)
            self._replace_missing()
            if len(game.history.turns) != turns:
                turns = len(game.history.turns)
                on_turn()
            if (now := self._progress()) != seen:
                seen, since = now, monotonic()
            elif monotonic() - since > self._patience():
                self._give_up_hung()
                since = monotonic()
        await self._say_farewell()

    def _progress(self) -> tuple[object, ...]:
        game = self._game
        ready = sum(client.has_map for client in game.clients.values())
        return game.stage, len(game.history.turns), game.rounds.number, ready

    def _patience(self) -> float:
        patience = self._table.job.patience
        return max(patience, STARTING) if self._game.stage is Stage.FORMING else patience

    def _replace_missing(self) -> None:
        """Replace bots that have ended before the game could begin."""
        if self._game.stage is Stage.FORMING:
            for power, process in tuple(self._table.bots.items()):
                if process.exit_code() is not None:
                    self._replace(power, "crashed")

    def _give_up_hung(self) -> None:
        """Give up the bots that the game waits for."""
        game = self._game
        if game.stage is Stage.FORMING:
            there = {client.power for client in game.candidates() if client.has_map}
            for power in [each for each in game.seats if each not in there]:
                self._replace(power, "hung")
            return
        hung = [
            power
            for power in game.survivors
            if (seat := game.seats[power]).client is not None
            and (not seat.go or game.owes_orders(seat))
        ]
        if not hung:
            raise GameStuckError(f"{game.position.turn} does not come to its end")
        for power in hung:
            self._give_up(power, "hung")

    def _give_up(self, power: Power, what: str) -> None:
        """Go on without a bot: the server gives its orders."""
        self._lost.add(power)
        self._table.remove(power, what, self._game.position.turn)

    def _replace(self, power: Power, what: str) -> None:
        """Put a HoldBot in the seat of a bot that does not come."""
        self._table.remove(power, what, self._game.position.turn)
        if power in self._replaced:
            raise GameStuckError(f"not even the stand-in of {power.name} comes to the table")
        self._replaced.add(power)
        self._table.seat(power, STAND_IN)

    async def _say_farewell(self) -> None:
        """Let the bots leave by themselves, and hear whether their strategies have failed."""
        until = monotonic() + FAREWELL
        staying = {power: bot for power, bot in self._table.bots.items() if power not in self._lost}
        # Nobody tells us when a process ends.
        while monotonic() < until and any(  # noqa: ASYNC110
            bot.exit_code() is None for bot in staying.values()
        ):
            await asyncio.sleep(LOOK / 4)
        for power, bot in staying.items():
            if bot.exit_code():
                self._table.remove(power, "failed", self._game.position.turn)


def play_options(job: GameJob, board: Board) -> PlayOptions:
    """Return the game as `daide play` would start it."""
    by_name: Mapping[str, Power] = {power.name: power for power in board.powers}
    return PlayOptions(
        players={by_name[power]: job.bot_of(power) for power in job.players},
        seed=job.seed,
        think=job.rules.think,
    )
