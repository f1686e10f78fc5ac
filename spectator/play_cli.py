"""`daide play`: a whole game of bots, shown as it goes."""

import argparse
import asyncio
import json
import logging
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from secrets import randbelow

from bots.bot_command import log_to_stderr
from bots.registry import check_bot
from grammar.tables import LEVELS
from matches.lineup import default_lineup, read_lineup
from matches.options import PlayOptions
from rules.errors import BadInputError
from rules.places import Power
from rules.variants import load_board
from spectator.play import GameAbortedError, play
from spectator.terminal import Display, LiveTable, NoDisplay, PlainLines, result_sentence

EXAMPLE = """examples:
  daide play
  daide play --bots dumbbot*6,randombot --press-level 0 --last-year 1910 --seed 7
  daide play --bots blabbot*3,diplominator*4
  daide play --bots FRA=dumbbot,holdbot*6 --json

The server and every bot are processes of their own, on this machine only. The same seed gives the
same game. Exit code 1 if the game was aborted."""
LAST_YEAR = 1920


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _options(_parser().parse_args(arguments))
    as_json = "--json" in arguments
    log_to_stderr(logging.WARNING)
    try:
        result = asyncio.run(play(options, _display(options.players, as_json=as_json)))
    except GameAbortedError as error:
        print(f"daide play: the game was aborted: {error}", file=sys.stderr)
        return 1
    if as_json:
        print(json.dumps(result))
    else:
        print(result_sentence(result, options.players))
        print(f"{result['phases']} turns in {result['seconds']} s, seed {result['seed']}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="daide play",
        description="Start a server and bots, play a game to its end, and say who won.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--bots", metavar="LIST", help="who plays: name*count, FRA=name, ...")
    parser.add_argument("--variant", default="standard", metavar="NAME", help="the map (standard)")
    parser.add_argument("--press-level", type=int, default=20, metavar="N", help="default: 20")
    parser.add_argument(
        "--last-year", type=int, metavar="YEAR", help=f"the last year of the game ({LAST_YEAR})"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="makes the game repeatable")
    parser.add_argument("--think", type=float, metavar="SECONDS", help="time to think per turn")
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the record of the game")
    parser.add_argument("--mqtt", metavar="URL", help="publish the game at this MQTT broker")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser


def _options(given: argparse.Namespace) -> PlayOptions:
    board = load_board(given.variant)
    if given.press_level not in LEVELS:
        levels = ", ".join(map(str, LEVELS))
        raise BadInputError(f"--press-level: {given.press_level} is not one of {levels}")
    seed = randbelow(10**6) if given.seed is None else given.seed
    lineup = given.bots or default_lineup(len(board.powers))
    players = read_lineup(lineup, board.powers, seed)
    _check_bots(players.values())
    first = board.start.turn.year
    last = given.last_year if given.last_year is not None else max(LAST_YEAR, first)
    if last < first:
        raise BadInputError(f"--last-year: the game starts in {first}, after {last}")
    return PlayOptions(
        players=players,
        variant=given.variant,
        press_level=given.press_level,
        last_year=last,
        seed=seed,
        think=given.think,
        record=given.record,
        mqtt=_broker(given.mqtt),
    )


def _broker(url: str | None) -> str | None:
    """Check the address of a broker; its password goes to the server by the environment."""
    if url is None:
        return None
    from feed.address import PASSWORD, read_address  # noqa: PLC0415 - few have a broker

    address = read_address(url)
    if address.password is not None:
        os.environ[PASSWORD] = address.password
    return address.url


def _display(players: Mapping[Power, str], *, as_json: bool) -> Display:
    if as_json:
        return NoDisplay()
    return LiveTable(players) if sys.stderr.isatty() else PlainLines()


def _check_bots(bots: Iterable[str]) -> None:
    for bot in bots:
        try:
            check_bot(bot)
        except BadInputError as error:
            raise BadInputError(f"--bots: {error}") from None
