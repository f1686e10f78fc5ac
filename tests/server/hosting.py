"""A host on a real socket for tests, and clients that speak to it in DAIDE text."""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any, Self

from attrs import Factory, evolve, frozen

from daide.connection import CloseReason, Connection, Event, PeerClosed, TokensReceived
from grammar.boards import position_from
from grammar.messages import Now, Ownership, SubmitOrders
from grammar.parse import reader_for
from grammar.text import from_text, to_text
from grammar.write import write
from rules.legality import judge_order
from rules.maps import load_map
from rules.orders import (
    Build,
    Disband,
    Hold,
    Move,
    Order,
    OrderNote,
    Remove,
    Retreat,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
)
from rules.places import Location, Power
from rules.position import Position
from rules.turns import Phase
from server.clock import HostClock
from server.config import ServerConfig
from server.game import Game
from server.host import Host
from server.limits import Limits
from server.listener import Listener
from server.settings import GameSettings
from server.snapshot import write_snapshot
from server.store import Store
from tests.patience import PATIENCE

BOARD = load_map("standard")
LIMITS = Limits(grace=0.05)
SETTINGS = GameSettings(level=20, last_year=1902, linger=0.01)
CONFIG = ServerConfig(port=0, seed=7, settings=SETTINGS, limits=LIMITS)


def snapshot_of(game: Game) -> bytes:
    """Return the whole snapshot of a game."""
    steps = write_snapshot(game)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return bytes(done.value)


@frozen
class Hosted:
    """A host that listens."""

    host: Host
    listener: Listener
    port: int
    peers: list["RawPeer"] = Factory(list)

    async def peer(self, first: str = "") -> "RawPeer":
        self.peers.append(await RawPeer.connect(self.port, first))
        return self.peers[-1]


@asynccontextmanager
async def hosting(
    config: ServerConfig = CONFIG,
    store: Store | None = None,
    *,
    clock: HostClock | None = None,
) -> AsyncIterator[Hosted]:
    kept = store or Store()
    host = Host(config, kept, clock)
    listener = Listener(host)
    _, port = listener.bind()
    await listener.start()
    running = asyncio.create_task(host.run())
    hosted = Hosted(host, listener, port)
    try:
        async with asyncio.timeout(PATIENCE):
            yield hosted
    finally:
        for peer in hosted.peers:
            peer.vanish()
        host.stop()
        await listener.stop()
        await running
        if store is None:
            kept.close()


def with_settings(**changes: Any) -> ServerConfig:
    return evolve(CONFIG, settings=evolve(SETTINGS, **changes))


def with_limits(**changes: Any) -> ServerConfig:
    return evolve(CONFIG, limits=evolve(LIMITS, **changes))


async def becomes(condition: Callable[[], bool]) -> None:
    """Let the loop run until something is so."""
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110 - the host has no event for every test
            await asyncio.sleep(0)


def is_watched(game: Game) -> bool:
    """Tell whether somebody who looks on has the map, and has asked to be told how it ends."""
    return any(each.has_map and each.hears_ending for each in game.clients.values())


class RawPeer:
    """A client that says what it is told, in text, and hears text."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        self.reader = reader
        self.connection = Connection.client()
        self.events: list[Event] = []
        self.heard: list[str] = []

    @classmethod
    async def connect(
        cls, port: int, first: str = "", *, tls: ssl.SSLContext | None = None
    ) -> Self:
        """Send the IM, and perhaps a message in the same segment."""
        peer = cls(*await asyncio.open_connection("127.0.0.1", port, ssl=tls))
        data = peer.connection.initiate()
        if first:
            data += peer.connection.send_tokens(from_text(first))
        peer.writer.write(data)
        return peer

    def say(self, *texts: str) -> None:
        self.writer.write(b"".join(self.connection.send_tokens(from_text(text)) for text in texts))

    async def event(self) -> Event:
        while not self.events:
            data = b""
            with suppress(ConnectionError):
                data = await self.reader.read(1 << 16)
            if data:
                self.events += self.connection.receive(data)
            else:
                self.events += self.connection.receive_eof() or [_GONE]
        return self.events.pop(0)

    async def hear(self) -> str:
        """Return the next message, '' when the server has closed."""
        while True:
            event = await self.event()
            if isinstance(event, TokensReceived):
                self.heard.append(to_text(event.tokens))
                return self.heard[-1]
            if isinstance(event, PeerClosed):
                return ""

    async def until(self, pattern: str) -> str:
        """Return the next message that begins with a pattern."""
        while True:
            text = await self.hear()
            if re.match(pattern, text):
                return text
            if not text:
                raise ConnectionError(f"closed before {pattern!r}")

    async def farewell(self) -> PeerClosed:
        while True:
            event = await self.event()
            if isinstance(event, PeerClosed):
                return event

    async def join(self, name: str = "Peer", *, accept: bool = True) -> str:
        self.say(f"NME ( '{name}' ) ( '1' )")
        answer = await self.until("YES|REJ")
        if accept and answer.startswith("YES"):
            await self.until("MAP")
            self.say("YES ( MAP ( 'standard' ) )")
        return answer

    def vanish(self) -> None:
        self.writer.transport.abort()

    async def close(self) -> None:
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


_GONE = PeerClosed(CloseReason.END_OF_FILE)


# --- players --------------------------------------------------------------------------------------

Orders = Callable[[Position, Power], list[Order]]


def hold_all(position: Position, power: Power) -> list[Order]:
    """Hold, disband, waive and remove."""
    own = [unit for unit in position.units if unit.power == power]
    match position.turn.phase:
        case Phase.MOVEMENT:
            return [Hold(unit) for unit in own]
        case Phase.RETREAT:
            return [Disband(out.unit) for out in position.dislodged if out.unit.power == power]
    due = sum(owner == power for owner in position.owners.values()) - len(own)
    return [Waive(power)] * due if due > 0 else [Remove(unit) for unit in own[: -due or 0]]


def wander(position: Position, power: Power) -> list[Order]:
    """Move about, retreat and build: by lot, but always the same in the same position."""
    chance = Random(f"{power.name} {position.turn}")
    own = [unit for unit in position.units if unit.power == power]
    match position.turn.phase:
        case Phase.MOVEMENT:
            return _moves_with_support(position, own, chance)
        case Phase.RETREAT:
            return [
                Retreat(out.unit, out.retreats[0]) if out.retreats else Disband(out.unit)
                for out in position.dislodged
                if out.unit.power == power
            ]
    return _builds(position, power) or hold_all(position, power)


def _moves_with_support(position: Position, own: list[Unit], chance: Random) -> list[Order]:
    """Let one unit in two move, at others by preference, and the rest support what they can."""
    occupied = {unit.location.province for unit in position.units} - {
        unit.location.province for unit in own
    }
    orders: list[Order] = []
    chance.shuffle(own)
    for unit in own:
        reach = {goal.province for goal in BOARD.destinations(unit)}
        helped = [
            each for each in orders if isinstance(each, Move) and each.destination.province in reach
        ]
        goals = BOARD.destinations(unit)
        attacks = [goal for goal in goals if goal.province in occupied]
        if helped:
            orders.append(SupportMove(unit, helped[0].unit, helped[0].destination.province))
        else:
            orders.append(Move(unit, chance.choice(attacks or goals)))
    return orders


def _builds(position: Position, power: Power) -> list[Order]:
    due = sum(owner == power for owner in position.owners.values())
    due -= sum(unit.power == power for unit in position.units)
    chosen: list[Order] = []
    for home in BOARD.homes[power]:
        order = Build(Unit(power, UnitKind.ARMY, Location(home)))
        note = judge_order(BOARD, position, order, power, chosen)
        if len(chosen) < due and note is OrderNote.MIGHT_BE_VALID:
            chosen.append(order)
    return [*chosen, *[Waive(power)] * (due - len(chosen))] if due > 0 else []


def submit_text(turn: str, orders: list[Order]) -> str:
    return f"SUB ( {turn} ) " + " ".join(
        f"( {to_text(write(SubmitOrders((order,)))[2:-1])} )" for order in orders
    )


class Player:
    """Plays one power over a `RawPeer`, and remembers what it was told."""

    def __init__(self, name: str, orders: Orders = hold_all) -> None:
        self.name = name
        self.orders = orders
        self.power: Power | None = None
        self.passcode = 0
        self.ownership: Ownership | None = None
        self.results: list[str] = []
        self.summary = ""
        self.owed = 0
        self.turn = ""
        self.answered: tuple[RawPeer, str] | None = None
        self.thanked: set[str] = set()
        """The turns for which every order was thanked for."""

    async def play(self, peer: RawPeer) -> None:
        """Join and play until the summary."""
        await peer.join(self.name)
        await self.go_on(peer)

    async def come_back(self, peer: RawPeer) -> None:
        """Take the power back and play on."""
        assert self.power
        peer.say(f"IAM ( {self.power} ) ( {self.passcode} )")
        assert (await peer.until("YES|REJ")).startswith("YES"), peer.heard
        peer.say("SCO", "NOW")
        self.owed = 0
        await self.go_on(peer)

    async def go_on(self, peer: RawPeer) -> None:
        while not self.summary:
            text = await peer.hear()
            if not text:
                raise ConnectionResetError(self.name)
            self.take(peer, text)

    def take(self, peer: RawPeer, text: str) -> None:
        message = reader_for(20).server(from_text(text))
        kind, _, rest = text.partition(" ")
        match kind:
            case "HLO":
                self.power = BOARD.power(rest[2:5])
                self.passcode = int(rest.split()[4])
            case "SCO":
                assert isinstance(message, Ownership)
                self.ownership = message
            case "ORD" if text not in self.results:
                self.results.append(text)
            case "THX":
                assert text.endswith("( MBV )"), text
                self.owed -= 1
                if self.owed == 0:
                    self.thanked.add(self.turn)
            case "NOW":
                assert isinstance(message, Now)
                self.on_now(peer, message)
            case "MIS" if self.turn in self.thanked:
                # A turn that began between question and answer has no orders yet.
                assert text == "MIS", f"a confirmed order was lost: {text}"
            case "SMR":
                self.summary = text

    def on_now(self, peer: RawPeer, now: Now) -> None:
        assert self.ownership
        assert self.power
        self.turn = str(now.turn)
        if self.answered == (peer, self.turn):
            return  # told twice: asked for, and because the turn had just begun
        self.answered = (peer, self.turn)
        if self.turn in self.thanked:
            peer.say("MIS")  # what was thanked for is not lost
            return
        orders = self.orders(position_from(now, self.ownership), self.power)
        self.owed = len(orders)
        if orders:
            # What was kept but not thanked for would be doubled otherwise.
            peer.say("NOT ( SUB )", submit_text(self.turn, orders))


def text_of(message: Any) -> str:
    return to_text(write(message))


async def play_all(hosted: Hosted, players: list[Player]) -> None:
    peers = [await hosted.peer() for _ in players]
    await asyncio.gather(*(player.play(peer) for player, peer in zip(players, peers, strict=True)))
    for peer in peers:
        await peer.close()


async def seated(hosted: Hosted, count: int) -> list[RawPeer]:
    peers = [await hosted.peer() for _ in range(count)]
    for number, peer in enumerate(peers):
        assert (await peer.join(f"P{number}")).startswith("YES")
    return peers


class SetClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time
