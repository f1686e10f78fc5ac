"""Connections that have to come to the point, so that nobody can take all of them and say nothing.

The web server itself waits for a request as long as its sender likes. Here a request has to arrive,
and its answer to be taken, within some time; when there are too many connections the oldest makes
room; and a socket that does not read ends when it is told to, whatever waits for it.
"""

import asyncio
import logging
import sys
from typing import Any, cast

import h11
from attrs import Factory, define
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from spectator.web.origins import answer_headers

ASK_WITHIN = 15.0
"""Seconds in which a request has to be there, from its connection or the answer before it."""
TAKE_WITHIN = 60.0
"""Seconds in which its answer has to be taken."""
MOST_ASKING = 400
"""Connections other than sockets; one that is more makes the oldest leave."""
MOST_SOCKETS = 5_000
OTHER_FILES = MOST_ASKING + 100
_FAILURES_OF_BROWSERS = (
    "Invalid UTF-8 sequence received",
    "ASGI callable returned without completing",
)
_RECEIVED = (h11.DONE, h11.MUST_CLOSE, h11.CLOSED)


def room_for_sockets() -> int:
    """Return how many sockets we may keep open without running out of files."""
    if sys.platform == "win32":
        return MOST_SOCKETS
    import resource  # noqa: PLC0415 - not on Windows

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_SOCKETS if soft < 0 else max(100, min(MOST_SOCKETS, soft - OTHER_FILES))


@define
class Asking:
    """The connections of a server that are no sockets, the oldest first."""

    ask_within: float = ASK_WITHIN
    take_within: float = TAKE_WITHIN
    most: int = MOST_ASKING
    _known: dict["BrowserLink", None] = Factory(dict)

    def add(self, connection: "BrowserLink") -> None:
        """Take one more in."""
        self._known[connection] = None
        while len(self._known) > self.most:
            oldest = next(iter(self._known))
            self.forget(oldest)
            oldest.transport.abort()

    def forget(self, connection: "BrowserLink") -> None:
        """Know one no more."""
        self._known.pop(connection, None)


def is_our_failure(record: logging.LogRecord) -> bool:
    """Tell whether a line of the log is about us; what is about a browser fills it for nothing."""
    return not record.getMessage().startswith(_FAILURES_OF_BROWSERS)


class BrowserLink(H11Protocol):
    """A connection of a browser that asks."""

    def __init__(self, *arguments: Any, asking: Asking, **named: Any) -> None:  # noqa: ANN401 - those of uvicorn
        super().__init__(*arguments, **named)
        self._asking = asking
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._limit(self._asking.ask_within)
        self._asking.add(self)

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        if self._timer is not None and self.conn.their_state in _RECEIVED:
            self._limit(self._asking.take_within)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._limit(self._asking.ask_within)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Become a socket, which has its own limits."""
        self._leave()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget it."""
        self._leave()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request; browsers are told what they may do with that, too."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is not None and not cycle.response_complete:
            # What is no request any more in its middle gets this answer, and no other.
            cycle.disconnected = True
            cycle.message_event.set()
            if cycle.response_started:
                self.transport.close()
                return
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        refusal = h11.Response(status_code=400, headers=[*headers, *answer_headers("")])
        for part in (refusal, h11.Data(data=msg.encode()), h11.EndOfMessage()):
            self.transport.write(self.conn.send(part) or b"")
        self.transport.close()

    def _limit(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _leave(self) -> None:
        self._asking.forget(self)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Socket(WebSocketsSansIOProtocol):
    """A socket of a browser."""

    leave_within: float = 12.0
    """Seconds in which it has to take what was sent before its end."""

    async def run_asgi(self) -> None:
        """Serve it; then it ends, even if its reader takes nothing of what was sent."""
        await super().run_asgi()
        self.loop.call_later(self.leave_within, self.transport.abort)
