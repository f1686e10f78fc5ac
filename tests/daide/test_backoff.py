from random import Random

import pytest

from daide.backoff import NEVER, Backoff


def test_waits_grow_up_to_the_longest() -> None:
    backoff = Backoff(attempts=5, first=1.0, factor=3.0, longest=10.0, jitter=0.0)
    assert list(backoff.waits(Random(1))) == [1.0, 3.0, 9.0, 10.0, 10.0]


def test_jitter_only_shortens() -> None:
    waits = list(Backoff(attempts=50, first=1.0, factor=1.0, jitter=0.5).waits(Random(1)))
    assert all(0.5 <= wait <= 1.0 for wait in waits)
    assert len(set(waits)) > 1


def test_never_means_never() -> None:
    assert list(NEVER.waits(Random(1))) == []


def test_jitter_is_a_part() -> None:
    with pytest.raises(ValueError, match="jitter"):
        Backoff(jitter=1.5)
