"""What a game tells its host's log: each thing once, and not again when the game is replayed."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import structlog

from grammar.shown import shown
from rules.turns import Turn
from server.order_book import OrderBook
from server.seat import Client, Seat

_is_replay: ContextVar[bool] = ContextVar("is_replay", default=False)

log = structlog.get_logger(__name__)


def note(event: str, **fields: object) -> None:
    """Tell what happens in a game, unless it has happened before."""
    if not _is_replay.get():
        log.info(event, **fields)


def warn(event: str, **fields: object) -> None:
    """Tell what should not happen in a game, unless it has happened before."""
    if not _is_replay.get():
        log.warning(event, **fields)


def who(client: Client) -> dict[str, object]:
    """Return what the log says of a client: its number, name and power, where it has them."""
    told: dict[str, object] = {"client": client.number}
    if client.name:
        told["name"] = shown(client.name)
    if client.power:
        told["power"] = client.power.name
    return told


def note_late(game: str, turn: Turn, seats: Iterable[Seat], book: OrderBook) -> None:
    """Tell whose orders lack at the deadline, of those who are there."""
    for seat in seats:
        lacking = book.left(seat.power)
        if seat.client is not None and lacking:
            told = {"name": shown(seat.name), "power": seat.power.name, "turn": str(turn)}
            note("deadline missed", game=game, **told, orders_lacking=lacking)


@contextmanager
def replaying() -> Iterator[None]:
    """Let games go through what was told when it happened."""
    token = _is_replay.set(True)
    try:
        yield
    finally:
        _is_replay.reset(token)
