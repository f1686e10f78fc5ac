"""What is installed, and what is published: all of it, and nothing else.

`python -m tests.cli.packages_long` installs both on every Python, with and without a compiler.
"""

import re
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from cli.foreign import OURS
from tests.cli.packages import ROOT, contents, copy_tree, make, tracked_files, unpack

# `daide bench` and `daide tournament reproduce` need them wherever the command is installed.
INSTALLED = (*OURS, "benchmarks", "experiments")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_tree(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def sdist(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made, _ = make("sdist", tree, tmp_path_factory.mktemp("sdist"), sys.executable)
    return unpack(made, tmp_path_factory.mktemp("unpacked"))


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("wheel")
    made, _ = make("wheel", sdist, place, sys.executable, DAIDE_PURE="1")
    return made


def test_the_sdist_holds_every_file_of_the_tree(sdist: Path) -> None:
    held = {str(each.relative_to(sdist)) for each in sdist.rglob("*") if each.is_file()}
    assert set(tracked_files()) - held == set()
    more = {name for name in held - set(tracked_files()) if not name.startswith("daide.egg-info")}
    assert more <= {"PKG-INFO", "setup.cfg"}


def test_the_wheel_holds_every_file_of_our_packages(wheel: Path) -> None:
    held = set(contents(wheel))
    ours = {name for name in tracked_files() if name.split("/")[0] in INSTALLED}
    assert ours - held == set()
    assert {name for name in held - ours if ".dist-info/" not in name} == set()


def test_the_wheel_that_is_not_compiled_fits_every_machine(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")


def test_the_wheel_says_its_command_licence_and_pythons(wheel: Path) -> None:
    held = {name.partition(".dist-info/")[2]: text for name, text in contents(wheel).items()}
    assert b"daide = cli.main:main" in held["entry_points.txt"]
    assert held["licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()
    about = held["METADATA"].decode()
    assert "License-Expression: MIT" in about
    assert "Requires-Python: >=3.11" in about


def test_every_python_that_is_promised_is_in_the_hosted_run() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    promised = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    hosted = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    assert promised
    assert all(f'"{version}"' in hosted for version in promised)


def test_the_image_is_built_from_all_our_packages() -> None:
    kept = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert {*INSTALLED, "setup.py", "pyproject.toml", "LICENSE"} <= set(kept)
    include = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = include["tool"]["setuptools"]["packages"]["find"]["include"]
    assert all(any(fnmatch(name, pattern) for pattern in patterns) for name in INSTALLED)
