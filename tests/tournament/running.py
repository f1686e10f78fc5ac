"""`daide tournament run` as a process of its own, for tests that kill it."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.patience import PATIENCE


class Run:
    """A runner in a session of its own, so that all that it starts can be found."""

    def __init__(self, spec: Path, out: Path, *arguments: str) -> None:
        self.out = out
        self.temporary = out.parent / f"{out.name}.tmp"
        self.temporary.mkdir(exist_ok=True)
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "cli", "tournament", "run", str(spec)),
                *("--out", str(out), "--no-report", *arguments),
            ],
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TMPDIR": str(self.temporary)},
        )

    def wait_for_games(self, count: int) -> None:
        """Wait until so many games are there, or the runner has ended."""
        try:
            wait_until(
                lambda: self.games >= count or self.process.poll() is not None,
                patience=PATIENCE + 10 * count,
            )
        except AssertionError:
            self.process.kill()
            raise

    def send(self, number: int) -> tuple[int, str]:
        """Send a signal to the runner alone, and return its exit code and what it has said."""
        self.process.send_signal(number)
        return self.finish()

    def finish(self) -> tuple[int, str]:
        """Wait for the end; return the exit code and what was said."""
        said, _ = self.process.communicate(timeout=3600)
        return self.process.returncode, said.decode()

    @property
    def games(self) -> int:
        path = self.out / "games.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    @property
    def children(self) -> list[int]:
        """The processes of the session that are left."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal():
                continue
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            state, session = fields[0], int(fields[3])
            if session == self.process.pid and state != "Z":
                found.append(int(entry.name))
        return found

    def wait_for_silence(self) -> None:
        """Wait until nothing of it is left: no process, and no temporary file."""
        wait_until(lambda: not self.children)
        assert list(self.temporary.iterdir()) == []
        assert {path.name for path in self.out.iterdir()} <= {"games.jsonl", "records", "spec.toml"}


def wait_until(holds: Callable[[], bool], *, patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)
