"""The server's end of the feed: hands facts to the relay process and hears from it.

`send` never waits: lines gather for a moment and go out together. The relay is started again if it
dies; then `retell` has to tell it of the games anew. The same is done for a relay that was too far
behind: what it did not take is dropped and counted, until it has caught up.
"""

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import attrs
import structlog
from attrs import field, frozen

from cli import children
from feed.address import BrokerAddress
from feed.facts import Fact
from feed.outbox import BUFFER, Letter
from feed.wire import to_line

MOST_UNREAD = 32_000_000
"""So many bytes may wait for a relay that does not read."""
GATHER = 0.2
"""Seconds in which facts gather: to wake up and to write is what costs the server most of all."""
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
    most_unread: int = field(default=MOST_UNREAD)

    def to_line(self, subscriptions: Sequence[str]) -> bytes:
        """Write what the relay needs to know; not on its command line, for the password's sake."""
        fields = {
            "address": attrs.asdict(self.address),
            "name": f"daide-{self.server}",
            "server": self.server,
            "status": self.status,
            "online": self.online,
            "offline": self.offline,
            "subscriptions": subscriptions,
            "buffer": self.buffer,
        }
        return json.dumps(fields).encode() + b"\n"


@frozen
class _Counted:
    """What a relay has told of its letters."""

    taken: int = 0
    dropped: int = 0

    def plus(self, other: "_Counted") -> "_Counted":
        return _Counted(self.taken + other.taken, self.dropped + other.dropped)


class Publisher:
    """Publishes what a server has to tell."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.is_connected = False
        self.waiting = 0
        """How many letters wait, as the relay told last."""
        self.retell: Callable[[], None] = lambda: None
        """Tells a relay that knows nothing of the games."""
        self.on_stop: list[Callable[[], None]] = []
        self._subscriptions: tuple[str, ...] = ()
        self._on_letter: OnLetter = lambda _topic, _payload: None
        self._lines: deque[bytes] = deque()
        """What is to be written to the relay next."""
        self._size = 0
        """How many bytes that is."""
        self._is_behind = False
        self._process: Process | None = None
        self._dropped_here = 0
        self._by_relays = self._by_relay = _Counted()
        self._is_stopping = False
        self._task: asyncio.Task[None] | None = None

    @property
    def relay(self) -> int | None:
        """The number of the relay's process, None while there is none."""
        return self._process.pid if self._process is not None else None

    @property
    def published(self) -> int:
        """How many letters were handed to brokers, or wait for one."""
        return self._by_relays.taken + self._by_relay.taken

    @property
    def dropped(self) -> int:
        """How many letters, or lines for the relay, were lost because there was no room."""
        return self._dropped_here + self._by_relays.dropped + self._by_relay.dropped

    def subscribe(self, topics: Sequence[str], on_letter: OnLetter) -> None:
        """Listen to topics, before `start`."""
        self._subscriptions, self._on_letter = tuple(topics), on_letter

    def start(self) -> None:
        """Start the relay; letters may be sent at once."""
        self._task = asyncio.create_task(self._run(), name="feed.relay")

    def send(self, sent: Letter | Fact) -> None:
        """Publish something, now or later."""
        if self._is_behind:
            self._dropped_here += 1
            return
        if isinstance(sent, Letter):
            # Bot hosts wait for it.
            asyncio.get_running_loop().call_soon(self._write)
        elif not self._lines:
            asyncio.get_running_loop().call_later(GATHER, self._write)
        line = to_line(sent)
        self._lines.append(line)
        self._size += len(line)
        if self._size > self.feed.most_unread:
            self._fall_behind()

    def _write(self) -> None:
        pipe = self._pipe
        if pipe is None or not self._lines:
            return
        pipe.write(b"".join(self._lines))
        self._clear()
        if pipe.transport.get_write_buffer_size() > self.feed.most_unread:
            self._fall_behind()

    @property
    def _pipe(self) -> asyncio.StreamWriter | None:
        pipe = self._process.stdin if self._process is not None else None
        return None if pipe is None or pipe.is_closing() else pipe

    def _clear(self) -> None:
        self._lines.clear()
        self._size = 0

    def _fall_behind(self) -> None:
        """Tell no more until the relay has read what it has."""
        log.warning("feed relay is behind, events are dropped", broker=self._where)
        self._is_behind = True
        self._dropped_here += len(self._lines)
        self._clear()
        asyncio.get_running_loop().call_later(RESTART, self._catch_up)

    def _catch_up(self) -> None:
        if not self._is_behind or self._is_stopping:
            return
        pipe = self._pipe
        if pipe is None or pipe.transport.get_write_buffer_size():
            asyncio.get_running_loop().call_later(RESTART, self._catch_up)
            return
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._is_behind = False
        self._clear()
        self.retell()

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
            process = await children.start((), module="feed.relay", stdin=PIPE, stdout=PIPE)
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
            self._by_relays = self._by_relays.plus(self._by_relay)
            self._by_relay = _Counted()
            # At once, so that what happens from now on comes after it.
            self._begin_anew()
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
            case {"waiting": waiting, "dropped": dropped, "taken": taken}:
                self.waiting = waiting
                if dropped > self._by_relay.dropped == 0:
                    log.warning(
                        "feed buffer full, the oldest events are dropped", broker=self._where
                    )
                self._by_relay = _Counted(taken, dropped)
            case {"lost": lost}:
                log.warning("feed events not published", broker=self._where, count=lost)
            case {"denied": why}:
                log.error("broker refuses events, see its access list", broker=self._where, why=why)
            case {"failed": why}:
                log.error("feed event could not be made", why=why)

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
