"""Everything that a researcher needs, one import away: `from tournament.notebook import play`.

Nothing here does anything of its own: it names what the packages below have, and hands a game of
any kind to the part that draws or tabulates it. `docs/python.md` is its page.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import structlog

from matches.finished_game import FinishedGame
from matches.play_match import play
from rules.adjudicate import adjudicate
from rules.legal_orders import legal_adjustments, legal_orders
from rules.on_text import judge_text, legal_texts
from rules.turns import Turn
from rules.variants import load_board
from spectator.picture import WIDTH, Picture, picture_of
from tournament.from_python import Games, games_of, read_games, record_of, tournament
from tournament.game_result import GameResult
from tournament.scatter import scatter
from tournament.table_files import Row

__all__ = [
    "FinishedGame",
    "GameResult",
    "Games",
    "Picture",
    "adjudicate",
    "games_of",
    "judge_text",
    "legal_adjustments",
    "legal_orders",
    "legal_texts",
    "load_board",
    "picture",
    "play",
    "read_games",
    "record_of",
    "scatter",
    "tables",
    "tournament",
]


if not structlog.is_configured():
    # What goes wrong is told. Who comes and goes in a game over TCP belongs in a server's log.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))


def picture(
    game: FinishedGame | GameResult | Mapping[str, Any],
    turn: str | Turn,
    *,
    theme: str = "light",
    width: int = WIDTH,
) -> Picture:
    """Draw a turn of a game, such as `F1905M`: the position before it, and its orders."""
    return picture_of(record_of(game), turn, theme=theme, width=width)


def tables(games: FinishedGame | Games | Sequence[FinishedGame]) -> dict[str, list[Row]]:
    """Return every table of `docs/tables.md`, each a list of rows, of one game or of many."""
    if isinstance(games, Games):
        return games.tables
    return games_of([games] if isinstance(games, FinishedGame) else games).tables
