"""A whole game over TCP: the server in this process, every bot in one of its own.

A bot that crashes, is sent away by the server or does not answer is noted among the faults of the
game, and its power goes on in civil disorder. If that happens before the game has begun, a HoldBot
takes its seat, or the game is aborted, as is asked for. So the game always comes to its end.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from time import monotonic, sleep
from typing import TypeAlias

from attrs import define, evolve, field

from bots.registry import make_bot
from bots.warming import warm_up
from matches.bot_process import BotProcess, frozen_memory, start_bot
from matches.finished_game import BotFault, FaultKind, FinishedGame, finished
from matches.in_process import OnTurn, do_nothing
from matches.match import Match
from rules.errors import BadInputError
from rules.turns import Turn
from server.config import ServerConfig
from server.game import Game
from server.host import Host
from server.limits import Limits
from server.link import Leaving
from server.listener import Listener
from server.member import Member
from server.observers import Handled, ObservedRoom
from server.room import Room
from server.stage import Stage
from server.store import Store

Attach: TypeAlias = Callable[[Host, int], AbstractAsyncContextManager[None]]
"""Hangs something on the server of a game while it is played, such as a feed or a page."""

OnEnd: TypeAlias = Callable[[FinishedGame], None]
"""Called when a game is over, while what is attached to it still stands."""

OVER_TCP = "processes"
STAND_IN = "holdbot"
LOOK = 0.1
# Eight programs that start at once on a busy machine take their time.
STARTING = 30.0
FAREWELL = 10.0
AUTOPSY = 0.2


class GameStuckError(Exception):
    """The game cannot come to its end; the text says why."""


def tell_nobody(_game: FinishedGame) -> None:
    """Wait until the game is returned."""


@asynccontextmanager
async def nothing_attached(_host: Host, _port: int) -> AsyncIterator[None]:
    """Play without anything else."""
    yield


def play_over_tcp(
    match: Match,
    on_turn: OnTurn = do_nothing,
    *,
    has_stand_ins: bool = True,
    attach: Attach = nothing_attached,
    on_end: OnEnd = tell_nobody,
) -> FinishedGame:
    """Play a game to its end; one that cannot come to it is aborted.

    Without stand-ins that is also one in which a bot does not come to the table.
    """
    started = monotonic()
    _check_names(match)
    config = ServerConfig(
        port=0, variant=match.variant, store=":memory:", limits=Limits(grace=0.1), exit_after=1
    )
    store = Store(":memory:")
    try:
        host = WatchedHost(config, store)
        listener = Listener(host)
        _, port = listener.bind()
        bots = BotProcesses(match, port)
        watch = Watch(bots, on_turn, has_stand_ins=has_stand_ins)

        def close(why: str) -> FinishedGame:
            game = evolve(
                finished(match, watch.game, store.load(watch.room.number)),
                mode=OVER_TCP,
                seconds=monotonic() - started,
                faults=tuple(bots.faults),
                why_aborted=why,
            )
            on_end(game)
            return game

        _import_ours(match)
        warm_up(host.board)
        try:
            # Before there is a loop: a bot must not inherit it.
            with frozen_memory():
                bots.start()
            return asyncio.run(_serve(host, listener, watch, attach(host, port), close))
        finally:
            bots.close()
    finally:
        store.close()


def _check_names(match: Match) -> None:
    for power, player in match.players.items():
        if not isinstance(player, str):
            raise BadInputError(
                f"players: {power}: a bot in a process of its own is named, as `dumbbot` or "
                "`module:Class`; objects play in this process"
            )


def _import_ours(match: Match) -> None:
    """Import the bots that we ship once for all games; others come with their own process."""
    bots = {player for power, player in match.players.items() if power not in match.humans}
    for text in bots:
        if isinstance(text, str) and ":" not in text:
            make_bot(text)


async def _serve(
    host: "WatchedHost",
    listener: Listener,
    watch: "Watch",
    attached: AbstractAsyncContextManager[None],
    close: Callable[[str], FinishedGame],
) -> FinishedGame:
    """Serve the game to its end, and close it with the reason if it was aborted.

    What is attached may stay longer, as the page does until its reader has seen enough.
    """
    hosting = asyncio.create_task(host.run(), name="match.host")
    why = ""
    host.watch = watch
    host.add_observer(watch)
    watch.room = host.new_room(watch.bots.match.setup)
    try:
        async with attached:
            await listener.start()
            try:
                await watch.play()
            except GameStuckError as error:
                why = str(error)
                watch.room.command("close")
            # The game sends everybody away by itself, and is put away then.
            with suppress(TimeoutError):
                await asyncio.wait_for(host.done.wait(), FAREWELL)
            game = close(why)
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
                self.watch.lose(client.power.name, why)
        super().leave(member, why)


class BotProcesses:
    """The bots of one game; to be closed."""

    def __init__(self, match: Match, port: int) -> None:
        self.match = match
        self.faults: list[BotFault] = []
        self.running: dict[str, BotProcess] = {}
        self._port = port
        self._replaced: list[BotProcess] = []

    def start(self) -> None:
        """Let all bots come to the table."""
        for power, player in self.match.players.items():
            assert isinstance(player, str)
            if power not in self.match.humans:
                self.seat(power, player)

    def seat(self, power: str, bot: str) -> None:
        """Start a bot for a power."""
        if power in self.running:
            self._replaced.append(self.running[power])
        self.running[power] = start_bot(self._arguments(power, bot))

    def _arguments(self, power: str, bot: str) -> list[str]:
        match = self.match
        arguments = ["bot", bot, "--port", str(self._port), "--seed", str(match.seed_of(power))]
        # A page that is to be there first may keep them waiting, on a busy machine for long.
        arguments += ["--wait", "--tell-failures", "--name", f"{power}:{bot}"]
        return arguments if match.think is None else [*arguments, "--think", str(match.think)]

    def remove(self, power: str, kind: FaultKind, turn: Turn) -> BotFault:
        """End a bot and say why."""
        bot = self.running[power]
        ending = self._ending(bot, kind)
        bot.end()
        fault = BotFault(power, kind, turn, bot.failures(), bot.said(), ending)
        self.faults.append(fault)
        return fault

    def _ending(self, bot: BotProcess, kind: FaultKind) -> str:
        """Say how a bot's process ended, if it has, or why we end it."""
        if kind is FaultKind.HUNG:
            return f"ended after {self.match.patience:g} s without a sign of life"
        if kind is not FaultKind.CRASHED:
            return ""
        # Its socket closes a moment before its code can be known.
        until = monotonic() + AUTOPSY
        while (code := bot.exit_code()) is None and monotonic() < until:
            sleep(AUTOPSY / 20)
        if code is not None and code < 0:
            return f"by signal {-code} ({signal.strsignal(-code)})"
        return "" if code is None else f"with exit code {code}"

    def close(self) -> None:
        """End the bots that still run."""
        for process in (*self.running.values(), *self._replaced):
            process.close()


@define(eq=False)
class Watch:
    """Sees that a game comes to its end, whatever its bots do."""

    bots: BotProcesses
    on_turn: OnTurn
    has_stand_ins: bool = field(kw_only=True)
    room: Room = field(init=False)
    """The game that is watched, once the server has one."""
    _replaced: set[str] = field(factory=set, init=False)
    """Powers whose bot was lost before the game began."""
    _lost: set[str] = field(factory=set, init=False)
    """Powers whose bot was lost in the game."""
    _error: BaseException | None = field(default=None, init=False)
    """What our caller's own function has raised."""
    _news: asyncio.Event = field(factory=asyncio.Event, init=False)

    @property
    def game(self) -> Game:
        """The game that is watched."""
        return self.room.game

    # --- what the host tells ----------------------------------------------------------------------

    def opened(self, room: ObservedRoom) -> None:
        """Take note of the game."""

    def handled(self, _room: ObservedRoom, what: Handled) -> None:
        """Take note of what was played."""
        if what.turns and self._error is None:
            try:
                self.on_turn(self.game.history)
            except BaseException as error:  # noqa: BLE001 - told where somebody waits for us
                self._error = error
        self._news.set()

    def closed(self, room: ObservedRoom) -> None:
        """Take note of the end."""

    def lose(self, power: str, why: Leaving) -> None:
        """Take note that the connection of a bot has ended, and see that it does not come back."""
        is_human = power in self.bots.match.humans
        if self.game.stage is not Stage.RUNNING or power in self._lost or is_human:
            return
        self._give_up(power, _fault_of(why))

    # --- what is watched --------------------------------------------------------------------------

    async def play(self) -> None:
        """Wait until the game is over and the bots have left."""
        game = self.game
        seen, since = self._progress(), monotonic()
        while game.stage is not Stage.ENDED:
            await self._look()
            if self._error is not None:
                raise self._error
            self._replace_missing()
            if (now := self._progress()) != seen:
                seen, since = now, monotonic()
            elif monotonic() - since > self._patience():
                self._give_up_hung()
                since = monotonic()
        await self._say_farewell()

    async def _look(self) -> None:
        """Wait for news of the game, though not for long: processes end without a word."""
        self._news.clear()
        try:
            await asyncio.wait_for(self._news.wait(), LOOK)
        except TimeoutError:
            return

    def _progress(self) -> tuple[object, ...]:
        game = self.game
        ready = sum(client.has_map for client in game.clients.values())
        return game.stage, len(game.history.turns), game.rounds.number, ready

    def _patience(self) -> float:
        patience = self.bots.match.patience
        return max(patience, STARTING) if self.game.stage is Stage.FORMING else patience

    def _replace_missing(self) -> None:
        """Replace bots that have ended before the game could begin."""
        if self.game.stage is Stage.FORMING:
            for power, process in tuple(self.bots.running.items()):
                if process.exit_code() is not None:
                    self._replace(power, FaultKind.CRASHED)

    def _give_up_hung(self) -> None:
        """Give up the bots that the game waits for, but not people."""
        game, humans = self.game, self.bots.match.humans
        if game.stage is Stage.FORMING:
            there = {client.power for client in game.candidates() if client.has_map}
            for missing in [each for each in game.seats if each not in there]:
                if missing.name not in humans:
                    self._replace(missing.name, FaultKind.HUNG)
            return
        hung = {
            each.name
            for each in game.survivors
            if game.is_awaited(seat := game.seats[each]) and seat.client is not None
        }
        if not hung:
            raise GameStuckError(f"{game.position.turn} does not come to its end")
        hung -= humans
        for power in hung:
            self._give_up(power, FaultKind.HUNG)

    def _give_up(self, power: str, kind: FaultKind) -> None:
        """Go on without a bot: the server gives its orders."""
        self._lost.add(power)
        self.bots.remove(power, kind, self.game.position.turn)

    def _replace(self, power: str, kind: FaultKind) -> None:
        """Put a HoldBot in the seat of a bot that does not come."""
        fault = self.bots.remove(power, kind, self.game.position.turn)
        if not self.has_stand_ins:
            bot = self.bots.match.bot_name(power)
            why = fault.last_words or f"it {kind.value}"
            raise GameStuckError(f"{power} ({bot}) did not come to the table: {why}")
        if power in self._replaced:
            raise GameStuckError(f"not even the stand-in of {power} comes to the table")
        self._replaced.add(power)
        self.bots.seat(power, STAND_IN)

    async def _say_farewell(self) -> None:
        """Let the bots leave by themselves, and hear whether their strategies have failed."""
        until = monotonic() + FAREWELL
        running = self.bots.running
        staying = {power: bot for power, bot in running.items() if power not in self._lost}
        # Nobody tells us when a process ends.
        while monotonic() < until and any(  # noqa: ASYNC110 - there is no event to wait for
            bot.exit_code() is None for bot in staying.values()
        ):
            await asyncio.sleep(LOOK / 4)
        for power, bot in staying.items():
            if bot.exit_code():
                self.bots.remove(power, FaultKind.FAILED, self.game.position.turn)


def _fault_of(why: Leaving) -> FaultKind:
    if why is Leaving.FINAL_MESSAGE:
        return FaultKind.LEFT
    return FaultKind.SENT_AWAY if why.is_misconduct else FaultKind.CRASHED
