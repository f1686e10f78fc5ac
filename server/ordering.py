"""Orders, go flags and votes for a draw."""

from collections.abc import Collection
from typing import Protocol

from grammar import messages as m
from rules.places import Power
from rules.turns import Turn
from server.answering import Answering
from server.order_book import OrderBook
from server.seat import Client, Seat
from server.settings import GameSettings


class OrderedGame(Answering, Protocol):
    """What orders, go flags and votes see of a game; they change its book and the sender's seat."""

    @property
    def settings(self) -> GameSettings:
        """Whether a draw may leave survivors out."""

    @property
    def turn(self) -> Turn:
        """The turn that is played."""

    @property
    def survivors(self) -> Collection[Power]:
        """The powers that are still in the game."""

    @property
    def book(self) -> OrderBook:
        """The orders of this turn."""

    def playing(self, sender: Client, *, alive: bool = False) -> Seat | None:
        """Return the seat of a player of a running game, of a surviving one if so asked."""


def on_submit(game: OrderedGame, sender: Client, message: m.SubmitOrders) -> None:
    """Answer SUB: THX for each order, then MIS if any are missing."""
    seat = game.playing(sender)
    if seat is None or message.turn not in (None, game.turn):
        game.answer(sender, message, accepted=False)
        return
    notes = game.book.submit(seat.power, message.orders)
    game.send(sender, *map(m.OrderAnswer, message.orders, notes))
    _tell_missing(game, sender, seat)


def _tell_missing(game: OrderedGame, sender: Client, seat: Seat) -> None:
    missing = game.book.missing(seat.power)
    if missing is not None:
        game.send(sender, missing)


def on_cancel_orders(game: OrderedGame, sender: Client, message: m.CancelOrders) -> None:
    """Answer NOT ( SUB )."""
    seat = game.playing(sender, alive=True)
    if seat is None:
        game.answer(sender, message, accepted=False)
    elif message.order is None:
        game.book.clear(seat.power)
        game.answer(sender, message, accepted=True)
    else:
        done = game.book.cancel(seat.power, message.order)
        game.answer(sender, message, accepted=done)


def on_go(game: OrderedGame, sender: Client, message: m.Go) -> None:
    """Answer GOF."""
    seat = game.playing(sender)
    game.answer(sender, message, accepted=seat is not None)
    if seat is not None:
        seat.go = True
        _tell_missing(game, sender, seat)


def on_cancel_go(game: OrderedGame, sender: Client, message: m.CancelGo) -> None:
    """Answer NOT ( GOF )."""
    seat = game.playing(sender, alive=True)
    game.answer(sender, message, accepted=seat is not None)
    if seat is not None:
        seat.go = False
        seat.talks_in_rounds = True


def _draw_set(game: OrderedGame, powers: tuple[Power, ...]) -> frozenset[Power] | None:
    """Return the draw that a vote names, None if it cannot be."""
    if not powers:
        return frozenset(game.survivors)
    is_possible = game.settings.partial_draws and set(powers) <= set(game.survivors)
    return frozenset(powers) if is_possible and len(set(powers)) > 1 else None


def on_request_draw(game: OrderedGame, sender: Client, message: m.RequestDraw) -> None:
    """Answer DRW; the game ends as soon as all survivors agree."""
    _vote(game, sender, message)


def on_cancel_draw(game: OrderedGame, sender: Client, message: m.CancelDraw) -> None:
    """Answer NOT ( DRW )."""
    _vote(game, sender, message)


def _vote(game: OrderedGame, sender: Client, message: m.RequestDraw | m.CancelDraw) -> None:
    seat = game.playing(sender, alive=True)
    vote = _draw_set(game, message.powers)
    is_possible = seat is not None and vote is not None
    game.answer(sender, message, accepted=is_possible)
    if seat is None or vote is None:
        return
    if isinstance(message, m.RequestDraw):
        seat.draws.add(vote)
    else:
        seat.draws.discard(vote)
