"""Read messages: tokens in, a typed message out, or a value that says why not.

`parse` never raises on what a peer sends. Brackets that do not match give `Unbalanced` (the answer
is PRN), a token that cannot be right at the press level of the game gives `Garbled` (the answer is
HUH with ERR before that token). Length and depth are bounded before the parser sees anything.
"""

from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import TypeAlias, cast

from attrs import frozen

from grammar.builders import BUILDERS
from grammar.lexicon import Lexicon
from grammar.machine import Machine, WrongAt
from grammar.messages import ClientMessage, Huh, Prn, ServerMessage
from grammar.press import Press
from grammar.representation import Representation, standard_representation
from grammar.tables import LEVELS, table_for
from grammar.tokens import Token, Tokens, Word, first_unbalanced
from rules.orders import Order

HIGHEST_LEVEL = LEVELS[-1]
LONGEST_FROM_CLIENT = 4096
"""Tokens in a client's message; the largest real ones have a few hundred."""
DEEPEST = 64
"""Brackets inside each other; real press stays below ten."""


class Sender(Enum):
    """Who sent a message: the two sides speak different parts of the language."""

    CLIENT = "client_message"
    SERVER = "server_message"


@frozen
class Unbalanced:
    """Brackets do not match; a bracket without a partner is at `at`, or missing at the end."""

    tokens: Tokens
    at: int

    def answer(self) -> Prn | None:
        """Return the reply that the sender gets: none to HUH and PRN, which are never answered."""
        return None if _is_complaint(self.tokens) else Prn(self.tokens[:LONGEST_FROM_CLIENT])


@frozen
class Garbled:
    """Not in the language at this level: the token at `at` cannot be right."""

    tokens: Tokens
    at: int

    def answer(self) -> Huh | None:
        """Return the reply that the sender gets: none to HUH and PRN, which are never answered.

        Of a message too long to quote only the beginning is quoted, its brackets closed.
        """
        if _is_complaint(self.tokens):
            return None
        before, after = self.tokens[: self.at], self.tokens[self.at :]
        if len(self.tokens) > LONGEST_FROM_CLIENT:
            before = before[:LONGEST_FROM_CLIENT]
            open_brackets = before.count(_OPEN) - before.count(_CLOSE)
            after = (_CLOSE,) * open_brackets
        return Huh((*before, int(Word.ERR), *after))


Fault: TypeAlias = Garbled | Unbalanced


def parse(
    tokens: Sequence[Token],
    level: int = HIGHEST_LEVEL,
    *,
    sender: Sender = Sender.CLIENT,
    representation: Representation | None = None,
    partial_draws: bool = True,
) -> ClientMessage | ServerMessage | Fault:
    """Read one message of a client, or of a server, at a press level."""
    reader = reader_for(level, representation, partial_draws=partial_draws)
    return reader.client(tokens) if sender is Sender.CLIENT else reader.server(tokens)


def reader_for(
    level: int, representation: Representation | None = None, *, partial_draws: bool = True
) -> "Reader":
    """Return the reader of a game; it is made once and kept."""
    names = representation or standard_representation()
    return _reader(level, names, partial_draws)


@cache
def _machine(level: int, partial_draws: bool) -> Machine:  # noqa: FBT001 - a cache key
    return Machine(table_for(level, partial_draws=partial_draws), BUILDERS)


@cache
def _reader(level: int, names: Representation, partial_draws: bool) -> "Reader":  # noqa: FBT001 - a cache key
    table = table_for(level, partial_draws=partial_draws)
    return Reader(_machine(level, partial_draws), Lexicon(table, names), level)


class Reader:
    """Reads messages at one press level with the names of one game."""

    def __init__(self, machine: Machine, lexicon: Lexicon, level: int) -> None:
        self.level = level
        self._machine = machine
        self._lexicon = lexicon

    def client(self, tokens: Sequence[Token]) -> ClientMessage | Fault:
        """Read a message of a client."""
        return cast("ClientMessage | Fault", self._read(tokens, "client_message"))

    def server(self, tokens: Sequence[Token]) -> ServerMessage | Fault:
        """Read a message of a server, which may be as long as a frame can hold."""
        return cast("ServerMessage | Fault", self._read(tokens, "server_message", longest=None))

    def press(self, tokens: Sequence[Token]) -> Press | Fault:
        """Read press; at level 0 there is none."""
        if self.level == 0:
            return _unbalanced(tuple(tokens)) or Garbled(tuple(tokens), 0)
        return cast("Press | Fault", self._read(tokens, "press"))

    def order(self, tokens: Sequence[Token]) -> Order | Fault:
        """Read a single order, without SUB and brackets around it."""
        return cast("Order | Fault", self._read(tokens, "order"))

    def _read(
        self, tokens: Sequence[Token], start: str, longest: int | None = LONGEST_FROM_CLIENT
    ) -> object:
        tokens = tuple(tokens)
        if _is_complaint(tokens) and start in _MESSAGES:
            return _quotation(tokens)
        if fault := _check_before(tokens, longest):
            return fault
        kinds, values, places = self._lexicon.look_up(tokens)
        result = self._machine.run(start, kinds, values)
        if isinstance(result, WrongAt):
            at = places[result.place] if places else result.place
            return _unbalanced(tokens) or Garbled(tokens, at)
        return result


def _check_before(tokens: Tokens, longest: int | None) -> Fault | None:
    """Refuse what the parser should not see.

    No message of the language has brackets that do not match, so the parser finds that out itself;
    they are counted beforehand only where the parser or its lexer must be able to rely on them.
    """
    brackets = tokens.count(_OPEN)
    too_long = longest is not None and len(tokens) > longest
    if brackets <= DEEPEST and not too_long and _HUH not in tokens:
        return None
    if fault := _unbalanced(tokens):
        return fault
    place = _first_too_deep(tokens[:longest])
    if place is None and too_long:
        place = longest
    return None if place is None else Garbled(tokens, place)


def _unbalanced(tokens: Tokens) -> Unbalanced | None:
    place = first_unbalanced(tokens)
    return None if place is None else Unbalanced(tokens, place)


def _first_too_deep(tokens: Tokens) -> int | None:
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token == _OPEN) - (token == _CLOSE)
        if depth > DEEPEST:
            return place
    return None


def _quotation(tokens: Tokens) -> Huh | Prn | Fault:
    """Read HUH ( ... ) or PRN ( ... ), whatever stands inside; only PRN need not be balanced."""
    is_huh = tokens[0] == _HUH
    if is_huh and (fault := _unbalanced(tokens)):
        return fault
    if len(tokens) < 3 or tokens[1] != _OPEN:
        return Garbled(tokens, 1)
    inner = tokens[2:-1]
    if not is_huh:
        return Prn(inner) if tokens[-1] == _CLOSE else Garbled(tokens, len(tokens))
    surplus = first_unbalanced(inner)
    return Huh(inner) if surplus is None else Garbled(tokens, surplus + 3)


def _is_complaint(tokens: Tokens) -> bool:
    return bool(tokens) and tokens[0] in (_HUH, _PRN)


_MESSAGES = frozenset(sender.value for sender in Sender)
_OPEN, _CLOSE, _HUH, _PRN = int(Word.BRA), int(Word.KET), int(Word.HUH), int(Word.PRN)
