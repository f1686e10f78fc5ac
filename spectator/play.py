"""`daide play`: a server and its bots as separate processes, and somebody who watches them.

Every child is ended when the game is over, when it fails, and on Ctrl-C.
"""

import asyncio
import json
import secrets
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from typing import Any, Self

from cli import children
from daide.backoff import NEVER
from daide.client import Client, connect
from daide.game_end import ASK
from grammar.messages import Admin, TurnOff
from matches.options import PlayOptions, bot_arguments
from promises.keeper import Bookkeeper
from rules.outcome import result_to_json
from rules.variants import load_board
from spectator.observed_game import ObservedGame
from spectator.terminal import Display

PATIENCE = 20.0
OBSERVER_SECRET = "DAIDE_OBSERVER_SECRET"  # noqa: S105 - the name of a variable, not a secret


class GameAbortedError(Exception):
    """The game could not be played to its end; the text says why."""


async def play(options: PlayOptions, display: Display) -> dict[str, Any]:
    """Play a game to its end and return the result."""
    started = time.monotonic()
    watch = ObservedGame(Bookkeeper(load_board(options.variant)))
    if options.record is not None:
        # The server adds its record to what is there.
        options.record.unlink(missing_ok=True)
    async with Children() as staff:
        server, port = await start_server(staff, options)
        async with connect(port=port, backoff=NEVER) as client:
            await client.observe()
            await client.send(Admin("play", ASK))
            await client.send(Admin("play", f"Server: observe all {staff.secret}"))
            bots = [
                await staff.start(bot_arguments(options, power, bot, port))
                for power, bot in options.players.items()
            ]
            display.start()
            try:
                await _follow(client, watch, display, [server, *bots])
            finally:
                display.stop()
        if options.record is not None or options.mqtt is not None:
            await asyncio.wait_for(server.wait(), PATIENCE)
    return result(options, watch, time.monotonic() - started)


async def start_server(staff: "Children", options: PlayOptions) -> tuple[Process, int]:
    """Start a server for one game and return the port it listens on."""
    arguments = [
        *("serve", "--port", "0", "--store", ":memory:", "--exit-after", "1", "--power-in-name"),
        *("--json-logs", "--log-level", "error", "--linger", "0", "--movement-limit", "0"),
        *("--retreat-limit", "0", "--build-limit", "0", "--variant", options.variant),
        *("--press-level", str(options.press_level), "--seed", str(options.seed)),
    ]
    if options.press_level:
        arguments += ["--press-rounds", str(options.press_rounds)]
    if options.last_year is not None:
        arguments += ["--last-year", str(options.last_year)]
    if options.record is not None:
        arguments += ["--record", str(options.record)]
    if options.mqtt is not None:
        arguments += ["--mqtt", options.mqtt]
    server = await staff.start(arguments, stdout=PIPE)
    assert server.stdout is not None
    line = await asyncio.wait_for(server.stdout.readline(), PATIENCE)
    if not line:
        raise GameAbortedError("the server did not start")
    return server, json.loads(line)["port"]


async def _follow(
    client: Client, watch: ObservedGame, display: Display, processes: Sequence[Process]
) -> None:
    """ObservedGame the game to its end; a child that leaves before it is over ends it."""
    reading = asyncio.create_task(_read(client, watch, display), name="play.watch")
    leaving = [asyncio.create_task(process.wait()) for process in processes]
    try:
        await asyncio.wait([reading, *leaving], return_when=asyncio.FIRST_COMPLETED)
        if not reading.done():
            # It may have left because the game is over, and the news may be on its way.
            await asyncio.wait([reading], timeout=PATIENCE if watch.is_over else 2.0)
        if not reading.done():
            raise GameAbortedError("a player left before the end of the game")
        await reading
    finally:
        for task in (reading, *leaving):
            task.cancel()


async def _read(client: Client, watch: ObservedGame, display: Display) -> None:
    display.update(watch)
    async for message in client:
        if watch.receive(message):
            display.update(watch)
        if watch.is_over or isinstance(message, TurnOff):
            return


def result(options: PlayOptions, watch: ObservedGame, seconds: float) -> dict[str, Any]:
    """Return what there is to say about a game."""
    if watch.summary is None or watch.ending is None:
        raise GameAbortedError("the server ended the game")
    return {
        **result_to_json(watch.ending),
        "phases": watch.phases,
        "seconds": round(seconds, 2),
        "seed": options.seed,
        "press_messages": watch.press_messages,
        "players": [
            {
                "power": each.power.name,
                "bot": options.players[each.power],
                "centers": each.centers,
                "eliminated": each.eliminated,
                "promises_kept": watch.book.tally(each.power).kept,
                "promises_broken": watch.book.tally(each.power).broken,
                "stabs": sum(stab.by == each.power for stab in watch.book.stabs),
            }
            for each in watch.summary.players
        ],
    }


class Children:
    """The processes that we have started; none of them outlives us."""

    def __init__(self) -> None:
        self._processes: list[Process] = []
        # So that we, and nobody else, may see what the powers tell each other.
        self.secret = secrets.token_hex(8)

    async def start(self, arguments: Sequence[str], stdout: int = DEVNULL) -> Process:
        """Start a `daide` command."""
        secret = {OBSERVER_SECRET: self.secret}
        process = await children.start(arguments, stdout=stdout, variables=secret)
        self._processes.append(process)
        return process

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await children.end(self._processes)
