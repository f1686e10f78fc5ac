"""The Python snippets of README and docs are run, so that they stay true."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SNIPPET = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def snippets() -> list[tuple[str, str]]:
    return [
        (f"{path.name}-{number}", text)
        for path in DOCUMENTS
        for number, text in enumerate(SNIPPET.findall(path.read_text()), 1)
    ]


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in snippets()])
def test_a_snippet_runs_as_it_stands(text: str) -> None:
    exec(compile(text, "snippet", "exec"), {})
