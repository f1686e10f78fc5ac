"""How commands read their arguments: with an example in their help, and nothing abbreviated.

What is wrong is said in one sentence that names the option, before anything is started. Like
`cli.children` this needs nothing of ours, and every package but the rules may import it.
"""

import argparse
import math
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NoReturn

HIGHEST_PORT = 65535
HIGHEST_SEED = 2**63
LAST_YEAR = 9999
MOST_JOBS = 1000
LONGEST = 1e9
LONGEST_SENTENCE = 1000


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        what = message.removeprefix("argument ")
        if unknown := re.match(r"unrecognized arguments: (--[\w-]+)", what):
            what += suggestion(unknown[1], self._option_string_actions)
        self.exit(2, f"{one_line(f'{self.prog}: {what}; see {self.prog} --help')}\n")

    def parse_known_args(  # type: ignore[override]  # no other kind of namespace is used
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Refuse `--option=--`, of which argparse would make an empty list."""
        for each in args or ():
            if each.startswith("--") and each.endswith("=--"):
                self.error(f"{each.removesuffix('=--')}: '--' is no value")
        return super().parse_known_args(args, namespace)


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return a question whether another word was meant, nothing if none is like it."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for those who mistype

    found = get_close_matches(word, list(known), 1)
    return f" (did you mean {found[0]}?)" if found else ""


def one_line(sentence: str) -> str:
    """Return a sentence for a terminal: no characters that it would obey, and an end in sight."""
    text = "".join(each if each.isprintable() else repr(each)[1:-1] for each in sentence)
    if len(text) <= LONGEST_SENTENCE:
        return text
    return f"{text[: LONGEST_SENTENCE // 2]} ... {text[-LONGEST_SENTENCE // 4 :]}"


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
year = whole(1, LAST_YEAR)
jobs = whole(1, MOST_JOBS)


def is_host(text: str) -> bool:
    """Whether a text may be the name or the address of a machine: resolvers raise at others."""
    try:
        return bool(text.strip() and text.encode("idna"))
    except UnicodeError:
        return False


def host(text: str) -> str:
    """Read the name or the address of a machine."""
    if not is_host(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a machine, nor an address")
    return text


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
