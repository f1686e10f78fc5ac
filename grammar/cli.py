"""`daide parse`: check DAIDE messages and say what they mean."""

import argparse
import json
import sys
from collections.abc import Iterable
from typing import Any

import attrs

from cli.parsing import command_parser
from grammar.english import describe
from grammar.messages import DaideMessage
from grammar.parse import HIGHEST_LEVEL, Fault, Garbled, Sender, Unbalanced, parse
from grammar.tables import LEVELS
from grammar.text import NotTextError, from_text, to_text
from grammar.tokens import Tokens, Word
from grammar.write import write
from rules.errors import BadInputError
from rules.places import Location, Power, Province
from rules.turns import Turn

EXAMPLE = """example:
  daide parse --level 20 "SND ( ENG ) ( PRP ( PCE ( ENG FRA ) ) )"

Each message is an argument, or a line of standard input. One JSON object a message is printed, for
every line of the input one line: its lowest press level, its canonical text, an English sentence
and its parts; or where it is wrong, and the HUH or PRN that a server would answer; or "error":
"TEXT" with the word that does not exist and its place. Exit code 1 if any message is wrong, 2 if
any has a word that does not exist."""


def main(arguments: list[str]) -> int:
    """Run the command and return its exit code."""
    options = _parser().parse_args(arguments)
    if options.level not in LEVELS:
        levels = ", ".join(map(str, LEVELS))
        raise BadInputError(
            f"--level: no such press level: {options.level}; choose one of {levels}"
        )
    return max(
        (_examine_text(*message, options.level) for message in _messages(options.text)), default=0
    )


def _examine_text(place: str, text: str, level: int) -> int:
    """Print what there is to say about one message and return its exit code."""
    try:
        tokens = from_text(text)
    except NotTextError as error:
        print(json.dumps(_text_report(error)), flush=True)
        print(f"daide parse: {place}: {error}", file=sys.stderr)
        return 2
    report = examine(tokens, level)
    print(json.dumps(report), flush=True)
    return 0 if report["ok"] else 1


def _parser() -> argparse.ArgumentParser:
    parser = command_parser("parse", "Check DAIDE messages and say what they mean.", EXAMPLE)
    parser.add_argument("text", nargs="*", metavar="TEXT", help="a message in DAIDE text")
    parser.add_argument(
        "--level",
        type=int,
        default=HIGHEST_LEVEL,
        metavar="N",
        help="the press level of the game; what is above it is an error (default: all levels)",
    )
    return parser


def _messages(texts: list[str]) -> Iterable[tuple[str, str]]:
    """Give each message with the words that name its place."""
    if texts:
        return ((f"message {number}", text) for number, text in enumerate(texts, 1))
    # An empty line is an empty message: what comes out lines up with what goes in.
    return ((f"line {number}", line.rstrip("\n")) for number, line in enumerate(sys.stdin, 1))


def examine(tokens: Tokens, level: int = HIGHEST_LEVEL) -> dict[str, Any]:
    """Return what there is to say about a message."""
    message = read_either(tokens, level)
    if isinstance(message, Garbled | Unbalanced):
        return _fault_report(message)
    return {
        "ok": True,
        "level": lowest_level(tokens),
        "kind": Word(tokens[0]).name,
        "text": to_text(write(message)),
        "english": describe(message),
        "tree": tree(message),
    }


def read_either(tokens: Tokens, level: int) -> DaideMessage | Fault:
    """Read a message of a client or else of a server; of two faults take the later one."""
    from_client = parse(tokens, level, sender=Sender.CLIENT)
    if not isinstance(from_client, Garbled | Unbalanced):
        return from_client
    from_server = parse(tokens, level, sender=Sender.SERVER)
    if not isinstance(from_server, Garbled | Unbalanced):
        return from_server
    return from_client if from_client.at >= from_server.at else from_server


def lowest_level(tokens: Tokens) -> int:
    """Return the lowest press level at which a correct message is allowed."""
    return next(
        level
        for level in LEVELS
        if not isinstance(read_either(tokens, level), Garbled | Unbalanced)
    )


def _fault_report(fault: Fault) -> dict[str, Any]:
    answer = fault.answer()
    return {
        "ok": False,
        "error": "HUH" if isinstance(fault, Garbled) else "PRN",
        "at": fault.at,
        "reply": to_text(write(answer)) if answer else None,
    }


def _text_report(error: NotTextError) -> dict[str, Any]:
    """Say which word no token stands for; nothing of such a line could be on the wire."""
    return {
        "ok": False,
        "error": "TEXT",
        "at": error.at,
        "reply": None,
        "word": error.piece,
        "column": error.column,
        "why": str(error),
    }


def tree(value: object) -> Any:  # noqa: ANN401 - as deep as the message
    """Return a message as JSON: objects with the name of the class and of each field."""
    match value:
        case Power() | Province() | Location() | Turn():
            return str(value)
        case tuple():
            return [tree(item) for item in value]
        case _ if attrs.has(type(value)):
            fields = attrs.asdict(value, recurse=False)  # type: ignore[arg-type]  # any value of ours
            return {"class": type(value).__name__} | {key: tree(fields[key]) for key in fields}
        case _:
            return getattr(value, "value", value)
