"""Dialects: the few words that programs number differently, translated at the connection.

Inside our programs every word has its reference number; a connection whose peer speaks another
dialect translates what comes in and what goes out. All other tokens are the same everywhere.
"""

from collections.abc import Iterable
from enum import Enum

from grammar.tokens import Token, Tokens, Word

_DOCUMENT = {Word.FWD: 0x4A06, Word.FCT: 0x4A07, Word.FOR: 0x4A08}
_DIPLOMACY = {Word.NAR: 0x4A25, Word.CCL: 0x4A26}


class Dialect(Enum):
    """Whose numbers a peer uses for FCT, FOR, FWD, CCL and NAR."""

    REFERENCE = "reference"
    """AiServer, Mapper and every bot of the C++ framework: FCT 06, FOR 07, FWD 08."""

    DOCUMENT = "document"
    """The protocol document, Parlance and the Java libraries: FWD 06, FCT 07, FOR 08."""

    DIPLOMACY = "diplomacy"
    """The Python package `diplomacy`: as the reference, with CCL and NAR exchanged."""

    def to_wire(self, tokens: Iterable[Token]) -> Tokens:
        """Translate our tokens into the peer's."""
        return _translated(tokens, _TO_WIRE[self])

    def from_wire(self, tokens: Iterable[Token]) -> Tokens:
        """Translate the peer's tokens into ours."""
        return _translated(tokens, _FROM_WIRE[self])


def _translated(tokens: Iterable[Token], table: dict[Token, Token]) -> Tokens:
    if not table:
        return tuple(tokens)
    return tuple(table.get(token, token) for token in tokens)


_TO_WIRE: dict[Dialect, dict[Token, Token]] = {
    Dialect.REFERENCE: {},
    Dialect.DOCUMENT: {int(word): number for word, number in _DOCUMENT.items()},
    Dialect.DIPLOMACY: {int(word): number for word, number in _DIPLOMACY.items()},
}
_FROM_WIRE = {
    dialect: {number: word for word, number in table.items()} for dialect, table in _TO_WIRE.items()
}
