"""What waits to be published: a bounded buffer that forgets the oldest letters first."""

from collections import deque
from collections.abc import Sequence

from attrs import frozen

BUFFER = 10_000
"""So many letters wait for a broker that is gone or slow; docs/events.md names the number."""


@frozen
class Letter:
    """One message for the broker."""

    topic: str
    payload: bytes
    is_retained: bool = False
    expires: int | None = None
    """Seconds after which the broker forgets it, None for never."""


class Outbox:
    """Keeps letters in their order until they have been sent."""

    def __init__(self, size: int = BUFFER) -> None:
        self._size = size
        self._letters: deque[Letter] = deque()
        self.taken = 0
        """How many letters were ever put in."""
        self.dropped = 0
        """How many letters were forgotten because there was no room."""

    def __len__(self) -> int:
        return len(self._letters)

    def put(self, letter: Letter) -> None:
        """Add a letter; the oldest one makes room for it if need be."""
        self.taken += 1
        self._letters.append(letter)
        if len(self._letters) > self._size:
            self._letters.popleft()
            self.dropped += 1

    def take(self, most: int) -> list[Letter]:
        """Take out the oldest letters, to be sent."""
        return [self._letters.popleft() for _ in range(min(most, len(self._letters)))]

    def put_back(self, letters: Sequence[Letter]) -> None:
        """Take letters back that could not be sent; as many as there is room for."""
        room = max(0, self._size - len(self._letters))
        kept = letters[len(letters) - room :] if room < len(letters) else letters
        self.dropped += len(letters) - len(kept)
        self._letters.extendleft(reversed(kept))
