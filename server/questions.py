"""What any client may ask: the map, the position, the past, the time; and ADM."""

from functools import cache
from typing import TYPE_CHECKING

from grammar import messages as m
from grammar.boards import map_definition
from rules.board import Board
from server import admin
from server.effects import Send
from server.history import now_message, ownership_message
from server.seat import Client, Role
from server.stage import Stage

if TYPE_CHECKING:
    from server.game import Game

MOST_TIME_REQUESTS = 64
"""Notices that one client may want; each of them costs a message a turn."""


def on_ask_map(game: "Game", sender: Client, _: m.AskMap) -> None:
    """Answer MAP."""
    game.send(sender, m.MapName(game.board.name))


def on_ask_map_definition(game: "Game", sender: Client, _: m.AskMapDefinition) -> None:
    """Answer MDF."""
    game.send(sender, _map_definition(game.board))


@cache
def _map_definition(board: Board) -> m.MapDefinition:
    return map_definition(board)


def on_ask_hello(game: "Game", sender: Client, message: m.AskHello) -> None:
    """Answer HLO."""
    if game.stage is Stage.FORMING:
        game.answer(sender, message, accepted=False)
    else:
        game.send(sender, game.hello(sender))


def on_ask_now(game: "Game", sender: Client, _: m.AskNow) -> None:
    """Answer NOW."""
    game.send(sender, now_message(game.position))


def on_ask_ownership(game: "Game", sender: Client, _: m.AskOwnership) -> None:
    """Answer SCO."""
    game.send(sender, ownership_message(game.board, game.position))


def on_ask_orders(game: "Game", sender: Client, message: m.AskOrders) -> None:
    """Answer ORD."""
    if game.history.turns:
        game.send(sender, *game.history.latest_outcomes())
    else:
        game.answer(sender, message, accepted=False)


def on_ask_history(game: "Game", sender: Client, message: m.AskHistory) -> None:
    """Answer HST."""
    if message.turn is None:
        start = game.history.start
        game.send(sender, ownership_message(game.board, start), now_message(start))
        return
    played = game.history.find(message.turn)
    if played is None:
        game.answer(sender, message, accepted=False)
        return
    game.send(
        sender,
        *played.outcomes,
        ownership_message(game.board, played.position),
        now_message(played.position),
    )


def on_ask_missing(game: "Game", sender: Client, message: m.AskMissing) -> None:
    """Answer MIS."""
    seat = game.seat_of(sender)
    if seat is None or game.stage is not Stage.RUNNING:
        game.answer(sender, message, accepted=False)
    else:
        game.send(sender, game.book.missing(seat.power) or m.Missing())


def on_ask_time(game: "Game", sender: Client, message: m.AskTime) -> None:
    """Answer TME."""
    seconds = game.timer.seconds(game.now) if game.stage is Stage.RUNNING else None
    if seconds is None:
        game.answer(sender, message, accepted=False)
    else:
        game.send(sender, m.TimeLeft(seconds))


def on_ask_summary(game: "Game", sender: Client, message: m.AskSummary) -> None:
    """Answer SMR."""
    if game.stage is Stage.ENDED:
        game.send(sender, *game.verdict())
    else:
        game.answer(sender, message, accepted=False)


def on_request_time(game: "Game", sender: Client, message: m.RequestTime) -> None:
    """Answer TME ( seconds )."""
    longest = game.settings.longest_limit
    wanted = sender.time_requests
    has_room = message.seconds in wanted or len(wanted) < MOST_TIME_REQUESTS
    is_possible = longest is not None and 0 <= message.seconds <= longest and has_room
    if is_possible:
        wanted.add(message.seconds)
    game.answer(sender, message, accepted=is_possible)


def on_cancel_time(game: "Game", sender: Client, message: m.CancelTime) -> None:
    """Answer NOT ( TME )."""
    if message.seconds is None:
        sender.time_requests.clear()
        game.answer(sender, message, accepted=True)
        return
    is_known = message.seconds in sender.time_requests
    sender.time_requests.discard(message.seconds)
    game.answer(sender, message, accepted=is_known)


def on_admin(game: "Game", sender: Client, message: m.Admin) -> None:
    """Obey a command to the server; pass other ADM on to everybody who has said who it is."""
    if admin.is_command(message.text):
        admin.obey(game, sender, message.text)
        return
    if not game.settings.relays_admin:
        game.answer(sender, message, accepted=False)
        return
    identified = [
        each.number
        for each in game.clients.values()
        if each is sender or (each.role is not Role.UNIDENTIFIED and not each.is_dismissed)
    ]
    game.effects.append(Send(tuple(identified), message))
