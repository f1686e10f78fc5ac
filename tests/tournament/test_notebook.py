"""The notebook in docs: it runs as it stands, with fewer games, while an event loop runs."""

import json
from collections import Counter

import pytest

from tests.tournament.notebooks import NOTEBOOK, code_cells, executed

GAMES = "GAMES = 28"


async def test_the_notebook_goes_from_nothing_to_pictures() -> None:
    pytest.importorskip("quickjs", reason="the extra `pictures` is not installed")
    cells = code_cells()
    assert sum(GAMES in text for text in cells) == 1
    done = executed([text.replace(GAMES, "GAMES = 7") for text in cells])
    names = done.names
    assert len(names["games"]) == 7
    told = Counter(row["verdict"] for row in names["games"].tables["promises"])
    counted: Counter[str] = Counter()
    for row in names["by_pair"].values():
        counted.update(row)
    assert counted["kept"] >= told["kept"] > 0
    assert set(names["points"]) == {"banker", "diplominator"}
    assert done.values[-2]._repr_svg_().count("<title>") == sum(map(len, names["points"].values()))
    stab = done.values[-1]._repr_svg_()
    assert "dagger" in stab
    assert str(names["turn"].year) in stab


def test_the_notebook_is_kept_without_outputs_in_a_form_that_jupyter_reads() -> None:
    data = json.loads(NOTEBOOK.read_text())
    assert (data["nbformat"], data["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in data["cells"]}) == len(data["cells"])
    code = [cell for cell in data["cells"] if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
