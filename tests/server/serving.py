"""`daide serve` as a process of its own, for tests that kill it."""

import asyncio
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

from attrs import define

from tests.server.hosting import Player, RawPeer

POWERS = ("AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR")


@define
class Server:
    """A server process that has said where it listens."""

    process: Process
    port: int

    @classmethod
    async def start(cls, *arguments: str, port: int = 0) -> "Server":
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "cli", "serve", "--port", str(port), *arguments,
            stdout=PIPE, stderr=PIPE, process_group=0,
        )  # fmt: skip
        assert process.stdout
        try:
            line = (await process.stdout.readline()).decode()
        except BaseException:
            # Whoever gives up waiting leaves no server behind.
            process.kill()
            await process.communicate()
            raise
        if not line.startswith("listening on 127.0.0.1:"):
            _, complaint = await process.communicate()
            raise AssertionError(complaint.decode())
        return cls(process, int(line.rpartition(":")[2]))

    async def kill(self) -> None:
        """Kill it with SIGKILL."""
        self.process.kill()
        await self.process.communicate()

    async def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Ask it to end; return its exit code and its log."""
        self.process.send_signal(number)
        _, complaint = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, complaint.decode()


def certificate(folder: Path) -> tuple[str, str]:
    """Make a certificate for this machine."""
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
         "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
        check=True, capture_output=True,
    )  # fmt: skip
    return cert, key


def seat_plan(folder: Path) -> str:
    """Write a configuration in which every client has its power, and return its path."""
    seats = "".join(f'"P{number}" = "{power}"\n' for number, power in enumerate(POWERS))
    path = folder / "server.toml"
    path.write_text(f"linger = 0.1\n[limits]\ngrace = 0.1\n[seats]\n{seats}")
    return str(path)


class CrashDriver:
    """Seven players on a server that is killed when so many orders have been thanked for."""

    def __init__(self, arguments: tuple[str, ...], players: list[Player], kills: list[int]) -> None:
        self._arguments = arguments
        self._players = players
        self._kills = list(kills)
        self._thanks = 0
        self._server: Server | None = None
        self._is_up = asyncio.Event()
        self._wants_kill = asyncio.Event()

    async def run(self) -> None:
        """Play to the end, whatever happens to the server."""
        self._server = await Server.start(*self._arguments)
        self._is_up.set()
        reaper = asyncio.create_task(self._reap())
        await asyncio.gather(*(self._play(player) for player in self._players))
        await self._is_up.wait()  # it may have been killed with the last order
        reaper.cancel()
        code, log = await self._server.stop()
        assert code == 0, log
        assert "Traceback" not in log, log

    async def _play(self, player: Player) -> None:
        while not player.summary:
            await self._is_up.wait()
            assert self._server
            peer = None
            try:
                peer = await CountingPeer.connect(self._server.port)
                peer.driver = self
                await (player.come_back(peer) if player.power else player.play(peer))
            except ConnectionError:
                await asyncio.sleep(0.01)
            finally:
                if peer is not None:
                    peer.vanish()

    def on_thanks(self) -> None:
        self._thanks += 1
        if self._kills and self._thanks >= self._kills[0]:
            self._kills.pop(0)
            self._is_up.clear()
            self._wants_kill.set()

    async def _reap(self) -> None:
        while True:
            await self._wants_kill.wait()
            self._wants_kill.clear()
            assert self._server
            await self._server.kill()
            self._server = await Server.start(*self._arguments, port=self._server.port)
            self._is_up.set()


class CountingPeer(RawPeer):
    """Tells the driver of every THX."""

    driver: CrashDriver | None = None

    async def hear(self) -> str:
        text = await super().hear()
        if text.startswith("THX") and self.driver is not None:
            self.driver.on_thanks()
        return text
