"""`daide play`: one match over TCP, and somebody who watches it.

Every child is ended when the game is over, when it fails, and on Ctrl-C.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from matches.finished_game import FinishedGame
from matches.match import Match
from matches.over_tcp import play_over_tcp
from promises.keeper import Bookkeeper
from rules.errors import unwritable
from rules.outcome import result_to_json
from rules.variants import load_board
from server.history import History
from server.host import Host
from server.record import record_to_json
from spectator.observed_game import ObservedGame
from spectator.terminal import Display

if TYPE_CHECKING:
    from feed.address import BrokerAddress


@frozen
class Extras:
    """What `daide play` does with a game besides playing it."""

    mqtt: "BrokerAddress | None" = None
    """The broker that it is published at."""
    web_port: int | None = None
    """Where the page is served, 0 for any port; None for nowhere."""
    tell: Callable[[str], None] = lambda _line: None
    """Tells where the page is."""
    at_end: Callable[[FinishedGame], None] = lambda _game: None
    """Hears of the game when it is over; the page is still there then, and may be for long."""


def play(match: Match, display: Display, extras: Extras) -> FinishedGame:
    """Play a game to its end, and show it as it goes."""
    watch = ObservedGame(Bookkeeper(load_board(match.variant)))

    def on_turn(history: History) -> None:
        watch.follow(history)
        display.update(watch)

    @asynccontextmanager
    async def shown(host: Host, port: int) -> AsyncIterator[None]:
        async with _published(host, port, extras.mqtt), _paged(host, port, match, extras):
            # Only now: what draws needs a thread, and bots are forked off before there is one.
            display.start()
            try:
                on_turn(host.rooms[0].game.history)
                yield
            finally:
                display.stop()

    def on_end(game: FinishedGame) -> None:
        # What still holds at the end was kept: the last table says so, too.
        watch.book.finish(game.history.position.turn, drawn=bool(game.ending.draw))
        display.update(watch)
        display.stop()
        extras.at_end(game)

    return play_over_tcp(match, on_turn, has_stand_ins=False, attach=shown, on_end=on_end)


@contextmanager
def record_file(path: Path | None) -> Iterator[None]:
    """Find out before a game whether its record can be written; leave no empty one."""
    is_new = path is not None and not path.exists()
    try:
        if path is not None:
            path.open("a").close()
    except OSError as error:
        raise unwritable(f"--record: {path}", error) from None
    try:
        yield
    finally:
        # What was written stays, however we end: a page may have waited for its reader since.
        if path is not None and is_new and path.exists() and not path.stat().st_size:
            path.unlink()


def write_record(game: FinishedGame, path: Path) -> None:
    """Write the record of a game."""
    try:
        path.write_text(json.dumps(record_to_json(game.record)) + "\n")
    except OSError as error:
        raise unwritable(f"--record: {path}", error) from None


@asynccontextmanager
async def _published(host: Host, port: int, address: "BrokerAddress | None") -> AsyncIterator[None]:
    """Publish the game while it is played."""
    if address is None:
        yield
        return
    from server.feed_setup import start_feed  # noqa: PLC0415 - few have a broker

    publisher = start_feed(evolve(host.config, mqtt=address), host, "127.0.0.1", port)
    try:
        yield
    finally:
        await publisher.stop()


@asynccontextmanager
async def _paged(host: Host, port: int, match: Match, extras: Extras) -> AsyncIterator[None]:
    """Serve the page while the game is played, and on a terminal until somebody has seen it."""
    if extras.web_port is None:
        yield
        return
    from spectator.web.beside import page_beside  # noqa: PLC0415 - loads a web server

    async with page_beside(host, port, match, extras.web_port, extras.tell):
        yield


def result(game: FinishedGame) -> dict[str, Any]:
    """Return what there is to say about a game."""
    book = game.promises
    return {
        **result_to_json(game.ending),
        "phases": len(game.turns),
        "seconds": round(game.seconds, 2),
        "seed": game.match.seed,
        "press_messages": sum(game.press_counts.values()),
        "players": [
            {
                "power": each.power.name,
                "bot": each.bot,
                "centers": each.centers,
                "eliminated": each.eliminated,
                "promises_kept": book.tally(each.power).kept,
                "promises_broken": book.tally(each.power).broken,
                "stabs": sum(stab.by == each.power for stab in book.stabs),
            }
            for each in game.players
        ],
        **({"error": game.why_aborted} if game.why_aborted else {}),
    }
