"""How a game ended is told the same by everybody, whichever of the six ways it was."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from attrs import Factory, define, evolve

from feed.events import Told, told_from_bytes
from feed.facts import Fact
from feed.outbox import Letter
from feed.story import GameStory
from feed.teller import Teller
from grammar.messages import Now
from matches.finished_game import FinishedGame, finished
from matches.match import Match
from rules.outcome import EndingJson, EndingKind, result_to_json
from rules.position import Position
from server.game import Game
from server.record import GameSetup, record_to_json, replay
from server.reporter import Reporter
from server.room import Room
from server.store import Store
from spectator.follow import Follower, Screen, follow_server
from spectator.play import result
from spectator.terminal import NoDisplay
from tests.server.hosting import (
    BOARD,
    SETTINGS,
    Hosted,
    Player,
    RawPeer,
    becomes,
    hosting,
    is_watched,
)
from tests.server.table import place
from tournament.collect import is_whole
from tournament.collect import result_of as collected_result
from tournament.game_result import result_to_json as result_to_line
from tournament.play_job import result_of
from tournament.schedule import GameJob
from tournament.spec import Rules

ALL = tuple(power.name for power in BOARD.powers)
PAUSE = "SPR 1902"


class Holder(Player):
    """Holds, and in the spring of 1902 only if the game is to go on."""

    def __init__(self, name: str, *, pauses: bool, votes: bool) -> None:
        super().__init__(name)
        self.pauses, self.votes = pauses, votes

    def on_now(self, peer: RawPeer, now: Now) -> None:
        if str(now.turn) == PAUSE and self.votes:
            peer.say("DRW")
        elif str(now.turn) != PAUSE or not self.pauses:
            super().on_now(peer, now)


@define
class Case:
    """A way to the end of a game, and what is to be told of it."""

    kind: EndingKind
    outcome: str
    winners: tuple[str, ...]
    powers: tuple[str, ...]
    turn: tuple[str, int]
    settings: dict[str, Any] = Factory(dict)
    start: Position | None = None
    command: str = ""
    votes: bool = False


def nearly_won() -> Position:
    """Return a position in which France needs nothing but the end of the year."""
    centers = [center.name for center in BOARD.centers]
    owned = {"FRA": " ".join(centers[:18]), "TUR": " ".join(centers[18:])}
    return place("FAL 1907", FRA="A PAR", TUR="A SMY", centers=owned)


CASES = [
    Case(EndingKind.SOLO, "solo", ("FRA",), ("FRA",), ("FAL", 1907), start=nearly_won()),
    Case(EndingKind.AGREED_DRAW, "draw", ALL, ALL, ("FAL", 1901), votes=True),
    Case(
        *(EndingKind.YEAR_LIMIT, "year-limit", (), ALL, ("FAL", 1901)),
        settings={"last_year": 1901},
    ),
    Case(
        *(EndingKind.YEARS_WITHOUT_CHANGE, "draw", ALL, ALL, ("FAL", 1902)),
        settings={"years_without_change": 2},
    ),
    Case(EndingKind.ENDED_BY_HOST, "draw", ALL, ALL, ("FAL", 1901), command="end"),
    Case(EndingKind.ABORTED, "aborted", (), (), ("FAL", 1901), command="close"),
]


@define
class Witnesses:
    """Everybody who has seen the same game."""

    game: Game
    """As it was played."""
    store: Store
    number: int
    events: list[tuple[Letter, Told]]
    screen: Screen
    """What an observer at the port has seen."""


async def played(case: Case) -> Witnesses:
    """Play a game on a real port with players, an observer and a feed."""
    settings = evolve(SETTINGS, **{"last_year": None, **case.settings})
    sent: list[Fact] = []
    store, screen = Store(), Screen(NoDisplay(), {})
    async with hosting(store=store) as hosted:
        hosted.host.add_observer(Reporter("standard", sent.append))
        setup = GameSetup("game-1", "standard", settings, seed=1, start=case.start)
        room = hosted.host.new_room(setup)
        watching = asyncio.create_task(follow_server(screen, "127.0.0.1", hosted.port, None))
        await becomes(lambda: is_watched(room.game))
        await play(case, hosted, room)
        await watching
        await becomes(lambda: room.is_over)
        await becomes(lambda: store.waiting == 0)
    teller = Teller("s")
    letters = [letter for fact in sent for letter in teller.tell(fact)]
    return Witnesses(room.game, store, room.number, read(letters), screen)


async def play(case: Case, hosted: Hosted, room: Room) -> None:
    players = [
        Holder(name, pauses=bool(case.command or case.votes), votes=case.votes) for name in ALL
    ]
    peers = [await hosted.peer() for _ in players]
    playing = [
        asyncio.create_task(player.play(peer)) for player, peer in zip(players, peers, strict=True)
    ]
    if case.command:
        await becomes(lambda: str(room.game.position.turn) == PAUSE)
        room.command(case.command)
    await asyncio.gather(*playing, return_exceptions=True)


def read(letters: list[Letter]) -> list[tuple[Letter, Told]]:
    return [(each, told_from_bytes(each.payload)) for each in letters]


def story_of(witnesses: Witnesses) -> GameStory:
    story = GameStory()
    for _, event in witnesses.events:
        story.receive(event)
    return story


def finished_game(witnesses: Witnesses) -> FinishedGame:
    match = Match(players=dict.fromkeys(ALL, "b"))
    return finished(match, witnesses.game, witnesses.store.load(witnesses.number))


def tournament_line(witnesses: Witnesses) -> dict[str, Any]:
    job = GameJob(
        number=0, field="f", seed=1, players=dict.fromkeys(ALL, "b"), bots={}, rules=Rules()
    )
    return result_to_line(result_of(job, finished_game(witnesses)))


def collected_line(witnesses: Witnesses) -> dict[str, Any]:
    story = story_of(witnesses)
    assert is_whole(story)
    return result_to_line(collected_result(0, "s", story, 1.0))


def watched_at_port(witnesses: Witnesses) -> dict[str, Any]:
    return witnesses.screen.result()


def watched_at_broker(witnesses: Witnesses) -> dict[str, Any]:
    screen = Screen(NoDisplay(), {})
    follower = Follower(screen)
    assert [follower.receive(letter) for letter, _ in witnesses.events].count(True) == 1
    return screen.result()


def played_by_command(witnesses: Witnesses) -> dict[str, Any]:
    return result(finished_game(witnesses))


TELLERS: list[Callable[[Witnesses], dict[str, Any]]] = [
    tournament_line,
    collected_line,
    watched_at_port,
    watched_at_broker,
    played_by_command,
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kind.value)
async def test_everybody_tells_the_same_ending(case: Case) -> None:
    witnesses = await played(case)
    ending: EndingJson = {
        "kind": case.kind.value,
        "powers": list(case.powers),
        "turn": list(case.turn),
    }
    expected = {
        "outcome": case.outcome,
        "winners": list(case.winners),
        "year": case.turn[1],
        "ending": ending,
    }
    assert witnesses.game.ending is not None
    assert result_to_json(witnesses.game.ending) == expected
    for tell in TELLERS:
        assert {name: tell(witnesses)[name] for name in expected} == expected, tell.__name__
    record = witnesses.store.load(witnesses.number)
    assert record_to_json(record)["ending"] == ending
    assert replay(record).ending == witnesses.game.ending
    assert witnesses.store.ending(witnesses.number) == ending
    told = story_of(witnesses).result
    assert told is not None
    assert told.ending == ending
    witnesses.store.close()
