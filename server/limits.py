"""What a client may ask of the server: how much, how fast, and for how long. Time is passed in."""

from enum import Enum, auto

from attrs import define, field, frozen

from grammar.parse import LONGEST_FROM_CLIENT
from grammar.tokens import Tokens, Word

_PRESS = int(Word.SND)
_SUBMIT = int(Word.SUB)
_ORDERS = frozenset((_SUBMIT, int(Word.NOT)))
# What things cost on a slow machine, in seconds of work; only their proportions matter.
MESSAGE_COST = 50e-6
TOKEN_COST = 0.5e-6
ORDER_TOKEN_COST = 5e-6
ANSWER_TOKEN_COST = 0.5e-6
SMALLEST_BURST = 0.02
"""Seconds of work that everybody may begin with, whatever others from there have done."""


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
    introduction: float = 300.0
    """How long a connection may stay that has sent its IM and says nothing more."""
    work_rate: float = 0.1
    """How much of the server's time one client may take in the long run."""
    work_burst: float = 0.2
    """How many seconds of work it may ask for at once; then it is read from more slowly."""
    order_tokens: int = 1_500
    """How long a SUB may be: more than all units of a power on a large map need.

    One that is longer than any message may be gets HUH instead of REJ.
    """
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


@define
class Account:
    """What a client may still ask for; whoever has overdrawn it waits until it is even."""

    rate: float
    burst: float
    _level: float = field(init=False)
    _seen: float = field(default=0.0, init=False)

    def __attrs_post_init__(self) -> None:
        self._level = self.burst

    def level(self, now: float) -> float:
        """Return what is left."""
        return min(self.burst, self._level + (now - self._seen) * self.rate)

    def begin_with(self, level: float, now: float) -> None:
        """Take over what somebody else has left, but begin with something."""
        self._level, self._seen = min(self.burst, max(level, SMALLEST_BURST)), now

    def charge(self, cost: float, now: float) -> None:
        """Take something off; it may be more than there is."""
        self._level = self.level(now) - cost
        self._seen = now

    def wait(self, now: float) -> float:
        """Return how many seconds there are until it is even."""
        level = self._level + (now - self._seen) * self.rate
        return max(0.0, -level / self.rate) if self.rate else 0.0


class Verdict(Enum):
    """What becomes of a message."""

    PASS = auto()
    REFUSE = auto()
    FLOOD = auto()


class Meter:
    """Watches how fast one client sends, and how much work that makes."""

    def __init__(self, limits: Limits) -> None:
        self._flood = limits.flood
        self._all = TokenBucket(limits.message_rate, limits.message_burst)
        self._press = TokenBucket(limits.press_rate, limits.press_burst)
        self._orders = TokenBucket(limits.order_rate, limits.order_burst)
        self._work = Account(limits.work_rate, limits.work_burst)
        self._longest_orders = limits.order_tokens
        self._refused = 0

    def account_left(self, now: float) -> float:
        """Return what is left of the client's account."""
        return self._work.level(now)

    def begin_with(self, left: float, now: float) -> None:
        """Begin with what another client from there has left."""
        self._work.begin_with(left, now)

    def wait(self, now: float) -> float:
        """Return for how many seconds nothing is to be read from the client."""
        return self._work.wait(now)

    def charge_answer(self, tokens: int, now: float) -> None:
        """Count what a client was told alone, which is mostly what it has asked for."""
        self._work.charge(tokens * ANSWER_TOKEN_COST, now)

    def judge(self, tokens: Tokens, now: float) -> Verdict:
        """Judge a message by its first word, and count the work of reading it."""
        word = tokens[0]
        dear = word == _SUBMIT and len(tokens) <= self._longest_orders
        too_long = self._longest_orders < len(tokens) <= LONGEST_FROM_CLIENT
        cost = len(tokens) * (ORDER_TOKEN_COST if dear else TOKEN_COST)
        self._work.charge(MESSAGE_COST + cost, now)
        passes = self._all.take(now)
        if passes and word == _PRESS:
            passes = self._press.take(now)
        elif passes and word in _ORDERS:
            passes = self._orders.take(now)
        if word == _SUBMIT and too_long:
            return Verdict.REFUSE
        if passes:
            # Once in a while over the limit is no flood.
            self._refused = max(0, self._refused - 1)
            return Verdict.PASS
        self._refused += 1
        return Verdict.FLOOD if self._refused > self._flood else Verdict.REFUSE
