"""The lobby: which client sits in which game.

A client asks for a place without naming a game, as the protocol has it: a player gets into the next
game that has room, an observer sees the game that is being played, and one that comes back goes
where its power and passcode fit.
"""

from collections.abc import Iterable, Sequence

from grammar.tokens import Tokens, Word, integer_value, is_integer
from server.room import Room
from server.seat import Role, Seat
from server.stage import Stage

_NAME, _OBSERVE, _I_AM = int(Word.NME), int(Word.OBS), int(Word.IAM)
INTRODUCTIONS = frozenset((_NAME, _OBSERVE, _I_AM))


def is_introduction(tokens: Tokens) -> bool:
    """Tell whether a message says who the client is."""
    return tokens[0] in INTRODUCTIONS


def is_unidentified(room: Room, client: int) -> bool:
    """Tell whether a game does not know yet who a client is."""
    known = room.game.clients.get(client)
    return known is None or known.role is Role.UNIDENTIFIED


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
    if tokens[0] == _I_AM:
        return _room_to_come_back_to(tokens, rooms) or _room_to_watch(rooms)
    return next((room for room in rooms if room.has_place), None) or _room_to_watch(rooms)


def _room_to_watch(rooms: Sequence[Room]) -> Room | None:
    newest = list(reversed(rooms))
    played = (room for room in newest if room.stage is Stage.RUNNING and room.has_players)
    return next(played, newest[0] if newest else None)


def _room_to_come_back_to(tokens: Tokens, rooms: Sequence[Room]) -> Room | None:
    vacant = vacant_rooms(tokens, rooms)
    passcode = _passcode(tokens)
    fitting = (room for room, seat in vacant if seat.passcode == passcode)
    return next(fitting, vacant[0][0] if vacant else None)


def vacant_rooms(tokens: Tokens, rooms: Iterable[Room]) -> list[tuple[Room, Seat]]:
    """Return the games in which the power of an IAM has no client: there a guess could hit."""
    if len(tokens) != 7 or tokens[0] != _I_AM or not is_integer(tokens[5]):
        return []
    vacant = []
    for room in rooms:
        power = room.game.representation.powers.get(tokens[2])
        seat = room.game.seats.get(power) if power else None
        if seat is not None and seat.client is None and room.stage is Stage.RUNNING:
            vacant.append((room, seat))
    return vacant


def rooms_guessed_at(tokens: Tokens, rooms: Iterable[Room], chosen: Room) -> list[Room]:
    """Return the other games at whose passcode a wrong IAM was a guess, so that all count it."""
    vacant = vacant_rooms(tokens, rooms)
    if any(seat.passcode == _passcode(tokens) for room, seat in vacant if room is chosen):
        return []
    return [room for room, _ in vacant if room is not chosen]


def _passcode(tokens: Tokens) -> int | None:
    return integer_value(tokens[5]) if len(tokens) == 7 and is_integer(tokens[5]) else None
