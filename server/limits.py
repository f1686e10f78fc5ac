"""What a client may ask of the server: how much, how fast, and for how long. Time is passed in."""

from enum import Enum, auto
from math import inf

from attrs import define, field, frozen

from grammar.parse import LONGEST_FROM_CLIENT
from grammar.tokens import Tokens, Word
from server.addresses import network_of

_TALK = frozenset((int(Word.SND), int(Word.ADM)))
"""What everybody else may have to hear, and the store keeps."""
_SUBMIT = int(Word.SUB)
_ORDERS = frozenset((_SUBMIT, int(Word.NOT)))
# What things cost on a slow machine, in seconds of work; only their proportions matter.
MESSAGE_COST = 50e-6
TOKEN_COST = 0.5e-6
DEAR_TOKEN_COST = 5e-6
"""Orders are judged, talk is told to many."""
ANSWER_TOKEN_COST = 0.5e-6
MOST_OVERDRAWN = 10_000
SMALLEST_WORK = 0.01
SMALLEST_KEPT = 8_000.0
"""What everybody may begin with, in seconds and bytes, whatever others from there have done."""
TOKEN_BYTES = 2


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
    queues: int = 64_000_000
    """Bytes that may wait for all of them together, before those are dropped with much of it."""
    connections: int = 4_096
    connections_per_address: int = 256
    """Connections from one address; this machine itself is not limited."""
    unidentified: int = 1_200
    """Connections that have not said who they are; the oldest makes room for a new one."""
    observers: int = 500
    """Connections that only look on; the oldest makes room for a new one."""
    introduction: float = 300.0
    """How long a connection may stay that has sent its IM and says nothing more."""
    work_rate: float = 0.1
    """How much of the server's time one client may take in the long run."""
    work_burst: float = 0.05
    """How many seconds of work it may ask for at once; then it is read from more slowly."""
    kept_rate: float = 8_000.0
    kept_burst: float = 2_000_000.0
    """Bytes of what one client says that the store keeps; then it is read from more slowly."""
    order_tokens: int = 1_500
    """How long a SUB may be: more than all units of a power on a large map need.

    One that is longer than any message may be gets HUH instead of REJ.
    """
    message_rate: float = 1_000.0
    message_burst: float = 5_000.0
    press_rate: float = 50.0
    """Of press and ADM together."""
    press_burst: float = 300.0
    order_rate: float = 500.0
    order_burst: float = 2_000.0
    flood: int = 500
    """How many messages are refused for their rate before the client is dropped."""


@define
class TokenBucket:
    """Lets through `rate` a second on average, and `burst` at once.

    What is counted is either taken out while there is enough, or charged whatever is left: then who
    has overdrawn it waits until it is even.
    """

    rate: float
    burst: float
    _level: float = field(default=inf, init=False)
    """What was left when it was seen last; there is never more in it than fits."""
    _seen: float = field(default=0.0, init=False)

    def level(self, now: float) -> float:
        """Return what is left, less than nothing if it is overdrawn."""
        return min(self.burst, self._level + (now - self._seen) * self.rate)

    def fill(self, level: float, now: float) -> None:
        """Let this much be in it, but no more than fits."""
        self._level, self._seen = min(self.burst, level), now

    def holds(self, now: float) -> bool:
        """Tell whether there is one in it."""
        return self.level(now) >= 1.0

    def take(self, now: float) -> bool:
        """Take one out; False if the bucket is empty."""
        level = self.level(now)
        if level < 1.0:
            return False
        self._level, self._seen = level - 1.0, now
        return True

    def charge(self, cost: float, now: float) -> None:
        """Take something out; it may be more than there is."""
        self._level, self._seen = self.level(now) - cost, now

    def wait(self, now: float) -> float:
        """Return how many seconds there are until it is even."""
        if self._level >= 0.0 or not self.rate:
            return 0.0
        return max(0.0, -self._level / self.rate - (now - self._seen))


class Ruling(Enum):
    """What becomes of a message."""

    PASS = auto()
    REFUSE = auto()
    FLOOD = auto()


@frozen
class Accounts:
    """What is left to a client, less than nothing if it has overdrawn it."""

    work: float
    """In seconds of the server's time."""
    kept: float
    """In bytes of its store."""


NOTHING_USED = Accounts(inf, inf)


class Meter:
    """Watches how fast one client sends, and how much work that makes."""

    def __init__(self, limits: Limits) -> None:
        self._flood = limits.flood
        self._all = TokenBucket(limits.message_rate, limits.message_burst)
        self._press = TokenBucket(limits.press_rate, limits.press_burst)
        self._orders = TokenBucket(limits.order_rate, limits.order_burst)
        self._work = TokenBucket(limits.work_rate, limits.work_burst)
        self._kept = TokenBucket(limits.kept_rate, limits.kept_burst)
        self._longest_orders = limits.order_tokens
        self._refused = 0

    def accounts(self, now: float) -> "Accounts":
        """Return what is left to the client."""
        return Accounts(self._work.level(now), self._kept.level(now))

    def begin_with(self, left: "Accounts", now: float) -> None:
        """Begin with what another client from there has left, but with something."""
        self._work.fill(max(left.work, SMALLEST_WORK), now)
        self._kept.fill(max(left.kept, SMALLEST_KEPT), now)

    def wait(self, now: float) -> float:
        """Return for how many seconds nothing is to be read from the client."""
        return max(self._work.wait(now), self._kept.wait(now))

    def charge_kept(self, tokens: int, now: float) -> None:
        """Count a message that the store keeps."""
        self._kept.charge(tokens * TOKEN_BYTES, now)

    def charge_answer(self, tokens: int, now: float) -> None:
        """Count what a client was told alone, which is mostly what it has asked for."""
        self._work.charge(tokens * ANSWER_TOKEN_COST, now)

    def judge(self, tokens: Tokens, now: float) -> Ruling:
        """Judge a message by its first word, and count the work of reading it."""
        word = tokens[0]
        is_talk = word in _TALK
        is_judged = word == _SUBMIT and len(tokens) <= self._longest_orders
        too_long = self._longest_orders < len(tokens) <= LONGEST_FROM_CLIENT
        cost = len(tokens) * (DEAR_TOKEN_COST if is_talk or is_judged else TOKEN_COST)
        self._work.charge(MESSAGE_COST + cost, now)
        passes = self._all.take(now)
        if passes and is_talk:
            passes = self._press.take(now)
        elif passes and word in _ORDERS:
            passes = self._orders.take(now)
        if word == _SUBMIT and too_long:
            return Ruling.REFUSE
        if passes:
            # Once in a while over the limit is no flood.
            self._refused = max(0, self._refused - 1)
            return Ruling.PASS
        self._refused += 1
        return Ruling.FLOOD if self._refused > self._flood else Ruling.REFUSE


class Overdrawn:
    """What clients that asked for much had left when they went: the next from there goes on so."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._left: dict[str, tuple[Accounts, float]] = {}

    def note(self, address: str, meter: Meter, now: float) -> None:
        """Take note of a client that goes."""
        left = meter.accounts(now)
        if not self._is_enough(left):
            self._left[network_of(address)] = left, now
            if len(self._left) > MOST_OVERDRAWN:
                del self._left[next(iter(self._left))]

    def left(self, address: str, now: float) -> Accounts:
        """Return what the next client from an address begins with, and those after it as well."""
        network = network_of(address)
        if network not in self._left:
            return NOTHING_USED
        left, since = self._left[network]
        passed, limits = now - since, self._limits
        left = Accounts(
            left.work + passed * limits.work_rate, left.kept + passed * limits.kept_rate
        )
        if self._is_enough(left):
            del self._left[network]
        return left

    def _is_enough(self, left: Accounts) -> bool:
        limits = self._limits
        return left.work >= limits.work_burst / 2 and left.kept >= limits.kept_burst / 2
