"""Joining a game: NME, OBS, IAM, the map, and the start when every power has a player."""

from typing import TYPE_CHECKING

import structlog

from grammar import messages as m
from rules.places import Power
from server.history import now_message, ownership_message
from server.seat import Client, Role, Seat
from server.stage import Stage

if TYPE_CHECKING:
    from server.game import Game

WRONG_PASSCODES_PER_POWER = 5
WRONG_PASSCODES_PER_CLIENT = 3
FIRST_LOCK = 30.0

log = structlog.get_logger(__name__)


def on_name(game: "Game", sender: Client, message: m.Name) -> None:
    """Answer NME: a place, or REJ."""
    power, is_possible = _planned_power(game, message.name)
    if sender.role is not Role.UNIDENTIFIED or not game.has_room or not is_possible:
        game.answer(sender, message, accepted=False)
        return
    sender.role, sender.power = Role.CANDIDATE, power
    sender.name, sender.version = message.name, message.version
    game.answer(sender, message, accepted=True)
    game.send(sender, m.MapName(game.board.name))


def _planned_power(game: "Game", name: str) -> tuple[Power | None, bool]:
    """Return the power that a client of that name gets, None for any, and whether it can."""
    taken = [each.power for each in game.candidates()]
    planned = set(game.settings.seats.values())
    if name in game.settings.seats:
        power = _power_named(game, game.settings.seats[name])
        return power, power is not None and power not in taken
    power = _power_named(game, name[:3].upper()) if _asks_for_power(game, name) else None
    if power is not None and (power in taken or power.name in planned):
        return power, False
    # Enough powers that nobody was promised must be left for those who take any.
    free = sum(each.name not in planned for each in game.seats if each not in (*taken, power))
    return power, free >= taken.count(None) + (power is None)


def _asks_for_power(game: "Game", name: str) -> bool:
    return game.settings.power_in_name and name[3:4] == ":"


def _power_named(game: "Game", name: str) -> Power | None:
    return next((each for each in game.seats if each.name == name), None)


def on_observe(game: "Game", sender: Client, message: m.Observe) -> None:
    """Answer OBS."""
    if sender.role not in (Role.UNIDENTIFIED, Role.OBSERVER):
        game.answer(sender, message, accepted=False)
        return
    sender.role = Role.OBSERVER
    sender.name, sender.version = message.name or "", message.version or ""
    game.answer(sender, message, accepted=True)
    game.send(sender, m.MapName(game.board.name))


def on_accept_map(game: "Game", sender: Client, message: m.AcceptMap) -> None:
    """Take YES ( MAP ): the client is ready."""
    if message.name.casefold() != game.board.name.casefold():
        game.answer(sender, message, accepted=False)
        if not sender.has_map:
            _refuse_map(game, sender)
    elif sender.role in (Role.CANDIDATE, Role.OBSERVER) and not sender.has_map:
        sender.has_map = True
        if game.stage is Stage.FORMING:
            start_if_full(game)
        else:
            _tell_latecomer(game, sender)


def on_refuse_map(game: "Game", sender: Client, _: m.RefuseMap) -> None:
    """Take REJ ( MAP ): the place is free again."""
    _refuse_map(game, sender)


def _refuse_map(game: "Game", sender: Client) -> None:
    if sender.role is Role.CANDIDATE or (sender.role is Role.OBSERVER and not sender.has_map):
        sender.role, sender.power = Role.UNIDENTIFIED, None
        game.dismiss(sender)


def on_i_am(game: "Game", sender: Client, message: m.IAm) -> None:
    """Answer IAM: the power is taken back, or REJ."""
    seat = game.seats[message.power]
    if not _may_take(game, sender, seat, message.passcode):
        game.answer(sender, message, accepted=False)
        return
    sender.role, sender.power, sender.has_map = Role.PLAYER, seat.power, True
    sender.is_omniscient = False
    seat.client, seat.absent_since, seat.stand_in_asked = sender.number, None, False
    seat.wrong_passcodes = 0
    game.answer(sender, message, accepted=True)
    game.broadcast(m.BackInOrder(seat.power))
    game.restart_timer()


def _may_take(game: "Game", sender: Client, seat: Seat, passcode: int) -> bool:
    if game.stage is not Stage.RUNNING or sender.role not in (Role.UNIDENTIFIED, Role.OBSERVER):
        return False
    if seat.client is not None or game.now < seat.locked_until:
        return False
    if sender.wrong_passcodes >= WRONG_PASSCODES_PER_CLIENT:
        return False
    if passcode == seat.passcode:
        return True
    sender.wrong_passcodes += 1
    seat.wrong_passcodes += 1
    over = seat.wrong_passcodes - WRONG_PASSCODES_PER_POWER
    if over >= 0:
        seat.locked_until = game.now + FIRST_LOCK * 2**over
        wrong = seat.wrong_passcodes
        log.warning("passcode guessing", game=game.name, power=seat.power.name, wrong=wrong)
    return False


def start_if_full(game: "Game") -> None:
    """Start the game once every power has a player that has the map."""
    ready = [client for client in game.candidates() if client.has_map]
    if len(ready) < len(game.seats):
        return
    _assign(game, ready)
    game.stage = Stage.RUNNING
    for client in game.clients.values():
        if client.has_map:
            game.send(client, game.hello(client))
    position = game.position
    game.broadcast(ownership_message(game.board, position), now_message(position))
    game.begin_timer()


def _assign(game: "Game", ready: list[Client]) -> None:
    """Give every candidate a power: the planned one, or one drawn by lot."""
    free = [power for power in game.seats if power not in {each.power for each in ready}]
    game.chance.shuffle(free)
    for client in ready:
        power = client.power or free.pop()
        client.role, client.power = Role.PLAYER, power
        seat = game.seats[power]
        seat.client, seat.name, seat.version = client.number, client.name, client.version


def _tell_latecomer(game: "Game", sender: Client) -> None:
    position = game.position
    game.send(sender, game.hello(sender), ownership_message(game.board, position))
    if game.stage is Stage.ENDED:
        game.send(sender, *game.verdict())
    game.send(sender, now_message(position))
    seconds = game.timer.seconds(game.now)
    if game.timer.is_running and seconds is not None:
        game.send(sender, m.TimeLeft(seconds))
