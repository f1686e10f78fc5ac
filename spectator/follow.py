"""Following a game of a server elsewhere, from its port or its MQTT topics, or one of a record.

Raises `LostError` when the game can be followed no longer, and what `daide.client` raises.
"""

import os
from collections import defaultdict
from contextlib import aclosing
from pathlib import Path
from time import sleep
from typing import Any

import structlog
from attrs import Factory, define

from bots.game_so_far import board_for
from daide.backoff import NEVER
from daide.client import connect
from daide.game_end import ASK
from feed.address import BrokerAddress
from feed.broker import BrokerState
from feed.events import (
    Event,
    GameEnded,
    Lobby,
    PlayersSeated,
    PositionReached,
    Told,
    told_from_bytes,
)
from feed.listening import RefusedByBrokerError, letters_from
from feed.outbox import Letter
from feed.topics import ANY, Place, place_of, private_events, public_events, status
from grammar.messages import Admin, Hello, ServerMessage, TurnOff
from promises.keeper import Bookkeeper
from rules.board import Board
from rules.outcome import result_to_json
from rules.places import Power
from rules.variants import load_board
from server.record_file import naming, read_record
from spectator.feed_messages import EventReader
from spectator.observed_game import ObservedGame
from spectator.terminal import Display

OBSERVER_SECRET = "DAIDE_OBSERVER_SECRET"  # noqa: S105 - the name of a variable, not a secret
HELD = 200
"""So many events of a game are kept while it is not known to be the one."""

log = structlog.get_logger(__name__)


class LostError(Exception):
    """The game can be followed no longer; the text says why."""


@define
class Screen:
    """What is seen of one game, and where it is shown."""

    display: Display
    players: dict[Power, str]
    """Who plays which power, as far as that is known; the display looks here."""
    watch: ObservedGame | None = None

    def begin(self, board: Board) -> None:
        """Begin to show a game on that board."""
        self.watch = ObservedGame(Bookkeeper(board))
        self.players.update(dict.fromkeys(board.powers, ""))
        self.display.start()
        self.display.update(self.watch)

    def receive(self, message: ServerMessage) -> bool:
        """Show what a message tells; return whether the game is over."""
        if self.watch is None:
            return False
        changed = self.watch.receive(message)
        if self.watch.summary is not None:
            self.players.update({each.power: each.name for each in self.watch.summary.players})
        if changed:
            self.display.update(self.watch)
        return self.watch.is_over

    def result(self) -> dict[str, Any]:
        """Return how the game ended."""
        watch = self.watch
        if watch is None or watch.ending is None:
            raise LostError("the game ended without a result")
        return {
            **result_to_json(watch.ending),
            "press_messages": watch.press_messages,
            "players": [
                {
                    "power": each.power.name,
                    "name": each.name,
                    "centers": each.centers,
                    "eliminated": each.eliminated,
                }
                for each in (watch.summary.players if watch.summary else ())
            ],
        }


# --- from a server's port -------------------------------------------------------------------------


async def follow_server(screen: Screen, host: str, port: int, game: str | None) -> None:
    """Watch a game as an observer, to its end; all press where we know the server's secret."""
    async with connect(host, port, backoff=NEVER) as client:
        if game is not None:
            await client.select(game)
        await client.observe()
        await client.send(Admin("watch", ASK))
        if secret := os.environ.get(OBSERVER_SECRET):
            await client.send(Admin("watch", f"Server: observe all {secret}"))
        async for message in client:
            if isinstance(message, Hello) and screen.watch is None:
                assert client.map_definition is not None
                screen.begin(board_for(client.map_definition, client.representation))
            if screen.receive(message):
                return
            if isinstance(message, TurnOff):
                break
    raise LostError("the server ended before the game")


# --- from a record --------------------------------------------------------------------------------


def follow_record(screen: Screen, path: Path, game: str | None, pause: float) -> None:
    """Show a recorded game to its end, with a pause after each turn."""
    from spectator.web.facts_from_record import events_of  # noqa: PLC0415 - games that are live need none

    record = read_record(path, game)
    with naming(str(path)):
        events = list(events_of(record))  # all of them first: what is damaged is not shown in part
        follower = Follower(screen, game=record["setup"]["name"])
        follower.begin(load_board(record["setup"]["variant"]))
        for event in events:
            if follower.show(event):
                return
            if isinstance(event, PositionReached):
                sleep(pause)
    raise LostError(f"{path}: the record ends before the game does")


# --- from a broker --------------------------------------------------------------------------------


@define
class Follower:
    """Finds the game that is meant among all that is published, and follows it."""

    screen: Screen
    server: str | None = None
    game: str | None = None
    variant: str | None = None
    _place: Place | None = None
    _reader: EventReader | None = None
    _held: dict[Place, list[Told]] = Factory(lambda: defaultdict(list))
    _seen: set[tuple[str, bool, int]] = Factory(set)

    def receive(self, letter: Letter) -> bool:
        """Take a letter; return whether the game is over."""
        place = place_of(letter.topic)
        if place is None or not self._may_be(place):
            return False
        told = told_from_bytes(letter.payload)
        if self._place is None:
            self._held[place].append(told)
            del self._held[place][:-HELD]
            return self._choose(place, told)
        # A letter may come twice, as QoS 1 has it.
        if (key := (told.run, told.event.is_private, told.number)) in self._seen:
            return False
        self._seen.add(key)
        return self.show(told.event)

    def is_lost(self, letter: Letter) -> bool:
        """Whether a letter says that the server of our game is gone."""
        return (
            self._place is not None
            and letter.topic == status(self._place.server)
            and b'"offline"' in letter.payload
        )

    def _may_be(self, place: Place) -> bool:
        if self._place is not None:
            return place == self._place
        return self.server in (None, place.server) and self.game in (None, place.game)

    def _choose(self, place: Place, told: Told) -> bool:
        """Take the first game that is not over, or the one that was named."""
        lobby = told.event
        if not isinstance(lobby, Lobby) or (lobby.stage == "ended" and self.game is None):
            return False
        self._place = place
        log.info("following", game=place.game, server=place.server)
        self.begin(load_board(self.variant or lobby.variant))
        held = sorted(self._held.pop(place), key=_place_in_time)
        self._held.clear()
        self._seen.update((each.run, each.event.is_private, each.number) for each in held)
        over = [self.show(each.event) for each in held]
        return any(over)

    def begin(self, board: Board) -> None:
        """Begin to show a game on that board."""
        self._reader = EventReader(board)
        self.screen.begin(board)

    def show(self, event: Event) -> bool:
        """Show the next event of the game; return whether it is over."""
        assert self._reader is not None
        if isinstance(event, PlayersSeated):
            names = {each["power"]: each["name"] for each in event.players}
            players = self.screen.players
            players.update({power: names[power.name] for power in players if power.name in names})
        over = [self.screen.receive(message) for message in self._reader.messages(event)]
        return isinstance(event, GameEnded) or any(over)


def _place_in_time(told: Told) -> tuple[int, bool, int]:
    """Return where an event stands among the public and private ones of its game."""
    public = told.number if told.after is None else told.after
    return public, told.event.is_private, told.number


async def follow_feed(follower: Follower, address: BrokerAddress) -> None:
    """Watch a game through a broker, to its end; private topics as far as we may read them."""

    def on_state(state: BrokerState, why: str) -> None:
        if state not in (BrokerState.CONNECTED, BrokerState.REFUSED):
            log.warning("broker not there", state=state.value, broker=str(address), why=why)

    server, game = follower.server or ANY, follower.game or ANY
    topics = status(server), public_events(server, game), private_events(server, game)
    news = letters_from(address, topics, who="watch", on_state=on_state)
    try:
        async with aclosing(news) as letters:
            async for letter in letters:
                if follower.receive(letter):
                    return
                if follower.is_lost(letter):
                    raise LostError("the server went offline before the end of the game")
    except RefusedByBrokerError as error:
        raise LostError(f"the broker refuses us: {error}") from None
