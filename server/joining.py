"""Joining a game: NME, OBS, IAM, the map, and the start when every power has a player."""

from random import Random
from typing import Protocol

from grammar import messages as m
from grammar.shown import shown
from grammar.tokens import text_tokens
from rules.maps import announced_name
from rules.places import Power
from server.answering import DescribedGame
from server.game_log import note, who
from server.seat import Client, Role, Seat
from server.stage import Stage

LONGEST_NAME = 200
LONGEST_SUMMARY = 16_383
"""The names of all players stand in one SMR. So many tokens can old programs read, which take the
length in bytes for a signed number; a frame holds twice as many."""
TOKENS_OF_TURN, TOKENS_OF_PLAYER = 5, 9
"""What stands in an SMR besides names."""
WRONG_PASSCODES_PER_POWER = 5
WRONG_PASSCODES_PER_CLIENT = 3
FIRST_LOCK = 30.0


class JoinableGame(DescribedGame, Protocol):
    """What joining sees of a game, and how it lets a client in; it changes seats and clients."""

    @property
    def now(self) -> float:
        """The time, against which a lock is held."""

    @property
    def chance(self) -> Random:
        """Draws powers by lot."""

    def start(self) -> None:
        """Begin to play: every seat has its client."""

    def welcome(self, client: Client) -> None:
        """Tell a client that comes late how the game stands."""

    def take_back(self, seat: Seat) -> None:
        """Tell everybody that a power has a client again, and let the clock run."""

    def dismiss(self, client: Client) -> None:
        """Tell a client to leave."""


def on_name(game: JoinableGame, sender: Client, message: m.Name) -> None:
    """Answer NME: a place, or REJ."""
    power, is_possible = _planned_power(game, message.name)
    why = _why_no_place(game, sender, is_possible=is_possible)
    if not all(_is_short(text, len(game.seats)) for text in (message.name, message.version)):
        why = "name too long"
    if why:
        told = {"game": game.name, "client": sender.number, "name": shown(message.name)}
        note("player refused", **told, why=why)
        game.answer(sender, message, accepted=False)
        return
    sender.role, sender.power = Role.CANDIDATE, power
    sender.name, sender.version = message.name, message.version
    if game.settings.map_limit is not None:
        sender.map_due = game.now + game.settings.map_limit
    game.answer(sender, message, accepted=True)
    game.send(sender, m.MapName(announced_name(game.board)))


def _is_short(text: str, players: int) -> bool:
    """Tell whether every player may have names like this."""
    room = (LONGEST_SUMMARY - TOKENS_OF_TURN) // players - TOKENS_OF_PLAYER
    return len(text) <= LONGEST_NAME and len(text_tokens(text)) <= room // 2


def send_away_late(game: JoinableGame) -> None:
    """Free the places of those who do not accept the map: the others wait for them."""
    if game.stage is not Stage.FORMING:
        return
    for client in game.candidates():
        is_late = client.map_due is not None and game.now >= client.map_due
        if is_late and not client.has_map:
            note("place taken back: no map", game=game.name, **who(client))
            _refuse_map(game, client)


def _why_no_place(game: JoinableGame, sender: Client, *, is_possible: bool) -> str | None:
    """Say why a client gets no place; None if it does."""
    if sender.role is not Role.UNIDENTIFIED:
        return "it has a place already"
    if game.stage is not Stage.FORMING:
        return "the game has begun"
    if len(game.candidates()) >= len(game.seats):
        return "the game is full"
    return None if is_possible else "the power is taken or promised to another"


def _planned_power(game: JoinableGame, name: str) -> tuple[Power | None, bool]:
    """Return the power that a client of that name gets, None for any, and whether it can."""
    taken = [each.power for each in game.candidates()]
    planned = set(game.settings.seats.values())
    if name in game.settings.seats:
        power = _power_named(game, game.settings.seats[name])
        return power, power is not None and power not in taken
    asked = power_in_name(name)[0] if game.settings.power_in_name else None
    power = _power_named(game, asked) if asked else None
    if power is not None and (power in taken or power.name in planned):
        return power, False
    # Enough powers that nobody was promised must be left for those who take any.
    free = sum(each.name not in planned for each in game.seats if each not in (*taken, power))
    return power, free >= taken.count(None) + (power is None)


def power_in_name(name: str) -> tuple[str | None, str]:
    """Split `FRA:Name` into the power that it asks for and the name proper."""
    return (name[:3].upper(), name[4:]) if name[3:4] == ":" else (None, name)


def _power_named(game: JoinableGame, name: str) -> Power | None:
    return next((each for each in game.seats if each.name == name), None)


def on_observe(game: JoinableGame, sender: Client, message: m.Observe) -> None:
    """Answer OBS."""
    if sender.role not in (Role.UNIDENTIFIED, Role.OBSERVER):
        game.answer(sender, message, accepted=False)
        return
    sender.role = Role.OBSERVER
    sender.name, sender.version = message.name or "", message.version or ""
    game.answer(sender, message, accepted=True)
    game.send(sender, m.MapName(announced_name(game.board)))


def on_accept_map(game: JoinableGame, sender: Client, message: m.AcceptMap) -> None:
    """Take YES ( MAP ): the client is ready."""
    if message.name.casefold() != announced_name(game.board).casefold():
        game.answer(sender, message, accepted=False)
        if not sender.has_map:
            _refuse_map(game, sender)
    elif sender.role in (Role.CANDIDATE, Role.OBSERVER) and not sender.has_map:
        sender.has_map = True
        if game.stage is Stage.FORMING:
            start_if_full(game)
        else:
            game.welcome(sender)


def on_refuse_map(game: JoinableGame, sender: Client, _: m.RefuseMap) -> None:
    """Take REJ ( MAP ): the place is free again."""
    _refuse_map(game, sender)


def _refuse_map(game: JoinableGame, sender: Client) -> None:
    if sender.role is Role.CANDIDATE or (sender.role is Role.OBSERVER and not sender.has_map):
        sender.role, sender.power = Role.UNIDENTIFIED, None
        game.dismiss(sender)


def on_i_am(game: JoinableGame, sender: Client, message: m.IAm) -> None:
    """Answer IAM: the power is taken back, or REJ."""
    seat = game.seats[message.power]
    if why := _why_not_taken(game, sender, seat, message.passcode):
        told = {"game": game.name, "client": sender.number, "power": seat.power.name}
        note("return refused", **told, why=why)
        game.answer(sender, message, accepted=False)
        return
    sender.role, sender.power, sender.has_map = Role.PLAYER, seat.power, True
    sender.is_omniscient = False
    seat.client, seat.absent_since, seat.stand_in_asked = sender.number, None, False
    seat.address = sender.address
    seat.wrong_passcodes = 0
    game.answer(sender, message, accepted=True)
    game.take_back(seat)


def _why_not_taken(game: JoinableGame, sender: Client, seat: Seat, passcode: int) -> str | None:
    """Say why a client does not get a power back; None if it does."""
    if game.stage is not Stage.RUNNING:
        return "the game does not run"
    if sender.role not in (Role.UNIDENTIFIED, Role.OBSERVER):
        return "it has a place already"
    if seat.client is not None:
        return "the power has a client"
    if _is_locked(game, seat):
        return "the seat is locked"
    if sender.wrong_passcodes >= WRONG_PASSCODES_PER_CLIENT:
        return "too many wrong passcodes"
    if passcode == seat.passcode:
        return None
    sender.wrong_passcodes += 1
    seat.wrong_passcodes += 1
    over = seat.wrong_passcodes - WRONG_PASSCODES_PER_POWER
    if over >= 0:
        seat.locked_until = game.now + FIRST_LOCK * 2**over
    return "wrong passcode"


def _is_locked(game: JoinableGame, seat: Seat) -> bool:
    """Tell whether the seat itself is locked, as it was in games of the store's first format.

    A replay of such a game must refuse what was refused.
    """
    return game.settings.locks_seats and game.now < seat.locked_until


def start_if_full(game: JoinableGame) -> None:
    """Start the game once every power has a player that has the map."""
    ready = [client for client in game.candidates() if client.has_map]
    if len(ready) < len(game.seats):
        return
    _assign(game, ready)
    game.start()


def _assign(game: JoinableGame, ready: list[Client]) -> None:
    """Give every candidate a power: the planned one, or one drawn by lot."""
    free = [power for power in game.seats if power not in {each.power for each in ready}]
    game.chance.shuffle(free)
    for client in ready:
        power = client.power or free.pop()
        client.role, client.power = Role.PLAYER, power
        seat = game.seats[power]
        seat.client, seat.name, seat.version = client.number, client.name, client.version
        seat.address = client.address
