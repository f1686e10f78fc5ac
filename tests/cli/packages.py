"""Our wheel and sdist, made from the files under version control and from nothing else."""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MAKE = "import sys; from setuptools import build_meta; print(build_meta.build_{}(sys.argv[1]))"


def tracked_files() -> list[str]:
    """Return the files under version control; skip where there is none."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("this tree is not under version control")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()]


def copy_tree(to: Path) -> Path:
    """Copy what is under version control, as a clone would, changes of today included."""
    for name in tracked_files():
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name)
    return to


def make(kind: str, source: Path, to: Path, python: str, **variables: str) -> tuple[Path, str]:
    """Make a `wheel` or an `sdist` with the tools that this Python has; also what was said."""
    to.mkdir(exist_ok=True)
    done = subprocess.run(
        [python, "-c", MAKE.format(kind), str(to)],
        cwd=source,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return to / done.stdout.split()[-1], done.stderr


def unpack(sdist: Path, to: Path) -> Path:
    """Unpack an sdist and return its one folder."""
    with tarfile.open(sdist) as archive:
        archive.extractall(to, filter="data")
    (folder,) = to.iterdir()
    return folder


def contents(wheel: Path) -> dict[str, bytes]:
    """Return what a wheel holds; of what is compiled, and of the list of hashes, the name only."""
    with ZipFile(wheel) as archive:
        return {
            name: b"" if name.endswith((".so", ".pyd", "RECORD")) else archive.read(name)
            for name in archive.namelist()
        }
