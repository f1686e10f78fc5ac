"""How a server and its relay speak: lines, whose parts are separated by tabs.

Most lines are facts of games (`feed.facts`), of which the relay makes letters. Others are letters
already, ready for the broker: what servers and bot hosts say to each other.
"""

import json
import os
import sys
from typing import Any

from feed.events import Told
from feed.facts import Fact, fact_from_line
from feed.outbox import Letter
from feed.topics import game_topic

EXPIRES = 7 * 24 * 3600
"""How long a broker keeps what it retains of a game, in seconds."""
_RETAINED, _PASSING = b"R", b"-"


def event_letter(server: str, told: Told) -> Letter:
    """Return an event as a letter."""
    event = told.event
    expires = EXPIRES if event.is_retained else None
    topic = game_topic(server, told.game, event.kind, is_private=event.is_private)
    return Letter(topic, told.to_bytes(), event.is_retained, expires)


def to_line(sent: Letter | Fact) -> bytes:
    """Write a letter or a fact; neither topics nor JSON have tabs or line ends."""
    if not isinstance(sent, Letter):
        return sent.to_line()
    flag = _RETAINED if sent.is_retained else _PASSING
    expires = b"" if sent.expires is None else b"%d" % sent.expires
    return b"\t".join((flag, expires, sent.topic.encode(), sent.payload)) + b"\n"


def from_line(line: bytes) -> Letter | Fact:
    """Read a line."""
    flag, _, rest = line.rstrip(b"\n").partition(b"\t")
    if flag not in (_RETAINED, _PASSING):
        return fact_from_line(line)
    expires, topic, payload = rest.split(b"\t", 2)
    return Letter(topic.decode(), payload, flag == _RETAINED, int(expires) if expires else None)


def say(fields: dict[str, Any]) -> None:
    """Tell something to the process that feeds us; if it is gone, nobody has to hear it."""
    try:
        sys.stdout.write(json.dumps(fields) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter would try again at its end, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
