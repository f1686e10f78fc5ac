"""How commands read their arguments: with an example in their help, and nothing abbreviated.

What is wrong is said in one sentence that names the option, before anything is started. Like
`cli.children` this needs nothing of ours, and every package but the rules may import it.
"""

import argparse
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

HIGHEST_PORT = 65535
HIGHEST_SEED = 2**63
LONGEST = 1e9


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        what = message.removeprefix("argument ")
        self.exit(2, f"{self.prog}: {what}; see {self.prog} --help\n")


def command_parser(name: str, purpose: str, example: str) -> Parser:
    """Return a parser for `daide NAME`; the example is printed as it stands."""
    return Parser(
        prog=f"daide {name}",
        description=purpose,
        epilog=example,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        # An abbreviation that works today may mean two options tomorrow.
        allow_abbrev=False,
    )


def whole(lowest: int, highest: int | None = None) -> Callable[[str], int]:
    """Read a whole number within bounds."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if number < lowest or (highest is not None and number > highest):
            bounds = f"at least {lowest}" if highest is None else f"between {lowest} and {highest}"
            raise argparse.ArgumentTypeError(f"{number} is not {bounds}")
        return number

    return read


port = whole(1, HIGHEST_PORT)
seed = whole(0, HIGHEST_SEED)


def seconds(text: str) -> float:
    """Read a time above zero."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < LONGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number


def new_file(text: str) -> Path:
    """Read the name of a file that is to be written, and see that it can be."""
    path = Path(text)
    if problem := why_not_writable(path):
        raise argparse.ArgumentTypeError(problem)
    return path


def why_not_writable(path: Path) -> str | None:
    """Say why a file cannot be written there; None if it can."""
    if path.is_dir():
        return f"{str(path)!r} is a folder; name a file in it"
    if not path.parent.is_dir():
        return f"there is no folder {str(path.parent)!r}; make it, or name another"
    place = path if path.exists() else path.parent
    if not os.access(place, os.W_OK):
        return f"{str(place)!r} may not be written to"
    return None
