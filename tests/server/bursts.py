"""What a client may throw at a server: `python -m tests.server.bursts PORT NAME`.

A process of its own for `tests.server.floods`. It attacks this machine only, begins when it reads
`go`, rests when it reads `rest`, and ends with its input.
"""

import asyncio
import socket
import ssl
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import TypeAlias

from grammar.text import from_text
from tests.peers.awkward import IM
from tests.server.hosting import RawPeer

Burst: TypeAlias = Callable[[int], Awaitable[None]]
SOCKETS = 5_000
REST = 0.5
"""Seconds between one client that throws and the next."""


async def _listen(peer: RawPeer) -> None:
    with suppress(ConnectionError):
        while await peer.reader.read(1 << 16):
            pass


async def _throw(peer: RawPeer, data: bytes, times: int) -> None:
    for _ in range(times):
        peer.writer.write(data)
        await peer.writer.drain()
    await asyncio.sleep(REST)


def repeat(first: str, text: str, times: int) -> Burst:
    """Say something very often, and listen to the answers."""

    async def burst(port: int) -> None:
        peer = await RawPeer.connect(port, first)
        listening = asyncio.create_task(_listen(peer))
        try:
            await _throw(peer, peer.connection.send_tokens(from_text(text)), times)
        finally:
            listening.cancel()
            peer.vanish()

    return burst


def as_player(text: str, times: int) -> Burst:
    """Fill a game of one's own, and let one of its players flood it."""

    async def burst(port: int) -> None:
        peers = [await RawPeer.connect(port) for _ in range(7)]
        listeners: list[asyncio.Task[None]] = []
        try:
            async with asyncio.timeout(20):
                for number, peer in enumerate(peers):
                    # A name that was never there: nobody is asked to come back to an old game.
                    await peer.join(f"F{number}-{monotonic()}")
                for peer in peers:
                    await peer.until("NOW")
            listeners = [asyncio.create_task(_listen(peer)) for peer in peers]
            await _throw(peers[0], peers[0].connection.send_tokens(from_text(text)), times)
        finally:
            for task in listeners:
                task.cancel()
            for peer in peers:
                peer.vanish()

    return burst


async def junk(port: int) -> None:
    """Send the longest frames there are."""
    body = b"\x48\x00" * 32_000
    peer = await RawPeer.connect(port, "OBS")
    listening = asyncio.create_task(_listen(peer))
    try:
        await _throw(peer, b"\x02\x00" + len(body).to_bytes(2, "big") + body, 150)
    finally:
        listening.cancel()
        peer.vanish()


async def knock(port: int) -> None:
    """Ask for a place and leave, again and again, so that games form and are left."""
    for number in range(200):
        peer = await RawPeer.connect(port, f"NME ( 'K{number}' ) ( '1' )")
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(2):
                await peer.until("YES|REJ")
        peer.vanish()


def sockets(first_bytes: tuple[bytes, ...]) -> Burst:
    """Open thousands of sockets, and send a beginning, or none."""

    async def burst(port: int) -> None:
        opened: list[socket.socket] = []
        loop = asyncio.get_running_loop()
        try:
            for number in range(SOCKETS):
                each = socket.socket()
                each.setblocking(False)  # noqa: FBT003 - a name of the library
                opened.append(each)
                with suppress(OSError):
                    await loop.sock_connect(each, ("127.0.0.1", port))
                    each.send(first_bytes[number % len(first_bytes)])
            await asyncio.sleep(3600)
        finally:
            for each in opened:
                each.close()

    return burst


def client_hello() -> bytes:
    """Return the first flight of a TLS client."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    with suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


HOLD = "( ( ENG FLT LON ) HLD ) "
HELLO = client_hello()
BURSTS: dict[str, Burst] = {
    "HST": repeat("OBS", "HST ( SPR 1901 )", 5_000),
    "MDF": repeat("OBS", "MDF", 2_000),
    "ADM": repeat("OBS", "ADM ( 'Nobody' ) ( 'Server: become master guess' )", 5_000),
    "SUB 180": as_player("SUB " + HOLD * 180, 200),
    "SUB 400": as_player("SUB " + HOLD * 400, 200),
    "SUB 2000": as_player("SUB " + HOLD * 2000, 200),
    "SND": as_player("SND ( FRA ) ( PRP ( PCE ( ENG FRA ) ) )", 10_000),
    "junk": junk,
    "LST": repeat("", "LST", 1_000),
    "NME": knock,
    "silent": sockets((b"", IM)),
    "TLS": sockets((b"", HELLO[:1], HELLO[: len(HELLO) // 2], HELLO)),
}
NEEDS_TLS = "TLS"
NEEDS_GAMES = "LST"


async def throw(burst: Burst, port: int) -> None:
    """Attack again and again."""
    while True:
        with suppress(OSError, TimeoutError):
            await burst(port)
        await asyncio.sleep(0.05)


async def main(port: int, name: str) -> None:
    """Do as standard input says."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    throwing: asyncio.Task[None] | None = None
    while word := (await reader.readline()).strip():
        if throwing is not None:
            throwing.cancel()
            await asyncio.wait([throwing])
        throwing = loop.create_task(throw(BURSTS[name], port)) if word == b"go" else None
    if throwing is not None:
        throwing.cancel()
        await asyncio.wait([throwing])


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
