"""Metrics, health and readiness, as whoever looks after a server sees them."""

import asyncio
import re

from server.config import read_config
from server.exposition import Count, Histogram, Reading, exposition
from server.monitoring import start_monitor
from tests.server.hosting import Player, becomes, hosting

LINE = re.compile(r'([a-z_]+)(\{[a-z_]+="[^"\n]*"(?:,[a-z_]+="[^"\n]*")*\})? (-?[0-9.e+-]+)')


async def get(port: int, path: str, method: str = "GET") -> tuple[int, str]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
    head, _, body = (await reader.read()).decode().partition("\r\n\r\n")
    writer.close()
    await writer.wait_closed()
    return int(head.split()[1]), body


def values(text: str) -> dict[str, float]:
    """Read the text format, of which every line must be right."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            match = LINE.fullmatch(line)
            assert match, line
            found[match[1] + (match[2] or "")] = float(match[3])
    return found


async def test_a_game_is_counted() -> None:
    async with hosting() as hosted:
        monitor = await start_monitor(hosted.host, ("127.0.0.1", 0))
        monitor.is_listening = True
        peers = [await hosted.peer() for _ in range(7)]
        players = [Player(f"P{number}") for number in range(7)]
        garbled = await hosted.peer("NME ( 'Odd' ) ( '1' )")
        await garbled.until("YES")
        garbled.say("SUB FRA")
        await garbled.until("HUH")
        garbled.vanish()
        await becomes(lambda: not hosted.host.members or len(hosted.host.members) == 7)
        await asyncio.gather(*(a.play(b) for a, b in zip(players, peers, strict=True)))
        status, text = await get(monitor.port, "/metrics")
        await monitor.stop()
    assert status == 200
    seen = values(text)
    assert seen['daide_games_ended_total{outcome="year-limit"}'] == 1
    assert seen['daide_parse_errors_total{answer="HUH"}'] == 1
    assert seen["daide_messages_received_total"] > 7 * 4
    assert seen["daide_messages_sent_total"] > seen["daide_messages_received_total"]
    turns = sum(seen[f'daide_turn_seconds_count{{phase="{phase}"}}'] for phase in ("movement",))
    assert turns == 4
    assert seen["daide_store_stalled"] == 0


async def test_a_server_is_ready_while_it_listens_and_can_write() -> None:
    async with hosting() as hosted:
        monitor = await start_monitor(hosted.host, ("127.0.0.1", 0))
        assert await get(monitor.port, "/healthz") == (200, "ok\n")
        assert await get(monitor.port, "/readyz") == (503, "the server does not listen yet\n")
        monitor.is_listening = True
        assert await get(monitor.port, "/readyz") == (200, "ready\n")
        hosted.host.store._stall(OSError("disk full"))
        assert await get(monitor.port, "/readyz") == (503, "the store cannot be written\n")
        hosted.host.store._go_on()
        assert (await get(monitor.port, "/metrics", "POST"))[0] == 405
        assert (await get(monitor.port, "/secrets"))[0] == 404
        assert await get(monitor.port, "/healthz", "HEAD") == (200, "")
        await monitor.stop()


async def test_a_request_that_does_not_end_is_cut_off() -> None:
    async with hosting() as hosted:
        monitor = await start_monitor(hosted.host, ("127.0.0.1", 0))
        reader, writer = await asyncio.open_connection("127.0.0.1", monitor.port)
        writer.write(b"GET /metrics HTTP/1.1\r\n" + b"X-Filler: y\r\n" * 1000)
        assert await reader.read() == b""
        writer.close()
        assert (await get(monitor.port, "/healthz"))[0] == 200
        await monitor.stop()


def test_labels_and_buckets_are_written_as_prometheus_reads_them() -> None:
    tally = Count("daide_a_total", "A.", "name")
    tally.add(2, 'x"y\\z')
    times = Histogram("daide_b_seconds", "B.", (0.1, 1))
    for value in (0.05, 0.1, 0.5, 7):
        times.observe(value)
    reading = Reading("daide_c", "C.", lambda: {"one": 1, "half": 0.5}, "kind")
    assert exposition([tally, times, reading]).splitlines() == [
        "# HELP daide_a_total A.",
        "# TYPE daide_a_total counter",
        'daide_a_total{name="x\\"y\\\\z"} 2',
        "# HELP daide_b_seconds B.",
        "# TYPE daide_b_seconds histogram",
        'daide_b_seconds_bucket{le="0.1"} 2',
        'daide_b_seconds_bucket{le="1"} 3',
        'daide_b_seconds_bucket{le="+Inf"} 4',
        "daide_b_seconds_sum 7.65",
        "daide_b_seconds_count 4",
        "# HELP daide_c C.",
        "# TYPE daide_c gauge",
        'daide_c{kind="one"} 1',
        'daide_c{kind="half"} 0.5',
    ]


def test_the_place_of_the_metrics_is_this_machine_unless_it_is_named() -> None:
    assert read_config({"metrics": "9100"}).metrics == ("127.0.0.1", 9100)
    assert read_config({"metrics": "0.0.0.0:9100"}).metrics == ("0.0.0.0", 9100)
