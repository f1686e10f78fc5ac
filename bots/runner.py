"""A bot as a process: its socket, its clock, and its ways out.

Raises what `daide.client` raises: OSError when the server cannot be reached, `JoinRefusedError`
when it does not let us in, `ConnectionLostError` when it is gone for good; and `BadInputError` for
a power that the game does not have.
"""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from attrs import frozen

from bots.failures import Failure
from bots.player import Player
from bots.strategy import Bot
from daide import DEFAULT_PORT, LOOPBACK
from daide.client import Client, connect
from daide.errors import ConnectionEndedError, ConnectionLostError
from grammar.messages import Hello, Summary
from rules.errors import BadInputError

log = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Seating:
    """Where a bot plays, and as whom."""

    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    name: str = "bot"
    power: str | None = None
    """The power to take back, with its passcode; None for a place in a new game."""
    passcode: int = 0
    waits_for_server: bool = False
    on_joined: Callable[[], None] | None = None
    """Called once the bot has its place."""


@frozen
class Played:
    """How a bot fared: whether the game came to its end, and how its strategy failed."""

    is_over: bool
    failures: int
    kinds: tuple[Failure, ...] = ()


async def play(bot: Bot, seating: Seating, *, seed: int = 0, think: float | None = None) -> Played:
    """Play one game to its end, or until the server or a SIGTERM sends us away."""
    with stopped_by_sigterm() as stopped:
        try:
            return await _play(bot, seating, seed, think)
        except asyncio.CancelledError:
            if not stopped:
                raise
            return Played(is_over=False, failures=0)


async def _play(bot: Bot, seating: Seating, seed: int, think: float | None) -> Played:
    async with connect(
        seating.host, seating.port, waits_for_server=seating.waits_for_server
    ) as client:
        player = Player(bot, seed=seed, think=think, names=client.representation)
        await join_game(client, bot.tactic.version, seating)
        try:
            await _talk(client, player)
        except ConnectionLostError:
            raise
        except ConnectionEndedError as error:
            # The server left while we were speaking; the client has told why.
            log.info("server left", how=str(error))
        return Played(player.table.is_over, player.failures, tuple(player.failure_log.kinds))


async def join_game(client: Client, version: str, seating: Seating) -> None:
    """Ask for a place in a game, and tell whoever wants to know once we have it."""
    await _join(client, version, seating)
    if seating.on_joined is not None:
        seating.on_joined()


async def _join(client: Client, version: str, seating: Seating) -> None:
    if seating.power is None:
        await client.join(seating.name, version)
        return
    token = client.representation.power_tokens.get(seating.power)
    if token is None:
        known = ", ".join(sorted(client.representation.power_tokens))
        raise BadInputError(f"--power: no such power: {seating.power!r}; the powers are {known}")
    await client.rejoin(client.representation.powers[token], seating.passcode)


async def _talk(client: Client, player: Player) -> None:
    clock = asyncio.get_running_loop().time
    async for message in client:
        if isinstance(message, Hello):
            log.info("playing", power=str(message.power))
        for reply in player.receive(message, clock()):
            await client.send(reply)
        if isinstance(message, Summary):
            # Nothing comes after it that a bot needs, and nobody has to wait for us.
            return


@contextmanager
def stopped_by_sigterm() -> Iterator[list[bool]]:
    """Let SIGTERM cancel the present task; the list is not empty once it has."""
    stopped: list[bool] = []
    task = asyncio.current_task()
    assert task is not None
    loop = asyncio.get_running_loop()

    def stop() -> None:
        stopped.append(True)
        task.cancel()

    try:
        loop.add_signal_handler(signal.SIGTERM, stop)
    except (NotImplementedError, RuntimeError):  # Windows, and threads other than the main one
        yield stopped
        return
    try:
        yield stopped
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
