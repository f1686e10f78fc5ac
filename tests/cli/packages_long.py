"""Wheel and sdist into empty environments, on every Python that is promised and is here.

    python -m tests.cli.packages_long [PYTHON...]

For each Python: the wheel made of the tree and the one made of the sdist hold the same; the wheel
and the sdist are installed by that Python's own pip into an environment with nothing in it, where
there is a C compiler and where there is none; then the command answers and plays from another
folder. One line a run; exit code 1 if one fails or a Python lacks.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from tests.cli.packages import contents, copy_tree, make, unpack

PROMISED = ("3.11", "3.12", "3.13")
TOOLS = ("setuptools>=77", "Cython>=3.1", "wheel")
PLAY = (
    *("play", "--variant", "lagoon", "--bots", "dumbbot*3", "--press-level", "0"),
    *("--last-year", "1902", "--seed", "1", "--json"),
)
PIP = ("-m", "pip", "install", "--verbose", "--no-cache-dir")
REMARK = "the kernel is not compiled"


def main(pythons: list[str]) -> int:
    """Try all of them and say how it went."""
    lacking = [] if pythons else [each for each in PROMISED if not find_python(each)]
    found = pythons or [python for each in PROMISED if (python := find_python(each))]
    write("".join(f"Python {each}: there is none here\n" for each in lacking))
    with TemporaryDirectory() as folder:
        tree = copy_tree(Path(folder) / "tree")
        tried = [each for python in found for each in try_python(python, tree, Path(folder))]
    return 0 if all(tried) and not lacking else 1


def find_python(version: str) -> str | None:
    """Return a Python of this version that starts."""
    versions = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    places = [which(f"python{version}"), *map(str, versions.glob(f"{version}.*/bin/python3"))]
    return next((place for place in places if place and starts(place)), None)


def starts(python: str) -> bool:
    """Whether a program runs: one that only stands for another may not."""
    return subprocess.run([python, "-c", ""], capture_output=True, check=False).returncode == 0


def try_python(python: str, tree: Path, folder: Path) -> Iterator[bool]:
    """Make and install everything with one Python."""
    version = say(python, "-c", "import sys; print(sys.version.split()[0])").strip()
    room = folder / version
    tools = environment(python, room / "tools")
    say(tools, "-m", "pip", "install", "--quiet", *TOOLS)
    sdist, _ = make("sdist", tree, room / "dist", tools)
    unpacked = unpack(sdist, room / "unpacked")
    wheel, _ = make("wheel", unpacked, room / "dist", tools)

    def same_wheels() -> str:
        other, _ = make("wheel", tree, room / "other", tools)
        assert contents(wheel) == contents(other)
        assert any(name.endswith((".so", ".pyd")) for name in contents(wheel))
        return f"{len(contents(wheel))} files"

    yield tell(f"{version}, wheel of the tree and of the sdist", same_wheels)
    for what in (wheel, sdist):
        for compiler in (True, False):
            name = "with a compiler" if compiler else "without a compiler"
            place = room / f"{what.suffix[1:]}-{compiler}"
            kind = "wheel" if what is wheel else "sdist"
            run = partial(install, python, what, place, compiler=compiler)
            yield tell(f"{version}, {kind} {name}", run)


def tell(what: str, run: Callable[[], str]) -> bool:
    """Run one of them and print its line."""
    start = time.monotonic()
    try:
        how = f"ok, {run()}"
    except (AssertionError, subprocess.CalledProcessError) as error:
        write(f"{what}: FAILED\n{error}\n{getattr(error, 'stderr', '')}\n")
        return False
    write(f"{what}: {how}, {time.monotonic() - start:.0f} s\n")
    return True


def write(text: str) -> None:
    """Write at once."""
    sys.stdout.write(text)
    sys.stdout.flush()


def install(python: str, package: Path, place: Path, *, compiler: bool) -> str:
    """Install into an empty environment and use what is there."""
    program = environment(python, place)
    programs = str(Path(program).parent)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}" if compiler else programs
    told = say(program, *PIP, str(package), said_aside=True, PATH=path)
    say(program, "-m", "pip", "check")
    is_compiled = compiler or package.suffix == ".whl"
    assert told.count(REMARK) == (0 if is_compiled else 1), told
    daide = str(Path(programs) / "daide")
    away = place / "away"
    away.mkdir()
    found = {each["what"]: each for each in json.loads(say(daide, "doctor", "--json", at=away))}
    assert found["kernel"]["found"].startswith("compiled" if is_compiled else "plain"), found
    assert say(daide, "--version", at=away).strip() in package.name
    assert '"ok": true' in say(daide, "parse", "SND ( FRA ) ( PRP ( PCE ( ENG FRA ) ) )", at=away)
    game = json.loads(say(daide, *PLAY, at=away))
    assert (game["outcome"], game["year"]) == ("year-limit", 1902), game
    return "compiled" if is_compiled else "plain"


def environment(python: str, place: Path) -> str:
    """Make an empty environment and return its Python."""
    say(python, "-m", "venv", str(place))
    return str(place / ("Scripts" if os.name == "nt" else "bin") / "python")


def say(
    program: str,
    *arguments: str,
    at: Path | None = None,
    said_aside: bool = False,
    **variables: str,
) -> str:
    """Run a program and return what it prints, on request also on standard error."""
    kept = {key: text for key, text in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run(
        [program, *arguments],
        cwd=at,
        env={**kept, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if said_aside else subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
