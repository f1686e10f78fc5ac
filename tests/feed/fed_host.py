"""A host with a feed, in this process; only its relay is a process of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from attrs import evolve, frozen

from feed.address import BrokerAddress
from feed.publisher import Publisher
from grammar.messages import Now
from server.config import ServerConfig
from server.feed_setup import start_feed
from server.game import Game
from server.inputs import Ticked, apply
from server.record import GameRecord
from server.stage import Stage
from server.store import Store
from tests.patience import PATIENCE
from tests.server.hosting import (
    BOARD,
    Hosted,
    Player,
    RawPeer,
    hosting,
    is_watched,
    wander,
    with_settings,
)


@frozen
class Fed:
    """A host that listens and publishes."""

    hosted: Hosted
    publisher: Publisher
    store: Store

    async def becomes(self, condition: Callable[[Publisher], bool]) -> None:
        """Wait until the relay has told so."""
        async with asyncio.timeout(PATIENCE):
            while not condition(self.publisher):  # noqa: ASYNC110 - it has no event for every test
                await asyncio.sleep(0.01)

    async def is_watched(self, game: Game) -> None:
        """Wait until somebody looks on."""
        await self.becomes(lambda _: is_watched(game))


@asynccontextmanager
async def fed_hosting(
    address: BrokerAddress, *, buffer: int | None = None, config: ServerConfig | None = None
) -> AsyncIterator[Fed]:
    config = config or with_settings(last_year=1902)
    store = Store()
    try:
        async with hosting(config, store) as hosted:
            fed = evolve(config, mqtt=address, mqtt_name="test")
            publisher = start_feed(fed, hosted.host, "127.0.0.1", hosted.port, buffer=buffer)
            try:
                yield Fed(hosted, publisher, store)
            finally:
                await publisher.stop()
    finally:
        store.close()


async def play_all(hosted: Hosted, players: list[Player]) -> None:
    async with asyncio.timeout(PATIENCE):
        peers = [await hosted.peer() for _ in players]
        await asyncio.gather(
            *(player.play(peer) for player, peer in zip(players, peers, strict=True))
        )


def wanderers() -> list[Player]:
    return [Player(f"P{number}", wander) for number in range(7)]


class Talker(Player):
    """Wanders, proposes peace to its neighbour in the list every turn, and agrees to everything."""

    def __init__(self, name: str) -> None:
        super().__init__(name, wander)

    def take(self, peer: RawPeer, text: str) -> None:
        if text.startswith("FRM") and " ( PRP " in text:
            sender, _, press = text.removeprefix("FRM ( ").partition(" ) ( ")
            peer.say(f"SND ( {sender} ) ( YES {press.partition(' ) ')[2]} )")
        super().take(peer, text)

    def on_now(self, peer: RawPeer, now: Now) -> None:
        assert self.power
        powers = BOARD.powers
        other = powers[(powers.index(self.power) + 1) % len(powers)]
        peer.say(f"SND ( {other} ) ( PRP ( PCE ( {self.power} {other} ) ) )")
        super().on_now(peer, now)


def talkers() -> list[Player]:
    return [Talker(f"P{number}") for number in range(6)]


async def all_agree(hosted: Hosted) -> None:
    """Wait until six talkers have proposed peace in this turn, and all but one were answered."""
    history = hosted.host.rooms[0].game.history
    async with asyncio.timeout(PATIENCE):
        while sum(each.turn == history.position.turn for each in history.press) < 11:  # noqa: ASYNC110 - nobody tells of press
            await asyncio.sleep(0.01)


class Thinker(Player):
    """Thinks about some turns until it is told to go on."""

    def __init__(self, name: str, turns: tuple[str, ...]) -> None:
        super().__init__(name, wander)
        self.thinks_about = {turn: asyncio.Event() for turn in turns}
        self._told: tuple[RawPeer, Now] | None = None

    def on_now(self, peer: RawPeer, now: Now) -> None:
        if str(now.turn) in self.thinks_about:
            self._told = peer, now
            self.thinks_about[str(now.turn)].set()
        else:
            super().on_now(peer, now)

    def move(self) -> None:
        assert self._told
        super().on_now(*self._told)


def deadlines(record: GameRecord) -> int:
    """Return how often the clock, not the players, made something happen while the game went on."""
    game = record.setup.new_game()
    count = 0
    for batch in record.batches:
        for happened in batch.inputs:
            # When the game is over the clock turns the clients off, if they have not left before.
            count += isinstance(happened, Ticked) and game.stage is not Stage.ENDED
            apply(game, happened, batch.time)
    return count


class Gate:
    """A port in front of a broker that can be shut, and stalled so that nothing gets through."""

    def __init__(self, broker: BrokerAddress) -> None:
        self._broker = broker
        self._flows = asyncio.Event()
        self._flows.set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    @property
    def address(self) -> BrokerAddress:
        return evolve(self._broker, port=self.port)

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._on_peer, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def shut(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in tuple(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def stall(self) -> None:
        self._flows.clear()

    def flow(self) -> None:
        self._flows.set()

    async def _on_peer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            other_reader, other_writer = await asyncio.open_connection(
                self._broker.host, self._broker.port
            )
            tasks = [
                asyncio.create_task(self._pump(reader, other_writer)),
                asyncio.create_task(self._pump(other_reader, writer)),
            ]
            self._tasks.update(tasks)
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            self._tasks.difference_update(tasks)
            other_writer.transport.abort()
        writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                await self._flows.wait()
                writer.write(data)
