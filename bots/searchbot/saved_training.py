"""A training between two rounds, as a file: its recipe, how far it is, and all its numbers."""

import gzip
import json
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bots.searchbot.weights_file import UNREADABLE
from cli.whole_files import write_whole
from rules.errors import BadInputError

LARGEST_PART = 1 << 26


def save_training(
    path: Path,
    recipe: dict[str, Any],
    done: int,
    weights: Sequence[float],
    moved: Sequence[float],
) -> None:
    """Write down how far a training is: the weights, and how far each was moved."""
    head = {"recipe": recipe, "done": done}
    numbers = array("f", weights).tobytes() + array("f", moved).tobytes()
    write_whole(path, gzip.compress(json.dumps(head).encode() + b"\n" + numbers, 1, mtime=0))


def read_training(
    path: Path, recipe: dict[str, Any], count: int
) -> tuple[int, "array[float]", "array[float]"]:
    """Return how far a training with this recipe was, its weights and how far they were moved."""
    head, numbers = _read(path)
    if head["recipe"] != recipe:
        raise BadInputError(f"{str(path)!r} was begun with other settings: {head['recipe']}")
    if len(numbers) != 2 * count:
        raise BadInputError(f"{str(path)!r} is no training that was saved")
    return head["done"], numbers[:count], numbers[count:]


def _read(path: Path) -> tuple[dict[str, Any], "array[float]"]:
    try:
        with gzip.open(path) as file:
            line, _, body = file.read(LARGEST_PART).partition(b"\n")
        head = json.loads(line)
        numbers = array("f")
        numbers.frombytes(body)
        return {"recipe": dict(head["recipe"]), "done": int(head["done"])}, numbers
    except UNREADABLE as error:
        raise BadInputError(f"{str(path)!r} is no training that was saved: {error}") from None
