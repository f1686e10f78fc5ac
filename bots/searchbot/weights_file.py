"""Files of what was learned: compressed, the first line in JSON, then weights as 16-bit numbers.

The first line says what the weights are for and how they were made; the numbers have their low byte
first.
"""

import gzip
import json
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cli.whole_files import write_whole

LARGEST_FILE = 1 << 24
MOST_HIDDEN = 1024

# Arithmetic and recursion: numbers without end, and brackets without end.
UNREADABLE = (
    *(OSError, EOFError, zlib.error, ValueError, KeyError, TypeError),
    *(OverflowError, RecursionError),
)
"""What may happen while such a file is read and understood."""


def write_weights(path: Path, head: Mapping[str, Any], weights: Sequence[int]) -> None:
    """Write a file, the same bytes for the same weights."""
    numbers = array("h", weights)
    if sys.byteorder == "big":
        numbers.byteswap()
    data = json.dumps(head, sort_keys=True).encode() + b"\n" + numbers.tobytes()
    write_whole(path, gzip.compress(data, 9, mtime=0))


def read_head_and_weights(path: Path) -> tuple[dict[str, Any], "array[int]"]:
    """Read a file; whatever is wrong with it is one of `UNREADABLE`."""
    with gzip.open(path) as file:
        data = file.read(LARGEST_FILE)
    line, _, body = data.partition(b"\n")
    head = json.loads(line)
    numbers = array("h")
    numbers.frombytes(body)
    if sys.byteorder == "big":
        numbers.byteswap()
    return head, numbers


def check_names(*lists: Any) -> None:  # noqa: ANN401 - a file may say anything
    """Refuse what are no lists of names."""
    for names in lists:
        is_list = isinstance(names, list)
        if not is_list or not all(isinstance(name, str) for name in names):
            raise ValueError(f"{names!r:.40} are no names")


def check_weights(hidden: int, fewest: int, weights: int, wanted: int) -> None:
    """Refuse a size that no network has, and too many or too few weights."""
    if not fewest <= hidden <= MOST_HIDDEN:
        raise ValueError(f"hidden: {hidden} is not between {fewest} and {MOST_HIDDEN}")
    if weights != wanted:
        raise ValueError(f"it has {weights} weights, not {wanted}")
