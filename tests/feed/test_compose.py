"""The compose file: its commands, run as plain processes with a real Mosquitto, play a game."""

import asyncio
import getpass
import os
import re
import shutil
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml
from attrs import evolve

from feed.address import read_address
from feed.events import GameEnded
from tests.feed.brokers import MOSQUITTO, Listener, answers, free_port
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parent.parent.parent
PASSWORDS = {f"MQTT_{user}_PASSWORD": f"{user} secret" for user in
             ("SERVER", "BOTS", "DASHBOARD", "REFEREE")}  # fmt: skip
ENVIRONMENT = {**PASSWORDS, "DAIDE_LAST_YEAR": "1901"}
VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
needs_mosquitto = pytest.mark.skipif(MOSQUITTO is None, reason="Mosquitto is not installed")
needs_compose = pytest.mark.skipif(
    shutil.which("docker-compose") is None, reason="docker-compose is not installed"
)


def interpolated(text: str) -> str:
    """Put the variables in, as Compose does."""

    def value(match: re.Match[str]) -> str:
        default = match[3] if match[2] == "-" else None
        found = ENVIRONMENT.get(match[1], default)
        assert found is not None, match[0]
        return found

    return VARIABLE.sub(value, text)


def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(interpolated((ROOT / "docker-compose.yml").read_text()))[
        "services"
    ]
    return found


class Machine:
    """Runs services as processes: names of services are this machine, ports are free ones."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._services = services()
        self.ports = {port: str(free_port()) for port in ("1883", "9100", "16713")}
        self._places = {
            "/mosquitto/config": str(folder),
            "/mosquitto/data": str(folder),
            "/data": str(folder),
            "0.0.0.0": "127.0.0.1",
            **self.ports,
        }
        self._processes: list[Process] = []

    def translated(self, text: str) -> str:
        for name, place in self._places.items():
            text = text.replace(name, place)
        names = "|".join(self._services)
        return re.sub(rf"(?<=[=@])({names})(?=$|:)", "127.0.0.1", text)

    async def start(self, name: str) -> None:
        service = self._services[name]
        command = [self.translated(each) for each in service["command"]]
        if service["image"] == "daide":
            command = [sys.executable, "-m", "cli", *command]
        path = f"{os.environ['PATH']}:/usr/sbin"
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=ROOT,
            stdin=DEVNULL,
            stdout=DEVNULL,
            env={**os.environ, "PATH": path, **self._environment(service)},
        )
        self._processes.append(process)

    def _environment(self, service: Mapping[str, Any]) -> dict[str, str]:
        folder = str(self._folder)
        own = {"MOSQUITTO_CONFIG": folder, "MOSQUITTO_PASSWORDS": f"{folder}/passwords"}
        own.update(service.get("environment", {}))
        return own

    def copy_configuration(self) -> None:
        source = ROOT / "deploy" / "mosquitto"
        for path in source.iterdir():
            shutil.copy(path, self._folder / path.name)
        path = self._folder / "mosquitto.conf"
        # Started by root it would become somebody who cannot read our folder.
        path.write_text(f"{self.translated(path.read_text())}\nuser {getpass.getuser()}\n")

    async def stop(self) -> None:
        for process in reversed(self._processes):
            if process.returncode is None:
                process.terminate()
        for process in self._processes:
            await process.wait()


def is_over(listener: Listener) -> bool:
    return any(isinstance(each.event, GameEnded) for each in listener.told)


@needs_mosquitto
async def test_the_commands_of_the_compose_file_play_a_game_to_its_end(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.copy_configuration()
    port = int(machine.ports["1883"])
    try:
        await machine.start("broker")
        async with asyncio.timeout(PATIENCE):
            while not await answers(port):
                pass
        everything = "daide/v1/#"
        url = read_address(f"mqtt://127.0.0.1:{port}", {})
        referee = evolve(url, user="referee", password="REFEREE secret")
        dashboard = evolve(url, user="dashboard", password="DASHBOARD secret")
        async with (
            Listener(referee, everything, name="referee") as all_of_it,
            Listener(dashboard, everything, name="dashboard") as some_of_it,
        ):
            await machine.start("server")
            for name in services():
                if name.startswith("bot-"):
                    await machine.start(name)
            for listener in (all_of_it, some_of_it):
                await listener.until(partial(is_over, listener), 90)
        reader, writer = await asyncio.open_connection("127.0.0.1", int(machine.ports["9100"]))
        writer.write(b"GET /readyz HTTP/1.1\r\n\r\n")
        assert (await reader.readline()).split()[1] == b"200"
        writer.close()
    finally:
        await machine.stop()
    result = next(each.event for each in all_of_it.told if isinstance(each.event, GameEnded))
    assert result.turn == ["WIN", 1901]
    assert {each["name"] for each in result.players} == {"DumbBot", "BlabBot", "Diplominator"}
    kinds = {each.event.kind for each in all_of_it.told}
    assert {"press", "players"} <= kinds
    # Whoever may see what everybody may see is told nothing that was said in private.
    assert {each.topic.split("/")[-2] for each in some_of_it.letters} <= {"compose", "game-1"}
    assert {each.event.kind for each in some_of_it.told} - {"waiting"} == {
        "lobby", "phase", "position", "orders", "result",
    }  # fmt: skip
    hashes = (tmp_path / "passwords").read_text()
    assert not any(password in hashes for password in PASSWORDS.values())


@needs_compose
async def test_docker_compose_accepts_the_file() -> None:
    process = await asyncio.create_subprocess_exec(
        "docker-compose", "--file", "docker-compose.yml", "config", "--quiet",
        cwd=ROOT, env={**os.environ, **ENVIRONMENT},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    assert (process.returncode, out, err) == (0, b"", b"")


def test_no_service_is_reachable_from_other_machines_by_default() -> None:
    published = [port for each in services().values() for port in each.get("ports", ())]
    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)


def test_the_image_installs_what_was_tested_by_its_hashes() -> None:
    lines = (ROOT / "Dockerfile").read_text().replace("\\\n", " ").splitlines()
    installs = [line for line in lines if "pip install" in line]
    assert installs
    for line in installs:
        # Our own wheel was just made: it has no hash, and brings nothing along.
        for part in line.split("pip install")[1:]:
            assert "--require-hashes" in part or "--no-deps" in part, line
