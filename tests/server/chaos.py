"""A bad network between real bots and a real server: `python -m tests.server.chaos --seconds 60`.

Every connection goes through a proxy that delays, cuts what is sent into slices of a byte or more,
resets, falls silent without closing (half open), and closes slowly; which of it, is drawn by lot
for every connection. Bots of `daide bot` play game after game through it, and come back by
themselves.
The summary says how many games ended and what the network did. Exit code 1 if none ended, or the
server's log has a traceback.
"""

import argparse
import asyncio
import socket
import struct
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic

from tests.long_run import call_off, conclude
from tests.server.serving import Server

FAULTS = ("none", "none", "latency", "slices", "reset", "half open", "slow close")


class Proxy:
    """Stands between clients and a server."""

    def __init__(self, port: int, chance: Random, faults: Counter[str]) -> None:
        self._port = port
        self._chance = chance
        self.faults = faults
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        """Listen, and return the port."""
        server = await asyncio.start_server(self._on_client, "127.0.0.1", 0)
        port: int = server.sockets[0].getsockname()[1]
        return port

    async def _on_client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        fault = self._chance.choice(FAULTS)
        self.faults[fault] += 1
        try:
            back, forth = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            writer.transport.abort()
            return
        lasts = self._chance.randint(2_000, 60_000)
        pumps = (self._pump(reader, forth, fault, lasts), self._pump(back, writer, fault, lasts))
        with suppress(asyncio.CancelledError):  # it is called off: asyncio would complain
            await asyncio.wait(
                [asyncio.create_task(each) for each in pumps], return_when=asyncio.FIRST_COMPLETED
            )
            if fault == "half open":
                await asyncio.sleep(5)  # nobody hears that it is over
            if fault == "slow close":
                await asyncio.sleep(1)
        for each in (writer, forth):
            if fault == "reset":
                _reset(each)
            each.transport.abort()

    async def _pump(
        self, source: asyncio.StreamReader, target: asyncio.StreamWriter, fault: str, lasts: int
    ) -> None:
        with suppress(ConnectionError):
            while data := await source.read(1 << 14):
                lasts -= len(data)
                if fault in ("reset", "half open", "slow close") and lasts < 0:
                    return
                if fault == "latency":
                    await asyncio.sleep(self._chance.uniform(0, 0.1))
                if fault == "slices":
                    await self._in_slices(target, data)
                else:
                    target.write(data)
                    await target.drain()

    async def _in_slices(self, target: asyncio.StreamWriter, data: bytes) -> None:
        while data:
            size = self._chance.choice((1, 1, 3, 50, 1000))
            target.write(data[:size])
            await target.drain()
            data = data[size:]
            await asyncio.sleep(0)


def _reset(writer: asyncio.StreamWriter) -> None:
    connected = writer.get_extra_info("socket")
    with suppress(OSError):
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


async def bot(port: int, kind: str, until: float) -> int:
    """Let a bot play game after game; return how many it played to the end."""
    played = 0
    while monotonic() < until:
        process: Process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cli", "bot", kind, "--port", str(port),
            stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL,
        )  # fmt: skip
        try:
            async with asyncio.timeout(max(1.0, until - monotonic()) + 5):
                played += await process.wait() == 0
        except TimeoutError:
            pass
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    return played


async def chaos(
    seconds: float, kind: str, chance: Random, folder: Path, faults: Counter[str]
) -> dict[str, object]:
    """Run it, and keep count of what the network does."""
    record = folder / "games.jsonl"
    server = await Server.start(
        "--store", str(folder / "chaos.db"), "--record", str(record), "--last-year", "1902",
        "--movement-limit", "5", "--retreat-limit", "5", "--build-limit", "5", "--linger", "1",
        "--games", "3", "--log-level", "warning",
    )  # fmt: skip
    proxy = Proxy(server.port, chance, faults)
    port = await proxy.start()
    until = monotonic() + seconds
    playing = asyncio.gather(*(bot(port, kind, until) for _ in range(7)))
    try:
        while not playing.done():
            await asyncio.wait([playing], timeout=10)
            left = max(0, round(until - monotonic()))
            sys.stderr.write(f"{left} s left: {dict(faults)}\n")
    except BaseException:
        await call_off(playing)
        await server.kill()
        raise
    code, log = await server.stop()
    return {
        "ok": code == 0 and "Traceback" not in log and _lines(record) > 0,
        "games": _lines(record),
        "bots that played to the end": sum(await playing),
        "connections": dict(faults),
        "exit code": code,
        "tracebacks": log.count("Traceback"),
    }


def _lines(path: Path) -> int:
    return len(path.read_text().splitlines()) if path.exists() else 0


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="tests.server.chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--bot", default="dumbbot")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults = Counter[str]()
        running = chaos(options.seconds, options.bot, Random(options.seed), Path(folder), faults)
        return conclude(lambda: asyncio.run(running), lambda: {"connections": dict(faults)})


if __name__ == "__main__":
    sys.exit(main())
