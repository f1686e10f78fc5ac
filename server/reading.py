"""Reading what a client sends to a game: at its level, with the leniency of its settings."""

from grammar.messages import ClientMessage, SubmitOrders
from grammar.parse import HIGHEST_LEVEL, Fault, Garbled, Unbalanced, reader_for
from grammar.representation import Representation, with_unknown_provinces
from grammar.tokens import Tokens, Word
from server.forbidden_text import judge_unfit
from server.settings import GameSettings

# What a level could change about a message; before the start there is no level yet.
_LEVELLED = (int(Word.SND), int(Word.DRW), int(Word.NOT))


class GameReader:
    """Reads the messages to one game."""

    def __init__(self, settings: GameSettings, representation: Representation) -> None:
        self._representation = representation
        self._takes_bare_orders = settings.bare_orders
        self._takes_unknown_provinces = settings.unknown_provinces
        self._reader = reader_for(
            settings.level, representation, partial_draws=settings.partial_draws
        )

    def read(self, tokens: Tokens, *, is_forming: bool, is_player: bool) -> ClientMessage | Fault:
        """Read a message to a game that forms or not, of a player of a running game or not."""
        message = judge_unfit(self._reader.client(tokens), tokens, self._representation)
        if not isinstance(message, Garbled):
            return message
        if is_forming and tokens and tokens[0] in _LEVELLED:
            return reader_for(HIGHEST_LEVEL, self._representation).client(tokens)
        lenient = self._bare_order(message) or self._far_order(message) if is_player else None
        return lenient or message

    def _bare_order(self, fault: Garbled) -> SubmitOrders | None:
        """Take a lone order as SUB, where the settings say so."""
        if not self._takes_bare_orders or fault.at != 0:
            return None
        order = self._reader.order(fault.tokens)
        return None if isinstance(order, Garbled | Unbalanced) else SubmitOrders((order,))

    def _far_order(self, fault: Garbled) -> SubmitOrders | None:
        """Take orders for provinces that the map has not, where the settings say so.

        Orders only: what is said to others must be made of tokens that they know.
        """
        if not self._takes_unknown_provinces or fault.tokens[:1] != (Word.SUB,):
            return None
        names = with_unknown_provinces(self._representation)
        message = reader_for(0, names).client(fault.tokens)
        return message if isinstance(message, SubmitOrders) else None
