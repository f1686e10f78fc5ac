"""Brings the page and the host together; loaded only for a server that serves one.

The page has a process of its own, which is told the same facts as the relay of a broker: whatever
browsers do there, no game waits for it. People play through it as clients of the server's port.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import structlog
from attrs import field, frozen

from feed.fed_process import FedProcess
from rules.errors import BadInputError
from server.addresses import reached_at
from server.config import ServerConfig
from server.host import Host
from server.reporter import Reporter
from server.store import IN_MEMORY

STARTING = 30.0
MODULE = "spectator.web.page_process"

log = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Page:
    """Where a page is served, and what it may show."""

    host: str
    port: int
    server_host: str
    server_port: int
    """Where the games are played."""
    dialect: str = "reference"
    """Whose numbers the server takes clients to use."""
    has_seats: bool = True
    """Whether people may play; our own client knows no TLS."""
    names: Sequence[str] = ()
    secret: str = field(repr=False, factory=lambda: secrets.token_hex(16))
    """Opens all games."""
    tells_press_after: bool = False
    """Whether everybody may read the press of a game that is over."""
    variant: str = "standard"
    store: str | None = None
    """The file that keeps the games."""
    game: str | None = None
    humans: Sequence[str] = ()
    """The powers that people play in that game."""


class PageProcess(FedProcess):
    """Runs the page."""

    def __init__(self, page: Page) -> None:
        super().__init__(MODULE, "page")
        self.page = page
        self.links: dict[str, str] = {}
        """What to type into a browser: `public`, `all`, and the seats by power."""
        self._port = page.port
        self._why = ""
        self._is_up = asyncio.Event()

    async def listening(self) -> None:
        """Wait until browsers are answered; raises BadInputError if that cannot be."""
        await asyncio.wait_for(self._is_up.wait(), STARTING)
        if self._why:
            raise BadInputError(self._why)

    def link(self, game: str) -> str:
        """Return the address of a game, with all press."""
        return f"{self.links['public']}g/{quote(game, safe='')}#{self.page.secret}"

    def _greeting(self) -> bytes:
        page = self.page
        fields = {
            "host": page.host,
            "port": self._port,
            "server_host": page.server_host,
            "server_port": page.server_port,
            "dialect": page.dialect,
            "has_seats": page.has_seats,
            "names": list(page.names),
            "secret": page.secret,
            "tells_press_after": page.tells_press_after,
            "store": page.store,
            "variant": page.variant,
            "game": page.game,
            # Those who were there before have their seats.
            "humans": [power for power in page.humans if power not in self.links],
        }
        return json.dumps(fields).encode() + b"\n"

    def _hear(self, told: dict[str, Any]) -> None:
        match told:
            case {"listening": port, "links": links}:
                # Started again it takes the same port, or open pages would be lost.
                self._port = port
                self.links = links | self.links
                self._is_up.set()
            case {"refused": why}:
                self._why = why
                self._is_stopping = True
                self._is_up.set()
            case {"failed": why}:
                log.error("page could not take something", why=why)

    def _on_end(self) -> None:
        pass


@asynccontextmanager
async def page_of(
    config: ServerConfig,
    host: Host,
    port: int,
    *,
    game: str | None = None,
    humans: Sequence[str] = (),
) -> AsyncIterator[PageProcess]:
    """Serve the page of a server while the block runs."""
    assert config.web is not None
    web_host, web_port = config.web
    known = config.settings.observer_secret
    page = Page(
        host=web_host,
        port=web_port,
        server_host=reached_at(config.host),
        server_port=port,
        dialect=config.dialect.value,
        has_seats=config.tls_cert is None,
        names=config.web_names,
        variant=config.variant,
        tells_press_after=config.web_press == "all",
        store=None if config.store == IN_MEMORY else host.store.path,
        game=game,
        humans=humans,
        **({"secret": known} if known else {}),
    )
    process = PageProcess(page)
    process.start()
    try:
        await process.listening()
        reporter = Reporter(config.variant, process.send, tells_all=True)
        process.retell = reporter.retell
        host.add_observer(reporter)
        log.info("page served", port=process._port)  # noqa: SLF001 - our own
        yield process
    finally:
        await process.stop()
