"""Peers that behave badly, each a small program against a listening port.

Each returns what the server sent before it closed the connection.
"""

import asyncio
import socket
import struct
from contextlib import suppress

from daide.frames import InitialMessage, tokens_to_bytes
from grammar.text import from_text

IM = InitialMessage().to_bytes()
RM = b"\x01\x00\x00\x00"
"""Of a server that plays the standard map: it lists nothing."""


def dm(text: str, *, pad: int = 0) -> bytes:
    """Return the frame of a message."""
    body = tokens_to_bytes(from_text(text))
    return struct.pack(">BBH", 2, pad, len(body)) + body


async def everything(reader: asyncio.StreamReader) -> bytes:
    """Read to the end, however it comes."""
    data = b""
    with suppress(ConnectionError):
        while chunk := await reader.read(1 << 16):
            data += chunk
    return data


async def silent(port: int) -> bytes:
    """Connect and say nothing."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = await everything(reader)
    writer.close()
    return answer


async def sends(port: int, data: bytes, *, hang_up: bool = False) -> bytes:
    """Send bytes and wait for the end."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    if hang_up:
        writer.write_eof()
    answer = await everything(reader)
    writer.close()
    return answer


async def trickles(port: int, wait: float) -> bytes:
    """Announce the longest message and send it byte by byte."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(IM + struct.pack(">BxH", 2, 0xFFFE))

    async def trickle() -> None:
        with suppress(ConnectionError):
            while not writer.is_closing():
                writer.write(b"\x48")
                await writer.drain()
                await asyncio.sleep(wait)

    trickling = asyncio.create_task(trickle())
    answer = await everything(reader)
    trickling.cancel()
    writer.close()
    return answer


def never_reads(port: int) -> socket.socket:
    """Return a connected socket with a small buffer from which nobody reads."""
    connected = socket.socket()
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connected.connect(("127.0.0.1", port))
    connected.settimeout(0)
    return connected


def reset(writer: asyncio.StreamWriter) -> None:
    """Break a connection off with a reset, as the system does for a program that was killed."""
    connected = writer.get_extra_info("socket")
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
