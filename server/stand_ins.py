"""Stand-ins: bots that fill a game or take over a power, started here or by a bot host."""

import asyncio
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

import structlog

from cli import children
from server.config import ServerConfig

if TYPE_CHECKING:
    from server.bot_desk import BotDesk

log = structlog.get_logger(__name__)


class StandIns:
    """Starts bots as processes of their own, and ends them with the server."""

    def __init__(self, config: ServerConfig) -> None:
        self._config = config
        self.address: tuple[str, int] = (config.host, config.port)
        """Where the bots find the server; set once it is known."""
        self.desk: BotDesk | None = None
        """Who asks bot hosts; None where bots are started on this machine."""
        self._wanted: asyncio.Queue[Sequence[str] | None] = asyncio.Queue()

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
            self._wanted.put_nowait(command)

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
            running = []
            while (command := await self._wanted.get()) is not None:
                running.append(tasks.create_task(_run_bot(command), name=f"bot.{command[1]}"))
            for task in running:
                task.cancel()


async def _run_bot(command: Sequence[str]) -> None:
    process = await children.start(command)
    try:
        code = await process.wait()
        log.info("bot ended", bot=command[1], code=code)
    finally:
        await children.end([process])
