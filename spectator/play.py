"""`daide play`: one match over TCP, and somebody who watches it.

Every child is ended when the game is over, when it fails, and on Ctrl-C.
"""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from matches.finished_game import FinishedGame
from matches.match import Match
from matches.over_tcp import play_over_tcp
from promises.keeper import Bookkeeper
from rules.errors import BadInputError
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

    record: Path | None = None
    """The file that its record is written to."""
    mqtt: "BrokerAddress | None" = None
    """The broker that it is published at."""
    web_port: int | None = None
    """Where the page is served, 0 for any port; None for nowhere."""
    tell: Callable[[str], None] = lambda _line: None
    """Tells where the page is."""


def play(match: Match, display: Display, extras: Extras) -> FinishedGame:
    """Play a game to its end, show it as it goes, and keep its record if that is asked for."""
    _check_record(extras.record)
    watch = ObservedGame(Bookkeeper(load_board(match.variant)))

    def on_turn(history: History) -> None:
        watch.follow(history)
        display.update(watch)

    @asynccontextmanager
    async def shown(host: Host, port: int) -> AsyncIterator[None]:
        async with _published(host, port, extras.mqtt), _paged(host, port, match, extras):
            # Only now: what draws needs a thread, and bots are forked off before there is one.
            display.start()
            game = host.rooms[0].game
            try:
                on_turn(game.history)
                yield
                if game.ending is not None:
                    # What still holds at the end was kept: the last table says so, too.
                    watch.book.finish(game.position.turn, drawn=bool(game.ending.draw))
                    display.update(watch)
            finally:
                display.stop()

    game = play_over_tcp(match, on_turn, has_stand_ins=False, attach=shown)
    if extras.record is not None:
        extras.record.write_text(json.dumps(record_to_json(game.record)) + "\n")
    return game


def _check_record(path: Path | None) -> None:
    """Find out before the game that its record cannot be written."""
    if path is None:
        return
    try:
        path.write_text("")
    except OSError as error:
        raise BadInputError(f"--record: {path}: cannot be written: {error.strerror}") from None


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
