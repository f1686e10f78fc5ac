"""Make what every bot of a game would make for itself, before their processes are forked off."""

from bots.game_so_far import board_for
from bots.unit_places import unit_places_of
from grammar.boards import map_definition
from grammar.messages import MapDefinition
from grammar.parse import HIGHEST_LEVEL, reader_for
from grammar.representation import Representation
from grammar.write import write
from rules.board import Board
from rules.kernel.encode import codec_of


def warm_up(board: Board) -> None:
    """Read the map as a client will, and keep all that hangs on it; only the first time takes time.

    A bot knows a board from what the server tells it, so that is what must be kept.
    """
    names = Representation.from_entries(Representation.from_board(board).entries())
    reader = reader_for(HIGHEST_LEVEL, names)
    definition = reader.server(write(map_definition(board), names))
    if isinstance(definition, MapDefinition):
        known = board_for(definition, names)
        codec_of(known)
        unit_places_of(known)
