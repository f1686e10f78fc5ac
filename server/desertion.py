"""Games that nobody plays: how long they are kept, and which of too many go first.

Anybody can begin games and leave them, and must not push the game out of somebody whose connection
broke for a while. So those go first of which the same people have left most, by the networks that
they came from; of these the ones that were played least, and then the oldest.

After a restart nobody is there yet, and that is no fault of the players: for an hour none of the
games that were taken up again is one too many.
"""

from collections import Counter

from server.addresses import network_of
from server.room import Room
from server.stage import Stage

TIME_TO_RETURN = 3600.0
"""Seconds after a restart."""


class Deserted:
    """The games without any player, and since when."""

    def __init__(self, most: int, longest: float) -> None:
        self._most = most
        self._longest = longest
        """Seconds that one is kept."""
        self._since: dict[Room, float] = {}
        self._spared: dict[Room, float] = {}
        """Until when a game that was taken up again is not one too many."""

    def __len__(self) -> int:
        return len(self._since)

    def take_up(self, room: Room, now: float) -> None:
        """Leave the players of a game of a server before the time to come back."""
        self._spared[room] = now + TIME_TO_RETURN
        # Nothing happens in one that all had left before the end.
        self.look_at(room, now)

    def look_at(self, room: Room, now: float) -> None:
        """See whether anybody plays a game."""
        if room.stage is Stage.RUNNING and not room.has_players:
            self._since.setdefault(room, now)
        else:
            self._since.pop(room, None)

    def forget(self, room: Room) -> None:
        """Take note of a game that is over."""
        self._since.pop(room, None)
        self._spared.pop(room, None)

    def to_expire(self, now: float) -> list[Room]:
        """Return those that were kept long enough, and those that are too many."""
        kept = [room for room in self._since if not room.is_deserted]
        old = [room for room in kept if now - self._since[room] > self._longest]
        young = [room for room in kept if room not in old and self._spared.get(room, now) <= now]
        too_many = max(0, len(young) - self._most)
        if not too_many:
            return old
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
