"""`daide bot`: play one power of a game; `daide bots`: list who can."""

import argparse
import json
import shutil
import sys
from pathlib import Path

from bots.registry import ENTRIES, Entry, make_bot, title_of
from cli.parsing import command_parser, host, port, seconds, seed, whole
from daide import DEFAULT_PORT, LOOPBACK
from rules.errors import BadInputError

EXAMPLE = """example:
  daide bot dumbbot --port 16713 --seed 7
  daide bot mymodule:MyBot            a class in mymodule.py in this folder
  daide bot diplominator/0.2/stabs_at=12     a variant, with a parameter
  daide bot dumbbot/wide+blabbot      the orders of one bot, the talk of another
  daide bot --exec "./mybot --deep"   a program of any language, see docs/bots-in-any-language.md

A power of a running game is taken back with --power and --passcode. Exit code 1 if the server does
not let the bot in or is lost for good, or if the bot failed in the game."""


def main(arguments: list[str]) -> int:
    """Run `daide bot` and return its exit code."""
    options = _parser().parse_args(arguments)
    if (options.power is None) != (options.passcode is None):
        raise BadInputError("--power and --passcode: a power is taken back with both or not at all")
    if (options.bot is None) == (options.program is None):
        raise BadInputError("name a bot or give --exec PROGRAM, one of the two")
    if options.program is not None:
        return _run_program(options)
    bot = make_bot(options.bot, variant=options.variant)
    if options.check:
        return 0
    # Only now: whoever mistypes a name need not wait for the sockets.
    from bots.bot_command import run  # noqa: PLC0415 - only when called

    return run(bot, options.name or title_of(options.bot), options)


def _run_program(options: argparse.Namespace) -> int:
    from bots.bot_command import run_program  # noqa: PLC0415 - see above
    from bots.programs.run_program import command_of  # noqa: PLC0415 - only when called

    command = command_of(options.program)
    if shutil.which(command[0]) is None:
        raise BadInputError(f"--exec: there is no program {command[0]!r}")
    if options.check:
        return 0
    return run_program(command, options.name or Path(command[0]).stem, options)


def list_bots(arguments: list[str]) -> int:
    """Run `daide bots` and return its exit code."""
    if arguments[:1] == ["host"]:
        from bots.host_cli import main as host  # noqa: PLC0415 - the list needs no broker

        return host(arguments[1:])
    parser = command_parser(
        "bots",
        "List the bots: name, highest press level, what it does.",
        "example:\n  daide bots --json\n\n`daide bots host --help`: offer them to servers.",
    )
    parser.usage = "daide bots [-h] [--json]\n       daide bots host ..."
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    if parser.parse_args(arguments).json:
        json.dump([_described(entry) for entry in ENTRIES.values()], sys.stdout)
        print()
        return 0
    widest = max(map(len, ENTRIES))
    for entry in ENTRIES.values():
        variants = f" (variants: {', '.join(entry.variants)})" if entry.variants else ""
        print(f"{entry.name:<{widest}} {entry.level:>4}  {entry.summary}{variants}")
    return 0


def _described(entry: Entry) -> dict[str, object]:
    return {
        "name": entry.name,
        "press_level": entry.level,
        "summary": entry.summary,
        "variants": entry.variants,
    }


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("bot", "Play one power of a game.", EXAMPLE)
    parser.add_argument(
        "bot", metavar="NAME", nargs="?", help="a name of `daide bots`, or module:Class"
    )
    parser.add_argument(
        "--exec",
        dest="program",
        metavar="PROGRAM",
        help="a program of any language that reads and writes DAIDE text, a message a line",
    )
    parser.add_argument(
        "--host", type=host, default=LOOPBACK, help="the server (default: this machine)"
    )
    parser.add_argument("--port", type=port, default=DEFAULT_PORT, help="default: %(default)s")
    parser.add_argument("--power", metavar="FRA", help="the power to take back")
    parser.add_argument("--passcode", type=whole(0), metavar="N", help="its passcode")
    parser.add_argument("--seed", type=seed, metavar="N", help="makes the bot's chances repeatable")
    parser.add_argument("--name", metavar="TEXT", help="what the bot calls itself")
    parser.add_argument(
        "--think", type=seconds, metavar="SECONDS", help="the longest time to think about a turn"
    )
    parser.add_argument("--variant", metavar="NAME", help="which variant of the bot")
    parser.add_argument("--quiet", action="store_true", help="log only what goes wrong")
    parser.add_argument(
        "--tell-joined", action="store_true", help="print `joined` once the bot has its place"
    )
    parser.add_argument(
        "--tell-failures", action="store_true", help="tell failures as JSON on standard error"
    )
    parser.add_argument("--check", action="store_true", help="see that it can be made, no more")
    parser.add_argument("--wait", action="store_true", help="wait for a server that is not up yet")
    return parser
