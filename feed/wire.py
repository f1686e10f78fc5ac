"""How a server and its relay speak: a letter is a line, its parts are separated by tabs."""

from feed.outbox import Letter

LINE_LIMIT = 4_000_000
"""The longest line, in bytes."""
_RETAINED, _PASSING = b"R", b"-"


def letter_to_line(letter: Letter) -> bytes:
    """Write a letter; neither topics nor JSON have tabs or line ends."""
    flag = _RETAINED if letter.is_retained else _PASSING
    expires = b"" if letter.expires is None else b"%d" % letter.expires
    return b"\t".join((letter.topic.encode(), flag, expires, letter.payload)) + b"\n"


def letter_from_line(line: bytes) -> Letter:
    """Read a letter."""
    topic, flag, expires, payload = line.rstrip(b"\n").split(b"\t", 3)
    return Letter(topic.decode(), payload, flag == _RETAINED, int(expires) if expires else None)
