"""The record of a finished game without what depends on the machine: same match, same bytes.

It is a record as `daide play --record` keeps it, but for the single messages and their times: what
was said and ordered is there turn by turn. Compressed, a game takes some ten kilobytes.
"""

import gzip
import json
from typing import Any

from matches.finished_game import FinishedGame
from rules.errors import BadInputError
from server.record import record_to_json
from server.record_file import records_in


def whole_record(game: FinishedGame) -> dict[str, Any]:
    """Return everything that was said, ordered and promised in a game, as JSON."""
    record = record_to_json(game.record)
    press = [{**said, "time": 0.0} for said in record["press"]]
    return {**record, "messages": [], "press": press}


def packed_record(game: FinishedGame) -> bytes:
    """Return the record as a compressed line."""
    text = json.dumps(whole_record(game), sort_keys=True, separators=(",", ":")) + "\n"
    return gzip.compress(text.encode(), mtime=0)


def unpacked_record(data: bytes, place: str = "the record") -> dict[str, Any]:
    """Read what `packed_record` wrote; BadInputError, with the place, if it is none."""
    for record in records_in(data, place):
        return record
    raise BadInputError(f"{place}: is empty")
