"""The server's end of the feed: hands facts to the relay process and hears from it."""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import attrs
import structlog
from attrs import field, frozen

from feed.address import BrokerAddress
from feed.fed_process import MOST_UNREAD, FedProcess
from feed.outbox import BUFFER

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


class Publisher(FedProcess):
    """Publishes what a server has to tell."""

    def __init__(self, feed: Feed) -> None:
        super().__init__("feed.relay", "feed relay", most_unread=feed.most_unread)
        self.feed = feed
        self.is_connected = False
        self.waiting = 0
        """How many letters wait, as the relay told last."""
        self._subscriptions: tuple[str, ...] = ()
        self._on_letter: OnLetter = lambda _topic, _payload: None
        self._by_relays = self._by_relay = _Counted()

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

    def _greeting(self) -> bytes:
        return self.feed.to_line(self._subscriptions)

    def _on_end(self) -> None:
        self.is_connected = False
        self._by_relays = self._by_relays.plus(self._by_relay)
        self._by_relay = _Counted()

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
            case {"refused": why}:
                log.warning("not passed on", broker=self._where, why=why)

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
