from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from grammar import tables
from grammar.tables import LEVELS, UnknownLevelError, grammar_text, table_for


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Use a cache of our own, and forget what this process remembers."""
    monkeypatch.setattr(tables, "CACHE", tmp_path / "cache")
    table_for.cache_clear()
    yield tmp_path / "cache"
    table_for.cache_clear()


def test_a_table_from_the_cache_is_the_one_that_was_made(cache: Path) -> None:
    made = table_for(20, partial_draws=False)
    assert len(list(cache.iterdir())) == 1
    table_for.cache_clear()
    assert table_for(20, partial_draws=False) == made


def test_a_cached_table_spares_the_analysis(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table_for(0, partial_draws=False)
    table_for.cache_clear()
    monkeypatch.setattr("grammar.compile.compile_grammar", None)
    assert table_for(0, partial_draws=False).starts
    assert cache.exists()


def test_a_damaged_cache_is_made_anew(cache: Path) -> None:
    made = table_for(0, partial_draws=False)
    (kept,) = cache.iterdir()
    kept.write_bytes(kept.read_bytes()[:1000])
    table_for.cache_clear()
    # Lark numbers the states anew each time.
    assert len(table_for(0, partial_draws=False).actions) == len(made.actions)


def test_a_folder_that_cannot_be_written_is_no_obstacle(cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    assert table_for(0, partial_draws=False).starts


def test_every_level_only_adds_to_the_one_below() -> None:
    for below, level in pairwise(LEVELS):
        lower = grammar_text(below, partial_draws=False)
        assert grammar_text(level, partial_draws=False).startswith(lower)


def test_a_wrong_level_is_named_with_the_right_ones() -> None:
    with pytest.raises(UnknownLevelError, match="no such press level: 25; the levels are 0, 10"):
        table_for(25, partial_draws=False)
