"""Records of games as files: one JSON object a line, as `daide play --record` writes them.

Those of a tournament are compressed, and read as they are.

Raises BadInputError that names the file for what is no record, or one of another version.
"""

import errno
import gzip
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rules.errors import BadInputError

RECORD_FORMAT = "daide-record-1"
MOST_UNPACKED = 64_000_000
MOST_TIMES = 200
"""So many bytes, and so many times as many as are packed, can be unpacked: records are a tenth."""
_COMPRESSED = b"\x1f\x8b"
_NEEDED = {"setup": dict, "start": dict, "turns": list, "players": dict}


def read_record(path: Path, game: str | None = None) -> dict[str, Any]:
    """Return the record of that game, or the first of the file."""
    names = []
    for record in read_records(path):
        if game is None or record["setup"].get("name") == game:
            return record
        names.append(str(record["setup"].get("name")))
    if names:
        raise BadInputError(f"{path}: has no game {game!r}, only {', '.join(sorted(set(names)))}")
    raise BadInputError(f"{path}: is empty; `daide play --record` makes a record of a game")


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Give all records of a file."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInputError(f"{path}: cannot be read: {_why(error)}") from None
    yield from records_in(data, str(path))


def records_in(data: bytes, place: str) -> Iterator[dict[str, Any]]:
    """Give all records that stand in bytes, compressed or not; complaints begin with the place."""
    try:
        text = _unpacked(data).decode("utf-8")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise BadInputError(f"{place}: cannot be read: {_why(error)}") from None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _record(line, f"{place}, line {number}")


@contextmanager
def naming(place: str) -> Iterator[None]:
    """Name the file in complaints about what a record holds, whatever is found there."""
    try:
        yield
    except BadInputError as error:
        raise BadInputError(f"{place}: {error}") from None
    except KeyError as error:
        raise BadInputError(f"{place}: the record is damaged: {error} is missing") from error
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise BadInputError(f"{place}: the record is damaged: {error}") from error


def _why(error: Exception) -> str:
    if isinstance(error, EOFError | zlib.error | gzip.BadGzipFile):
        return "it was cut off or damaged after it was compressed"
    return getattr(error, "strerror", None) or "it is not text"


def _unpacked(data: bytes) -> bytes:
    """Unpack what `daide tournament run --records` has compressed."""
    if not data.startswith(_COMPRESSED):
        return data
    most = max(MOST_UNPACKED, MOST_TIMES * len(data))
    with gzip.open(io.BytesIO(data)) as file:
        unpacked = file.read(most + 1)
    if len(unpacked) > most:
        raise OSError(errno.EFBIG, "it unpacks to far more than records do")
    return unpacked


def _record(line: str, place: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise BadInputError(f"{place}: is no record of a game: it is not JSON") from None
    if not isinstance(record, dict) or "format" not in record:
        is_saved = isinstance(record, dict) and isinstance(record.get("phases"), list)
        made = "`daide import` makes one of it" if is_saved else "`daide play --record` makes one"
        raise BadInputError(f"{place}: is no record of a game; {made}")
    if record["format"] != RECORD_FORMAT:
        raise BadInputError(
            f"{place}: is a record of format {record['format']!r}; "
            f"this version reads {RECORD_FORMAT!r}"
        )
    for name, kind in _NEEDED.items():
        if not isinstance(record.get(name), kind):
            raise BadInputError(f"{place}: the record is damaged: {name!r} is missing")
    return record
