"""The HTTP side of the metrics: /metrics, /healthz and /readyz; loaded only with --metrics.

Not a web server: it reads one request line, answers, and closes.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog

from rules.errors import BadInputError
from server.exposition import CONTENT_TYPE
from server.host import Host
from server.metrics import Metrics

if TYPE_CHECKING:
    from feed.publisher import Publisher

PATIENCE = 5.0
LONGEST_REQUEST = 4096
REASONS = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    503: "Service Unavailable",
}

log = structlog.get_logger(__name__)


class Monitor:
    """Answers those who want to know how the server is."""

    def __init__(self, host: Host, metrics: Metrics) -> None:
        self._host = host
        self._metrics = metrics
        self.is_listening = False
        """Whether the server accepts clients; set by whoever starts it."""
        self._server: asyncio.Server | None = None
        self._lag: asyncio.Task[None] | None = None
        self.port = 0

    async def start(self, address: tuple[str, int]) -> None:
        """Begin to answer."""
        host, port = address
        try:
            self._server = await asyncio.start_server(
                self._on_peer, host, port, limit=LONGEST_REQUEST
            )
        except OSError as error:
            raise BadInputError(
                f"--metrics: cannot listen on {host}:{port}: {error.strerror}"
            ) from None
        self._lag = asyncio.create_task(self._metrics.measure_lag(), name="metrics.lag")
        self.port = self._server.sockets[0].getsockname()[1]
        log.info("metrics", host=host, port=self.port)

    async def stop(self) -> None:
        """Answer no more."""
        if self._server is not None:
            self._server.close()
        if self._lag is not None:
            self._lag.cancel()

    def answer(self, method: str, path: str) -> tuple[int, str]:
        """Return the status and the text for a request."""
        if method not in ("GET", "HEAD"):
            return 405, "only GET\n"
        match path.partition("?")[0]:
            case "/metrics":
                return 200, self._metrics.text()
            case "/healthz":
                return 200, "ok\n"
            case "/readyz":
                why = self._why_not_ready()
                return (503, f"{why}\n") if why else (200, "ready\n")
        return 404, "there are /metrics, /healthz and /readyz\n"

    def _why_not_ready(self) -> str | None:
        if self._host.is_closing:
            return "the server is ending"
        if not self.is_listening:
            return "the server does not listen yet"
        return "the store cannot be written" if self._host.store.is_stalled else None

    async def _on_peer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                writer.write(self._respond(await _request_line(reader)))
                await writer.drain()
        except (TimeoutError, OSError, ValueError):
            pass  # whoever asks and does not listen gets nothing
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def _respond(self, line: str) -> bytes:
        method, _, rest = line.partition(" ")
        status, text = self.answer(method, rest.partition(" ")[0])
        body = text.encode()
        head = (
            f"HTTP/1.1 {status} {REASONS[status]}\r\nContent-Type: {CONTENT_TYPE}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        return head.encode() + (b"" if method == "HEAD" else body)


async def start_monitor(
    host: Host, address: tuple[str, int], publisher: "Publisher | None" = None
) -> Monitor:
    """Begin to measure, and to tell what is measured."""
    metrics = Metrics(host)
    if publisher is not None:
        metrics.watch_feed(publisher)
    host.add_observer(metrics)
    monitor = Monitor(host, metrics)
    await monitor.start(address)
    return monitor


async def _request_line(reader: asyncio.StreamReader) -> str:
    """Read a whole request, and return its first line."""
    first = (await reader.readline()).decode("latin-1").strip()
    size = len(first)
    while (line := await reader.readline()).strip():
        size += len(line)
        if size > LONGEST_REQUEST:
            raise ValueError("a request of so many lines is none")
    return first
