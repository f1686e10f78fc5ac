"""What the compiler takes for numbers must mean the same everywhere."""

import ast
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SETUP = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8"))
(GIVEN,) = (
    ast.literal_eval(each.value)
    for each in SETUP.body
    if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "CONSTANTS"
)


def names_of(path: Path) -> set[str]:
    """Return the names in capital letters that a module gives a meaning."""
    return {
        target.id
        for each in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name) and target.id.isupper()
    }


SOURCES = sorted(
    path
    for package in ("rules", "bots")
    for path in (ROOT / package / "kernel").glob("*.py")
    if path.with_name("_compiled").joinpath(f"{path.stem}.pxd").is_file()
)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_compiled_module_gives_a_shared_name_a_meaning_of_its_own(path: Path) -> None:
    shared = {name for each in GIVEN for name in names_of(ROOT / each)}
    assert not names_of(path) & shared


def test_shared_names_are_given_once() -> None:
    meanings: dict[str, object] = {}
    for each in GIVEN:
        for name in names_of(ROOT / each):
            assert name not in meanings
            meanings[name] = runpy.run_path(str(ROOT / each))[name]
    assert meanings
