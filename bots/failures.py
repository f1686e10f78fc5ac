"""What went wrong in a strategy, told to its author: the error, and the lines that are theirs."""

import json
import sysconfig
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import asdict, evolve, frozen

from rules.turns import Turn

_OURS = Path(__file__).resolve().parent.parent
_ASKING = {str(_OURS / "bots" / name) for name in ("player.py", "contract.py")}
"""The last of our own lines before the author's."""
_LIBRARIES = tuple(
    {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
)
_MARK = "failure"


@frozen
class Failure:
    """One kind of failure of a strategy."""

    error: str
    """The exception and its text."""
    where: tuple[str, ...]
    """The author's own lines on the way to it, the last one raised it."""
    turn: str
    """When it happened first."""
    times: int = 1

    @property
    def sentence(self) -> str:
        """Say it in one line."""
        again = f", {self.times} times" if self.times > 1 else ""
        place = f" at {self.where[-1]}" if self.where else ""
        return f"{self.error}{place} (first in {self.turn}{again})"


class FailureLog:
    """The failures of one bot, each kind once."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[str, tuple[str, ...]], Failure] = {}

    @property
    def count(self) -> int:
        """How often it has failed."""
        return sum(each.times for each in self._kinds.values())

    @property
    def kinds(self) -> list[Failure]:
        """Every kind of failure, in the order in which they came."""
        return list(self._kinds.values())

    def note(self, error: BaseException, turn: Turn | None) -> Failure | None:
        """Keep a failure; return it if it is the first of its kind."""
        where = own_lines(error)
        kind = type(error).__name__, where
        known = self._kinds.get(kind)
        if known is not None:
            self._kinds[kind] = evolve(known, times=known.times + 1)
            return None
        text = str(error).partition("\n")[0]
        told = f"{kind[0]}: {text}" if text else kind[0]
        self._kinds[kind] = Failure(told[:300], where, str(turn or "the start"))
        return self._kinds[kind]


def own_lines(error: BaseException) -> tuple[str, ...]:
    """Return the author's lines of a traceback: neither the player's, nor Python's, nor ours.

    A bot of ours has no other author, so its lines are told then.
    """
    frames = traceback.extract_tb(error.__traceback__)
    after = [at for at, frame in enumerate(frames) if frame.filename in _ASKING]
    inner = frames[after[-1] + 1 :] if after else frames
    written = [frame for frame in inner if not frame.filename.startswith(_LIBRARIES)]
    theirs = [frame for frame in written if not _is_ours(frame.filename)]
    return tuple(
        f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"
        for frame in (theirs or written or inner)[-5:]
    )


def _is_ours(filename: str) -> bool:
    """Whether a file belongs to the packages that we ship; a bot may stand right beside them."""
    path = Path(filename)
    if not path.is_relative_to(_OURS):
        return False
    package = path.relative_to(_OURS).parts[0]
    return package in {"bots", "rules", "grammar", "daide", "promises", "matches", "server"}


def failure_to_line(failure: Failure) -> str:
    """Write a failure for whoever has started the bot."""
    return json.dumps({_MARK: asdict(failure)})


def failure_from_line(line: str) -> Failure | None:
    """Read what `failure_to_line` wrote, None for any other text."""
    try:
        data: Mapping[str, Any] = json.loads(line)[_MARK]
        return Failure(**{**data, "where": tuple(data["where"])})
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        return None
