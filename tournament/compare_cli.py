"""`daide compare`: which of two bots is better, in one sentence."""

import argparse
import json
import sys
from math import isfinite

from bots.registry import make_bot
from cli.parsing import command_parser, jobs, seconds, seed, whole, year
from grammar.tables import LEVELS
from rules.errors import BadInputError
from rules.variants import load_board
from tournament.compare import Comparison, Verdict, compare
from tournament.pool import LocalPool, WorkersFailedError
from tournament.spec import Rules

EXAMPLE = """examples:
  daide compare dumbbot dumbbot/wide
  daide compare mybot:New mybot:Old --against dumbbot,banker --press-level 20
  daide compare mcts dbrane --games 140 --think 0.5

Both play the same games, in every seat in turn, against the same opponents with the same seeds. It
ends by itself as soon as the difference is clear, or surely below 0.02 of the squares; the answer
is wrong in at most 5 of 100 runs, however often one looks. Exit code 1 if a game was aborted or a
bot failed; which, and where, is told."""
AUTO = "auto"
MOST_GAMES = 1400
MOST_ASKED_FOR = 1_000_000


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    comparison = _comparison(options)
    pool = LocalPool(options.jobs)
    try:
        verdict = compare(comparison, pool, _quiet if options.json else _tell)
    except WorkersFailedError as error:
        print(f"daide compare: {error}", file=sys.stderr)
        return 1
    finally:
        pool.close()
    if sys.stderr.isatty() and not options.json:
        print(file=sys.stderr)
    for fault in verdict.faults:
        print(f"daide compare: {fault}", file=sys.stderr)
    print(json.dumps(_as_json(verdict)) if options.json else verdict.sentence)
    return 1 if verdict.aborted or verdict.faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("compare", "Say which of two bots is better.", EXAMPLE)
    parser.add_argument("first", metavar="A", help="a bot as in `daide bots`, or module:Class")
    parser.add_argument("second", metavar="B", help="another")
    parser.add_argument(
        "--against", default="dumbbot", metavar="BOT,...", help="the others (%(default)s)"
    )
    parser.add_argument(
        "--games",
        default=AUTO,
        metavar="N",
        help="so many, in every seat alike, or `auto` (%(default)s)",
    )
    parser.add_argument("--press-level", type=whole(0), default=0, metavar="N", help="default: 0")
    parser.add_argument(
        "--last-year", type=year, default=1910, metavar="YEAR", help="default: 1910"
    )
    parser.add_argument("--think", type=seconds, metavar="SECONDS", help="longest time for a turn")
    parser.add_argument("--variant", default="standard", help="the map (%(default)s)")
    parser.add_argument("--seed", type=seed, default=1, metavar="N", help="default: 1")
    parser.add_argument("--jobs", type=jobs, metavar="N", help="games at once (default: cores)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    return parser


def _comparison(options: argparse.Namespace) -> Comparison:
    against = tuple(each.strip() for each in options.against.split(",") if each.strip())
    if not against:
        raise BadInputError("--against: there is no bot in it")
    for place, bot in (("A", options.first), ("B", options.second)):
        _check(place, bot)
    for bot in against:
        _check("--against", bot)
    if options.press_level not in LEVELS:
        raise BadInputError(f"--press-level: {options.press_level} is none of {list(LEVELS)}")
    board = load_board(options.variant)
    powers = tuple(power.name for power in board.powers)
    first_year = board.start.turn.year
    if options.last_year < first_year:
        raise BadInputError(f"--last-year: the game begins in {first_year}")
    return Comparison(
        first=options.first,
        second=options.second,
        against=against,
        powers=powers,
        rules=Rules(
            press_level=options.press_level, last_year=options.last_year, think=options.think
        ),
        variant=options.variant,
        seed=options.seed,
        most_pairs=_pairs(options.games, len(powers)),
        is_sequential=options.games == AUTO,
    )


def _check(place: str, bot: str) -> None:
    try:
        make_bot(bot)
    except BadInputError as error:
        raise BadInputError(f"{place}: {error}") from None


def _pairs(games: str, seats: int) -> int:
    if games == AUTO:
        return MOST_GAMES // 2
    try:
        whole(2 * seats, MOST_ASKED_FOR)(games)
    except argparse.ArgumentTypeError as error:
        raise BadInputError(f"--games: {error}; or write {AUTO}") from None
    pairs = -(-int(games) // (2 * seats)) * seats
    if 2 * pairs != int(games):
        why = "so that both sit in every seat equally often"
        print(f"daide compare: {games} games become {2 * pairs}, {why}", file=sys.stderr)
    return pairs


def _quiet(_: Verdict) -> None:
    """Say nothing until the end."""


def _tell(verdict: Verdict) -> None:
    line = f"{verdict.games} games: {verdict.figures}"
    if sys.stderr.isatty():
        print(f"\r{line:<75}", end="", file=sys.stderr, flush=True)
    else:
        print(line, file=sys.stderr)


def _as_json(verdict: Verdict) -> dict[str, object]:
    return {
        "verdict": verdict.word,
        "sentence": verdict.sentence,
        "difference": verdict.difference,
        # JSON has no word for what has no bounds.
        "interval": [each if isfinite(each) else None for each in verdict.interval],
        "games": verdict.games,
        "means": list(verdict.means),
        "aborted": verdict.aborted,
        "faults": list(verdict.faults),
    }
