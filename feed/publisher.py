"""The server's end of the feed: hands letters to the relay process and hears from it.

`send` never waits. The relay is started again if it dies; until it takes letters they gather here,
and what it does not take is dropped and counted, as it would be there.
"""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import attrs
import structlog
from attrs import field, frozen

from feed.address import BrokerAddress
from feed.outbox import BUFFER, Letter
from feed.wire import LINE_LIMIT, TurnTold, to_line

MOST_UNREAD = 8_000_000
"""So many bytes may wait in the pipe of a relay that does not read."""
FAREWELL = 5.0
RESTART = 1.0
OnLetter: TypeAlias = Callable[[str, str], None]

log = structlog.get_logger(__name__)


@frozen(kw_only=True)
class Feed:
    """Where a server publishes, and as whom."""

    address: BrokerAddress
    server: str
    """Its name in topics."""
    status: str
    """The topic of its status."""
    online: str
    offline: str
    buffer: int = field(default=BUFFER)

    def to_line(self, subscriptions: Sequence[str]) -> bytes:
        """Write what the relay needs to know; not on its command line, for the password's sake."""
        fields = {
            "address": attrs.asdict(self.address),
            "name": f"daide-{self.server}",
            "status": self.status,
            "online": self.online,
            "offline": self.offline,
            "subscriptions": subscriptions,
            "buffer": self.buffer,
        }
        return json.dumps(fields).encode() + b"\n"


class Publisher:
    """Publishes what a server has to tell."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.is_connected = False
        self.waiting = 0
        """How many letters wait, as the relay told last."""
        self.published = 0
        self.on_stop: list[Callable[[], None]] = []
        self._subscriptions: tuple[str, ...] = ()
        self._on_letter: OnLetter = lambda _topic, _payload: None
        self._lines: deque[bytes] = deque()
        """What is to be written to the relay next."""
        self._process: Process | None = None
        self._dropped_here = 0
        self._dropped_by_relays = 0
        self._dropped_by_relay = 0
        self._is_stopping = False
        self._task: asyncio.Task[None] | None = None

    @property
    def dropped(self) -> int:
        """How many letters were lost because there was no room for them."""
        relays = self._dropped_by_relays + self._dropped_by_relay
        return self._dropped_here + relays

    def subscribe(self, topics: Sequence[str], on_letter: OnLetter) -> None:
        """Listen to topics, before `start`."""
        self._subscriptions, self._on_letter = tuple(topics), on_letter

    def start(self) -> None:
        """Start the relay; letters may be sent at once."""
        self._task = asyncio.create_task(self._run(), name="feed.relay")

    def send(self, sent: Letter | TurnTold) -> None:
        """Publish something, now or later."""
        self.published += 1
        if not self._lines:
            # Whatever else is sent in this round of the loop goes with it.
            asyncio.get_running_loop().call_soon(self._write)
        self._lines.append(to_line(sent))

    def _write(self) -> None:
        pipe = self._process.stdin if self._process is not None else None
        if pipe is None or pipe.is_closing():
            while len(self._lines) > self.feed.buffer:
                self._lines.popleft()
                self._dropped_here += 1
            return
        if pipe.transport.get_write_buffer_size() > MOST_UNREAD:
            self._dropped_here += len(self._lines)
        else:
            pipe.write(b"".join(self._lines))
        self._lines.clear()

    async def stop(self) -> None:
        """Let the relay publish what is left, for a few seconds, and end it."""
        self._is_stopping = True
        for stop in self.on_stop:
            stop()
        if self._task is None:
            return
        self._write()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(FAREWELL):
                await asyncio.wait([self._task])
        except TimeoutError:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        while True:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "feed.relay", stdin=PIPE, stdout=PIPE, limit=LINE_LIMIT
            )
            try:
                await self._serve(process)
            finally:
                self._process = None
                if process.returncode is None:
                    with suppress(ProcessLookupError):
                        process.kill()
                    await process.wait()
            if self._is_stopping:
                return
            log.error("feed relay ended, starting it again", code=process.returncode)
            self.is_connected = False
            self._dropped_by_relays += self._dropped_by_relay
            self._dropped_by_relay = 0
            await asyncio.sleep(RESTART)

    async def _serve(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(self.feed.to_line(self._subscriptions))
        self._process = process
        self._write()
        if self._is_stopping:
            process.stdin.close()
        while line := await process.stdout.readline():
            self._hear(json.loads(line))
        await process.wait()

    def _hear(self, told: dict[str, Any]) -> None:
        match told:
            case {"state": state, "why": why}:
                self._on_state(state, why)
            case {"topic": topic, "payload": payload}:
                self._on_letter(topic, payload)
            case {"waiting": waiting, "dropped": dropped}:
                self.waiting = waiting
                if dropped > self._dropped_by_relay == 0:
                    log.warning(
                        "feed buffer full, the oldest events are dropped", broker=self._where
                    )
                self._dropped_by_relay = dropped
            case {"lost": lost}:
                log.warning("feed events not published", broker=self._where, count=lost)

    @property
    def _where(self) -> str:
        return str(self.feed.address)

    def _on_state(self, state: str, why: str) -> None:
        self.is_connected = state == "connected"
        match state:
            case "connected":
                log.info("broker connected", broker=self._where)
            case "lost":
                log.warning("broker lost, games go on", broker=self._where, why=why)
            case "refused":
                log.error("broker refuses user or password", broker=self._where, why=why)
            case _:
                log.warning("broker not reachable, games go on", broker=self._where, why=why)
