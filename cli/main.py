"""Dispatch `daide NAME ...` to the module that implements NAME.

Nothing but the standard library is imported before the subcommand is known, so that `daide --help`
answers at once. A subcommand is a function `(arguments) -> exit code` of its module, mostly `main`.
"""

import errno
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from types import FrameType
from typing import NamedTuple

from cli.foreign import ROOT, complaint, foreign_packages

BAD_USAGE = 2
NO_ROOM = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
BY_SIGNAL = 128
"""A command that a signal has ended returns this and the signal's number: 130 after Ctrl-C."""
INTERRUPTED = BY_SIGNAL + signal.SIGINT
KERNEL = "rules/kernel/_compiled/simulator"
PLAIN = "the rules kernel is not compiled, so games take longer; `daide doctor` says why"
KNOWN_TO_BE_PLAIN = "DAIDE_KERNEL_COMES"
"""Set by whoever has said it already."""

LAST_MOMENT = 10.0
"""Seconds that a command has to end after SIGTERM or SIGHUP."""


class Subcommand(NamedTuple):
    """Where a subcommand lives, and its line in `daide --help`."""

    module: str
    summary: str
    function: str = "main"
    plays: bool = False
    """Whether it takes time that a compiled kernel would save."""


SUBCOMMANDS = {
    "admin": Subcommand("server.admin_cli", "give a command to a running server"),
    "adjudicate": Subcommand(
        "cli.adjudicate", "judge positions and orders, one JSON object a line", plays=True
    ),
    "bench": Subcommand("benchmarks.cli", "say how fast the parts are here", plays=True),
    "bot": Subcommand("bots.cli", "play one power of a game", plays=True),
    "bots": Subcommand("bots.cli", "list the bots", "list_bots"),
    "compare": Subcommand(
        "tournament.compare_cli", "say which of two bots is better, in one sentence", plays=True
    ),
    "completion": Subcommand("cli.completion", "let your shell complete commands and options"),
    "doctor": Subcommand("cli.doctor", "say what is here, what is missing, and the cure"),
    "import": Subcommand("exchange.import_cli", "make records of other programs' saved games"),
    "patterns": Subcommand("bots.patterns_cli", "train pattern weights and show them", plays=True),
    "searchbot": Subcommand(
        "bots.searchbot_cli", "learn how searchbot judges positions", plays=True
    ),
    "play": Subcommand("spectator.play_cli", "play a whole game of bots and watch it", plays=True),
    "export": Subcommand("spectator.export_cli", "write a recorded game in another form"),
    "parse": Subcommand("grammar.cli", "check DAIDE messages and say what they mean"),
    "serve": Subcommand("server.cli", "host games for DAIDE clients", plays=True),
    "tables": Subcommand("tournament.tables_cli", "write a tournament as tidy tables"),
    "tournament": Subcommand(
        "tournament.cli", "play many games by a plan and compare the bots", plays=True
    ),
    "watch": Subcommand("spectator.watch_cli", "follow a game of a server elsewhere"),
}

USAGE = """usage: daide COMMAND [ARGUMENTS]

A DAIDE server, client library and bots for the board game Diplomacy.

commands:
{commands}

`daide COMMAND --help` explains a command and shows an example."""


def main(arguments: list[str] | None = None, *, is_child: bool = False) -> int:
    """Run one subcommand and return its exit code; a child leaves the remarks to its parent."""
    stand_in_for_closed_files()
    given = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
    name = given[0]
    try:
        code = dispatch(*given, is_child=is_child)
        # What does not fit anywhere is said here, not by the interpreter when we are gone.
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has left, as `head` does; say nothing, also not at exit.
        let_go_of_output()
        return 0
    except (OSError, ExceptionGroup) as error:
        if (found := trouble_with_a_file(error)) is None:
            raise
        command = f"daide {name}" if name in SUBCOMMANDS else "daide"
        if found.errno not in NO_ROOM:
            return complain(f"{command}: {found.filename}: cannot be used: {found.strerror}")
        let_go_of_output()
        where = found.filename or "the output"
        return complain(
            f"{command}: {where}: cannot be written: {found.strerror}; make room for it"
        )
    return code


def dispatch(name: str, *rest: str, is_child: bool) -> int:
    """Answer the questions about ourselves, and hand everything else on."""
    if name == "help" and rest and rest[0] in SUBCOMMANDS:
        return run(rest[0], [*rest[1:], "--help"])
    if name in ("-h", "--help", "help"):
        print(usage())
        return 0
    if name == "--version":
        return print_version()
    if name not in SUBCOMMANDS:
        from cli.parsing import suggestion  # noqa: PLC0415 - not needed to answer --help

        known = sorted(SUBCOMMANDS)
        what = f"no such command: {name!r}{suggestion(name, known)}"
        return complain(f"daide: {what}; the commands are {', '.join(known)}")
    if not is_child and SUBCOMMANDS[name].plays and not {"-h", "--help"} & {*rest}:
        note_plain_kernel()
    return run(name, list(rest))


def run(name: str, arguments: list[str]) -> int:
    """Import the subcommand and call it, turning the ways it may stop into exit codes."""
    if found := foreign_packages():
        return complain(f"daide: {complaint(found)}")
    from rules.errors import BadInputError  # noqa: PLC0415 - not needed to answer --help

    command = SUBCOMMANDS[name]
    code: int
    try:
        with signals_end_us() as received, remarks_in_one_line(name):
            code = getattr(import_module(command.module), command.function)(arguments)
    except BadInputError as error:
        return complain(f"daide {name}: {error}")
    except SystemExit as left:  # a parser that has answered --help, or found a mistake
        if isinstance(left.__context__, BrokenPipeError):  # rich ends a program so
            return 0
        return left.code if isinstance(left.code, int) else BAD_USAGE
    except KeyboardInterrupt:
        code = INTERRUPTED
    # Whoever handles Ctrl-C by itself does not know which signal it stood for.
    return BY_SIGNAL + received[-1] if received and code == INTERRUPTED else code


def stand_in_for_closed_files() -> None:
    """Let nothing come in, or go nowhere, where whoever started us has closed a standard file."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # The lowest free number is that of the closed file: nothing else will take its place.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - it stays open


def let_go_of_output() -> None:
    """Send what is still to be written nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def trouble_with_a_file(error: OSError | ExceptionGroup[Exception]) -> OSError | None:
    """Return the error of a full disk or of a file that is named, also if it is one of several."""
    if isinstance(error, OSError):
        return error if error.errno in NO_ROOM or error.filename is not None else None
    errors = (each for each in error.exceptions if isinstance(each, OSError | ExceptionGroup))
    return next(filter(None, map(trouble_with_a_file, errors)), None)


@contextmanager
def signals_end_us() -> Iterator[list[int]]:
    """Let SIGTERM and SIGHUP end a command as Ctrl-C does, with time to end what it has started.

    Whoever knows better, as the server does, sets a handler of its own. The list holds what came.
    """
    received: list[int] = []

    def interrupt(number: int, _: FrameType | None) -> None:
        received.append(number)
        # Whatever hangs on the way out: nobody has to ask twice. Our children end with us.
        last_word = threading.Timer(LAST_MOMENT, os._exit, [BY_SIGNAL + number])
        last_word.daemon = True
        last_word.start()
        signal.raise_signal(signal.SIGINT)

    names = ("SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    # A signal that is ignored already, as by `nohup`, stays so.
    before = {each: signal.getsignal(each) for each in numbers}
    ours = [each for each, handler in before.items() if handler is signal.SIG_DFL]
    if ours and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A script's background jobs ignore Ctrl-C, by which we end also when SIGTERM comes.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in ours:
        signal.signal(number, interrupt)
    try:
        yield received
    finally:
        for number in ours:
            signal.signal(number, before[number])


@contextmanager
def remarks_in_one_line(name: str) -> Iterator[None]:
    """Show what was mended in the input as a sentence; other warnings are for programmers."""
    from rules.errors import MendedInputWarning  # noqa: PLC0415 - as above

    usual = warnings.formatwarning

    def sentence(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        line: str | None = None,
    ) -> str:
        if issubclass(category, MendedInputWarning):
            return f"daide {name}: {message}\n"
        return usual(message, category, filename, lineno, line)

    warnings.formatwarning = sentence
    try:
        yield
    finally:
        warnings.formatwarning = usual


def note_plain_kernel() -> None:
    """Say that it could go faster, unless that is known."""
    if any(name in os.environ for name in ("DAIDE_PURE", KNOWN_TO_BE_PLAIN)):
        return
    if not any((ROOT / f"{KERNEL}{suffix}").exists() for suffix in EXTENSION_SUFFIXES):
        print(f"daide: {PLAIN}", file=sys.stderr)


def usage() -> str:
    """Return the text of `daide --help`."""
    lines = (f"  {name:<12} {command.summary}" for name, command in sorted(SUBCOMMANDS.items()))
    return USAGE.format(commands="\n".join(lines))


def print_version() -> int:
    """Print our version."""
    from daide import __version__  # noqa: PLC0415 - nothing of ours is imported before it is needed

    print(__version__)
    return 0


def complain(sentence: str) -> int:
    """Say what is wrong in one sentence and return the exit code for bad usage."""
    from cli.parsing import one_line  # noqa: PLC0415 - not needed to answer --help

    print(one_line(sentence), file=sys.stderr)
    return BAD_USAGE
