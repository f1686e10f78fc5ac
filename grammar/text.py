"""Tokens as people write them: `SND ( ENG ) ( PRP ( PCE ( ENG FRA ) ) )`.

Words are separated by blanks, brackets may touch their neighbours, strings stand in apostrophes
with inner ones doubled, numbers are decimal, and a token without a name is `0x` and four digits.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from attrs import frozen

from grammar.representation import Representation, standard_representation
from grammar.tokens import (
    LARGEST_INTEGER,
    SMALLEST_INTEGER,
    Token,
    Tokens,
    Word,
    integer_token,
    integer_value,
    is_integer,
    is_text,
    text_tokens,
    text_value,
)
from rules.errors import BadInputError

_PIECE = re.compile(
    r"""\s*(?:
    (?P<bracket>[()])
    | (?P<string>'(?:[^']|'')*')
    | (?P<number>[+-]?[0-9]+)(?![\w'])
    | (?P<hexadecimal>0[xX][0-9a-fA-F]{4})(?!\w)
    | (?P<word>[^\s()']+)
    | (?P<open>')
    )""",
    re.VERBOSE,
)
_BREAKS = re.compile(r"[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
"""What one program or another takes for the end of a line."""
_NAMES = {int(word): word.name for word in Word} | {Word.BRA: "(", Word.KET: ")"}


class NotTextError(BadInputError):
    """A piece that is no token: `piece` stands at `column`, counted from 1, after `at` tokens."""

    def __init__(self, sentence: str, piece: str, column: int) -> None:
        super().__init__(sentence)
        self.piece = piece
        self.column = column
        self.at = 0


@frozen
class Piece:
    """One token or string of a text, and where it stands, counted from 1."""

    tokens: Tokens
    column: int


def from_text(text: str, representation: Representation | None = None) -> Tokens:
    """Read the text form; raises NotTextError that names the word and its place."""
    return tuple(token for piece in pieces(text, representation) for token in piece.tokens)


def pieces(text: str, representation: Representation | None = None) -> list[Piece]:
    """Read the text form, keeping the place of each piece."""
    names = representation or standard_representation()
    found = []
    text = text.rstrip()
    position = 0
    while position < len(text):
        match = _PIECE.match(text, position)
        assert match is not None  # the pattern takes any character
        kind = match.lastgroup or ""
        column = match.start(kind) + 1
        try:
            found.append(Piece(_tokens_of(kind, match[kind], column, names), column))
        except NotTextError as error:
            error.at = sum(len(piece.tokens) for piece in found)
            raise
        position = match.end()
    return found


def _tokens_of(kind: str, piece: str, column: int, names: Representation) -> Tokens:
    match kind:
        case "bracket":
            return (int(Word.BRA if piece == "(" else Word.KET),)
        case "string":
            return text_tokens(piece[1:-1].replace("''", "'"))
        case "number":
            return (_number(piece, column),)
        case "hexadecimal":
            return (int(piece, 16),)
        case "word":
            return (_word(piece, column, names),)
        case _:
            sentence = f"the string that starts at column {column} has no closing '"
            raise NotTextError(sentence, piece, column)


def _number(piece: str, column: int) -> Token:
    # Five digits are enough to be out of range, and Python converts no more than a few thousand.
    digits = piece.lstrip("+-0") or "0"
    number = int(digits[:5]) * (-1 if piece.startswith("-") else 1)
    if not SMALLEST_INTEGER <= number <= LARGEST_INTEGER:
        shown = piece if len(piece) <= 20 else f"{piece[:20]}..."
        raise NotTextError(
            f"the number {shown} at column {column} is outside -8192 to 8191, "
            "the range of a DAIDE number",
            piece,
            column,
        )
    return integer_token(number)


def _word(piece: str, column: int, names: Representation) -> Token:
    name = piece.upper()
    token = names.power_tokens.get(name, names.province_tokens.get(name))
    if token is not None:
        return token
    if name in Word.__members__:
        return int(Word[name])
    raise NotTextError(f"no such word: {piece!r} at column {column}", piece, column)


def to_text(tokens: Sequence[Token], representation: Representation | None = None) -> str:
    """Write tokens in the canonical text form; never fails."""
    names = representation or standard_representation()
    parts: list[str] = []
    for text, run in groupby(tokens, is_text):
        if text:
            parts.append("'" + text_value(run).replace("'", "''") + "'")
        else:
            parts.extend(_name(token, names) for token in run)
    return " ".join(parts)


def to_line(tokens: Sequence[Token], representation: Representation | None = None) -> str:
    """Write tokens as text on one line, for whoever reads a message a line.

    A line break in a free text is a blank: what somebody says must not pass for a message.
    """
    return _BREAKS.sub(" ", to_text(tokens, representation))


def _name(token: Token, names: Representation) -> str:
    if is_integer(token):
        return str(integer_value(token))
    place = names.powers.get(token) or names.provinces.get(token)
    name = place.name if place else _NAMES.get(token)
    # A name of digits, which an RM may list, would be read as a number.
    return name if name and not name.isdigit() else f"0x{token:04X}"
