import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

import pytest
from structlog.testing import capture_logs

from daide.backoff import NEVER, Backoff
from daide.client import OUTBOX_LIMIT, Client, connect
from daide.connection import CloseReason
from daide.connection_end import ConnectionEnd
from daide.errors import (
    ConnectionEndedError,
    ConnectionLostError,
    JoinRefusedError,
    OutboxFullError,
)
from daide.frames import LocalProtocolError
from grammar.messages import (
    AcceptMap,
    Admin,
    AskHello,
    AskMap,
    AskMapDefinition,
    AskNow,
    AskOrders,
    AskOwnership,
    AskTime,
    DrawDeclared,
    Go,
    Hello,
    IAm,
    MapName,
    Name,
    Now,
    Observe,
    Ownership,
    Rej,
    RequestDraw,
    ServerMessage,
    SubmitOrders,
    TimeLeft,
    TurnOff,
    VariantOption,
    Yes,
)
from grammar.representation import BadRepresentationError
from grammar.writer import UnknownNameError
from rules.orders import Hold, Unit, UnitKind
from rules.places import Location, Power, Province
from rules.turns import Season, Turn
from tests.daide.scripted_server import Peer, ScriptedServer

SPRING, FALL = Turn(Season.SPRING, 1901), Turn(Season.FALL, 1901)
FRANCE = Power("FRA")
PARIS = Unit(FRANCE, UnitKind.ARMY, Location(Province("PAR")))
NAME = Name("Nelson", "1.2")
I_AM = IAm(FRANCE, 4711)
MAP = MapName("standard")
NO_MAP = Rej(AskMapDefinition())
HELLO = Hello(FRANCE, 4711, (VariantOption("LVL", 20),))
QUESTIONS = (AskHello(), AskOrders(), AskOwnership(), AskNow())
AT_ONCE = Backoff(attempts=3, first=0.0)


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as server:
        yield server


@asynccontextmanager
async def a_server_that_says(data: bytes) -> AsyncIterator[int]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(8)
        writer.write(data)
        writer.write_eof()
        await reader.read()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as listening:
        yield listening.sockets[0].getsockname()[1]


def position(turn: Turn) -> Now:
    return Now(turn, (PARIS,))


async def join(client: Client, server: ScriptedServer) -> Peer:
    """Let the client join, up to its acceptance of the map."""
    peer = await server.accept()
    joining = asyncio.create_task(client.join("Nelson", "1.2"))
    await peer.expect(NAME)
    peer.say(Yes(NAME), MAP)
    await joining
    await peer.expect(AskMapDefinition())
    peer.say(NO_MAP)
    await peer.expect(AcceptMap("standard"))
    return peer


async def start(client: Client, server: ScriptedServer) -> Peer:
    """Let the client join and the game begin, with everything read by the author."""
    peer = await join(client, server)
    peer.say(HELLO, position(SPRING))
    await read_until(client, position(SPRING))
    return peer


async def read_until(client: Client, last: ServerMessage) -> list[ServerMessage]:
    messages: list[ServerMessage] = []
    while last not in messages:
        messages.append(await anext(client))
    return messages


async def read_all(client: Client) -> list[ServerMessage]:
    return [message async for message in client]


async def come_back(server: ScriptedServer, turn: Turn) -> Peer:
    peer = await server.accept()
    await peer.expect(I_AM)
    peer.say(Yes(I_AM))
    await peer.expect(AskMap(), AskMapDefinition(), *QUESTIONS)
    peer.say(MAP, NO_MAP, HELLO, Ownership(()), position(turn))
    return peer


async def test_a_player_joins_and_plays_until_it_is_turned_off(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port) as client:
        peer = await join(client, server)
        assert (client.power, client.level, client.turn) == (None, 0, None)
        peer.say(HELLO, position(SPRING), TurnOff())
        assert await read_all(client) == [
            Yes(NAME),
            MAP,
            NO_MAP,
            HELLO,
            position(SPRING),
            TurnOff(),
        ]
        assert (client.power, client.level, client.turn) == (FRANCE, 20, SPRING)
        assert client.map_name == "standard"
        assert client.ending is ConnectionEnd.TURNED_OFF
        assert (await peer.farewell()).reason is CloseReason.FINAL_MESSAGE
        with pytest.raises(ConnectionEndedError, match="OFF"):
            await client.send(Go())
        assert await read_all(client) == []


async def test_orders_go_out_in_one_piece(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port) as client:
        peer = await start(client, server)
        orders = SubmitOrders((Hold(PARIS),), SPRING)
        await client.send(orders)
        await peer.expect(orders)


async def test_the_socket_is_prepared_for_small_messages_and_long_silence(
    server: ScriptedServer,
) -> None:
    async with connect("127.0.0.1", server.port) as client:
        assert client._link is not None
        connected = client._link._writer.get_extra_info("socket")
        assert connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        assert connected.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


async def test_an_observer_watches(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port) as client:
        peer = await server.accept()
        observing = asyncio.create_task(client.observe())
        await peer.expect(Observe())
        peer.say(Yes(Observe()), MAP, Hello(None, 0, (VariantOption("LVL", 0),)))
        await observing
        await read_until(client, MAP)
        assert isinstance(await anext(client), Hello)
        assert client.power is None


async def test_an_author_may_step_in_and_answer_the_map(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, agrees_to_map=False) as client:
        peer = await server.accept()
        joining = asyncio.create_task(client.join("Nelson", "1.2"))
        await peer.expect(NAME)
        peer.say(Yes(NAME), MAP)
        await joining
        await read_until(client, MAP)
        await client.send(AcceptMap("standard"))
        await peer.expect(AcceptMap("standard"))


async def test_a_refused_player_may_try_something_else(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port) as client:
        peer = await server.accept()
        joining = asyncio.create_task(client.join("Nelson", "1.2"))
        for _ in range(2):
            await peer.expect(NAME)
            peer.say(Rej(NAME))
        with pytest.raises(JoinRefusedError):
            await joining
        observing = asyncio.create_task(client.observe())
        await peer.expect(Observe())
        peer.say(Yes(Observe()))
        await observing


async def test_a_power_is_taken_back_with_its_passcode(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port) as client:
        rejoining = asyncio.create_task(client.rejoin(FRANCE, 4711))
        await come_back(server, FALL)
        await rejoining
        await read_until(client, position(FALL))
        assert client.power == FRANCE


async def test_a_wrong_passcode_is_refused(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port) as client:
        peer = await server.accept()
        rejoining = asyncio.create_task(client.rejoin(FRANCE, 4711))
        await peer.expect(I_AM)
        peer.say(Rej(I_AM))
        with pytest.raises(JoinRefusedError):
            await rejoining


async def test_a_lost_player_comes_back_and_learns_the_present_turn(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        peer = await start(client, server)
        peer.drop()
        peer = await come_back(server, FALL)
        back = await read_until(client, position(FALL))
        assert back[0] == Yes(I_AM)
        await client.send(Go())
        await peer.expect(Go())


async def test_what_is_sent_while_away_follows_unless_its_turn_is_over(
    server: ScriptedServer,
) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        peer = await start(client, server)
        peer.drop()
        peer = await server.accept()
        await client.send(SubmitOrders((Hold(PARIS),), SPRING))
        await client.send(SubmitOrders((Hold(PARIS),), FALL))
        await client.send(Go())
        await client.send(AskTime())
        await peer.expect(I_AM)
        peer.say(Yes(I_AM))
        await peer.expect(AskMap(), AskMapDefinition(), *QUESTIONS)
        peer.say(position(FALL))
        await peer.expect(SubmitOrders((Hold(PARIS),), FALL), AskTime())


async def test_too_much_is_not_kept(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        peer = await start(client, server)
        peer.drop()
        await server.accept()
        for _ in range(OUTBOX_LIMIT):
            await client.send(AskTime())
        with pytest.raises(OutboxFullError):
            await client.send(AskTime())


async def test_a_server_slow_to_notice_the_loss_is_asked_again(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        (await start(client, server)).drop()
        for _ in range(2):
            peer = await server.accept()
            await peer.expect(I_AM)
            peer.say(Rej(I_AM))
            assert (await peer.farewell()).reason is CloseReason.FINAL_MESSAGE
        await come_back(server, SPRING)
        await read_until(client, position(SPRING))


async def test_a_candidate_asks_for_a_new_place(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        peer = await join(client, server)
        peer.drop()
        peer = await server.accept()
        await peer.expect(NAME)
        peer.say(Yes(NAME), MAP)
        await peer.expect(AskMapDefinition())


async def test_a_server_that_stays_away_is_given_up(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE, chance=Random(1)) as client:
        await start(client, server)
        await server.stop()
        with pytest.raises(ConnectionLostError, match="3 attempts"):
            await anext(client)
        assert client.ending is ConnectionEnd.LOST
        with pytest.raises(ConnectionLostError):
            await client.observe()
        await server.start()


async def test_who_does_not_want_to_come_back_does_not(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=NEVER) as client:
        (await start(client, server)).drop()
        assert await read_all(client) == []
        assert client.ending is ConnectionEnd.LOST


async def test_nobody_comes_back_to_a_game_that_is_over(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        peer = await start(client, server)
        peer.say(DrawDeclared())
        assert await anext(client) == DrawDeclared()
        peer.drop()
        assert await read_all(client) == []


@pytest.mark.parametrize(
    ("data", "ending"),
    [
        ("0300 0000", ConnectionEnd.CLOSED),
        ("0400 0002 000e", ConnectionEnd.BLAMED),
        ("0400 0002 0000", ConnectionEnd.BLAMED),
        ("0500 0000", ConnectionEnd.SERVER_FAULT),
    ],
)
async def test_a_deliberate_end_is_final(
    server: ScriptedServer, data: str, ending: ConnectionEnd
) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        peer = await start(client, server)
        peer.writer.write(bytes.fromhex(data))
        assert await read_all(client) == []
        assert client.ending is ending


async def test_a_server_that_breaks_the_protocol_is_told(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port) as client:
        peer = await start(client, server)
        peer.writer.write(bytes.fromhex("0100 0000"))
        farewell = await peer.farewell()
        assert (farewell.reason, farewell.code) == (CloseReason.ERROR_MESSAGE, 0x0C)


async def test_a_connection_that_ends_before_the_answer_fails_the_join(
    server: ScriptedServer,
) -> None:
    async with connect("127.0.0.1", server.port) as client:
        peer = await server.accept()
        joining = asyncio.create_task(client.join("Nelson", "1.2"))
        await peer.expect(NAME)
        peer.writer.write(peer.connection.close())
        with pytest.raises(ConnectionEndedError):
            await joining


async def test_leaving_says_farewell_and_ends_the_iteration(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port) as client:
        peer = await start(client, server)
        reading = asyncio.create_task(read_all(client))
        await asyncio.sleep(0)
    assert (await peer.farewell()).reason is CloseReason.FINAL_MESSAGE
    assert await reading == []
    assert client.ending is ConnectionEnd.LEFT


async def test_a_garbled_message_is_passed_over(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port) as client:
        peer = await start(client, server)
        peer.writer.write(peer.connection.send_tokens((0x480E, 0x4000)))
        peer.writer.write(peer.connection.send_tokens((0x4E04,)))
        peer.say(TimeLeft(60))
        assert await anext(client) == TimeLeft(60)


async def test_names_of_another_map_are_understood() -> None:
    entries = ((0x4100, "NRD"), (0x4101, "SUD"), (0x5100, "ALF"), (0x5201, "BTA"), (0x5502, "GMM"))
    async with ScriptedServer(entries) as server, connect("127.0.0.1", server.port) as client:
        peer = await server.accept()
        peer.say(Hello(Power("SUD"), 1, (VariantOption("LVL", 0),)))
        message = await anext(client)
        assert isinstance(message, Hello)
        assert message.power == Power("SUD")
        assert client.representation.entries() == entries


async def test_a_senseless_representation_is_reported_to_the_author() -> None:
    doubled = bytes.fromhex("0100 000c 4100 414c 4600 4100 414c 4600")
    async with a_server_that_says(doubled) as port:
        with pytest.raises(BadRepresentationError):
            async with connect("127.0.0.1", port):
                pass


@pytest.mark.parametrize("farewell", ["", "0300 0000", "0400 0002 0009", "0200 0002 4810"])
async def test_a_server_without_a_representation_is_an_error(farewell: str) -> None:
    async with a_server_that_says(bytes.fromhex(farewell)) as port:
        with pytest.raises(OSError, match="no RM"):
            async with connect("127.0.0.1", port):
                pass


async def test_a_power_of_another_map_is_taken_back_by_its_number_there() -> None:
    entries = ((0x4100, "NRD"), (0x4101, "SUD"), (0x5100, "ALF"))
    async with ScriptedServer(entries) as server, connect("127.0.0.1", server.port) as client:
        rejoining = asyncio.create_task(client.rejoin(Power("SUD"), 7))
        peer = await server.accept()
        await peer.expect(IAm(Power("SUD"), 7))
        peer.say(Yes(IAm(Power("SUD"), 7)))
        await rejoining


async def test_a_server_that_is_not_there_is_an_error_at_once() -> None:
    async with ScriptedServer() as server:
        port = server.port
    with pytest.raises(OSError, match=str(port)):
        async with connect("127.0.0.1", port):
            pass


async def test_a_server_that_is_not_up_yet_can_be_waited_for() -> None:
    server = ScriptedServer()
    await server.start()
    await server.stop()
    patience = Backoff(attempts=1000, first=0.001, factor=1.0)
    client = connect("127.0.0.1", server.port, backoff=patience, waits_for_server=True)
    entering = asyncio.create_task(client.__aenter__())
    await server.start()
    await entering
    await client.__aexit__(None, None, None)
    await server.stop()


async def test_passcodes_and_texts_are_not_logged(server: ScriptedServer) -> None:
    with capture_logs() as logs:
        async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
            peer = await start(client, server)
            peer.say(Admin("Server", "a secret"))
            peer.drop()
            await come_back(server, FALL)
            await read_until(client, position(FALL))
    assert [entry["event"] for entry in logs][:2] == ["server left", "coming back"]
    assert "4711" not in str(logs)
    assert "secret" not in str(logs)


async def test_a_join_survives_the_loss_of_its_connection(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        peer = await server.accept()
        joining = asyncio.create_task(client.join("Nelson", "1.2"))
        await peer.expect(NAME)
        peer.drop()
        peer = await server.accept()
        await peer.expect(NAME)
        peer.say(Yes(NAME))
        await joining


async def test_one_introduction_at_a_time(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port) as client:
        peer = await server.accept()
        joining = asyncio.create_task(client.join("Nelson", "1.2"))
        await peer.expect(NAME)
        with pytest.raises(LocalProtocolError):
            await client.observe()
        peer.say(Yes(NAME))
        await joining


async def test_a_server_that_sends_away_who_comes_back_is_obeyed(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        (await start(client, server)).drop()
        peer = await server.accept()
        await peer.expect(I_AM)
        peer.say(TurnOff())
        assert await read_all(client) == [TurnOff()]
        assert client.ending is ConnectionEnd.TURNED_OFF


async def test_who_was_nobody_yet_may_join_on_the_new_connection(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        (await server.accept()).drop()
        joining = asyncio.create_task(client.join("Nelson", "1.2"))
        peer = await server.accept()
        await peer.expect(NAME)
        peer.say(Yes(NAME))
        await joining


async def test_an_unknown_name_is_the_authors_error(server: ScriptedServer) -> None:
    async with connect("127.0.0.1", server.port, backoff=AT_ONCE) as client:
        peer = await start(client, server)
        with pytest.raises(UnknownNameError):
            await client.send(RequestDraw((Power("XYZ"),)))
        await client.send(Go())
        await peer.expect(Go())
