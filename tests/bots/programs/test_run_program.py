"""Real programs of other languages play whole games against a real server."""

import asyncio
import json
import shutil
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path

import pytest

from bots.programs.child import Child

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "docs" / "examples"


async def daide(*arguments: str) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "cli", *arguments), stdout=PIPE, stderr=PIPE, cwd=ROOT
    )


async def served(*arguments: str) -> tuple[Process, str]:
    server = await daide("serve", "--port", "0", "--store", ":memory:", "--json-logs", *arguments)
    assert server.stdout is not None
    return server, str(json.loads(await server.stdout.readline())["port"])


async def outcome(process: Process, seconds: float = 60.0) -> tuple[int | None, str]:
    _, errors = await asyncio.wait_for(process.communicate(), seconds)
    return process.returncode, errors.decode()


WALKER = f"{sys.executable} {EXAMPLES / 'walker.py'}"
ECHO = (
    "import sys\nfor line in sys.stdin.buffer:\n sys.stdout.buffer.write(line)\n sys.stdout.flush()"
)
HOLDER = f"sh {EXAMPLES / 'holder.sh'}"


@pytest.mark.parametrize(
    ("command", "level", "variant"),
    [(WALKER, "0", "lagoon"), (WALKER, "20", "standard"), (HOLDER, "20", "lagoon")],
)
async def test_a_program_plays_a_game_to_its_end(command: str, level: str, variant: str) -> None:
    server, port = await served(
        *("--variant", variant, "--last-year", "1902", "--exit-after", "1", "--linger", "0"),
        *("--press-level", level, "--fill", "dumbbot", "--fill-after", "0.2"),
    )
    bot = await daide("bot", "--exec", command, "--port", port, "--think", "20")
    code, errors = await outcome(bot)
    assert code == 0, errors
    assert "no orders in time" not in errors
    assert (await outcome(server))[0] == 0


@pytest.fixture
def c_program(tmp_path: Path) -> Path:
    """Return the example in C, compiled."""
    if shutil.which("cc") is None:
        pytest.skip("no C compiler on PATH")
    program = tmp_path / "holder"
    source = str(EXAMPLES / "holder.c")
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", program, source], check=True)
    return program


async def test_a_program_in_c_plays_a_game_to_its_end(c_program: Path, tmp_path: Path) -> None:
    record = tmp_path / "game.json"
    server, port = await served(
        *("--last-year", "1902", "--exit-after", "1", "--linger", "0", "--press-level", "0"),
        *("--variant", "lagoon", "--fill", "dumbbot", "--fill-after", "0.2"),
        *("--record", str(record)),
    )
    bot = await daide("bot", "--exec", str(c_program), "--port", port, "--name", "C")
    code, errors = await outcome(bot)
    assert (code, "refused" in errors) == (0, False), errors
    assert (await outcome(server))[0] == 0
    told = json.loads(record.read_text())
    [ours] = [power for power, each in told["players"].items() if each["name"] == "C"]
    orders = [each for turn in told["turns"] for each in turn["orders"] if each["power"] == ours]
    assert orders
    moves = [each["order"] for each in orders if " - " in each["order"]]
    assert moves == []


async def test_a_program_that_says_nothing_is_ordered_for(tmp_path: Path) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text("import sys\nfor line in sys.stdin: pass\n")
    server, port = await served(
        *("--last-year", "1901", "--exit-after", "1", "--linger", "0", "--press-level", "0"),
        *("--variant", "lagoon", "--fill", "holdbot", "--fill-after", "0.2"),
    )
    command = f"{sys.executable} {silent}"
    code, errors = await outcome(
        await daide("bot", "--exec", command, "--port", port, "--think", "0.3")
    )
    assert code == 1
    assert "no orders in time" in errors
    assert (await outcome(server))[0] == 0


async def test_a_program_that_leaves_is_named_with_its_code(tmp_path: Path) -> None:
    rash = tmp_path / "rash.py"
    rash.write_text("import sys\nsys.stdin.readline()\nsys.exit(3)\n")
    server, port = await served("--press-level", "0")
    code, errors = await outcome(
        await daide("bot", "--exec", f"{sys.executable} {rash}", "--port", port)
    )
    server.terminate()
    await outcome(server)
    assert code == 1
    assert errors.splitlines()[-1] == (
        "daide bot: --exec: the program left the game: it ended with code 3 in no turn"
    )


READING = "import os, sys, time\nfor line in sys.stdin:\n    "
AWFUL = {
    "floods": ("while True: print('GOF')\n", "it wrote more than 10000 lines in "),
    "answers everything with nonsense": (
        READING + "print('hello ( (', 'SUB ( XXX )', sep=chr(10), flush=True)\n",
        "it wrote more than 10000 lines in ",
    ),
    "writes no text": (
        READING + "os.write(1, bytes(range(128, 256)) + bytes([10, 0, 10, 255, 10]) * 3)\n",
        "it wrote more than 10000 lines in ",
    ),
    "writes a huge line": (
        READING + "print('SUB ' + '( ' * 10_000_000)\n",
        "it wrote a line of more than 131072 bytes",
    ),
    "never ends a line": (
        "import sys\nwhile True: sys.stdout.write('A' * 10_000)\n",
        "it wrote a line of more than 131072 bytes",
    ),
    "leaves its output full": (
        "import os\nos.write(1, b'GOF' + bytes([10])); os.write(1, b'A' * 60_000); os._exit(4)\n",
        "it ended with code 4 in ",
    ),
    "is killed": ("import os\nos.kill(os.getpid(), 9)\n", "it ended by signal 9 (Killed) in "),
}


@pytest.mark.parametrize("kind", AWFUL)
async def test_an_awful_program_is_ended_with_a_sentence(tmp_path: Path, kind: str) -> None:
    text, sentence = AWFUL[kind]
    program = tmp_path / "awful.py"
    program.write_text(text)
    server, port = await served("--press-level", "0", "--variant", "lagoon")
    command = f"{sys.executable} {program}"
    code, errors = await outcome(await daide("bot", "--exec", command, "--port", port))
    server.terminate()
    await outcome(server)
    assert code == 1
    assert f"daide bot: --exec: the program left the game: {sentence}" in errors.splitlines()[-1]
    assert "Traceback" not in errors
    assert len(errors) < 5_000


@pytest.mark.parametrize(
    "text",
    [
        "import os, time\nos.close(0)\ntime.sleep(600)\n",
        "import os, time\nos.close(1)\ntime.sleep(600)\n",
        "import os, sys\nprint('GOF', flush=True)\nwhile True: pass\n",
    ],
    ids=["closes its input", "closes its output", "loops"],
)
async def test_a_program_that_hangs_is_ordered_for_and_ended(tmp_path: Path, text: str) -> None:
    program = tmp_path / "hangs.py"
    program.write_text(text)
    server, port = await served(
        *("--last-year", "1901", "--exit-after", "1", "--linger", "0", "--press-level", "0"),
        *("--variant", "lagoon", "--fill", "holdbot", "--fill-after", "0.2"),
    )
    command = f"{sys.executable} {program}"
    code, errors = await outcome(
        await daide("bot", "--exec", command, "--port", port, "--think", "0.3")
    )
    assert code == 1
    assert "no orders in time" in errors
    assert "pipe closed" not in errors
    assert (await outcome(server))[0] == 0


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_what_a_program_leaves_behind_is_ended_with_it(tmp_path: Path) -> None:
    program = tmp_path / "parent.py"
    told = tmp_path / "child"
    program.write_text(
        "import os, pathlib, sys, time\n"
        "if child := os.fork():\n"
        f"    pathlib.Path({str(told)!r}).write_text(str(child))\n"
        "    sys.stdin.readline()\n"
        "    os.close(1)\n"
        "    os._exit(5)\n"
        "os.close(1)\n"
        "time.sleep(600)\n"
    )
    server, port = await served("--press-level", "0", "--variant", "lagoon")
    command = f"{sys.executable} {program}"
    code, errors = await outcome(await daide("bot", "--exec", command, "--port", port))
    server.terminate()
    await outcome(server)
    assert (code, "it ended with code 5" in errors) == (1, True)
    assert not is_running(int(told.read_text()))


def is_running(pid: int) -> bool:
    """Say whether a process is there and no zombie, which waits for its new parent only."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--exec", "no-such-program-here"], "there is no program 'no-such-program-here'"),
        (["--exec", ""], "there is no program to start"),
        (["--exec", "a 'b"], "No closing quotation"),
        (["dumbbot", "--exec", "x"], "name a bot or give --exec PROGRAM"),
        ([], "name a bot or give --exec PROGRAM"),
    ],
)
async def test_what_cannot_be_started_is_said_in_a_sentence(
    arguments: list[str], sentence: str
) -> None:
    server, port = await served("--press-level", "0")
    code, errors = await outcome(await daide("bot", *arguments, "--port", port))
    server.terminate()
    await outcome(server)
    assert code == 2
    assert sentence in errors.splitlines()[-1]
    assert "Traceback" not in errors


async def test_lines_are_utf_8_and_other_bytes_come_back_as_they_were() -> None:
    child = await Child.start([sys.executable, "-c", ECHO])
    try:
        for line in ("SND ( FRA ) ( 'é 一' )", "\udcff\udc80"):
            child.write([line])
            assert await child.read() == line
    finally:
        await child.end()
