"""A bot host: offers bots to the servers of a broker, and starts those that are granted.

What it may start is its own list, with its own seeds and times; a request only chooses from the
list, and says where the game is. A bot is a process of its own, and ends with its host.
"""

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

import structlog
from attrs import frozen

from cli import children
from cli.parsing import HIGHEST_SEED
from feed.address import BrokerAddress
from feed.bot_requests import (
    CLAIM_TIME,
    BotRequest,
    Offers,
    grant_from,
    request_from,
)
from feed.broker import Broker, BrokerState, Caller, Subscription
from feed.outbox import Letter
from feed.topics import ANY, granted, host_status, wanted
from rules.errors import BadInputError

GROUP = "daide-bot-hosts"
FAREWELL = 3.0

log = structlog.get_logger(__name__)


@frozen(kw_only=True)
class HostOptions:
    """What a host offers, and how its bots play."""

    name: str
    bots: tuple[str, ...]
    most: int = 20
    seed: int | None = None
    think: float | None = None


class BotHost:
    """Runs until cancelled."""

    def __init__(self, address: BrokerAddress, options: HostOptions) -> None:
        self._options = options
        self._offers = Offers(options.name, frozenset(options.bots), options.most)
        self._started = 0
        self._tasks: asyncio.TaskGroup | None = None
        status = host_status(options.name)
        online = {"state": "online", "host": options.name, "bots": list(options.bots)}
        offline = {"state": "offline", "host": options.name}
        self._offline = Letter(status, json.dumps(offline).encode(), is_retained=True)
        caller = Caller(
            name=f"daide-host-{options.name}",
            will=self._offline,
            greeting=(Letter(status, json.dumps(online).encode(), is_retained=True),),
            subscriptions=(
                Subscription(granted(ANY, options.name)),
                *(Subscription(wanted(ANY, bot), group=GROUP) for bot in options.bots),
            ),
        )
        self._address = address
        self._broker = Broker(address, caller, on_state=self._on_state, on_letter=self._on_letter)

    async def run(self) -> None:
        """Serve requests; when cancelled, say so to the broker and end the bots."""
        running = asyncio.create_task(self._broker.run(), name="host.broker")
        try:
            async with asyncio.TaskGroup() as self._tasks:
                await asyncio.Event().wait()
        finally:
            self._broker.send(self._offline)
            await self._broker.flush(FAREWELL if self._broker.is_connected else 0.0)
            running.cancel()
            await asyncio.wait([running])

    def _on_state(self, state: BrokerState, why: str) -> None:
        broker = str(self._address)
        match state:
            case BrokerState.CONNECTED:
                offer = ", ".join(self._options.bots)
                log.info("bot host ready", broker=broker, name=self._options.name, bots=offer)
            case BrokerState.REFUSED:
                log.error("broker refuses user or password", broker=broker, why=why)
            case BrokerState.LOST | BrokerState.UNREACHABLE:
                log.warning("broker not there", state=state.value, broker=broker, why=why)

    def _on_letter(self, letter: Letter) -> None:
        try:
            if "/bots/granted/" in letter.topic:
                request = self._offers.hear_grant(grant_from(letter.payload))
                if request is not None and self._tasks is not None:
                    self._offers.running += 1
                    self._tasks.create_task(self._play(request), name=f"bot.{request.id}")
            elif "/bots/wanted/" in letter.topic:
                self._claim(request_from(letter.payload))
        except BadInputError as error:
            log.warning("message not understood", topic=letter.topic, why=str(error))

    def _claim(self, request: BotRequest) -> None:
        for letter in self._offers.hear_request(request):
            self._broker.send(letter)
        loop = asyncio.get_running_loop()
        loop.call_later(2 * CLAIM_TIME, self._offers.forget, request)

    async def _play(self, request: BotRequest) -> None:
        self._started += 1
        log.info("bot started", bot=request.bot, game=request.game, where=request.address)
        try:
            process = await self.start(self.command(request))
        except OSError as error:
            self._offers.running -= 1
            log.error("bot not started", bot=request.bot, why=str(error))  # noqa: TRY400 - the text says it all
            self._broker.send(self._offers.answer(request, "failed"))
            return
        try:
            assert process.stdout is not None
            joined = await process.stdout.readline() == b"joined\n"
            self._broker.send(self._offers.answer(request, "joined" if joined else "failed"))
            code = await process.wait()
            log.info("bot ended", bot=request.bot, game=request.game, code=code)
        finally:
            self._offers.running -= 1
            await children.end([process])

    def command(self, request: BotRequest) -> Sequence[str]:
        """Return the command of a bot: the text is ours, only the place comes from the request."""
        bot = next(each for each in self._options.bots if each == request.bot)
        arguments = ["bot", bot, f"--host={request.address}", f"--port={request.port}"]
        arguments += ["--quiet", "--tell-joined"]
        if request.power is not None:
            arguments += [f"--power={request.power}", f"--passcode={request.passcode or 0}"]
        if self._options.seed is not None:
            seed = (self._options.seed * 1000 + self._started) % HIGHEST_SEED
            arguments.append(f"--seed={seed}")
        if self._options.think is not None:
            arguments.append(f"--think={self._options.think}")
        return arguments

    async def start(self, arguments: Sequence[str]) -> Process:
        """Start a `daide` command."""
        return await children.start(arguments, stdout=PIPE)
