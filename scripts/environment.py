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
LOCK = "requirements/lock.txt"
BUILD_INPUTS = ("pyproject.toml", "setup.py", "*/kernel/*.py", "*/kernel/_compiled/*.pxd")


def ensure_environment() -> Path:
    """Install what is missing or out of date, and return the folder of the programs."""
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    stamp = ENVIRONMENT / "installed-from"
    installed = stamp.read_text().split() if stamp.exists() else []
    wanted = [fingerprint(LOCK), fingerprint(*BUILD_INPUTS)]
    if installed != wanted:
        print("setting up .venv ...", file=sys.stderr, flush=True)
        if installed[:1] != wanted[:1]:
            install_dependencies()
        run_pip("--no-deps", "--no-build-isolation", "--editable", str(ROOT))
        stamp.write_text(" ".join(wanted))
    return programs()


def fingerprint(*patterns: str) -> str:
    """Hash the files that decide what is installed, and the Python it is installed for."""
    digest = hashlib.sha256(sys.version.encode())
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def install_dependencies() -> None:
    """Create the environment and fill it with the pinned versions."""
    try:
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
    except subprocess.CalledProcessError:
        sys.exit("this Python has no ensurepip; on Debian and Ubuntu: apt install python3-venv")
    run_pip("--require-hashes", "--requirement", str(ROOT / LOCK))


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
