"""The connection to an MQTT broker, made again whenever it is lost; the only user of aiomqtt.

MQTT 5 with QoS 1: a letter leaves the outbox when the broker has confirmed it, so after a lost
connection the last few may come twice. Brokers that know only MQTT 3.1.1 are spoken to in that,
if they say so or the address does.
Nothing is raised: what happens to the connection is told to a listener.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from logging import getLogger
from random import Random
from typing import TypeAlias

import aiomqtt
from aiomqtt.exceptions import MqttConnectError
from attrs import field, frozen
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from feed.address import BrokerAddress
from feed.outbox import Letter, Outbox

WINDOW = 20
"""So many letters may be on their way at once."""
TIMEOUT = 20.0
"""Seconds until a message that is not confirmed counts as lost, and the connection with it."""
CONNECT_TIMEOUT = 5.0
"""The same for a connection; one that ends before its first answer is waited for as long."""
KEEP_ALIVE = 20
NO_DELAY = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),)
# A wrong password is not tried again and again: brokers may lock out who does that.
REFUSED_WAIT = 60.0
_PASSWORD_REASONS = ("Bad user name or password", "Not authorized")
_VERSION_REASON = "Unsupported protocol version"

# Its words would double ours.
_LOGGER = getLogger("feed.paho")
_LOGGER.setLevel("CRITICAL")


class BrokerState(Enum):
    """What has happened to the connection."""

    CONNECTED = "connected"
    LOST = "lost"
    REFUSED = "refused"
    """Wrong user name or password."""
    UNREACHABLE = "unreachable"
    """The first attempt has failed; more follow."""


OnState: TypeAlias = Callable[[BrokerState, str], None]
OnLetter: TypeAlias = Callable[[Letter], None]
OnDenial: TypeAlias = Callable[[str], None]


@frozen
class Subscription:
    """Topics that are listened to; `group` shares them among the members of a group."""

    topics: str
    group: str | None = None


@frozen(kw_only=True)
class Caller:
    """How we introduce ourselves to a broker."""

    name: str
    """The client identifier; a broker has one client of each."""
    will: Letter | None = None
    """What the broker tells others when it loses us."""
    greeting: tuple[Letter, ...] = ()
    """What is published with every new connection."""
    subscriptions: tuple[Subscription, ...] = ()
    longest_wait: float = field(default=15.0)


class _Client(aiomqtt.Client):
    """Hears what the broker says to each letter, which aiomqtt takes for a yes in any case."""

    on_denial: OnDenial

    def _on_publish(
        self,
        client: PahoClient,
        userdata: object,
        mid: int,
        reason_code: ReasonCode,
        properties: Properties,
    ) -> None:
        if reason_code.is_failure:
            self.on_denial(str(reason_code))
        super()._on_publish(client, userdata, mid, reason_code, properties)


class Broker:
    """Publishes what is in the outbox and hands on what comes, as long as `run` is running."""

    def __init__(
        self,
        address: BrokerAddress,
        caller: Caller,
        *,
        outbox: Outbox | None = None,
        on_state: OnState,
        on_letter: OnLetter,
    ) -> None:
        self.outbox = Outbox() if outbox is None else outbox
        self._address = address
        self._caller = caller
        self._on_state = on_state
        self._on_letter = on_letter
        self.on_denial: OnDenial = lambda _why: None
        """Is told when the broker does not let us publish something."""
        self._denials: set[str] = set()
        versions = aiomqtt.ProtocolVersion
        self._version = versions.V311 if address.is_old else versions.V5
        self._state: BrokerState | None = None
        self._news = asyncio.Event()
        self._empty = asyncio.Event()
        self._empty.set()
        self._chance = Random()  # noqa: S311 - spreads the returns of many clients

    @property
    def is_connected(self) -> bool:
        """Whether the broker is there, as far as we know."""
        return self._state is BrokerState.CONNECTED

    def send(self, letter: Letter) -> None:
        """Publish something, now or later; never waits."""
        self.outbox.put(letter)
        self._empty.clear()
        self._news.set()

    async def flush(self, longest: float) -> bool:
        """Wait until everything is confirmed, but not for ever; return whether it is."""
        try:
            async with asyncio.timeout(longest):
                await self._empty.wait()
        except TimeoutError:
            return False
        return True

    async def run(self) -> None:
        """Keep a connection until cancelled."""
        waits = self._waits()
        while True:
            try:
                await self._talk()
            except (aiomqtt.MqttError, OSError, ValueError) as error:
                if self.is_connected:
                    waits = self._waits()
                pause = self._judge(error)
                await asyncio.sleep(next(waits) if pause is None else pause)

    def _waits(self) -> Iterator[float]:
        wait = 0.1
        while True:
            yield wait * (0.5 + self._chance.random() / 2)
            wait = min(wait * 2, self._caller.longest_wait)

    def _judge(self, error: BaseException) -> float | None:
        """Tell what has happened, once, and return how long to wait if that is known."""
        why = str(error) or type(error).__name__
        if isinstance(error, MqttConnectError):
            why = str(error.rc)
            if why == _VERSION_REASON and self._version is aiomqtt.ProtocolVersion.V5:
                self._version = aiomqtt.ProtocolVersion.V311
                return 0.0
        if any(reason in why for reason in _PASSWORD_REASONS):
            self._tell(BrokerState.REFUSED, why)
            return REFUSED_WAIT
        if self.is_connected:
            self._tell(BrokerState.LOST, why)
        elif self._state is None:
            self._tell(BrokerState.UNREACHABLE, why)
        return None

    def _tell(self, state: BrokerState, why: str = "") -> None:
        if state is not self._state:
            self._state = state
            self._on_state(state, why)

    async def _talk(self) -> None:
        async with self._client() as client:
            for subscription in self._caller.subscriptions:
                await client.subscribe(self._filter(subscription), qos=1, timeout=TIMEOUT)
            for letter in self._caller.greeting:
                await self._publish(client, letter)
            self._tell(BrokerState.CONNECTED)
            sending = asyncio.create_task(self._send_all(client), name="broker.send")
            try:
                await self._read_until(client, sending)
            finally:
                sending.cancel()
                await asyncio.wait([sending])

    def _filter(self, subscription: Subscription) -> str:
        # Before MQTT 5 nothing can be shared: then every host hears what is wanted, and the
        # server's answer decides.
        if subscription.group is None or self._version is not aiomqtt.ProtocolVersion.V5:
            return subscription.topics
        return f"$share/{subscription.group}/{subscription.topics}"

    async def _read_until(self, client: aiomqtt.Client, sending: asyncio.Task[None]) -> None:
        reading = asyncio.create_task(self._read(client), name="broker.read")
        try:
            done, _ = await asyncio.wait([reading, sending], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            reading.cancel()
            await asyncio.wait([reading])

    async def _read(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            payload = message.payload
            self._on_letter(Letter(str(message.topic), payload, is_retained=message.retain))

    async def _send_all(self, client: aiomqtt.Client) -> None:
        while True:
            letters = self.outbox.take(WINDOW)
            if not letters:
                self._empty.set()
                self._news.clear()
                await self._news.wait()
                continue
            try:
                await self._publish_together(client, letters)
            except BaseException:
                self.outbox.put_back(letters)
                raise

    async def _publish_together(self, client: aiomqtt.Client, letters: Sequence[Letter]) -> None:
        try:
            async with asyncio.TaskGroup() as tasks:
                for letter in letters:
                    tasks.create_task(self._publish(client, letter))
        except ExceptionGroup as group:
            raise group.exceptions[0] from None

    async def _publish(self, client: aiomqtt.Client, letter: Letter) -> None:
        """Publish a letter; one that cannot be sent at all is dropped, and that is told."""
        try:
            await client.publish(
                letter.topic,
                letter.payload,
                qos=1,
                retain=letter.is_retained,
                properties=self._properties(letter),
                timeout=TIMEOUT,
            )
        except ValueError as error:
            # Trying again would stop everything behind it.
            self._note_denial(f"a letter was dropped: {error}")

    def _properties(self, letter: Letter) -> Properties | None:
        if letter.expires is None or self._version is not aiomqtt.ProtocolVersion.V5:
            return None
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho has no types there
        properties.MessageExpiryInterval = letter.expires
        return properties

    def _client(self) -> aiomqtt.Client:
        address, caller = self._address, self._caller
        will = caller.will
        client = _Client(
            address.host,
            address.port,
            username=address.user,
            password=address.password,
            identifier=caller.name,
            protocol=self._version,
            will=None
            if will is None
            else aiomqtt.Will(will.topic, will.payload, qos=1, retain=will.is_retained),
            tls_context=_tls(address),
            timeout=CONNECT_TIMEOUT,
            keepalive=KEEP_ALIVE,
            max_inflight_messages=WINDOW,
            socket_options=NO_DELAY,
            logger=_LOGGER,
        )
        client.pending_calls_threshold = 2 * WINDOW
        client.on_denial = self._note_denial
        return client

    def _note_denial(self, why: str) -> None:
        """Tell that the broker takes letters and throws them away; once, not for each of them."""
        if why not in self._denials:
            self._denials.add(why)
            self.on_denial(why)


def _tls(address: BrokerAddress) -> ssl.SSLContext | None:
    return ssl.create_default_context(cafile=address.ca_file) if address.has_tls else None
