"""Variants of attacks that were found once: what else an attacker at the port would try."""

import asyncio
import math
import shutil
import socket
import ssl
from pathlib import Path

import pytest
from attrs import evolve

from daide.frames import DiplomacyMessage, tokens_to_bytes
from grammar.text import from_text
from grammar.tokens import Word
from rules.board import Board
from rules.maps import load_map
from rules.orders import Unit, UnitKind
from rules.places import Location, Power
from rules.position import Position
from server.clock import HostClock
from server.effects import Effect
from server.game import Game
from server.guessing import GUESSES_PER_ADDRESS, HOME_LOCK
from server.history import PlayedTurn
from server.inbox import weight_of
from server.inputs import Connected, Input, Received, apply
from server.limits import Limits, Meter, Ruling
from server.link import Leaving
from server.observers import Handled, ObservedRoom
from server.room import Room
from server.settings import GameSettings
from server.store import Store
from tests.peers.awkward import IM, RM
from tests.server.bursts import client_hello
from tests.server.hosting import (
    CONFIG,
    LIMITS,
    Hosted,
    RawPeer,
    SetClock,
    becomes,
    hosting,
    seated,
    with_limits,
    with_settings,
)
from tests.server.serving import certificate
from tests.server.table import Table, heard_by, words
from tests.server.test_guessing import guesser

THIEF = "127.0.0.9"
needs_openssl = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="needs openssl for a certificate"
)


async def guess(peer: RawPeer, power: str, passcode: int) -> bool:
    """Try a passcode; tell whether it was taken."""
    peer.say(f"IAM ( {power} ) ( {passcode} )")
    return (await peer.until(r"YES \( IAM|REJ \( IAM")).startswith("YES")


# --- guessing by other ways -----------------------------------------------------------------------


async def test_a_game_that_was_chosen_with_sel_is_no_way_around_the_lock() -> None:
    config = evolve(CONFIG, games=3)
    async with hosting(config) as hosted:
        peers = await seated(hosted, 14)
        for peer in peers:
            await peer.until("NOW")
        first, second = hosted.host.rooms[:2]
        for room in (first, second):
            seat = room.game.seats[hosted.host.board.power("FRA")]
            hosted.host.members[seat.client].link.drop(Leaving.LOST)  # type: ignore[index]  # seated
        await becomes(lambda: bool(first.absentees) and bool(second.absentees))
        rightly = second.absentees[0].passcode
        thief = await hosted.peer()
        tried = [code for code in range(1, 60) if code != rightly]
        for number, code in enumerate(tried):
            room = (first, second)[number % 2]
            thief.say(f"SEL ( '{room.game.name}' )")
            assert not await guess(thief, "FRA", code)
        # It is locked by now: not even the right one is looked at.
        thief.say(f"SEL ( '{second.game.name}' )")
        assert not await guess(thief, "FRA", rightly)
        assert second.absentees


async def test_a_passcode_of_a_game_that_lingers_opens_nothing() -> None:
    async with hosting(evolve(CONFIG, settings=evolve(CONFIG.settings, linger=30))) as hosted:
        peers = await seated(hosted, 7)
        for peer in peers:
            await peer.until("NOW")
        room = hosted.host.rooms[0]
        room.command("end")
        await peers[0].until("SMR")
        seat = room.game.seats[hosted.host.board.power("FRA")]
        owner = hosted.host.members[seat.client]  # type: ignore[index]  # seated
        thief = await hosted.peer("OBS")
        await thief.until("YES")
        for code in range(20):
            assert not await guess(thief, "FRA", code)
        assert not await guess(thief, "FRA", seat.passcode), "its owner is there"
        assert hosted.host.members[owner.number] is owner


async def begin_and_leave(hosted: Hosted, address: str = THIEF) -> Room:
    """Begin a game from one address, and leave it."""
    before = set(hosted.host.rooms)
    peers = [await guesser(hosted, address) for _ in range(7)]
    for number, peer in enumerate(peers):
        assert (await peer.join(f"{hosted.host.store.next_game}-{number}")).startswith("YES")
    for peer in peers:
        await peer.until("NOW")
        peer.vanish()
    (room,) = set(hosted.host.rooms) - before
    await becomes(lambda: not room.has_players)
    return room


def pass_time(hosted: Hosted, watch: SetClock, seconds: float) -> None:
    """Let the clock run in steps that are no pause of the process."""
    for _ in range(math.ceil(seconds)):
        watch.time += 1.0
        hosted.host.clock.now()


async def test_whoever_left_a_seat_of_his_own_guesses_at_no_other_with_its_short_lock() -> None:
    watch = SetClock()
    config = evolve(CONFIG, games=5)
    async with hosting(config, clock=HostClock(watch)) as hosted:
        theirs = await begin_and_leave(hosted, "127.0.0.1")
        mine = await begin_and_leave(hosted)
        france = hosted.host.board.power("FRA")
        codes = [theirs.game.seats[france].passcode, mine.game.seats[france].passcode]
        wrong = [code for code in range(1, 50) if code not in codes]
        for code in wrong[:GUESSES_PER_ADDRESS]:
            assert not await guess(await guesser(hosted, THIEF), "FRA", code)
        pass_time(hosted, watch, HOME_LOCK + 1)
        # One wrong guess as the owner of his own seat, and the lock for all others is longer.
        assert not await guess(await guesser(hosted, THIEF), "FRA", wrong[-1])
        pass_time(hosted, watch, HOME_LOCK + 1)
        assert not await guess(await guesser(hosted, THIEF), "FRA", codes[0])
        assert theirs.game.seats[france].client is None
        pass_time(hosted, watch, HOME_LOCK + 1)
        assert await guess(await guesser(hosted, THIEF), "FRA", codes[1]), "his own is his"


async def test_a_passcode_of_a_game_that_is_over_is_not_drawn_again() -> None:
    async with hosting(evolve(CONFIG, seed=None)) as hosted:
        powers = hosted.host.board.powers
        room = hosted.host.new_room()
        over = {(power.name, seat.passcode) for power, seat in room.game.seats.items()}
        hosted.host._take_out(room)
        assert over <= hosted.host._gate.passcodes(hosted.host.rooms)
        assert len(over) == len(powers)


@pytest.mark.parametrize("way", ["first message", "another game"])
async def test_no_way_to_a_game_leads_around_the_lock_of_secrets(way: str) -> None:
    secret = evolve(CONFIG.settings, admin_secret="open sesame")
    async with hosting(evolve(CONFIG, games=3, settings=secret)) as hosted:
        names = [hosted.host.new_room().game.name for _ in range(2)]
        peer = await hosted.peer()
        for number in range(20):
            words = "open sesame" if number == 19 else f"wrong {number}"
            if way == "first message":
                peer = await hosted.peer()
            else:
                peer.say(f"SEL ( '{names[number % 2]}' )")
            peer.say(f"ADM ( 'A' ) ( 'Server: become master {words}' )")
            assert "refused" in await peer.until("ADM")


# --- what is lost or grows ------------------------------------------------------------------------


async def test_games_that_one_begins_and_leaves_push_out_no_game_of_others() -> None:
    store = Store()
    async with hosting(evolve(CONFIG, deserted=3), store) as hosted:
        theirs = await begin_and_leave(hosted, "127.0.0.1")
        for _ in range(6):
            await begin_and_leave(hosted)
            hosted.host.expire_deserted()
        await becomes(lambda: len(hosted.host.rooms) <= 3)
        assert theirs in hosted.host.rooms
        await becomes(lambda: not store.waiting)
        assert theirs.number in store.games()
    store.close()


async def test_of_games_that_the_same_people_left_the_least_played_goes_first() -> None:
    async with hosting(evolve(CONFIG, deserted=1)) as hosted:
        played = await begin_and_leave(hosted)
        history = played.game.history
        history.turns.append(PlayedTurn(history.start.turn, (), history.start))
        fresh = await begin_and_leave(hosted)
        await becomes(lambda: len(hosted.host._deserted) == 2)
        hosted.host.expire_deserted()
        assert (played.is_deserted, fresh.is_deserted) == (False, True)


NOISE = {
    "unreadable": "SUB SUB",
    "questions": "HST ( SPR 1901 )",
    "talk": "ADM ( 'a' ) ( 'hello' )",
    "commands": "ADM ( 'a' ) ( 'Server: help' )",
    "orders": "GOF",
    "places": "NME ( 'a' ) ( 'b' )",
}


@pytest.mark.parametrize("first", ["OBS", "GOF"], ids=["observer", "stranger"])
@pytest.mark.parametrize("noise", NOISE)
async def test_what_those_without_a_part_say_is_answered_and_kept_only_if_others_hear_it(
    noise: str, first: str
) -> None:
    store = Store()
    async with hosting(CONFIG, store) as hosted:
        for peer in await seated(hosted, 7):
            await peer.until("NOW")
        guest = await hosted.peer(first)
        guest.say(*[NOISE[noise]] * 10, "MAP", "MAP")
        await guest.until(r"YES|REJ")
        for _ in range(10):
            await guest.until("(?!MAP)")
        await guest.until("MAP")
        number = max(hosted.host.members)
        kept = [each for _, each in store.load(1).happenings()]
    mine = [each for each in kept if getattr(each, "client", None) == number]
    expected: list[Input] = [Connected(number, "127.0.0.1")]
    if first == "OBS":
        expected.append(Received(number, from_text("OBS")))
        expected += [Received(number, from_text(NOISE[noise]))] * (10 if noise == "talk" else 0)
    assert mine == expected
    store.close()


async def test_what_concerns_an_observer_alone_is_not_kept() -> None:
    store = Store()
    async with hosting(with_settings(movement_limit=300), store) as hosted:
        for peer in await seated(hosted, 7):
            await peer.until("NOW")
        guest = await hosted.peer("OBS")
        await guest.until("MAP")
        for number in range(10):
            guest.say(
                f"OBS ( 'a{number}' ) ( '1' )", f"TME ( {number} )", f"NOT ( TME ( {number} ) )"
            )
            for word in ("OBS", "TME", "NOT"):
                await guest.until(rf"YES \( {word}")
        number = max(hosted.host.members)
        kept = [each for _, each in store.load(1).happenings()]
    mine = [each for each in kept if getattr(each, "client", None) == number]
    assert mine == [Connected(number, "127.0.0.1"), Received(number, from_text("OBS"))]
    store.close()


async def test_who_goes_from_game_to_game_fills_the_store_slowly() -> None:
    limits = evolve(LIMITS, kept_burst=1_000.0, kept_rate=1.0, work_rate=100.0)
    async with hosting(evolve(CONFIG, games=3, limits=limits)) as hosted:
        names = [hosted.host.new_room().game.name for _ in range(2)]
        guest = await hosted.peer()
        await becomes(lambda: bool(hosted.host.members))
        (member,) = hosted.host.members.values()
        for number in range(10):
            guest.say(f"SEL ( '{names[number % 2]}' )", "MAP")
            await guest.until("MAP")
        guest.say(f"SEL ( '{names[0]}' )", "MAP")
        await becomes(lambda: member.meter.wait(hosted.host.clock.now()) > 0)


async def test_press_that_games_hold_counts_several_times() -> None:
    limits = evolve(LIMITS, kept_burst=10_000.0, kept_rate=1.0, work_rate=100.0)
    async with hosting(evolve(CONFIG, limits=limits)) as hosted:
        peer, other, *_ = peers = await seated(hosted, 7)
        powers = [(await each.until("HLO")).split()[2] for each in peers]
        member = min(hosted.host.members.values(), key=lambda each: each.number)
        peer.say(f"SND ( {powers[1]} ) ( PRP ( DMZ ( {powers[0]} ) ( {'MAO ' * 1_300}) ) )")
        await other.until("FRM")
        assert member.meter.wait(hosted.host.clock.now()) > 0


async def talk_until_it_must_wait(hosted: Hosted) -> None:
    """Take a place, send what the store keeps until the server reads no more, and leave."""
    peer = await hosted.peer()
    await peer.join("P")
    (member,) = hosted.host.members.values()
    peer.say(*["SUB " * 1000] * 100)
    await becomes(lambda: member.meter.wait(hosted.host.clock.now()) > 0)
    peer.vanish()
    await becomes(lambda: not hosted.host.members)


async def test_a_player_fills_the_store_slowly_also_after_coming_back() -> None:
    limits = evolve(LIMITS, kept_burst=10_000.0, kept_rate=1.0, work_rate=100.0)
    async with hosting(evolve(CONFIG, limits=limits)) as hosted:
        for _ in range(2):
            await talk_until_it_must_wait(hosted)
        left = hosted.host._overdrawn.left("127.0.0.1", hosted.host.clock.now())
    assert -60_000 < left.kept < 0


# --- work that one asks for and others pay --------------------------------------------------------


def test_talk_of_any_kind_is_bounded_and_dear() -> None:
    for word in (Word.SND, Word.ADM):
        tokens = (int(word),) * 4000
        meter = Meter(Limits())
        sent = sum(meter.judge(tokens, 0.0) is Ruling.PASS for _ in range(20))
        assert sent == 20
        # Everybody else hears it and the store keeps it: five a second, not fifty.
        assert meter.wait(0.0) > 1.5


def test_adm_and_press_share_one_limit() -> None:
    meter = Meter(Limits(press_rate=0.0, press_burst=3))
    words = (from_text("ADM ( 'a' ) ( 'b' )"), from_text("SND ( FRA ) ( PRP ( PCE ( ENG FRA ) ) )"))
    verdicts = [meter.judge(words[number % 2], 0.0) for number in range(4)]
    assert verdicts == [Ruling.PASS] * 3 + [Ruling.REFUSE]


async def test_a_long_message_waits_alone() -> None:
    async with hosting() as hosted:
        peer = await hosted.peer("OBS")
        await peer.until("MAP")
        (member,) = hosted.host.members.values()
        room = member.room
        assert room is not None
        junk = DiplomacyMessage((0x4800,) * 32_000).to_bytes()
        most, posted = 0, room.post

        def post(item: object) -> None:
            nonlocal most
            posted(item)  # type: ignore[arg-type]  # as posted
            most = max(most, room.waiting)

        room.post = post  # type: ignore[method-assign]  # to listen in
        peer.writer.write(junk * 6)
        for _ in range(6):
            await peer.until("PRN|HUH")
        assert most == 1, "no second one is read while the game has one to handle"


# --- names ----------------------------------------------------------------------------------------


def test_names_that_would_not_fit_into_one_smr_are_refused() -> None:
    name = "x" * 201
    table = Table(GameSettings(seats={"ENG": "ENG"}))
    table.connect("long")
    assert words(table.ask("long", f"NME ( '{name}' ) ( '1' )")) == ["REJ"]
    assert words(table.ask("long", f"NME ( 'Bot' ) ( '{name}' )")) == ["REJ"]
    assert words(table.ask("long", f"NME ( '{name[1:]}' ) ( '1' )")) == ["YES", "MAP"]


def crowded() -> Board:
    """Return the standard map for 34 powers, each with one center and an army there."""
    board = load_map()
    centers = sorted(board.centers, key=lambda center: center.name)
    powers = tuple(Power(f"P{number:02}") for number in range(len(centers)))
    owners = dict(zip(centers, powers, strict=True))
    units = tuple(Unit(power, UnitKind.ARMY, Location(place)) for place, power in owners.items())
    homes = {power: (center,) for center, power in owners.items()}
    start = Position(board.start.turn, units, (), owners)
    return evolve(board, powers=powers, homes=homes, start=start)


def test_the_names_of_many_players_leave_an_smr_that_old_programs_can_read() -> None:
    board = crowded()
    # A name has 236 bytes there: 34 players share 16,383 tokens.
    names = {"\xe9" * 116 + power.name: power.name for power in board.powers}
    too_long = ("\xe9" * 117 + "P00", "\U0001f40d" * 59 + "P00")
    table = Table(GameSettings(seats=names | dict.fromkeys(too_long, "P00")), board=board)
    table.connect("long")
    for name in too_long:
        assert words(table.ask("long", f"NME ( '{name}' ) ( '1' )")) == ["REJ"]
        assert words(table.ask("long", f"NME ( '{next(iter(names))}' ) ( '{name}' )")) == ["REJ"]
    for name in names:
        table.connect(name)
        assert words(table.ask(name, f"NME ( '{name}' ) ( '{name}' )")) == ["YES", "MAP"]
        table.accept_map(name)
    summary = heard_by(name, table.obey("end"))[-1]
    assert summary.startswith("SMR")
    assert len(tokens_to_bytes(from_text(summary, table.game.representation))) < 32_767


# --- sockets --------------------------------------------------------------------------------------


@needs_openssl
async def test_a_handshake_that_stops_anywhere_expires(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    limits = evolve(LIMITS, handshake=0.3)
    hello = client_hello()
    config = evolve(CONFIG, tls_cert=cert, tls_key=key, limits=limits)
    async with hosting(config) as hosted:
        streams = []
        for length in (0, 1, 5, len(hello) // 2, len(hello)):
            stream = await asyncio.open_connection("127.0.0.1", hosted.port)
            stream[1].write(hello[:length])
            streams.append(stream)
        for waiting, _ in streams:
            await waiting.read()
        await becomes(lambda: not hosted.listener._links)
        # Whoever goes on is not to lose a race with the short limit.
        hosted.host.config = evolve(config, limits=LIMITS)
        trusted = ssl.create_default_context(cafile=cert)
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port, ssl=trusted)
        writer.write(IM)
        assert await reader.readexactly(len(RM)) == RM
        for _, each in (*streams, (reader, writer)):
            each.close()


async def test_a_peer_that_closes_its_half_has_what_it_said_handled_and_is_let_go() -> None:
    async with hosting() as hosted:
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port)
        ask = DiplomacyMessage(from_text("LST")).to_bytes()
        writer.write(IM + ask * 50)
        writer.write_eof()
        data = await reader.read()
        assert data.startswith(RM)
        await becomes(lambda: not hosted.host.members and not hosted.listener._links)
        writer.close()


async def test_half_closed_sockets_by_the_hundred_leave_nothing_behind() -> None:
    async with hosting() as hosted:
        peers = [socket.create_connection(("127.0.0.1", hosted.port)) for _ in range(100)]
        for number, each in enumerate(peers):
            each.sendall(IM if number % 2 else IM[:5])
            each.shutdown(socket.SHUT_WR)
            await asyncio.sleep(0)
        await becomes(lambda: not hosted.listener._links and not hosted.listener._networks)
        for each in peers:
            each.close()


async def test_connections_of_one_network_of_ipv6_count_as_one_address() -> None:
    async with hosting(with_limits(connections_per_address=3)) as hosted:
        listener = hosted.listener
        listener._networks["2001:db8::/64"] = 3
        assert not listener._has_room("2001:db8::99")
        assert listener._has_room("2001:db8:0:1::99")
        del listener._networks["2001:db8::/64"]


async def test_a_deadline_does_not_wait_for_those_who_never_stop_asking(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = SetClock()
    clock = HostClock(watch)
    async with hosting(with_settings(movement_limit=20), clock=clock) as hosted:
        for player in await seated(hosted, 7):
            await player.until("NOW")
        observer = await hosted.peer("OBS")
        await observer.until("MAP")
        room = hosted.host.rooms[0]
        first = room.game.position.turn
        guest = max(room.game.clients)

        def ask_again(game: Game, item: Input, now: float) -> list[Effect]:
            if isinstance(item, Received) and game.position.turn == first:
                room.post(item)
            return apply(game, item, now)

        monkeypatch.setattr("server.room.apply", ask_again)
        reading = asyncio.create_task(observer.farewell())
        for _ in range(100):
            room.post(Received(guest, from_text("HST")))
        for _ in range(6):
            watch.time += 4
            clock.now()
        await becomes(lambda: room.game.position.turn != first)
        reading.cancel()


async def test_answers_to_players_wait_for_one_long_message_of_a_guest_at_most() -> None:
    async with hosting() as hosted:
        for player in await seated(hosted, 7):
            await player.until("NOW")
        observer = await hosted.peer("OBS")
        await observer.until("MAP")
        handled = Handlings()
        hosted.host.add_observer(handled)
        room = hosted.host.rooms[0]
        long = Received(max(room.game.clients), (int(Word.BRA),) * 3_000)
        for _ in range(20):
            room.post(long)
        await becomes(lambda: len(handled.inputs) >= 20)
    assert max(each.count(long) for each in handled.inputs) == 1


class Handlings:
    """Looks on, and notes what was handled together."""

    def __init__(self) -> None:
        self.inputs: list[list[Input]] = []

    def opened(self, room: ObservedRoom) -> None:
        pass

    def handled(self, _: ObservedRoom, what: Handled) -> None:
        self.inputs.append(list(what.inputs))

    def closed(self, room: ObservedRoom) -> None:
        pass


async def test_many_long_messages_wait_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.inbox.MOST_WEIGHT", 1_000)
    junk = DiplomacyMessage((int(Word.BRA),) * 30_000).to_bytes()
    heaviest = 0

    def look(game: Game, item: Input, now: float) -> list[Effect]:
        nonlocal heaviest
        heaviest = max(heaviest, hosted.host.backlog.weight)
        return apply(game, item, now)

    monkeypatch.setattr("server.room.apply", look)
    async with hosting(with_limits(work_burst=1000.0)) as hosted:
        crowd = [await hosted.peer("MAP") for _ in range(40)]
        for each in crowd:
            await each.until("MAP")
            each.writer.write(junk)
        for each in crowd:
            await each.until("PRN")
    # Two make it full, and one more may have been on its way.
    assert 0 < heaviest < 4 * weight_of((0,) * 30_000)
    assert hosted.host.backlog.weight == 0
