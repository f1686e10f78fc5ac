"""Books of whole games: each player's own, and the one of the record."""

import pytest
from attrs import evolve

from bots.blabbot import blabbot
from bots.diplominator.diplominator import diplominator
from bots.dumbbot.tactic import DumbBot
from bots.strategy import Bot
from grammar.press import Draw
from promises.book import PromiseBook
from promises.keeper import Bookkeeper
from promises.promise import Kind, Promise, Verdict
from rules.places import Power
from server.history import promise_book
from server.settings import GameSettings
from tests.bots.in_memory import Room


@pytest.fixture(scope="module")
def room() -> Room:
    bots = [diplominator(stabs_at=5) for _ in range(4)] + [blabbot(), blabbot(), Bot(DumbBot())]
    room = Room(bots, GameSettings(last_year=1908, level=20, press_rounds=6), seed=4)
    room.play()
    return room


def of(power: Power, promises: list[Promise]) -> list[str]:
    """Return a power's part of a book; which of two equal proposals was agreed first is open."""
    own = [each for each in promises if power == each.maker or power in each.to]
    return sorted(str(evolve(each, arrangement=Draw())) for each in own)


def finished(room: Room) -> PromiseBook:
    book = promise_book(room.game.history)
    book.finish(room.game.position.turn, drawn=True)
    return book


def test_the_record_of_a_game_tells_who_lied(room: Room) -> None:
    book = finished(room)
    verdicts = [each.verdict for each in book.promises if each.kind is Kind.PEACE]
    assert verdicts.count(Verdict.BROKEN) > 5
    assert verdicts.count(Verdict.KEPT) > 5
    assert Verdict.OPEN not in verdicts
    assert book.stabs


def test_every_player_knows_the_part_of_the_book_that_is_its_own(room: Room) -> None:
    everything = finished(room)
    for seat in room.seats.values():
        power = seat.player.table.power
        assert power is not None
        keeper = Bookkeeper(room.game.board, power)
        for message in seat.heard:
            keeper.learn(message)
        assert of(power, keeper.book.promises) == of(power, everything.promises)
        assert [each for each in keeper.book.stabs if power in (each.by, each.victim)] == [
            each for each in everything.stabs if power in (each.by, each.victim)
        ]


def test_a_bot_sees_its_book(room: Room) -> None:
    seat = room.seats[0]
    view = seat.player._press_view()
    assert view.book.promises
