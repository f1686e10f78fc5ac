"""Who guesses passcodes or secrets, and for how long nobody listens to them. Time is passed in.

A passcode has 8,191 values, so that what counts is how many guesses are looked at. Each wrong one
counts against the connection, the address it came from and, a little, the power it was aimed at,
before it is known where it would lead. The owner of a seat is known by the address it played from:
there a lock is short, and guesses from elsewhere do not slow it down. What is refused unseen does
not count, so that a client which tries again and again gets in as soon as it may.
"""

from attrs import define, frozen

from server.addresses import network_of
from server.limits import TokenBucket

GUESSES_PER_CONNECTION = 3
GUESSES_PER_ADDRESS = 5
FIRST_LOCK = 30.0
"""Seconds; each further wrong guess doubles it."""
LONGEST_LOCK = 3600.0
HOME_LOCK = 30.0
"""The longest lock of an address that the seat was played from."""
FORGOTTEN_AFTER = 4 * 3600.0
POWER_BURST, POWER_RATE = 10.0, 1 / 30
"""Wrong guesses at one power from addresses that did not play it: at once, and a second."""
MOST_ADDRESSES = 10_000


@frozen
class Attempt:
    """Somebody tries to open something."""

    address: str
    target: str
    """What it is aimed at: a power, or a secret."""
    is_home: bool = False
    """Whether it comes from where the seat was played from."""


@define
class _Guesser:
    wrong: int = 0
    since: float = 0.0
    until: float = 0.0

    def is_locked(self, now: float, *, is_home: bool) -> bool:
        until = min(self.until, self.since + HOME_LOCK) if is_home else self.until
        return now < until


class GuessBook:
    """Remembers wrong guesses; forgets them after some hours, and with the server's end."""

    def __init__(self, longest: float = LONGEST_LOCK, *, slows_targets: bool = True) -> None:
        self._longest = longest
        self._slows_targets = slows_targets
        self._addresses: dict[str, _Guesser] = {}
        self._targets: dict[str, TokenBucket] = {}

    def may_try(self, attempt: Attempt, now: float) -> bool:
        """Tell whether an attempt is looked at at all."""
        known = self._addresses.get(network_of(attempt.address))
        if known is not None and known.is_locked(now, is_home=attempt.is_home):
            return False
        return not self._slows(attempt) or self._bucket(attempt.target).holds(now)

    def note_wrong(self, attempt: Attempt, now: float) -> float:
        """Count a wrong attempt; return for how many seconds its address is locked now."""
        known = self._known(network_of(attempt.address), now)
        known.wrong += 1
        known.since = now
        over = known.wrong - GUESSES_PER_ADDRESS
        if over >= 0:
            known.until = now + min(FIRST_LOCK * 2 ** min(over, 16), self._longest)
        if self._slows(attempt):
            self._bucket(attempt.target).take(now)
        return max(0.0, known.until - now)

    def _slows(self, attempt: Attempt) -> bool:
        return self._slows_targets and not attempt.is_home

    def _bucket(self, target: str) -> TokenBucket:
        return self._targets.setdefault(target, TokenBucket(POWER_RATE, POWER_BURST))

    def _known(self, network: str, now: float) -> _Guesser:
        known = self._addresses.pop(network, None)
        if known is None or now - known.since > FORGOTTEN_AFTER:
            known = _Guesser()
        # The one that was heard of last stands last; the first makes room.
        self._addresses[network] = known
        if len(self._addresses) > MOST_ADDRESSES:
            del self._addresses[next(iter(self._addresses))]
        return known
