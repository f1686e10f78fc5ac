"""Make the project's own virtual environment, so that its commands need nothing but Python.

Standard library only: this runs before anything is installed. What playing needs comes first; the
kernel is compiled behind the first game, which runs on the plain one; `scripts/test` and
`scripts/check` add their tools, and `scripts/test --research` what researchers read tables with.
Only what has changed is done anew.

    python3 scripts/environment.py kernel       compiles the kernel now, in sight
"""

# An older Python must come as far as the sentence that says so: it reads no `str | None`.
from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections import deque
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
STAMP = ENVIRONMENT / "installed-from"
KERNEL_LOG = ENVIRONMENT / "kernel.log"
OLDEST_PYTHON = (3, 11)
PLAY = "requirements/play.txt"
COMPILER = "requirements/kernel.txt"
EVERYTHING = "requirements/lock.txt"
RESEARCH = "requirements/research.txt"
BUILD_INPUTS = ("setup.py", COMPILER, "*/kernel/*.py", "*/kernel/_compiled/*.pxd")
# As long as it is not there, nobody looks for the others: it comes last, and goes first.
GATE = "simulator."
NO_VENV = "this Python cannot make environments; on Debian and Ubuntu: apt install python3-venv"
CURE = "make room, or use a clone in a folder of your own"


def ensure_environment(*, tools: bool = False, research: bool = False) -> Path:
    """Install what is missing or out of date, and return the folder of the programs."""
    if sys.version_info < OLDEST_PYTHON:
        sys.exit(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}")
    # An environment that has the tools keeps them, and its kernel is always up to date.
    tools = tools or bool(read_stamp().get("tools"))
    research = research or "research" in read_stamp()
    goal = wanted(tools=tools, research=research)
    if read_stamp() != goal or not is_linked():
        try:
            with only_one(ENVIRONMENT.with_suffix(".lock"), "another set-up is at work here"):
                set_up(goal)
        except KeyboardInterrupt:
            sys.exit(130)
        except OSError as error:
            place = error.filename or ENVIRONMENT
            sys.exit(f"{place}: the set-up cannot write there: {error.strerror}; {CURE}")
    return programs()


def wanted(*, tools: bool, research: bool) -> dict[str, Any]:
    """Return what the stamp says when everything is there."""
    return {
        "python": sys.version,
        "tools": tools,
        "packages": fingerprint(EVERYTHING if tools else PLAY),
        "kernel": wanted_kernel(),
        **({"research": fingerprint(RESEARCH)} if research else {}),
    }


def wanted_kernel() -> str:
    """Return what the stamp says when the kernel is compiled, or cannot be."""
    return f"{fingerprint(*BUILD_INPUTS)} by {compiler()}"


def compiler() -> str | None:
    """Return the C compiler; None if there is none."""
    if os.name == "nt":
        return "MSVC"  # setuptools knows where to look for it
    words = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    return next((found for name in (words[0], "cc") if (found := shutil.which(name))), None)


def read_stamp() -> dict[str, Any]:
    """Return what is installed, nothing if that is not known."""
    text = STAMP.read_text() if STAMP.exists() else "{}"
    if text.startswith("{"):
        stamp: dict[str, Any] = json.loads(text)
        return stamp
    # Earlier environments had everything, and two hashes in their stamp.
    return {"python": sys.version, "tools": True, "packages": text.partition(" ")[0]}


def write_stamp(**changes: object) -> None:
    """Remember what is installed."""
    fresh = STAMP.with_suffix(".new")
    fresh.write_text(json.dumps(read_stamp() | changes))
    fresh.replace(STAMP)


def fingerprint(*patterns: str) -> str:
    """Hash the files that decide what is installed, and the Python it is installed for."""
    digest = hashlib.sha256(sys.version.encode())
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()


# --- the steps ------------------------------------------------------------------------------------


def set_up(goal: dict[str, Any]) -> None:
    """Do what is left to do until the stamp says so, and say what it is."""
    stamp, tools = read_stamp(), goal["tools"]
    is_new = stamp.get("python") != goal["python"]
    kept = ("tools", "packages", "research")
    lacks_packages = is_new or any(stamp.get(key) != goal.get(key) for key in kept)
    lacks_kernel = stamp.get("kernel") != goal["kernel"]
    steps = Steps(is_new + lacks_packages + (tools and lacks_kernel))
    if is_new:
        with steps.step("making an environment"):
            make_environment()
    link_project()
    if lacks_packages:
        locks = [EVERYTHING if tools else PLAY, *([RESEARCH] if "research" in goal else [])]
        with steps.step(f"installing {len(packages_of(*locks))} packages") as say:
            run_pip(say, *locks)
        write_stamp(**{**goal, "kernel": stamp.get("kernel")})
    if lacks_kernel:
        if tools:
            with steps.step("compiling the kernel"):
                build_kernel()
        else:
            build_kernel_behind_us()


class Steps:
    """Tells how far the set-up is."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._done = 0
        self._is_terminal = sys.stderr.isatty()
        if count:
            self._write(f"setting up daide in {ROOT}, this once:\n")

    @contextmanager
    def step(self, what: str) -> Iterator[Say]:
        """Say what is being done, and how long it took."""
        self._done += 1
        start = time.monotonic()
        text = f"  [{self._done}/{self._count}] {what}"
        self._write(f"{text} ..." if self._is_terminal else f"{text}\n")
        try:
            yield Say(text if self._is_terminal else None)
        except BaseException:
            self._write("\n" if self._is_terminal else "")  # what comes next has a line of its own
            raise
        if self._is_terminal:
            self._write(f"\r\x1b[K{text}: {time.monotonic() - start:.1f} s\n")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


class Say:
    """Tells what a step is at, where there is a terminal."""

    def __init__(self, text: str | None) -> None:
        self._text = text

    def __call__(self, what: str) -> None:
        """Show it in the place of what was there."""
        if self._text is not None:
            # A line that is broken could not be taken back.
            room = shutil.get_terminal_size().columns - 1
            sys.stderr.write(f"\r\x1b[K{f'{self._text}: {what}'[:room]}")
            sys.stderr.flush()


def make_environment() -> None:
    """Create the environment, empty."""
    try:
        # Some systems have them in a package of their own.
        import ensurepip  # noqa: F401, PLC0415 - only to see whether it is there
        import venv  # noqa: PLC0415 - only where one is made
    except ImportError:
        sys.exit(NO_VENV)
    try:
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
    except subprocess.CalledProcessError as error:
        lines = (error.output or b"").decode(errors="replace").splitlines()
        told = next((line for line in lines if line.startswith("ERROR")), NO_VENV)
        sys.exit(f"the set-up cannot make an environment: {told}")


def is_linked() -> bool:
    """Whether the environment finds the project where it is, and we the environment."""
    return all(file.is_file() and file.read_bytes() == held for file, held in links().items())


def links() -> dict[Path, bytes]:
    """Return the files by which the environment and the project find each other."""
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(ENVIRONMENT)}))
    # From there to here: Python reads the file in the encoding of the day, so it holds no names.
    found = {packages / "daide.pth": os.fsencode(os.path.relpath(ROOT, packages)) + b"\n"}
    if os.name == "posix":
        python = shlex.quote(str(programs() / "python"))
        found[programs() / "daide"] = os.fsencode(f'#!/bin/sh\nexec {python} -P -m cli "$@"\n')
    return found


def link_project() -> None:
    """Let the environment find the project where it is: nothing is copied."""
    for file, held in links().items():
        for pattern in ("__editable__*daide*", "daide-*.dist-info"):
            for old in file.parent.glob(pattern):  # of earlier environments
                shutil.rmtree(old) if old.is_dir() else old.unlink()
        file.write_bytes(held)
        file.chmod(0o755)


def packages_of(*locks: str) -> set[str]:
    """Return the packages that are pinned, by their names."""
    lines = [line for lock in locks for line in (ROOT / lock).read_text().splitlines()]
    return {line.partition("==")[0] for line in lines if line[:1].isalpha()}


def run_pip(say: Say, *locks: str) -> None:
    """Install pinned packages; pip's own message says what went wrong.

    One at a time: it stumbles over what another one has half installed, as for the kernel that is
    compiled behind a game.
    """
    with only_one(ENVIRONMENT / "pip.lock"):
        run_only_pip(say, *locks)


def run_only_pip(say: Say, *locks: str) -> None:
    """Install pinned packages while nobody else does."""
    pip = [str(programs() / "python"), "-m", "pip", "--disable-pip-version-check", "install"]
    files = [part for lock in locks for part in ("--requirement", str(ROOT / lock))]
    running = subprocess.Popen(
        [*pip, "--require-hashes", *files],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        preexec_fn=ending_with_us(),  # noqa: PLW1509 - there are no threads
    )
    assert running.stdout is not None
    last: deque[str] = deque(maxlen=20)
    for line in running.stdout:
        last.append(line)
        if name := re.match(r"(Collecting|Installing) (collected packages|[\w.-]+)", line):
            say(name[2])
    if running.wait():
        sys.stderr.write("\n" + "".join(last))
        sys.exit("the set-up needs packages that pip could not install; see its message above")


# --- the kernel -----------------------------------------------------------------------------------


def build_kernel_behind_us() -> None:
    """Let another process compile the kernel, and do not wait."""
    if compiler() is None:
        sys.stderr.write(
            "no C compiler is here: games run on the plain kernel, at half the speed\n"
        )
        remove_stale_kernel()
        write_stamp(kernel=wanted_kernel())
        return
    remove_stale_kernel()
    place = KERNEL_LOG.relative_to(ROOT)
    sys.stderr.write(f"the kernel is compiled meanwhile; until then games take longer ({place})\n")
    os.environ["DAIDE_KERNEL_COMES"] = "1"
    with KERNEL_LOG.open("w") as log:
        subprocess.Popen(
            [str(programs() / "python"), str(Path(__file__).resolve()), "behind"],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def ending_with_us() -> Callable[[], None] | None:
    """Return what lets Linux end a child with the set-up, which a signal may leave no time."""
    if sys.platform != "linux":
        return None
    import ctypes  # noqa: PLC0415 - not needed when everything is there

    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def build_kernel() -> None:
    """Compile the kernel and put it where it is looked for, all of it or nothing."""
    with only_one(ENVIRONMENT / "kernel.lock"):
        if read_stamp().get("kernel") == wanted_kernel():
            return  # somebody else was faster
        goal = wanted_kernel()
        remove_kernel()
        if not read_stamp().get("tools"):
            run_pip(Say(None), COMPILER)
        built = ROOT / "build" / "kernel"
        shutil.rmtree(built, ignore_errors=True)
        places = ["--build-lib", str(built), "--build-temp", str(ROOT / "build" / "temp")]
        done = subprocess.run(
            [str(programs() / "python"), "setup.py", "--quiet", "build_ext", *places],
            cwd=ROOT,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            preexec_fn=ending_with_us(),
        )
        made = sorted(compiled_files(built), key=lambda file: file.name.startswith(GATE))
        for file in made:
            file.replace(ROOT / file.relative_to(built))
        write_stamp(kernel=goal)
        if not made:
            sys.stderr.write(f"{done.stderr.strip() or done.stdout.strip()}\n")


def build_kernel_anew() -> None:
    """Compile the kernel in sight, also in a clone that was never set up."""
    ensure_environment()
    write_stamp(kernel=None)
    build_kernel()


def remove_stale_kernel() -> None:
    """Remove a compiled kernel that is not that of the sources, unless somebody is compiling."""
    with suppress(BlockingIOError), only_one(ENVIRONMENT / "kernel.lock", None):
        if read_stamp().get("kernel") != wanted_kernel():
            remove_kernel()


def remove_kernel() -> None:
    """Remove a compiled kernel, which may not be that of the sources."""
    files = [file for file in compiled_files(ROOT) if ".venv" not in file.parts]
    for file in sorted(files, key=lambda file: not file.name.startswith(GATE)):
        file.unlink()


def compiled_files(root: Path) -> list[Path]:
    """Return the compiled modules."""
    return [
        file for suffix in ("so", "pyd") for file in root.glob(f"*/kernel/_compiled/*.{suffix}")
    ]


@contextmanager
def only_one(lock: Path, notice: str | None = "") -> Iterator[None]:
    """Wait until nobody else is at it, where the system can tell.

    Whoever has to wait is told so by the notice; with None nobody waits: `BlockingIOError`.
    """
    try:
        import fcntl  # noqa: PLC0415 - Windows has none
    except ImportError:
        yield
        return
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if notice is None:
                raise
            sys.stderr.write(f"{notice}; waiting for its end\n" if notice else "")
            sys.stderr.flush()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


# --- for the scripts ------------------------------------------------------------------------------


def programs() -> Path:
    """Return the folder in which the environment keeps its programs."""
    return ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")


def call(*command: str, research: bool = False) -> int:
    """Run one program of the environment, tools included, and return its exit code."""
    program, *arguments = command
    try:
        return subprocess.run(
            [str(ensure_environment(tools=True, research=research) / program), *arguments],
            cwd=ROOT,
            check=False,
        ).returncode
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    if sys.argv[1:] == ["behind"]:
        with suppress(AttributeError):  # Windows
            os.nice(10)
        build_kernel()
    elif sys.argv[1:] == ["kernel"]:
        build_kernel_anew()
    else:
        sys.exit("usage: python3 scripts/environment.py kernel")
