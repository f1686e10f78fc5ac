"""The page beside a game that is being played here: `daide play --watch` and `--human`."""

import asyncio
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from attrs import evolve

from daide import LOOPBACK
from matches.match import Match
from rules.phrases import power_name
from server.host import Host
from server.page_setup import page_of
from spectator.web.serving import open_browser


@asynccontextmanager
async def page_beside(
    host: Host, port: int, match: Match, web_port: int, tell: Callable[[str], None]
) -> AsyncIterator[None]:
    """Serve the page while the game is played; on a terminal until Enter or Ctrl-C after it."""
    config = evolve(host.config, web=(LOOPBACK, web_port), web_press="all", store=":memory:")
    humans = sorted(match.humans)
    async with page_of(config, host, port, game=match.name, humans=humans) as page:
        watching = page.link(match.name)
        tell(f"watch it at {watching}")
        for power in humans:
            tell(f"play {power_name(host.board.power(power))} at {page.links[power]}")
        open_browser(page.links[humans[0]] if humans else watching)
        yield
        if sys.stdin.isatty() and sys.stdout.isatty():
            tell("the game is over; the page stays until you press Enter")
            await _enter_or_interrupt()


async def _enter_or_interrupt() -> None:
    """Wait for a line on the terminal, or for Ctrl-C, which then means the same."""
    loop = asyncio.get_running_loop()
    done = asyncio.Event()
    with suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGINT, done.set)

    def wait_for_line() -> None:
        with suppress(OSError):  # the terminal has gone
            sys.stdin.readline()
        loop.call_soon_threadsafe(done.set)

    # A thread, because the loop of Windows watches no files; nobody waits for it.
    threading.Thread(target=wait_for_line, daemon=True).start()
    try:
        await done.wait()
    finally:
        with suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGINT)
