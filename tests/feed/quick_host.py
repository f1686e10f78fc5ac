"""A bot host whose bots are no processes: `python -m tests.feed.quick_host URL NAME FILE [hang]`.

It notes in a file what it was granted; with `hang` its bots never get their places.
"""

import asyncio
import sys
from pathlib import Path

from bots.bot_host import BotHost, HostOptions
from feed.address import read_address
from feed.bot_requests import BotRequest


def note(request: BotRequest) -> None:
    with Path(sys.argv[3]).open("a") as file:
        file.write(f"{request.id}\n")


class QuickHost(BotHost):
    """Notes what it would start."""

    async def _play(self, request: BotRequest) -> None:
        note(request)
        if sys.argv[4:] != ["hang"]:
            self._broker.send(self._offers.answer(request, "joined"))
        self._offers.running -= 1


if __name__ == "__main__":
    options = HostOptions(name=sys.argv[2], bots=("holdbot",))
    asyncio.run(QuickHost(read_address(sys.argv[1]), options).run())
