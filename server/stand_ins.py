"""Stand-ins: bots that the server starts itself, to fill a game or to take over a power."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec

import structlog

from server.config import ServerConfig

FAREWELL = 3.0

log = structlog.get_logger(__name__)


class StandIns:
    """Starts bots as processes of their own, and ends them with the server."""

    def __init__(self, config: ServerConfig) -> None:
        self._config = config
        self.address: tuple[str, int] = (config.host, config.port)
        """Where the bots find the server; set once it is known."""
        self._wanted: asyncio.Queue[Sequence[str] | None] = asyncio.Queue()

    def fill(self, count: int, game: str, port: int | None = None) -> None:
        """Start so many bots that ask for a place like anybody else, at the game's port if any."""
        for _ in range(count):
            self._want(self._config.fill, (), game, port)

    def take_over(self, power: str, passcode: int, game: str, port: int | None = None) -> None:
        """Start a bot that takes a power over."""
        name = self._config.stand_in or self._config.fill
        self._want(name, ("--power", power, "--passcode", str(passcode)), game, port)

    def stop(self) -> None:
        """Start no more, and end those that run."""
        self._wanted.put_nowait(None)

    def _want(
        self, name: str | None, arguments: Sequence[str], game: str, port: int | None
    ) -> None:
        if name is None:
            log.warning("no stand-in: no bot is named for it", game=game)
        elif find_spec("bots") is None:
            log.error("no stand-in: this installation has no bots", game=game, bot=name)
        else:
            log.info("bot started", game=game, bot=name)
            host, common = self.address
            command = ("bot", name, "--host", host, "--port", str(port or common), *arguments)
            self._wanted.put_nowait(command)

    async def run(self) -> None:
        """Start what is wanted until `stop`."""
        async with asyncio.TaskGroup() as tasks:
            running = []
            while (command := await self._wanted.get()) is not None:
                running.append(tasks.create_task(_run_bot(command), name=f"bot.{command[1]}"))
            for task in running:
                task.cancel()


async def _run_bot(command: Sequence[str]) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "cli",
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        code = await process.wait()
        log.info("bot ended", bot=command[1], code=code)
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
            try:
                async with asyncio.timeout(FAREWELL):
                    await process.wait()
            except TimeoutError:
                process.kill()
