"""The time that is left, and who wants to be told when: TME and its notices."""

from typing import Protocol

from grammar import messages as m
from server.answering import Answering
from server.seat import Client
from server.settings import GameSettings

MOST_TIME_REQUESTS = 64
"""Notices that one client may want; each of them costs a message a turn."""


class TimedGame(Answering, Protocol):
    """What TME sees of a game: the clock, and how long it may run."""

    @property
    def settings(self) -> GameSettings:
        """The limits of the phases."""

    @property
    def seconds_left(self) -> int | None:
        """The time left in this turn as TME tells it, None without a deadline."""


def on_ask_time(game: TimedGame, sender: Client, message: m.AskTime) -> None:
    """Answer TME."""
    seconds = game.seconds_left
    if seconds is None:
        game.answer(sender, message, accepted=False)
    else:
        game.send(sender, m.TimeLeft(seconds))


def on_request_time(game: TimedGame, sender: Client, message: m.RequestTime) -> None:
    """Answer TME ( seconds )."""
    longest = game.settings.longest_limit
    wanted = sender.time_requests
    has_room = message.seconds in wanted or len(wanted) < MOST_TIME_REQUESTS
    is_possible = longest is not None and 0 <= message.seconds <= longest and has_room
    if is_possible:
        wanted.add(message.seconds)
        sender.cancelled_times.discard(message.seconds)
    game.answer(sender, message, accepted=is_possible)


def on_cancel_time(game: TimedGame, sender: Client, message: m.CancelTime) -> None:
    """Answer NOT ( TME ): from the next turn on the notice comes no more.

    In this turn it is still told. Albert and KissMyBot cancel a notice and wait for it before they
    order; nobody else minds one too many.
    """
    wanted = sender.time_requests
    cancelled = {message.seconds} & wanted if message.seconds is not None else set(wanted)
    game.answer(sender, message, accepted=bool(cancelled) or message.seconds is None)
    wanted -= cancelled
    if len(sender.notices | cancelled) <= MOST_TIME_REQUESTS:
        sender.cancelled_times |= cancelled
