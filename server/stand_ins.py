"""Stand-ins: bots that fill a game or take over a power, started here or by a bot host."""

import asyncio
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import structlog
from attrs import frozen

from cli import children
from server.config import ServerConfig

if TYPE_CHECKING:
    from server.bot_desk import BotDesk

FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds until it is tried again to start a bot for which the system has no room."""

log = structlog.get_logger(__name__)


@frozen
class _Wanted:
    """A bot that is to be started here."""

    bot: str
    game: str
    power: str | None
    """The one that it takes over, None for any free place."""
    command: Sequence[str]


class StandIns:
    """Starts bots as processes of their own, and ends them with the server."""

    def __init__(self, config: ServerConfig) -> None:
        self._config = config
        self.address: tuple[str, int] = (config.host, config.port)
        """Where the bots find the server; set once it is known."""
        self.desk: BotDesk | None = None
        """Who asks bot hosts; None where bots are started on this machine."""
        self.is_needed: Callable[[str, str | None], bool] = lambda _, __: True
        """Whether a game still needs a bot: for that power, or for any place."""
        self._wanted: asyncio.Queue[_Wanted | None] = asyncio.Queue()
        self._running: set[asyncio.Task[None]] = set()

    def fill(self, count: int, game: str, port: int | None = None) -> None:
        """Start so many bots that ask for a place like anybody else, at the game's port if any."""
        for _ in range(count):
            self._want(self._config.fill, game, port)

    def take_over(self, power: str, passcode: int, game: str, port: int | None = None) -> None:
        """Start a bot that takes a power over."""
        name = self._config.stand_in or self._config.fill
        self._want(name, game, port, (power, passcode))

    def stop(self) -> None:
        """Start no more, and end those that run."""
        self._wanted.put_nowait(None)

    def _want(
        self, name: str | None, game: str, port: int | None, seat: tuple[str, int] | None = None
    ) -> None:
        host, common = self.address
        if name is None:
            log.warning("no stand-in: no bot is named for it", game=game)
        elif self.desk is not None:
            self._ask(self.desk, name, game, port or common, seat)
        elif find_spec("bots") is None:
            log.error("no stand-in: this installation has no bots", game=game, bot=name)
        else:
            log.info("bot started", game=game, bot=name)
            command = ["bot", name, "--host", host, "--port", str(port or common)]
            if seat is not None:
                command += ["--power", seat[0], "--passcode", str(seat[1])]
            wanted = _Wanted(name, game, seat[0] if seat else None, command)
            self._wanted.put_nowait(wanted)

    def _ask(
        self, desk: "BotDesk", name: str, game: str, port: int, seat: tuple[str, int] | None
    ) -> None:
        from feed.bot_requests import BotRequest  # noqa: PLC0415 - only with --bot-hosts

        power, passcode = seat or (None, None)
        address = self._config.announce or self.address[0]
        desk.ask(
            BotRequest(
                id="",
                server="",
                bot=name,
                address=address,
                port=port,
                game=game,
                power=power,
                passcode=passcode,
            )
        )

    async def run(self) -> None:
        """Start what is wanted until `stop`."""
        async with asyncio.TaskGroup() as tasks:
            while (wanted := await self._wanted.get()) is not None:
                task = tasks.create_task(self._run_bot(wanted), name=f"bot.{wanted.bot}")
                self._running.add(task)
                task.add_done_callback(self._running.discard)
            for task in tuple(self._running):
                task.cancel()

    async def _run_bot(self, wanted: _Wanted) -> None:
        wait = FIRST_WAIT
        while True:
            try:
                process = await children.start(wanted.command)
                break
            except OSError as error:
                # No more files or processes: of all that needs some this is the least.
                told = {"game": wanted.game, "bot": wanted.bot, "why": str(error)}
                log.error("bot not started", **told, again_in=wait)  # noqa: TRY400 - why says it
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)
            if not self.is_needed(wanted.game, wanted.power):
                return
        try:
            code = await process.wait()
            log.info("bot ended", bot=wanted.bot, code=code)
        finally:
            await children.end([process])
