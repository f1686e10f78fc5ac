"""How a server and its relay speak: lines, whose parts are separated by tabs.

Most lines are letters, ready for the broker. A turn is sent as it was written for the store, and
the relay makes the two letters of it that stand for it: a server need not write it twice.
"""

import json

from attrs import frozen

from feed.events import Event, OrdersJudged, PositionReached, Told
from feed.outbox import Letter
from feed.topics import game_topic

LINE_LIMIT = 4_000_000
"""The longest line, in bytes."""
EXPIRES = 7 * 24 * 3600
"""How long a broker keeps what it retains of a game, in seconds."""
_RETAINED, _PASSING, _TURN = b"R", b"-", b"T"


@frozen
class TurnTold:
    """A turn of a game for the feed: it takes the place of two events."""

    server: str
    game: str
    run: str
    number: int
    time: float
    text: str
    """The turn as it stands in the record, as JSON."""

    def letters(self) -> list[Letter]:
        """Return the orders and the position as letters."""
        turn = json.loads(self.text)
        events: list[Event] = [
            OrdersJudged(turn["turn"], turn["orders"]),
            PositionReached(turn["position"]),
        ]
        return [
            event_letter(self.server, Told(self.game, self.run, number, self.time, event))
            for number, event in enumerate(events, self.number)
        ]


def event_letter(server: str, told: Told) -> Letter:
    """Return an event as a letter."""
    event = told.event
    expires = EXPIRES if event.is_retained else None
    topic = game_topic(server, told.game, event.kind, is_private=event.is_private)
    return Letter(topic, told.to_bytes(), event.is_retained, expires)


def to_line(sent: Letter | TurnTold) -> bytes:
    """Write a letter or a turn; neither topics nor JSON have tabs or line ends."""
    if isinstance(sent, TurnTold):
        head = json.dumps([sent.server, sent.game, sent.run, sent.number, sent.time])
        return b"T\t%s\t%s\n" % (head.encode(), sent.text.encode())
    flag = _RETAINED if sent.is_retained else _PASSING
    expires = b"" if sent.expires is None else b"%d" % sent.expires
    return b"\t".join((flag, expires, sent.topic.encode(), sent.payload)) + b"\n"


def from_line(line: bytes) -> list[Letter]:
    """Read the letters of a line."""
    flag, _, rest = line.rstrip(b"\n").partition(b"\t")
    if flag == _TURN:
        head, _, text = rest.partition(b"\t")
        server, game, run, number, time = json.loads(head)
        return TurnTold(server, game, run, number, time, text.decode()).letters()
    expires, topic, payload = rest.split(b"\t", 2)
    return [Letter(topic.decode(), payload, flag == _RETAINED, int(expires) if expires else None)]
