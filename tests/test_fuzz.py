"""The kept inputs of the fuzzer, and a short run of it."""

from random import Random

import pytest

from grammar.text import from_text
from tests.fuzz import Behaviour, Breeder, FuzzError, Target, bred, corpus, frame, run


def test_fault_07_every_kept_input_is_handled() -> None:
    inputs = corpus()
    target = Target()
    for data in inputs:
        target.check(data)
    assert len(inputs) > 50


def test_fault_07_a_short_run_finds_nothing() -> None:
    breeder = Breeder(Random(1))
    seen: set[Behaviour] = set()
    report = run(bred(breeder, seconds=5, most=400), Target(), breeder, seen)
    assert report.failures == []
    assert report.novel


def test_the_fuzzer_notices_what_is_written_back_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.write", lambda _: (0,))
    with pytest.raises(FuzzError, match="writes"):
        Target().check(frame(from_text("MAP")))


def test_the_fuzzer_notices_an_unknown_token_that_is_relayed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    quoting = (*from_text("SND ( FRA ) ( HUH ("), 0x4F00, *from_text(") )"))
    Target().check(frame(quoting))
    monkeypatch.setattr("server.reading.judge_unfit", lambda message, *_: message)
    with pytest.raises(FuzzError, match="cannot know"):
        Target().check(frame(quoting))
