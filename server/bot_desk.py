"""Asks bot hosts for the bots that a server needs; loaded only with --bot-hosts."""

import asyncio
import json
from collections.abc import Callable, Iterable

import structlog

from feed.bot_requests import BotRequest, RequestBook, answer_from, is_name
from feed.outbox import Letter
from feed.topics import ANY, claims, host_status
from rules.errors import BadInputError

BEAT = 0.5
MOST_HOSTS = 1_000
"""Of whom we take note; those beyond are as welcome, but not told of."""

log = structlog.get_logger(__name__)


class BotDesk:
    """Keeps the requests of a server alive until they are fulfilled or needed no more."""

    def __init__(self, server: str, send: Callable[[Letter], None]) -> None:
        self.book = RequestBook(server)
        self.is_needed: Callable[[BotRequest], bool] = lambda _: True
        self.is_connected: Callable[[], bool] = lambda: True
        """Whether it makes sense to ask again."""
        self._hosts: set[str] = set()
        self._send = send
        self._server = server
        self._task: asyncio.Task[None] | None = None

    @property
    def subscriptions(self) -> tuple[str, ...]:
        """The topics on which hosts are heard."""
        return claims(self._server), host_status(ANY)

    def start(self) -> None:
        """Begin to look after the requests."""
        self._task = asyncio.create_task(self._beat(), name="bot-desk")

    def stop(self) -> None:
        """Ask for nothing any more."""
        if self._task is not None:
            self._task.cancel()

    def ask(self, request: BotRequest) -> None:
        """Ask for a bot."""
        log.info("bot wanted", bot=request.bot, game=request.game)
        self._post(self.book.ask(request, self._now()))

    def receive(self, topic: str, payload: str) -> None:
        """Take what the broker brings."""
        try:
            if topic == claims(self._server):
                self._post(self.book.hear(answer_from(payload), self._now()))
            else:
                self._on_status(payload)
        except BadInputError as error:
            log.warning("message not understood", topic=topic, why=str(error))

    def _on_status(self, payload: str) -> None:
        try:
            told = json.loads(payload)
            host, state = str(told["host"]), told["state"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise BadInputError("host status: not what docs/events.md says") from None
        if not is_name(host):
            raise BadInputError(f"host status: not a name: {host[:50]!r}")
        if state == "offline":
            # Brokers also tell of hosts that were gone long before we came.
            if host in self._hosts:
                self._hosts.remove(host)
                log.info("bot host gone", host=host)
            self._post(self.book.lose(host, self._now()))
        elif host not in self._hosts and len(self._hosts) < MOST_HOSTS:
            self._hosts.add(host)
            log.info("bot host there", host=host, bots=told.get("bots"))

    def _post(self, letters: Iterable[Letter]) -> None:
        for letter in letters:
            self._send(letter)

    def _now(self) -> float:
        return asyncio.get_running_loop().time()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            for request in self.book.requests:
                if not self.is_needed(request):
                    self.book.forget(request)
            # While the broker is gone, what was asked waits; asking again would only pile up.
            if self.is_connected():
                self._post(self.book.tick(self._now()))
