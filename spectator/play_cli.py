"""`daide play`: a whole game of bots, shown as it goes."""

import argparse
import json
import logging
import sys
from collections.abc import Iterable, Iterator, Mapping
from secrets import randbelow
from typing import TYPE_CHECKING

from bots.bot_command import log_to_stderr
from bots.registry import check_bot
from cli.parsing import HIGHEST_PORT, command_parser, new_file, seconds, seed, whole, year
from grammar.tables import LEVELS
from matches.finished_game import FinishedGame
from matches.lineup import default_lineup, read_lineup
from matches.match import Match
from rules.board import Board
from rules.errors import BadInputError
from rules.outcome import EndingKind
from rules.places import Power
from rules.turns import turn_from_code
from rules.variants import load_board
from server.record import GameSetup, resume_from_file
from spectator.play import Extras, play, record_file, result, write_record
from spectator.terminal import (
    Display,
    PlainLines,
    Unheeding,
    display_for,
    fitted,
    for_whoever_reads,
    result_sentence,
    standing_lines,
)

if TYPE_CHECKING:
    from feed.address import BrokerAddress

EXAMPLE = """examples:
  daide play
  daide play --bots dumbbot*6,randombot --press-level 0 --last-year 1910 --seed 7
  daide play --bots blabbot*3,diplominator*4
  daide play --bots FRA=dumbbot,holdbot*6 --json
  daide play --watch
  daide play --human FRA
  daide play --resume game.json --turn S1905M

The server listens on this machine only, and every bot is a process of its own. The same seed gives
the same game. Exit code 1 if the game was aborted, or if a bot failed, crashed or hung in it."""
LAST_YEAR = 1920
TURN_LIMIT = 60.0
HUMAN = "human"
GAME_NAME = "game-1"


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    given = _parser().parse_args(arguments)
    match = _match(given)
    players = {power: match.bot_name(power.name) for power in load_board(match.variant).powers}
    display = display_for(players, as_json=given.json)
    extras = Extras(
        mqtt=_broker(given.mqtt),
        web_port=given.web_port if given.watch or match.humans else None,
        tell=lambda line: print(line, file=sys.stderr if given.json else sys.stdout, flush=True),
        at_end=lambda game: _report(game, given, display, players),
    )
    log_to_stderr(logging.WARNING)
    with record_file(given.record):
        # Whoever wants the record has it, also without a reader of what is shown.
        game = play(match, Unheeding(display) if given.record else display, extras)
    return 1 if game.faults or game.ending.kind is EndingKind.ABORTED else 0


def _report(
    game: FinishedGame, given: argparse.Namespace, display: Display, players: Mapping[Power, str]
) -> None:
    """Say how the game ended, and keep its record."""
    if given.record is None:
        _tell(game, given, display, players)
        return
    with for_whoever_reads():
        _tell(game, given, display, players)
    write_record(game, given.record)  # last, so that a full disk costs no more than the record


def _tell(
    game: FinishedGame, given: argparse.Namespace, display: Display, players: Mapping[Power, str]
) -> None:
    told = result(game)
    if given.json:
        print(json.dumps(told), flush=True)
    elif game.ending.kind is not EndingKind.ABORTED:
        if isinstance(display, PlainLines):  # The table stands on the screen already.
            print(*standing_lines(told, players), sep="\n")
        print(fitted(result_sentence(told, players)))
        print(f"{told['phases']} turns in {told['seconds']} s, seed {told['seed']}", flush=True)
    for line in complaints(game):
        print(f"daide play: {line}", file=sys.stderr)


def complaints(game: FinishedGame) -> Iterator[str]:
    """Say what went wrong with which bot, and for its author where."""
    if game.why_aborted:
        yield f"the game was aborted: {game.why_aborted}"
    for fault in game.faults:
        bot = f"{fault.power} ({game.match.bot_name(fault.power)})"
        if not game.why_aborted:
            yield f"{bot} {fault.sentence}"
        for failure in fault.failures[1:]:
            yield f"{bot} failed: {failure.sentence}"


def _parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "play", "Start a server and bots, play a game to its end, and say who won.", EXAMPLE
    )
    parser.add_argument("--bots", metavar="LIST", help="who plays: name*count, FRA=name, ...")
    parser.add_argument("--variant", metavar="NAME", help="the map (standard)")
    parser.add_argument("--resume", metavar="FILE", help="play on a recorded game, from --turn on")
    parser.add_argument("--turn", metavar="TURN", help="the turn to begin with, such as S1905M")
    parser.add_argument("--press-level", type=whole(0), default=20, metavar="N", help="default: 20")
    parser.add_argument(
        "--last-year",
        type=year,
        metavar="YEAR",
        help=f"the last year of the game ({LAST_YEAR})",
    )
    parser.add_argument("--seed", type=seed, metavar="N", help="makes the game repeatable")
    parser.add_argument("--think", type=seconds, metavar="SECONDS", help="time to think per turn")
    parser.add_argument(
        "--turn-limit",
        type=seconds,
        default=TURN_LIMIT,
        metavar="SECONDS",
        help=f"end a bot that holds up the game for so long ({TURN_LIMIT:g})",
    )
    parser.add_argument(
        "--record", type=new_file, metavar="FILE", help="keep the record of the game"
    )
    parser.add_argument("--mqtt", metavar="URL", help="publish the game at this MQTT broker")
    parser.add_argument("--watch", action="store_true", help="show the game in the browser")
    parser.add_argument("--human", metavar="POWER", help="play this power yourself, in the browser")
    parser.add_argument(
        "--web-port",
        type=whole(0, HIGHEST_PORT),
        default=0,
        metavar="PORT",
        help="for --watch (default: any)",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    return parser


def _match(given: argparse.Namespace) -> Match:
    before = _resumed(given)
    variant = before.variant if before else "standard" if given.variant is None else given.variant
    board = load_board(variant)
    if given.press_level not in LEVELS:
        levels = ", ".join(map(str, LEVELS))
        raise BadInputError(f"--press-level: {given.press_level} is not one of {levels}")
    seed = randbelow(10**6) if given.seed is None else given.seed
    humans = _humans(given.human, board)
    others = [power for power in board.powers if power not in humans]
    lineup = default_lineup(len(others)) if given.bots is None else given.bots
    for power in humans:
        if f"{power}=" in lineup.upper():
            raise BadInputError(f"--bots: {power} is yours by --human; leave it out")
    bots = read_lineup(lineup, others, seed)
    _check_bots(bots.values())
    players = {power: bots.get(power, HUMAN) for power in board.powers}
    start = before.start if before else None
    first = (start or board.start).turn.year
    last = given.last_year if given.last_year is not None else max(LAST_YEAR, first)
    if last < first:
        raise BadInputError(f"--last-year: the game starts in {first}, after {last}")
    return Match(
        players={power.name: bot for power, bot in players.items()},
        variant=variant,
        press_level=given.press_level,
        last_year=last,
        seed=seed,
        think=given.think,
        turn_limit=given.turn_limit,
        humans=frozenset(power.name for power in humans),
        start=start,
        name=before.name if before else GAME_NAME,
    )


def _resumed(given: argparse.Namespace) -> GameSetup | None:
    """Read the turn of a record that the game is to begin with."""
    if (given.resume is None) != (given.turn is None):
        raise BadInputError("--resume and --turn: give both or neither")
    if given.resume is None:
        return None
    try:
        turn = turn_from_code(given.turn)
    except BadInputError as error:
        raise BadInputError(f"--turn: {error}") from None
    try:
        before = resume_from_file(given.resume, turn)
    except BadInputError as error:
        raise BadInputError(f"--resume: {error}") from None
    if given.variant not in (None, before.variant):
        raise BadInputError(f"--variant: the record is one of {before.variant}; leave it out")
    return before


def _humans(given: str | None, board: Board) -> list[Power]:
    """Read which powers people play."""
    if given is None:
        return []
    try:
        return [board.power(name.strip().upper()) for name in given.split(",")]
    except BadInputError as error:
        raise BadInputError(f"--human: {error}") from None


def _broker(url: str | None) -> "BrokerAddress | None":
    """Read the address of a broker."""
    if url is None:
        return None
    from feed.address import read_address  # noqa: PLC0415 - few have a broker

    return read_address(url)


def _check_bots(bots: Iterable[str]) -> None:
    for bot in dict.fromkeys(bots):
        try:
            check_bot(bot)
        except BadInputError as error:
            raise BadInputError(f"--bots: {error}") from None
