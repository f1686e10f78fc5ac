"""What a caller of `play` may get wrong, told in one sentence before a game begins.

Raises BadInputError.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from operator import index
from pathlib import Path
from typing import Any, cast

from bots.strategy import Bot, Negotiator, Tactic
from grammar.tables import LEVELS
from matches.match import Match
from rules.board import Board
from rules.errors import BadInputError
from rules.position import Position
from rules.variants import load_board
from server.toml_values import Reader, one_of, seconds, whole

_READERS: Mapping[str, Reader] = {
    "seed": whole(-(2**63), 2**63 - 1),
    "press_level": one_of(*LEVELS),
    "press_rounds": whole(1, 1000),
    "last_year": whole(1, 9999),
    "years_without_change": whole(1, 1000),
    "think": seconds,
    "turn_limit": seconds,
}
_MAY_BE_NONE = {"last_year", "years_without_change", "think"}


def checked_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the numbers among the settings of a call as plain ones, and refuse what is none."""
    read: dict[str, Any] = {}
    for name, value in settings.items():
        if value is None and name in _MAY_BE_NONE:
            read[name] = None
            continue
        try:
            read[name] = _READERS[name](_plain(value))
        except BadInputError as error:
            raise BadInputError(f"{name}: {error}") from None
    return read


def _plain(value: object) -> object:
    """Return the whole number that an array's element stands for; leave other things alone."""
    return index(value) if hasattr(value, "__index__") and not isinstance(value, bool) else value


def check_players(players: object) -> None:
    """Refuse what is neither a list of bots nor a dict of them."""
    if isinstance(players, str) or not isinstance(players, Sequence | Mapping):
        raise BadInputError(
            f"players: {players!r} is neither a list of bots nor a dict by powers; "
            'write ["dumbbot"] * 7 for seven of a kind'
        )


def check_match(match: Match) -> None:
    """Refuse players that are no bots, and a game that would be over before it begins."""
    for power, player in match.players.items():
        _check_player(power, player)
    name: object = match.name
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise BadInputError(f"name: {name!r} is no name of a game")
    given: object = match.start
    if not isinstance(given, Position | None):
        raise BadInputError(f"start: {given!r} is no position; take one of game.positions")
    board = load_board(match.variant)
    if given is not None and not _is_of(board, given):
        raise BadInputError(f"start: is a position of another map than {match.variant}")
    first = (given or board.start).turn.year
    if match.last_year is not None and match.last_year < first:
        raise BadInputError(f"last_year: the game starts in {first}, after {match.last_year}")


def check_variant(variant: object) -> None:
    """Refuse what cannot be the name of a map."""
    if not isinstance(variant, str | Path):
        raise BadInputError(f"variant: {variant!r} is no name of a map, nor of a folder with one")


def _is_of(board: Board, position: Position) -> bool:
    """Whether everything in a position is on that map."""
    units = [*position.units, *(out.unit for out in position.dislodged)]
    powers = {*(unit.power for unit in units), *position.owners.values()}
    places = {*(unit.location.province for unit in units), *position.owners}
    return powers <= {*board.powers} and places <= {*board.provinces}


def check_hook(name: str, hook: object) -> None:
    """Refuse a hook that cannot be called, before hours are played for it."""
    if not callable(hook):
        raise BadInputError(f"{name}: {hook!r} cannot be called; give a function")


def _check_player(power: str, player: object) -> None:
    if isinstance(player, str | Bot | Tactic):
        return
    if isinstance(player, type) and issubclass(player, Negotiator) and not _makes_bots(player):
        raise BadInputError(
            f"players: {power}: {player.__name__} talks, but has no orders; derive it from "
            "bots.strategy.Tactic as well, or give a Bot(tactic, negotiator)"
        )
    if not _makes_bots(player):
        raise BadInputError(
            f"players: {power}: {player!r} is no bot; give a name of `daide bots`, "
            "`module:Class`, or a class or object of bots.strategy.Tactic"
        )
    if isinstance(player, type) and inspect.isabstract(player):
        raise BadInputError(f"players: {power}: {player.__name__} has no method choose_orders")
    try:
        inspect.signature(cast("Callable[..., object]", player)).bind()
    except TypeError:
        name = getattr(player, "__name__", repr(player))
        raise BadInputError(
            f"players: {power}: {name} cannot be made without arguments; give an object of it"
        ) from None


def _makes_bots(player: object) -> bool:
    return issubclass(player, Bot | Tactic) if isinstance(player, type) else callable(player)
