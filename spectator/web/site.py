"""Everything that a request to the page may need: the games, the secrets, and who follows."""

import asyncio

from attrs import Factory, define

from spectator.web.hub import Hub
from spectator.web.keys import Keys
from spectator.web.library import Library
from spectator.web.origins import Origins

MOST_WAITING = 64
"""So many wrong secrets wait for their answer at a time; the others are told to go away."""


class RefusedError(Exception):
    """A request that is not granted; the text is for the reader."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


@define
class Site:
    """Everything that a request may need."""

    library: Library
    keys: Keys
    origins: Origins = Factory(Origins)
    hub: Hub = Factory(Hub)
    sockets: int = 0
    """How many are open."""
    _waiting: int = 0

    def __attrs_post_init__(self) -> None:
        self.library.on_news = self.hub.news
        self.library.on_card = self.hub.card
        self.library.on_reload = self.hub.reload
        self.hub.left = self.library.left

    def reader_of(self, secret: str | None, game: str) -> str | None:
        """Return as whom somebody reads a game, None for a wrong secret."""
        return self.keys.reader(secret, game)

    async def slow_down(self, address: str) -> None:
        """Let somebody with a wrong secret wait."""
        if self._waiting >= MOST_WAITING:
            raise RefusedError(429, "too many wrong links at once; try again later")
        self._waiting += 1
        try:
            await asyncio.sleep(self.keys.wait_of(address))
        finally:
            self._waiting -= 1
