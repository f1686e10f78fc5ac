"""Snapshots: a game as it stands, so that a restart need not replay everything.

A snapshot is only a short cut. It is used by the very version of the program that made it, and only
if it is whole; otherwise the game is replayed from its inputs, which are always kept.
"""

import hashlib
import io
import pickle
import sys
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any

from rules.board import Board
from server.game import Game
from server.history import History
from server.record import GameSetup

_PACKAGES = ("rules", "grammar", "promises", "server")
# Made anew with the game, or nobody's but the host's.
_LEFT_OUT = ("board", "representation", "_reader", "host")
_BOARD = "board"
_HISTORY = "history"
_PLAIN = {
    ("builtins", "set"),
    ("builtins", "frozenset"),
    ("builtins", "getattr"),
    ("collections", "deque"),
    ("collections", "OrderedDict"),
    ("collections", "defaultdict"),
    ("collections", "Counter"),
    ("random", "Random"),
    ("types", "MappingProxyType"),
}


class _Writer(pickle.Pickler):
    def persistent_id(self, thing: object) -> str | None:
        return _BOARD if isinstance(thing, Board) else None


class _Reader(pickle.Unpickler):
    """Makes objects of our own classes only."""

    def __init__(self, data: bytes, board: Board) -> None:
        super().__init__(io.BytesIO(data))
        self._board = board

    def persistent_load(self, name: str) -> Board:
        if name != _BOARD:
            raise pickle.UnpicklingError(name)
        return self._board

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 - a class
        if module.partition(".")[0] not in _PACKAGES and (module, name) not in _PLAIN:
            raise pickle.UnpicklingError(f"{module}.{name}")
        return super().find_class(module, name)


def write_snapshot(game: Game) -> Generator[None, None, bytes]:
    """Write a game as it stands between two inputs, in steps; return the bytes."""
    target = io.BytesIO()
    # One writer for all: what stands in several of the pieces is written once.
    writer = _Writer(target, protocol=pickle.HIGHEST_PROTOCOL)
    history = game.history
    writer.dump((len(history.turns), len(history.press)))
    for piece in (*history.turns, *history.press):
        writer.dump(piece)
        yield
    left_out = (*_LEFT_OUT, _HISTORY)
    state = {name: value for name, value in vars(game).items() if name not in left_out}
    writer.dump((history.start, state))
    return target.getvalue()


def read_snapshot(setup: GameSetup, data: bytes) -> Game:
    """Return the game; raises ValueError if it cannot be read."""
    game = setup.new_game()
    reader = _Reader(data, game.board)
    try:
        turns, press = reader.load()
        played = [reader.load() for _ in range(turns)]
        said = [reader.load() for _ in range(press)]
        start, state = reader.load()
        vars(game).update(state)
    except Exception as error:  # noqa: BLE001 - whatever damaged bytes make of it
        raise ValueError(f"not a snapshot: {error}") from None
    game.history = History(game.board, start, played, said)
    return game


@cache
def fingerprint() -> str:
    """Return what tells this version of the program from any other."""
    found = hashlib.sha256(sys.version.encode())
    top = Path(__file__).parent.parent
    for package in _PACKAGES:
        for source in sorted((top / package).rglob("*.py")):
            found.update(source.read_bytes())
    return found.hexdigest()
