import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "adjudicator.md"
SNIPPETS = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_a_snippet_of_the_guide_runs(snippet: str) -> None:
    exec(compile(snippet, str(GUIDE), "exec"), {})
