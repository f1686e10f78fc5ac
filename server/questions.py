"""What any client may ask: the map, the position, the past."""

from typing import Protocol

from grammar import messages as m
from grammar.boards import map_definition, now_message, ownership_message
from rules.board import Board
from rules.maps import announced_name
from rules.position import Position
from server.answering import Answering
from server.history import History
from server.order_book import OrderBook
from server.seat import Client, Seat
from server.stage import Stage


class AskedGame(Answering, Protocol):
    """What questions see of a game; they change nothing."""

    @property
    def board(self) -> Board:
        """The map."""

    @property
    def stage(self) -> Stage:
        """How far the game has come."""

    @property
    def position(self) -> Position:
        """The current position."""

    @property
    def history(self) -> History:
        """What was played."""

    @property
    def book(self) -> OrderBook:
        """The orders of this turn."""

    def playing(self, sender: Client) -> Seat | None:
        """Return the seat of a player of a running game."""

    def hello(self, client: Client) -> m.Hello:
        """Return the HLO for a client."""

    def verdict(self) -> tuple[m.ServerMessage, ...]:
        """Return how the game ended."""


def on_ask_map(game: AskedGame, sender: Client, _: m.AskMap) -> None:
    """Answer MAP."""
    game.send(sender, m.MapName(announced_name(game.board)))


def on_ask_map_definition(game: AskedGame, sender: Client, _: m.AskMapDefinition) -> None:
    """Answer MDF."""
    game.send(sender, map_definition(game.board))


def on_ask_hello(game: AskedGame, sender: Client, message: m.AskHello) -> None:
    """Answer HLO."""
    if game.stage is Stage.FORMING:
        game.answer(sender, message, accepted=False)
    else:
        game.send(sender, game.hello(sender))


def on_ask_now(game: AskedGame, sender: Client, _: m.AskNow) -> None:
    """Answer NOW."""
    game.send(sender, now_message(game.position))


def on_ask_ownership(game: AskedGame, sender: Client, _: m.AskOwnership) -> None:
    """Answer SCO."""
    game.send(sender, ownership_message(game.board, game.position))


def on_ask_orders(game: AskedGame, sender: Client, message: m.AskOrders) -> None:
    """Answer ORD."""
    if game.history.turns:
        game.send(sender, *game.history.latest_outcomes())
    else:
        game.answer(sender, message, accepted=False)


def on_ask_history(game: AskedGame, sender: Client, message: m.AskHistory) -> None:
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


def on_ask_missing(game: AskedGame, sender: Client, message: m.AskMissing) -> None:
    """Answer MIS."""
    seat = game.playing(sender)
    if seat is None:
        game.answer(sender, message, accepted=False)
    else:
        game.send(sender, game.book.missing(seat.power) or m.Missing())


def on_ask_summary(game: AskedGame, sender: Client, message: m.AskSummary) -> None:
    """Answer SMR."""
    if told := game.verdict():
        game.send(sender, *told)
    else:
        game.answer(sender, message, accepted=False)
