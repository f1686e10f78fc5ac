"""Do the tests see it when a repair is undone? `python -m tests.server.undone`.

Takes a copy of the tree, undoes one repair of `tests/data/undone.toml` after the other by a small
edit, and runs the tests that are meant to notice. Prints what each did. Exit code 1 if a repair can
be undone without a failure; a test that cannot even be run is no failure of that kind.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[2]
LIST = ROOT / "tests" / "data" / "undone.toml"
LEFT_OUT = (".venv", ".git", "__pycache__", ".*_cache", "build")
FAILED = 1
"""What pytest says where tests were run and some failed."""


@frozen
class Undo:
    """One repair, and the edit that takes it back."""

    finding: str
    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def edited(self, root: Path) -> str:
        """Return the file without the repair; raises ValueError if that cannot be said."""
        text = (root / self.file).read_text()
        if text.count(self.old) != 1:
            raise ValueError(f"{self.file}: not there exactly once: {self.old!r}")
        return text.replace(self.old, self.new)


def undos() -> list[Undo]:
    """Return all of them."""
    listed = tomllib.loads(LIST.read_text())["undo"]
    return [Undo(**(each | {"tests": tuple(each["tests"])})) for each in listed]


def is_noticed(undo: Undo, root: Path) -> dict[str, bool]:
    """Undo a repair in a tree for a while, and tell by test whether it fails."""
    path = root / undo.file
    before = path.read_text()
    path.write_text(undo.edited(root))
    try:
        return {test: _run(test, root) == FAILED for test in undo.tests}
    finally:
        path.write_text(before)


def _run(test: str, root: Path) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test]
    return subprocess.run(command, cwd=root, capture_output=True, check=False).returncode


def main() -> int:
    """Try those that are asked for."""
    parser = argparse.ArgumentParser(description="undo repairs, and see whether a test fails")
    parser.add_argument("words", nargs="*", help="only those with one of these in what they undo")
    words = parser.parse_args().words
    chosen = [each for each in undos() if not words or any(word in each.what for word in words)]
    unnoticed = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
        for undo in chosen:
            found = is_noticed(undo, copy)
            unnoticed += [f"{undo.what}: {test}" for test, seen in found.items() if not seen]
            told = {"finding": undo.finding, "undone": undo.what, "fails": found}
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()
    sys.stdout.write(json.dumps({"undone": len(chosen), "unnoticed": unnoticed}) + "\n")
    return bool(unnoticed)


if __name__ == "__main__":
    sys.exit(main())
