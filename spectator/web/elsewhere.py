"""The page for games of a server elsewhere: from its port, or from its MQTT topics."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

from attrs import frozen

from daide import LOOPBACK
from daide.backoff import NEVER
from daide.client import connect
from daide.errors import ClientError, NoServerError
from daide.game_end import ASK
from feed.address import BrokerAddress
from feed.broker import BrokerState
from feed.listening import RefusedByBrokerError, letters_from
from feed.topics import ANY, private_events, public_events
from grammar.messages import Admin, ClientMessage, Hello, TurnOff
from rules.errors import BadInputError
from rules.variants import load_board
from spectator.follow import OBSERVER_SECRET, LostError
from spectator.web.app import make_app
from spectator.web.facts_from_broker import BrokerFacts
from spectator.web.facts_from_port import ObservedFacts
from spectator.web.keys import Keys, new_secret
from spectator.web.library import Library
from spectator.web.serving import address_of, bind, open_browser, serving
from spectator.web.site import Site

FIRST_GAME = "game"


@frozen
class Wanted:
    """Which game is to be shown, and where."""

    game: str | None
    variant: str | None
    web_port: int


async def show_server(host: str, port: int, wanted: Wanted) -> int:
    """Show a game of a server as an observer, until Ctrl-C; raises LostError if there is none."""
    library = Library()
    observing = asyncio.create_task(_observe(library, host, port, wanted), name="watch.observe")
    try:
        await asyncio.wait([observing], timeout=0.2)
        async with _page(library, wanted, with_secret=bool(os.environ.get(OBSERVER_SECRET))):
            try:
                await observing
            except (OSError, ClientError, LostError) as error:
                why = NoServerError(host, port, error) if isinstance(error, OSError) else error
                if not library.games:
                    raise LostError(str(why) or type(why).__name__) from None
                _say(f"{why}; the page shows what was seen until then")
            await asyncio.Event().wait()
    finally:
        observing.cancel()
    return 0


async def _observe(library: Library, host: str, port: int, wanted: Wanted) -> None:
    seen: ObservedFacts | None = None
    asked: asyncio.Queue[ClientMessage] = asyncio.Queue()
    try:
        async with connect(host, port, backoff=NEVER) as client:
            if wanted.game is not None:
                await client.select(wanted.game)
            await client.observe()
            await client.send(Admin("watch", ASK))
            if secret := os.environ.get(OBSERVER_SECRET):
                await client.send(Admin("watch", f"Server: observe all {secret}"))
            async for message in client:
                if isinstance(message, Hello) and seen is None:
                    seen = _facts(library, wanted, client.map_name, asked)
                if seen is not None:
                    seen.receive(message)
                    while not asked.empty():
                        await client.send(asked.get_nowait())
                    if seen.is_over:
                        return
                if isinstance(message, TurnOff):
                    break
    finally:
        # Also if it has gone while we asked for a turn: what it said of the end is known.
        if seen is not None:
            seen.leave()
    if seen is not None and seen.is_over:
        return
    raise LostError("the server ended before the game")


def _facts(
    library: Library, wanted: Wanted, map_name: str | None, asked: "asyncio.Queue[ClientMessage]"
) -> ObservedFacts:
    variant = wanted.variant or map_name or "standard"
    try:
        board = load_board(variant)
    except BadInputError as error:
        raise BadInputError(f"{error}; name the server's map with --variant") from None
    name = wanted.game or FIRST_GAME
    return ObservedFacts(name, variant, board, library.learn, asked.put_nowait)


async def show_feed(address: BrokerAddress, server: str | None, wanted: Wanted) -> int:
    """Show all games of a broker, or the one that was named, until Ctrl-C."""
    library = Library()
    facts = BrokerFacts(library.learn, _say, server, wanted.game, wanted.variant)

    def on_state(state: BrokerState, why: str) -> None:
        if state not in (BrokerState.CONNECTED, BrokerState.REFUSED):
            _say(f"the broker {address} is not there: {why}")

    where, which = server or ANY, wanted.game or ANY
    topics = public_events(where, which), private_events(where, which)
    news = letters_from(address, topics, who="watch", on_state=on_state)
    async with _page(library, wanted, with_secret=True):
        try:
            async with aclosing(news) as letters:
                async for letter in letters:
                    facts.receive(letter)
        except RefusedByBrokerError as error:
            raise LostError(f"the broker refuses us: {error}") from None
    return 0


@asynccontextmanager
async def _page(library: Library, wanted: Wanted, *, with_secret: bool) -> AsyncIterator[None]:
    """Serve the page; a game that is known already is shown at once, else all of them."""
    keys = Keys(new_secret())
    game = next(iter(library.games), None)
    bound = bind(LOOPBACK, wanted.web_port)
    address = address_of(bound, game, keys.all_games if with_secret else None)
    async with serving(make_app(Site(library, keys)), bound):
        print(address, flush=True)  # noqa: T201 - what the command is for
        open_browser(address)
        yield


def _say(text: str) -> None:
    print(f"daide watch: {text}", file=sys.stderr, flush=True)  # noqa: T201 - for people
