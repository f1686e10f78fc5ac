"""Games that nobody plays: how long they are kept, and which of too many go first.

Anybody can begin games and leave them, and must not push the game out of somebody whose connection
broke for a while. So those go first of which the same people have left most, by the networks that
they came from; of these the ones that were played least, and then the oldest.
"""

from collections import Counter

from server.addresses import network_of
from server.room import Room
from server.stage import Stage


class Deserted:
    """The games without any player, and since when."""

    def __init__(self, most: int, longest: float) -> None:
        self._most = most
        self._longest = longest
        """Seconds that one is kept."""
        self._since: dict[Room, float] = {}

    def __len__(self) -> int:
        return len(self._since)

    def look_at(self, room: Room, now: float) -> None:
        """See whether anybody plays a game."""
        if room.stage is Stage.RUNNING and not room.has_players:
            self._since.setdefault(room, now)
        else:
            self.forget(room)

    def forget(self, room: Room) -> None:
        """Take note of a game that is over, or played again."""
        self._since.pop(room, None)

    def to_expire(self, now: float) -> list[Room]:
        """Return those that were kept long enough, and those that are too many."""
        kept = [room for room in self._since if not room.is_deserted]
        old = [room for room in kept if now - self._since[room] > self._longest]
        too_many = max(0, len(kept) - len(old) - self._most)
        if not too_many:
            return old
        young = [room for room in kept if room not in old]
        return old + self._least_missed(young)[:too_many]

    def _least_missed(self, rooms: list[Room]) -> list[Room]:
        left_by = Counter(network for room in rooms for network in _networks(room))

        def rank(room: Room) -> tuple[int, int, float]:
            # Whoever takes one seat among others does not make their game one of his.
            shared = min(left_by[network] for network in _networks(room))
            return -shared, len(room.game.history.turns), self._since[room]

        return sorted(rooms, key=rank)


def _networks(room: Room) -> set[str]:
    return {network_of(seat.address) for seat in room.game.seats.values()}
