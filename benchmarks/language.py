"""Messages read to typed values and written back, per second, against Lark's own parser.

    python -m benchmarks.language [--json] [--seconds S]

Every figure is the best of several rounds, in CPU time. `lark` is the parser that Lark itself makes
of the same grammar files, with the same symbols handed to it: it gives a tree, no typed values, and
writes nothing back. The peer's figure is quoted, not measured: it is what daidepp, a PEG grammar
for press, was measured to do at level 20 on a core of this size.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from time import process_time

from attrs import asdict, frozen
from lark import Lark
from lark import Token as LarkToken
from lark.lexer import Lexer

from grammar.boards import map_definition
from grammar.messages import Now
from grammar.parse import Garbled, Reader, Unbalanced, reader_for
from grammar.tables import grammar_text, table_for
from grammar.text import from_text
from grammar.tokens import Tokens
from grammar.write import write
from rules.maps import load_map

LEVEL = 20
DAIDEPP_LEVEL_20 = 730
ROUNDS = 5
ORDERS = (
    "( ( RUS AMY MOS ) MTO UKR ) ( ( RUS AMY WAR ) SUP ( RUS AMY MOS ) MTO UKR ) "
    "( ( RUS FLT SEV ) MTO BLA ) ( ( RUS FLT ( STP SCS ) ) MTO GOB )"
)


@frozen
class Figure:
    """Messages per second: read, read and written back, and read by Lark."""

    message: str
    tokens: int
    read: float
    read_and_written: float
    lark: float

    @property
    def ratio(self) -> float:
        """How many times as fast as Lark we read a message and write it back."""
        return self.read_and_written / self.lark


class GivenKinds(Lexer):
    """Hands Lark the symbols that it is given."""

    def __init__(self, _configuration: object) -> None:
        pass

    def lex(self, kinds: Sequence[str]) -> Iterator[LarkToken]:  # type: ignore[override]  # kinds, not text
        """Wrap each symbol as Lark wants it."""
        return (LarkToken(kind, kind) for kind in kinds)


def messages() -> dict[str, tuple[str, Tokens]]:
    """Return the messages to measure, each with the start symbol it is read from."""
    board = load_map("standard")
    return {
        "NOW": ("server_message", write(Now(board.start.turn, board.start.units))),
        "ORD": (
            "server_message",
            from_text("ORD ( SPR 1901 ) ( ( RUS FLT SEV ) MTO BLA ) ( BNC )"),
        ),
        "SUB": ("client_message", from_text(f"SUB {ORDERS}")),
        "SND": (
            "client_message",
            from_text(
                "SND ( GER ) ( PRP ( XDO ( ( GER AMY MUN ) SUP ( ENG AMY HOL ) MTO KIE ) ) )"
            ),
        ),
        "MDF": ("server_message", write(map_definition(board))),
    }


def per_second(work: Callable[[], object], seconds: float) -> float:
    """Return how often the work is done in a second, in the best of several rounds."""
    work()
    best = 0.0
    for _ in range(ROUNDS):
        count, start = 0, process_time()
        while (passed := process_time() - start) < seconds / ROUNDS:
            for _ in range(10):
                work()
            count += 10
        best = max(best, count / passed)
    return best


def measure(name: str, start: str, tokens: Tokens, seconds: float) -> Figure:
    """Measure one message."""
    reader = reader_for(LEVEL)
    read = reader.client if start == "client_message" else reader.server

    def read_and_write() -> Tokens:
        value = read(tokens)
        assert not isinstance(value, Garbled | Unbalanced)
        return write(value)

    assert read_and_write() == tokens
    lark, kinds = lark_parser(), symbols(reader, tokens)
    return Figure(
        name,
        len(tokens),
        per_second(lambda: read(tokens), seconds),
        per_second(read_and_write, seconds),
        per_second(lambda: lark.parse(kinds, start), seconds),
    )


def lark_parser() -> Lark:
    """Return Lark's own parser of the same grammar."""
    return Lark(
        grammar_text(LEVEL, partial_draws=True),
        parser="lalr",
        lexer=GivenKinds,
        start=["client_message", "server_message"],
        maybe_placeholders=False,
    )


def symbols(reader: Reader, tokens: Tokens) -> list[str]:
    """Return the symbols of the grammar that the tokens are."""
    numbers, _, _ = reader._lexicon.look_up(tokens)  # noqa: SLF001 - so that both read the same
    terminals = table_for(LEVEL, partial_draws=True).terminals
    names = {number: name for name, number in terminals.items()}
    return [names[number] for number in numbers[:-1]]


def main() -> int:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each figure")
    options = parser.parse_args()
    figures = [
        measure(name, start, tokens, options.seconds)
        for name, (start, tokens) in messages().items()
    ]
    if options.json:
        print(json.dumps(report(figures)))
    else:
        print_lines(figures)
    return 0


def report(figures: list[Figure]) -> dict[str, object]:
    """Return the figures as JSON has them."""
    rounded = ("read", "read_and_written", "lark")
    return {
        "level": LEVEL,
        "unit": "messages per second, one core",
        "messages": [
            {**asdict(each), **{field: round(getattr(each, field)) for field in rounded}}
            | {"times_lark": round(each.ratio, 1)}
            for each in figures
        ],
        "daidepp_level_20_quoted": DAIDEPP_LEVEL_20,
        "times_daidepp": round(press_figure(figures).read_and_written / DAIDEPP_LEVEL_20, 1),
    }


def press_figure(figures: list[Figure]) -> Figure:
    """Return the figure of the message with press."""
    return next(each for each in figures if each.message == "SND")


def print_lines(figures: list[Figure]) -> None:
    """Print a line for each message, and the comparison with the peer."""
    print(f"messages per second on one core, level {LEVEL}")
    print("message  tokens      read  read+written  lark (tree only)  read+written / lark")
    for each in figures:
        print(
            f"{each.message:<7} {each.tokens:>7} {each.read:>9,.0f} {each.read_and_written:>13,.0f}"
            f" {each.lark:>17,.0f} {each.ratio:>20.1f}"
        )
    rate = press_figure(figures).read_and_written
    print(
        f"daidepp, level 20: {DAIDEPP_LEVEL_20} a second (quoted, not measured); "
        f"SND here: {rate:,.0f}, {rate / DAIDEPP_LEVEL_20:.0f} times that"
    )


if __name__ == "__main__":
    sys.exit(main())
