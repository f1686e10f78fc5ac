"""What a client may not put into the ears of others: tokens nobody knows, control characters.

Old clients break off the connection at a token they do not know, and a control character in a name
or a text does what it likes to a terminal. Bytes above 0x7F are left alone: they may be UTF-8.
"""

from collections.abc import Set as AbstractSet
from functools import cache

from grammar import messages as m
from grammar.messages import ClientMessage
from grammar.parse import Fault, Garbled
from grammar.press import Understand
from grammar.representation import Representation
from grammar.tokens import Token, Tokens, Word, is_integer, is_text

_WORDS = frozenset(map(int, Word))
_DELETE = 0x7F


# What of these is said reaches other clients: names in SMR, the rest as it is.
_PASSED_ON = (m.Name, m.Observe, m.Admin, m.SendPress)


def judge_unfit(
    message: ClientMessage | Fault, tokens: Tokens, names: Representation
) -> ClientMessage | Fault:
    """Return a message as it was read, or a fault if others must not hear what is in it."""
    if not isinstance(message, _PASSED_ON):
        return message
    if isinstance(message, m.SendPress) and isinstance(message.press, Understand):
        return message  # words that nobody knows are taken out of a TRY
    place = first_unfit(tokens, names)
    return message if place is None else Garbled(tokens, place)


def first_unfit(tokens: Tokens, names: Representation) -> int | None:
    """Return the place of the first token that must not be passed on, None if all may be."""
    known = _known(names)
    return next((place for place, token in enumerate(tokens) if not _is_fit(token, known)), None)


@cache
def _known(names: Representation) -> frozenset[Token]:
    return _WORDS.union(names.powers, names.provinces)


def _is_fit(token: Token, known: AbstractSet[Token]) -> bool:
    if is_text(token):
        character = token & 0xFF
        return character >= 0x20 and character != _DELETE
    return token in known or is_integer(token)
