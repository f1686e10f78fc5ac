"""Whole games at press level 20 over real TCP: to a draw and to a solo, with and without deaths."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from attrs import evolve, frozen

from bots.completing import complete
from bots.dumbbot.tactic import DumbBot
from bots.view import GameView
from grammar.boards import position_from
from grammar.messages import Now, SubmitOrders
from grammar.representation import Representation
from grammar.text import from_text, to_text
from grammar.write import write
from rules.orders import Hold, Order, Unit
from rules.places import Power
from rules.position import Position
from rules.turns import Phase
from server.record import record_to_json
from server.store import Store
from tests.peers.awkward import reset
from tests.server.hosting import (
    BOARD,
    CONFIG,
    SETTINGS,
    Hosted,
    Orders,
    Player,
    RawPeer,
    becomes,
    hold_all,
    hosting,
    wander,
)
from tests.server.red import Replay
from tests.server.serving import POWERS
from tests.server.soak import keep_company

NAMES = Representation.from_board(BOARD)
SEATS = {f"P{number}": power for number, power in enumerate(POWERS)}
PRESS = re.compile(
    r"FRM \( (?P<sender>\w+) \) \( \w+ \) "
    r"\( (?P<press>(?P<word>PRP|YES|REJ) .*?(?P<about>PCE|DMZ|XDO) .*) \)"
)


class DiedError(ConnectionResetError):
    """The client was killed before it ordered anything in this turn."""


class Talker(Player):
    """Proposes something in every movement turn, answers what it hears, and may be killed."""

    def __init__(self, name: str, orders: Orders, deaths: set[Phase], draw_in: int | None) -> None:
        super().__init__(name, orders)
        self.deaths = deaths
        """The phases in which somebody is still to be killed; all players share it."""
        self.draw_in = draw_in
        self.heard_press: Counter[str] = Counter()

    def take(self, peer: RawPeer, text: str) -> None:
        super().take(peer, text)
        if text.startswith("FRM"):
            self._answer(peer, text)

    def _answer(self, peer: RawPeer, text: str) -> None:
        """Agree to peace and to demilitarized zones, and to nothing else."""
        said = PRESS.fullmatch(text)
        assert said, text
        self.heard_press[f"{said['word']} {said['about']}"] += 1
        if said["word"] == "PRP":
            answer = "REJ" if said["about"] == "XDO" else "YES"
            peer.say(f"SND ( {said['sender']} ) ( {answer} ( {said['press']} ) )")

    async def answer(self, peer: RawPeer) -> str:
        """Return the answer to a question; press may come at any time."""
        while (text := await peer.hear()).startswith("FRM"):
            self.take(peer, text)
        return text

    def on_now(self, peer: RawPeer, now: Now) -> None:
        if self.draw_in == now.turn.year:
            peer.say("DRW")
            return
        if now.turn.phase in self.deaths and self._owes(now):
            self.deaths.remove(now.turn.phase)
            raise DiedError
        if now.turn.phase is Phase.MOVEMENT:
            peer.say(*self._proposals(now))
        super().on_now(peer, now)

    def _owes(self, now: Now) -> bool:
        """Tell whether orders are due; not in the first turn, of which nothing can be lost."""
        assert self.power
        assert self.ownership
        return bool(self.results and self.orders(position_from(now, self.ownership), self.power))

    def _proposals(self, now: Now) -> list[str]:
        mine, others = str(self.power), [name for name in POWERS if name != str(self.power)]
        units = [each for each in now.units if isinstance(each, Unit) and each.power == self.power]
        other = Random(f"{mine} {now.turn}").choice(others)
        said = [f"PCE ( {mine} {other} )", f"DMZ ( {mine} {other} ) ( BUR GAL )"]
        said += [
            f"XDO ( {to_text(write(SubmitOrders((Hold(unit),)))[2:-1])} )" for unit in units[:1]
        ]
        return [f"SND ( {other} ) ( PRP ( {each} ) )" for each in said]


async def come_back(hosted: Hosted, player: Talker) -> RawPeer:
    """Take the power back on a new connection and get all that was lost."""
    assert player.power
    (room,) = hosted.host.rooms
    seat = room.game.seats[player.power]
    await becomes(lambda: seat.client is None)
    peer = await hosted.peer(f"IAM ( {player.power} ) ( {player.passcode} )")
    assert await peer.hear() == f"YES ( IAM ( {player.power} ) ( {player.passcode} ) )"
    assert await peer.hear() == f"NOT ( CCD ( {player.power} ) )"
    peer.say("MAP", "MDF", "HLO", "ORD", "SCO", "NOW")
    hello = f"HLO ( {player.power} ) ( {player.passcode} ) ( ( LVL 20 ) )"
    assert await player.answer(peer) == "MAP ( 'standard' )"
    assert (await player.answer(peer)).startswith("MDF ( AUS ENG FRA GER ITA RUS TUR )")
    assert await player.answer(peer) == hello
    told = []
    while not (text := await player.answer(peer)).startswith("SCO"):
        told.append(text)
    assert told == player.results[-len(told) :]
    player.take(peer, text)
    player.owed = 0
    return peer  # the NOW is on its way, and makes the player order


async def play(hosted: Hosted, player: Talker) -> None:
    """Play to the end, through all deaths."""
    peer = await hosted.peer()
    await peer.join(player.name)
    while not player.summary:
        try:
            await player.go_on(peer)
        except DiedError:
            reset(peer.writer)
            peer = await come_back(hosted, player)
    # Clients of the framework wait for OFF.
    await peer.until("OFF")


async def watch(peer: RawPeer) -> Replay:
    """Check every result against the next position, as R.E.D. does."""
    replay = Replay()
    while (text := await peer.hear()) != "OFF":
        replay.hear_tokens(from_text(text), NAMES)
    return replay


def conquer(position: Position, power: Power) -> list[Order]:
    """Play as DumbBot does."""
    chance = Random(f"{power} {position.turn}")
    view = GameView(board=BOARD, power=power, position=position, random=chance)
    return list(complete(view, DumbBot().choose_orders(view)).orders)


@frozen
class Finished:
    """What is left of a game."""

    record: dict[str, Any]
    heard: list[str]
    """All that an observer heard."""
    press: Counter[str]

    @property
    def outcome(self) -> dict[str, Any]:
        """What a death must not change: all but who said what, and what that promised."""
        said = ("messages", "press", "promises", "offers", "stabs")
        return {key: value for key, value in self.record.items() if key not in said}

    @property
    def seasons(self) -> set[str]:
        return {turn["turn"][0] for turn in self.record["turns"]}


async def whole_game(players: list[Talker]) -> Finished:
    """Play on a host of its own with an observer that checks all it hears."""
    store = Store()
    settings = evolve(SETTINGS, last_year=None, seats=SEATS)
    async with hosting(evolve(CONFIG, settings=settings), store) as hosted:
        observer = await hosted.peer("OBS")
        await observer.until("MAP")
        observer.say("YES ( MAP ( 'standard' ) )")
        *_, replay = await asyncio.gather(
            *(play(hosted, player) for player in players), watch(observer)
        )
        record = record_to_json(store.load(1))
    store.close()
    assert replay
    assert replay.positions == len(record["turns"]) + 1
    assert not players[0].deaths, "nobody owed orders in a phase of this kind"
    assert len({player.summary for player in players}) == 1
    press = sum((player.heard_press for player in players), Counter[str]())
    return Finished(record, observer.heard, press)


def words_of(heard: list[str]) -> set[str]:
    """Return the words that stand in the results."""
    return {word for text in heard if text.startswith("ORD") for word in text.split()}


def wanderers(deaths: frozenset[Phase]) -> list[Talker]:
    shared = set(deaths)
    return [Talker(name, wander, shared, 1905) for name in SEATS]


def one_conqueror(deaths: frozenset[Phase]) -> list[Talker]:
    shared = set(deaths)
    tactics = {"P6": conquer}
    return [Talker(name, tactics.get(name, hold_all), shared, None) for name in SEATS]


@cache
def undisturbed(make: Callable[[frozenset[Phase]], list[Talker]]) -> Finished:
    """Play a game in which nobody dies, once for all tests."""
    return asyncio.run(whole_game(make(frozenset())))


def check_press(game: Finished) -> None:
    assert set(game.press) == {
        "PRP PCE", "PRP DMZ", "PRP XDO", "YES PCE", "YES DMZ", "REJ XDO",
    }  # fmt: skip


def test_seven_clients_talk_and_play_to_a_draw_that_all_survivors_vote_for() -> None:
    game = undisturbed(wanderers)
    check_press(game)
    assert game.seasons == {"SPR", "SUM", "FAL", "AUT", "WIN"}
    assert words_of(game.heard) >= {"MTO", "SUP", "RTO", "BLD", "REM", "SUC", "BNC", "RET"}
    assert game.record["winner"] is None
    assert len(game.record["draw"]) > 1
    assert "DRW" in game.heard
    assert game.heard[-2].startswith("SMR ( SPR 1905 )")


def test_seven_clients_talk_and_play_to_a_solo() -> None:
    game = undisturbed(one_conqueror)
    check_press(game)
    assert game.seasons == {"SPR", "SUM", "FAL", "AUT", "WIN"}
    assert words_of(game.heard) >= {"MTO", "SUP", "DSB", "BLD", "SUC", "RET"}
    assert game.record["winner"] == "TUR"
    assert game.record["draw"] == []
    assert "SLO ( TUR )" in game.heard


@pytest.mark.parametrize("make", [wanderers, one_conqueror])
async def test_clients_killed_in_each_phase_come_back_and_the_game_ends_as_without_it(
    make: Callable[[frozenset[Phase]], list[Talker]],
) -> None:
    game = await whole_game(make(frozenset(Phase)))
    assert sum(text.startswith("CCD") for text in game.heard) == len(Phase)
    assert sum(text.startswith("NOT ( CCD") for text in game.heard) == len(Phase)
    expected = await asyncio.to_thread(undisturbed, make)
    assert game.outcome == expected.outcome


async def test_whoever_is_left_over_when_a_soak_ends_gets_a_game() -> None:
    async with hosting() as hosted:
        player = Player("left over")
        company = [keep_company(number, hosted.port, 0.0, [1]) for number in range(6)]
        await asyncio.gather(player.play(await hosted.peer()), *company)
        assert player.summary
