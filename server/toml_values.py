"""A TOML file and its values, read strictly: one function for each kind of value.

Raises BadInputError with a sentence; whoever reads a value adds where it stands.
"""

import re
import tomllib
from collections.abc import Callable
from typing import Any, TypeAlias

from rules.errors import BadInputError

Reader: TypeAlias = Callable[[Any], Any]

MOST_PARTS = 100
"""Of a key with dots: the time and memory that it takes grow with their square."""
_BETWEEN_KEYS = re.compile(r"[=,\[\]{}#\n]")


def read_toml(text: str, source: str) -> dict[str, Any]:
    """Read the text of a file; `source` is how complaints call it."""
    if any(piece.count(".") >= MOST_PARTS for piece in _BETWEEN_KEYS.split(text)):
        raise BadInputError(f"{source}: a name of more than {MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except ValueError as error:  # also of a number with thousands of digits
        raise BadInputError(f"{source}: not TOML: {error}") from None
    except RecursionError:
        raise BadInputError(f"{source}: nested too deeply") from None


def whole(lowest: int, highest: int) -> Reader:
    """Read a whole number within bounds."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadInputError(f"{value!r} is not a whole number")
        if not lowest <= value <= highest:
            raise BadInputError(f"{value} is not between {lowest} and {highest}")
        return value

    return read


def flag(value: object) -> bool:
    """Read true or false."""
    if not isinstance(value, bool):
        raise BadInputError(f"{value!r} is neither true nor false")
    return value


def one_of(*choices: str | int) -> Reader:
    """Read one of a few values."""

    def read(value: object) -> str | int:
        found = next((each for each in choices if each == value), None)
        if found is None or isinstance(value, bool):
            raise BadInputError(f"{value!r} is not one of {', '.join(map(str, choices))}")
        return found

    return read


def seconds(value: object) -> float:
    """Read a time that is not nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
        raise BadInputError(f"{value!r} is not a number of seconds above 0")
    return float(value)
