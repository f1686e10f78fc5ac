"""Read text made of words and round brackets, and remember the line of each.

The variant files of DAIDE servers are written so. Real files differ in case, line breaks, quotes
and comments; none of that carries meaning. May raise BadInputError.
"""

import re
import warnings
from typing import TypeAlias

from attrs import frozen

from rules.errors import BadInputError, MendedInputWarning

COMMENT = re.compile(r"(?:#|;|//).*")
PIECE = re.compile(r"[()]|[^\s()]+")


@frozen
class Word:
    """One word, in upper case and without quotes."""

    text: str
    line: int


@frozen
class Group:
    """What stands between a pair of brackets; `line` is that of the opening one."""

    items: tuple["Item", ...]
    line: int


Item: TypeAlias = Word | Group


@frozen
class Source:
    """A file's name, to say where a fault is."""

    name: str

    def fault(self, line: int, text: str) -> BadInputError:
        """Make the exception for a fault in that line."""
        return BadInputError(f"{self.name}, line {line}: {text}")

    def mended(self, line: int, text: str) -> None:
        """Warn of a fault in that line that does no harm, and of what was done about it."""
        warnings.warn(f"{self.name}, line {line}: {text}", MendedInputWarning, stacklevel=2)

    def group(self, item: Item | None, line: int, wanted: str) -> Group:
        """Insist on a bracketed group; `wanted` describes it."""
        if isinstance(item, Group):
            return item
        raise self.fault(item.line if item else line, f"expected a bracket with {wanted}")

    def word(self, item: Item | None, line: int, wanted: str) -> Word:
        """Insist on a word."""
        if isinstance(item, Word):
            return item
        raise self.fault(item.line if item else line, f"expected {wanted}")

    def words(self, items: tuple[Item, ...], line: int, wanted: str) -> list[Word]:
        """Insist on nothing but words."""
        return [self.word(item, line, wanted) for item in items]


def read_items(text: str, source: Source) -> Group:
    """Return the whole text as one group."""
    # One list per bracket still open, the outermost for the text itself.
    open_groups: list[tuple[int, list[Item]]] = [(1, [])]
    for number, line in enumerate(text.splitlines(), start=1):
        for piece in PIECE.findall(COMMENT.sub("", line)):
            if piece == "(":
                open_groups.append((number, []))
            elif piece != ")":
                open_groups[-1][1].append(Word(piece.strip("'\"").upper(), number))
            elif len(open_groups) == 1:
                raise source.fault(number, "a ')' without its '('; remove it or add the '('")
            else:
                start, items = open_groups.pop()
                open_groups[-1][1].append(Group(tuple(items), start))
    start, items = open_groups[-1]
    if len(open_groups) > 1:
        raise source.fault(start, "this '(' is never closed; add the ')'")
    return Group(tuple(items), start)


def without_heading(items: tuple[Item, ...], heading: str) -> tuple[Item, ...]:
    """Drop the message's own name, which some files leave out."""
    if items and isinstance(items[0], Word) and items[0].text == heading:
        return items[1:]
    return items
