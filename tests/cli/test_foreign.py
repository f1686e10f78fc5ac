"""Packages of others under our names: said in a sentence, before anything goes wrong."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.foreign import OURS, foreign_packages
from tests.test_architecture import LAYERS


def test_all_our_packages_are_looked_for() -> None:
    assert set(OURS) == set(LAYERS)


def test_nothing_foreign_is_found_where_there_is_nothing() -> None:
    assert foreign_packages() == {}


@pytest.mark.parametrize("name", ["rules", "grammar"])
@pytest.mark.parametrize("kind", ["module", "package"])
def test_a_foreign_package_is_named_with_the_cure(name: str, kind: str, tmp_path: Path) -> None:
    if kind == "module":
        (tmp_path / f"{name}.py").write_text("")
    else:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "cli", "bots"],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert str(tmp_path / name) in done.stderr
    assert "environment of its own" in done.stderr
