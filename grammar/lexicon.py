"""The lexer: which symbol of the grammar each token is, and which value it has in this game."""

from collections.abc import Mapping
from typing import Any

from grammar.builders import WORD_VALUES
from grammar.parse_table import END, ParseTable
from grammar.representation import Representation
from grammar.text import to_text
from grammar.tokens import (
    Category,
    Token,
    Tokens,
    Word,
    integer_value,
    is_integer,
    is_text,
    text_value,
)

_NO_KIND = -1
_OPEN, _CLOSE, _HUH = int(Word.BRA), int(Word.KET), int(Word.HUH)

# Words that the grammar knows by their category, or not at all.
_BRACKETS = {Word.BRA: "_BRA", Word.KET: "_KET"}
_WITHDRAWN = {
    Word.IOU: "OTHER_PRESS",
    Word.UOM: "OTHER_PRESS",
    Word.PPT: "OTHER_PRESS",
    Word.BPR: "",
    Word.NST: "",
}
_CATEGORIES = {
    Category.ORDER_NOTE: "NOTE",
    Category.RESULT: "RESULT",
    Category.COAST: "COAST",
    Category.SEASON: "SEASON",
}
_TERMINALS = (
    {word: _CATEGORIES.get(Category(word >> 8), word.name) for word in Word}
    | _BRACKETS
    | _WITHDRAWN
    | {Word.RET: "RET"}
)


class Lexicon:
    """The symbols of one press level and the names of one game."""

    def __init__(self, table: ParseTable, names: Representation) -> None:
        self._end = table.terminals[END]
        self._text = table.terminals["TEXT"]
        self._quoted = table.terminals.get("QUOTED", _NO_KIND)
        self._kinds = _Kinds(table.terminals, names)
        self._values = _Values(names)

    def look_up(self, tokens: Tokens) -> tuple[list[int], list[Any], list[int] | None]:
        """Return kinds with the end symbol, values, and the place of each if some were joined.

        The brackets of tokens that hold a HUH must match.
        """
        kinds = list(map(self._kinds.__getitem__, tokens))
        if self._text in kinds or _HUH in tokens:
            return self._joined(tokens, kinds)
        kinds.append(self._end)
        return kinds, list(map(self._values.__getitem__, tokens)), None

    def _joined(self, tokens: Tokens, kinds: list[int]) -> tuple[list[int], list[Any], list[int]]:
        """Join each run of text to one symbol, and what a HUH quotes to another."""
        symbols: list[tuple[int, Any, int]] = []
        place = 0
        while place < len(tokens):
            kind, value, length = kinds[place], self._values[tokens[place]], 1
            if kind == self._text:
                length = _text_length(tokens, place)
                value = text_value(tokens[place : place + length])
            symbols.append((kind, value, place))
            place += length
            if tokens[max(0, place - 2) : place] == (_HUH, _OPEN):
                length = _quoted_length(tokens, place)
                symbols.append((self._quoted, tokens[place : place + length], place))
                place += length
        symbols.append((self._end, None, place))
        return (
            [kind for kind, _, _ in symbols],
            [value for _, value, _ in symbols],
            [place for _, _, place in symbols],
        )


class _Kinds(dict[Token, int]):
    """The kind of each token; those that are not words are worked out when first met."""

    def __init__(self, terminals: Mapping[str, int], names: Representation) -> None:
        super().__init__()
        self._terminals = terminals
        for word in Word:
            self[int(word)] = terminals.get(_TERMINALS[word], _NO_KIND)
        for token in names.powers:
            self[token] = terminals["POWER"]
        for token in names.provinces:
            self[token] = terminals["CENTER" if token >> 8 & 1 else "PLAIN_PROVINCE"]

    def __missing__(self, token: Token) -> int:
        kind = _NO_KIND
        if is_integer(token):
            kind = self._terminals["INTEGER"]
        elif is_text(token):
            kind = self._terminals["TEXT"]
        elif token >> 8 == Category.PRESS:
            kind = self._terminals.get("OTHER_PRESS", _NO_KIND)
        self[token] = kind
        return kind


class _Values(dict[Token, Any]):
    """The value of each token; numbers are worked out when first met."""

    def __init__(self, names: Representation) -> None:
        super().__init__()
        for word in Word:
            self[int(word)] = WORD_VALUES.get(word.name, word.name)
        self.update(names.powers)
        self.update(names.provinces)

    def __missing__(self, token: Token) -> Any:  # noqa: ANN401 - as the terminals have it
        value = integer_value(token) if is_integer(token) else to_text((token,))
        self[token] = value
        return value


def _text_length(tokens: Tokens, start: int) -> int:
    end = start
    while end < len(tokens) and is_text(tokens[end]):
        end += 1
    return end - start


def _quoted_length(tokens: Tokens, start: int) -> int:
    """Count the tokens up to the bracket that closes the quotation."""
    depth, end = 1, start
    while depth:
        depth += (tokens[end] == _OPEN) - (tokens[end] == _CLOSE)
        end += 1
    return end - 1 - start
