"""Reads the productions in `data` and puts each into the message it stands in."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import frozen

from grammar.messages import DaideMessage, SendPress, SubmitOrders
from grammar.parse import Fault, Sender, parse
from grammar.press import Propose
from grammar.tables import LEVELS
from grammar.text import from_text
from grammar.tokens import Tokens

FOLDER = Path(__file__).with_name("data")
KINDS = ("client", "server", "order", "press", "arrangement")

_AROUND = {
    "order": "SUB ( {} )",
    "press": "SND ( GER ) ( {} )",
    "arrangement": "SND ( GER ) ( PRP ( {} ) )",
}


@frozen
class Case:
    """One line: a message with a mark before the token that is wrong."""

    kind: str
    level: int
    name: str
    marked: str
    block: int

    @property
    def text(self) -> str:
        """The whole message, without the mark."""
        return self._marked_message.replace("^ ", "").replace(" ^", "").replace("^", "")

    @property
    def tokens(self) -> Tokens:
        """The whole message."""
        return from_text(self.text)

    @property
    def at(self) -> int:
        """How many tokens stand before the wrong one."""
        return len(from_text(self._marked_message.partition("^")[0])) if self.has_mark else 0

    @property
    def has_mark(self) -> bool:
        """Whether the line says which token is wrong."""
        return "^" in self.marked

    @property
    def huh(self) -> str:
        """The answer to the message where it is refused."""
        marked = self._marked_message if self.has_mark else f"^ {self.text}"
        return f"HUH ( {marked.replace('^', 'ERR')} )"

    @property
    def sender(self) -> Sender:
        """Whose message it is."""
        return Sender.SERVER if self.kind == "server" else Sender.CLIENT

    @property
    def level_below(self) -> int:
        """The press level at which the message is not yet allowed."""
        return LEVELS[LEVELS.index(self.level) - 1]

    @property
    def _marked_message(self) -> str:
        return _AROUND.get(self.kind, "{}").format(self.marked)

    def parse(self, level: int | None = None) -> DaideMessage | Fault:
        """Read the message, at its own level unless another is given."""
        return parse(self.tokens, self.level if level is None else level, sender=self.sender)

    def value_in(self, message: object) -> object:
        """Take the order, press or arrangement out of the message around it."""
        return _INSIDE[self.kind](message) if self.kind in _INSIDE else message

    def __str__(self) -> str:
        return f"{self.kind}-{self.level}-{self.marked}"


def _order_in(message: Any) -> object:
    assert isinstance(message, SubmitOrders)
    (order,) = message.orders
    return order


def _press_in(message: Any) -> object:
    assert isinstance(message, SendPress)
    return message.press


def _arrangement_in(message: Any) -> object:
    press = _press_in(message)
    assert isinstance(press, Propose)
    return press.arrangement


_INSIDE: dict[str, Callable[[Any], object]] = {
    "order": _order_in,
    "press": _press_in,
    "arrangement": _arrangement_in,
}


def _lines() -> Iterator[tuple[int, str]]:
    block = 0
    for path in sorted(FOLDER.glob("*.txt")):
        for line in path.read_text().splitlines():
            block += not line
            if line and not line.startswith("#"):
                yield block, line
        block += 1


def _case(block: int, line: str) -> Case:
    what, _, text = line.partition(" | ")
    _, kind, level, *name = what.split()
    assert kind in KINDS, line
    return Case(kind, int(level), "".join(name), text.strip(), block)


ACCEPTED = [_case(block, line) for block, line in _lines() if line.startswith("=")]
REFUSED = [_case(block, line) for block, line in _lines() if line.startswith("!")]
assert len(ACCEPTED) + len(REFUSED) == len(list(_lines()))
