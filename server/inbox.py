"""What waits for a game, in two lanes: those who play go before those who only look on.

Anybody can look on, and so can hundreds at once; what they ask must not stand between a player and
the game. Who asks for a place, or comes back, goes with the players, but once only. Whatever a
client has said stays in its order, also when it gets a place meanwhile.
"""

from collections import Counter, deque
from typing import TypeAlias

from grammar.tokens import Tokens, Word
from server.effects import Aside, Refused
from server.inputs import Connected, Input, Received
from server.seat import ClientId

Item: TypeAlias = Input | Refused | Aside
SAID = (Received, Refused)
TOKENS_OF_ONE = 64
"""A message counts as one more for every so many tokens."""
FIRST_IN_A_ROW = 8
"""After so many of those who play comes one of the others."""
MOST_AHEAD = 2
"""How much of one that comes to play goes with the players: that it is there, and who it is."""
MOST_WEIGHT = 4_000
"""So much may wait in all games before large messages are read on: some megabytes."""


_COMING = frozenset((int(Word.NME), int(Word.IAM)))


def weight_of(tokens: Tokens) -> int:
    """Return as how many messages one counts that waits."""
    return 1 + len(tokens) // TOKENS_OF_ONE


def weight_of_item(item: Item) -> int:
    """Return the same for whatever waits."""
    return weight_of(item.tokens) if isinstance(item, SAID) else 1


class Backlog:
    """How much waits in all games together."""

    def __init__(self) -> None:
        self.weight = 0

    @property
    def is_full(self) -> bool:
        """Whether what is large has to wait outside."""
        return self.weight > MOST_WEIGHT


class Inbox:
    """What waits for one game."""

    def __init__(self, backlog: Backlog) -> None:
        self._backlog = backlog
        self._first: deque[Item] = deque()
        self._later: deque[Item] = deque()
        self._behind: Counter[ClientId] = Counter()
        """By client how much of it is in the second lane."""
        self._ahead: Counter[ClientId] = Counter()
        """By client how much of one that comes to play is in the first."""
        self._in_a_row = 0

    def __len__(self) -> int:
        return len(self._first) + len(self._later)

    @property
    def first(self) -> int:
        """How much of those who play waits."""
        return len(self._first)

    def put(self, item: Item, *, is_guest: bool) -> None:
        """Add something; behind what the same client has in the second lane, if it has."""
        client = getattr(item, "client", None)
        self._backlog.weight += weight_of_item(item)
        if client is None or not (is_guest or client in self._behind):
            self._first.append(item)
        elif self._may_go_ahead(item, client):
            self._ahead[client] += 1
            self._first.append(item)
        else:
            self._behind[client] += 1
            self._later.append(item)

    def _may_go_ahead(self, item: Item, client: ClientId) -> bool:
        comes = isinstance(item, Connected) or (
            isinstance(item, Received) and item.tokens[0] in _COMING
        )
        return comes and client not in self._behind and self._ahead[client] < MOST_AHEAD

    def take(self) -> tuple[Item, bool]:
        """Take out what is next, and tell whether it is of those who play."""
        is_first = bool(self._first) and not self._is_turn_of_later()
        self._in_a_row = self._in_a_row + 1 if is_first else 0
        item = (self._first if is_first else self._later).popleft()
        _count_out(self._ahead if is_first else self._behind, item)
        self._backlog.weight -= weight_of_item(item)
        return item, is_first

    def _is_turn_of_later(self) -> bool:
        """Tell whether one of the second lane is next, though somebody is in the first."""
        if not self._later or self._in_a_row < FIRST_IN_A_ROW:
            return False
        # Not before what the same client has said earlier.
        return getattr(self._later[0], "client", None) not in self._ahead

    def remove_said(self, client: ClientId) -> list[Refused | Received]:
        """Take out all that a client has said."""
        removed: list[Refused | Received] = []
        for lane in (self._first, self._later):
            items = tuple(lane)
            lane.clear()
            for item in items:
                if isinstance(item, SAID) and item.client == client:
                    removed.append(item)
                    self._backlog.weight -= weight_of_item(item)
                    _count_out(self._ahead if lane is self._first else self._behind, item)
                else:
                    lane.append(item)
        return removed

    def clear(self) -> None:
        """Forget everything."""
        while self:
            self.take()


def _count_out(counted: Counter[ClientId], item: Item) -> None:
    client: ClientId = getattr(item, "client", 0)
    if client in counted:
        counted[client] -= 1
        if not counted[client]:
            del counted[client]
