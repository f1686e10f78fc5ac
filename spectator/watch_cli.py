"""`daide watch`: follow a game of a server elsewhere or of a record, in terminal or browser.

It stands here because it shows what `daide play` shows, and the live table is a part of that.
"""

import argparse
import asyncio
import json
import logging
import sys
from pathlib import Path

from bots.bot_command import log_to_stderr
from cli.parsing import HIGHEST_PORT, command_parser, host, port, whole
from daide import DEFAULT_PORT, LOOPBACK
from daide.errors import ClientError, NoServerError
from feed.address import read_address
from rules.errors import BadInputError
from rules.places import Power
from rules.variants import load_board
from spectator.follow import (
    Follower,
    LostError,
    Screen,
    follow_feed,
    follow_record,
    follow_server,
)
from spectator.terminal import LiveTable, display_for, fitted, result_sentence

EXAMPLE = """examples:
  daide watch
  daide watch --host games.example.org --port 16713 --game game-2
  daide watch --mqtt mqtt://127.0.0.1:1883
  daide watch game.json
  daide watch game.json --browser
  daide watch --port 16713 --browser
  DAIDE_MQTT_PASSWORD=... daide watch --mqtt mqtts://dashboard@broker.example.org --game game-2

From a server's port it watches as an observer; DAIDE_OBSERVER_SECRET lets it see the press. From a
broker it sees what its user may read there. Without --game it takes the first game that is not
over; the page of a broker shows all its games. Exit code 1 if the game cannot be followed to its
end; with --browser it goes on until Ctrl-C."""

TURN_SHOWN = 0.5
"""Seconds that a turn of a record stays on a terminal."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    if options.server is not None and options.mqtt is None:
        raise BadInputError("--server: names a server of --mqtt; a port has only one")
    if options.mqtt is not None:
        read_address(options.mqtt)
        if (options.host, options.port) != (None, None):
            raise BadInputError("--mqtt: the broker says where games are; leave out --host, --port")
    if options.record is not None:
        _check_alone(options)
    options.host = options.host or LOOPBACK
    options.port = options.port or DEFAULT_PORT
    if options.variant is not None:
        load_board(options.variant)
    if options.browser:
        return _show_page(options)
    players: dict[Power, str] = {}
    screen = Screen(display_for(players, as_json=options.json), players)
    log_to_stderr(logging.WARNING)
    try:
        if options.record is None:
            asyncio.run(_follow(options, screen))
        else:
            pause = TURN_SHOWN if isinstance(screen.display, LiveTable) else 0.0
            follow_record(screen, options.record, options.game, pause)
        result = screen.result()
    except OSError as error:
        if options.record is not None or isinstance(error, BrokenPipeError):
            raise  # of our output, and no word about a server
        print(f"daide watch: {NoServerError(options.host, options.port, error)}", file=sys.stderr)
        return 1
    except (LostError, ClientError) as error:
        print(f"daide watch: {str(error) or type(error).__name__}", file=sys.stderr)
        return 1
    finally:
        screen.display.stop()
    print(json.dumps(result) if options.json else fitted(result_sentence(result, players)))
    return 1 if result["outcome"] == "aborted" else 0


def _show_page(options: argparse.Namespace) -> int:
    """Serve the page for a record, or for games of a server elsewhere, until Ctrl-C."""
    if options.json:
        raise BadInputError("--json: with --browser there is no result to print; leave one out")
    if options.record is not None:
        from spectator.web.replay import replay  # noqa: PLC0415 - loads a web server

        return asyncio.run(replay(options.record, options.game, options.web_port))
    from spectator.web.elsewhere import Wanted, show_feed, show_server  # noqa: PLC0415 - the same

    wanted = Wanted(options.game, options.variant, options.web_port)
    try:
        if options.mqtt is None:
            return asyncio.run(show_server(options.host, options.port, wanted))
        return asyncio.run(show_feed(read_address(options.mqtt), options.server, wanted))
    except LostError as error:
        print(f"daide watch: {error}", file=sys.stderr)
        return 1


def _check_alone(options: argparse.Namespace) -> None:
    """See that nothing is asked for that a record has no use for."""
    for name in ("mqtt", "host", "port", "variant"):
        if getattr(options, name) is not None:
            raise BadInputError(
                f"--{name}: {options.record} is shown already; leave one of them out"
            )


async def _follow(options: argparse.Namespace, screen: Screen) -> None:
    if options.mqtt is None:
        await follow_server(screen, options.host, options.port, options.game)
    else:
        follower = Follower(screen, options.server, options.game, options.variant)
        await follow_feed(follower, read_address(options.mqtt))


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("watch", "Follow a game in the terminal to its end.", EXAMPLE)
    parser.add_argument("record", nargs="?", type=Path, metavar="RECORD", help="the file of a game")
    parser.add_argument("--browser", action="store_true", help="show it in the browser")
    parser.add_argument(
        "--web-port",
        type=whole(0, HIGHEST_PORT),
        default=0,
        metavar="PORT",
        help="for the browser",
    )
    parser.add_argument("--host", type=host, help="the server (default: this machine)")
    parser.add_argument("--port", type=port, help=f"default: {DEFAULT_PORT}")
    parser.add_argument("--mqtt", metavar="URL", help="follow the events at this MQTT broker")
    parser.add_argument("--server", metavar="NAME", help="the server's name at the broker")
    parser.add_argument("--game", metavar="NAME", help="the game (default: the first not over)")
    parser.add_argument("--variant", metavar="NAME", help="the map, if it is one of the user's own")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser
