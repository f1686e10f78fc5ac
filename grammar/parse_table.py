"""A parser as a value: what to do in which state, without the library that works it out."""

from collections.abc import Mapping

from attrs import frozen

END = "$END"


@frozen
class Production:
    """One line of the grammar: what it makes of how many symbols, and which of them have values.

    `lists` counts among the values: those are lists, of as many items as the message has.
    """

    action: str
    makes: int
    length: int
    values: tuple[int, ...]
    lists: tuple[int, ...]


@frozen
class ParseTable:
    """A parser: for each state what to do at each terminal, and where a finished rule leads.

    An action of zero or more is the next state, a negative one is the production `~action`.
    """

    terminals: Mapping[str, int]
    productions: tuple[Production, ...]
    actions: tuple[dict[int, int], ...]
    gotos: tuple[dict[int, int], ...]
    starts: Mapping[str, int]
    ends: Mapping[str, int]
