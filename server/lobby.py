"""The lobby: which client sits in which game.

A client asks for a place without naming a game, as the protocol has it: a player gets into the next
game that has room, an observer sees the game that is being played, and one that comes back goes
where its power and passcode fit, if it may try at all: that is for the host to say.
"""

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from grammar.messages import AskGames
from grammar.tokens import Token, Tokens, Word, integer_value, is_integer
from server.game_choice import Choice
from server.room import Room
from server.seat import Role, Seat
from server.stage import Stage

_NAME, _OBSERVE, _I_AM = int(Word.NME), int(Word.OBS), int(Word.IAM)
_BRA, _KET = int(Word.BRA), int(Word.KET)
INTRODUCTIONS = frozenset((_NAME, _OBSERVE, _I_AM))


def is_introduction(tokens: Tokens) -> bool:
    """Tell whether a message says who the client is."""
    return tokens[0] in INTRODUCTIONS


def is_unidentified(room: Room, client: int) -> bool:
    """Tell whether a game does not know yet who a client is."""
    known = room.game.clients.get(client)
    return known is None or known.role is Role.UNIDENTIFIED


def only_watches(room: Room, client: int) -> bool:
    """Tell whether a client looks on, and nobody has let it do more."""
    known = room.game.clients.get(client)
    if known is None or known.role is not Role.OBSERVER:
        return False
    return not (known.is_master or known.is_omniscient)


def rooms_asked_for(message: Choice, rooms: Mapping[str, Room]) -> list[Room]:
    """Return those of the rooms, by the name of their game, that a client asks to be told of."""
    if not isinstance(message, AskGames):
        return []
    return [room for name, room in rooms.items() if message.game in (None, name)]


def live_rooms(rooms: Iterable[Room]) -> list[Room]:
    """Return the rooms that count: games that form, and games that somebody plays.

    A game that all its players have left waits for them, and keeps nobody else from playing.
    """
    return [
        room
        for room in rooms
        if room.stage is Stage.FORMING or (room.stage is Stage.RUNNING and room.has_players)
    ]


def room_for(tokens: Tokens, rooms: Sequence[Room]) -> Room | None:
    """Return the room that a message of an unidentified client belongs to, None for a new one."""
    if tokens[0] == _NAME:
        return next((room for room in rooms if room.has_place), None)
    if tokens[0] == _OBSERVE:
        return _room_to_watch(rooms)
    if (claim := seat_claim(tokens)) is not None:
        fitting = (each for each, seat in claim.vacant(rooms) if claim.fits(seat))
        return next(fitting, None) or _room_to_watch(rooms)
    return next((room for room in rooms if room.has_place), None) or _room_to_watch(rooms)


def _room_to_watch(rooms: Sequence[Room]) -> Room | None:
    newest = list(reversed(rooms))
    played = (room for room in newest if room.stage is Stage.RUNNING and room.has_players)
    return next(played, newest[0] if newest else None)


@frozen
class SeatClaim:
    """What an IAM says."""

    power: Token
    passcode: int

    def seats(self, rooms: Iterable[Room]) -> list[tuple[Room, Seat]]:
        """Return the seats of that power in the games that are being played."""
        found = []
        for room in rooms:
            power = room.game.representation.powers.get(self.power)
            if power is not None and room.stage is Stage.RUNNING:
                found.append((room, room.game.seats[power]))
        return found

    def vacant(self, rooms: Iterable[Room]) -> list[tuple[Room, Seat]]:
        """Return those that have no client: there it could be let in."""
        return [(room, seat) for room, seat in self.seats(rooms) if seat.client is None]

    def fits(self, seat: Seat) -> bool:
        """Tell whether the passcode is that of the seat."""
        return seat.passcode == self.passcode


def seat_claim(tokens: Tokens) -> SeatClaim | None:
    """Read an IAM; None for anything else, and for one that a game will not understand."""
    if len(tokens) != 7 or tokens[0] != _I_AM or not is_integer(tokens[5]):
        return None
    if (tokens[1], tokens[3], tokens[4], tokens[6]) != (_BRA, _KET, _BRA, _KET):
        return None
    return SeatClaim(tokens[2], integer_value(tokens[5]))
