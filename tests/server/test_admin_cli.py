"""`daide admin`: commands from the shell."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from attrs import evolve, frozen

from cli.main import main
from server.config import ServerConfig
from tests.server.hosting import CONFIG, Hosted, hosting, seated, with_settings

SECRET = "open sesame"
GUARDED = with_settings(admin_secret=SECRET)


@frozen
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


class Shell:
    """Runs `daide admin` in a thread, beside the server of the test."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    async def run(self, hosted: Hosted, *words: str) -> Done:
        self._capsys.readouterr()
        arguments = ["admin", "--port", str(hosted.port), *words]
        code = await asyncio.to_thread(main, arguments)
        out, err = self._capsys.readouterr()
        # The server of the test has warned of what it refused, to the same standard error.
        last = [line for line in err.splitlines() if line.startswith("daide")]
        return Done(code, out, "".join(last))


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.delenv("DAIDE_ADMIN_SECRET", raising=False)
    return Shell(capsys)


async def test_the_answer_is_printed(shell: Shell) -> None:
    async with hosting() as hosted:
        await (await seated(hosted, 7))[0].until("NOW")
        done = await shell.run(hosted, "status")
        assert done == Done(0, "game-1: running, map standard, level 20, turn SPR 1901\n", "")
        assert (await shell.run(hosted, "who")).out.count("\n") == 8


async def test_nothing_but_the_answer_goes_to_standard_output() -> None:
    async with hosting() as hosted:
        command = (
            sys.executable,
            "-m",
            "cli",
            "admin",
            "--port",
            str(hosted.port),
            "--json",
            "who",
        )
        process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)
        out, err = await process.communicate()
    assert (process.returncode, err) == (0, b"")
    answers = ["players: 0 of 7", "observers: 1"]
    assert json.loads(out) == {"accepted": True, "answers": answers}


async def test_a_game_can_be_named(shell: Shell) -> None:
    async with hosting(evolve(CONFIG, games=2)) as hosted:
        await seated(hosted, 8)
        for name in ("game-1", "game-2"):
            assert (await shell.run(hosted, "--game", name, "status")).out.startswith(name)
        done = await shell.run(hosted, "--game", "game-9", "status")
        assert done == Done(1, "", "daide admin: the server has no game 'game-9'")


async def test_the_secret_comes_from_the_environment_or_a_file(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with hosting(GUARDED) as hosted:
        await (await seated(hosted, 7))[0].until("NOW")

        def is_paused() -> bool:
            return hosted.host.rooms[0].game.is_paused

        done = await shell.run(hosted, "pause")
        assert (done.code, done.out) == (1, "only the master of the game may do that\n")
        assert not is_paused()
        monkeypatch.setenv("DAIDE_ADMIN_SECRET", SECRET)
        assert (await shell.run(hosted, "pause")).out == "paused\n"
        assert is_paused()
        (tmp_path / "secret").write_text(f"{SECRET}\n")
        monkeypatch.setenv("DAIDE_ADMIN_SECRET", "wrong")
        done = await shell.run(hosted, "--secret-file", str(tmp_path / "secret"), "resume")
        assert (done.code, done.out) == (0, "resumed\n")
        done = await shell.run(hosted, "pause")
        assert done == Done(1, "", "daide admin: the server does not accept the secret")
        assert not is_paused()


@pytest.mark.parametrize("config", [CONFIG, GUARDED])
async def test_an_unknown_command_is_refused(shell: Shell, config: ServerConfig) -> None:
    async with hosting(config) as hosted:
        done = await shell.run(hosted, "--json", "dance")
        assert done.code == 1
        assert json.loads(done.out) == {
            "accepted": False,
            "answers": ["no such command; 'Server: help' lists them"],
        }


async def test_the_master_may_end_the_game(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAIDE_ADMIN_SECRET", SECRET)
    async with hosting(GUARDED) as hosted:
        await (await seated(hosted, 7))[0].until("NOW")
        assert await shell.run(hosted, "end") == Done(0, "ended as a draw\n", "")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["become", "master", SECRET], "never given on the command line"),
        (["--secret-file", "/nonexistent/secret", "status"], "cannot be read"),
    ],
)
def test_bad_usage_is_one_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["admin", *words]) == 2
    err = capsys.readouterr().err
    assert complaint in err
    assert SECRET not in err
    assert err.count("\n") == 1


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_server_that_is_not_there_is_no_traceback(
    capsys: pytest.CaptureFixture[str], unused_tcp_port: int
) -> None:
    assert main(["admin", "--port", str(unused_tcp_port), "status"]) == 1
    assert capsys.readouterr().err.startswith("daide admin: ")
