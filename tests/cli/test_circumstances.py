"""Our commands where something around them is wrong: a sentence or the answer, never a traceback.

Each row is a line for a shell, with the exit code and what is said on standard error; nothing is
said where the row names nothing.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cli import children
from cli.main import main

pytestmark = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="needs a shell and /dev/full"
)

SHORT = "play --variant lagoon --bots holdbot*3 --last-year 1901 --press-level 0"
ASCII = "LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 PYTHONIOENCODING=ascii"
PROXY = "http_proxy=http://127.0.0.1:1 https_proxy=$http_proxy ALL_PROXY=socks5://127.0.0.1:1"
ODD = f"TMPDIR=/nowhere COLUMNS=x LINES=-1 TERM=nosuch {PROXY}"
FULL = ": the output: cannot be written: No space left on device"
ROWS = f"""
daide --help > /dev/full                              | 2 | daide{FULL}
daide --version > /dev/full                           | 2 | daide{FULL}
daide bots > /dev/full                                | 2 | daide bots{FULL}
daide parse GOF > /dev/full                           | 2 | daide parse{FULL}
daide adjudicate lines > /dev/full                    | 2 | daide adjudicate{FULL}
daide doctor --json > /dev/full                       | 2 | daide doctor{FULL}
daide completion bash > /dev/full                     | 2 | daide completion{FULL}
daide tournament --help > /dev/full                   | 2 | daide tournament{FULL}
daide tournament report out > /dev/full               | 2 | daide tournament{FULL}
daide tournament report out --json > /dev/full        | 2 | daide tournament{FULL}
daide export game.json --format csv > /dev/full       | 2 | daide export{FULL}
daide export game.json --format csv --out /dev/full   | 2 | /dev/full: cannot be written
daide export game.json --format svg --turn S1901M --out /dev/full | 2 | /dev/full: cannot be written
daide export game.json --format png --out game.json   | 2 | game.json
daide tables out --out game.json                      | 2 | --out: game.json: cannot be written
daide {SHORT} > /dev/full                             | 2 | daide play{FULL}
daide {SHORT} --json > /dev/full                      | 2 | daide play{FULL}
daide {SHORT} --json --record /dev/full               | 2 | --record: /dev/full: cannot
daide watch game.json > /dev/full                     | 2 | daide watch{FULL}
daide serve --port 0 --store :memory: > /dev/full     | 2 | daide serve{FULL}
daide parse <&-                                       | 0 |
daide adjudicate <&-                                  | 0 |
daide parse GOF >&-                                   | 0 |
daide doctor >&-                                      | 0 |
daide {SHORT} <&- >&- 2>&-                            | 0 |
daide bots | head -1                                  | 0 |
daide --help | head -1                                | 0 |
daide tournament report out | head -1                 | 0 |
daide export game.json --format daide-log | head -1   | 0 |
daide {SHORT} | head -1                               | 0 |
{ASCII} daide {SHORT}                                 | 0 |
{ASCII} daide tournament report out                   | 0 |
{ASCII} daide bot n\u00f6bot                          | 2 | no such bot
LC_ALL=xx_XX daide bots                               | 0 |
env -u HOME -u XDG_DATA_HOME daide doctor             | 0 |
daide watch game.json | (exec <&-; sleep 1)           | 0 |
HOME=/nonexistent daide doctor                        | 0 |
env -u XDG_DATA_HOME HOME=/dev/null daide serve --port 0 | 2 | /dev/null/.local/share/daide/games.db
XDG_DATA_HOME=game.json daide serve --port 0          | 2 | game.json/daide/games.db: cannot be used
{ODD} daide {SHORT}                                   | 0 |
COLUMNS=5 daide play --help                           | 0 |
daide help play                                       | 0 |
"""


def rows() -> list[tuple[str, int, str]]:
    found = [line.rsplit("|", 2) for line in ROWS.strip().splitlines()]
    return [(line.strip(), int(code), said.strip()) for line, code, said in found]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the record of a game and a tournament."""
    folder = tmp_path_factory.mktemp("circumstances")
    (folder / "lines").write_text('{"turn": ["SPR", 1901], "units": {"ENG": ["F LON"]}}\n')
    (folder / "plan.toml").write_text(
        'variant = "lagoon"\ngames = 1\nlast_year = 1901\nbalance = false\n'
        '[[fields]]\nname = "one"\nplayers = { holdbot = 3 }\n'
    )
    run = ("tournament", "run", str(folder / "plan.toml"), "--out", str(folder / "out"))
    assert main([*run, "--jobs", "1", "--json"]) == 0
    assert main([*SHORT.split(), "--json", "--record", str(folder / "game.json")]) == 0
    (folder / "bin").mkdir()
    daide = folder / "bin" / "daide"
    daide.write_text(f'#!/bin/sh\nexec {shlex.join(children.command([]))} "$@"\n')
    daide.chmod(0o755)
    return folder


def shell(line: str, place: Path) -> "subprocess.CompletedProcess[str]":
    path = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
    quiet = {"DAIDE_PURE": "", "XDG_DATA_HOME": str(place / "data")}
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        cwd=place,
        env={**os.environ, **quiet, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=100,
    )


@pytest.mark.parametrize(("line", "code", "said"), rows(), ids=str)
def test_a_sentence_or_the_answer(line: str, code: int, said: str, place: Path) -> None:
    before = (place / "game.json").read_bytes()
    done = shell(line, place)
    assert "Traceback" not in done.stderr, done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.returncode == code, done.stderr
    told = [each for each in done.stderr.splitlines() if "[info " not in each]
    assert len(told) == (1 if said else 0), done.stderr
    assert said in "".join(told)
    assert (place / "game.json").read_bytes() == before


def test_a_record_that_does_not_fit_costs_no_more_than_the_record(place: Path) -> None:
    done = shell(f"daide {SHORT} --json --record /dev/full", place)
    assert json.loads(done.stdout)["outcome"] == "year-limit"


@pytest.mark.parametrize("options", ["", "--json"])
def test_a_record_is_kept_though_the_reader_of_the_game_has_left(options: str, place: Path) -> None:
    play = f"daide {SHORT} {options} --record left.json"
    done = shell(f"{play} | (exec <&-; sleep 1)", place)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((place / "left.json").read_text())["stage"] == "ended"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_an_interrupted_game_leaves_no_half_record_and_keeps_an_older_one(place: Path) -> None:
    (place / "slow.py").write_text(
        "import time\nfrom pathlib import Path\nfrom bots.holdbot import HoldBot\n"
        "class Slow(HoldBot):\n    def choose_orders(self, view):\n"
        "        Path('thinks').touch()\n        time.sleep(600)\n"
    )
    slow = SHORT.replace("holdbot*3", "slow:Slow*3")
    before = (place / "game.json").read_bytes()
    for name in ("new.json", "game.json"):
        (place / "thinks").unlink(missing_ok=True)
        wait = "until [ -e thinks ]; do sleep 0.05; done"
        line = f"daide {slow} --record {name} & {wait}; kill -INT $!; wait $!"
        done = shell(f"set -m; {line}", place)  # without -m what is started ignores the signal
        assert done.returncode == 130, done.stderr
    assert not (place / "new.json").exists()
    assert (place / "game.json").read_bytes() == before
