"""TLS at the port of clients: certificates, handshakes that stop, records without end."""

import asyncio
import shutil
import ssl
from pathlib import Path

import pytest
from attrs import evolve

from server.client_link import MUCH_UNREAD, ClientLink
from tests.peers.awkward import IM, RM, dm, sends
from tests.server.hosting import (
    CONFIG,
    LIMITS,
    becomes,
    hosting,
)
from tests.server.serving import certificate

pytestmark = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="needs openssl for a certificate"
)


async def test_a_tls_listener_serves_tls_and_closes_on_a_plain_client(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    async with hosting(evolve(CONFIG, tls_cert=cert, tls_key=key)) as hosted:
        trusted = ssl.create_default_context(cafile=cert)
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port, ssl=trusted)
        writer.write(IM + dm("MAP"))
        assert await reader.readexactly(4) == RM
        (link,) = hosted.listener._links
        assert link._transport is not None
        # Of more than that it is told when it is read; with TLS asyncio has another limit.
        assert link._transport.get_write_buffer_limits()[1] == MUCH_UNREAD
        assert await sends(hosted.port, IM) == b""
        writer.transport.abort()


async def test_records_of_tls_are_decrypted_a_few_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cert, key = certificate(tmp_path)
    longest, receive = 0, ClientLink.data_received

    def noted(link: ClientLink, data: bytes) -> None:
        nonlocal longest
        longest = max(longest, len(data))
        receive(link, data)

    monkeypatch.setattr(ClientLink, "data_received", noted)
    async with hosting(evolve(CONFIG, tls_cert=cert, tls_key=key)) as hosted:
        trusted = ssl.create_default_context(cafile=cert)
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port, ssl=trusted)
        # With 1.3 a peer could ask for new keys in every record.
        assert writer.get_extra_info("ssl_object").version() == "TLSv1.2"
        writer.write(IM)
        assert await reader.readexactly(len(RM)) == RM
        for byte in dm("MAP") * 400:
            writer.write(bytes((byte,)))  # a record each
        for _ in range(400):
            await reader.readexactly(len(RM))
        writer.transport.abort()
    assert longest < 50


async def test_what_is_no_handshake_of_tls_stands_in_no_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cert, key = certificate(tmp_path)
    in_line: list[object] = []
    async with hosting(evolve(CONFIG, tls_cert=cert, tls_key=key)) as hosted:
        monkeypatch.setattr(hosted.listener, "wants_tls", in_line.append)
        for first in (IM, b"GET / HTTP/1.1\r\n\r\n", b"\0"):
            assert await sends(hosted.port, first) == b""
    assert in_line == []


async def test_sockets_that_never_begin_tls_count_and_expire(tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    limits = evolve(LIMITS, unidentified=20)
    config = evolve(CONFIG, tls_cert=cert, tls_key=key, limits=limits)
    async with hosting(config) as hosted:
        streams = [await asyncio.open_connection("127.0.0.1", hosted.port) for _ in range(100)]
        await becomes(lambda: len(hosted.listener._links) == 20)
        streams[-1][1].write(b"\x16")  # the first byte of a handshake, and no more
        trusted = ssl.create_default_context(cafile=cert)
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port, ssl=trusted)
        writer.write(IM)
        assert await reader.readexactly(len(RM)) == RM
        writer.close()
        # Those that come now have little time; the oldest make room for them, or they expire.
        hosted.host.config = evolve(config, limits=evolve(limits, handshake=0.05))
        streams += [await asyncio.open_connection("127.0.0.1", hosted.port) for _ in range(20)]
        for waiting, _ in streams:
            await waiting.read()
        for _, each in streams:
            each.close()


async def test_a_newcomer_does_not_stand_behind_handshakes_that_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.listener.HANDSHAKE_EVERY", 0.1)
    cert, key = certificate(tmp_path)
    async with hosting(evolve(CONFIG, tls_cert=cert, tls_key=key)) as hosted:
        streams = [await asyncio.open_connection("127.0.0.1", hosted.port) for _ in range(100)]
        for _, each in streams:
            each.write(b"\x16")
        await becomes(lambda: len(hosted.listener._wanting) > 50)
        trusted = ssl.create_default_context(cafile=cert)
        reader, writer = await asyncio.open_connection("127.0.0.1", hosted.port, ssl=trusted)
        writer.write(IM)
        assert await reader.readexactly(len(RM)) == RM
        # Most of the others still wait for their turn.
        assert len(hosted.listener._wanting) > 20
        writer.close()
        for _, each in streams:
            each.close()
