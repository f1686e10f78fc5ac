"""The parser against a second reading of the documents; `second_reading_long` reads many more."""

import pytest

from grammar.text import from_text
from tests.grammar import second_reading_long
from tests.grammar.cases import ACCEPTED, REFUSED, Case
from tests.grammar.second_reading import read
from tests.grammar.second_reading_long import Comparison


def test_both_readings_agree_on_messages_and_on_what_a_changed_token_makes_of_them() -> None:
    comparison = Comparison(seed=1)
    comparison.run(1500)
    assert comparison.differences == []
    assert min(comparison.verdicts[word] for word in ("good", "HUH", "PRN")) > 100


@pytest.mark.parametrize("case", ACCEPTED, ids=str)
def test_the_second_reading_takes_what_the_productions_say(case: Case) -> None:
    if not case.marked.startswith("PRN"):
        assert read(case.tokens, case.sender.name.lower(), case.level) is None


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_the_second_reading_refuses_it_at_the_same_place(case: Case) -> None:
    if not case.marked.startswith("PRN"):
        assert read(case.tokens, case.sender.name.lower(), case.level) == case.at


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What if our parser took a turn for a message: the comparison would say so."""
    monkeypatch.setattr(second_reading_long, "ours", lambda *_, **__: None)
    comparison = Comparison()
    comparison.compare(from_text("SPR 1901"), "client", 0, partial=True)
    [difference] = comparison.differences
    assert difference.endswith("the parser says None, the documents say 0")
