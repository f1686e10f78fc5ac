"""The page's own process: takes facts from a server's pipe, and serves browsers.

The first line of standard input says where and for whom, every further line is a fact. On standard
output goes where it listens. The end of the input is the end of the server, and ours.
"""

import asyncio
import json
import logging
import signal
import sys
from pathlib import Path
from typing import Any

import structlog

from feed.outbox import Letter
from feed.wire import LINE_LIMIT, from_line, say
from grammar.dialects import Dialect
from rules.errors import BadInputError
from rules.variants import load_board
from server.stored_games import StoredGames
from spectator.web.app import make_app
from spectator.web.keys import Keys
from spectator.web.library import Library
from spectator.web.origins import Origins
from spectator.web.seat_client import Server
from spectator.web.seats import Seats
from spectator.web.serving import address_of, bind, serving
from spectator.web.site import Site
from spectator.web.stored import Shelf

AT_ONCE = 50
"""So many facts are taken before browsers have their turn."""


async def run() -> int:
    """Serve until the input ends."""
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader(limit=LINE_LIMIT)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin.buffer)
    if not (greeting := await lines.readline()):
        return 1  # who has started us is gone
    setup: dict[str, Any] = json.loads(greeting)
    try:
        bound = bind(setup["host"], setup["port"])
    except BadInputError as error:
        say({"refused": str(error)})
        return 2
    library = Library(tells_press_after=setup["tells_press_after"])
    site = Site(library, Keys(setup["secret"]), Origins(tuple(setup["names"])))
    store = setup["store"]
    file = Path(f"{store}.seats") if store is not None else None
    server = Server(setup["server_port"], setup["server_host"], Dialect(setup["dialect"]))
    board = load_board(setup["variant"])
    seats = Seats(site, server if setup["has_seats"] else None, board, file)
    async with serving(make_app(site, seats.routes()), bound):
        links = {"public": address_of(bound), "all": address_of(bound, None, setup["secret"])}
        for power in setup["humans"]:
            # The link first: who plays should not miss the beginning.
            secret, _ = seats.prepare(f"{power}:human", setup["game"])
            links[power] = address_of(bound, setup["game"], secret)
        say({"listening": bound.getsockname()[1], "links": links})
        seats.restore()
        if store is not None:
            await Shelf(StoredGames(store), library).fill()
        await _learn(library, lines)
    return 0


async def _learn(library: Library, lines: asyncio.StreamReader) -> None:
    count = 0
    while line := await lines.readline():
        try:
            told = from_line(line)
            if not isinstance(told, Letter):
                library.learn(told)
        except Exception as error:  # noqa: BLE001 - one game that cannot be told is not the end of all
            say({"failed": f"{type(error).__name__}: {error}"})
        count += 1
        if count % AT_ONCE == 0:
            await asyncio.sleep(0)


if __name__ == "__main__":
    # On standard output goes what the server is to hear.
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    # Ctrl-C goes to every process of a terminal; it is the server that says when to end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # Standard output is what we tell the server; a line of a log there would be nonsense to it.
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    sys.exit(asyncio.run(run()))
