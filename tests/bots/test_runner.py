import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bots.holdbot import HoldBot
from bots.runner import Played, Seating, play
from bots.strategy import Bot
from daide.errors import JoinRefusedError
from grammar.boards import map_definition, now_message, ownership_message
from grammar.messages import (
    AcceptMap,
    AskHello,
    AskMap,
    AskMapDefinition,
    AskNow,
    AskOrders,
    AskOwnership,
    CancelGo,
    DrawDeclared,
    Go,
    Hello,
    IAm,
    MapName,
    Name,
    PlayerSummary,
    PressReceived,
    Rej,
    SendPress,
    ServerMessage,
    SubmitOrders,
    Summary,
    TurnOff,
    VariantOption,
    Yes,
)
from grammar.press import Accept, Peace, Propose
from rules.errors import BadInputError
from rules.maps import load_map
from rules.orders import Hold
from tests.bots.negotiators import Peacemaker
from tests.daide.scripted_server import Peer, ScriptedServer

BOARD = load_map()
FRANCE, ENGLAND = BOARD.power("FRA"), BOARD.power("ENG")
NAME = Name("HoldBot", "1.0")
I_AM = IAm(FRANCE, 4711)
HELLO = Hello(FRANCE, 4711, (VariantOption("LVL", 0),))
HELLO_WITH_PRESS = Hello(FRANCE, 4711, (VariantOption("LVL", 20),))
OWNERSHIP, NOW = ownership_message(BOARD, BOARD.start), now_message(BOARD.start)
HOLDS = SubmitOrders(
    tuple(Hold(unit) for unit in BOARD.start.units if unit.power == FRANCE), BOARD.start.turn
)
SUMMARY = Summary(BOARD.start.turn, (PlayerSummary(FRANCE, "HoldBot", "1.0", 3),))
END: tuple[ServerMessage, ...] = (DrawDeclared(), SUMMARY)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as server:
        yield server


@asynccontextmanager
async def playing(
    server: ScriptedServer, bot: Bot | None = None, *, power: str | None = None
) -> AsyncIterator["asyncio.Task[Played]"]:
    seating = Seating(port=server.port, name="HoldBot", power=power, passcode=4711)
    task = asyncio.create_task(play(bot or Bot(HoldBot()), seating))
    yield task
    task.cancel()
    await asyncio.wait((task,))


async def begin(server: ScriptedServer, hello: Hello = HELLO) -> Peer:
    peer = await server.accept()
    await peer.expect(NAME)
    peer.say(Yes(NAME), MapName("standard"))
    await peer.expect(AskMapDefinition())
    peer.say(map_definition(BOARD))
    await peer.expect(AcceptMap("standard"))
    peer.say(hello, OWNERSHIP, NOW)
    return peer


async def test_a_game_is_played_to_its_end(server: ScriptedServer) -> None:
    async with playing(server) as task:
        peer = await begin(server)
        await peer.expect(HOLDS)
        peer.say(*END)
        assert await task == Played(is_over=True, failures=0)
        await peer.farewell()


async def test_a_bot_leaves_when_it_is_turned_off(server: ScriptedServer) -> None:
    async with playing(server) as task:
        peer = await begin(server)
        await peer.expect(HOLDS)
        peer.say(TurnOff())
        assert await task == Played(is_over=False, failures=0)


async def test_a_bot_that_lost_its_connection_plays_on(server: ScriptedServer) -> None:
    async with playing(server) as task:
        peer = await begin(server)
        await peer.expect(HOLDS)
        peer.drop()
        peer = await server.accept()
        await peer.expect(I_AM)
        peer.say(Yes(I_AM))
        await peer.expect(AskMap(), AskHello(), AskOrders(), AskOwnership(), AskNow())
        peer.say(MapName("standard"), HELLO, Rej(AskOrders()), OWNERSHIP, NOW)
        await peer.expect(HOLDS)
        peer.say(*END)
        assert (await task).is_over


async def test_a_power_is_taken_over(server: ScriptedServer) -> None:
    async with playing(server, power="FRA") as task:
        peer = await server.accept()
        await peer.expect(I_AM)
        peer.say(Yes(I_AM))
        await peer.expect(
            AskMap(), AskMapDefinition(), AskHello(), AskOrders(), AskOwnership(), AskNow()
        )
        peer.say(MapName("standard"), map_definition(BOARD), HELLO)
        peer.say(Rej(AskOrders()), OWNERSHIP, NOW)
        await peer.expect(HOLDS)
        peer.say(*END)
        assert (await task).is_over


async def test_a_power_that_the_game_does_not_have_is_named(server: ScriptedServer) -> None:
    async with playing(server, power="ATL") as task:
        with pytest.raises(BadInputError, match=r"'ATL'.*AUS, ENG"):
            await task


async def test_a_refusal_is_told(server: ScriptedServer) -> None:
    async with playing(server) as task:
        peer = await server.accept()
        for _ in range(2):
            await peer.expect(NAME)
            peer.say(Rej(NAME))
        with pytest.raises(JoinRefusedError):
            await task


async def test_a_talker_negotiates(server: ScriptedServer) -> None:
    async with playing(server, Bot(HoldBot(), Peacemaker())) as task:
        peer = await begin(server, HELLO_WITH_PRESS)
        await peer.expect(CancelGo())
        said = [await peer.hear() for _ in range(6)]
        assert all(isinstance(message, SendPress) for message in said)
        await peer.expect(HOLDS, Go())
        offer = Propose(Peace((ENGLAND, FRANCE)))
        peer.say(PressReceived(ENGLAND, (FRANCE,), offer))
        await peer.expect(SendPress((ENGLAND,), Accept(offer)))
        peer.say(*END)
        assert (await task).failures == 0


async def test_garbage_does_not_end_the_game(server: ScriptedServer) -> None:
    async with playing(server) as task:
        peer = await begin(server)
        await peer.expect(HOLDS)
        for tokens in ((0x4802, 0x4000, 0x4000), (0x4802, 0x4A13)):
            peer.writer.write(peer.connection.send_tokens(tokens))
        peer.say(NOW)
        await peer.expect(HOLDS)
        peer.say(*END)
        assert (await task).is_over
