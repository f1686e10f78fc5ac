"""Load on `daide serve` over loopback: `python -m benchmarks.serve [--games N] [--json]`.

Starts the server as a process of its own, and lets seven hold-bots play each game. The bots count
messages and times without reading what they do not need, so that the server is what is measured;
on two cores they still take about half of the machine.
"""

import argparse
import asyncio
import json
import os
import random
import struct
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from daide.frames import DiplomacyMessage, InitialMessage
from grammar.messages import Now, SubmitOrders
from grammar.parse import reader_for
from grammar.text import from_text
from grammar.tokens import Word
from grammar.write import write
from rules.maps import load_map
from rules.orders import Hold, Unit
from server.inputs import Batch, Received
from server.record import GameSetup
from server.settings import GameSettings
from server.store import Durability, Store

IM = InitialMessage().to_bytes()
NOW, HLO, SMR, SUB = (struct.pack(">H", Word[name]) for name in ("NOW", "HLO", "SMR", "SUB"))
POWERS = load_map("standard").powers


def frame(text: str) -> bytes:
    """Return a message as it goes over the wire."""
    return DiplomacyMessage(from_text(text)).to_bytes()


JOIN = IM + frame("NME ( 'Hold' ) ( '1' )") + frame("YES ( MAP ( 'standard' ) )")
_orders: dict[tuple[bytes, int], bytes] = {}


def orders_for(now: bytes, power: int) -> bytes:
    """Return the SUB that holds everywhere; positions of holding powers are few."""
    key = (now[14:], power)
    if key not in _orders:
        tokens = struct.unpack(f">{len(now) // 2}H", now)
        message = reader_for(0).server(tokens)
        assert isinstance(message, Now)
        units = [
            unit
            for unit in message.units
            if isinstance(unit, Unit) and unit.power == POWERS[power & 0xFF]
        ]
        submit = SubmitOrders(tuple(Hold(unit) for unit in units))
        _orders[key] = DiplomacyMessage(write(submit)).to_bytes()
    return _orders[key]


class Table:
    """Seven bots at one game."""

    def __init__(self) -> None:
        self.last_sub = 0.0
        self.subs = 0
        self.nows = 0
        self.turn_times: list[float] = []


class HoldBot(asyncio.Protocol):
    """Holds, and counts."""

    received = sent = 0

    def __init__(self, table: Table, think: float) -> None:
        self.table = table
        self._think = think
        self._buffer = bytearray()
        self._power = 0
        self._is_over = False
        self.done = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a place."""
        self._transport: Any = transport
        transport.write(JOIN)  # type: ignore[attr-defined]  # a transport for streams
        HoldBot.sent += 3

    def data_received(self, data: bytes) -> None:
        """Count messages and act on a few."""
        buffer = self._buffer
        buffer += data
        place = 0
        while len(buffer) - place >= 4:
            end = place + 4 + (buffer[place + 2] << 8 | buffer[place + 3])
            if len(buffer) < end:
                break
            HoldBot.received += 1
            self._take(bytes(buffer[place + 4 : end]))
            place = end
        del buffer[:place]

    def _take(self, body: bytes) -> None:
        word = body[:2]
        if word == NOW and not self._is_over:
            self._on_now(body)
        elif word == HLO:
            self._power = struct.unpack(">H", body[4:6])[0]
        elif word == SMR:
            self._is_over = True
            self._transport.close()

    def _on_now(self, body: bytes) -> None:
        table = self.table
        table.nows += 1
        if table.nows % 7 == 0 and table.nows > 7:
            table.turn_times.append(time.perf_counter() - table.last_sub)
        data = orders_for(body, self._power)
        if self._think:
            wait = self._think * random.uniform(0.5, 1.5)
            asyncio.get_running_loop().call_later(wait, self._submit, data)
        else:
            self._submit(data)

    def _submit(self, data: bytes) -> None:
        self._transport.write(data)
        HoldBot.sent += 1
        self.table.subs += 1
        if self.table.subs % 7 == 0:
            self.table.last_sub = time.perf_counter()

    def connection_lost(self, _: Exception | None) -> None:
        """Note whether the game was over."""
        if not self.done.done():
            self.done.set_result(self._is_over)


@asynccontextmanager
async def server(*arguments: str) -> AsyncIterator[tuple[Process, int]]:
    """Start a server; give the process and its port."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "cli",
        "serve",
        "--port",
        "0",
        "--log-level",
        "warning",
        *arguments,
        stdout=PIPE,
    )
    assert process.stdout
    line = (await process.stdout.readline()).decode()
    try:
        yield process, int(line.rpartition(":")[2])
    finally:
        process.terminate()
        await process.wait()


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(pid: int) -> float:
    """Return the memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0.0


def percentile(values: list[float], share: float) -> float:
    """Return the value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


async def play(port: int, games: int, think: float) -> list[Table]:
    """Seat the bots game by game, and wait until all games are over."""
    loop = asyncio.get_running_loop()
    tables = [Table() for _ in range(games)]
    bots: list[HoldBot] = []
    for table in tables:
        for _ in range(7):
            _, bot = await loop.create_connection(partial(HoldBot, table, think), "127.0.0.1", port)
            bots.append(bot)
    finished = await asyncio.gather(*(bot.done for bot in bots))
    assert all(finished), f"{finished.count(False)} bots lost their game"
    return tables


async def one_game(folder: str) -> dict[str, float]:
    """Measure a ten-year game of instant clients, the best of five."""
    best: dict[str, float] = {}
    for number in range(5):
        store = str(Path(folder) / f"one-{number}.db")
        arguments = ("--store", store, "--last-year", "1910")
        async with server(*arguments) as (process, port):
            cpu, began = cpu_seconds(process.pid), time.perf_counter()
            await play(port, 1, 0.0)
            seconds = time.perf_counter() - began
            used = cpu_seconds(process.pid) - cpu
        if not best or seconds < best["seconds"]:
            best = {"seconds": seconds, "server_cpu_seconds": used}
    return best


async def probe_handshake(port: int, times: list[float]) -> None:
    """Measure again and again how long the RM takes."""
    while True:
        began = time.perf_counter()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(IM)
        await reader.readexactly(4)
        times.append(time.perf_counter() - began)
        writer.transport.abort()
        await asyncio.sleep(0.02)


async def many_games(folder: str, games: int, last_year: int, think: float) -> dict[str, float]:
    """Measure many games at once, of bots that answer at once or after some thought."""
    store = str(Path(folder) / f"many-{think}.db")
    arguments = (
        "--store",
        store,
        "--last-year",
        str(last_year),
        "--games",
        str(games + 1),
        "--movement-limit",
        "60",
    )
    HoldBot.received = HoldBot.sent = 0
    async with server(*arguments) as (process, port):
        empty = resident_megabytes(process.pid)
        cpu, began = cpu_seconds(process.pid), time.perf_counter()
        handshakes: list[float] = []
        # The probe runs in a process of its own: this one is too busy to tell the time.
        probing = await asyncio.create_subprocess_exec(
            sys.executable, __file__, "--probe", str(port), stdout=PIPE
        )
        tables = await play(port, games, think)
        seconds = time.perf_counter() - began
        used = cpu_seconds(process.pid) - cpu
        memory = resident_megabytes(process.pid)
        probing.terminate()
        output, _ = await probing.communicate()
        handshakes = [float(line) for line in output.split()]
    turns = [each for table in tables for each in table.turn_times]
    messages = HoldBot.received + HoldBot.sent
    return {
        "games": games,
        "seconds": seconds,
        "messages": messages,
        "messages_per_second": messages / seconds,
        "messages_per_server_cpu_second": messages / used,
        "server_cpu_seconds": used,
        "last_sub_to_last_now_p50_ms": 1000 * percentile(turns, 0.5),
        "last_sub_to_last_now_p99_ms": 1000 * percentile(turns, 0.99),
        "im_to_rm_p50_ms": 1000 * percentile(handshakes, 0.5),
        "im_to_rm_p99_ms": 1000 * percentile(handshakes, 0.99),
        "megabytes_per_game": (memory - empty) / games,
    }


async def commit_rate(folder: str, durability: Durability, seconds: float) -> dict[str, float]:
    """Measure entries and commits a second, one writer alone and a hundred at once."""
    store = Store(str(Path(folder) / f"{durability.value}.db"), durability)
    batch = Batch(1.0, (Received(1, from_text("SUB ( ( ENG FLT LON ) HLD )")),))
    rates = {}
    for writers in (1, 100):
        setup = GameSetup("x", "standard", GameSettings(), 0)
        game_ids = [store.new_game(setup) for _ in range(writers)]
        until = time.perf_counter() + seconds

        async def write_on(game: int, until: float = until) -> int:
            count = 0
            while time.perf_counter() < until:
                await store.append(game, count, batch, [])
                count += 1
            return count

        began = time.perf_counter()
        counts = await asyncio.gather(*(write_on(game) for game in game_ids))
        rates[f"entries_per_second_{writers}"] = sum(counts) / (time.perf_counter() - began)
    store.close()
    return rates


async def measure(games: int, last_year: int) -> dict[str, Any]:
    """Return all figures."""
    with tempfile.TemporaryDirectory() as folder:
        return {
            "one_game": await one_game(folder),
            "instant_games": await many_games(folder, games, last_year, 0.0),
            "thinking_games": await many_games(folder, games, last_year, 2.0),
            "store": {each.value: await commit_rate(folder, each, 1.0) for each in Durability},
        }


async def probe(port: int) -> None:
    """Measure handshakes until SIGTERM, and print the times."""
    times: list[float] = []
    task = asyncio.create_task(probe_handshake(port, times))
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    loop.add_signal_handler(15, stop.set)
    await asyncio.wait([task, asyncio.create_task(stop.wait())], return_when="FIRST_COMPLETED")
    print("\n".join(map(str, times)))
    os._exit(0)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--last-year", type=int, default=1905)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--probe", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.probe:
        asyncio.run(probe(options.probe))
        return
    figures = asyncio.run(measure(options.games, options.last_year))
    if options.json:
        print(json.dumps(figures))
        return
    for part, values in figures.items():
        print(part)
        for name, value in values.items():
            print(f"  {name:<34} {value if isinstance(value, dict) else round(value, 4)}")


if __name__ == "__main__":
    main()
