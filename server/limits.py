"""What a client may ask of the server: how much, how fast, and for how long. Time is passed in."""

from enum import Enum, auto

from attrs import define, field, frozen

from grammar.tokens import Token, Word

_PRESS = int(Word.SND)
_ORDERS = frozenset(map(int, (Word.SUB, Word.NOT)))


@frozen
class Limits:
    """Everything that is bounded; times in seconds, rates per second."""

    handshake: float = 30.0
    """How long a connection may wait with its IM."""
    frame: float = 30.0
    """How long one frame may take to arrive."""
    grace: float = 2.0
    """How long a client may stay after OFF."""
    queue_bytes: int = 1_000_000
    queue_messages: int = 1_000
    """What may wait for a client that does not read, before it is dropped."""
    connections: int = 4_096
    connections_per_address: int = 256
    """Connections from one address; this machine itself is not limited."""
    unidentified: int = 1_200
    """Connections without an IM; the oldest makes room for a new one."""
    message_rate: float = 1_000.0
    message_burst: float = 5_000.0
    press_rate: float = 50.0
    press_burst: float = 300.0
    order_rate: float = 500.0
    order_burst: float = 2_000.0
    flood: int = 500
    """How many messages are refused for their rate before the client is dropped."""


@define
class TokenBucket:
    """Lets through `rate` messages a second on average, and `burst` of them at once."""

    rate: float
    burst: float
    _level: float = field(init=False)
    _seen: float = field(default=0.0, init=False)

    def __attrs_post_init__(self) -> None:
        self._level = self.burst

    def holds(self, now: float) -> bool:
        """Tell whether there is one in it."""
        self._level = min(self.burst, self._level + (now - self._seen) * self.rate)
        self._seen = now
        return self._level >= 1.0

    def take(self, now: float) -> bool:
        """Take one out; False if the bucket is empty."""
        if not self.holds(now):
            return False
        self._level -= 1.0
        return True


class Verdict(Enum):
    """What becomes of a message."""

    PASS = auto()
    REFUSE = auto()
    FLOOD = auto()


class Meter:
    """Watches how fast one client sends."""

    def __init__(self, limits: Limits) -> None:
        self._flood = limits.flood
        self._all = TokenBucket(limits.message_rate, limits.message_burst)
        self._press = TokenBucket(limits.press_rate, limits.press_burst)
        self._orders = TokenBucket(limits.order_rate, limits.order_burst)
        self._refused = 0

    def judge(self, word: Token, now: float) -> Verdict:
        """Judge a message by its first word."""
        passes = self._all.take(now)
        if passes and word == _PRESS:
            passes = self._press.take(now)
        elif passes and word in _ORDERS:
            passes = self._orders.take(now)
        if passes:
            # Once in a while over the limit is no flood.
            self._refused = max(0, self._refused - 1)
            return Verdict.PASS
        self._refused += 1
        return Verdict.FLOOD if self._refused > self._flood else Verdict.REFUSE
