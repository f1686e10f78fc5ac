"""Make the project's own virtual environment, so that its commands need nothing but Python.

Standard library only: this runs before anything is installed. The environment is made once and
made anew only when the pinned versions, the build recipe or the compiled sources have changed.
"""

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)
BUILD_INPUTS = ("pyproject.toml", "setup.py", "rules/kernel/*.py", "rules/kernel/_compiled/*.pxd")


def ensure_environment() -> Path:
    """Install what the lock file names, unless it is there already, and return the bin folder."""
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    lock = ROOT / "requirements" / "lock.txt"
    stamp = ENVIRONMENT / "installed-from"
    wanted = fingerprint(lock)
    if not (stamp.exists() and stamp.read_text() == wanted):
        install(lock)
        stamp.write_text(wanted)
    return programs()


def fingerprint(lock: Path) -> str:
    """Hash everything that decides what the environment holds."""
    digest = hashlib.sha256(sys.version.encode())
    inputs = [path for pattern in BUILD_INPUTS for path in sorted(ROOT.glob(pattern))]
    for path in (lock, *inputs):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def install(lock: Path) -> None:
    """Create the environment and fill it, saying so: it takes a while the first time."""
    print("setting up .venv (once) ...", file=sys.stderr, flush=True)
    try:
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
    except subprocess.CalledProcessError:
        sys.exit("this Python has no ensurepip; on Debian and Ubuntu: apt install python3-venv")
    run_pip("--require-hashes", "--requirement", str(lock))
    run_pip("--no-deps", "--no-build-isolation", "--editable", str(ROOT))


def run_pip(*arguments: str) -> None:
    """Call pip quietly; its own message says what went wrong."""
    pip = [str(programs() / "python"), "-m", "pip", "--disable-pip-version-check"]
    done = subprocess.run([*pip, "install", "--quiet", *arguments], check=False)
    if done.returncode:
        sys.exit(done.returncode)


def programs() -> Path:
    """Return the folder in which the environment keeps its programs."""
    return ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")


def call(*command: str) -> int:
    """Run one program of the environment in the project's folder and return its exit code."""
    program, *arguments = command
    try:
        return subprocess.run(
            [str(ensure_environment() / program), *arguments], cwd=ROOT, check=False
        ).returncode
    except KeyboardInterrupt:
        return 130
