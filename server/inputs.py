"""What happens to a game, as values that can be kept: everything else follows from them.

A game is rebuilt by applying its inputs to a new one in the same order. `apply` is the one way in,
for a game that is played as for one that is replayed, so that both come out the same.
"""

import struct
from collections.abc import Iterable, Iterator
from typing import TypeAlias

import structlog
from attrs import frozen

from daide.frames import tokens_to_bytes
from grammar.tokens import Tokens, tokens_from_bytes
from server.effects import Drop, Effect
from server.game import Game
from server.seat import ClientId

log = structlog.get_logger(__name__)

_TIME = struct.Struct(">d")
_HEAD = struct.Struct(">BII")


@frozen
class Connected:
    """A client has come."""

    client: ClientId
    address: str = ""


@frozen
class Received:
    """A client has sent a message."""

    client: ClientId
    tokens: Tokens


@frozen
class Disconnected:
    """A client's connection has ended."""

    client: ClientId


@frozen
class Ticked:
    """The time has come for something."""


@frozen
class Commanded:
    """The host does something to the game: `pause`, `end`, `tell time`, `eject FRA`."""

    words: str


Input: TypeAlias = Connected | Received | Disconnected | Ticked | Commanded


@frozen
class Batch:
    """Inputs that were handled together, at one moment of the game's own time."""

    time: float
    inputs: tuple[Input, ...]


def apply(game: Game, happened: Input, now: float) -> list[Effect]:
    """Let a game act on an input.

    A failure is ours: it is logged, and the client that met it is sent away. It happens again in
    a replay, and ends in the same way there.
    """
    try:
        return _apply(game, happened, now)
    except Exception:
        client = getattr(happened, "client", None)
        log.exception("game failed", game=game.name, client=client, input=type(happened).__name__)
        game.effects.clear()
        return [] if client is None or isinstance(happened, Disconnected) else [Drop(client)]


def _apply(game: Game, happened: Input, now: float) -> list[Effect]:
    match happened:
        case Received(client, tokens):
            return game.receive(client, tokens, now)
        case Ticked():
            return game.tick(now)
        case Connected(client, address):
            return game.connect(client, now, address)
        case Disconnected(client):
            return game.disconnect(client, now)
        case Commanded(words):
            return game.obey(words, now)


# --- bytes ----------------------------------------------------------------------------------------

_CONNECTED, _RECEIVED, _DISCONNECTED, _TICKED, _COMMANDED = range(5)


def batch_to_bytes(batch: Batch) -> bytes:
    """Write a batch: the time, and each input as kind, client and a body with its length."""
    return _TIME.pack(batch.time) + b"".join(map(_input_to_bytes, batch.inputs))


def _input_to_bytes(happened: Input) -> bytes:
    match happened:
        case Received(client, tokens):
            body = tokens_to_bytes(tokens)
            return _HEAD.pack(_RECEIVED, client, len(body)) + body
        case Connected(client, address):
            body = address.encode()
            return _HEAD.pack(_CONNECTED, client, len(body)) + body
        case Disconnected(client):
            return _HEAD.pack(_DISCONNECTED, client, 0)
        case Ticked():
            return _HEAD.pack(_TICKED, 0, 0)
        case Commanded(words):
            body = words.encode()
            return _HEAD.pack(_COMMANDED, 0, len(body)) + body


def batch_from_bytes(data: bytes) -> Batch:
    """Read a batch; raises ValueError or struct.error if it is none."""
    (time,) = _TIME.unpack_from(data)
    return Batch(time, tuple(_inputs_from(data, _TIME.size)))


def _inputs_from(data: bytes, place: int) -> Iterator[Input]:
    while place < len(data):
        kind, client, length = _HEAD.unpack_from(data, place)
        place += _HEAD.size
        body = data[place : place + length]
        if len(body) < length:
            raise ValueError(f"an input of {length} bytes is cut off")
        place += length
        yield _input_from(kind, client, body)


def _input_from(kind: int, client: ClientId, body: bytes) -> Input:
    match kind:
        case 0:
            return Connected(client, body.decode())
        case 1:
            return Received(client, tokens_from_bytes(body))
        case 2:
            return Disconnected(client)
        case 3:
            return Ticked()
        case 4:
            return Commanded(body.decode())
    raise ValueError(f"no such input: {kind}")


def largest_client(batches: Iterable[Batch]) -> ClientId:
    """Return the largest number that a client had, 0 if there was none."""
    return max(
        (getattr(each, "client", 0) for batch in batches for each in batch.inputs), default=0
    )
