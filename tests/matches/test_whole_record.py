"""Records of finished games that depend on nothing but the match."""

import gzip
import json

import pytest

from matches import play
from matches.finished_game import FinishedGame
from matches.whole_record import packed_record, unpacked_record, whole_record
from rules.errors import BadInputError

TALKERS = ["blabbot", "diplominator", "dumbbot"]


def game(seed: int = 3, *, over_tcp: bool = False) -> FinishedGame:
    return play(
        TALKERS, variant="lagoon", seed=seed, last_year=1901, press_level=10, over_tcp=over_tcp
    )


def test_the_same_match_gives_the_same_bytes_however_it_is_staged() -> None:
    here = packed_record(game())
    assert here == packed_record(game())
    assert unpacked_record(here)["turns"] == whole_record(game(over_tcp=True))["turns"]
    assert here != packed_record(game(seed=4))


def test_nothing_in_it_tells_the_time_or_single_messages() -> None:
    record = whole_record(game())
    assert record["press"]
    assert {said["time"] for said in record["press"]} == {0.0}
    assert record["messages"] == []


def test_what_was_packed_is_unpacked_and_half_of_it_is_refused() -> None:
    packed = packed_record(game())
    assert unpacked_record(packed) == json.loads(json.dumps(whole_record(game())))
    middle = len(packed) // 2
    changed = packed[:middle] + bytes(255 - byte for byte in packed[middle:])
    for broken in (packed[:middle], changed, b"", b"no record", gzip.compress(b"{")):
        with pytest.raises(BadInputError, match=r"^game 3"):
            unpacked_record(broken, "game 3")


def test_what_unpacks_to_far_more_than_records_do_is_refused_before_it_fills_the_memory() -> None:
    spaces = gzip.compress(b" " * 1_000_000)
    with pytest.raises(BadInputError, match="far more than records do"):
        unpacked_record(spaces * 500, "game 3")
