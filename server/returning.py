"""Players that come back by asking for a place, as programs of the original framework do.

They send NME first and IAM only after REJ. While a game waits for such a player, the first NME of
its name, version and address is refused: otherwise a new game would begin and the old one wait for
ever. Whoever insists is let in as new.
"""

from collections.abc import Iterable

from grammar.messages import Name
from server.joining import power_in_name
from server.member import Member
from server.room import Room
from server.seat import ClientId, Seat
from server.store import GameId


class Returners:
    """Knows which clients have been told to come back to their game."""

    def __init__(self, grace: float) -> None:
        self._grace = grace
        self._sent_back: dict[ClientId, tuple[GameId, str]] = {}
        """By client the seat that it may have come for: no second one is sent back for it."""

    def sends_back(self, member: Member, message: Name, rooms: Iterable[Room]) -> bool:
        """Tell whether an NME is refused because a game waits for that player."""
        if member.number in self._sent_back:
            return False
        taken = set(self._sent_back.values())
        for room in rooms:
            for seat in room.absentees:
                place = room.number, seat.power.name
                if place not in taken and self._is_waited_for(room, seat, member, message):
                    self._sent_back[member.number] = place
                    return True
        return False

    def forget(self, member: Member) -> None:
        """Take note that a connection has ended."""
        self._sent_back.pop(member.number, None)

    def _is_waited_for(self, room: Room, seat: Seat, member: Member, message: Name) -> bool:
        if seat.absent_since is None or not room.game.is_alive(seat.power):
            return False
        if room.time() - seat.absent_since > self._grace:
            return False
        _, played_as = power_in_name(seat.name)
        power, name = power_in_name(message.name)
        return (name, message.version, member.address) == (
            played_as,
            seat.version,
            seat.address,
        ) and power in (None, seat.power.name)
