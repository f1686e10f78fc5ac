"""The page's own process: takes facts from a server's pipe, and serves browsers.

The first line of standard input says where and for whom, every further line is a fact. On standard
output goes where it listens. The end of the input is the end of the server, and ours.
"""

import asyncio
import logging
import sys
from pathlib import Path

import structlog

from feed.facts import Fact
from feed.from_server import FromServer
from feed.outbox import Letter
from feed.wire import say
from grammar.dialects import Dialect
from rules.errors import BadInputError
from rules.variants import load_board
from server.stored_games import StoredGames
from spectator.web.app import make_app
from spectator.web.facts_from_store import Shelf
from spectator.web.keys import Keys
from spectator.web.library import Library
from spectator.web.origins import Origins
from spectator.web.seat_client import Server
from spectator.web.seats import Seats
from spectator.web.serving import address_of, bind, serving
from spectator.web.site import Site

AT_ONCE = 50
"""So many facts are taken before browsers have their turn."""


async def run() -> int:
    """Serve until the input ends."""
    from_server = await FromServer.opened()
    if from_server is None:
        return 1
    setup = from_server.setup
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

        def learn(told: Letter | Fact) -> None:
            if not isinstance(told, Letter):
                library.learn(told)

        await from_server.take_all(learn, at_once=AT_ONCE)
    return 0


if __name__ == "__main__":
    # Standard output is what we tell the server; a line of a log there would be nonsense to it.
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    sys.exit(asyncio.run(run()))
