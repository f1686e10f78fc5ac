"""What a server tells its relay of its games: facts, as cheap as they can be had.

A turn is sent as it was written for the store, press as the tokens that went to its recipients; the
relay makes the events of them (`feed.teller`). So a server spends next to nothing on its feed.
Every fact is one line, whose parts are separated by tabs: neither JSON nor hexadecimal digits have
tabs or line ends. The first part is the kind of the fact, the second the number of the game.
"""

import json
from typing import TypeAlias

import attrs
from attrs import frozen

from feed.events import PlainEvent, event_from_json, event_to_json
from rules.position_json import PositionJson


@frozen(kw_only=True)
class GameOpened:
    """A game that the relay does not know: what it must know to tell of it."""

    game: int
    name: str
    run: str
    """Names one run of the feed; the numbers of events begin anew with it."""
    variant: str
    press_level: int
    has_partial_draws: bool
    start: PositionJson

    def to_line(self) -> bytes:
        """Write it."""
        text = json.dumps(attrs.asdict(self, recurse=False))
        return b"G\t%d\t%s\n" % (self.game, text.encode())


@frozen
class EventTold:
    """Something that happens a few times a game: the server makes the event itself."""

    game: int
    time: float
    event: PlainEvent

    def to_line(self) -> bytes:
        """Write it."""
        text = json.dumps(event_to_json(self.event)).encode()
        return b"E\t%d\t%.3f\t%s\n" % (self.game, self.time, text)


@frozen
class PressTold:
    """Press in the present turn of a game."""

    game: int
    time: float | None
    """None for what has been told before: then it counts for the promises only."""
    tokens: bytes
    """The message FRM, as it goes over the wire."""

    def to_line(self) -> bytes:
        """Write it."""
        return b"P\t%d\t%s\t%s\n" % (self.game, _time(self.time), self.tokens.hex().encode())


@frozen
class TurnTold:
    """A turn that was played."""

    game: int
    time: float | None
    """None for what has been told before."""
    text: str
    """The turn as it stands in the record, as JSON."""
    goes_on: bool = True
    """Whether orders may be given for the next turn now."""
    seconds: int | None = None
    """How long that one lasts at most."""

    def to_line(self) -> bytes:
        """Write it."""
        limit = b"." if not self.goes_on else b"" if self.seconds is None else b"%d" % self.seconds
        return b"T\t%d\t%s\t%s\t%s\n" % (self.game, _time(self.time), limit, self.text.encode())


@frozen
class BookEnded:
    """The game is over, and with it its book of promises."""

    game: int
    time: float
    is_drawn: bool

    def to_line(self) -> bytes:
        """Write it."""
        return b"B\t%d\t%.3f\t%d\n" % (self.game, self.time, self.is_drawn)


@frozen
class GameForgotten:
    """Nothing more will be told of a game."""

    game: int

    def to_line(self) -> bytes:
        """Write it."""
        return b"F\t%d\n" % self.game


Fact: TypeAlias = GameOpened | EventTold | PressTold | TurnTold | BookEnded | GameForgotten


def fact_from_line(line: bytes) -> Fact:
    """Read what `to_line` wrote."""
    kind, number, *parts = line.rstrip(b"\n").split(b"\t")
    game = int(number)
    match kind, parts:
        case b"G", [text]:
            return GameOpened(**json.loads(text))
        case b"E", [time, text]:
            return EventTold(game, float(time), event_from_json(json.loads(text)))
        case b"P", [time, tokens]:
            return PressTold(game, _read_time(time), bytes.fromhex(tokens.decode()))
        case b"T", [time, limit, text]:
            seconds = int(limit) if limit.isdigit() else None
            return TurnTold(game, _read_time(time), text.decode(), limit != b".", seconds)
        case b"B", [time, is_drawn]:
            return BookEnded(game, float(time), is_drawn == b"1")
        case b"F", []:
            return GameForgotten(game)
    raise ValueError(f"no fact: {line[:80]!r}")


def _time(time: float | None) -> bytes:
    return b"" if time is None else b"%.3f" % time


def _read_time(text: bytes) -> float | None:
    return float(text) if text else None
