"""A notebook's cells in one namespace, as Jupyter runs them; the value of each cell is kept."""

import ast
import json
from pathlib import Path
from typing import Any

from attrs import frozen

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "notebooks" / "negotiators.ipynb"


@frozen
class Executed:
    """What is left when a notebook has run."""

    names: dict[str, Any]
    values: list[Any]
    """What the last line of each cell gives, None where it gives nothing."""


def code_cells(path: Path = NOTEBOOK) -> list[str]:
    """Return the code of a notebook, a cell each."""
    cells = json.loads(path.read_text())["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def executed(cells: list[str]) -> Executed:
    """Run cells one after the other."""
    names: dict[str, Any] = {"__name__": "__main__"}
    values: list[Any] = []
    for number, text in enumerate(cells):
        tree = ast.parse(text)
        place = f"cell {number}"
        last = tree.body[-1]
        if isinstance(last, ast.Expr):
            tree.body.pop()
        exec(compile(tree, place, "exec"), names)
        shown = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
        values.append(eval(compile(shown, place, "eval"), names) if shown else None)
    return Executed(names, values)
