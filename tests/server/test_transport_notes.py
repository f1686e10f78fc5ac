"""The compatibility notes on the transport, each on a real socket."""

import asyncio
import struct
from collections.abc import Callable
from typing import Any

import pytest

from daide.connection import CloseReason
from daide.frames import FinalMessage, tokens_to_bytes
from grammar.text import from_text
from server.client_link import ClientLink
from tests.peers.awkward import IM, RM, dm, everything, reset
from tests.server.hosting import (
    Hosted,
    Player,
    RawPeer,
    becomes,
    hosting,
    play_all,
    seated,
    with_limits,
)

FM = FinalMessage().to_bytes()


@pytest.mark.parametrize("pad", [0x00, 0x20, 0x9E, 0xFF])
async def test_note_01_the_pad_byte_is_ignored(pad: int) -> None:
    async with hosting() as hosted:
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port)
        writer.write(bytes([IM[0], pad]) + IM[2:] + dm("NME ( 'A' ) ( '1' )", pad=pad))
        writer.write(dm("YES ( MAP ( 'standard' ) )", pad=pad) + dm("SCO", pad=pad))
        answer = RM + dm("YES ( NME ( 'A' ) ( '1' ) )") + dm("MAP ( 'standard' )")
        assert await reader.readexactly(len(answer)) == answer
        assert (await reader.readexactly(6))[4:] == tokens_to_bytes(from_text("SCO"))
        writer.write(bytes([3, pad, 0, 0]))
        assert await everything(reader)
        writer.close()


@pytest.mark.parametrize("first", ["NME ( 'A' ) ( '1' )", "OBS", "MAP"])
async def test_note_02_im_and_the_first_dm_may_come_in_one_packet(first: str) -> None:
    async with hosting() as hosted:
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port)
        writer.write(IM + dm(first))
        answer = b"" if first == "MAP" else dm(f"YES ( {first} )")
        answer = RM + answer + dm("MAP ( 'standard' )")
        assert await reader.readexactly(len(answer)) == answer
        writer.transport.abort()


class WriteLog:
    """A transport that notes each write."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self.writes: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.writes.append(data)
        self._transport.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


def kinds_of(data: bytes) -> list[int]:
    """Return the kinds of the frames in one write, which must all be whole."""
    kinds, place = [], 0
    while place < len(data):
        kind, length = struct.unpack_from(">BxH", data, place)
        kinds.append(kind)
        place += 4 + length
    assert place == len(data), "a frame was cut by the end of a write"
    return kinds


async def test_note_04_header_and_body_leave_in_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    logs: list[WriteLog] = []
    connection_made: Callable[[ClientLink, Any], None] = ClientLink.connection_made

    def logged(link: ClientLink, transport: asyncio.Transport) -> None:
        logs.append(WriteLog(transport))
        connection_made(link, logs[-1])

    monkeypatch.setattr(ClientLink, "connection_made", logged)
    async with hosting() as hosted:
        await play_all(hosted, [Player(f"P{number}") for number in range(7)])
    kinds = [kinds_of(data) for log in logs for data in log.writes]
    assert len(logs) == 7
    assert kinds.count([1]) == 7
    assert sum(map(len, kinds)) > 100


async def test_note_06_the_server_closes_after_off_though_the_client_does_nothing() -> None:
    async with hosting() as hosted:
        peers = await seated(hosted, 6)
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port)
        writer.write(IM + dm("NME ( 'A' ) ( '1' )") + dm("YES ( MAP ( 'standard' ) )"))
        await peers[0].until("NOW")
        hosted.host.rooms[0].command("end")
        assert (await everything(reader)).endswith(dm("OFF") + FM)
        assert not writer.is_closing()
        for peer in peers:
            assert (await peer.farewell()).reason is CloseReason.FINAL_MESSAGE
        await becomes(lambda: not hosted.listener._links and not hosted.host.rooms)
        writer.close()


ENDINGS: dict[str, Callable[[RawPeer], None]] = {
    "an end without FM": lambda peer: peer.writer.close(),
    "half an end": lambda peer: peer.writer.write_eof(),
    "a reset": lambda peer: reset(peer.writer),
    "a reset within a header": lambda peer: _send_and(reset, peer, b"\x02\x00"),
    "an end within a header": lambda peer: _send_and(_close, peer, b"\x02\x00\x00"),
    "an end within a body": lambda peer: _send_and(_close, peer, b"\x02\x00\x00\x08\x48"),
    "the FM": lambda peer: peer.writer.write(FM),
    "the FM of one byte": lambda peer: _send_and(_close, peer, b"\x03"),
    "the FM of one byte on an open connection": lambda peer: peer.writer.write(b"\x03"),
    "the short EM of DiploBot": lambda peer: _send_and(_close, peer, b"\x04\x00\x00\x02\x0e"),
    "the EM": lambda peer: peer.writer.write(b"\x04\x00\x00\x02\x00\x0e"),
}


def _close(writer: asyncio.StreamWriter) -> None:
    writer.close()


def _send_and(end: Callable[[asyncio.StreamWriter], None], peer: RawPeer, data: bytes) -> None:
    peer.writer.write(data)
    end(peer.writer)


async def next_announcement(hosted: Hosted, ending: Callable[[RawPeer], None]) -> tuple[str, str]:
    """Let a player of a running game end its connection; return its CCD and what others hear."""
    peers = await seated(hosted, 7)
    power = (await peers[0].until("HLO")).split()[2]
    for peer in peers:
        await peer.until("NOW")
    ending(peers[0])
    (heard,) = {await peer.hear() for peer in peers[1:]}
    return f"CCD ( {power} )", heard


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
async def test_note_07_however_a_connection_ends_the_others_hear_ccd(
    ending: Callable[[RawPeer], None],
) -> None:
    async with hosting(with_limits(frame=0.05)) as hosted:
        expected, heard = await next_announcement(hosted, ending)
        assert heard == expected
        await becomes(lambda: len(hosted.host.members) == 6)
