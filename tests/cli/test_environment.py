"""The set-up of a clone, `scripts/environment.py`: what goes wrong is said."""

import ast
import importlib.util
import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "environment.py"
OLDEST_THAT_IS_TOLD = (3, 8)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return an empty project in a folder with a difficult name."""
    folder = tmp_path / "mein schöner Ordner, O'Brien's $HOME"
    folder.mkdir()
    return folder


@pytest.fixture
def environment(clone: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script as if it stood in that folder."""
    spec = importlib.util.spec_from_file_location("environment_of_a_clone", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    place(module, clone, monkeypatch)
    monkeypatch.setenv("CC", sys.executable)
    return module


def place(module: ModuleType, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROOT", root)
    monkeypatch.setattr(module, "ENVIRONMENT", root / ".venv")
    monkeypatch.setattr(module, "STAMP", root / ".venv" / "installed-from")


def link(environment: ModuleType) -> list[Path]:
    for file in environment.links():
        file.parent.mkdir(parents=True, exist_ok=True)
    environment.link_project()
    return list(environment.links())


def test_an_older_python_comes_as_far_as_the_sentence_that_says_so(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = ast.parse(SCRIPT.read_text(), feature_version=OLDEST_THAT_IS_TOLD)
    first = next(node for node in tree.body if isinstance(node, ast.ImportFrom))
    assert (first.module, [each.name for each in first.names]) == ("__future__", ["annotations"])
    monkeypatch.setattr(sys, "version_info", (3, 9, 6, "final", 0))
    with pytest.raises(SystemExit, match=r"^Python 3.11 or newer is needed"):
        environment.ensure_environment()


@pytest.mark.skipif(os.name != "posix", reason="sets a locale")
def test_a_folder_of_any_name_is_found_in_any_locale(environment: ModuleType, clone: Path) -> None:
    packages = link(environment)[0].parent
    add = f"import os, site, sys; site.addsitedir({str(packages)!a})"
    program = f"{add}; print(os.fsencode(sys.path[-1]))"
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    found = subprocess.run(
        [sys.executable, "-I", "-c", program],
        env={**os.environ, **plain},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == repr(os.fsencode(clone))


@pytest.mark.skipif(os.name != "posix", reason="runs a shell script")
def test_the_command_of_a_clone_can_be_called_and_follows_it_when_it_moves(
    environment: ModuleType, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = link(environment)[1]
    (clone / ".venv" / "bin" / "python").symlink_to("/bin/echo")
    called = subprocess.run([program, "a b"], capture_output=True, text=True, check=True)
    assert called.stdout == "-P -m cli a b\n"
    assert environment.is_linked()
    moved = clone.rename(clone.with_name("moved"))
    place(environment, moved, monkeypatch)
    assert not environment.is_linked()
    link(environment)
    assert environment.is_linked()


def test_a_place_that_cannot_be_written_is_named(
    environment: ModuleType, clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (clone / "file").touch()
    place(environment, clone / "file", monkeypatch)
    with pytest.raises(SystemExit, match=r"file: the set-up cannot write there: .*; make room"):
        environment.ensure_environment()


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_environments_is_told_with_the_cure(
    environment: ModuleType, clone: Path, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(SystemExit, match="apt install python3-venv"):
        environment.ensure_environment()
    assert not (clone / ".venv").exists()


def compiled(clone: Path) -> Path:
    file = clone / "rules" / "kernel" / "_compiled" / "simulator.so"
    file.parent.mkdir(parents=True)
    file.touch()
    (clone / ".venv").mkdir()
    return file


def test_a_kernel_of_other_sources_is_removed(environment: ModuleType, clone: Path) -> None:
    kernel = compiled(clone)
    environment.remove_stale_kernel()
    assert not kernel.exists()


def test_a_kernel_that_has_just_been_compiled_stays(environment: ModuleType, clone: Path) -> None:
    kernel = compiled(clone)
    with environment.only_one(clone / ".venv" / "kernel.lock"):
        environment.remove_stale_kernel()  # somebody is at it, and puts it there at this moment
        environment.write_stamp(kernel=environment.wanted_kernel())
    environment.remove_stale_kernel()
    assert kernel.exists()


class Told(io.StringIO):
    """Standard error that rings when something is written."""

    def __init__(self) -> None:
        super().__init__()
        self.rang = threading.Event()

    def write(self, text: str) -> int:
        written = super().write(text)
        self.rang.set()
        return written


def test_the_kernel_is_compiled_on_demand_in_a_clone_that_was_never_set_up(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    stamps: list[dict[str, Any]] = []
    monkeypatch.setattr(environment, "make_environment", environment.ENVIRONMENT.mkdir)
    monkeypatch.setattr(
        environment,
        "ensure_environment",
        lambda: (environment.make_environment(), environment.write_stamp(kernel="made")),
    )
    monkeypatch.setattr(
        environment, "build_kernel", lambda: stamps.append(environment.read_stamp())
    )
    environment.build_kernel_anew()
    assert stamps == [{"kernel": None}]


@pytest.mark.skipif(os.name != "posix", reason="needs fcntl")
def test_whoever_waits_for_another_set_up_is_told(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, lock = Told(), tmp_path / "lock"
    monkeypatch.setattr(sys, "stderr", told)

    def wait() -> None:
        with environment.only_one(lock, "another set-up is at work here"):
            pass

    waiting = threading.Thread(target=wait)
    with environment.only_one(lock):
        waiting.start()
        assert told.rang.wait(60)
    waiting.join()
    assert told.getvalue() == "another set-up is at work here; waiting for its end\n"


@pytest.mark.skipif(os.name != "posix", reason="needs fcntl")
def test_nothing_is_installed_while_something_else_is(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed: list[str] = []
    monkeypatch.setattr(
        environment, "run_only_pip", lambda _say, *locks: installed.extend(locks), raising=False
    )
    # Where it does not wait, pip is asked for at once.
    monkeypatch.setattr(environment.subprocess, "Popen", lambda *_, **__: installed.append("pip"))
    environment.ENVIRONMENT.mkdir()
    installing = threading.Thread(target=environment.run_pip, args=(None, "lock.txt"))
    with environment.only_one(environment.ENVIRONMENT / "pip.lock"):
        installing.start()
        installing.join(0.3)
        assert installed == []
    installing.join()
    assert installed == ["lock.txt"]


def test_a_step_keeps_to_one_line_of_a_narrow_terminal(
    environment: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    environment.Say("  [2/2] installing 19 packages")("collected packages")
    assert capsys.readouterr().err == "\r\x1b[K  [2/2] installing 19 packages: collect"
