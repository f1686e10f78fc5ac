"""A real broker for tests: Mosquitto where it is installed, else one that comes from PyPI."""

import asyncio
import getpass
import os
import random
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from attrs import Factory, define

from feed.address import BrokerAddress, read_address
from feed.broker import Broker, BrokerState, Caller, Subscription
from feed.events import Told, told_from_bytes
from feed.outbox import Letter
from feed.topics import place_of
from tests.patience import PATIENCE

# `DAIDE_TEST_BROKER=embedded` is for those who have Mosquitto and want to try the other.
MOSQUITTO = (
    shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if os.environ.get("DAIDE_TEST_BROKER") != "embedded"
    else None
)
USER, PASSWORD = "server", "open sesame"
EMBEDDED = """
import asyncio, sys
from amqtt.broker import Broker
async def main(port, password_file):
    plugins = {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}}
    if password_file:
        plugins = {"amqtt.plugins.authentication.FileAuthPlugin": {"password_file": password_file}}
    listener = {"type": "tcp", "bind": f"127.0.0.1:{port}"}
    broker = Broker({"listeners": {"default": listener}, "plugins": plugins})
    await broker.start()
    await asyncio.Event().wait()
asyncio.run(main(*sys.argv[1:]))
"""


def free_port() -> int:
    """Return a port that nobody gets by chance: systems give those above when none is named."""
    while True:
        port = random.randrange(20_000, 32_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


@define
class RunningBroker:
    """A broker process on a port of its own, which can be killed and started again."""

    folder: Path
    port: int = Factory(free_port)
    needs_password: bool = False
    access: str = ""
    """The access list of Mosquitto; none lets everybody do everything."""
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}" + ("" if MOSQUITTO else "?version=3")

    @property
    def address(self) -> BrokerAddress:
        return read_address(self.url)

    async def start(self) -> None:
        self.process = started = self._spawn()
        async with asyncio.timeout(PATIENCE):
            while not await answers(self.port):
                assert started.poll() is None, "the broker did not start"

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _spawn(self) -> "subprocess.Popen[bytes]":
        command = self._mosquitto() if MOSQUITTO else self._embedded()
        nothing = subprocess.DEVNULL
        return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)

    def _mosquitto(self) -> list[str]:
        lines = [f"listener {self.port} 127.0.0.1", f"allow_anonymous {_no(self.needs_password)}"]
        # Started by root it would become somebody who cannot read our folder.
        lines.append(f"user {getpass.getuser()}")
        if self.needs_password:
            passwords = self.folder / "passwords"
            subprocess.run(
                ["mosquitto_passwd", "-b", "-c", str(passwords), USER, PASSWORD], check=True
            )
            passwords.chmod(0o644)
            lines.append(f"password_file {passwords}")
        if self.access:
            access = self.folder / "acl"
            access.write_text(self.access)
            access.chmod(0o600)
            lines.append(f"acl_file {access}")
        path = self.folder / "mosquitto.conf"
        path.write_text("\n".join(lines) + "\n")
        assert MOSQUITTO is not None
        return [MOSQUITTO, "-c", str(path)]

    def _embedded(self) -> list[str]:
        passwords = ""
        if self.needs_password:
            from pwdlib import PasswordHash  # noqa: PLC0415 - comes with the embedded broker

            passwords = str(self.folder / "passwords")
            Path(passwords).write_text(f"{USER}:{PasswordHash.recommended().hash(PASSWORD)}\n")
        return [sys.executable, "-c", EMBEDDED, str(self.port), passwords]


def _no(value: bool) -> str:
    return "false" if value else "true"


async def answers(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        await asyncio.sleep(0.02)
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True


class Listener:
    """A subscriber that keeps what it hears."""

    def __init__(self, address: BrokerAddress, *topics: str, name: str = "listener") -> None:
        self.letters: list[Letter] = []
        self.states: list[BrokerState] = []
        self.on_letter: Callable[[Letter], None] = lambda _: None
        self._news = asyncio.Event()
        caller = Caller(
            name=name,
            subscriptions=tuple(Subscription(each) for each in topics),
            longest_wait=0.2,
        )
        self.broker = Broker(address, caller, on_state=self._on_state, on_letter=self._on_letter)
        self._task: asyncio.Task[None] | None = None

    def _on_state(self, state: BrokerState, _: str) -> None:
        self.states.append(state)
        self._news.set()

    def _on_letter(self, letter: Letter) -> None:
        self.letters.append(letter)
        self.on_letter(letter)
        self._news.set()

    @property
    def told(self) -> list[Told]:
        """The events among the letters."""
        return [told_from_bytes(each.payload) for each in self.letters if place_of(each.topic)]

    async def until(self, condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
        async with asyncio.timeout(seconds):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.broker.run())
        await self.until(lambda: BrokerState.CONNECTED in self.states)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.wait([self._task])
