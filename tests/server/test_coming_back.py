"""Players that come back: with IAM at once, or as the original framework does, with NME first."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from attrs import evolve

from server.joining import power_in_name
from tests.server.hosting import CONFIG, Hosted, RawPeer, becomes, hosting
from tests.server.serving import Server

ROOMY = evolve(CONFIG, games=2)


async def sit_down(port: int) -> list[RawPeer]:
    """Let seven clients begin a game, called P0 to P6."""
    peers = [await RawPeer.connect(port) for _ in range(7)]
    for number, peer in enumerate(peers):
        await peer.join(f"P{number}")
    for peer in peers:
        await peer.until("NOW")
    return peers


def passport(peer: RawPeer) -> tuple[str, str]:
    """Return the power of a client, and its passcode."""
    hello = next(text for text in peer.heard if text.startswith("HLO")).split()
    return hello[2], hello[5]


@asynccontextmanager
async def lost(*, everybody: bool = False) -> AsyncIterator[tuple[Hosted, str, str]]:
    """Give a host with room for a second game, and power and passcode of a player that is lost."""
    async with hosting(ROOMY) as hosted:
        peers = await sit_down(hosted.port)
        hosted.peers.extend(peers)
        power, passcode = passport(peers[0])
        for peer in peers if everybody else peers[:1]:
            peer.vanish()
        seats = hosted.host.rooms[0].game.seats
        gone = {passport(peer)[0] for peer in (peers if everybody else peers[:1])}
        await becomes(
            lambda: all(seat.client is None for seat in seats.values() if seat.power.name in gone)
        )
        yield hosted, power, passcode


@pytest.mark.parametrize("everybody", [False, True], ids=["one", "all"])
async def test_a_framework_client_asks_is_refused_and_takes_its_power_back(
    *, everybody: bool
) -> None:
    async with lost(everybody=everybody) as (hosted, power, passcode):
        peer = await hosted.peer("NME ( 'P0' ) ( '1' )")
        assert await peer.until("YES|REJ") == "REJ ( NME ( 'P0' ) ( '1' ) )"
        peer.say(f"IAM ( {power} ) ( {passcode} )")
        assert await peer.until("YES|REJ") == f"YES ( IAM ( {power} ) ( {passcode} ) )"
        assert len(hosted.host.rooms) == 1


async def test_a_power_before_the_name_is_no_part_of_it() -> None:
    async with lost() as (hosted, power, _):
        other = "FRA" if power != "FRA" else "ENG"
        stranger = await hosted.peer(f"NME ( '{other}:P0' ) ( '1' )")
        assert (await stranger.until("YES|REJ")).startswith("YES")
        peer = await hosted.peer(f"NME ( '{power}:P0' ) ( '1' )")
        assert (await peer.until("YES|REJ")).startswith("REJ")


@pytest.mark.parametrize("everybody", [False, True], ids=["one", "all"])
async def test_a_client_that_begins_with_iam_takes_its_power_back(*, everybody: bool) -> None:
    async with lost(everybody=everybody) as (hosted, power, passcode):
        peer = await hosted.peer(f"IAM ( {power} ) ( {passcode} )")
        assert (await peer.until("YES|REJ")).startswith("YES ( IAM")


async def test_a_client_that_insists_is_let_in_as_new() -> None:
    async with lost() as (hosted, _, _):
        peer = await hosted.peer("NME ( 'P0' ) ( '1' )")
        assert (await peer.until("YES|REJ")).startswith("REJ")
        peer.say("NME ( 'P0' ) ( '1' )")
        assert (await peer.until("YES|REJ")).startswith("YES")
        assert len(hosted.host.rooms) == 2


async def test_only_one_of_many_namesakes_is_sent_back_for_a_seat() -> None:
    async with lost() as (hosted, _, _):
        peers = [await hosted.peer("NME ( 'P0' ) ( '1' )") for _ in range(3)]
        answers = [(await peer.until("YES|REJ"))[:3] for peer in peers]
        assert answers == ["REJ", "YES", "YES"]
        # Whoever gave up leaves the hint to the next.
        peers[0].vanish()
        await becomes(lambda: len(hosted.host.members) == 8)
        late = await hosted.peer("NME ( 'P0' ) ( '1' )")
        assert (await late.until("YES|REJ")).startswith("REJ")


@pytest.mark.parametrize("introduction", ["NME ( 'P0' ) ( '2' )", "NME ( 'Q0' ) ( '1' )"])
async def test_a_client_of_another_name_or_version_is_let_in(introduction: str) -> None:
    async with lost() as (hosted, _, _):
        peer = await hosted.peer(introduction)
        assert (await peer.until("YES|REJ")).startswith("YES")


async def test_nobody_is_sent_back_when_the_grace_is_over() -> None:
    async with hosting(evolve(ROOMY, return_grace=0.0)) as hosted:
        peers = await sit_down(hosted.port)
        hosted.peers.extend(peers)
        peers[0].vanish()
        await peers[1].until("CCD")
        peer = await hosted.peer("NME ( 'P0' ) ( '1' )")
        assert (await peer.until("YES|REJ")).startswith("YES")


@pytest.mark.parametrize("asks_first", [True, False], ids=["NME first", "IAM at once"])
async def test_a_player_comes_back_after_kill_and_restart(
    tmp_path: Path, *, asks_first: bool
) -> None:
    arguments = ("--store", str(tmp_path / "games.db"), "--games", "1", "--last-year", "1901")
    first = await Server.start(*arguments)
    peers = await sit_down(first.port)
    passports = [passport(peer) for peer in peers]
    await first.kill()
    for peer in peers:
        await peer.close()
    second = await Server.start(*arguments)
    try:
        back = [await RawPeer.connect(second.port) for _ in peers]
        for number, (peer, (power, passcode)) in enumerate(zip(back, passports, strict=True)):
            if asks_first:
                peer.say(f"NME ( 'P{number}' ) ( '1' )")
                assert (await peer.until("YES|REJ")).startswith("REJ")
            peer.say(f"IAM ( {power} ) ( {passcode} )")
            assert (await peer.until("YES|REJ")).startswith("YES ( IAM")
        back[0].say("NOW")
        assert (await back[0].until("NOW")).startswith("NOW ( SPR 1901 )")
        for peer in back:
            await peer.close()
    finally:
        code, log = await second.stop()
    assert (code, "Traceback" in log) == (0, False), log


def test_a_name_is_split_from_the_power_before_it() -> None:
    assert power_in_name("tur:DumbBot") == ("TUR", "DumbBot")
    assert power_in_name("DumbBot") == (None, "DumbBot")
    assert power_in_name("A:B") == (None, "A:B")
