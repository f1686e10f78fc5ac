import asyncio
import re
import socket
import struct

import pytest
from attrs import evolve
from structlog.testing import capture_logs

from daide.connection import CloseReason
from grammar.dialects import Dialect
from grammar.messages import GameListed
from grammar.text import from_text
from server.client_link import OFF, UNREAD_IN_SYSTEM
from server.clock import HostClock
from server.effects import Effect
from server.game import Game
from server.game_choice import ListedGame, listing
from server.inputs import Input, Received, apply
from server.listener import LOOKED_AT
from server.pace import LONGEST_TURN, Pace
from tests.patience import PATIENCE
from tests.peers.awkward import IM, RM, dm, never_reads, sends, silent, trickles
from tests.server.hosting import (
    CONFIG,
    Player,
    RawPeer,
    SetClock,
    becomes,
    hosting,
    play_all,
    seated,
    with_limits,
    with_settings,
)
from tests.server.test_pace import HandClock


def em(code: int) -> bytes:
    return b"\x04\x00\x00\x02" + struct.pack(">H", code)


async def ask_for_ever(asking: socket.socket) -> None:
    while True:
        await asyncio.get_running_loop().sock_sendall(asking, dm("MDF") * 100)
        await asyncio.sleep(0)


async def test_a_silent_peer_gets_em_01() -> None:
    async with hosting(with_limits(handshake=0.05)) as hosted:
        assert await silent(hosted.port) == em(0x01)


async def test_a_trickling_peer_gets_em_09_at_the_deadline_of_its_frame() -> None:
    async with hosting(with_limits(frame=0.1)) as hosted:
        assert await trickles(hosted.port, 0.01) == RM + em(0x09)


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"GET / HTTP/1.1\r\n\r\n", em(0x02)),
        (b"\x00\x00\x00\x04\x00\x01\x12\x34", em(0x04)),
        (b"\x00\x00\x04\x00\x01\x00\x10\xda", em(0x03)),
        (b"\x00\x00\x00\x04\x00\x02\xda\x10", em(0x05)),
        (b"\x00\x00\x00\x06\x00\x01\xda\x10\x00\x00", em(0x09)),
        (IM + IM, RM + em(0x06)),
        (IM + b"\x09\x00\x00\x02\x00\x00", RM + em(0x08)),
        (IM + RM, RM + em(0x0D)),
        (IM + b"\x02\x00\x00\x03abc", RM + em(0x09)),
        (IM + b"\x02\x00\x00\x00", RM + em(0x09)),
        (IM + b"\x02\x00\x00\x02\x58\x00", RM + em(0x0E)),
        (IM + b"\x03", RM),
        (IM + b"\x04\x00\x00\x02\x0e", RM),
        (IM + b"\x02\x00\x00\x08\x48", RM),
        (b"\x00\x00", b""),
    ],
)
async def test_a_broken_frame_gets_its_code_once(data: bytes, answer: bytes) -> None:
    async with hosting() as hosted:
        assert await sends(hosted.port, data, hang_up=True) == answer


async def test_im_and_name_in_one_segment_with_any_pad_byte() -> None:
    async with hosting() as hosted:
        name = bytearray(dm("NME ( 'A' ) ( '1' )"))
        name[1] = 0x9E
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port)
        writer.write(IM + name)
        expected = RM + dm("YES ( NME ( 'A' ) ( '1' ) )") + dm("MAP ( 'standard' )")
        assert await reader.readexactly(len(expected)) == expected
        writer.transport.abort()


async def test_a_message_in_single_bytes_is_read() -> None:
    async with hosting() as hosted:
        peer = await hosted.peer()
        for byte in dm("MAP"):
            peer.writer.write(bytes([byte]))
            await asyncio.sleep(0)
        assert await peer.hear() == "MAP ( 'standard' )"


async def test_brackets_and_nonsense_are_answered_in_the_language() -> None:
    async with hosting() as hosted:
        peer = await hosted.peer("NME ( 'A' ( '1' )")
        assert (await peer.hear()).startswith("PRN ( NME")
        peer.say("NME NME")
        assert await peer.hear() == "HUH ( NME ERR NME )"
        peer.say("( " * 8000 + ") " * 8000)
        assert (await peer.hear()).startswith("HUH ( ( (")


async def test_a_reader_that_never_reads_is_dropped_and_the_game_goes_on() -> None:
    limits = with_limits(queue_bytes=200_000, message_burst=1e9, message_rate=1e9)
    async with hosting(limits) as hosted:
        deaf = never_reads(hosted.port)
        await asyncio.get_running_loop().sock_sendall(deaf, IM)
        await becomes(lambda: bool(hosted.host.members))
        with pytest.raises(ConnectionError):
            await ask_for_ever(deaf)
        deaf.close()
        await play_all(hosted, [Player(f"P{number}") for number in range(7)])


async def test_what_waits_for_many_that_never_read_is_bounded_together() -> None:
    limits = with_limits(
        queues=400_000, queue_bytes=10**9, queue_messages=10**9,
        message_burst=1e9, message_rate=1e9,
    )  # fmt: skip
    with capture_logs() as logs:
        async with hosting(limits) as hosted:
            deaf = [never_reads(hosted.port) for _ in range(4)]
            for each in deaf:
                await asyncio.get_running_loop().sock_sendall(each, IM)
            async with asyncio.timeout(PATIENCE):
                asked = (ask_for_ever(each) for each in deaf)
                ends = await asyncio.gather(*asked, return_exceptions=True)
            assert all(isinstance(end, ConnectionError) for end in ends)
            await becomes(lambda: not hosted.host.members)
            assert hosted.listener.unread == 0
            for each in deaf:
                each.close()
            await play_all(hosted, [Player(f"P{number}") for number in range(7)])
    left = [entry["reason"] for entry in logs if entry["event"] == "client left"]
    assert left[:4] == ["does not read"] * 4  # and not given up by the system, much later


async def test_the_system_keeps_little_for_whoever_does_not_read() -> None:
    async with hosting() as hosted:
        peer = await hosted.peer("MAP")
        await peer.hear()
        (link,) = hosted.listener._links
        assert link._transport is not None
        used = link._transport.get_extra_info("socket")
        kept = used.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
        assert kept <= 2 * UNREAD_IN_SYSTEM  # Linux doubles what it is told


async def test_a_flood_of_press_is_refused_and_then_cut_off() -> None:
    config = with_limits(press_rate=0.0, press_burst=20, flood=30)
    async with hosting(config) as hosted:
        peers = await seated(hosted, 7)
        hello = await peers[0].until("HLO")
        power = hello.split()[2]
        other = "FRA" if power == "ENG" else "ENG"
        await peers[0].until("NOW")
        press = f"SND ( {other} ) ( PRP ( PCE ( {power} {other} ) ) )"
        peers[0].say(*[press] * 1000)
        answers = [await peers[0].hear()]
        while answers[-1]:
            answers.append(await peers[0].hear())
        assert answers.count(f"YES ( {press} )") <= 20
        assert answers.count(f"REJ ( {press} )") <= 30
        assert await peers[1].until("CCD") == f"CCD ( {power} )"


async def test_a_client_over_the_order_limit_gets_rej() -> None:
    async with hosting(with_limits(order_rate=0.0, order_burst=1)) as hosted:
        peer = await hosted.peer("SUB ( ( ENG FLT LON ) HLD )")
        assert (await peer.hear()).startswith("REJ ( SUB")
        peer.say("NOT ( GOF )")
        assert await peer.hear() == "REJ ( NOT ( GOF ) )"
        peer.say("MAP")
        assert await peer.hear() == "MAP ( 'standard' )"


async def test_huh_and_prn_are_not_even_answered_when_they_come_too_fast() -> None:
    async with hosting(with_limits(message_rate=0.0, message_burst=0)) as hosted:
        peer = await hosted.peer("HUH ( ERR NOW )")
        peer.say("HUH", "PRN ( ( NOW )", "PRN ( NOW )", "MAP")
        assert await peer.hear() == "REJ ( MAP )"


async def test_brackets_that_do_not_match_get_prn_also_when_they_come_too_fast() -> None:
    async with hosting(with_limits(message_rate=0.0, message_burst=0)) as hosted:
        peer = await hosted.peer("GOF )")
        peer.say("HST ( SPR 1901", "MAP")
        assert await peer.hear() == "PRN ( GOF ) )"
        assert await peer.hear() == "PRN ( HST ( SPR 1901 )"
        assert await peer.hear() == "REJ ( MAP )"


async def test_orders_without_end_get_prn_if_their_brackets_do_not_match() -> None:
    async with hosting() as hosted:
        orders = "SUB" + " ( ( ENG FLT LON ) HLD )" * 200
        peer = await hosted.peer(f"{orders} )")
        peer.say(orders)
        assert await peer.hear() == f"PRN ( {orders} ) )"
        assert await peer.hear() == f"REJ ( {orders} )"


async def test_after_off_the_server_waits_says_fm_and_closes() -> None:
    async with hosting() as hosted:
        peer = await hosted.peer("NME ( 'A' ) ( '1' )")
        await peer.until("MAP")
        peer.say("REJ ( MAP ( 'standard' ) )")
        assert await peer.hear() == "OFF"
        assert (await peer.farewell()).reason is CloseReason.FINAL_MESSAGE


async def test_everybody_gets_off_when_the_server_ends() -> None:
    async with hosting() as hosted:
        named = await hosted.peer("NME ( 'A' ) ( '1' )")
        nameless = await hosted.peer()
        await named.until("MAP")
        await becomes(lambda: len(hosted.host.members) == 2)
        hosted.host.stop()
        stopping = asyncio.create_task(hosted.listener.stop())
        for peer in (named, nameless):
            assert await peer.hear() == "OFF"
        await stopping
    assert dm("OFF") == OFF.frame()


async def test_a_thousand_silent_sockets_leave_room_for_a_client() -> None:
    # None of them is sent away for its silence while the test lasts.
    async with hosting(with_limits(unidentified=50, handshake=3600.0)) as hosted:
        sockets = [await asyncio.open_connection("127.0.0.1", hosted.port) for _ in range(120)]
        peer = await hosted.peer()
        assert (await peer.join()).startswith("YES")
        assert len(hosted.listener._strangers) <= 50
        for _, writer in sockets:
            writer.transport.abort()


async def test_connections_over_the_limit_are_refused() -> None:
    async with hosting(with_limits(connections=2)) as hosted:
        await seated(hosted, 2)
        third = await RawPeer.connect(hosted.port)
        assert await third.hear() == ""
        await third.close()


async def test_whoever_has_not_said_who_it_is_makes_room_for_others() -> None:
    async with hosting(with_limits(connections=20)) as hosted:
        watching = await hosted.peer("OBS")
        await watching.until("MAP")
        idle = [await hosted.peer() for _ in range(60)]
        await becomes(lambda: len(hosted.listener._links) == 20)
        player = await hosted.peer()
        assert (await player.join()).startswith("YES")
        assert await idle[0].hear() == ""
        watching.say("MAP")
        assert await watching.until("MAP") == "MAP ( 'standard' )"


async def test_whoever_only_looks_on_makes_room_for_those_who_play() -> None:
    async with hosting(with_limits(connections=20)) as hosted:
        players = await seated(hosted, 7)
        for player in players:
            await player.until("NOW")
        crowd = [await hosted.peer("OBS") for _ in range(13)]
        for each in crowd:
            await each.until("MAP")
        players[0].vanish()
        await becomes(lambda: len(hosted.listener._links) == 19)
        crowd.append(await hosted.peer("OBS"))
        await crowd[-1].until("MAP")
        # Seven of the oldest are players: they are passed over.
        owner = await hosted.peer("MAP")
        assert await owner.hear() == "MAP ( 'standard' )"
        assert await crowd[0].until("YES|$") == ""
        for player in players[1:]:
            player.say("MAP")
            assert await player.until("MAP") == "MAP ( 'standard' )"


async def test_only_so_many_look_on() -> None:
    async with hosting(with_limits(observers=20)) as hosted:
        players = await seated(hosted, 7)
        for player in players:
            await player.until("NOW")
        crowd = []
        for _ in range(20 + 2 * LOOKED_AT):
            crowd.append(await hosted.peer("OBS"))
            await crowd[-1].until("MAP")
        most = 7 + 20 + LOOKED_AT + 1
        await becomes(lambda: len(hosted.listener._links) <= most)
        assert await crowd[0].until("YES|$") == ""
        for peer in (*players, crowd[-1]):
            peer.say("MAP")
            assert await peer.until("MAP") == "MAP ( 'standard' )"


async def test_a_connection_that_says_nothing_after_its_im_expires() -> None:
    watch = SetClock()
    clock = HostClock(watch)
    async with hosting(with_limits(introduction=60), clock=clock) as hosted:
        idle, asking = await hosted.peer(), await hosted.peer()
        watching, player = await hosted.peer("OBS"), await hosted.peer()
        await watching.until("MAP")
        await player.join()
        await becomes(lambda: len(hosted.host.members) == 4)
        for step in range(20):
            watch.time += 4
            clock.now()
            if step % 5 == 0:
                asking.say("PNG")
                assert await asking.hear() == "YES ( PNG )"
        hosted.host.dismiss_silent()
        assert await idle.hear() == ""
        await becomes(lambda: len(hosted.host.members) == 3)


async def test_what_a_dropped_client_had_sent_is_thrown_away_and_logged_once() -> None:
    with capture_logs() as logs:
        async with hosting(with_limits(press_burst=5, press_rate=0.0, flood=200)) as hosted:
            peers = await seated(hosted, 7)
            power = (await peers[0].until("HLO")).split()[2]
            other = "FRA" if power == "ENG" else "ENG"
            peers[0].say(*[f"SND ( {other} ) ( PRP ( PCE ( {power} {other} ) ) )"] * 5000)
            await peers[1].until("CCD")
            received = hosted.host.rooms[0].waiting
    assert received == 0
    assert [entry["reason"] for entry in logs if entry.get("reason") == "flood"] == ["flood"]
    assert len(logs) < 40


async def test_a_client_that_asks_for_too_much_is_read_from_more_slowly() -> None:
    config = with_limits(work_burst=0.05, work_rate=0.02)
    async with hosting(config) as hosted:
        greedy = await hosted.peer("OBS")
        await greedy.until("MAP")
        greedy.say(*["MDF"] * 200)
        member = next(iter(hosted.host.members.values()))
        await becomes(lambda: member.meter.wait(hosted.host.clock.now()) > 0)
        other = await hosted.peer("OBS")
        other.say("MDF")
        await other.until("MDF")
        assert sum(text.startswith("MDF") for text in greedy.heard) < 200


async def test_a_sub_of_hundreds_of_orders_is_refused() -> None:
    async with hosting() as hosted:
        peers = await seated(hosted, 7)
        await peers[0].until("NOW")
        orders = "SUB " + "( ( ENG FLT LON ) HLD ) " * 400
        peers[0].say(orders)
        assert (await peers[0].until("REJ|THX")).startswith("REJ ( SUB")
        peers[0].say("SUB " + "( ( ENG FLT LON ) HLD ) " * 34)
        assert (await peers[0].until("REJ|THX")).startswith("THX")


async def test_the_list_of_games_is_kept_and_is_new_after_a_change() -> None:
    async with hosting(evolve(CONFIG, games=3)) as hosted:
        first = hosted.host.new_room()
        assert first.listed is first.listed
        peer = await hosted.peer("LST")
        assert (await peer.hear()).startswith("LST ( 'game-1' ) ( 7 NME )")
        await peer.join()
        peer.say("LST")
        assert (await peer.until("LST")).startswith("LST ( 'game-1' ) ( 6 NME )")


async def test_one_game_of_the_list_costs_no_look_at_all_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[str] = []

    def look(game: ListedGame) -> GameListed:
        looked_at.append(game.name)
        return listing(game)

    async with hosting(evolve(CONFIG, games=30)) as hosted:
        for _ in range(30):
            hosted.host.new_room()
        for module in ("server.room", "server.host"):
            monkeypatch.setattr(f"{module}.listing", look, raising=False)
        peer = await hosted.peer()
        peer.say(*["LST ( 'game-7' )", "LST ( 'game-99' )", "SEL ( 'game-99' )"] * 10)
        for _ in range(10):
            assert (await peer.until("LST")).startswith("LST ( 'game-7' )")
        await peer.until("REJ")
    assert looked_at == ["game-7"]


async def test_the_rm_comes_at_once_while_games_are_played() -> None:
    async with hosting(evolve(CONFIG, games=5)) as hosted:
        playing = asyncio.create_task(play_all(hosted, [Player(f"P{n}") for n in range(7)]))
        while not playing.done():
            peer = await hosted.peer()
            await peer.event()
            await peer.close()
        await playing


async def test_the_rm_comes_at_once_while_a_game_is_never_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, worked = HandClock(), 0

    def ask_again(game: Game, item: Input, now: float) -> list[Effect]:
        nonlocal worked
        worked += 1
        clock.time += LONGEST_TURN
        if item == again:
            room.post(item)
        return apply(game, item, now)

    # Time passes only with work, so that the machine's speed does not matter.
    monkeypatch.setattr("server.host.Pace", lambda: Pace(clock))
    async with hosting() as hosted:
        player = await hosted.peer()
        await player.join()
        reading = asyncio.create_task(player.farewell())
        room = hosted.host.rooms[0]
        again: Received | None = Received(min(room.game.clients), from_text("MAP"))
        monkeypatch.setattr("server.room.apply", ask_again)
        for _ in range(300):
            room.post(Received(min(room.game.clients), from_text("MAP")))
        waited = []
        for _ in range(9):
            before = worked
            peer = await hosted.peer()
            await peer.event()
            waited.append(worked - before)
        again = None
        reading.cancel()
    # A few rounds of the loop; a batch without turns would be 150 messages in each of them.
    assert sorted(waited)[len(waited) // 2] < 100, waited


async def test_a_client_that_cancels_a_notice_and_waits_for_it_still_orders() -> None:
    """Albert and KissMyBot order on a notice that they have just cancelled."""
    watch = SetClock()
    async with hosting(with_settings(movement_limit=3), clock=HostClock(watch)) as hosted:
        peers = await seated(hosted, 7)

        async def pass_time(seconds: int) -> None:
            for _ in range(seconds):
                watch.time += 1
                hosted.host.clock.now()
            peers[0].say("MAP")  # the game looks at the clock when it is spoken to
            await peers[0].until("MAP")

        for turn, requests in (
            ("SPR 1901", ["TME ( 2 )", "TME"]),
            ("FAL 1901", ["NOT ( TME ( 2 ) )", "TME"]),
            ("SPR 1902", ["TME"]),
        ):
            await peers[0].until(re.escape(f"NOW ( {turn} )"))
            await peers[0].until("TME")
            peers[0].say(*requests)
            assert await peers[0].until("TME") == "TME ( 3 )"
            await pass_time(1)
            await pass_time(2)
        # The notice of the second turn was the last.
        assert peers[0].heard.count("TME ( 2 )") == 2


async def test_clients_with_the_numbers_of_the_document_are_understood_and_answered() -> None:
    async with hosting(evolve(CONFIG, dialect=Dialect.DOCUMENT)) as hosted:
        peers = await seated(hosted, 7)
        for peer in peers:
            peer.connection.dialect = Dialect.DOCUMENT
        powers = [(await peer.until("HLO")).split()[2] for peer in peers[:2]]
        await peers[0].until("NOW")
        press = f"( FCT ( PCE ( {powers[0]} {powers[1]} ) ) )"
        peers[0].say(f"SND ( {powers[1]} ) {press}")
        assert await peers[0].until("YES") == f"YES ( SND ( {powers[1]} ) {press} )"
        assert await peers[1].until("FRM") == f"FRM ( {powers[0]} ) ( {powers[1]} ) {press}"


async def test_an_id_of_the_old_mapper_is_quoted_and_not_passed_on() -> None:
    async with hosting() as hosted:
        peers = await seated(hosted, 7)
        powers = [(await peer.until("HLO")).split()[2] for peer in peers[:2]]
        await peers[0].until("NOW")
        press = f"( PRP ( PCE ( {powers[0]} {powers[1]} ) ) )"
        peers[0].say(f"SND ( 7 ) ( {powers[1]} ) {press}", f"SND ( -8192 ) ( {powers[0]} ) {press}")
        assert await peers[0].until("YES") == f"YES ( SND ( 7 ) ( {powers[1]} ) {press} )"
        assert await peers[0].until("REJ") == f"REJ ( SND ( -8192 ) ( {powers[0]} ) {press} )"
        assert await peers[1].until("FRM") == f"FRM ( {powers[0]} ) ( {powers[1]} ) {press}"


async def test_the_end_comes_in_the_order_of_the_document() -> None:
    async with hosting(with_settings(last_year=1901)) as hosted:
        peer = await hosted.peer("OBS")
        await peer.until("MAP")
        peer.say("YES ( MAP ( 'standard' ) )")
        players = [Player(f"P{number}") for number in range(7)]
        await play_all(hosted, players)
        await peer.until("OFF")
        said = [text.split()[0] for text in peer.heard if not text.startswith(("ORD", "ADM"))]
        assert said[-5:] == ["SCO", "DRW", "SMR", "NOW", "OFF"]
        [summary] = [text for text in peer.heard if text.startswith("SMR")]
        assert summary.startswith("SMR ( WIN 1901 )")
