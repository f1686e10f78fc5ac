"""Faults and bad input on a real server, each test named after its number in docs/faults.md."""

import asyncio
import socket
import struct
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grammar.machine import Machine
from grammar.parse import LONGEST_FROM_CLIENT
from grammar.text import from_text
from grammar.tokens import Tokens
from rules.position import Position
from server.clock import HostClock
from server.game import Game
from server.record import GameSetup
from server.settings import GameSettings
from tests.peers.awkward import IM, RM, dm, reset, sends
from tests.server.hosting import (
    SETTINGS,
    Hosted,
    RawPeer,
    SetClock,
    becomes,
    hosting,
    seated,
    with_limits,
    with_settings,
)
from tests.server.table import Table, place, words
from tests.server.test_listener import em

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")
BY_NAME = {name: name for name in POWERS}
PLANNED = evolve(SETTINGS, seats=BY_NAME)
HOLD = "SUB ( ( ENG FLT LON ) HLD ) ( ( ENG FLT EDI ) HLD ) ( ( ENG AMY LVP ) HLD )"
MOVE = "SUB ( ( ENG FLT LON ) MTO NTH ) ( ( ENG FLT EDI ) HLD ) ( ( ENG AMY LVP ) HLD )"
RUN = Machine.run
PEACE = "SND ( FRA ) ( PRP ( PCE ( ENG FRA ) ) )"


async def all_seated(
    hosted: Hosted, options: GameSettings = PLANNED, start: Position | None = None
) -> dict[str, RawPeer]:
    """Begin a game in which every client is called like its power."""
    hosted.host.new_room(GameSetup("fault", "standard", options, seed=7, start=start))
    peers = {name: await hosted.peer() for name in POWERS}
    for name, peer in peers.items():
        assert (await peer.join(name)).startswith("YES")
    for peer in peers.values():
        await peer.until("NOW")
        if options.movement_limit is not None:
            await peer.until("TME")
    return peers


def game_of(hosted: Hosted) -> Game:
    (room,) = hosted.host.rooms
    return room.game


def passcode(hosted: Hosted, name: str) -> int:
    return next(
        seat.passcode for power, seat in game_of(hosted).seats.items() if power.name == name
    )


async def hears_nothing(*peers: RawPeer) -> None:
    """Check that nothing has come since: the next message is the answer to a question."""
    for peer in peers:
        peer.say("MAP")
        assert await peer.hear() == "MAP ( 'standard' )"


async def ask(peer: RawPeer, text: str) -> str:
    peer.say(text)
    return await peer.hear()


def raw_dm(tokens: Tokens) -> bytes:
    body = struct.pack(f">{len(tokens)}H", *tokens)
    return struct.pack(">BxH", 2, len(body)) + body


async def hear_raw(peer: RawPeer, tokens: Tokens) -> str:
    peer.writer.write(raw_dm(tokens))
    return await peer.hear()


# --- 2, 4, 5, 6: bytes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x00\x00\x00\x04\x00\x01\x12\x34", 0x04),
        (b"\x00\x00\x00\x04\x01\x00\x10\xda", 0x03),
        (b"\x00\x00\x04\x00\x01\x00\x10\xda", 0x03),
        (b"\x00\x00\x00\x04\x00\x00\xda\x10", 0x05),
        (b"\x00\x00\x00\x02\x00\x01", 0x09),
        (RM, 0x02),
        (dm("OBS"), 0x02),
        (b"\xff\x00\x00\x00", 0x02),
    ],
)
async def test_fault_02_a_bad_first_frame_gets_its_code_once_and_the_server_closes(
    data: bytes, code: int
) -> None:
    async with hosting() as hosted:
        assert await sends(hosted.port, data) == em(code)
        assert await sends(hosted.port, IM + IM + IM) == RM + em(0x06)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(first=st.binary(min_size=1, max_size=40))
def test_fault_02_any_first_bytes_get_at_most_one_code(first: bytes) -> None:
    async def run() -> bytes:
        async with hosting() as hosted:
            return await sends(hosted.port, first, hang_up=True)

    answer = asyncio.run(run())
    assert answer in (b"", RM) or answer.removeprefix(RM)[:5] == b"\x04\x00\x00\x02\x00"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x02\x00\x00\x03abc", 0x09),
        (b"\x02\x00\x00\x00", 0x09),
        (b"\x09\x00\x00\x00", 0x08),
        (RM, 0x0D),
        (IM, 0x06),
        (b"\x02\x00\x00\x08\x48", None),
    ],
)
async def test_fault_04_a_player_with_a_broken_frame_is_sent_away_and_keeps_its_seat(
    data: bytes, code: int | None
) -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted)
        england = peers["ENG"]
        england.writer.write(data)
        if code is None:
            england.writer.write_eof()
        farewell = await england.farewell()
        assert farewell.code == code
        assert await peers["FRA"].hear() == "CCD ( ENG )"
        back = await hosted.peer(f"IAM ( ENG ) ( {passcode(hosted, 'ENG')} )")
        assert (await back.hear()).startswith("YES ( IAM ( ENG )")
        assert await peers["FRA"].hear() == "NOT ( CCD ( ENG ) )"


def quoted(*tokens: int) -> Tokens:
    return (*from_text("SND ( FRA ) ( HUH ( ERR"), *tokens, *from_text(") )"))


@pytest.mark.parametrize(
    "tokens",
    [
        quoted(0x4F00),
        quoted(0x6001),
        quoted(0x5199),
        quoted(0x410F),
        quoted(0x4B07),
        (*from_text("SND ("), 0x4107, *from_text(") ( PRP ( DRW ) )")),
        (*from_text("ADM ( 'ENG' ) ( 'a'"), 0x4B1B, *from_text("'[2J' )")),
        (*from_text("ADM ("), 0x4B7F, *from_text(") ( 'a' )")),
        (0x4F00,),
        (0x4B61,),
        (0x3FFF,),
    ],
)
async def test_fault_05_what_no_client_can_know_gets_huh_and_is_not_passed_on(
    tokens: Tokens,
) -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted)
        assert (await hear_raw(peers["ENG"], tokens)).startswith("HUH (")
        await hears_nothing(*peers.values())


async def test_fault_05_words_that_nobody_knows_are_taken_out_of_try() -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted)
        tokens = (*from_text("SND ( FRA ) ( TRY ( PRP"), 0x4A7F, *from_text(") )"))
        assert (await hear_raw(peers["ENG"], tokens)).startswith("YES (")
        assert await peers["FRA"].hear() == "FRM ( ENG ) ( FRA ) ( TRY ( PRP ) )"


@pytest.mark.parametrize("token", [0x5800, 0x5FFF])
async def test_fault_05_a_reserved_token_gets_em_0e_and_is_not_passed_on(token: int) -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted)
        peers["ENG"].writer.write(raw_dm(quoted(token)))
        farewell = await peers["ENG"].farewell()
        assert farewell.code == 0x0E
        assert await peers["FRA"].hear() == "CCD ( ENG )"
        await hears_nothing(peers["FRA"])


def test_fault_05_a_name_with_control_characters_gets_huh_and_stays_out_of_the_summary() -> None:
    table = Table()
    table.connect("x")
    for text in ("NME ( '\x1b[2J' ) ( '1' )", "NME ( 'x' ) ( '\n' )", "OBS ( 'a\x7f' ) ( '1' )"):
        assert words(table.ask("x", text)) == ["HUH"]
    assert words(table.ask("x", "NME ( 'Zoë <b>' ) ( '1' )")) == ["REJ"]  # every seat is planned


def test_fault_05_bytes_that_may_be_utf_8_are_passed_on() -> None:
    table = Table().fill()
    heard = table.say("ENG", "ADM ( 'Zoë' ) ( 'où?' )")
    assert ("FRA", "ADM ( 'Zoë' ) ( 'où?' )") in heard


BRA, KET = from_text("("), from_text(")")


@pytest.mark.parametrize(
    ("tokens", "answer"),
    [
        (from_text("NME ( 'A' ( '1' )"), "PRN ( NME ( 'A'"),
        (KET, "PRN ( )"),
        (BRA * 32000, "PRN ( ( ("),
        (BRA * 16000 + KET * 16000, "HUH ( ( ("),
        (from_text("SND ( FRA ) (") + BRA * 16000 + KET * 16001, "HUH ( SND ( FRA )"),
        (from_text("SUB") * 32000, "HUH ( SUB SUB"),
        (from_text("SUB") + from_text("( ENG WVE )") * 8000, "HUH ( SUB ( ENG WVE )"),
    ],
    ids=["unbalanced", "one bracket", "open", "deep", "deep press", "flat", "many orders"],
)
async def test_fault_06_brackets_and_length_are_answered_at_once_in_the_language(
    tokens: Tokens, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    longest = 0

    def run(self: Machine, start: str, kinds: Sequence[int], values: Sequence[object]) -> object:
        nonlocal longest
        longest = max(longest, len(kinds))
        return RUN(self, start, kinds, values)

    monkeypatch.setattr(Machine, "run", run)
    async with hosting() as hosted:
        peers = await all_seated(hosted)
        assert (await hear_raw(peers["ENG"], tokens)).startswith(answer)
        # What is too long or too deep is not even parsed.
        assert longest <= LONGEST_FROM_CLIENT
        await hears_nothing(*peers.values())


# --- 8: press -------------------------------------------------------------------------------------

DISLODGED = {"ENG": ("A LVP", "YOR"), "FRA": ("A BUR", "GAS")}


def three_left(turn: str) -> Position:
    is_retreat = turn.startswith("SUM")
    return place(
        turn,
        centers={"ENG": "LON", "FRA": "PAR", "GER": "BER"},
        dislodged=DISLODGED if is_retreat else None,
        ENG="F LON, A WAL",
        FRA="A PAR, A MAR",
        GER="A BER, A MUN",
    )


@pytest.mark.parametrize(
    ("press", "answer", "turn", "changes"),
    [
        ("SND ( FRA ) ( PRP ( AND ( DRW ) ( DRW ) ) )", "HUH", "SPR 1901", {}),
        ("SND ( FRA ) ( PRP ( XDO ( ( ENG FLT LON ) HLD ) ) )", "HUH", "SPR 1901", {"level": 10}),
        ("SND ( ENG ) ( PRP ( DRW ) )", "REJ", "SPR 1901", {}),
        ("SND ( FRA ENG ) ( PRP ( DRW ) )", "REJ", "SPR 1901", {}),
        ("SND ( TUR ) ( PRP ( DRW ) )", "OUT ( TUR )", "SPR 1901", {}),
        ("SND ( FRA TUR ) ( PRP ( DRW ) )", "OUT ( TUR )", "SPR 1901", {}),
        ("SND ( FRA ) ( PRP ( PCE ( ENG TUR ) ) )", "OUT ( TUR )", "SPR 1901", {}),
        ("SND ( 0x410F ) ( PRP ( DRW ) )", "HUH", "SPR 1901", {}),
        ("SND ( FAL 1901 ) ( FRA ) ( PRP ( DRW ) )", "REJ", "SPR 1901", {}),
        (PEACE, "REJ", "SUM 1901", {"no_press_in_retreats": True}),
        (PEACE, "REJ", "WIN 1901", {"no_press_in_builds": True}),
        (PEACE, "REJ", "SPR 1901", {"movement_limit": 60, "press_limit": 60}),
        (PEACE, "YES", "SPR 1901", {"movement_limit": 60, "press_limit": 30}),
    ],
)
async def test_fault_08_press_that_may_not_be_sent_is_answered_and_nobody_else_hears_it(
    press: str, answer: str, turn: str, changes: dict[str, Any]
) -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted, evolve(PLANNED, **changes), three_left(turn))
        assert (await ask(peers["ENG"], press)).startswith(answer)
        if answer == "YES":
            assert (await peers["FRA"].hear()).startswith("FRM ( ENG )")
        await hears_nothing(*peers.values())


# --- 11, 12: clients that die ---------------------------------------------------------------------

TIMED = evolve(PLANNED, movement_limit=300)


def pass_time(hosted: Hosted, watch: SetClock, seconds: int) -> None:
    """Let the clock of the host run on, as its heart would."""
    for _ in range(seconds):
        watch.time += 1
        hosted.host.clock.now()


async def others_hold(peers: dict[str, RawPeer]) -> None:
    """Let all but England order to hold."""
    starts = {
        "AUS": "AMY VIE, AMY BUD, FLT TRI",
        "FRA": "AMY PAR, AMY MAR, FLT BRE",
        "GER": "AMY BER, AMY MUN, FLT KIE",
        "ITA": "AMY ROM, AMY VEN, FLT NAP",
        "RUS": "AMY WAR, AMY MOS, FLT SEV, FLT ( STP SCS )",
        "TUR": "AMY ANK, FLT ANK, AMY CON, AMY SMY",
    }
    for name, units in starts.items():
        orders = (f"( ( {name} {unit} ) HLD )" for unit in units.split(", "))
        peers[name].say(f"SUB {' '.join(orders)}")


async def results(peer: RawPeer) -> list[str]:
    """Return all messages up to the next position."""
    heard = [await peer.hear()]
    while not heard[-1].startswith("NOW"):
        heard.append(await peer.hear())
    return heard


async def test_fault_11_a_client_killed_before_its_orders_is_waited_for_until_the_deadline() -> (
    None
):
    watch = SetClock()
    async with hosting(clock=HostClock(watch)) as hosted:
        peers = await all_seated(hosted, TIMED)
        reset(peers["ENG"].writer)
        assert await peers["GER"].hear() == "CCD ( ENG )"
        await others_hold(peers)
        for _ in range(3):
            assert (await peers["GER"].hear()).startswith("THX")
        pass_time(hosted, watch, 299)
        assert await ask(peers["GER"], "TME") == "TME ( 1 )"
        pass_time(hosted, watch, 1)
        peers["GER"].say("MAP")
        heard = await results(peers["GER"])
        assert "ORD ( SPR 1901 ) ( ( ENG FLT LON ) HLD ) ( SUC )" in heard
        assert heard[-1].startswith("NOW ( FAL 1901 )")


async def test_fault_11_the_orders_of_a_client_killed_after_its_thx_are_used() -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted, TIMED)
        peers["ENG"].say(MOVE)
        for _ in range(3):
            assert (await peers["ENG"].hear()).endswith("( MBV )")
        reset(peers["ENG"].writer)
        assert await peers["GER"].hear() == "CCD ( ENG )"
        await others_hold(peers)
        heard = await results(peers["GER"])
        assert "ORD ( SPR 1901 ) ( ( ENG FLT LON ) MTO NTH ) ( SUC )" in heard


async def test_fault_11_a_client_that_comes_back_in_the_phase_finds_its_orders() -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted, TIMED)
        peers["ENG"].say(MOVE)
        for _ in range(3):
            await peers["ENG"].until("THX")
        reset(peers["ENG"].writer)
        assert await peers["GER"].hear() == "CCD ( ENG )"
        back = await hosted.peer(f"IAM ( ENG ) ( {passcode(hosted, 'ENG')} )")
        await back.until("NOT")
        back.say("MAP", "MDF", "HLO", "SCO", "NOW", "TME", "MIS")
        heard = [await back.hear() for _ in range(7)]
        assert words(heard) == ["MAP", "MDF", "HLO", "SCO", "NOW", "TME", "MIS"]
        assert heard[-1] == "MIS"
        await others_hold(peers)
        assert "ORD ( SPR 1901 ) ( ( ENG FLT LON ) MTO NTH ) ( SUC )" in await results(back)


async def test_fault_12_a_half_open_connection_is_found_by_the_system_within_a_minute() -> None:
    async with hosting() as hosted:
        await hosted.peer()
        links = hosted.listener._links
        await becomes(lambda: len(links) == 1 and all(link._transport for link in links))
        (link,) = links
        assert link._transport
        accepted: socket.socket = link._transport.get_extra_info("socket")

        def option(name: str) -> int:
            return accepted.getsockopt(socket.IPPROTO_TCP, getattr(socket, name))

        assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        silence = option("TCP_KEEPIDLE") + option("TCP_KEEPINTVL") * option("TCP_KEEPCNT")
        assert silence < 60
        assert option("TCP_USER_TIMEOUT") < 60_000
        assert option("TCP_NODELAY")


# --- 13, 14: passcodes ----------------------------------------------------------------------------


def test_fault_13_guesses_do_not_lock_out_an_owner_that_is_connected() -> None:
    table = Table().fill()
    right = table.passcode("ENG")
    for number in range(1000):
        guesser = table.connect(f"guesser {number}")
        for guess in range(3):
            wrong = (right + 3 * number + guess) % 8191 + 1
            assert words(table.ask(guesser, f"IAM ( ENG ) ( {wrong} )")) == ["REJ"]
        table.leave(guesser)
    assert words(table.ask("ENG", HOLD)) == ["THX"] * 3
    table.leave("ENG")
    assert table.rejoin("ENG")[0] == ("ENG", f"YES ( IAM ( ENG ) ( {right} ) )")


async def test_fault_13_guesses_over_many_connections_find_nothing() -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted)
        peers["ENG"].vanish()
        await peers["FRA"].until("CCD")
        right = passcode(hosted, "ENG")
        for number in range(40):
            guesser = await hosted.peer()
            guesses = [(right + 4 * number + each) % 8191 + 1 for each in range(4)]
            guesser.say(*(f"IAM ( ENG ) ( {guess} )" for guess in guesses))
            for _ in guesses:
                assert (await guesser.hear()).startswith("REJ ( IAM")
        await hears_nothing(peers["FRA"])


async def test_fault_14_the_right_passcode_is_refused_while_the_owner_is_connected() -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted)
        second = await hosted.peer()
        iam = f"IAM ( ENG ) ( {passcode(hosted, 'ENG')} )"
        assert await ask(second, iam) == f"REJ ( {iam} )"
        assert (await ask(second, HOLD)).startswith("REJ ( SUB")
        assert (await ask(peers["ENG"], MOVE)).endswith("( MBV )")
        reset(peers["ENG"].writer)
        assert await peers["FRA"].hear() == "CCD ( ENG )"
        assert await ask(second, iam) == f"YES ( {iam} )"
        assert await second.hear() == "NOT ( CCD ( ENG ) )"
        assert await ask(second, "MIS") == "MIS"
        await others_hold(peers)
        moved = [text for text in await results(second) if "ENG FLT LON" in text]
        assert moved[0] == "ORD ( SPR 1901 ) ( ( ENG FLT LON ) MTO NTH ) ( SUC )"


# --- 15: joining ----------------------------------------------------------------------------------


async def test_fault_15_names_that_are_the_same_or_come_twice_or_too_late() -> None:
    async with hosting() as hosted:
        same = "NME ( 'Bot' ) ( '1' )"
        peers = [await hosted.peer(same) for _ in range(7)]
        for peer in peers:
            assert await peer.hear() == f"YES ( {same} )"
            assert await peer.hear() == "MAP ( 'standard' )"
            assert await ask(peer, same) == f"REJ ( {same} )"
        eighth = await hosted.peer(same)
        assert await eighth.hear() == f"REJ ( {same} )"
        for peer in peers:
            peer.say("YES ( MAP ( 'standard' ) )")
        hellos = {(await peer.until("HLO")).split()[2] for peer in peers}
        assert hellos == set(POWERS)
        assert await ask(eighth, same) == f"REJ ( {same} )"
        late = await hosted.peer(same)
        assert await late.hear() == f"REJ ( {same} )"
        assert await ask(late, "OBS") == "YES ( OBS )"


def test_fault_15_five_hundred_rounds_of_joining_and_leaving_leak_no_seat() -> None:
    table = Table()
    for number in range(500):
        name = POWERS[number % 7]
        table.connect(name)
        assert words(table.ask(name, f"NME ( '{name}' ) ( '1' )")) == ["YES", "MAP"]
        if number % 2:
            table.accept_map(name)
        if number % 3 == 0:
            assert words(table.ask(name, "REJ ( MAP ( 'standard' ) )")) == ["OFF", "<dropped>"]
        table.leave(name)
    assert not table.game.clients
    assert table.fill().game.stage.value == "running"


async def test_fault_15_fifty_rounds_over_connections_leak_no_seat() -> None:
    async with hosting() as hosted:
        for number in range(50):
            peer = await hosted.peer("NME ( 'Bot' ) ( '1' )")
            await peer.until("MAP")
            (reset if number % 2 else asyncio.StreamWriter.close)(peer.writer)
        await becomes(lambda: not hosted.host.members and not game_of(hosted).clients)
        await becomes(lambda: not hosted.listener._links and not hosted.listener._networks)
        for peer in await seated(hosted, 7):
            await peer.until("NOW")


# --- 16: orders -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("SUB ( ( FRA AMY PAR ) HLD )", "THX ( ( FRA AMY PAR ) HLD ) ( NYU )"),
        ("SUB ( ( ENG AMY LON ) HLD )", "THX ( ( ENG AMY LON ) HLD ) ( NSU )"),
        ("SUB ( ( ENG AMY LVP ) MTO MOS )", "THX ( ( ENG AMY LVP ) MTO MOS ) ( FAR )"),
        ("SUB ( ( ENG AMY LVP ) RTO WAL )", "THX ( ( ENG AMY LVP ) RTO WAL ) ( NRS )"),
        ("SUB ( FAL 1900 ) ( ( ENG AMY LVP ) HLD )", "REJ ( SUB ( FAL 1900 )"),
        ("SUB ( ( ENG AMY LVP ) MTO 0x5199 )", "HUH ( SUB ( ( ENG AMY LVP ) MTO ERR 0x5199"),
        ("SUB ( ( 0x410F AMY LVP ) HLD )", "HUH ( SUB ( ( ERR 0x410F"),
    ],
)
async def test_fault_16_a_bad_order_gets_its_exact_note_and_nothing_happens(
    text: str, answer: str
) -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted)
        assert (await ask(peers["ENG"], text)).startswith(answer)
        others = [peer for name, peer in peers.items() if name != "ENG"]
        await hears_nothing(*others)
        assert not list(game_of(hosted).book.orders())


async def test_fault_16_of_a_thousand_contradictory_orders_the_last_valid_one_wins() -> None:
    async with hosting(with_limits(order_burst=600.0, order_rate=0.0, flood=1000)) as hosted:
        peers = await all_seated(hosted)
        goals = ("NTH", "ECH", "MOS", "WAL", "YOR")
        moves = [f"SUB ( ( ENG FLT LON ) MTO {goals[number % 5]} )" for number in range(999)]
        peers["ENG"].say(HOLD, *moves)
        answers: Counter[str] = Counter()
        while sum(answers.values()) < 1002:
            text = await peers["ENG"].hear()
            if not text.startswith("MIS"):
                answers[text.split()[0] + text[-8:] * text.startswith("THX")] += 1
        assert answers == {"THX ( MBV )": 3 + 479, "THX ( FAR )": 120, "REJ": 400}
        await others_hold(peers)
        heard = await results(peers["FRA"])
        # The 600th message was the move with number 598, to Wales.
        assert "ORD ( SPR 1901 ) ( ( ENG FLT LON ) MTO WAL ) ( SUC )" in heard


# --- 19: time -------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", [3600.0, 60.0, 5.1])
async def test_fault_19_a_pause_of_the_server_costs_nobody_time_and_is_told(step: float) -> None:
    watch = SetClock()
    async with hosting(with_settings(), clock=HostClock(watch)) as hosted:
        peers = await all_seated(hosted, TIMED)
        pass_time(hosted, watch, 100)
        watch.time += step
        hosted.host.check_clock()
        for peer in peers.values():
            assert await peer.hear() == "TME ( 200 )"
        pass_time(hosted, watch, 10)
        hosted.host.check_clock()
        await hears_nothing(*peers.values())
        assert await ask(peers["ENG"], "TME") == "TME ( 190 )"


async def test_fault_19_the_time_of_day_is_never_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hosting() as hosted:
        peers = await all_seated(hosted, TIMED)
        before = await ask(peers["ENG"], "TME")
        monkeypatch.setattr("time.time", lambda: 0.0)
        assert await ask(peers["ENG"], "TME") == before == "TME ( 300 )"
        monkeypatch.setattr("time.time", lambda: 4e9)
        await hears_nothing(*peers.values())
        assert await ask(peers["ENG"], "TME") == before
